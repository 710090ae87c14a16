"""What a request asks for: text from an address or a form made into rules, positions and settings, checked."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import asdict
from typing import Any

from tournament.engine.algorithms import usual_algorithm
from tournament.engine.settings import LIMITS, Settings, settings_for
from tournament.errors import TourneyError
from tournament.games.connect4 import SEATS, STANDARD, Position, Rules, column_digit, read_position
from tournament.options import Option, for_all, options
from tournament.text import nearest

HUMAN = "human"
ORACLE = "oracle"  # plays perfectly
USUAL_DEPTH = 8
MOST_TEXT = 600  # characters of one value: the largest diagram has 256
MOST_SECONDS = 30.0  # of a budget: somebody is waiting
MOST_TABLE = 22  # 128 MB in each thinker
YES, NO = ("1", "true", "on", "yes"), ("", "0", "false", "off", "no")


class Query:
    """The values that came with a request, by name. What is missing or empty is as usual."""

    def __init__(self, items: Iterable[tuple[object, object]]) -> None:
        self.given: dict[str, str] = {}
        for name, value in items:
            if isinstance(value, bool):
                value = "1" if value else ""
            if not isinstance(name, str) or not isinstance(value, str | int | float | None):
                raise TourneyError("every value of a request is text or a number: send names with plain values.")
            try:
                text = "" if value is None else str(value).strip()
                f"{name}{text}".encode()
            except ValueError:
                raise TourneyError("a value of this request is no text: send UTF-8 and ordinary numbers.") from None
            if len(name) + len(text) > MOST_TEXT:
                raise TourneyError(f"`{name[:20]}` is {len(text):,} characters long: at most {MOST_TEXT} are read.")
            self.given[name] = text

    def only(self, known: Iterable[str]) -> None:
        """Refuse a name that nothing is asked by, so that nobody takes what is usual for what they asked for."""
        known = list(known)
        for name in self.given:
            if name not in known:
                raise TourneyError(f"this address has `{name[:30]}`, which is not known here{nearest(name, known)}")

    def text(self, name: str, usual: str = "") -> str:
        return self.given.get(name) or usual

    def whole(self, name: str, usual: int) -> int:
        """A whole number."""
        text = self.text(name)
        if not text:
            return usual
        if not re.fullmatch(r"[-+]?[0-9]{1,15}", text):
            raise TourneyError(f"{name} is `{text[:30]}`: write a whole number, as in {usual}.")
        return int(text)

    def number(self, name: str, usual: float) -> float:
        text = self.text(name)
        try:
            return float(text) if text else usual
        except ValueError:
            raise TourneyError(f"{name} is `{text[:30]}`: write a number, as in {usual or 20:g}.") from None

    def switch(self, name: str) -> bool:
        text = self.text(name).lower()
        if text not in YES + NO:
            raise TourneyError(f"{name} is `{text[:30]}`: it is either on or off, 1 or 0.")
        return text in YES

    def value(self, option: Option, name: str) -> Any:
        """The value of an option under this name; None where there is none."""
        if not self.text(name):
            return None
        if option.kind is bool:
            return self.switch(name)
        if option.kind is int:
            return self.whole(name, option.default or 0)
        return self.number(name, option.default or 0.0) if option.kind is float else self.text(name)

    def rules(self) -> Rules:
        values = {option.name: self.value(option, option.name) for option in options(Rules)}
        return Rules(**{name: value for name, value in values.items() if value is not None})

    def position(self, rules: Rules) -> Position:
        """The position by `position` (moves, a diagram, `empty`) or by `moves`."""
        return read_position(self.text("position") or self.text("moves", "empty"), rules)

    def moves(self) -> str:
        return self.text("moves")

    def column(self, position: Position) -> int:
        """The column to play, from 0; it must be open."""
        column = self.whole("column", 0)
        if column not in [open_column + 1 for open_column in position.open_columns()]:
            known = " ".join(column_digit(open_column) for open_column in position.open_columns())
            exists = 1 <= column <= position.rules.columns
            why = "is full" if exists else "does not exist" if self.text("column") else "is missing"
            raise TourneyError(f"column {self.text('column')[:9]} {why}: open columns are {known}.")
        return column - 1

    def seed(self) -> int:
        return self.whole("seed", 1)

    def within(self) -> float | None:
        """How many seconds somebody is willing to wait."""
        seconds = self.number("within", 0.0)
        if not 0 <= seconds <= 3600:
            raise TourneyError(f"within is {seconds:g}: it is a number of seconds.")
        return seconds or None

    def path(self) -> list[int]:
        """The way down a tree: places of children, as in `0-3-1`."""
        text = self.text("path")
        if text and not re.fullmatch(r"[0-9]{1,3}(-[0-9]{1,3})*", text):
            raise TourneyError(f"path is `{text[:30]}`: write the places of children, as in 0-3-1.")
        return [int(place) for place in text.split("-")] if text else []

    def settings(self, rules: Rules, seat: str = "") -> Settings:
        """How to search: as said for that seat, else as said for both, else as usual."""
        prefix = f"{seat}_"
        own = any(self.text(prefix + name) for name in LIMITS)  # a limit of its own replaces the others'

        def key(name: str) -> str:
            return prefix + name if self.text(prefix + name) or (own and name in LIMITS) else name

        values = {option.name: self.value(option, key(option.name)) for option in for_all(Settings)}
        settings = settings_for(rules, values, USUAL_DEPTH)
        if settings.seconds is not None and settings.seconds > MOST_SECONDS:
            raise TourneyError(f"seconds is {settings.seconds:g}: on the page a move takes at most {MOST_SECONDS:g} s.")
        if settings.table > MOST_TABLE:
            raise TourneyError(f"table is {settings.table}: on the page it is at most {MOST_TABLE}.")
        return settings


OF_RULES = [option.name for option in options(Rules)]
OF_SEARCH = [option.name for option in for_all(Settings)]
OF_SEATS = [f"{seat}_{name}" for seat in SEATS for name in OF_SEARCH]


def rules_told(rules: Rules) -> dict[str, str]:
    """The rules as an address has them: only what is not as usual."""
    usual = asdict(STANDARD)
    return {name: plain(value) for name, value in asdict(rules).items() if value != usual[name]}


def settings_told(settings: Settings, rules: Rules) -> dict[str, str]:
    """Settings as an address has them: the limit, and what is not as usual."""
    told = settings.non_defaults()
    if settings.algorithm == usual_algorithm(rules):
        told.pop("algorithm", None)
    else:
        told["algorithm"] = settings.algorithm
    return {name: plain(value) for name, value in told.items()}


def plain(value: Any) -> str:
    """A value as an address or a form has it."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "1" if value else ""
    return f"{value:g}" if isinstance(value, float) else str(value)
