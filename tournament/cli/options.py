"""What several commands share: options, the note that something is being compiled, and how values are shown."""

from __future__ import annotations

import inspect
import json
import os
import sys
from collections.abc import Callable, Container, Iterable
from contextlib import suppress
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, cast, get_args

import typer

from tournament.engine.settings import Settings
from tournament.games.connect4 import Rules
from tournament.options import Option, for_all, options

if TYPE_CHECKING:
    from tournament.cli.waiting import Waiting
    from tournament.isolation.limits import Isolation

Values = dict[str, Any]  # of options, by name
RULES = options(Rules)
BOARD = tuple(option for option in RULES if option.name in ("rows", "columns", "connect"))
SEARCH = options(Settings)
IN_GAMES = for_all(Settings)  # that are played side by side
Evaluators = Annotated[
    list[Path] | None, typer.Option("--evaluators", help="A further file or folder of evaluators; may be repeated.")
]
IsolationOption = Annotated[
    str | None,
    typer.Option("--isolation", help="Where players search: game (together), player (each apart) or sandbox."),
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON for programs.")]


def takes(**groups: Iterable[Option]) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Makes a command take options in place of a parameter, which gets their values by name.

    typer reads options from a function's signature, so the command is given one in which every option stands.
    """

    def decorate(command: Callable[..., None]) -> Callable[..., None]:
        signature = inspect.signature(command, eval_str=True)

        @wraps(command)
        def with_options(**given: Any) -> None:
            for group, choices in groups.items():
                given[group] = {option.name: given.pop(option.name) for option in choices}
            command(**given)

        parameters: list[inspect.Parameter] = []
        for parameter in signature.parameters.values():
            made = (
                [_parameter(option, taken=signature.parameters) for option in groups[parameter.name]]
                if parameter.name in groups
                else [parameter]
            )
            parameters += (each.replace(kind=inspect.Parameter.KEYWORD_ONLY) for each in made)
        with_options.__signature__ = signature.replace(parameters=parameters)  # type: ignore[attr-defined]
        return with_options

    return decorate


def _parameter(option: Option, taken: Container[str]) -> inspect.Parameter:
    """An option as typer takes it. Choices are checked by the record they are for, which names the nearest."""
    names = [f"--{option.name}"] if option.kind is bool else []  # which has no --no-…
    if option.also and option.also not in taken:
        names = [f"--{option.name.replace('_', '-')}", f"--{option.also}"]
    about = typer.Option(*names, help=option.help, show_default=option.usual or True)
    kind: Any = option.kind if option.default is not None else option.kind | None
    return inspect.Parameter(
        option.name, inspect.Parameter.KEYWORD_ONLY, default=option.default, annotation=Annotated[kind, about]
    )


def announce_compiling(waiting: Waiting | None = None) -> None:
    """Say on standard error, once, when something has to be compiled first, in the line of what is waited for; and
    once that it can't be kept.
    """
    from tournament.engine.jit.cache import cache_folder, when_not_kept
    from tournament.engine.jit.specialise import when_compiling

    def announce() -> None:
        kept = "once; kept for the next time" if cache_folder() else "there is no cache folder to keep it in"
        when_compiling.clear()
        if waiting is not None and waiting.is_shown:
            waiting(f"compiling the search ({kept})")
            return
        with suppress(OSError):  # no fault of what is compiled
            print(f"compiling ({kept}) …", file=sys.stderr, flush=True)

    def complain(error: OSError) -> None:
        when_not_kept.clear()
        if os.getpid() != ours:  # a player's process, which prints into a file of its own
            return
        if waiting is not None:
            waiting.end()
        with suppress(OSError):
            print(
                f"machine code can't be kept in {cache_folder()} ({error.strerror}): each command compiles anew.",
                file=sys.stderr,
                flush=True,
            )

    ours = os.getpid()
    when_compiling[:], when_not_kept[:] = [announce], [complain]


def known_isolation(value: str | None) -> Isolation | None:
    """The isolation of that name; an error where there is none."""
    from tournament.errors import TourneyError
    from tournament.isolation.limits import Isolation
    from tournament.text import nearest

    if value is None:
        return None
    if value not in get_args(Isolation):
        known = ", ".join(get_args(Isolation))
        raise TourneyError(f"isolation `{value}` is not known{nearest(value, get_args(Isolation))} Known are {known}.")
    return cast("Isolation", value)


def print_json(value: Any) -> None:
    print(json.dumps(value, indent=2, ensure_ascii=False))
