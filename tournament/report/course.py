"""The tables that a course asks for, where each pairing is played once: every run, and who won how often."""

from __future__ import annotations

from collections.abc import Sequence

from tournament.report.competitors import level_of
from tournament.report.results import Results
from tournament.report.scores import best_first
from tournament.report.table import Cell, Column, Name, Table
from tournament.report.tables import counts_of, winner
from tournament.store import StoredGame

MOST_RUNS = 60  # more are no table to copy

RUNS_COLUMNS = (
    Column("run", "count"),
    Column("depth"),
    Column("player 1", stacked="player 1\nplayer 2"),
    Column("generated 1", "count", stacked="nodes\ngenerated"),
    Column("expanded 1", "count", stacked="nodes\nexpanded"),
    Column("seconds 1", "seconds", stacked="seconds"),
    Column("CPU seconds 1", "seconds", stacked="CPU\nseconds"),
    Column("player 2", under="player 1"),
    Column("generated 2", "count", under="generated 1"),
    Column("expanded 2", "count", under="expanded 1"),
    Column("seconds 2", "seconds", under="seconds 1"),
    Column("CPU seconds 2", "seconds", under="CPU seconds 1"),
    Column("winner"),
)


def course_tables(results: Results, games: Sequence[StoredGame]) -> list[Table]:
    """Both tables of few games, no opening in both seats; else none."""
    if results.run.seats == "both" or not 0 < results.played == len(games) <= MOST_RUNS:
        return []
    return [runs_table(games), wins_table(results)]


def runs_table(games: Sequence[StoredGame]) -> Table:
    """Each game with the nodes and the time of both players."""
    rows: list[tuple[Cell, ...]] = []
    for number, game in enumerate(games, start=1):
        row: list[Cell] = [number, level_of(game).text]
        for player, cost in ((game.first, game.first_cost), (game.second, game.second_cost)):
            generated, expanded, _ = counts_of(player, cost)
            row += [Name(player.name, player.name), generated, expanded, cost.seconds, cost.cpu_seconds]
        rows.append((*row, winner(game)))
    return Table(
        "Runs", RUNS_COLUMNS, rows, "Player 1 moves first. Seconds are wall time: of a busy machine they are more."
    )


def wins_table(results: Results) -> Table:
    """Who won and lost how often, and at which depth."""
    scores = results.scores
    columns = (
        *(Column("player"), Column("won", "count"), Column("lost", "count"), Column("drawn", "count")),
        *(Column(f"won at {level.text}", "count") for level in scores.levels),
        *(Column("won as player\u00a01", "count"), Column("won as player\u00a02", "count")),
    )
    rows: list[tuple[Cell, ...]] = []
    for one in best_first(scores.overall):
        score = scores.overall[one]
        own = [scores.by_level[level].get(one) for level in scores.levels]
        at_levels = [None if its is None else its.won for its in own]
        rows.append(
            (
                Name(one.text, one.name),
                score.won,
                score.lost,
                score.drawn,
                *at_levels,
                score.won_first,
                score.won_second,
            )
        )
    return Table("Wins and losses", columns, rows)
