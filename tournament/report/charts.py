"""The charts of a tournament: pure functions from its results and tables to SVG text."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple

from tournament.engine.values import MOST_DEPTH, WIN, shown_score
from tournament.report.drawing import (
    BEHIND,
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
from tournament.report.results import ALL, Results, shown_depth, shown_names
from tournament.report.styles import Looks
from tournament.report.table import Cell, Table
from tournament.store import StoredGame, StoredMove
from tournament.text import in_plies

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MOST_IN_MATRIX = 20  # players in the heat map, as in the table of chances
MOST_LINES = 10  # players with a line of their own colour; of more, the best
ROW = 0.24  # of a player in a list of players


class GameRecord(NamedTuple):
    """A game with its moves."""

    game: StoredGame
    moves: list[StoredMove]


def tournament_charts(results: Results, told: GameRecord | None = None) -> list[Chart]:
    """Every chart that these results allow, with the scores of one game where one is told."""
    if not results.standings:
        return []
    looks = looks_of(results)
    with drawing():
        charts = [
            crosstable_chart(results),
            ratings_chart(results, looks),
            first_player_chart(results),
            cost_chart(results, looks),
            game_chart(told, looks) if told is not None else None,
        ]
    return [made for made in charts if made is not None]


def looks_of(results: Results) -> Looks:
    """How each player looks, in the order of the plan."""
    return Looks(player.name for player in results.players.values())


def best_first(results: Results) -> list[str]:
    """Everybody by points over all depths."""
    scores = results.standings[ALL]
    return sorted(scores, key=lambda name: (-scores[name].points, name))


class Longest:
    """Of each two players the longest game that one of them won, or else the longest at all."""

    def __init__(self) -> None:
        self._games: dict[frozenset[str], StoredGame] = {}

    def add(self, game: StoredGame) -> None:
        if game.fault is None and game.plies > len(game.opening):
            pair = frozenset(shown_names(game))
            known = self._games.get(pair)
            if known is None or _tells(game) > _tells(known):
                self._games[pair] = game

    def of_the_best(self, results: Results) -> StoredGame | None:
        """The game of the best two who have met."""
        places = {name: place for place, name in enumerate(best_first(results))} if results.standings else {}
        met = [pair for pair in self._games if all(name in places for name in pair)]
        best = min(met, key=lambda pair: sorted(places[name] for name in pair), default=None)
        return self._games[best] if best is not None else None


def _tells(game: StoredGame) -> tuple[bool, int]:
    return game.result != "draw", game.plies


# ── who beats whom ───────────────────────────────────────────────────────────────────────────────


def crosstable_chart(results: Results) -> Chart:
    """The share of the points of each against each, as a heat map."""
    names = best_first(results)
    shown = names[:MOST_IN_MATRIX]
    against = results.against
    values: list[list[float | None]] = []
    for name in shown:
        scores = [against.get((name, other)) for other in shown]
        values.append([score.points / score.played if score and score.played else None for score in scores])
    texts = [["" if value is None else f"{100 * value:.0f}" for value in row] for row in values]
    left = room_for(shown) + 0.25
    cell = min(max(0.62, room_for(shown)), (WIDTH - left - 0.15) / len(shown))
    upright = room_for(shown) > cell
    above = (room_for(shown) if upright else 0.25) + 0.25
    height = above + min(0.42, cell) * len(shown) + 0.1
    figure = new_figure(height)
    axes = axes_at(figure, left, 0.1, left + cell * len(shown), height - above)
    heat_map(axes, values, texts, 0, 1)
    axes.xaxis.tick_top()
    axes.xaxis.set_label_position("top")
    at = [place + 0.5 for place in range(len(shown))]
    axes.set_xticks(at, [short(name) for name in shown], rotation=90 if upright else 0)
    axes.set_yticks(at, [short(name) for name in shown])
    axes.set_ylabel("points of", color=INK)
    axes.set_xlabel("against", color=INK)
    caption = (
        "Points of the player in the row against the one in the column, in % of the games; hatched: themselves, and "
        "who never met."
    )
    if len(names) > len(shown):
        caption += f" The best {len(shown)} of {len(names)}."
    return chart(figure, "crosstable", "Who scored against whom", caption)


# ── ratings ──────────────────────────────────────────────────────────────────────────────────────


def ratings_chart(results: Results, looks: Looks) -> Chart | None:
    """Elo with intervals, a panel for each group of players who have met; None where nobody is rated."""
    tables = [table for table in results.tables if table.title.startswith("Ratings") and table.rows]
    if not tables:
        return None
    ends = [end for table in tables for row in table.rows for end in _ends(row[2]) if math.isfinite(end)]
    ends += [elo for table in tables for row in table.rows if isinstance(elo := row[1], float)]
    low, high = min(ends), max(ends)
    margin = 0.06 * (high - low) + 1
    left = room_for([str(row[0]) for table in tables for row in table.rows]) + 0.1
    height = 0.55 + sum(_panel_height(table, len(tables)) for table in tables)
    figure = new_figure(height)
    top = height - 0.05
    for number, table in enumerate(tables):
        bottom = top - _panel_height(table, len(tables))
        axes = axes_at(figure, left, bottom + 0.05, WIDTH - 0.2, top - (0.25 if len(tables) > 1 else 0))
        for place, row in enumerate(table.rows):
            look = looks.of(str(row[0]))
            first, last = (min(high + margin, max(low - margin, end)) for end in _ends(row[2]))
            elo = row[1]
            assert isinstance(elo, float)
            axes.plot([first, last], [place, place], color=look.colour, linewidth=2, solid_capstyle="butt")
            axes.plot([elo], [place], color=look.colour, marker=look.mark, markersize=7, linestyle="none")
        axes.axvline(0, color=INK, linewidth=0.8, linestyle=(0, (4, 3)))
        axes.set_xlim(low - margin, high + margin)
        axes.set_ylim(len(table.rows) - 0.5, -0.5)
        axes.set_yticks(range(len(table.rows)), [short(str(row[0])) for row in table.rows])
        axes.grid(axis="x")
        axes.spines["left"].set_visible(False)
        if len(tables) > 1:
            where = table.title.removeprefix("Ratings").removeprefix(", ")
            axes.set_title(where or f"group {number + 1}", loc="left", pad=4, fontweight="bold")
        if number < len(tables) - 1:
            axes.tick_params(labelbottom=False)
        top = bottom
    axes.set_xlabel("Elo above or below the mean player, with the 95 % interval")
    caption = "The mark is the rating, the line its 95 % interval. Players whose lines overlap may be equally strong."
    return chart(figure, "ratings", "How strong each player is", caption)


def _panel_height(table: Table, panels: int) -> float:
    return ROW * len(table.rows) + (0.4 if panels > 1 else 0.1)


def _ends(cell: Cell) -> tuple[float, float]:
    assert isinstance(cell, tuple)
    return cell


# ── the seat ─────────────────────────────────────────────────────────────────────────────────────


def first_player_chart(results: Results) -> Chart | None:
    """What the first player scored at each depth, with intervals."""
    found = next((table for table in results.tables if table.title == "First-player advantage"), None)
    if found is None:
        return None
    names = [column.name for column in found.columns]
    rows = [dict(zip(names, row, strict=True)) for row in found.rows[: len(results.seats_by_depth)]]
    if len(rows) == 2:
        rows.pop()  # one depth: all games are its games
    games = [sum(_number(row[name]) for name in ("first won", "drawn", "second won")) for row in rows]
    left = room_for([str(row["games of"]) for row in rows]) + 0.1
    height = 0.34 * len(rows) + 0.65
    figure = new_figure(height)
    axes = axes_at(figure, left, 0.5, WIDTH - 1.6, height - 0.1)
    axes.axvline(50, color=INK, linewidth=0.8, linestyle=(0, (4, 3)))
    for place, (row, count) in enumerate(zip(rows, games, strict=True)):
        ends = [100 * end for end in _ends(row["95 % interval"])]
        axes.plot(ends, [place, place], color=INK, linewidth=1.4, marker="|", markersize=9)
        score = 100 * _number(row["first scored"])
        mark = "s" if row["games of"] == ALL else "o"
        axes.plot([score], [place], color=INK, marker=mark, markersize=7, linestyle="none")
        axes.text(103, place, f"{score:.1f} % of {count:,} game{'s' * (count != 1)}", va="center")
    axes.set_yticks(range(len(rows)), [str(row["games of"]) for row in rows])
    axes.set_ylim(len(rows) - 0.5, -0.5)
    axes.set_xlim(0, 100)
    axes.set_xticks(range(0, 101, 25), [f"{percent} %" for percent in range(0, 101, 25)])
    axes.set_xlabel("score of the first player, with the 95 % interval")
    axes.grid(axis="x")
    axes.spines["left"].set_visible(False)
    caption = (
        "What the player that moved first scored, in % of the games, with 95 % intervals. "
        "Where an interval crosses the dashed line, whether the seat mattered can't be told."
    )
    return chart(figure, "first-player", "What moving first was worth", caption)


def _number(cell: Cell) -> float:
    assert isinstance(cell, int | float)
    return cell


# ── cost ─────────────────────────────────────────────────────────────────────────────────────────

PANELS = (("generated", "positions generated per move"), ("ms", "time per move"))


def cost_chart(results: Results, looks: Looks) -> Chart | None:
    """Nodes and seconds per move by depth, a line a player; a list of players where there is one depth only."""
    table = next((table for table in results.tables if table.title == "Cost per move"), None)
    if table is None:
        return None
    names = [column.name for column in table.columns]
    rows = [dict(zip(names, row, strict=True)) for row in table.rows]
    rows = [row for row in rows if all(isinstance(row[name], int | float) and row[name] for name, _ in PANELS)]
    if not rows:
        return None
    levels = list(dict.fromkeys(row["depth"] for row in rows))
    return _cost_by_depth(rows, levels, results, looks) if len(levels) > 1 else _cost_by_player(rows, looks)


def _cost_by_depth(rows: list[dict[str, Cell]], levels: list[Cell], results: Results, looks: Looks) -> Chart:
    numbers = all(isinstance(level, int) for level in levels)
    where = [_number(level) for level in levels] if numbers else list(range(len(levels)))
    players = list(dict.fromkeys(str(row["player"]) for row in rows))
    ranked = [name.rpartition(" (")[0] if name not in players else name for name in best_first(results)]
    named = list(dict.fromkeys(name for name in ranked if name in players))[:MOST_LINES]
    named.sort(key=lambda name: looks.of(name).number)
    labels = [short(name) for name in named]
    others = len(players) - len(named)
    legend = Legend([*labels, f"{others} others"] if others else labels)
    below = 0.55 if numbers else 0.3 + room_for([str(level) for level in levels])
    height = 2.7 + below + legend.height
    figure = new_figure(height)
    handles: list[Any] = []
    for panel, (name, label) in enumerate(PANELS):
        left = 0.95 + panel * WIDTH / 2
        axes = axes_at(figure, left, below + legend.height, left + WIDTH / 2 - 1.1, height - 0.35)
        drawn = []
        for player in sorted(players, key=lambda player: (player in named, looks.of(player).number)):
            own = {row["depth"]: _number(row[name]) for row in rows if row["player"] == player}
            points = [(x, own[level]) for x, level in zip(where, levels, strict=True) if level in own]
            look = looks.of(player)
            style: dict[str, Any] = {"color": look.colour, "marker": look.mark, "linestyle": look.line}
            if player not in named:
                style = {"color": BEHIND, "linewidth": 0.7}
            (line,) = axes.plot(*zip(*points, strict=True), **style)
            drawn.append(line)
        handles = drawn[others:] + drawn[: 1 if others else 0]
        log_axis(axes, [_number(row[name]) for row in rows], seconds=name == "ms")
        axes.set_xticks(where, [str(level) for level in levels], rotation=0 if numbers else 90)
        axes.set_xlabel("depth (plies)" if numbers else "depth or budget")
        axes.set_title(label, loc="left", fontweight="bold")
    legend.draw(figure, handles)
    caption = "What one move took on average, on log axes."
    if others:
        caption += f" The best {len(named)} of {len(players)} have lines of their own."
    return chart(figure, "cost", "Nodes and time by depth", caption)


def _cost_by_player(rows: list[dict[str, Cell]], looks: Looks) -> Chart:
    players = [str(row["player"]) for row in rows]
    left = room_for(players) + 0.1
    height = 0.45 + ROW * len(rows) + 0.35
    figure = new_figure(height)
    wide = (WIDTH - left - 0.2) / 2
    for panel, (name, label) in enumerate(PANELS):
        start = left + panel * wide
        axes = axes_at(figure, start, 0.3, start + wide - 0.25, height - 0.35)
        values = [_number(row[name]) for row in rows]
        log_axis(axes, values, which="x", seconds=name == "ms")
        for place, (player, value) in enumerate(zip(players, values, strict=True)):
            look = looks.of(player)
            axes.plot([value], [place], color=look.colour, marker=look.mark, markersize=7, linestyle="none")
            axes.axhline(place, color=GRID, linewidth=0.6, linestyle=":")
        axes.set_ylim(len(rows) - 0.5, -0.5)
        axes.set_yticks(range(len(rows)), [short(player) if panel == 0 else "" for player in players])
        axes.set_title(label, loc="left", fontweight="bold")
        axes.spines["left"].set_visible(False)
    caption = f"What one move took on average, {_level(rows[0]['depth'])}, on log axes."
    return chart(figure, "cost", "Nodes and time", caption)


def _level(depth: Cell) -> str:
    return f"at depth {depth}" if str(depth).isdecimal() else f"within {depth}"


# ── one game ─────────────────────────────────────────────────────────────────────────────────────


def game_chart(told: GameRecord, looks: Looks) -> Chart | None:
    """How each side saw a game as it went, move by move."""
    game, moves = told
    if not moves:
        return None
    figure = new_figure(4.0)
    tops = (3.75, 1.9)
    for seat, player, top in zip(("first", "second"), (game.first, game.second), tops, strict=True):
        seen = [move for move in moves if (move.ply % 2 == 0) == (seat == "first")]
        own = [(move.ply + 1, move.score) for move in seen if move.score is not None]  # an agent tells none
        axes = axes_at(figure, 0.95, top - 1.4, WIDTH - 0.2, top)
        look = looks.of(player.name)
        _draw_scores(axes, own, look.colour, look.mark)
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
        f"Game {game.id[:8]}: {game.first.name} against {game.second.name}, {_limits(game)}, {result} after "
        f"{in_plies(game.plies)}; of the two best players who met, the longest game {why}. Each score is of the "
        "player's own evaluator, from its own side: above 0 it likes its position. Triangles at the edge: it "
        "sees a forced win (up) or loss (down)."
    )
    return chart(figure, "game", "One game as both sides saw it", caption)


def _limits(game: StoredGame) -> str:
    depth = shown_depth(game)
    return f"depth {depth}" if depth.isdecimal() else depth


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
