"""games.csv, searches.csv and moves.csv: a row a game, a search, or a move."""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict
from typing import Any, TextIO

from tournament.engine.result import COUNTERS
from tournament.games.connect4 import column_digit
from tournament.report.grids import every_grid
from tournament.report.openings import opening_scores
from tournament.report.report import Report
from tournament.report.results import Results, seconds_inside
from tournament.report.study import StudyResults
from tournament.report.table import Table, Value
from tournament.store import Cost, StoredGame, StoredMove, StoredPlayer, StoredSearches
from tournament.text import storable

FORMULA = ("=", "+", "-", "@", "\t", "\r")
NUMBER = re.compile(r"[+-]?[\d.]+(?:e[+-]?\d+)?")
COUNTED = (*COUNTERS, "seconds")  # of a side of a game
TOOK = (*COUNTERS, "seconds", "cpu_seconds", "deepest", "memory")  # of a search
CSV_COLUMNS = (
    *("game", "first", "first_depth", "second", "second_depth", "opening", "seed"),
    *("result", "reason", "plies", "moves", "distinct"),
    *(f"{seat}_{name}" for seat in ("first", "second") for name in COUNTED),
    *("first_cpu_seconds", "second_cpu_seconds"),
    *("fault", "fault_message"),
    *("first_evaluator_seconds", "second_evaluator_seconds"),
)


MOVE_COLUMNS = (
    *("game", "move", "player", "chosen", "landed", "score", "depth", *COUNTERS, "deepest"),
    *("seconds", "cpu_seconds"),
)
SEARCH_COLUMNS = (
    *("part", "rows", "columns", "connect", "objective", "drift", "drift_players", "evaluator", "position", "discs"),
    *("algorithm", "order", "table", "iterative", "aspiration", "depth", "move", "score"),
    *TOOK,
    "order_seed",
)


OPENING_COLUMNS = ("opening", "value", "games", "promised", "scored")
GRID_COLUMNS = (
    *("part", "down", "down_value", "across", "across_value", "kept", "kept_value"),
    *("first", "other", "first_evaluated", "other_evaluated", "ratio"),
)


def write_games(file: TextIO) -> Callable[[StoredGame], None]:
    """What writes a game of a tournament as a row: one at a time, since there may be many."""
    writer = _Writer(file)
    writer.writerow(CSV_COLUMNS)

    def write(game: StoredGame) -> None:
        writer.writerow(game_row(game))

    return write


def write_moves(file: TextIO) -> Callable[[StoredGame, Sequence[StoredMove]], None]:
    """What writes the moves of a game of a tournament, a row each."""
    writer = _Writer(file)
    writer.writerow(MOVE_COLUMNS)

    def write(game: StoredGame, moves: Sequence[StoredMove]) -> None:
        writer.writerows(move_rows(game, moves))

    return write


def write_openings(report: Report, file: TextIO) -> None:
    """Every opening: what perfect play makes of it, what that promised to whoever moves first, and what was scored."""
    results = report.results
    assert isinstance(results, Results)
    writer = _Writer(file)
    writer.writerow(OPENING_COLUMNS)
    for one in opening_scores(results.truths, results.first_player):
        writer.writerow((one.opening or "empty", one.value, one.games, one.promised, one.scored))


def write_table(table: Table, file: TextIO) -> None:
    """A table: the values of its cells in the units of its headings, and of an interval both ends, a column each."""
    rows = table.in_units
    both = [any(isinstance(row[place], tuple) for row in rows) for place in range(len(table.columns))]
    writer = _Writer(file)
    names = [column.name for column in table.columns]
    pairs = list(zip(names, both, strict=True))
    writer.writerow([part for name, two in pairs for part in ((f"{name} low", f"{name} high") if two else (name,))])
    for row in rows:
        cells = zip(row, both, strict=True)
        writer.writerow([part for cell, two in cells for part in (_ends(cell) if two else (_cell(cell),))])


def _ends(cell: Value) -> tuple[Value, Value]:
    return (cell[0], cell[1]) if isinstance(cell, tuple) else (None, None)


