"""What an author needs to know of an evaluator before the tournament."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import astuple, dataclass
from itertools import islice
from typing import Any, Literal

from tournament.engine import nodes
from tournament.engine.settings import Settings
from tournament.engine.timing import nanoseconds_per_call
from tournament.errors import EvaluatorError, EvaluatorFault
from tournament.games.connect4 import SEATS, STANDARD, Position, Rules
from tournament.games.samples import random_positions
from tournament.isolation.call import each
from tournament.match.referee import play
from tournament.match.side import LocalSide
from tournament.plugins.catalogue import Catalogue, Listing
from tournament.plugins.compiled import BITBOARD_BITS, Scorer
from tournament.plugins.evaluator import Evaluator
from tournament.plugins.player import Player
from tournament.plugins.plugin import MOST_TRACEBACK
from tournament.text import in_plies, storable

Status = Literal["ok", "remark", "fault"]

POSITIONS = 60  # of each board: more than a standard game has plies, so that every phase is met
SMALL, LARGE = Rules(4, 5, 3), Rules(10, 11, 5)
MOST_SECONDS = 60.0  # for one of the checks
MOST_FINDINGS = 100
OTHER_BOARDS = "only of matter where it is to play on such boards"
OPPONENT, DEPTH = "windows", 4


@dataclass(frozen=True)
class Finding:
    """One thing that was looked at, and what came out."""

    check: str
    status: Status
    detail: str


@dataclass(frozen=True)
class Checkup:
    """All findings on one evaluator."""

    name: str
    file: str
    findings: tuple[Finding, ...]

    @property
    def passed(self) -> bool:
        return all(finding.status != "fault" for finding in self.findings)


def check(name: str, catalogue: Catalogue, tell: Callable[[Finding], None] = lambda finding: None) -> Checkup:
    """Everything there is to say of the evaluator of that name or path, up to the first thing that stops it.

    It is looked at in a process of its own: one that never answers, or ends its process, is a finding too. `tell` is
    called with each finding as it is made.
    """
    entry = catalogue.find(name)
    nodes.compiled(STANDARD, extended=False)  # here, where it can be said that it takes a while
    findings: list[Finding] = []

    def found(finding: Finding) -> None:
        findings.append(finding)
        tell(finding)

    with closing(each(lambda: map(astuple, _all_findings(entry, catalogue)), MOST_SECONDS)) as told:
        try:
            for one in islice(told, MOST_FINDINGS):
                found(_understood(one))
        except TimeoutError:
            last = f" after `{findings[-1].check}`" if findings else ""
            found(Finding("answers", "fault", f"not for {MOST_SECONDS:g} seconds{last}: an endless loop?"))
        except ChildProcessError as error:
            found(Finding("stays alive", "fault", str(error)))
    return Checkup(entry.name, str(entry), tuple(findings))


def _understood(told: Any) -> Finding:
    """A finding as the process tells it, which a stranger's code may have written."""
    match told:
        case [str(what), ("ok" | "remark" | "fault") as status, str(detail)]:
            return Finding(f"{storable(what):.80}", status, f"{storable(detail):.{MOST_TRACEBACK}}")
    raise ChildProcessError("its process answered with what is no answer")


def _all_findings(entry: Listing, catalogue: Catalogue) -> Iterator[Finding]:
    try:
        yield from _findings(entry.load(), catalogue)
    except EvaluatorError as error:
        yield Finding("loads", "fault", str(error))
    except EvaluatorFault as fault:
        yield Finding("scores every position", "fault", str(fault))


def _findings(evaluator: Evaluator, catalogue: Catalogue) -> Iterator[Finding]:
    yield Finding("loads", "ok", f"evaluate({', '.join(evaluator.parameters)})")
    if not evaluator.description:
        yield Finding("describes itself", "remark", "no docstring: its first line would stand in every table")
    scorer = Scorer(evaluator, STANDARD)
    if scorer.reason is None:
        yield Finding("compiles", "ok", "runs at compiled speed")
    else:
        yield Finding("compiles", "remark", f"runs in Python, many times slower: {scorer.reason}")
    yield _leaves_board_alone(evaluator)
    positions = random_positions(STANDARD, POSITIONS)
    scores = [_both_scores(scorer, position) for position in positions]
    yield Finding("scores every position", "ok", f"finite and below a win on {2 * POSITIONS} positions of every phase")
    yield _repeats(scorer, positions, scores)
    if scorer.compiled:
        yield _agrees_with_python(evaluator, positions, scores)
    yield from _other_boards(evaluator)
    yield _mirror(scorer, positions, scores)
    yield _side_swap(positions, scores)
    yield Finding("speed", "ok", f"{nanoseconds_per_call(scorer):,.0f} ns per call")
    yield from _quick_games(evaluator, catalogue)


def _both_scores(scorer: Scorer, position: Position) -> tuple[float, float]:
    scorer.forget()
    return scorer.score(position, "first"), scorer.score(position, "second")


