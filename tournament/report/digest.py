"""The answer on one screen: who stands where, how sure that is, and what it cost."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from tournament.engine.settings import Effort
from tournament.report.competitors import Competitor, Level
from tournament.report.evidence import Estimate, RatedGroup
from tournament.report.more import shown_time
from tournament.report.results import Results
from tournament.report.scores import best_first
from tournament.report.study import StudyResults
from tournament.report.table import Cell, Column, Name, Table, shown_cell
from tournament.store import Cost
from tournament.text import counted

MOST_LEVELS = 4  # that have a column each
MOST_ROWS = 16  # players that are named


class Part(NamedTuple):
    """A column of the digest and its cells, by competitor."""

    column: Column
    cells: dict[Competitor, Cell]


def headline(results: Results | StudyResults) -> str:
    """What was done: the title, how many games or searches, and how long those took.

    Where a run was interrupted and gone on with, that is the time of its searches.
    """
    if isinstance(results, Results):
        seconds, done, what = sum(cost.seconds for cost in results.cost.values()), results.played, "game"
    else:
        seconds = sum(move.seconds for one in results.found for move in one.moves)
        done, what = sum(len(one.moves) for one in results.found), "search"
    wall = results.run.wall_seconds
    if wall is None:
        took = f", {shown_cell(seconds, 'seconds')} s of search"
    else:
        took = f" in {wall:,.1f} s" if wall < 100 else f" in {shown_time(wall)}"
    return f"{results.run.title}: {counted(done, what)}{took}"


def digest(results: Results) -> Table:
    """Everybody's points with Elo where there are any, wins by seat and cost; what matters most comes first."""
    groups = _rated(results)
    ranked = best_first(results.scores.overall)
    if len(groups) == 1:
        rated = _ratings(results, groups[0])
        ranked = [*(one for one in rated if one in results.scores.overall), *(o for o in ranked if o not in rated)]
    parts = [
        part for made in (_elo(results, groups), _points(results), _seats(results), _cost(results)) for part in made
    ]
    rows = [(Name(one.text, one.name), *(part.cells.get(one) for part in parts)) for one in ranked[:MOST_ROWS]]
    more = len(ranked) - len(rows)
    note = f"{counted(more, 'more player')}: see Standings." if more else ""
    return Table("Standings", (Column("player"), *(part.column for part in parts)), rows, note)


def _rated(results: Results) -> Sequence[RatedGroup]:
    ratings = results.evidence.ratings if results.evidence is not None else None
    groups = [group for group in ratings.groups if group.ratings] if ratings is not None else []
    return groups if len(groups) <= MOST_LEVELS else []


def _ratings(results: Results, group: RatedGroup) -> dict[Competitor, Estimate]:
    """The ratings of a group, the best first, by who scores in the standings."""
    assert results.evidence is not None
    alone = group.effort is not None
    players = results.evidence.players
    return {
        Competitor(players[key].name) if alone else results.evidence.competitor(key): rating
        for key, rating in group.ratings.items()
    }


def _elo(results: Results, groups: Sequence[RatedGroup]) -> Iterator[Part]:
    for group in groups:
        where = f"Elo, {group.effort.sentence}" if group.effort is not None and len(groups) > 1 else None
        rated = _ratings(results, group)
        yield Part(Column("Elo", "elo", group=where), {one: rating.elo for one, rating in rated.items()})
        yield Part(Column("95\u00a0%", "elo", group=where), {one: rating.interval for one, rating in rated.items()})


def _points(results: Results) -> Iterator[Part]:
    scores = results.scores
    levels = scores.levels if 1 < len(scores.levels) <= MOST_LEVELS else []
    what = f"points at {'depth' if _are_depths(levels) else 'level'}" if levels else None
    for level in levels:
        cells: dict[Competitor, Cell] = {one: score.points for one, score in scores.by_level[level].items()}
        yield Part(Column(level.text, "points", group=what), cells)
    in_all: dict[Competitor, Cell] = {one: score.points for one, score in scores.overall.items()}
    played: dict[Competitor, Cell] = {one: score.played for one, score in scores.overall.items()}
    yield Part(Column("all" if levels else "points", "points", group=what), in_all)
    if not levels:
        yield Part(Column("of", "count"), played)


def _are_depths(levels: Sequence[Level]) -> bool:
    return all(effort.is_depth for level in levels for effort in level.efforts)


def _seats(results: Results) -> Iterator[Part]:
    scores = results.scores.overall
    yield Part(Column("first", "count", group="won as"), {one: score.won_first for one, score in scores.items()})
    yield Part(Column("second", "count", group="won as"), {one: score.won_second for one, score in scores.items()})


def _cost(results: Results) -> Iterator[Part]:
    """Nodes and seconds by effort, of those whose searches are counted."""
    if results.prices:
        yield from _prices(results)
        return
    spent: dict[Effort, dict[Competitor, Cost]] = {}
    for one in results.scores.overall:
        for key, cost in results.cost.items():
            player = results.players[key]
            if player.name == one.name and not player.is_agent and one.effort in (None, player.settings.effort):
                spent.setdefault(player.settings.effort, {})[one] = cost
    efforts = sorted(spent, key=lambda effort: effort.order)
    shown = efforts if len(efforts) <= MOST_LEVELS else efforts[-1:]
    alone = len(efforts) == 1
    what = "nodes generated" + (" at depth" if all(effort.is_depth for effort in shown) else "")
    for effort in shown:
        cells: dict[Competitor, Cell] = {one: cost.generated for one, cost in spent[effort].items()}
        yield Part(Column("nodes" if alone else effort.text, "rounded", group=None if alone else what), cells)
    for effort in efforts[-1:]:
        seconds: dict[Competitor, Cell] = {one: cost.seconds for one, cost in spent[effort].items()}
        where = ("seconds", None) if alone else (f"at\u00a0{effort.text}", "seconds")
        yield Part(Column(where[0], "seconds", group=where[1]), seconds)


def _prices(results: Results) -> Iterator[Part]:
    """What a move of each player of a pool takes."""
    assert results.evidence is not None
    of = {results.evidence.competitor(one.key): one for one in results.prices}
    yield Part(Column("CPU ms", "millis", group="a move"), {who: one.seconds for who, one in of.items()})
    yield Part(Column("nodes", "rounded", group="a move"), {who: one.generated for who, one in of.items()})
