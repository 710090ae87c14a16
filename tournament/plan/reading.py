"""The YAML file that declares a tournament or a study, read and checked: every mistake at once, each with its line."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import yaml
from pydantic import ValidationError

from tournament.errors import ConfigError
from tournament.plan.messages import form_mistake
from tournament.plan.mistakes import mistakes_of_sense
from tournament.plan.schema import Config
from tournament.plan.source import Source
from tournament.system import read_file
from tournament.text import nearest

MOST_NESTED = 50
MOST_ENTRIES = 100_000


def read_config(path: Path) -> Source:
    """The config in a file, with every mistake in it that shows without a look at the evaluators."""
    try:
        text = read_file(path).decode("utf-8")
    except OSError as error:
        hint = nearest(path.name, [other.name for other in path.parent.glob("*.y*ml")])
        raise ConfigError([f"{path}: can't be read ({error.strerror}){hint}"]) from error
    except UnicodeDecodeError as error:
        raise ConfigError([f"{path}: is not text in UTF-8."]) from error
    _check_size(path, text)
    try:
        root = yaml.compose(text, Loader=yaml.SafeLoader)
        content = yaml.safe_load(text)
    except yaml.MarkedYAMLError as error:
        is_no_key = error.problem == "could not find expected ':'"  # it is told of the line after the one that lacks it
        mark = (error.context_mark if is_no_key else error.problem_mark) or error.problem_mark or error.context_mark
        line = mark.line + 1 if mark else 1
        raise ConfigError([f"{path}:{line}: is not YAML: {error.problem or error.context}."]) from error
    except yaml.YAMLError as error:
        raise ConfigError([f"{path}:1: is not YAML: {' '.join(str(error).split())}."]) from error
    if not isinstance(root, yaml.MappingNode):
        raise ConfigError([f"{path}:1: is not a config: expected keys such as `players:` and `depths:`."])
    mistakes = [
        f"{path}:{line}: the key `{key}` stands here twice: keep one of them." for line, key in _repeated_keys(root)
    ]
    mistakes += [f"{path}:{line}: {what}" for line, what in _odd_numbers(root)]
    wrong: frozenset[str | int] = frozenset()
    try:
        config = Config.model_validate(content)
    except ValidationError as error:
        mistakes += [form_mistake(path, root, item) for item in error.errors()]
        wrong = frozenset(item["loc"][0] for item in error.errors())
        try:  # what is right in form may still be wrong in sense
            config = Config.model_validate({key: value for key, value in content.items() if key not in wrong})
        except ValidationError:
            raise ConfigError(mistakes) from error
    source = Source(path, text, root, config, wrong)
    return replace(source, mistakes=(*mistakes, *mistakes_of_sense(source)))


def _check_size(path: Path, text: str) -> None:
    """Raise where a text is nested too deep, or becomes too much once its aliases are what they stand for."""
    anchors: dict[str, int] = {}  # how many entries each of them has
    within: list[tuple[str | None, int]] = []  # of the collections around: their anchors, and the entries before them
    count = 0
    with suppress(yaml.YAMLError, RecursionError):  # which is told better when it is read
        for event in yaml.parse(text, getattr(yaml, "CSafeLoader", yaml.SafeLoader)):
            line = event.start_mark.line + 1 if event.start_mark else 1
            if isinstance(event, yaml.CollectionStartEvent):
                within.append((event.anchor, count))
            elif isinstance(event, yaml.CollectionEndEvent):
                anchor, before = within.pop()
                if anchor is not None:
                    anchors[anchor] = count - before
            elif isinstance(event, yaml.AliasEvent) and event.anchor is not None:
                count += anchors.get(event.anchor, 0)
            count += isinstance(event, yaml.NodeEvent)
            if len(within) > MOST_NESTED:
                raise ConfigError([f"{path}:{line}: is nested more than {MOST_NESTED} deep: a config needs 6 at most."])
            if count > MOST_ENTRIES:
                raise ConfigError([f"{path}:{line}: has more than {MOST_ENTRIES:,} entries, aliases counted in full."])


PLAIN_NUMBER = re.compile(r"[-+]?(0|[1-9][0-9_]*)")


def _odd_numbers(root: yaml.Node) -> Iterator[tuple[int, str]]:
    """Numbers that YAML reads as others than they look like: `010` is 8 to it, and `1:30` is 90."""
    nodes, seen = [root], set[yaml.Node]()
    while nodes:
        node = nodes.pop()
        if node in seen:
            continue
        seen.add(node)
        if isinstance(node, yaml.MappingNode):
            nodes += [part for pair in reversed(node.value) for part in reversed(pair)]
        elif isinstance(node, yaml.SequenceNode):
            nodes += reversed(node.value)
        elif _is_odd(node):
            number = yaml.safe_load(node.value)
            yield (
                node.start_mark.line + 1,
                f'`{node.value}` would be read as {number}: write that, or "{node.value}" where text is meant.',
            )


def _is_odd(node: Any) -> bool:
    if node.tag == "tag:yaml.org,2002:float":
        return ":" in node.value
    return node.tag == "tag:yaml.org,2002:int" and node.style is None and not PLAIN_NUMBER.fullmatch(node.value)


def _repeated_keys(node: yaml.Node, above: tuple[yaml.Node, ...] = ()) -> Iterator[tuple[int, str]]:
    """Keys that a mapping has twice, which YAML would silently let the last win."""
    if node in above:
        return  # an alias for what it stands in
    if isinstance(node, yaml.MappingNode):
        seen = set()
        for key, value in node.value:
            if key.value in seen:
                yield key.start_mark.line + 1, str(key.value)
            seen.add(key.value)
            yield from _repeated_keys(value, (*above, node))
    elif isinstance(node, yaml.SequenceNode):
        for value in node.value:
            yield from _repeated_keys(value, (*above, node))
