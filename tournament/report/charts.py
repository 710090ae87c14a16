"""The charts of a tournament: pure functions from its results to SVG text."""

from __future__ import annotations

import math
from itertools import product
from typing import TYPE_CHECKING, Any, NamedTuple

from tournament.engine.settings import Effort
from tournament.engine.values import MOST_DEPTH, WIN, shown_score
from tournament.report.competitors import Competitor, Level, level_of
from tournament.report.drawing import (
    BEHIND,
    DIVERGING,
    GRID,
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
    room_for,
    short,
)
from tournament.report.evidence import RatedGroup
from tournament.report.first_player import FirstPlayer, is_depth
from tournament.report.like_chart import like_chart
from tournament.report.longest import GameRecord
from tournament.report.results import ALL, Results, per_move
from tournament.report.scores import Seats, SeatScore, best_first
from tournament.report.strength_chart import strength_chart
from tournament.report.styles import Styles
from tournament.store import StoredGame, StoredPlayer
from tournament.text import counted, in_plies

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MOST_IN_MATRIX = 20  # players in the heat map, as in the table of chances
MOST_LINES = 10  # players with a line of their own colour; of more, the best
ROW = 0.24  # of a player in a list of players


def charts(results: Results) -> list[Chart]:
    """Every chart that these results allow."""
    if not results.scores.overall:
        return []
    styles = results.styles
    with drawing():
        made = [
            crosstable_chart(results),
            ratings_chart(results, styles),
            strength_chart(results, styles),
            like_chart(results, styles),
            first_player_chart(results, styles),
            cost_chart(results, styles),
            game_chart(results.longest, styles) if results.longest is not None else None,
        ]
    return [one for one in made if one is not None]


# ── who beats whom ───────────────────────────────────────────────────────────────────────────────


def crosstable_chart(results: Results) -> Chart:
    """The share of the points of each against each, as a heat map."""
    ranked = best_first(results.scores.overall)
    best = ranked[:MOST_IN_MATRIX]
    values: list[list[float | None]] = []
    for one in best:
        scores = [results.scores.against.get((one, other)) for other in best]
        values.append([score.points / score.played if score and score.played else None for score in scores])
    texts = [["" if value is None else f"{100 * value:.0f}" for value in row] for row in values]
    shown = [one.text for one in best]
    left = room_for(shown) + 0.25
    cell = min(max(0.62, room_for(shown)), (WIDTH - left - 0.15) / len(shown))
    upright = room_for(shown) > cell
    above = (room_for(shown) if upright else 0.25) + 0.25
    height = above + min(0.42, cell) * len(shown) + 0.1
    figure = new_figure(height, left + cell * len(shown) + 0.15)
    axes = axes_at(figure, left, 0.1, left + cell * len(shown), height - above)
    heat_map(axes, values, texts, 0, 1, DIVERGING)
    axes.xaxis.tick_top()
    axes.xaxis.set_label_position("top")
    at = [place + 0.5 for place in range(len(shown))]
    axes.set_xticks(at, [short(name) for name in shown], rotation=90 if upright else 0)
    axes.set_yticks(at, [short(name) for name in shown])
    axes.set_ylabel("points of", color=INK)
    axes.set_xlabel("against", color=INK)
    met = [value for value in values[0] if value is not None]
    caption = (
        "Points of the player in the row against the one in the column, in % of the games: blue is more than half, "
        f"orange less. {best[0].text} has more than half against {sum(value > 0.5 for value in met)} of {len(met)}. "
        "Hatched: themselves, and who never met."
    )
    if len(ranked) > len(best):
        caption += f" The best {len(best)} of {len(ranked)}."
    return chart(figure, "crosstable", "Who scored against whom", caption)


# ── ratings ──────────────────────────────────────────────────────────────────────────────────────


