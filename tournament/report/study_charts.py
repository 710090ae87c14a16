"""The charts of a study: pure functions from its searches to SVG text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, Literal, NamedTuple

from tournament.engine.algorithms import ALGORITHMS, WITH_CHANCE
from tournament.report.board_charts import grid_chart, width_charts_of
from tournament.report.drawing import (
    INK,
    WIDTH,
    Chart,
    Legend,
    axes_at,
    chart,
    drawing,
    log_axis,
    new_figure,
    room_for,
    short,
)
from tournament.report.grids import Grid
from tournament.report.positions import CURVES
from tournament.report.projection import MOST_SHOWN
from tournament.report.study import StudyPart, StudyResults, memory_of
from tournament.report.styles import Styles

DASHES = (":", "-.", "--")  # of the curves of theory
ByDepth = Mapping[tuple[int, str], float]  # and by algorithm


def study_charts(results: StudyResults) -> list[Chart]:
    """Every chart of every part of a study."""
    if not results.parts:
        return []
    charts: list[Chart] = []
    several = len(results.parts) > 1
    with drawing():
        charts += beside_charts(results)
        for number, part in enumerate(results.parts, start=1):
            name = f"part-{number}-" if several else ""
            prefix = f"{part.title}: " if part.title and several else ""
            charts += _part_charts(part, results.styles, name, prefix)
    return charts


def beside_charts(results: StudyResults) -> list[Chart]:
    """Nodes, time and what is saved, without chance beside with it."""
    several = Counter(algorithm for part in results.beside for algorithm in part.algorithms)
    named = {
        (part.title, algorithm): f"{part.title}: {algorithm}" if several[algorithm] > 1 else algorithm
        for part in results.beside
        for algorithm in part.algorithms
    }
    nodes: dict[tuple[int, str], float] = {}
    seconds: dict[tuple[int, str], float] = {}
    shares: dict[tuple[int, str], float] = {}
    for part in results.beside:
        for one in part.growth:
            nodes[one.depth, named[part.title, one.algorithm]] = one.nodes
            if one.seconds > 0:
                seconds[one.depth, named[part.title, one.algorithm]] = one.seconds
        for saving in part.savings:
            if saving.share is not None:
                shares[saving.depth, named[part.title, saving.algorithm]] = saving.share
    panels = [
        Panel("nodes per search", nodes),
        Panel("time per search", seconds, "seconds"),
        Panel("positions saved", shares, "share"),
    ]
    names = list(named.values())
    caption = (
        "Positions generated and time per search, on log axes: the steeper a line, the more each further ply costs. "
        "Right: the share that is saved against the first algorithm of each study; the higher the better. With chance: "
        f"{', '.join(WITH_CHANCE)}."
    )
    drawn = lines_chart(panels, names, Styles(names), "chance", "Without chance and with chance", caption)
    return [drawn] if drawn is not None else []


def _part_charts(part: StudyPart, styles: Styles, name: str, prefix: str) -> list[Chart]:
    further = (growth_chart, projection_chart, pruned_chart, random_chart, phases_chart, memory_chart)
    of_one_board = () if part.boards else (cost_chart, reduction_chart, *further)
    charts = [draw(part, styles, name, prefix) for draw in (*of_one_board, positions_chart, *width_charts_of(part))]
    for number, (board, own) in enumerate(list(part.boards.items())[:MOST_BOARDS], start=1):
        where = (f"{name}board-{number}-", f"{prefix}{board}: ")
        charts += [draw(own, styles, *where) for draw in (cost_chart, reduction_chart)]
    kinds: dict[tuple[str, str], list[Grid]] = {}
    for grid in part.grids:
        kinds.setdefault((grid.down, grid.across), []).append(grid)
    charts += [grid_chart(of_kind, name, prefix) for of_kind in kinds.values()]
    return [made for made in charts if made is not None]


def cost_chart(part: StudyPart, styles: Styles, name: str, prefix: str) -> Chart | None:
    """Nodes and seconds per search by algorithm and depth, with the curves of theory."""
    sums = {key: s for key, s in part.sums.items() if s.searches}
    nodes = {key: s.generated / s.searches for key, s in sums.items() if s.generated}
    seconds = {key: s.seconds / s.searches for key, s in sums.items() if s.seconds > 0}
    if not nodes:
        return None
    depths = sorted({depth for depth, _ in part.sums})
    algorithms, b = part.algorithms, part.branching
    legend = Legend([*map(short, algorithms), *(f"{curve}, b = {b:.2f}" for curve, _ in CURVES)])
    below = 0.55 + legend.height
    height = 2.9 + below
    figure = new_figure(height)
    handles: list[Any] = []
    for panel, (values, label) in enumerate(((nodes, "positions generated per search"), (seconds, "time per search"))):
        if not values:
            continue
        left = 0.95 + panel * WIDTH / 2
        axes = axes_at(figure, left, below, left + WIDTH / 2 - 1.1, height - 0.35)
        drawn = _draw_lines(axes, values, algorithms, styles)
        reached = list(values.values())
        if panel == 0:
            for (_, share), dashes in zip(CURVES, DASHES, strict=True):
                curve = [b ** (share * depth) for depth in depths]
                drawn += axes.plot(depths, curve, color=INK, linestyle=dashes, linewidth=1)
                reached += curve
            handles = drawn
        log_axis(axes, reached, seconds=panel == 1)
        axes.set_xticks(depths)
        axes.set_xlabel("depth (plies)")
        axes.set_title(label, loc="left", fontweight="bold")
    legend.draw(figure, handles)
    known = "positions that follow from one" if part.measures_branching else "columns"
    caption = (
        "The mean over all positions, on log axes: the flatter a line, the less each further ply costs. Without "
        "colour: what theory has minimax (b^d), alpha-beta in an order left to chance (b^(3d/4)) and at its best "
        f"(b^(d/2)) look at, with b = {b:.2f} {known}; good pruning comes near the lowest curve."
    )
    return chart(figure, f"{name}cost", f"{prefix}Nodes and time by algorithm and depth", caption)


def _draw_lines(axes: Any, values: ByDepth, algorithms: Sequence[str], styles: Styles) -> list[Any]:
    """A line for each algorithm, over the depths."""
    drawn = []
    for algorithm in algorithms:
        points = sorted((depth, value) for (depth, own), value in values.items() if own == algorithm)
        style = styles.of(algorithm)
        drawn_as = {"color": style.colour, "marker": style.mark, "linestyle": style.line}
        drawn += axes.plot([depth for depth, _ in points], [value for _, value in points], **drawn_as)
    return drawn


class Panel(NamedTuple):
    """Lines over the depths, one for each name, each drawn as the algorithm it is of."""

    label: str
    values: ByDepth
    axis: Literal["log", "times", "seconds", "share", "plain"] = "log"
    faint: ByDepth = MappingProxyType({})  # drawn with hollow marks
    bars: Mapping[tuple[int, str], tuple[float, float]] = MappingProxyType({})  # from the least to the most


def lines_chart(
    panels: Sequence[Panel], algorithms: Sequence[str], styles: Styles, name: str, title: str, caption: str
) -> Chart | None:
    """Panels side by side with one legend; nothing where no panel has a value."""
    panels = [panel for panel in panels if panel.values]
    if not panels:
        return None
    shown = [one for one in algorithms if any(own == one for panel in panels for _, own in panel.values)]
    legend = Legend([short(one) for one in shown])
    below = 0.55 + legend.height
    height = 2.9 + below
    figure = new_figure(height)
    wide = WIDTH / len(panels)
    handles: list[Any] = []
    for number, panel in enumerate(panels):
        left = 0.95 + number * wide
        axes = axes_at(figure, left, below, left + wide - 1.1, height - 0.35)
        drawn = _draw_lines(axes, panel.values, shown, styles)
        handles = handles or drawn
        for line in _draw_lines(axes, panel.faint, shown, styles):
            line.set(markerfacecolor="none", linewidth=0.8)
        for (depth, one), (low, high) in panel.bars.items():
            axes.vlines(depth, low, high, color=styles.of(one).colour, linewidth=1.6, alpha=0.6)
        _scale(axes, panel)
        axes.set_xticks(sorted({depth for depth, _ in (*panel.values, *panel.faint)}))
        axes.set_xlabel("depth (plies)")
        axes.set_title(panel.label, loc="left", fontweight="bold")
    legend.draw(figure, handles)
    return chart(figure, name, title, caption)


def _scale(axes: Any, panel: Panel) -> None:
    """The axis of a panel's values: logarithmic, or of shares, or from 0."""
    values = [value for each in (panel.values, panel.faint) for value in each.values()]
    values += [end for ends in panel.bars.values() for end in ends]
    if panel.axis in ("log", "seconds"):
        log_axis(axes, [value for value in values if value > 0] or [1.0], seconds=panel.axis == "seconds")
        return
    if panel.axis == "times":
        log_axis(axes, [1.0, *values], unit=" ×")
        return
    axes.grid(axis="y")
    if panel.axis == "share":
        low = max(-1.0, min(0.0, *values, 0.0))
        axes.set_ylim(1.08 * low, 1.04)
        ticks = [tick / 4 for tick in range(-4, 5) if tick / 4 >= low]
        axes.set_yticks(ticks, [f"{100 * tick:.0f} %".replace("-", "−") for tick in ticks])
        return
    axes.set_ylim(0, 1.15 * max(values))