def write_searches(report: Report, file: TextIO) -> None:
    """A row for each search of a study."""
    assert isinstance(report.results, StudyResults)
    writer = _Writer(file)
    writer.writerow(SEARCH_COLUMNS)
    for one in report.results.found:
        writer.writerows(search_rows(one))


def write_grids(report: Report, file: TextIO) -> None:
    """Every slice of the grids of a study: a row for each cell."""
    assert isinstance(report.results, StudyResults)
    writer = _Writer(file)
    writer.writerow(GRID_COLUMNS)
    for part in report.results.parts:
        for grid in every_grid(part.searches):
            for low, cells in zip(grid.rows, grid.cells, strict=True):
                for high, both in zip(grid.columns, cells, strict=True):
                    counts = (*both, f"{both[0] / both[1]:.4f}") if both else (None, None, None)
                    where = (grid.down, low, grid.across, high, grid.third, grid.kept)
                    writer.writerow([part.title, *where, grid.first, grid.other, *counts])


def game_row(game: StoredGame) -> list[Any]:
    return [
        game.id,
        *(game.first.name, _csv_effort(game.first), game.second.name, _csv_effort(game.second)),
        *(game.opening, game.seed, game.result, game.reason, game.plies, game.moves, int(game.distinct)),
        *_csv_cost(game.first, game.first_cost),
        *_csv_cost(game.second, game.second_cost),
        *(_cell(cost.cpu_seconds) for cost in (game.first_cost, game.second_cost)),
        *(game.fault_kind, game.fault),
        *(_cell(seconds_inside(game.first, game.first_cost)), _cell(seconds_inside(game.second, game.second_cost))),
    ]


def move_rows(game: StoredGame, moves: Sequence[StoredMove]) -> Iterator[list[Any]]:
    """A row for each move: whose it was, where, and what the search found and took."""
    for move in moves:
        player = game.second if move.ply % 2 else game.first
        where = [move.ply + 1, player.name, column_digit(move.chosen), column_digit(move.landed)]
        counts = [None if player.is_agent else getattr(move, name) for name in ("score", "depth", *COUNTERS, "deepest")]
        yield [game.id, *where, *counts, _cell(move.seconds), _cell(move.cpu_seconds)]


def search_rows(one: StoredSearches) -> Iterator[list[Any]]:
    """A row for each search: where, by whom, how, and what it found and took."""
    settings = one.player.settings
    where = [one.part, *asdict(one.rules).values(), one.player.name, one.place]
    how = [settings.algorithm, settings.order, settings.table, int(settings.iterative), settings.aspiration]
    seed = settings.order_seed if settings.order == "random" else None
    for move in one.moves:
        found = [settings.depth, column_digit(move.chosen), move.score]
        took = [_cell(getattr(move, name)) for name in TOOK]
        yield [*where, move.ply, *how, *found, *took, seed]


def _csv_effort(player: StoredPlayer) -> str:
    """A depth as a number, a budget with its unit; without commas within a number."""
    effort = player.settings.effort
    return f"{effort.size} nodes" if effort.kind == "nodes" else effort.text


def _csv_cost(player: StoredPlayer, cost: Cost) -> list[Any]:
    return [
        None if player.is_agent and name in COUNTERS else _cell(getattr(cost, name))  # whose searches nobody counts
        for name in COUNTED
    ]


class _Writer:
    """Writes rows in which no text is a formula to a spreadsheet, and none steers a terminal."""

    def __init__(self, file: TextIO) -> None:
        self._writer = csv.writer(file)

    def writerow(self, row: Iterable[Any]) -> None:
        self._writer.writerow(_as_text(cell) if isinstance(cell, str) else cell for cell in row)

    def writerows(self, rows: Iterable[Iterable[Any]]) -> None:
        for row in rows:
            self.writerow(row)


def _as_text(text: str) -> str:
    """A text that begins like a formula, and is no number of ours, has a quotation mark before it."""
    told = storable(text)
    return f"'{told}" if text.startswith(FORMULA) and not NUMBER.fullmatch(text) else told


def _cell(value: Value) -> Value:
    """A count as it is, seconds to the millionth; what is less than a thousandth to the billionth."""
    if not isinstance(value, float):
        return value
    return f"{value:.9f}" if 0 < abs(value) < 0.001 else f"{value:.6f}"
