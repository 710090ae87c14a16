"""Openings: the moves both players are made to play before they think, so that games differ.

Two deterministic players have two games to play from the empty board, and no more. A suite of openings gives
them as many as it has positions. The k-th opening of a suite depends on the suite and the seed alone.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Literal, get_args

from tournament.errors import OpeningError, PositionError
from tournament.games.connect4 import Position, Rules, canonical, column_digit, every_opening, is_open, play_moves
from tournament.system import read_file
from tournament.text import counted, nearest, shown
from tournament.truth.scope import check_rules
from tournament.truth.verdict import Value

Promise = Literal["win", "draw", "loss"]  # what perfect play makes of an opening, for the player who moves next
IN_WORDS = {"win": "won", "draw": "drawn", "loss": "lost"}
EXPECTED = "empty, plies=2, plies=6,sample=50, plies=4,value=draw, file=PATH, or 44,4435"
MOST_PLIES = 8  # of a whole suite: 92,000 openings on the standard board
MOST_SAMPLED = 100_000
TRIES = 200  # random games for each opening of a sample, before we say that there are not so many
TRIES_IN_VAIN = 20_000  # the same, without one that is new


class Suite(list[str]):
    """Openings, each position once, whatever the moves that lead to it; what was left out is said in `note`."""

    note: str = ""
    value: Promise | None = None  # what perfect play makes of all of them, where that was asked for

    @property
    def truths(self) -> dict[str, Value]:
        """What is known already of what perfect play makes of each."""
        return {} if self.value is None else dict.fromkeys(self, self.value)


def one_of_each(openings: Sequence[str], rules: Rules) -> Suite:
    """The openings without those that reach a position, or the mirror image of one, that an earlier one reaches."""
    reached: dict[Position, str] = {}
    for moves in openings:
        reached.setdefault(canonical(play_moves(Position(rules), moves)), moves)
    suite = Suite(reached.values())
    left_out = len(openings) - len(suite)
    if left_out:
        reach = "1 reaches" if left_out == 1 else f"{left_out:,} reach"
        is_played = "1 is" if len(suite) == 1 else f"{len(suite):,} are"
        suite.note = (
            f"of {len(openings):,} openings {reach} the position of an earlier one, or its mirror image: "
            f"{is_played} played"
        )
    return suite


def make_suite(rules: Rules, plies: int, sample: int | None, seed: int, value: Promise | None = None) -> Suite:
    """The openings of so many plies, or a sample of them, all of this value if one is asked for; there must be one."""
    if sample is None and plies > MOST_PLIES:
        raise OpeningError(
            f"openings of {plies} plies are too many to play all: take a sample, as in plies {plies}, sample 50."
        )
    is_wanted = _of_value(rules, value)
    if sample is None:
        every = every_opening(rules, plies)
        suite = [moves for moves in every if is_wanted(play_moves(Position(rules), moves))]
        if every and not suite:
            raise OpeningError(_none_of(value, f"of the {counted(len(every), 'opening')} of {plies} plies"))
    else:
        what = f"different openings of {plies} plies" + (f" that are {IN_WORDS[value]}" if value else "")
        suite = sample_openings(rules, plies, sample, seed, is_wanted, what)
    if not suite:
        raise OpeningError(f"there is no opening of {plies} plies that leaves both sides something to play for.")
    found = Suite(suite)
    found.value = value
    return found


def of_value(suite: Suite, rules: Rules, value: Promise | None) -> Suite:
    """Those openings of a suite that have a value, if one is asked for."""
    if value is None:
        return suite
    is_wanted = _of_value(rules, value)
    found = Suite(moves for moves in suite if is_wanted(play_moves(Position(rules), moves)))
    if not found:
        raise OpeningError(_none_of(value, f"of the {counted(len(suite), 'opening')}"))
    found.value = value
    are = "is" if len(found) == 1 else "are"
    found.note = (
        f"of {counted(len(suite), 'opening')} {len(found):,} {are} {IN_WORDS[value]} by perfect play, and played"
    )
    return found


def _none_of(value: Promise | None, where: str) -> str:
    return f"{where} none is {IN_WORDS[value or 'draw']} by perfect play: choose another value, or more plies."


def _of_value(rules: Rules, value: Promise | None) -> Callable[[Position], bool]:
    """Whether perfect play makes that of a position; OpeningError where it can't be proven."""
    if value is None:
        return lambda position: True
    from tournament.truth.judge import LONG, Judge  # late: the compiler comes with it

    judge = Judge(rules)

    def is_wanted(position: Position) -> bool:
        found = judge.value(position, nodes=LONG)
        if found == "unknown":
            raise OpeningError(
                f"what perfect play makes of `{position}` is not proven within {LONG:,} nodes: take openings of more "
                "plies, a smaller board, or no value."
            )
        return found == value

    return is_wanted


