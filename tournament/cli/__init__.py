"""The `tourney` command. Each command parses, calls one function and renders; one file each.

Nothing heavy is imported before a command runs, so that help comes at once.
"""

from __future__ import annotations

import signal
import sys

import typer

from tournament.cli import (
    bench,
    check,
    duel,
    evaluators,
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
)
from tournament.errors import TourneyError

app = typer.Typer(
    help="Play evaluation functions for Connect Four and its relatives against each other.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
for module in (run, duel, report, show, search, play, serve, evaluators, new, check, openings, schema, perft, bench):
    app.command(module.__name__.rpartition(".")[2])(module.command)


@app.callback(invoke_without_command=True)
def _version(
    version: bool = typer.Option(False, "--version", help="Print the version and stop."),
) -> None:
    if version:
        from importlib.metadata import version as installed

        print(installed("tourney"))
        raise typer.Exit


def main() -> None:
    """Run the command line; a mistake in what we were given is one message and exit code 2."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # Ctrl-C ends us even within compiled code; `run` does it gently
    try:
        app()
    except TourneyError as error:
        print(f"tourney: {error}", file=sys.stderr)
        sys.exit(2)