def ratings_chart(results: Results, styles: Styles) -> Chart | None:
    """Elo with intervals, a panel for each group of players who have met; None where nobody is rated, and in a duel."""
    evidence = results.evidence
    if evidence is None or evidence.ratings is None or results.duel is not None:
        return None
    groups = [group for group in evidence.ratings.groups if group.ratings]
    if not groups:
        return None
    ratings = [rating for group in groups for rating in group.ratings.values()]
    ends = [end for rating in ratings for end in (rating.elo, *rating.interval) if math.isfinite(end)]
    low, high = min(ends), max(ends)
    margin = 0.06 * (high - low) + 1
    competitors = {key: evidence.competitor(key) for group in groups for key in group.ratings}
    left = room_for([one.text for one in competitors.values()]) + 0.1
    height = 0.55 + sum(_panel_height(group, len(groups)) for group in groups)
    figure = new_figure(height)
    top = height - 0.05
    for number, group in enumerate(groups):
        bottom = top - _panel_height(group, len(groups))
        axes = axes_at(figure, left, bottom + 0.05, WIDTH - 0.2, top - (0.25 if len(groups) > 1 else 0))
        for place, (key, rating) in enumerate(group.ratings.items()):
            style = styles.of(competitors[key].name)
            first, last = (min(high + margin, max(low - margin, end)) for end in rating.interval)
            axes.plot([first, last], [place, place], color=style.colour, linewidth=2, solid_capstyle="butt")
            axes.plot([rating.elo], [place], color=style.colour, marker=style.mark, markersize=7, linestyle="none")
        axes.axvline(0, color=INK, linewidth=0.8, linestyle=(0, (4, 3)))
        axes.set_xlim(low - margin, high + margin)
        axes.set_ylim(len(group.ratings) - 0.5, -0.5)
        axes.set_yticks(range(len(group.ratings)), [short(competitors[key].text) for key in group.ratings])
        axes.grid(axis="x")
        axes.spines["left"].set_visible(False)
        if len(groups) > 1:
            where = f"group {number + 1}" if group.effort is None else group.effort.sentence
            axes.set_title(where, loc="left", pad=4, fontweight="bold")
        if number < len(groups) - 1:
            axes.tick_params(labelbottom=False)
        top = bottom
    axes.set_xlabel("Elo against the average player, with the 95 % interval")
    caption = (
        "The mark is the rating, the line its own 95 % interval: the longer it is, the less is known. Whoever stands "
        "right of the dashed line is rated above the average player. Who is rated above whom is decided for all at "
        "once, in the table Verdicts."
    )
    return chart(figure, "ratings", "How strong each player is", caption)


def _panel_height(group: RatedGroup, panels: int) -> float:
    return ROW * len(group.ratings) + (0.4 if panels > 1 else 0.1)


# ── the seat ─────────────────────────────────────────────────────────────────────────────────────


def first_player_chart(results: Results, styles: Styles) -> Chart | None:
    """What the first to move scored, with intervals: against depth where that can be told, else at each level."""
    found = results.first_player
    if found is None:
        return None
    return _seats_by_depth(found, results, styles) if found.slope is not None else _seats_by_level(found)


def _seats_by_level(found: FirstPlayer) -> Chart:
    rows = [(level.sentence, found.seats.by_level[level], "o") for level in found.seats.levels]
    if len(rows) > 1:  # at one level, all games are its games
        rows.append((ALL, found.overall, "s"))
    names = [name for name, _, _ in rows]
    left = room_for(names) + 0.1
    height = 0.34 * len(rows) + 0.65
    figure = new_figure(height)
    axes = axes_at(figure, left, 0.5, WIDTH - 1.6, height - 0.1)
    axes.axvline(50, color=INK, linewidth=0.8, linestyle=(0, (4, 3)))
    for place, (_, seats, mark) in enumerate(rows):
        if found.can_be_said and seats.interval is not None:
            ends = [100 * end for end in seats.interval]
            axes.plot(ends, [place, place], color=INK, linewidth=1.4, marker="|", markersize=9)
        score = 100 * seats.score
        axes.plot([score], [place], color=INK, marker=mark, markersize=7, linestyle="none", clip_on=False)
        axes.text(103, place, f"{score:.1f} % of {counted(seats.games, 'game')}", va="center")
    axes.set_yticks(range(len(rows)), names)
    axes.set_ylim(len(rows) - 0.5, -0.5)
    axes.set_xlim(0, 100)
    axes.set_xticks(range(0, 101, 25), [f"{percent} %" for percent in range(0, 101, 25)])
    axes.set_xlabel("score of the first to move")
    axes.grid(axis="x")
    axes.spines["left"].set_visible(False)
    return chart(figure, "first-player", "What moving first was worth", _on_the_chart_of_seats(found))