def reduction_chart(part: StudyPart, styles: Styles, name: str, prefix: str) -> Chart | None:
    """How many times fewer nodes, and how much less time, each other algorithm takes than the first, by depth."""
    nodes = {(one.depth, one.algorithm): one.fewer_generated for one in part.savings if one.fewer_generated}
    seconds = {(one.depth, one.algorithm): one.speed_up for one in part.savings if one.speed_up}
    panels = [Panel("times fewer positions", nodes, "times"), Panel("times as fast", seconds, "times")]
    caption = (
        f"How many times fewer positions than {part.first} each algorithm generates, and how many times as fast it is, "
        f"on log axes: the higher the better; below 1 × it takes more than {part.first}."
    )
    return lines_chart(
        panels, part.algorithms, styles, f"{name}reduction", f"{prefix}What is saved against {part.first}", caption
    )


def pruned_chart(part: StudyPart, styles: Styles, name: str, prefix: str) -> Chart | None:
    """What was explored and what was pruned, by depth."""
    made = {(one.depth, one.algorithm): float(one.generated) for one in part.pruned if one.generated}
    missing = {(one.depth, one.algorithm): float(one.missing) for one in part.pruned if one.missing}
    rates = {(one.depth, one.algorithm): one.rate for one in part.pruned if one.rate is not None}
    if not any(one.untried for one in part.pruned) and not missing:
        return None
    panels = [Panel("explored and pruned positions", made, faint=missing), Panel("moves left untried", rates, "share")]
    caption = (
        "Left: positions made (filled marks) and positions of the tree without pruning that were never made "
        "(hollow), over all positions. Right: of the legal moves of expanded positions those that were never played; "
        "the higher, the more was pruned."
    )
    return lines_chart(panels, part.algorithms, styles, f"{name}pruned", f"{prefix}Branches pruned", caption)


