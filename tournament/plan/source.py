"""A config with the text it was read from, and the line on which each of its entries stands."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import yaml

from tournament.plan.schema import Config, StudyEntry

ConfigPath = tuple[str | int, ...]  # of an entry in the file


@dataclass(frozen=True)
class Source:
    """A config with the text it was read from, and the line on which each of its entries stands."""

    path: Path
    text: str
    root: yaml.Node
    config: Config
    wrong: frozenset[str | int] = (
        frozenset()
    )  # top-level keys whose values have the wrong form: `config` was read without them
    mistakes: tuple[str, ...] = ()  # so far; whoever finds the last of them raises

    def studies(self) -> Iterator[tuple[ConfigPath, StudyEntry]]:
        """Each study with its place."""
        for number, study in enumerate(self.config.studies()):
            yield (("study", number) if isinstance(self.config.study, list) else ("study",)), study

    def mistake(self, place: tuple[str | int, ...], what: str) -> str:
        """One line of a message: file, line, what is wrong."""
        return f"{self.path}:{line_of(self.root, place)}: {what}"


def place_of(root: yaml.Node, loc: tuple[str | int, ...]) -> tuple[str | int, ...]:
    """The part of pydantic's location that is in the file: without the names of the forms it tried."""
    node = root
    place: list[str | int] = []
    for part in loc:
        inner = child_of(node, part)
        if inner is not None:
            place.append(str(part) if isinstance(node, yaml.MappingNode) else part)
            node = inner
    return tuple(place)


def child_of(node: yaml.Node, part: str | int) -> yaml.Node | None:
    if isinstance(node, yaml.MappingNode):
        return next((value for key, value in node.value if key.value == str(part)), None)
    if isinstance(node, yaml.SequenceNode) and isinstance(part, int) and part < len(node.value):
        inner: yaml.Node = node.value[part]
        return inner
    return None


def line_of(root: yaml.Node, place: tuple[str | int, ...]) -> int:
    """The line, from 1, on which an entry's key or value stands."""
    node = root
    line = root.start_mark.line
    for part in place:
        if isinstance(node, yaml.MappingNode):
            key = next((key for key, _ in node.value if key.value == str(part)), None)
            line = key.start_mark.line if key is not None else line
        inner = child_of(node, part)
        if inner is None:
            break
        if isinstance(node, yaml.SequenceNode):
            line = inner.start_mark.line
        node = inner
    return int(line) + 1
