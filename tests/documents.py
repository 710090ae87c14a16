"""README and the guides, taken apart: blocks of code, commands, samples of output."""

from __future__ import annotations

import re
from pathlib import Path
from textwrap import dedent
from typing import NamedTuple

from folders import ROOT

README = ROOT / "README.md"
GUIDES = ROOT / "tournament" / "guides"
DOCUMENTS = [README, *sorted(GUIDES.glob("*.md"))]

# A block of `console` begins with `$ ` and the command that prints what follows.
LANGUAGES = {"sh", "console", "yaml", "python"}


class Block(NamedTuple):
    """A block of code in a document."""

    place: str
    language: str
    text: str


def blocks(document: Path) -> list[Block]:
    """The blocks of code between lines of three backticks."""
    found, begun = [], None
    for number, line in enumerate(document.read_text("utf-8").splitlines(), 1):
        if not line.lstrip().startswith("```"):
            if begun is not None:
                begun[2].append(line)
        elif begun is None:
            begun = (f"{document.name}:{number}", line.lstrip()[3:], list[str]())
        else:
            found.append(Block(begun[0], begun[1], dedent("\n".join(begun[2]) + "\n")))
            begun = None
    assert begun is None, f"{document}: a block has no end"
    return found


def blocks_of(language: str) -> list[Block]:
    """The blocks in one language, of all documents."""
    return [block for document in DOCUMENTS for block in blocks(document) if block.language == language]


def prose(document: Path) -> str:
    """What stands outside of blocks."""
    return re.sub(r"^ *```.*?^ *```$", "", document.read_text("utf-8"), flags=re.MULTILINE | re.DOTALL)


def code(document: Path) -> str:
    """What stands in blocks and between single backticks."""
    return "\n".join([*(block.text for block in blocks(document)), *re.findall(r"`([^`\n]+)`", prose(document))])


def commands() -> dict[str, str]:
    """Every command that somebody may type, and where it stands: in blocks, and in a sentence or a table."""
    found: dict[str, str] = {}
    for document in DOCUMENTS:
        for block in blocks(document):
            lines = block.text.splitlines()
            if block.language == "console":
                lines = [line.rpartition("| ")[2].removeprefix("$ ") for line in lines if line.startswith("$ ")]
            if block.language in ("sh", "console"):
                for line in lines:
                    for command in line.split("&&"):
                        found.setdefault(re.sub(r"^\S*/bin/|\s+# .*", "", command.strip()), block.place)
        for command in re.findall(r"`(tourney [^`\n]+)`", prose(document)):
            found.setdefault(command, document.name)
    return found