def _leaves_board_alone(evaluator: Evaluator) -> Finding:
    what = "leaves the board as it was"
    if "board" not in evaluator.parameters:
        return Finding(what, "ok", "does not ask for the board")
    for position in random_positions(STANDARD, POSITIONS):
        arguments = evaluator.arguments(position.seen_by("first"))
        board = arguments["board"]
        before = board.copy()
        board.flags.writeable = True
        try:
            evaluator.function(**arguments)
        except BaseException:  # reported where the scores are asked for, with its line
            break
        if (board != before).any():
            detail = f"{evaluator.where}: it writes to the board, which is read-only in a search: work on a copy"
            return Finding(what, "fault", detail)
    return Finding(what, "ok", "it is read-only in a search")


def _repeats(scorer: Scorer, positions: list[Position], scores: list[tuple[float, float]]) -> Finding:
    what = "same score twice"
    for position, score in zip(positions, scores, strict=True):
        again = _both_scores(scorer, position)
        if again != score:
            detail = f"{scorer.evaluator.where}: {score} became {again} on `{position}`"
            return Finding(what, "fault", detail)
    return Finding(what, "ok", "no chance, no memory")


def _agrees_with_python(evaluator: Evaluator, positions: list[Position], scores: list[tuple[float, float]]) -> Finding:
    what = "same score compiled and in Python"
    difference = _difference(evaluator, positions, scores)
    if difference:
        return Finding(what, "fault", f"{difference}: look for integers beyond 64 bits and for changing globals")
    return Finding(what, "ok", f"equal on {2 * len(positions)} positions")


def _difference(evaluator: Evaluator, positions: list[Position], scores: list[tuple[float, float]]) -> str:
    """Where compiled code and Python disagree, or nothing."""
    for position, compiled in zip(positions, scores, strict=True):
        try:
            plain = tuple(evaluator.score(position.seen_by(seat)) for seat in SEATS)
        except EvaluatorFault as fault:
            return f"{compiled} compiled, but in Python {fault}"
        if plain != compiled:
            return f"{evaluator.where}: {compiled} compiled and {plain} in Python on `{position}`"
    return ""


def _other_boards(evaluator: Evaluator) -> Iterator[Finding]:
    for rules in (SMALL, LARGE):
        what = f"{rules} board, connect {rules.connect}"
        if rules.bits > BITBOARD_BITS and {"mine", "theirs"} & set(evaluator.parameters):
            yield Finding(what, "remark", f"`mine` and `theirs` only go to {BITBOARD_BITS} bits: ask for `position`")
            continue
        positions = random_positions(rules, POSITIONS)
        try:
            scorer = Scorer(evaluator, rules)
            scores = [_both_scores(scorer, position) for position in positions]
        except EvaluatorFault as fault:
            yield _on_another_board(evaluator, what, str(fault))
            continue
        difference = _difference(evaluator, positions, scores) if scorer.compiled else ""
        if difference:
            yield _on_another_board(evaluator, what, difference)
        else:
            yield Finding(what, "ok", f"scores {2 * POSITIONS} positions")


def _on_another_board(evaluator: Evaluator, what: str, wrong: str) -> Finding:
    """What is wrong there: a fault of a file that asks for the rules, and so is meant for other boards."""
    if {"rules", "position"} & set(evaluator.parameters):
        return Finding(what, "fault", wrong)
    return Finding(what, "remark", f"{OTHER_BOARDS}: {wrong}")


def _mirror(scorer: Scorer, positions: list[Position], scores: list[tuple[float, float]]) -> Finding:
    what = "mirror images score the same"
    differing = [p for p, s in zip(positions, scores, strict=True) if _both_scores(scorer, p.mirrored()) != s]
    if differing:
        return Finding(what, "remark", f"not on {len(differing)} of {POSITIONS}, such as `{differing[0]}`")
    return Finding(what, "ok", "on every position")


def _side_swap(positions: list[Position], scores: list[tuple[float, float]]) -> Finding:
    what = "my gain is the opponent's loss"
    differing = [p for p, (mine, theirs) in zip(positions, scores, strict=True) if mine != -theirs]
    if differing:
        return Finding(what, "remark", f"not on {len(differing)} of {POSITIONS}, such as `{differing[0]}`")
    return Finding(what, "ok", "on every position")


def _quick_games(evaluator: Evaluator, catalogue: Catalogue) -> Iterator[Finding]:
    settings = Settings(DEPTH)
    own = LocalSide(Player(evaluator.name, evaluator, settings), STANDARD, 1)
    try:
        opponent = catalogue.load(OPPONENT)
    except EvaluatorError as error:  # a file of that name beside the bundled one, of which this one knows nothing
        yield Finding(f"against {OPPONENT}", "remark", f"not played: {error}")
        return
    other = LocalSide(Player(OPPONENT, opponent, settings), STANDARD, 1)
    for seat in SEATS:
        game = play(own, other) if seat == "first" else play(other, own)
        what = f"against {OPPONENT}, depth {DEPTH}, {seat}"
        if game.fault is not None:
            yield Finding(what, "fault", f"forfeits after {in_plies(len(game.moves))}: {game.fault}")
            continue
        outcome = "draws" if game.result == "draw" else "wins" if game.result == seat else "loses"
        detail = f"{outcome} after {in_plies(len(game.moves))}: {game.moves}"
        yield Finding(what, "ok", detail)
