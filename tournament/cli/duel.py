from __future__ import annotations

import shlex
import signal
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tournament.cli.options import Evaluators, IsolationOption, Json, announce_compiling, known_isolation, print_json
from tournament.errors import TourneyError

if TYPE_CHECKING:
    from tournament.evidence.sprt import Decision

LINE_SECONDS = 1.0  # between two looks at how it stands


def command(
    new: Annotated[str, typer.Argument(help="The evaluator that may be better: a name or a file.")],
    old: Annotated[str, typer.Argument(help="The evaluator that it is held against.")],
    depth: Annotated[int, typer.Option(help="How many plies both look ahead.")] = 4,
    openings: Annotated[
        str, typer.Option(help="empty, plies=4, plies=6,sample=50, file=PATH, or 44,4435.")
    ] = "plies=4",
    max_pairs: Annotated[int | None, typer.Option(min=1, help="Stop after so many pairs.")] = None,
    elo0: Annotated[float, typer.Option(help="H0: NEW is at most so much better (normalized Elo).")] = 0.0,
    elo1: Annotated[float, typer.Option(help="H1: NEW is at least so much better.")] = 30.0,
    alpha: Annotated[float, typer.Option(help="How often H1 may be accepted wrongly.")] = 0.05,
    beta: Annotated[float, typer.Option(help="How often H0 may be accepted wrongly.")] = 0.05,
    jobs: Annotated[int | None, typer.Option(min=1, help="Worker processes; default: the number of cores.")] = None,
    seed: Annotated[int, typer.Option(help="The order of the openings, and a sample of them.")] = 1,
    out: Annotated[Path | None, typer.Option(help="Where the games are kept; default: reports/duel-NEW-OLD/.")] = None,
    fresh: Annotated[bool, typer.Option("--fresh", help="Forget the games that are there and play all anew.")] = False,
    isolation: IsolationOption = None,
    extra: Evaluators = None,
    as_json: Json = False,
) -> None:
    """Play two evaluators, pair by pair, until one can tell whether NEW is better than OLD."""
    from tournament.games.connect4 import STANDARD
    from tournament.isolation.process import reaping_orphans
    from tournament.plan.openings import parse_suite
    from tournament.plugins.catalogue import Catalogue
    from tournament.runs.duel import Terms, duel
    from tournament.runs.runner import Stopped, default_jobs

    terms = Terms(elo0, elo1, alpha, beta)
    suite = parse_suite(openings, STANDARD, seed)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    announce_compiling()
    catalogue = Catalogue(extra or ())
    challenger, champion = catalogue.read(new), catalogue.read(old)
    if challenger == champion:
        raise TourneyError(f"NEW and OLD are both {challenger.label}: a duel is between two files.")
    display = Display()
    try:
        with reaping_orphans():
            decision = duel(
                challenger,
                champion,
                depth=depth,
                suite=suite,
                most_pairs=max_pairs,
                terms=terms,
                out=out or Path("reports") / f"duel-{challenger.name}-{champion.name}",
                jobs=jobs or default_jobs(),
                isolation=known_isolation(isolation) or "game",
                seed=seed,
                fresh=fresh,
                command=shlex.join(["tourney", *sys.argv[1:]]),
                watch=display.show,
            )
    except Stopped as stopped:
        print(f"tourney: {stopped}", file=sys.stderr)
        raise typer.Exit(130) from None
    finally:
        display.close()
    if as_json:
        print_json(decision._asdict())
    else:
        print(sentence(challenger.name, champion.name, depth, decision))


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
            f"{decision.pairs:,} pairs, {decision.decisive:,} won by one, score {100 * decision.score:.1f} %, "
            f"LLR {decision.llr:+.2f} between {low:+.2f} and {high:+.2f}"
        )
        print(f"\r{line}\033[K" if self.on_terminal else line, end="" if self.on_terminal else "\n", file=sys.stderr)
        sys.stderr.flush()

    def close(self) -> None:
        if self.on_terminal and self.said:
            print(file=sys.stderr)


def sentence(new: str, old: str, depth: int, decision: Decision) -> str:
    """What the duel has shown, in words."""
    said = {
        "better": f"{new} is better than {old}",
        "worse": f"{new} is worse than {old}",
        "no difference": f"{new} is not better than {old} by as much as was asked",
        "can't tell": f"one can't tell whether {new} is better than {old}: more pairs that one side wins are needed",
    }[decision.verdict]
    low, high = decision.bounds
    return (
        f"At depth {depth} {said}. It scored {100 * decision.score:.1f} % over {decision.pairs:,} pairs, "
        f"{decision.decisive:,} of them won by one side; LLR {decision.llr:+.2f}, bounds {low:+.2f} and {high:+.2f}."
    )
