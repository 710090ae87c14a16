"""The chart of a pool: Elo against depth and against time a move, with the frontier."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from tournament.report.drawing import (
    BEHIND,
    INK,
    WIDTH,
    Chart,
    Legend,
    axes_at,
    chart,
    log_axis,
    new_figure,
    short,
)
from tournament.report.results import Results
from tournament.report.strength import Priced
from tournament.report.styles import Styles

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MOST_LINES = 10  # players with a line of their own colour; of more, the best
TALL = 3.4


def strength_chart(results: Results, styles: Styles) -> Chart | None:
    """Elo against depth and against milliseconds a move, a line a player; None where there is no pool."""
    evidence, prices = results.evidence, [one for one in results.prices if math.isfinite(one.rating.elo)]
    if evidence is None or len(prices) < 2:
        return None
    by_name: dict[str, list[Priced]] = {}
    for one in sorted(prices, key=lambda one: one.effort.order):
        by_name.setdefault(evidence.players[one.key].name, []).append(one)
    best = sorted(by_name, key=lambda name: -max(one.rating.elo for one in by_name[name]))[:MOST_LINES]
    named = sorted(best, key=lambda name: styles.of(name).number)
    others = len(by_name) - len(named)
    labels = [*map(short, named), *([f"{others} others"] if others else []), "frontier"]
    legend = Legend(labels)
    height = TALL + 0.85 + legend.height
    figure = new_figure(height)
    deep = [one for one in prices if one.effort.is_depth and not evidence.players[one.key].is_agent]
    depths = sorted({int(one.effort.size) for one in deep})
    panels = 2 if len(depths) > 1 else 1
    wide = WIDTH / panels
    low, high = _ends(prices)
    handles: dict[str, Any] = {}
    for panel in range(panels):
        left = 0.75 + panel * wide
        axes = axes_at(figure, left, 0.5 + legend.height, left + wide - 0.95, height - 0.35)
        by_depth = panels == 2 and panel == 0
        for name in sorted(by_name, key=lambda name: (name in named, styles.of(name).number)):
            own = [one for one in by_name[name] if one in deep] if by_depth else by_name[name]
            style = styles.of(name)
            drawn_as: dict[str, Any] = {"color": style.colour, "marker": style.mark, "linestyle": style.line}
            if name not in named:
                drawn_as = {"color": BEHIND, "linewidth": 0.7}
            points = [(one.effort.size if by_depth else one.seconds, one) for one in own]
            handles[name if name in named else ""] = _line(axes, points, drawn_as)
        if by_depth:
            axes.set_xticks(depths)
            axes.set_xlabel("depth (plies)")
            axes.set_title("Elo by depth", loc="left", fontweight="bold")
        else:
            frontier = [one for one in prices if one.on_frontier]
            x = [one.seconds for one in frontier] + [max(one.seconds for one in prices)]
            y = [one.rating.elo for one in frontier] + [frontier[-1].rating.elo]
            (line,) = axes.step(x, y, where="post", color=INK, linewidth=1, linestyle=(0, (4, 3)))
            handles["frontier"] = line
            log_axis(axes, [one.seconds for one in prices], which="x", seconds=True)
            axes.set_xlabel("processor time a move")
            axes.set_title("Elo by price", loc="left", fontweight="bold")
        axes.set_ylim(low, high)
        axes.grid(axis="y")
    order = [*named, *([""] if others else []), "frontier"]
    legend.draw(figure, [handles[name] for name in order])
    caption = (
        "All on one scale, with 95 % intervals, each of its player alone. On the right, the axis of time is "
        "logarithmic, and the dashed line is the frontier: who stands on it is rated above everybody cheaper, and "
        "below it somebody is rated as high for less."
    )
    if panels == 1:
        caption = caption.replace("On the right, the", "The")
    if others:
        caption += f" The best {len(named)} of {len(by_name)} have lines of their own."
    return chart(figure, "strength", "What a ply and a millisecond buy", caption)


def _line(axes: Axes, points: Sequence[tuple[float, Priced]], drawn_as: dict[str, Any]) -> Any:
    """One player's ratings along a line, each with its interval."""
    for x, one in points:
        if all(map(math.isfinite, one.rating.interval)):
            axes.plot([x, x], one.rating.interval, color=drawn_as["color"], linewidth=1, alpha=0.7)
    (line,) = axes.plot([x for x, _ in points], [one.rating.elo for _, one in points], markersize=4.5, **drawn_as)
    return line


def _ends(prices: Sequence[Priced]) -> tuple[float, float]:
    ends = [end for one in prices for end in (one.rating.elo, *one.rating.interval) if math.isfinite(end)]
    margin = 0.04 * (max(ends) - min(ends)) + 1
    return min(ends) - margin, max(ends) + margin
