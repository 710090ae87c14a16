"""The charts of a study over boards: run time by width, and what is saved by line, size and depth."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from tournament.report.drawing import INK, WIDTH, Chart, Legend, axes_at, chart, heat_map, log_axis, new_figure, short
from tournament.report.grids import Grid
from tournament.report.study import StudyPart
from tournament.report.styles import Styles

MOST_WIDTHS = 2  # algorithms, a panel each
MOST_GRIDS = 6  # of one kind, in one picture


def width_charts_of(part: StudyPart) -> list[Callable[[StudyPart, Styles, str, str], Chart | None]]:
    """What draws run time against the width of the board, for each length of line."""

    def drawer(connect: int) -> Callable[[StudyPart, Styles, str, str], Chart | None]:
        return lambda part, styles, name, prefix: width_chart(part, connect, name, prefix)

    return [drawer(connect) for connect in dict.fromkeys(one.connect for one in part.widths)]


def width_chart(part: StudyPart, connect: int, name: str, prefix: str) -> Chart | None:
    """Time per search against the width of the board, a line for each depth, a panel for each algorithm."""
    own = [one for one in part.widths if one.connect == connect and one.seconds > 0]
    depths = sorted({one.depth for one in own})
    algorithms = part.algorithms[:MOST_WIDTHS]
    if not own:
        return None
    styles = Styles(map(str, depths))
    legend = Legend([*(f"depth {depth}" for depth in depths), "w^d and w^(d/2), to scale at the least width"])
    below = 0.55 + legend.height
    height = 2.9 + below
    figure = new_figure(height)
    every = [one.seconds for one in own if one.algorithm in algorithms]
    for algorithm in algorithms:  # the curves have to fit in, too
        for depth in depths:
            points = sorted((o.columns, o.seconds) for o in own if (o.algorithm, o.depth) == (algorithm, depth))
            every += [points[0][1] * (points[-1][0] / points[0][0]) ** depth] if points else []
    handles: list[Any] = []
    for number, algorithm in enumerate(algorithms):
        wide = WIDTH / len(algorithms)
        axes = axes_at(figure, 0.95 + number * wide, below, (number + 1) * wide - 0.15, height - 0.35)
        drawn = []
        for depth in depths:
            points = sorted((o.columns, o.seconds) for o in own if (o.algorithm, o.depth) == (algorithm, depth))
            style = styles.of(str(depth))
            how: dict[str, Any] = {"color": style.colour, "marker": style.mark, "linestyle": style.line}
            drawn += axes.plot([x for x, _ in points], [y for _, y in points], **how)
            for share, dashes in ((1.0, ":"), (0.5, "--")):
                if points:
                    least, base = points[0]
                    curve = [base * (x / least) ** (share * depth) for x, _ in points]
                    theory = axes.plot([x for x, _ in points], curve, color=INK, linestyle=dashes, linewidth=0.7)
        handles = handles or [*drawn, *theory[:1]]
        log_axis(axes, every, seconds=True)
        axes.set_xticks(sorted({one.columns for one in own}))
        axes.set_xlabel("width (columns)")
        axes.set_title(short(algorithm), loc="left", fontweight="bold")
    legend.draw(figure, handles)
    caption = (
        "Time per search, on log axes. Without colour: how it would grow as w^d (dotted), what minimax looks at "
        "in theory, and "
        "as w^(d/2) (dashed), what alpha-beta does at its best, each from where the measured line begins."
    )
    return chart(figure, f"{name}width-{connect}", f"{prefix}Run time against board width, connect {connect}", caption)


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
