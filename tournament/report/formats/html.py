"""The report as one page that needs nothing else: the tables of report.md, the charts, and every game to replay."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TextIO

from tournament.games.connect4 import COLUMN_DIGITS, Position, Rules, play_moves
from tournament.report.competitors import competitors_of, level_of
from tournament.report.report import Report
from tournament.report.results import Results
from tournament.report.styles import Styles
from tournament.report.table import Cell, Column, Kind, Name, Table, shown_cell
from tournament.report.tables import on_the_rest
from tournament.store import StoredGame

if TYPE_CHECKING:
    from jinja2 import Template
    from markupsafe import Markup

TEMPLATES = Path(__file__).parents[1] / "templates"
PLAIN: set[Kind] = {"count", "points", "seconds", "precise", "millis", "micros", "ratio", "percent"}  # sort as shown
TALL = 24  # rows, from which on a table scrolls below its headings
MOST_OPEN = 3  # tables of one kind; more are folded


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
    fold: str
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
    first_style: int
    second_style: int
    level: str
    outcome: str
    result: str
    opening: str
    moves: str
    fault: str | None
    final: str  # the board after the last move, as text


def write(report: Report, file: TextIO) -> None:
    file.write(page(report))


def page(report: Report) -> str:
    """The whole page."""
    from markupsafe import Markup

    styles = report.results.styles
    shown = _shown_tables(report.tables, styles)
    return _template().render(
        run=report.results.run,
        said=report.sentences,
        tables=shown,
        folded=_folded(shown[1:]),
        styles=list(styles),
        css=Markup("\n".join((TEMPLATES / name).read_text("utf-8") for name in ("look.css", "report.css"))),
        js=Markup((TEMPLATES / "report.js").read_text("utf-8")),
        **(_games(report, report.results, styles) if isinstance(report.results, Results) else {}),
        charts=[(one, Markup(one.embedded)) for one in report.charts],  # XML of our own, its texts escaped
    )


def _games(report: Report, results: Results, styles: Styles) -> dict[str, object]:
    """What the page says of the games of a tournament, with those that are listed."""
    rules = results.run.rules
    more = results.played - len(report.listed)
    return {
        "listed": _shown_tables([report.games_table], styles) if report.games_table and report.listed else [],
        "games": [_shown_game(game, number, rules, styles) for number, game in enumerate(report.listed, start=1)],
        "note": f"{on_the_rest(more)}; `tourney show` replays any game." if more > 0 else "",
        "rules": rules,
        "digits": COLUMN_DIGITS[: rules.columns],
    }


@cache
def _template() -> Template:
    from jinja2 import Environment, FileSystemLoader

    templates = Environment(loader=FileSystemLoader(TEMPLATES), autoescape=True, trim_blocks=True, lstrip_blocks=True)
    templates.filters["said"] = with_code
    return templates.get_template("report.html")


def with_code(text: str) -> Markup:
    """A sentence for a page: what stands between backticks is code, and a number stays on one line with its unit."""
    from markupsafe import Markup, escape

    together = re.sub(r"(?<=\d) (?=(%|s|ms|ply|plies)\b|%)", "\N{NO-BREAK SPACE}", str(escape(text)))
    return Markup(re.sub(r"`([^`]+)`", r"<code>\1</code>", together))


# ── tables ───────────────────────────────────────────────────────────────────────────────────────


def _shown_tables(tables: list[Table], styles: Styles) -> list[ShownTable]:
    """The tables, each with an id that no other has."""
    taken: set[str] = set()
    shown = []
    for table in tables:
        id = _slug(table.title)
        while id in taken:
            id += "-"
        taken.add(id)
        rows = [
            [_cell(cell, column, styles) for cell, column in zip(row, table.columns, strict=True)] for row in table.rows
        ]
        shown.append(ShownTable(id, table.title, table.note, table.fold, table.columns, rows))
    return shown


def _folded(tables: list[ShownTable]) -> list[tuple[str, list[ShownTable]]]:
    """The tables in their order, those of one kind together: with its name where there are so many that they fold."""
    kinds = [(kind, list(of_kind)) for kind, of_kind in groupby(tables, key=lambda table: table.fold)]
    return [(kind if len(of_kind) > MOST_OPEN else "", of_kind) for kind, of_kind in kinds]


def _slug(title: str) -> str:
    return "table-" + (re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-") or "untitled")


def _cell(cell: Cell, column: Column, styles: Styles) -> ShownCell:
    text = shown_cell(cell, column.kind)
    kinds = ["n"] if column.is_number else []
    if column.kept:
        kinds.append("kept")
    if isinstance(cell, Name):
        kinds.append(f"look p{styles.of(cell.of).number}")
    value = None
    if isinstance(cell, tuple):
        value = f"{cell[0]:.9g}"
    elif isinstance(cell, int | float) and column.kind not in PLAIN:
        value = f"{cell:.12g}"
    return ShownCell(text, " ".join(kinds), value, f"#game-{text}" if column.kind == "game" else None)


# ── games ────────────────────────────────────────────────────────────────────────────────────────


def _shown_game(game: StoredGame, number: int, rules: Rules, styles: Styles) -> ShownGame:
    first, second = (one.text for one in competitors_of(game))
    winner = {"first": first, "second": second}.get(game.result)
    how = "" if game.reason in ("line", "full board") else f" ({game.reason})"
    return ShownGame(
        game.id[:8],
        number,
        first,
        second,
        styles.of(game.first.name).number,
        styles.of(game.second.name).number,
        level_of(game).sentence,
        "draw" if winner is None else f"{winner} won{how}",
        game.result,
        game.opening,
        game.moves,
        game.fault,
        "\n".join(play_moves(Position(rules), game.moves).rows_from_top()),
    )
