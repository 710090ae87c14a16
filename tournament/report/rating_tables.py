"""Tables of the fitted model: ratings, chances of each against each, and the worth of the first move."""

from __future__ import annotations

import numpy as np

from tournament.evidence.pairs import FEWEST_DECISIVE, Pairs
from tournament.evidence.ratings import (
    Advantages,
    Bootstrap,
    Fit,
    Games,
    advantage_by_group,
    advantage_of_players,
    bootstrap,
    components,
    fit,
    interval,
    probability,
    trend,
)
from tournament.report.pair_tables import shown_player, unrated
from tournament.report.table import Cell, Column, Table
from tournament.store import StoredPlayer

RESAMPLES = 1000
MOST_IN_MATRIX = 20  # players in the table of chances; more do not fit a page


def rating_tables(pairs: Pairs[StoredPlayer], seed: int) -> list[Table]:
    """Every table that needs the fitted model."""
    games = Games(
        np.array(pairs.first, np.int64),
        np.array(pairs.second, np.int64),
        np.array(pairs.outcome, np.int64),
        np.array(pairs.opening, np.int64),
        len(pairs.players),
    )
    fitted, resampled = fit(games), bootstrap(games, RESAMPLES, seed)
    tables = []
    for group in components(games):
        tables += _rating_tables_of(group, pairs, fitted, resampled)
    return [*tables, advantage_table(pairs, games, fitted, resampled, seed)]


def _rating_tables_of(group: list[int], pairs: Pairs[StoredPlayer], fitted: Fit, resampled: Bootstrap) -> list[Table]:
    """The ratings of players who have met, and their chances against each other."""
    players = list(pairs.players.values())
    levels = {players[index].settings.level for index in group}
    where = f", {levels.pop()}" if len(levels) == 1 else ""
    keys = {players[index].key for index in group}
    decisive = sum(won + lost for (key, _), (won, lost, _) in pairs.pairings.items() if key in keys)
    title = f"Ratings{where}"
    if decisive < FEWEST_DECISIVE:
        return [unrated(title, decisive)]
    ranked = sorted(group, key=lambda index: -fitted.strengths[index])
    rows: list[tuple[Cell, ...]] = []
    for index in ranked:
        low, high = interval(resampled.strengths[:, index], openings=resampled.openings)
        rows.append((shown_player(players[index], pairs), float(fitted.strengths[index]), (low, high)))
    note = (
        f"Elo above or below the mean player, from one model of all {len(pairs.outcome):,} games of whole pairs "
        f"(strengths, first move, draws); intervals by a bootstrap over {resampled.openings} openings. "
        "Groups that never met can't be compared."
    )
    columns = (Column("player"), Column("Elo", "elo"), Column("95 % interval", "elo"))
    tables = [Table(title, columns, rows, note)]
    if len(group) <= MOST_IN_MATRIX:
        tables.append(_chances_table(ranked, where, pairs, fitted, resampled))
    return tables


def _chances_table(
    ranked: list[int], where: str, pairs: Pairs[StoredPlayer], fitted: Fit, resampled: Bootstrap
) -> Table:
    players = list(pairs.players.values())
    rows: list[tuple[Cell, ...]] = []
    for one in ranked:
        cells: list[Cell] = []
        for other in ranked:
            if one == other:
                cells.append(None)
                continue
            gap = resampled.strengths[:, one] - resampled.strengths[:, other]
            low, high = interval(gap, openings=resampled.openings)
            mark = "" if low <= 0 <= high else "*"
            cells.append(f"{100 * probability(fitted, one, other)[0]:.0f} %{mark}")
        rows.append((shown_player(players[one], pairs), *cells))
    names = [shown_player(players[index], pairs) for index in ranked]
    columns = (Column("chance of"), *(Column(f"against {name}") for name in names))
    note = "How likely the player wins, over both seats; * where the difference in strength is resolved (95 %)."
    return Table(f"Who beats whom{where}", columns, rows, note)


def advantage_table(pairs: Pairs[StoredPlayer], games: Games, fitted: Fit, resampled: Bootstrap, seed: int) -> Table:
    """What moving first is worth in Elo: over all, by depth, and in each player's games."""
    players = list(pairs.players.values())
    overall = interval(resampled.advantages, openings=resampled.openings)
    rows: list[tuple[Cell, ...]] = [("all games", fitted.advantage, overall)]
    levels = {player.settings.rank: player.settings.level for player in players}
    ranks = sorted(levels)
    rank_of = [ranks.index(player.settings.rank) for player in players]
    group_of = np.array([max(rank_of[a], rank_of[b]) for a, b in zip(pairs.first, pairs.second, strict=True)])
    by_depth = advantage_by_group(games, group_of, RESAMPLES, seed)
    if len(by_depth.labels) > 1:
        rows += _advantage_rows(by_depth, [levels[ranks[group]] for group in by_depth.labels])
    own = advantage_of_players(games, fitted, resampled)
    rows += _advantage_rows(own, [shown_player(player, pairs) for player in players])
    columns = (Column("games of"), Column("first move, Elo", "elo"), Column("95 % interval", "elo"))
    depths = [int(size) for kind, size in (ranks[group] for group in by_depth.labels) if kind == 0]
    said = _sentence(fitted.advantage, overall, by_depth, depths, resampled.openings)
    return Table("First move, fitted", columns, rows, said)


def _advantage_rows(advantages: Advantages, names: list[str]) -> list[tuple[Cell, ...]]:
    return [
        (name, float(advantages.estimates[place]), interval(advantages.samples[:, place], openings=int(openings)))
        for place, (name, openings) in enumerate(zip(names, advantages.openings, strict=True))
    ]


def _sentence(elo: float, overall: tuple[float, float], by_depth: Advantages, depths: list[int], openings: int) -> str:
    """What the table shows, in words; how it changes with depth where all games were played at one."""
    if overall[0] > 0 or overall[1] < 0:
        told = f"Moving {'first' if elo > 0 else 'second'} was worth {abs(elo):.0f} Elo over all games"
    else:
        told = "Whether moving first is worth anything can't be told from these games"
    if len(by_depth.labels) < 2 or len(depths) < len(by_depth.labels):
        return f"{told}."
    slope, p = trend(
        depths,
        by_depth.samples,
        by_depth.estimates,
        openings=min(openings, int(by_depth.openings.min())),
    )
    if p > 0.05:
        return f"{told}; a change with depth is not resolved ({slope:+.1f} Elo a ply, p = {p:.2g})."
    return f"{told}; it {'grows' if slope > 0 else 'shrinks'} by {abs(slope):.1f} Elo a ply of depth (p = {p:.2g})."
