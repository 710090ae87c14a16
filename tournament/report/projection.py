"""How searches grow with depth, what deeper ones would take, and how deep one gets within a time.

Odd and even depths grow differently, since of two plies alpha-beta prunes one. So growth is fitted over two plies:
what a search of depth d + 1 takes is projected from depth d - 1 and the growth from d - 2 to d.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from typing import NamedTuple

MOST_SHOWN = 4  # plies beyond the deepest search that tables and charts show
MOST_AHEAD = 40  # and that are projected, to see how deep one gets
BELOW, ABOVE = (
    2.1,
    1.9,
)  # of an interval, from value / BELOW to value × ABOVE: growth slows down with depth
LIMITS = (0.1, 1.0, 10.0, 60.0)  # seconds a move


class Growth(NamedTuple):
    """How many times more a search takes than one that is a ply shallower; None where that was not searched."""

    depth: int
    algorithm: str
    nodes: float  # per search
    seconds: float
    nodes_factor: float | None
    time_factor: float | None
    two_plies: float | None  # nodes, against two plies shallower


class Projected(NamedTuple):
    """What an algorithm would take at a depth that was not searched."""

    depth: int
    algorithm: str
    nodes: float  # per search
    interval: tuple[float, float] | None  # of the next depth alone: further ones have none that was tried
    seconds: float | None
    speed_up: float | None  # over the first algorithm, measured or projected


class Practical(NamedTuple):
    """How deep an algorithm gets within so many seconds a move."""

    algorithm: str
    seconds: float
    depth: int | None  # None: not even the shallowest depth that was searched
    is_projected: bool
    at_least: bool  # the game ends there, or nothing deeper can be projected


Means = Mapping[tuple[int, str], tuple[float, float]]  # nodes and seconds per search, by depth and algorithm
Covered = Mapping[tuple[int, str], Set[tuple[str, str, str]]]  # what was searched for that; only like is held to like
EVERYTHING: Covered = {}  # the same at all depths by all algorithms


def growth_of(means: Means, covered: Covered = EVERYTHING) -> list[Growth]:
    """How each algorithm grows from depth to depth."""
    made = []
    for (depth, name), (nodes, seconds) in means.items():
        before, earlier = (
            means.get((other, name)) if covered.get((other, name)) == covered.get((depth, name)) else None
            for other in (depth - 1, depth - 2)
        )
        made.append(
            Growth(
                *(depth, name, nodes, seconds),
                nodes / before[0] if before and before[0] else None,
                seconds / before[1] if before and before[1] else None,
                nodes / earlier[0] if earlier and earlier[0] else None,
            )
        )
    return made


def projected_nodes(nodes: Mapping[int, float], most_depth: int) -> dict[int, float]:
    """Nodes at the depths after the deepest one; nothing where fewer than three depths in a row were searched."""
    deepest = max(nodes, default=0)
    if not all(nodes.get(depth) for depth in (deepest - 2, deepest - 1, deepest)):
        return {}
    growth = nodes[deepest] / nodes[deepest - 2]
    known = dict(nodes)
    for depth in range(deepest + 1, min(deepest + MOST_AHEAD, most_depth) + 1):
        known[depth] = known[depth - 2] * growth
    return {depth: value for depth, value in known.items() if depth > deepest}


def projections_of(
    means: Means, algorithms: Sequence[str], most_depth: int, covered: Covered = EVERYTHING
) -> list[Projected]:
    """What each algorithm would take at the depths after its deepest one."""
    nodes: dict[str, dict[int, float]] = {name: {} for name in algorithms}
    seconds: dict[str, dict[int, float]] = {name: {} for name in algorithms}
    for (depth, name), (of_nodes, of_seconds) in means.items():
        nodes[name][depth], seconds[name][depth] = of_nodes, of_seconds
    at_end = {name: covered.get((max(nodes[name], default=0), name)) for name in algorithms}
    ahead = {
        name: projected_nodes(
            {depth: value for depth, value in nodes[name].items() if covered.get((depth, name)) == at_end[name]},
            most_depth,
        )
        for name in algorithms
    }
    for name, depths in ahead.items():
        deepest = max(nodes[name], default=0)
        for depth, value in depths.items():  # nodes take as long as they did at the deepest depth
            seconds[name][depth] = seconds[name][deepest] * value / nodes[name][deepest]
    first = seconds[algorithms[0]]
    made = []
    for depth in sorted({depth for depths in ahead.values() for depth in depths}):
        for name in algorithms:
            if depth in ahead[name]:
                value, took = ahead[name][depth], seconds[name][depth]
                is_next = depth - 1 in nodes[name]
                interval = (value / BELOW, value * ABOVE) if is_next else None
                base = first.get(depth) if at_end[name] == at_end[algorithms[0]] else None
                speed_up = base / took if base is not None and took and name != algorithms[0] else None
                made.append(Projected(depth, name, value, interval, took or None, speed_up))
    return made


def practical_of(means: Means, projections: Sequence[Projected], algorithms: Sequence[str]) -> list[Practical]:
    """How deep each algorithm gets within each of LIMITS, by what was measured and, beyond that, projected."""
    made = []
    for name in algorithms:
        took = {depth: seconds for (depth, own), (_, seconds) in means.items() if own == name}
        ahead = {one.depth: one.seconds for one in projections if one.algorithm == name and one.seconds is not None}
        known = took | ahead
        for limit in LIMITS:
            fits = [depth for depth, seconds in known.items() if seconds <= limit]
            depth = max(fits, default=None)
            made.append(Practical(name, limit, depth, depth in ahead, depth is not None and depth == max(known)))
    return made
