"""The tables of what is sure: ratings, chances, verdicts, and what the first move is worth."""

from __future__ import annotations

from tournament.evidence.pairs import FEWEST_DECISIVE
from tournament.evidence.verdicts import ALPHA
from tournament.report.evidence import Estimate, Evidence, FirstMove, PairingVerdict, RatedGroup, Ratings
from tournament.report.table import Cell, Column, Name, Table


def evidence_tables(evidence: Evidence | None) -> list[Table]:
    """Ratings, chances, the first move's worth and verdicts, as far as the pairs allow."""
    if evidence is None:
        note = "No opening was played in both seats, so that there are no pairs: play `seats: both`."
        return [Table("Evidence", (Column("what"),), [], note)]
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
        "Elo of the score that is expected against the average player, draws counted half, by one model of "
        f"{ratings.games:,} games of whole pairs, a repeated one once (strengths, first move, draws); intervals by a "
        f"bootstrap over {ratings.openings} openings. An interval is of one player alone: who is rated above whom is "
        "said by Verdicts. Groups that never met can't be compared."
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
    note = "How likely the player wins, over both seats; * where Verdicts says which of the two is better."
    return Table(f"Who beats whom{where}", columns, rows, note)


def first_move_table(first_move: FirstMove, evidence: Evidence) -> Table:
    """What moving first is worth in Elo: over all, by effort, and in each player's games."""
    rows = [_estimate_row("all games", first_move.overall)]
    rows += [_estimate_row(effort.sentence, estimate) for effort, estimate in first_move.by_effort.items()]
    rows += [_estimate_row(_named(key, evidence), estimate) for key, estimate in first_move.by_player.items()]
    columns = (Column("games of"), Column("first move, Elo", "elo"), Column("95 % interval", "elo"))
    note = (
        "The same model's worth of moving first, in Elo. Whether it is an advantage is decided by First-player "
        "advantage: these intervals cover a little less than 95 % where openings are few, or moving first is worth "
        "hundreds of Elo."
    )
    return Table("First move, fitted", columns, rows, note)


def verdict_table(evidence: Evidence) -> Table:
    """For each pairing: above or below, better or worse, or can't tell."""
    rows: list[tuple[Cell, ...]] = [
        (
            *(_named(one.player, evidence), _named(one.other, evidence), one.pairs),
            *(one.pairing.won, one.pairing.lost, one.pairing.split, one.p, verdict_text(one), one.openings_enough),
        )
        for one in evidence.verdicts
    ]
    columns = (
        *(Column("player"), Column("against"), Column("pairs", "count")),
        *(Column(name, "count") for name in ("wins", "losses", "splits")),
        *(Column("p, adj.", "p"), Column("verdict"), Column("to tell", "count")),
    )
    return Table("Verdicts", columns, rows, _on_verdicts(evidence))


def verdict_text(one: PairingVerdict) -> str:
    """The verdict in a word or two: what is rated is above or below, what is judged by itself better or worse."""
    if one.word == "can't tell" or not one.by_ratings:
        return one.word
    return "above" if one.word == "better" else "below"


def _on_verdicts(evidence: Evidence) -> str:
    note = (
        "Wins, losses and splits count pairs of openings whose games meet in one position once. p is adjusted for the "
        f"number of verdicts, and up to {ALPHA} decides: of reports on equals, at most one in twenty has any verdict. "
    )
    if any(one.by_ratings for one in evidence.verdicts):
        note += (
            "The player is rated above or below the other: by the difference of their ratings, from all games of both, "
            f"in a studentised bootstrap over {evidence.openings:,} openings. "
        )
    if not all(one.by_ratings for one in evidence.verdicts):
        note += "The player is better or worse: by an exact test of these pairs alone. "
    if any(one.openings_enough for one in evidence.verdicts):
        note += (
            "To tell: about so many openings would resolve a difference as large as it looks now, in four of five "
            "tournaments. "
        )
    for one in evidence.verdicts:
        if one.departure is not None:
            margin, p = one.departure
            names = [evidence.competitor(key).text for key in (one.player, one.other)]
            note += (
                f"{names[0]} scored {abs(100 * margin):.0f} % {'more' if margin > 0 else 'less'} against {names[1]} "
                f"than their ratings say (adjusted p = {p:.2g}): for them strength is not one number. "
            )
    return note.rstrip()
