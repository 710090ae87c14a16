"""The chart of players compared like with like: their ratings at equal depth, equal nodes and equal time."""

from __future__ import annotations

import math
from typing import Any

from tournament.engine.settings import Effort
from tournament.report.drawing import WIDTH, Chart, Legend, axes_at, chart, new_figure, room_for, short
from tournament.report.evidence import Estimate
from tournament.report.like import EQUAL
from tournament.report.results import Results
from tournament.report.styles import Styles

MOST_LINES = 10  # players that are drawn; of more, those rated highest
SPREAD = 0.5  # of the room between two efforts, over which the players of one stand


def like_chart(results: Results, styles: Styles) -> Chart | None:
    """A panel for what is equal, with the ratings of each player at every effort of that kind."""
    evidence = results.evidence
    if results.like is None or evidence is None or evidence.ratings is None:
        return None
    efforts = set(results.like.efforts)
    rated: dict[Effort, dict[str, Estimate]] = {}
    for group in evidence.ratings.groups:
        for key, rating in group.ratings.items():
            player = evidence.players[key]
            if player.settings.effort in efforts and not player.is_agent and math.isfinite(rating.elo):
                rated.setdefault(player.settings.effort, {})[player.name] = rating
    kinds = [kind for kind in EQUAL if any(effort.kind == kind for effort in rated)]
    if len(kinds) < 2:
        return None
    best: dict[str, float] = {}
    for own in rated.values():
        for name, rating in own.items():
            best[name] = max(rating.elo, best.get(name, -math.inf))
    named = sorted(sorted(best, key=lambda name: -best[name])[:MOST_LINES], key=lambda name: styles.of(name).number)
    legend = Legend(list(map(short, named)))
    columns = {kind: sorted((e for e in rated if e.kind == kind), key=lambda e: e.order) for kind in kinds}
    upright = sum(map(len, columns.values())) > 6
    below = 0.3 + (room_for([effort.text for effort in rated]) if upright else 0.2)
    height = 3.0 + below + legend.height
    figure = new_figure(height)
    ends = [end for own in rated.values() for one in own.values() for end in one.interval if math.isfinite(end)]
    ends += [one.elo for own in rated.values() for one in own.values()]
    margin = 0.05 * (max(ends) - min(ends)) + 1
    handles: dict[str, Any] = {}
    left, unit = 0.75, (WIDTH - 0.75 - 0.1) / (sum(map(len, columns.values())) + 0.4 * (len(kinds) - 1))
    for kind in kinds:
        right = left + unit * len(columns[kind])
        axes = axes_at(figure, left, below + legend.height, right, height - 0.35)
        for place, name in enumerate(named):
            style = styles.of(name)
            moved = SPREAD * ((place + 0.5) / len(named) - 0.5)
            points = [
                (x + moved, rated[effort][name]) for x, effort in enumerate(columns[kind]) if name in rated[effort]
            ]
            for x, one in points:
                if all(map(math.isfinite, one.interval)):
                    axes.plot([x, x], one.interval, color=style.colour, linewidth=1.4)
            (handles[name],) = axes.plot(
                [x for x, _ in points],
                [one.elo for _, one in points],
                color=style.colour,
                marker=style.mark,
                linestyle=style.line if len(columns[kind]) > 1 else "none",
            )
        axes.set_xlim(-0.5, len(columns[kind]) - 0.5)
        axes.set_xticks(range(len(columns[kind])), [e.text for e in columns[kind]], rotation=90 if upright else 0)
        axes.set_ylim(min(ends) - margin, max(ends) + margin)
        axes.set_title(f"equal {EQUAL[kind]}", loc="left", fontweight="bold")
        axes.grid(axis="y")
        if kind == kinds[0]:
            axes.set_ylabel("Elo")
        else:
            axes.tick_params(labelleft=False)
        left = right + 0.4 * unit
    legend.draw(figure, [handles[name] for name in named])
    scale = "all on one scale" if evidence.in_pool else "at each effort against the average player there"
    caption = (
        f"Elo at equal depth, nodes or time, {scale}, with 95 % intervals, each of its mark alone. Where a player's "
        "place among the others changes from panel to panel, it is better at one and not at another; what is told of "
        "any two stands in the table Compared like with like."
    )
    if len(best) > len(named):
        caption += f" The best {len(named)} of {len(best)}."
    return chart(figure, "like-with-like", "Compared like with like", caption)
