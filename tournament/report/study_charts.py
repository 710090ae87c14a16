"""The charts of a study: pure functions from its searches to SVG text."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from tournament.report.drawing import (
    INK,
    WIDTH,
    Chart,
    Legend,
    axes_at,
    chart,
    drawing,
    heat_map,
    log_axis,
    new_figure,
    short,
)
from tournament.report.grids import Grid
from tournament.report.study import StudyPart, StudyResults
from tournament.report.styles import Styles

CURVES = (("b^d", ":", 1.0), ("b^(d/2)", "--", 0.5))  # their names, dashes and shares of the depth
MOST_GRIDS = 6  # of one kind, in one picture


def study_charts(results: StudyResults) -> list[Chart]:
    """Every chart of every part of a study."""
    if not results.parts:
        return []
    charts: list[Chart] = []
    several = len(results.parts) > 1
    with drawing():
        for number, part in enumerate(results.parts, start=1):
            name = f"part-{number}-" if several else ""
            prefix = f"{part.title}: " if part.title and several else ""
            charts += _part_charts(part, results.styles, name, prefix)
    return charts


def _part_charts(part: StudyPart, styles: Styles, name: str, prefix: str) -> list[Chart]:
    charts = [cost_chart(part, styles, name, prefix), reduction_chart(part, styles, name, prefix)]
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
    legend = Legend([*map(short, algorithms), *(f"{curve}, b = {b:.2f}" for curve, _, _ in CURVES)])
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
            for _, dashes, share in CURVES:
                curve = [b ** (share * depth) for depth in depths]
                drawn += axes.plot(depths, curve, color=INK, linestyle=dashes, linewidth=1)
                reached += curve
            handles = drawn
        log_axis(axes, reached, seconds=panel == 1)
        axes.set_xticks(depths)
        axes.set_xlabel("depth (plies)")
        axes.set_title(label, loc="left", fontweight="bold")
    legend.draw(figure, handles)
    caption = (
        "The mean over all positions, on log axes. Without colour: what theory has minimax (b^d) and alpha-beta at "
        f"its best (b^(d/2)) look at, with b = {b:.2f} moves a position."
    )
    return chart(figure, f"{name}cost", f"{prefix}Nodes and time by algorithm and depth", caption)


def _draw_lines(axes: Any, values: dict[tuple[int, str], float], algorithms: list[str], styles: Styles) -> list[Any]:
    """A line for each algorithm, over the depths."""
    drawn = []
    for algorithm in algorithms:
        points = sorted((depth, value) for (depth, own), value in values.items() if own == algorithm)
        style = styles.of(algorithm)
        drawn_as = {"color": style.colour, "marker": style.mark, "linestyle": style.line}
        drawn += axes.plot([depth for depth, _ in points], [value for _, value in points], **drawn_as)
    return drawn


def reduction_chart(part: StudyPart, styles: Styles, name: str, prefix: str) -> Chart | None:
    """How many times fewer nodes than the first algorithm each other one generates, by depth."""
    values = {(one.depth, one.algorithm): one.fewer_generated for one in part.savings if one.fewer_generated}
    if not values:
        return None
    first = part.first
    algorithms = list(dict.fromkeys(algorithm for _, algorithm in values))
    depths = sorted({depth for depth, _ in values})
    last = [
        max((depth, value) for (depth, own), value in values.items() if own == algorithm) for algorithm in algorithms
    ]
    legend = Legend(
        [
            f"{short(name)}: {value:,.2f} × at depth {depth}"
            for name, (depth, value) in zip(algorithms, last, strict=True)
        ]
    )
    height = 3.1 + legend.height
    figure = new_figure(height)
    axes = axes_at(figure, 0.95, 0.55 + legend.height, WIDTH - 0.2, height - 0.15)
    legend.draw(figure, _draw_lines(axes, values, algorithms, styles))
    log_axis(axes, [1.0, *values.values()], unit=" ×")
    axes.axhline(1, color=INK, linewidth=0.8, linestyle=(0, (4, 3)))
    axes.set_xticks(depths)
    axes.set_xlabel("depth (plies)")
    axes.set_ylabel("times fewer positions")
    caption = (
        f"How many times fewer positions than {first} each algorithm generates, on a log axis: the higher the better, "
        f"and below the dashed line it generates more than {first}."
    )
    return chart(figure, f"{name}reduction", f"{prefix}What is saved against {first}", caption)


def grid_chart(kind: Sequence[Grid], name: str, prefix: str) -> Chart:
    """How many times fewer evaluations each algorithm makes than the first, as heat maps of one kind."""
    shown, one = kind[:MOST_GRIDS], kind[0]
    left, cell_height, gap = 0.75, 0.36, 0.75
    panel_height = cell_height * len(one.rows) + gap
    height = panel_height * len(shown) + 0.1
    figure = new_figure(height)
    wide = min(0.95, (WIDTH - left - 0.2) / len(one.columns)) * len(one.columns)
    for number, grid in enumerate(shown):
        ratios = [[both[0] / both[1] if both else None for both in row] for row in grid.cells]
        texts = [["" if ratio is None else f"{ratio:,.1f}" for ratio in row] for row in ratios]
        logs = [[math.log(ratio) if ratio else None for ratio in row] for row in ratios]
        known = [value for row in logs for value in row if value is not None]
        top = height - 0.28 - number * panel_height
        axes = axes_at(figure, left, top - cell_height * len(grid.rows), left + wide, top)
        heat_map(axes, logs, texts, min(known, default=0.0), max(known, default=1.0))
        axes.set_xticks([place + 0.5 for place in range(len(grid.columns))], [str(value) for value in grid.columns])
        axes.set_yticks([place + 0.5 for place in range(len(grid.rows))], [str(value) for value in grid.rows])
        axes.set_xlabel(AXES[grid.across])
        axes.set_ylabel(AXES[grid.down])
        axes.set_title(f"{grid.first} / {grid.other}", loc="left", fontweight="bold")
    where = f" At {one.where}." if one.where else ""
    caption = f"How many times more evaluations {one.first} makes; darker is more.{where}"
    if len(kind) > len(shown):
        caption += f" The first {len(shown)} of {len(kind)} algorithms."
    slug = f"{name}grid-{one.down}-{one.across}".lower()
    return chart(figure, slug, f"{prefix}{one.down} × {one.across}: evaluations saved", caption)


AXES = {"N": "N in a line", "size": "size of the board (rows × columns)", "depth": "depth (plies)"}
