"""Markdown as HTML for the page: what it may hold is text, so that HTML in it is shown and not obeyed."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from html import escape
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token

ALIGNED = {"text-align:right": "number", "text-align:center": "centre"}  # classes, since the page allows no styles


def as_html(text: str) -> str:
    """The text as HTML: headings can be linked to, links to other guides lead to their pages."""
    tokens = PARSER.parse(text)
    seen: Counter[str] = Counter()
    heading = ""
    for token, following in zip(tokens, [*tokens[1:], None], strict=True):
        if token.type == "heading_open" and following is not None:
            heading = _words(following)
            name = anchor(heading)
            token.attrs["id"] = f"{name}-{seen[name]}" if seen[name] else name
            seen[name] += 1
        elif token.type == "table_open":
            token.meta["under"] = heading
        elif token.type in ("th_open", "td_open") and (style := token.attrs.pop("style", None)):
            token.attrs["class"] = ALIGNED.get(str(style), "")
        for child in token.children or ():
            if child.type == "link_open":
                child.attrs["href"] = address(str(child.attrs["href"]))
    html: str = PARSER.renderer.render(tokens, PARSER.options, {})
    return html


def line_as_html(text: str) -> str:
    """One line, as it stands in a list, as HTML."""
    html: str = PARSER.renderInline(text)
    return html


def anchor(heading: str) -> str:
    """What a heading is called in an address, as sites that show code have it: `#what-you-can-type`."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def address(link: str) -> str:
    """Where a link of a guide leads on the page: `evidence.md#ratings` to `/guides/evidence#ratings`."""
    return re.sub(r"^([\w-]+)\.md(?=#|$)", r"/guides/\1", link)


def _words(inline: Token) -> str:
    return "".join(child.content for child in inline.children or () if child.type in ("text", "code_inline"))


def _table_open(self: RendererHTML, tokens: Sequence[Token], index: int, *_: Any) -> str:
    label = escape(tokens[index].meta["under"])
    return f'<div class="scroll" tabindex="0" role="region" aria-label="Table: {label}">\n<table>\n'


def _table_close(self: RendererHTML, *_: Any) -> str:
    return "</table>\n</div>\n"


PARSER = MarkdownIt("commonmark", {"html": False}).enable("table")
PARSER.add_render_rule("table_open", _table_open)
PARSER.add_render_rule("table_close", _table_close)
