"""What is wrong in the form of a config, in our words: one line a mistake."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml
from pydantic import BaseModel

from tournament.plan.schema import (
    BudgetEntry,
    Config,
    DriftEntry,
    GauntletEntry,
    LimitsEntry,
    OpeningsEntry,
    PairingEntry,
    PlayerEntry,
    PoolEntry,
    RulesEntry,
    SearchEntry,
    SideEntry,
    StudyEntry,
)
from tournament.plan.source import line_of, place_of
from tournament.text import counted, nearest


def form_mistake(path: Path, root: yaml.Node, item: Any) -> str:
    """One of pydantic's findings in our words."""
    place = place_of(root, item["loc"])
    return f"{path}:{line_of(root, place)}: {_sentence(item, place)}"


REPEATS = ("repeats", "repeat", "rounds", "repetitions", "games_per_pairing")
WHY_NO_REPEATS = (
    "the players are deterministic, so that playing a game again gives the same game and no evidence: "
    "leave it out, and take more openings instead, as in `openings: {plies: 2}`."
)
KINDS = {
    "int_type": "a whole number",
    "float_type": "a number",
    "bool_type": "true or false",
    "string_type": "text",
    "list_type": "a list",
    "dict_type": "a mapping",
    "model_type": "a mapping",
    "model_attributes_type": "a mapping",
}


SHAPES: dict[tuple[str | int, ...], str] = {  # of keys that may be written in several ways
    ("openings",): "`empty`, a suite such as `{plies: 2}`, or a list such as `[44, 4435]`",
    ("pool",): "true, false or a mapping, as in {opponents: 12}",
}


def _sentence(item: Any, place: tuple[str | int, ...]) -> str:
    name, value, kind = _shown_place(place), item["input"], item["type"]
    if kind == "extra_forbidden":
        key, known = str(item["loc"][-1]), _known_keys(item["loc"])
        if key in REPEATS:
            return f"`{key}`: {WHY_NO_REPEATS}"
        return f"unknown key `{key}`{nearest(key, known)} Known here are {', '.join(known)}."
    if kind == "missing":
        return f"`{item['loc'][-1]}` is missing: expected it in {name or 'the file'}."
    if kind in ("literal_error", "bool_type") and place in SHAPES:
        return f"{name} is {value!r:.60}: expected {SHAPES[place]}."
    if kind == "literal_error":
        known = [word.strip("'") for word in item["ctx"]["expected"].replace(" or ", ", ").split(", ")]
        return f"{name} is {value!r}: expected {' or '.join(known)}{nearest(str(value), known)}"
    if kind == "greater_than_equal":
        return f"{name} is {value}: expected {item['ctx']['ge']:,} or more."
    if kind == "greater_than":
        return f"{name} is {value}: expected more than {item['ctx']['gt']:g}."
    if kind == "less_than_equal":
        return f"{name} is {value}: expected {item['ctx']['le']:,} or less."
    if kind == "less_than":
        return f"{name} is {value}: expected a number of at most 63 bits."
    if kind == "too_short" and item["ctx"]["min_length"] == 1:
        return f"{name} is empty: expected at least one entry."
    if kind in ("too_short", "too_long"):
        entries = counted(item["ctx"]["actual_length"], "entry")
        return f"{name} has {entries}: expected two players, as in [robert, john]."
    if kind == "string_too_short":
        return f"{name} is empty: expected a name."
    return f"{name} is {value!r:.60}: expected {KINDS.get(kind, item['msg'])}."


def _known_keys(loc: tuple[str | int, ...]) -> list[str]:
    """The keys of the entry in which an unknown one was found."""
    inner = [part for part in loc[:-1] if part not in ("mapping", "list", "text")]
    entry: type[BaseModel] = Config
    if inner[:1] == ["study"]:
        inner = ["study", *(part for part in inner if isinstance(part, str) and part != "study")]
    match inner:
        case [*_, "drift"]:
            entry = DriftEntry
        case [*_, "budget"] | ["budget", _]:
            entry = BudgetEntry
        case ["study"]:
            entry = StudyEntry
        case ["study", "algorithms"]:
            entry = SearchEntry
        case ["limits"]:
            entry = LimitsEntry
        case ["rules"] | ["study", "rules"]:
            entry = RulesEntry
        case ["players", _]:
            entry = PlayerEntry
        case ["openings"]:
            entry = OpeningsEntry
        case ["pool"]:
            entry = PoolEntry
        case ["pairings"]:
            entry = GauntletEntry
        case ["pairings", _]:
            entry = PairingEntry
        case ["pairings", _, _]:
            entry = SideEntry
    return list(entry.model_fields)


def _shown_place(place: tuple[str | int, ...]) -> str:
    """`pairings` entry 2 `first`, for people, who count from 1."""
    return " ".join(f"entry {part + 1}" if isinstance(part, int) else f"`{part}`" for part in place)