def parse_suite(text: str, rules: Rules, seed: int) -> Suite:
    """The suite that a command line names: one of EXPECTED."""
    settings = dict(part.partition("=")[::2] for part in text.split(","))
    value = _known_value(settings.pop("value", None), rules)
    if text.startswith("file="):
        return of_value(read_openings(Path(settings["file"]), rules), rules, value)
    if "=" not in text:
        listed = ["" if moves == "empty" else moves for moves in text.split(",")]
        return one_of_each([check_opening(moves, rules) for moves in listed], rules)
    unknown = [name for name in settings if name not in ("plies", "sample")]
    numbers = {name: value for name, value in settings.items() if value.isascii() and value.isdigit()}
    if unknown or len(numbers) < len(settings) or "plies" not in settings or settings.get("sample") == "0":
        raise OpeningError(f"openings `{text}`: expected {EXPECTED}.")
    sample = int(numbers["sample"]) if "sample" in numbers else None
    return make_suite(rules, int(numbers["plies"]), sample, seed, value)


def _known_value(text: str | None, rules: Rules) -> Promise | None:
    """A value as it was written, where the solver knows the game."""
    if text is None:
        return None
    for value in get_args(Promise):
        if text == value:
            check_rules(rules)
            return value  # type: ignore[no-any-return]
    known = get_args(Promise)
    raise OpeningError(f"value `{text}` is not known{nearest(text, known)} Known are {', '.join(known)}.")


def sample_openings(
    rules: Rules,
    plies: int,
    sample: int,
    seed: int,
    is_wanted: Callable[[Position], bool] = lambda position: True,
    what: str = "",
) -> list[str]:
    """So many different openings of so many plies that are wanted, by random play from the seed."""
    if sample > MOST_SAMPLED:
        raise OpeningError(f"a sample of {sample:,} openings is more than the {MOST_SAMPLED:,} that can be drawn.")
    found: dict[Position, str] = {}
    chance = random.Random(f"openings {seed}")
    in_vain = 0
    for _ in range(TRIES * sample):
        if len(found) == sample or in_vain == TRIES_IN_VAIN:
            break
        before = len(found)
        moves = _random_moves(rules, plies, chance)
        if moves is not None:
            position = canonical(play_moves(Position(rules), moves))
            if position not in found and is_wanted(position):
                found[position] = moves
        in_vain = 0 if len(found) > before else in_vain + 1
    if len(found) < sample:
        raise OpeningError(
            f"only {len(found)} {what or f'different openings of {plies} plies'} were found, and the sample is to "
            f"have {sample}: "
            "ask for fewer, or for more plies."
        )
    return list(found.values())


def _random_moves(rules: Rules, plies: int, chance: random.Random) -> str | None:
    position, moves = Position(rules), ""
    for _ in range(plies):
        if position.result is not None:
            return None
        column = chance.choice(position.open_columns())
        position, moves = position.play(column), moves + column_digit(column)
    return moves if is_open(position) else None


def check_opening(moves: str, rules: Rules) -> str:
    """The opening itself, or an error where it can't be played or leaves nothing to play."""
    if play_moves(Position(rules), moves).result is not None:
        raise PositionError(f"opening `{moves}` ends the game: an opening leaves something to play.")
    return moves


def read_openings(path: Path, rules: Rules) -> Suite:
    """The openings in a file: digits, one a line, `empty` for none; what follows a # is a comment.

    One that reaches the position of an earlier one is left out.
    """
    try:
        lines = read_file(path).decode("utf-8").splitlines()
    except OSError as error:
        raise OpeningError(f"{shown(path)}: can't be read ({error.strerror}).") from error
    except UnicodeDecodeError as error:
        raise OpeningError(f"{shown(path)}: is not text in UTF-8.") from error
    found: list[str] = []
    for number, moves in _entries(lines):
        try:
            found.append(check_opening(moves, rules))
        except PositionError as error:
            raise OpeningError(f"{shown(path)}:{number}: {error}") from error
    if not found:
        raise OpeningError(f"{shown(path)}: has no openings: write one a line, as digits.")
    return one_of_each(found, rules)


def _entries(lines: list[str]) -> Iterator[tuple[int, str]]:
    for number, line in enumerate(lines, start=1):
        moves = line.partition("#")[0].strip()
        if moves:
            yield number, "" if moves == "empty" else moves
