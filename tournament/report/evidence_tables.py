"""The tables of what is sure: ratings, chances, verdicts, and what the first move is worth."""

from __future__ import annotations

from tournament.evidence.pairs import FEWEST_DECISIVE
from tournament.report.evidence import Estimate, Evidence, FirstMove, RatedGroup, Ratings
from tournament.report.pair_evidence import ALPHA
from tournament.report.summary import on_the_first_move
from tournament.report.table import Cell, Column, Name, Table


def evidence_tables(evidence: Evidence | None) -> list[Table]:
    """Ratings, chances, the first move's worth and verdicts, as far as the pairs allow."""
    if evidence is None:
        return [Table("Evidence", (Column("what"),), [], "There are no whole pairs: play `seats: both`.")]
    if evidence.ratings is None:
        return [_unrated("Ratings", evidence.decisive), verdict_table(evidence)]
    groups = [table for group in evidence.ratings.groups for table in _group_tables(group, evidence.ratings, evidence)]
    return [*groups, first_move_table(evidence.ratings.first_move, evidence), verdict_table(evidence)]


def _named(key: str, evidence: Evidence) -> Name:
    competitor = evidence.competitor(key)
    return Name(competitor.text, competitor.name)


def _unrated(title: str, decisive: int) -> Table:
    """What stands in place of ratings where there is too little to rate anybody by."""
    note = (
        f"No ratings: one player won {decisive} of the pairs, and {FEWEST_DECISIVE} such pairs are needed. "
        "Play more openings, as in `openings: {plies: 2}`."
    )
    return Table(title, (Column("player"),), [], note)


def _group_tables(group: RatedGroup, ratings: Ratings, evidence: Evidence) -> list[Table]:
    """The ratings of players who have met, and their chances against each other."""
    where = f", {group.effort.sentence}" if group.effort is not None else ""
    title = f"Ratings{where}"
    if not group.ratings:
        return [_unrated(title, group.decisive)]
    rows = [_estimate_row(_named(key, evidence), rating) for key, rating in group.ratings.items()]
    note = (
        "Elo of the score that is expected against the average player, draws counted half, by one model of all "
        f"{ratings.games:,} games of whole pairs (strengths, first move, draws); intervals by a bootstrap over "
        f"{ratings.openings} openings. "
        "Groups that never met can't be compared."
    )
    columns = (Column("player"), Column("Elo", "elo"), Column("95 % interval", "elo"))
    tables = [Table(title, columns, rows, note)]
    if group.chances:
        tables.append(_chances_table(group, where, evidence))
    return tables


def _estimate_row(name: Cell, estimate: Estimate) -> tuple[Cell, ...]:
    return name, estimate.elo, estimate.interval


def _chances_table(group: RatedGroup, where: str, evidence: Evidence) -> Table:
    rows: list[tuple[Cell, ...]] = []
    for one in group.ratings:
        cells: list[Cell] = []
        for other in group.ratings:
            chance = group.chances.get((one, other))
            cells.append(f"{100 * chance.to_win:.0f} %{'*' if chance.resolved else ''}" if chance else None)
        rows.append((_named(one, evidence), *cells))
    names = [evidence.competitor(key).text for key in group.ratings]
    columns = (Column("chance of"), *(Column(f"against {name}") for name in names))
    note = "How likely the player wins, over both seats; * where the difference in strength is resolved (95 %)."
    return Table(f"Who beats whom{where}", columns, rows, note)


def first_move_table(first_move: FirstMove, evidence: Evidence) -> Table:
    """What moving first is worth in Elo: over all, by effort, and in each player's games."""
    rows = [_estimate_row("all games", first_move.overall)]
    rows += [_estimate_row(effort.sentence, estimate) for effort, estimate in first_move.by_effort.items()]
    rows += [_estimate_row(_named(key, evidence), estimate) for key, estimate in first_move.by_player.items()]
    columns = (Column("games of"), Column("first move, Elo", "elo"), Column("95 % interval", "elo"))
    return Table("First move, fitted", columns, rows, on_the_first_move(first_move))


def verdict_table(evidence: Evidence) -> Table:
    """For each pairing: better, worse or can't tell."""
    rows: list[tuple[Cell, ...]] = [
        (
            *(_named(one.player, evidence), _named(one.other, evidence)),
            *(one.verdict.better, one.verdict.worse, one.split, one.verdict.adjusted_p, one.verdict.word),
        )
        for one in evidence.verdicts
    ]
    columns = (
        *(Column("player"), Column("against")),
        *(Column(name, "count") for name in ("pairs won", "lost", "split")),
        *(Column("p", "p"), Column("the player is")),
    )
    note = (
        "An exact sign test on the pairs that one of the two won; p is adjusted for the number of pairings (Holm), "
        f"and below {ALPHA} decides. Split pairs say nothing about the players."
    )
    return Table("Verdicts", columns, rows, note)