def growth_chart(part: StudyPart, styles: Styles, name: str, prefix: str) -> Chart | None:
    """By how much nodes grow from depth to depth and over two plies, and time from depth to depth."""
    one_ply = {(one.depth, one.algorithm): one.nodes_factor for one in part.growth if one.nodes_factor is not None}
    two = {(one.depth, one.algorithm): one.two_plies for one in part.growth if one.two_plies is not None}
    time = {(one.depth, one.algorithm): one.time_factor for one in part.growth if one.time_factor is not None}
    panels = [
        Panel("nodes × depth before", one_ply, "plain"),
        Panel("nodes × two before", two, "plain"),
        Panel("time × depth before", time, "plain"),
    ]
    caption = (
        "How many times more positions a search generates than one that is a ply, or two plies, shallower, and how "
        "many times longer it takes than one that is a ply shallower: the lower, the deeper one gets in the same time."
    )
    return lines_chart(panels, part.algorithms, styles, f"{name}growth", f"{prefix}Growth from depth to depth", caption)


def projection_chart(part: StudyPart, styles: Styles, name: str, prefix: str) -> Chart | None:
    """Nodes and time per search as measured, and as projected to deeper searches."""
    ahead = [one for one in part.projections if one.depth <= part.greatest_depth + MOST_SHOWN]
    if not ahead:
        return None
    last = {(one.depth, one.algorithm): one for one in part.growth if one.depth == part.greatest_depth}
    nodes = {(one.depth, one.algorithm): one.nodes for one in part.growth}
    seconds = {(one.depth, one.algorithm): one.seconds for one in part.growth if one.seconds > 0}
    more = {key: one.nodes for key, one in last.items()} | {(one.depth, one.algorithm): one.nodes for one in ahead}
    longer = {key: one.seconds for key, one in last.items() if one.seconds > 0}
    longer |= {(one.depth, one.algorithm): one.seconds for one in ahead if one.seconds is not None}
    intervals = {(one.depth, one.algorithm): one.interval for one in ahead if one.interval is not None}
    panels = [
        Panel("positions generated per search", nodes, faint=more, bars=intervals),
        Panel("time per search", seconds, "seconds", longer),
    ]
    caption = (
        "Filled marks were measured; hollow ones are projected from the growth over the last two plies: the further "
        "apart two lines, the more the lower one saves there. Upright: the interval of the next depth."
    )
    return lines_chart(
        panels, part.algorithms, styles, f"{name}projection", f"{prefix}Projection to deeper searches", caption
    )


