"""What a person may choose, said once.

A field of `Settings` or of a game's `Rules` says its type, default, help and bounds. The keys of a config, the options
of commands, the values of an address and the fields of a form are made from that: a new one is there in all four.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field, fields
from functools import cache
from types import NoneType, UnionType
from typing import Any, Literal, NamedTuple, get_args, get_origin, get_type_hints


class Option(NamedTuple):
    """One field of a record that people choose the values of."""

    name: str
    kind: type  # int, float, bool or str
    default: Any  # None where it may be left out
    choices: tuple[str, ...]  # all that it may be, where they can be counted
    help: str  # a sentence
    label: str  # a few words, for a form
    usual: str = ""  # what it is when left out, in words, where that depends on something else
    choice_labels: Mapping[str, str] = {}
    least: float | None = None
    most: float | None = None
    step: float | None = None  # by which a form goes up and down
    also: str = ""  # another name on a command line, where the command has no use for it itself
    needs_cores: bool = False  # of its own: it can't be chosen where searches or games share them


def option(default: Any, *, help: str, label: str, **more: Any) -> Any:
    """A field of a dataclass that is an option; the arguments are those of `Option`, which has the rest by itself."""
    return field(default=default, metadata={"help": help, "label": label, **more})


@cache
def options(of: type) -> tuple[Option, ...]:
    """Every option of a record; those without a default come first, since people must choose one of them."""
    types = get_type_hints(of)
    found = []
    for f in sorted(fields(of), key=lambda each: each.default is not None):
        kind, choices = _kind_and_choices(types[f.name])
        default = None if "usual" in f.metadata else f.default
        found.append(Option(f.name, kind, default, choices, **f.metadata))
    return tuple(found)


def for_all(of: type) -> tuple[Option, ...]:
    """The options of a record that can be chosen where others search beside it, as on the page and in a duel."""
    return tuple(each for each in options(of) if not each.needs_cores)


def choices(of: type) -> dict[str, tuple[str, ...]]:
    """What each option of a record may be, of those whose values can be counted."""
    return {each.name: each.choices for each in options(of) if each.choices}


def _kind_and_choices(hint: Any) -> tuple[type, tuple[str, ...]]:
    if isinstance(hint, UnionType):
        (hint,) = (part for part in get_args(hint) if part is not NoneType)
    return (str, get_args(hint)) if get_origin(hint) is Literal else (hint, ())
