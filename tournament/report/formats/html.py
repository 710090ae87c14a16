"""The report as one page that needs nothing else: the tables of report.md, the charts, and every game to replay."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from tournament.games.connect4 import COLUMN_DIGITS, Position, Rules, play_moves
from tournament.report.drawing import Chart
from tournament.report.results import Results, shown_depth, shown_names
from tournament.report.study import StudyResults
from tournament.report.styles import Looks
from tournament.report.summary import study_summary, summary
from tournament.report.table import Cell, Column, Kind, Table, shown_cell
from tournament.store import StoredGame, StoredRun

if TYPE_CHECKING:
    from jinja2 import Template

TEMPLATES = Path(__file__).parents[1] / "templates"
WHO = {"player", "against", "first", "second", "winner", "points of", "chance of", "games of"}  # columns of players
WHAT = {"algorithm", "other algorithm"}  # columns of algorithms
PLAIN: set[Kind] = {"count", "points", "seconds", "precise", "millis", "micros", "ratio", "percent"}  # sort as shown
TALL = 24  # rows, from which on a table scrolls below its headings


class ShownCell(NamedTuple):
    """A cell as it stands on the page."""

    text: str
    kinds: str  # its classes
    value: str | None  # what it is sorted by, where that can't be read from the text
    link: str | None = None


class ShownTable(NamedTuple):
    """A table as it stands on the page."""

    id: str
    title: str
    note: str
    columns: Sequence[Column]
    rows: list[list[ShownCell]]

    @property
    def tall(self) -> bool:
        return len(self.rows) > TALL


class ShownGame(NamedTuple):
    """A game as it stands on the page."""

    id: str
    number: int
    first: str
    second: str
    first_look: int
    second_look: int
    level: str
    outcome: str
    result: str
    opening: str
    moves: str
    fault: str | None
    final: str  # the board after the last move, as text


def tournament_page(results: Results, charts: list[Chart], games: list[StoredGame], listed: Table, looks: Looks) -> str:
    """The page of a tournament, with these of its games and the table that lists them."""
    rules = results.run.rules
    shown = [_shown_game(game, number, rules, looks) for number, game in enumerate(games, start=1)]
    more = results.played - len(games)
    return _page(
        results.run,
        summary(results),
        _shown_tables(results.tables, looks),
        charts,
        looks,
        listed=_shown_tables([listed], looks) if games else [],
        games=shown,
        note=f"{more:,} more games are in games.csv; `tourney show` replays any of them." if more > 0 else "",
        rules=rules,
        digits=COLUMN_DIGITS[: rules.columns],
    )


def study_page(results: StudyResults, tables: list[Table], charts: list[Chart], looks: Looks) -> str:
    """The page of a study, with these tables."""
    shown = _shown_tables(tables, looks)
    return _page(results.run, study_summary(results), shown, charts, looks, listed=[], games=[])


def _page(
    run: StoredRun, said: list[str], tables: list[ShownTable], charts: list[Chart], looks: Looks, **more: object
) -> str:
    from markupsafe import Markup

    return _template().render(
        run=run,
        said=said,
        tables=tables,
        charts=[(one, Markup(one.embedded)) for one in charts],  # XML of our own, its texts escaped
        looks=list(looks),
        **{name: Markup((TEMPLATES / f"report.{name}").read_text("utf-8")) for name in ("css", "js")},
        **more,
    )


def _template() -> Template:
    from jinja2 import Environment, FileSystemLoader

    return Environment(
        loader=FileSystemLoader(TEMPLATES), autoescape=True, trim_blocks=True, lstrip_blocks=True
    ).get_template("report.html")


# ── tables ───────────────────────────────────────────────────────────────────────────────────────


def _shown_tables(tables: list[Table], looks: Looks) -> list[ShownTable]:
    """The tables, each with an id that no other has."""
    taken: set[str] = set()
    shown = []
    for table in tables:
        id = _slug(table.title)
        while id in taken:
            id += "-"
        taken.add(id)
        rows = [
            [_cell(cell, column, looks) for cell, column in zip(row, table.columns, strict=True)] for row in table.rows
        ]
        shown.append(ShownTable(id, table.title, table.note, table.columns, rows))
    return shown


def _slug(title: str) -> str:
    return "table-" + (re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-") or "untitled")


def _cell(cell: Cell, column: Column, looks: Looks) -> ShownCell:
    text = shown_cell(cell, column.kind)
    kinds = [] if column.kind == "text" else ["n"]
    if isinstance(cell, str) and column.name in WHO | WHAT and (look := looks.known(cell)) is not None:
        kinds.append(f"look p{look.number}")
    value = None
    if isinstance(cell, tuple):
        value = f"{cell[0]:.9g}"
    elif isinstance(cell, int | float) and column.kind not in PLAIN:
        value = f"{cell:.12g}"
    return ShownCell(text, " ".join(kinds), value, f"#game-{text}" if column.name == "game" else None)


# ── games ────────────────────────────────────────────────────────────────────────────────────────


def _shown_game(game: StoredGame, number: int, rules: Rules, looks: Looks) -> ShownGame:
    names = shown_names(game)
    winner = {"first": names[0], "second": names[1]}.get(game.result)
    how = "" if game.reason in ("line", "full board") else f" ({game.reason})"
    depth = shown_depth(game)
    return ShownGame(
        game.id[:8],
        number,
        names[0],
        names[1],
        looks.of(game.first.name).number,
        looks.of(game.second.name).number,
        f"depth {depth}" if depth[:1].isdigit() and not depth.endswith((" nodes", " s")) else depth,
        "draw" if winner is None else f"{winner} won{how}",
        game.result,
        game.opening,
        game.moves,
        game.fault,
        "\n".join(play_moves(Position(rules), game.moves).rows_from_top()),
    )
