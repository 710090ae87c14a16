"""The guides: Markdown files in this folder, one subject a file. The folder is the list.

A file is `# Title`, an empty line, one sentence on one line, which lists show, an empty line, and the text. Guides link
to each other as `[words](evidence.md)`, or `evidence.md#heading`, and to nothing else.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from tournament.errors import TourneyError
from tournament.text import nearest

FOLDER = Path(__file__).parent


@dataclass(frozen=True)
class Guide:
    """A guide; `text` is all of its file, title and summary included."""

    name: str
    title: str
    summary: str
    text: str


def guides() -> list[Guide]:
    """Every guide, by name."""
    return [_read(path) for path in sorted(FOLDER.glob("*.md"))]


def guide(name: str) -> Guide:
    """The guide of this name; an error with the nearest one where there is none."""
    known = {each.name: each for each in guides()}
    if name not in known:
        raise TourneyError(f"there is no guide `{name}`{nearest(name, known)} Known are {', '.join(known)}.")
    return known[name]


def _read(path: Path) -> Guide:
    text = path.read_bytes().decode("utf-8")  # as it is, ends of lines included
    title, _, summary, *_ = [*text.splitlines(), "", "", ""]
    return Guide(path.stem, title.removeprefix("# "), summary, text)