def random_chart(part: StudyPart, styles: Styles, name: str, prefix: str) -> Chart | None:
    """What every order takes against the mean of a random one, whose seeds reach from the least to the most."""
    if not part.drawn:
        return None
    base = {one.depth: one.mean for one in part.drawn if one.algorithm == part.drawn[0].algorithm and one.mean}
    pruning = {key: s.means[0] for key, s in part.sums.items() if ALGORITHMS[part.settings[key[1]].algorithm].prunes}
    times = {(depth, one): nodes / base[depth] for (depth, one), nodes in pruning.items() if depth in base and nodes}
    bars = {
        (one.depth, one.algorithm): (one.least / base[one.depth], one.most / base[one.depth])
        for one in part.drawn
        if one.depth in base
    }
    caption = (
        f"Positions generated, as many times the mean of {part.drawn[0].algorithm} over its seeds, on a log axis. "
        "Upright: from the seed with the fewest to the one with the most."
    )
    panels = [Panel("times a random order's positions", times, "times", bars=bars)]
    return lines_chart(panels, part.algorithms, styles, f"{name}random", f"{prefix}Random move order", caption)


def phases_chart(part: StudyPart, styles: Styles, name: str, prefix: str) -> Chart | None:
    """What is left untried in each phase of the game, by depth."""
    phases = dict.fromkeys(one.phase for one in part.phases)
    if len(phases) < 2 or len(part.algorithms) < 2:
        return None
    panels = [
        Panel(
            f"{phase}: untried",
            {
                (one.depth, one.algorithm): one.rate
                for one in part.phases
                if one.phase == phase and one.rate is not None
            },
            "share",
        )
        for phase in phases
    ]
    caption = (
        "Of the legal moves of expanded positions those that were left untried, in each phase of the game: the higher, "
        "the more was pruned."
    )
    return lines_chart(panels, part.algorithms, styles, f"{name}phases", f"{prefix}Game phases", caption)


def memory_chart(part: StudyPart, styles: Styles, name: str, prefix: str) -> Chart | None:
    """What a search holds in memory, and how little that is for each node."""
    held = {
        key: float(size) for key, s in part.sums.items() if (size := memory_of(s, part.settings[key[1]])) is not None
    }
    each = {key: size / nodes for key, size in held.items() if (nodes := part.sums[key].means[0])}
    panels = [Panel("bytes held", held), Panel("bytes a node", each)]
    caption = "Memory grows with depth by a frame a level, and not with nodes: for each node it is ever less."
    return lines_chart(panels, part.algorithms, styles, f"{name}memory", f"{prefix}Memory", caption)


MOST_BOARDS = 12  # with a chart each
MOST_PLACES = 12  # in a chart by position


def positions_chart(part: StudyPart, styles: Styles, name: str, prefix: str) -> Chart | None:
    """Nodes by position at the greatest depth, a mark for each algorithm."""
    deepest = [one for one in part.positions if one.where.depth == part.greatest_depth and one.sums.generated]
    places = list(dict.fromkeys(one.where for one in deepest))[:MOST_PLACES]
    if len(places) < 2:
        return None
    varied = [field for field in ("board", "evaluator", "place") if len({getattr(one, field) for one in places}) > 1]
    texts = [", ".join(getattr(one, field) for field in varied) for one in places]
    legend = Legend([short(one) for one in part.algorithms])
    below = 0.55 + legend.height
    height = 0.3 * len(places) + 0.4 + below
    figure = new_figure(height)
    axes = axes_at(figure, room_for(texts) + 0.15, below, WIDTH - 0.25, height - 0.15)
    handles = []
    for algorithm in part.algorithms:
        own = {one.where: one.sums.generated for one in deepest if one.algorithm == algorithm}
        points = [(own[place], number) for number, place in enumerate(places) if place in own]
        style = styles.of(algorithm)
        how: dict[str, Any] = {"color": style.colour, "marker": style.mark, "linestyle": "none"}
        handles += axes.plot([x for x, _ in points], [y for _, y in points], **how)
    log_axis(axes, [float(one.sums.generated) for one in deepest], which="x")
    axes.set_ylim(len(places) - 0.5, -0.5)
    axes.set_yticks(range(len(places)), [short(text) for text in texts])
    axes.set_xlabel(f"positions generated at depth {part.greatest_depth}")
    legend.draw(figure, handles)
    caption = "What each algorithm takes on each position: the further apart the marks, the more is saved there."
    return chart(figure, f"{name}positions", f"{prefix}Nodes by position", caption)
