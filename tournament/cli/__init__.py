"""The `tourney` command. Each command parses, calls one function and renders; one file each.

Nothing heavy is imported before a command runs, so that help comes at once; and nothing that Windows lacks, so that
a command can say there that it needs another system.
"""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable
from functools import wraps

import typer

from tournament.cli import (
    bench,
    check,
    configs,
    duel,
    evaluators,
    guide,
    new,
    openings,
    perft,
    play,
    report,
    run,
    schema,
    search,
    serve,
    show,
    solve,
)
from tournament.cli.output import unbroken_output
from tournament.errors import TourneyError
from tournament.system import about, check_folder, check_system, what_is_short

OF_LIMITS = (MemoryError, OSError, RuntimeError, ImportError)  # what a limit of the system may look like
ANYWHERE = ("configs", "guide")  # commands that print what comes with us, on Windows too

app = typer.Typer(
    help="Play evaluation functions for Connect Four and its relatives against each other.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _checked(command: Callable[..., None]) -> Callable[..., None]:
    """The command, which says so where it can't run on this system; its help is the same."""

    @wraps(command)
    def checked(**given: object) -> None:
        check_system()
        command(**given)

    return checked


for module in (
    run, duel, report, show, search, solve, play, serve, evaluators, new, check, configs, openings, schema, perft,
    bench, guide,
):  # fmt: skip
    name = module.__name__.rpartition(".")[2]
    app.command(name)(module.command if name in ANYWHERE else _checked(module.command))


@app.callback(invoke_without_command=True)
def _version(
    version: bool = typer.Option(False, "--version", help="Print the versions of tourney, Python and numba, and stop."),
) -> None:
    if version:
        print(about())
        raise typer.Exit


def main() -> None:
    """Run the command line; a mistake in what we were given is one message and exit code 2."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # Ctrl-C ends us even within compiled code; `run` does it gently
    code: object = 0
    with unbroken_output() as failures:
        try:
            check_folder()
            app()
        except (TourneyError, *OF_LIMITS) as error:
            told = str(error) if isinstance(error, TourneyError) else what_is_short(error)
            if told is None:
                raise
            print(f"tourney: {told}", file=sys.stderr)
            code = 2
        except SystemExit as ended:
            code = ended.code
    sys.exit(code or (1 if failures else 0))  # type: ignore[arg-type]
