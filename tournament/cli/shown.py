"""How commands stand in help and on a shell's command line, and how others are kept from printing."""

from __future__ import annotations

import ctypes
import inspect
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial, wraps
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, get_args, get_origin

from typer.core import TyperArgument, TyperCommand
from typer.models import ArgumentInfo, OptionInfo

KINDS = {bool: "", int: "NUMBER", float: "NUMBER", Path: "PATH", str: "NAME"}


class Command(TyperCommand):
    """A command whose flags and arguments stand in its help without a type."""

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        for parameter in self.params:
            if isinstance(parameter, TyperArgument):
                parameter.display_type_rich = lambda ctx: None  # type: ignore[method-assign]
                parameter.get_usage_pieces = partial(_in_usage, parameter)  # type: ignore[method-assign]

    def get_help_option(self, ctx: Any) -> Any:
        option = super().get_help_option(ctx)
        if option is not None:
            option.metavar = ""
        return option


def _in_usage(argument: TyperArgument, ctx: Any) -> list[str]:
    """An argument in the line that says how a command is used: `NAME`, or `[NAME]` where it may be left out."""
    return [f"{argument.metavar}" if argument.required else f"[{argument.metavar}]"]


def named_values(command: Callable[..., None]) -> Callable[..., None]:
    """The command, whose help says in a word what its options and arguments take."""
    signature = inspect.signature(command, eval_str=True)

    @wraps(command)
    def with_names(**given: Any) -> None:
        command(**given)

    for name, parameter in signature.parameters.items():
        hint, *about = get_args(parameter.annotation) or [parameter.annotation]
        for info in about:
            if isinstance(info, ArgumentInfo | OptionInfo) and info.metavar is None:
                info.metavar = name.upper() if isinstance(info, ArgumentInfo) else KINDS.get(_kind(hint), "VALUE")
    with_names.__signature__ = signature  # type: ignore[attr-defined]
    with_names.__annotations__ = {name: each.annotation for name, each in signature.parameters.items()}
    return with_names


def _kind(hint: Any) -> Any:
    """What one value of an option is."""
    if get_origin(hint) is UnionType or isinstance(hint, UnionType):
        (hint,) = (part for part in get_args(hint) if part is not NoneType)
    return get_args(hint)[0] if get_origin(hint) is list else hint


# ── completion ───────────────────────────────────────────────────────────────────────────────────


def evaluator_names(incomplete: str) -> list[str]:
    """Evaluators whose names begin like this, and files."""
    from tournament.plugins.catalogue import Catalogue

    names = [name for name in Catalogue().names() if name.startswith(incomplete)]
    return [*names, *_paths(incomplete, (".py",))]


def config_files(incomplete: str) -> list[str]:
    """Configs whose paths begin like this."""
    return _paths(incomplete, (".yaml", ".yml"))


def config_names(incomplete: str) -> list[str]:
    """Bundled configs whose names begin like this."""
    from tournament.plan.bundled import bundled_configs

    return [config.name for config in bundled_configs() if config.name.startswith(incomplete)]


def _paths(incomplete: str, endings: tuple[str, ...]) -> list[str]:
    folder = Path(incomplete).parent if not incomplete.endswith("/") else Path(incomplete)
    here = "./" if incomplete.startswith("./") else ""  # which a path does not keep, and a shell looks for
    found = {f"{here}{path}{'/' if path.is_dir() else ''}": path for path in sorted(folder.glob("*"))}
    fitting = {told: path for told, path in found.items() if told.startswith(incomplete)}
    return [told for told, path in fitting.items() if path.is_dir() or path.suffix in endings]


# ── what is printed ──────────────────────────────────────────────────────────────────────────────


@contextmanager
def prints_aside(aside: bool = True) -> Iterator[None]:
    """Whatever the files of others print meanwhile, also in their processes, goes to standard error."""
    if not aside:
        yield
        return
    sys.stdout.flush()
    kept = os.dup(1)
    os.dup2(2, 1)
    try:
        yield
    finally:
        sys.stdout.flush()
        ctypes.CDLL(None).fflush(None)  # what compiled code has printed
        os.dup2(kept, 1)
        os.close(kept)
