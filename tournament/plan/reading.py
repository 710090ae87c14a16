"""The YAML file that declares a tournament or a study, read and checked: every mistake at once, each with its line."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import yaml
from pydantic import ValidationError

from tournament.errors import ConfigError
from tournament.plan.messages import form_mistake
from tournament.plan.mistakes import mistakes_of_sense
from tournament.plan.schema import Config
from tournament.plan.source import Source
from tournament.text import nearest


def read_config(path: Path) -> Source:
    """The config in a file, with every mistake in it that shows without a look at the evaluators."""
    try:
        text = path.read_text("utf-8")
    except OSError as error:
        hint = nearest(path.name, [other.name for other in path.parent.glob("*.y*ml")])
        raise ConfigError([f"{path}: can't be read ({error.strerror}){hint}"]) from error
    except UnicodeDecodeError as error:
        raise ConfigError([f"{path}: is not text in UTF-8."]) from error
    try:
        root = yaml.compose(text, Loader=yaml.SafeLoader)
        content = yaml.safe_load(text)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line = mark.line + 1 if mark else 1
        raise ConfigError([f"{path}:{line}: is not YAML: {error.problem or error.context}."]) from error
    except yaml.YAMLError as error:
        raise ConfigError([f"{path}:1: is not YAML: {' '.join(str(error).split())}."]) from error
    if not isinstance(root, yaml.MappingNode):
        raise ConfigError([f"{path}:1: is not a config: expected keys such as `players:` and `depths:`."])
    mistakes = [
        f"{path}:{line}: the key `{key}` stands here twice: keep one of them." for line, key in _repeated_keys(root)
    ]
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