def _seats_by_depth(found: FirstPlayer, results: Results, styles: Styles) -> Chart:
    """A panel for all games and one for each player's: the share against depth, and that from the empty board."""
    ranked = [one for one in _ranked(results) if one in found.seats.by_player]
    players = sorted(ranked[:MOST_LINES], key=lambda one: styles.of(one.name).number)
    across = 4
    down = -(-(len(players) + 1) // across)
    tall, wide = 1.75, (WIDTH - 0.75) / across
    height = tall * down + 0.45
    figure = new_figure(height)
    depths = list(found.by_depth)
    levels = [level for level in found.seats.levels if is_depth(level)]
    reach = _reach(found, levels, [None, *players])
    for place, one in enumerate([None, *players]):
        row, column = divmod(place, across)
        left, top = 0.65 + column * wide, height - row * tall
        axes = axes_at(figure, left, top - tall + 0.3, left + wide - 0.15, top - 0.3)
        style = styles.of(one.name) if one is not None else None
        colour = style.colour if style is not None else INK
        axes.axhline(50, color=INK, linewidth=0.8, linestyle=(0, (4, 3)))
        if found.when_empty is not None:
            empty = [_at(found.when_empty, level, one) for level in levels]
            points = [(d, 100 * seats.score) for d, seats in zip(depths, empty, strict=True) if seats is not None]
            axes.plot(*zip(*points, strict=True), color=BEHIND, marker="o", markersize=3, linestyle=":", linewidth=1)
        own = [(d, seats) for d, level in zip(depths, levels, strict=True) if (seats := _at(found.seats, level, one))]
        for depth, seats in own:
            if found.can_be_said and seats.interval is not None:
                axes.plot([depth, depth], [100 * end for end in seats.interval], color=colour, linewidth=1.6)
        drawn_as: dict[str, Any] = {"marker": "s"} if style is None else {"marker": style.mark, "linestyle": style.line}
        axes.plot([d for d, _ in own], [100 * seats.score for _, seats in own], color=colour, markersize=5, **drawn_as)
        axes.set_title("all games" if one is None else short(one.text), loc="left", fontweight="bold")
        axes.set_ylim(50 - reach, 50 + reach)
        ticks = (50 - reach, 50, 50 + reach)
        axes.set_yticks(ticks, [f"{tick} %" if column == 0 else "" for tick in ticks])
        axes.set_xticks(depths)
        axes.tick_params(labelbottom=place + across > len(players))
        if place + across > len(players):
            axes.set_xlabel("depth (plies)")
    caption = _on_the_chart_of_seats(found)
    if found.when_empty is not None:
        caption += " Dotted: the same from the empty board, which is one opening and has no interval."
    if len(ranked) > len(players):
        caption += f" The best {len(players)} of {len(ranked)}."
    return chart(figure, "first-player", "What moving first was worth, by depth", caption)


def _reach(found: FirstPlayer, levels: list[Level], whose: list[Competitor | None]) -> int:
    """How far from 50 % the panels reach, so that all that is drawn is in them: whole tens, 20 at least."""
    ends = [20.0]
    for level, one in product(levels, whose):
        for seats in (found.seats, found.when_empty):
            score = _at(seats, level, one) if seats is not None else None
            if score is not None:
                ends += [abs(100 * end - 50) for end in (score.score, *(score.interval or ()))]
    return 10 * math.ceil(round(max(ends) / 10, 6))


def _ranked(results: Results) -> list[Competitor]:
    """Whose games they are, the best first; in a pool each once, whatever its effort."""
    ranked = best_first(results.scores.overall)
    return list(dict.fromkeys(Competitor(one.name) for one in ranked)) if results.scores.in_pool else ranked


def _at(seats: Seats, level: Level, one: Competitor | None) -> SeatScore | None:
    """What moving first was worth at a level, in all games or in those of a player."""
    return seats.by_level.get(level) if one is None else seats.by_both.get((level, one))


def _on_the_chart_of_seats(found: FirstPlayer) -> str:
    told = (
        "What the first to move from the opening scored, in % of the games: beyond the dashed line, at 50 %, it scored "
        "more than the second."
    )
    if not found.can_be_said:
        return f"{told} Not every pairing was played as often in both seats, so that nothing is said of the seat."
    if found.openings < 2:
        return f"{told} One opening has no interval, and can't tell whether it is the seat."
    over = f"Lines are 95 % intervals over {found.openings:,} openings, each of its games alone"
    return f"{told} {over}; one that crosses the dashed line can't tell."


# ── cost ─────────────────────────────────────────────────────────────────────────────────────────

PANELS = ("positions generated per move", "time per move")


class MoveCost(NamedTuple):
    """What one move of a player took on average, at one effort."""

    player: StoredPlayer
    took: tuple[float, float]  # what the two panels show: positions and seconds

    @property
    def effort(self) -> Effort:
        return self.player.settings.effort


def cost_chart(results: Results, styles: Styles) -> Chart | None:
    """Nodes and seconds per move by effort, a line a player; a list of players where there is one effort only."""
    costs = []
    for key, cost in results.cost.items():
        player = results.players[key]
        if cost.moves and cost.generated and cost.seconds and not player.is_agent:
            took = per_move(cost)
            costs.append(MoveCost(player, (took.generated, took.seconds)))
    if not costs:
        return None
    several = len({cost.effort for cost in costs}) > 1
    return _cost_by_effort(costs, results, styles) if several else _cost_by_player(costs, styles)


def _cost_by_effort(costs: list[MoveCost], results: Results, styles: Styles) -> Chart:
    efforts = list(dict.fromkeys(cost.effort for cost in costs))
    depths = all(results.players[key].settings.effort.is_depth for key in results.cost)
    where = [effort.size for effort in efforts] if depths else list(range(len(efforts)))
    players = list(dict.fromkeys(cost.player.name for cost in costs))
    ranked = dict.fromkeys(one.name for one in best_first(results.scores.overall) if one.name in players)
    named = sorted(list(ranked)[:MOST_LINES], key=lambda name: styles.of(name).number)
    labels = [short(name) for name in named]
    others = len(players) - len(named)
    legend = Legend([*labels, f"{others} others"] if others else labels)
    below = 0.55 if depths else 0.3 + room_for([effort.text for effort in efforts])
    height = 2.7 + below + legend.height
    figure = new_figure(height)
    handles: list[Any] = []
    for panel, label in enumerate(PANELS):
        left = 0.95 + panel * WIDTH / 2
        axes = axes_at(figure, left, below + legend.height, left + WIDTH / 2 - 1.1, height - 0.35)
        drawn = []
        for player in sorted(players, key=lambda player: (player in named, styles.of(player).number)):
            own = {cost.effort: cost.took[panel] for cost in costs if cost.player.name == player}
            points = [(x, own[effort]) for x, effort in zip(where, efforts, strict=True) if effort in own]
            style = styles.of(player)
            drawn_as: dict[str, Any] = {"color": style.colour, "marker": style.mark, "linestyle": style.line}
            if player not in named:
                drawn_as = {"color": BEHIND, "linewidth": 0.7}
            (line,) = axes.plot(*zip(*points, strict=True), **drawn_as)
            drawn.append(line)
        handles = drawn[others:] + drawn[: 1 if others else 0]
        log_axis(axes, [cost.took[panel] for cost in costs], seconds=panel == 1)
        axes.set_xticks(where, [effort.text for effort in efforts], rotation=0 if depths else 90)
        axes.set_xlabel("depth (plies)" if depths else "depth or budget")
        axes.set_title(label, loc="left", fontweight="bold")
    legend.draw(figure, handles)
    caption = "What one move took on average, on log axes"
    caption += ": along a straight line each ply costs the same factor more." if depths else "."
    if others:
        caption += f" The best {len(named)} of {len(players)} have lines of their own."
    return chart(figure, "cost", "Nodes and time by depth", caption)


def _cost_by_player(costs: list[MoveCost], styles: Styles) -> Chart:
    players = [cost.player.name for cost in costs]
    left = room_for(players) + 0.1
    height = 0.45 + ROW * len(costs) + 0.35
    figure = new_figure(height)
    wide = (WIDTH - left - 0.2) / 2
    for panel, label in enumerate(PANELS):
        start = left + panel * wide
        axes = axes_at(figure, start, 0.3, start + wide - 0.25, height - 0.35)
        values = [cost.took[panel] for cost in costs]
        log_axis(axes, values, which="x", seconds=panel == 1)
        for place, (player, value) in enumerate(zip(players, values, strict=True)):
            style = styles.of(player)
            axes.plot([value], [place], color=style.colour, marker=style.mark, markersize=7, linestyle="none")
            axes.axhline(place, color=GRID, linewidth=0.6, linestyle=":")
        axes.set_ylim(len(costs) - 0.5, -0.5)
        axes.set_yticks(range(len(costs)), [short(player) if panel == 0 else "" for player in players])
        axes.set_title(label, loc="left", fontweight="bold")
        axes.spines["left"].set_visible(False)
    effort = costs[0].effort
    where = f"{'at' if effort.is_depth else 'within'} {effort.sentence}"
    slow, quick = max(costs, key=lambda cost: cost.took[1]), min(costs, key=lambda cost: cost.took[1])
    caption = f"What one move took on average, {where}, on log axes: further right is more."
    if slow.player.name != quick.player.name:
        ratio = slow.took[1] / quick.took[1]
        caption += f" {slow.player.name} took {ratio:,.1f} times as long as {quick.player.name}."
    return chart(figure, "cost", "Nodes and time", caption)


# ── one game ─────────────────────────────────────────────────────────────────────────────────────


def game_chart(record: GameRecord, styles: Styles) -> Chart | None:
    """How each side saw a game as it went, move by move."""
    game, moves = record
    if not moves:
        return None
    figure = new_figure(4.0)
    tops = (3.75, 1.9)
    for seat, player, top in zip(("first", "second"), (game.first, game.second), tops, strict=True):
        seen = [move for move in moves if (move.ply % 2 == 0) == (seat == "first")]
        own = [(move.ply + 1, move.score) for move in seen if move.score is not None]  # an agent tells none
        axes = axes_at(figure, 0.95, top - 1.4, WIDTH - 0.2, top)
        style = styles.of(player.name)
        _draw_scores(axes, own, style.colour, style.mark)
        axes.set_xlim(0, game.plies + 1)
        axes.set_title(f"{short(player.name)}, moving {seat}", loc="left", fontweight="bold")
        axes.set_ylabel("its score")
        if seat == "first":
            axes.tick_params(labelbottom=False)
    axes.set_xlabel("ply")
    drawn = game.result == "draw"
    result = "drawn" if drawn else f"won by the {game.result} player"
    why = "since neither won any" if drawn else "that one of them won"
    caption = (
        f"Game {game.id[:8]}: {game.first.name} against {game.second.name}, {_how_far(game)}, {result} after "
        f"{in_plies(game.plies)}; of the two best players who met, the longest game {why}. Each score is of the "
        "player's own evaluator, from its own side: above 0 it likes its position, and where both are above 0 one of "
        "them is mistaken. Triangles at the edge: it sees a forced win (up) or loss (down)."
    )
    return chart(figure, "game", "One game as both sides saw it", caption)


def _how_far(game: StoredGame) -> str:
    level = level_of(game)
    return level.sentence if len(level.efforts) == 1 else level.text


def _draw_scores(axes: Axes, own: list[tuple[int, float]], colour: str, mark: str) -> None:
    plain = [(ply, score) for ply, score in own if abs(score) < WIN - MOST_DEPTH]
    size = max([abs(score) for _, score in plain], default=0) * 1.2 or 1.0
    axes.axhline(0, color=INK, linewidth=0.8)
    if plain:
        axes.plot(*zip(*plain, strict=True), color=colour, marker=mark, linewidth=1.2, markersize=4.5)
    told: set[bool] = set()
    for ply, score in own:
        if abs(score) < WIN - MOST_DEPTH:
            continue
        up = score > 0
        edge = size if up else -size
        axes.plot([ply], [0.9 * edge], color=colour, marker="^" if up else "v", markersize=8, linestyle="none")
        if up not in told:
            told.add(up)
            axes.text(max(own)[0] + 0.7, 0.6 * edge, shown_score(score), ha="right", va="center")
    axes.set_ylim(-size, size)
    ticks = (-size / 1.2, 0.0, size / 1.2)
    axes.set_yticks(ticks, [shown_score(tick) for tick in ticks])
    axes.grid(axis="both")
