from __future__ import annotations

import shlex
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tournament.cli.options import (
    IN_GAMES,
    RULES,
    Evaluators,
    IsolationOption,
    Json,
    Values,
    announce_compiling,
    known_isolation,
    print_json,
    takes,
)
from tournament.cli.shown import evaluator_names, prints_aside
from tournament.cli.signals import ending_gently
from tournament.engine.settings import settings_for
from tournament.errors import TourneyError
from tournament.games.connect4 import Rules
from tournament.text import counted

if TYPE_CHECKING:
    from tournament.evidence.sprt import Decision

LINE_SECONDS = 1.0  # between two looks at how it stands
USUAL_DEPTH = 4  # at which a pair takes some milliseconds


@takes(
    search_values=[
        option._replace(usual=f"{USUAL_DEPTH}") if option.name == "depth" else option for option in IN_GAMES
    ],
    rule_values=RULES,
)
def command(
    *,
    new: Annotated[
        str,
        typer.Argument(help="The evaluator that may be better: a name or a file.", autocompletion=evaluator_names),
    ],
    old: Annotated[str, typer.Argument(help="The evaluator that it is held against.", autocompletion=evaluator_names)],
    search_values: Values,
    rule_values: Values,
    openings: Annotated[
        str, typer.Option(help="empty, plies=4, plies=6,sample=50, plies=4,value=draw, file=PATH, or 44,4435.")
    ] = "plies=4",
    max_pairs: Annotated[int | None, typer.Option(min=1, help="Stop after so many pairs.")] = None,
    elo0: Annotated[float, typer.Option(help="H0: NEW is at most so much better (normalized Elo).")] = 0.0,
    elo1: Annotated[float, typer.Option(help="H1: NEW is at least so much better.")] = 30.0,
    alpha: Annotated[float, typer.Option(help="How often H1 may be accepted wrongly.")] = 0.05,
    beta: Annotated[float, typer.Option(help="How often H0 may be accepted wrongly.")] = 0.05,
    jobs: Annotated[int | None, typer.Option(min=1, help="Worker processes; default: the number of cores.")] = None,
    seed: Annotated[int, typer.Option(help="The order of the openings, and a sample of them.")] = 1,
    out: Annotated[
        Path | None, typer.Option(help="Where games and reports are kept; default: reports/duel-NEW-OLD/.")
    ] = None,
    fresh: Annotated[bool, typer.Option("--fresh", help="Forget the games that are there and play all anew.")] = False,
    isolation: IsolationOption = None,
    extra: Evaluators = None,
    as_json: Json = False,
    exit_code: Annotated[
        bool,
        typer.Option("--exit-code", help="Exit with 0 where H1 is accepted, 1 where H0 is, 3 where one can't tell."),
    ] = False,
) -> None:
    """Play two evaluators, pair by pair, until one can tell whether NEW is better than OLD."""
    from tournament.evidence.sprt import Terms
    from tournament.isolation.process import reaping_orphans
    from tournament.plan.openings import parse_suite
    from tournament.plugins.catalogue import Catalogue
    from tournament.runs.duel import duel
    from tournament.runs.runner import default_jobs

    terms, rules = Terms(elo0, elo1, alpha, beta), Rules(**rule_values)
    settings = settings_for(rules, search_values, USUAL_DEPTH)
    suite = parse_suite(openings, rules, seed)
    announce_compiling()
    catalogue = Catalogue(extra or ())
    challenger, champion = catalogue.read(new), catalogue.read(old)
    if challenger == champion:
        raise TourneyError(f"NEW and OLD are both {challenger.label}: a duel is between two files.")
    if suite.note:
        print(suite.note, file=sys.stderr)
    folder = out or Path("reports") / f"duel-{challenger.name}-{champion.name}"
    display = Display()
    last_word = f"stopped; what was played is kept in {folder}: the same command goes on from there."
    try:
        with ending_gently(last_word), reaping_orphans(), prints_aside(as_json):
            shown = duel(
                challenger,
                champion,
                settings=settings,
                suite=suite,
                rules=rules,
                most_pairs=max_pairs,
                terms=terms,
                out=folder,
                jobs=jobs or default_jobs(),
                isolation=known_isolation(isolation) or "game",
                seed=seed,
                fresh=fresh,
                command=shlex.join(["tourney", *sys.argv[1:]]),
                watch=display.show,
            )
    finally:
        display.close()
    if as_json:
        print_json(shown.as_json())
    else:
        print(*shown.sentences, sep="\n")
        print(f"{folder / 'report.html'} has the games", file=sys.stderr)
    if exit_code:
        raise typer.Exit(shown.exit_code)


class Display:
    """How a duel stands, on standard error: one line, kept up to date on a terminal."""

    def __init__(self) -> None:
        self.said = 0.0
        self.on_terminal = sys.stderr.isatty()

    def show(self, decision: Decision) -> None:
        if time.monotonic() - self.said < LINE_SECONDS:
            return
        self.said = time.monotonic()
        low, high = decision.bounds
        line = (
            f"{counted(decision.pairs, 'pair')}, {decision.decisive:,} won by one, score {100 * decision.score:.1f} %, "
            f"LLR {decision.llr:+.2f} between {low:+.2f} and {high:+.2f}"
        )
        print(f"\r{line}\033[K" if self.on_terminal else line, end="" if self.on_terminal else "\n", file=sys.stderr)
        sys.stderr.flush()

    def close(self) -> None:
        if self.on_terminal and self.said:
            print(file=sys.stderr)
