"""games.csv and searches.csv: a row a game, or a search."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterator
from dataclasses import asdict
from typing import Any, TextIO

from tournament.games.connect4 import column_digit
from tournament.report.report import Report
from tournament.report.study import StudyResults
from tournament.store import Cost, StoredGame, StoredPlayer, StoredSearches

COUNTED = ("generated", "expanded", "evaluated", "cutoffs", "seconds")
CSV_COLUMNS = (
    *("game", "first", "first_depth", "second", "second_depth", "opening", "seed"),
    *("result", "reason", "plies", "moves", "distinct"),
    *(f"{seat}_{name}" for seat in ("first", "second") for name in COUNTED),
    *("first_cpu_seconds", "second_cpu_seconds"),
    *("fault", "fault_message"),
)


SEARCH_COLUMNS = (
    *("part", "rows", "columns", "connect", "objective", "drift", "drift_players", "evaluator", "position", "discs"),
    *("algorithm", "order", "table", "iterative", "aspiration", "depth", "move", "score"),
    *("generated", "expanded", "evaluated", "cutoffs", "seconds", "cpu_seconds", "deepest", "memory"),
)


def write_games(file: TextIO) -> Callable[[StoredGame], None]:
    """What writes a game of a tournament as a row: one at a time, since there may be many."""
    writer = csv.writer(file)
    writer.writerow(CSV_COLUMNS)

    def write(game: StoredGame) -> None:
        writer.writerow(game_row(game))

    return write


def write_searches(report: Report, file: TextIO) -> None:
    """A row for each search of a study."""
    assert isinstance(report.results, StudyResults)
    writer = csv.writer(file)
    writer.writerow(SEARCH_COLUMNS)
    for one in report.results.found:
        writer.writerows(search_rows(one))


def game_row(game: StoredGame) -> list[Any]:
    return [
        game.id,
        *(game.first.name, _csv_effort(game.first), game.second.name, _csv_effort(game.second)),
        *(game.opening, game.seed, game.result, game.reason, game.plies, game.moves, int(game.distinct)),
        *_csv_cost(game.first, game.first_cost),
        *_csv_cost(game.second, game.second_cost),
        *(f"{cost.cpu_seconds:.6f}" for cost in (game.first_cost, game.second_cost)),
        *(game.fault_kind, game.fault),
    ]


def search_rows(one: StoredSearches) -> Iterator[list[Any]]:
    """A row for each search: where, by whom, how, and what it found and took."""
    settings = one.player.settings
    where = [one.part, *asdict(one.rules).values(), one.player.name, one.place]
    how = [settings.algorithm, settings.order, settings.table, int(settings.iterative), settings.aspiration]
    for move in one.moves:
        counters = [move.generated, move.expanded, move.evaluated, move.cutoffs]
        times = [f"{seconds:.6f}" for seconds in (move.seconds, move.cpu_seconds)]
        found = [settings.depth, column_digit(move.chosen), move.score]
        yield [*where, move.ply, *how, *found, *counters, *times, move.deepest, move.memory]


def _csv_effort(player: StoredPlayer) -> str:
    """A depth as a number, a budget with its unit; without commas within a number."""
    effort = player.settings.effort
    return f"{effort.size} nodes" if effort.kind == "nodes" else effort.text


def _csv_cost(player: StoredPlayer, cost: Cost) -> list[Any]:
    counters = [None] * 4 if player.is_agent else [cost.generated, cost.expanded, cost.evaluated, cost.cutoffs]
    return [*counters, f"{cost.seconds:.6f}"]
