"""Markdown on the terminal: rich's, but for what is hard to read there in narrow windows or on light ground."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from rich import markdown
from rich.box import SIMPLE_HEAD
from rich.console import Console, ConsoleOptions, RenderResult
from rich.table import Table
from rich.text import Text
from rich.theme import Theme

if TYPE_CHECKING:
    from markdown_it.token import Token

THEME = Theme(
    {
        "markdown.h1": "bold underline",
        "markdown.h2": "bold",
        "markdown.h3": "italic",
        "markdown.code": "bold cyan",  # as rich has it, but on no ground of its own
        "markdown.code_block": "cyan",
        "markdown.link": "none",
        "markdown.link_url": "cyan",
        "markdown.item.bullet": "none",
        "markdown.table.header": "bold",
        "markdown.table.border": "dim",
    }
)


class GuideMarkdown(markdown.Markdown):
    """A guide, whose links to others tell the command that shows them."""

    def __init__(self, text: str) -> None:
        super().__init__(text, hyperlinks=False)
        for token in self.parsed:
            token.children = token.children and list(_with_commands(token.children))


def _with_commands(tokens: Iterable[Token]) -> Iterator[Token]:
    """Links to guides lead to commands; those within a guide lead nowhere on a terminal, and become plain words."""
    plain = False
    for token in tokens:
        if token.type == "link_open":
            address = str(token.attrs["href"])
            token.attrs["href"] = _command(address)
            plain = address.startswith("#")
        if not (plain and token.type in ("link_open", "link_close")):
            yield token


def _command(address: str) -> str:
    return re.sub(r"^([\w-]+)\.md(#.*)?$", r"tourney guide \1", address)


class _Heading(markdown.Heading):
    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        yield self.text


class _CodeBlock(markdown.CodeBlock):
    """Code as it is written. A long line is left to the terminal, so that it can be copied whole."""

    def on_enter(self, context: markdown.MarkdownContext) -> None:
        super().on_enter(context)
        self.within = len(context.stack) > 1  # a list, say, which would cut off what is too long

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        code = Text("\n".join("  " + line for line in str(self.text).splitlines()), self.style)
        code.no_wrap, code.overflow = not self.within, "fold" if self.within else "ignore"
        yield code


class _Table(markdown.TableElement):
    """A table whose rows stand apart where some take several lines."""

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        assert self.header is not None
        assert self.header.row is not None
        table = Table(box=SIMPLE_HEAD, show_edge=False, pad_edge=False, style="markdown.table.border")
        for cell in self.header.row.cells:
            heading = cell.content.copy()
            heading.stylize("markdown.table.header")
            table.add_column(heading, overflow="fold")
        for row in self.body.rows if self.body else ():
            table.add_row(*(cell.content for cell in row.cells))
        table.leading = int(table.__rich_measure__(console, options).maximum > options.max_width)
        yield table


GuideMarkdown.elements = markdown.Markdown.elements | {
    "heading_open": _Heading,
    "fence": _CodeBlock,
    "code_block": _CodeBlock,
    "table_open": _Table,
}
