"""The YAML file that declares a tournament, read and checked: every mistake at once, each with its line."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any, Literal

import yaml
from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Discriminator,
    Field,
    StrictInt,
    StrictStr,
    Tag,
    ValidationError,
)

from tournament.errors import ConfigError, RulesError, nearest
from tournament.rules import Rules
from tournament.search import MOST_DEPTH

Depth = Annotated[StrictInt, Field(ge=1, le=MOST_DEPTH)]
Seed = Annotated[StrictInt, Field(ge=-(1 << 63), lt=1 << 63)]  # what SQLite keeps
Name = Annotated[StrictStr, Field(min_length=1)]


class Entry(BaseModel):
    """A mapping in the file, which may hold the keys below and no others."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class RulesEntry(Entry):
    """The board and how many in a line win."""

    rows: StrictInt = 6
    columns: StrictInt = 7
    connect: StrictInt = 4


class PlayerEntry(Entry):
    """A player in its long form: an evaluator and how it searches."""

    evaluator: Name
    depth: Depth | None = None
    algorithm: Literal["alphabeta", "minimax"] = "alphabeta"
    order: Literal["left", "centre"] = "left"


class SideEntry(Entry):
    """One side of a pairing in its long form: a player with a depth of its own."""

    player: Name
    depth: Depth | None = None


def _shape(value: Any) -> str:
    """Which form of an entry was written, so that mistakes are told of that form alone."""
    return "mapping" if isinstance(value, dict | BaseModel) else "list" if isinstance(value, list | tuple) else "text"


Shape = Discriminator(_shape)
Side = Annotated[
    Annotated[Name, Tag("text")] | Annotated[SideEntry, Tag("mapping")] | Annotated[Name, Tag("list")], Shape
]


class PairingEntry(Entry):
    """A pairing in its long form: who is listed first, who second, and at which depth."""

    first: Side
    second: Side
    depth: Depth | None = None


class GauntletEntry(Entry):
    """One player against all others."""

    gauntlet: Name


Players = Annotated[
    Annotated[list[Name], Tag("list")]
    | Annotated[
        dict[
            Name,
            Annotated[
                Annotated[Name, Tag("text")] | Annotated[PlayerEntry, Tag("mapping")] | Annotated[Name, Tag("list")],
                Shape,
            ],
        ],
        Tag("mapping"),
    ]
    | Annotated[list[Name], Tag("text")],
    Shape,
]
TwoNames = Annotated[list[Name], Field(min_length=2, max_length=2)]
Pairing = Annotated[
    Annotated[TwoNames, Tag("list")] | Annotated[PairingEntry, Tag("mapping")] | Annotated[TwoNames, Tag("text")],
    Shape,
]
Pairings = Annotated[
    Annotated[Literal["round-robin"], Tag("text")]
    | Annotated[GauntletEntry, Tag("mapping")]
    | Annotated[list[Pairing], Tag("list")],
    Shape,
]


class OpeningsEntry(Entry):
    """A suite of openings: every one of so many plies, a sample of them, or those in a file."""

    plies: Annotated[StrictInt, Field(ge=0)] | None = None
    sample: Annotated[StrictInt, Field(ge=1)] | None = None
    file: Name | None = None


def _digits(value: Any) -> Any:
    """Moves that YAML has read as a number."""
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else value


Opening = Annotated[StrictStr, BeforeValidator(_digits)]
Openings = Annotated[
    Annotated[Literal["empty"], Tag("text")]
    | Annotated[OpeningsEntry, Tag("mapping")]
    | Annotated[list[Opening], Tag("list")],
    Shape,
]


class Config(Entry):
    """A tournament: who plays whom, how deep, in which seats, by which rules."""

    title: StrictStr = ""
    players: Players
    depths: list[Depth] = []
    pairings: Pairings = "round-robin"
    openings: Openings = "empty"
    seats: Literal["both", "as-listed", "random"] = "both"
    seed: Seed = 1
    rules: RulesEntry = RulesEntry()
    evaluators: list[Name] = []

    def player_entries(self) -> dict[str, PlayerEntry]:
        """Every player by name, in its long form."""
        if isinstance(self.players, list):
            return {name: PlayerEntry(evaluator=name) for name in self.players}
        return {
            name: entry if isinstance(entry, PlayerEntry) else PlayerEntry(evaluator=entry)
            for name, entry in self.players.items()
        }


@dataclass(frozen=True)
class Source:
    """A config with the text it was read from, and the line on which each of its entries stands."""

    path: Path
    text: str
    root: yaml.Node
    config: Config
    wrong: frozenset[str | int] = frozenset()  # keys that are wrong in form, and left out
    mistakes: tuple[str, ...] = ()  # so far; whoever finds the last of them raises

    def mistake(self, place: tuple[str | int, ...], what: str) -> str:
        """One line of a message: file, line, what is wrong."""
        return f"{self.path}:{_line(self.root, place)}: {what}"


# ── reading ──────────────────────────────────────────────────────────────────────────────────────


def read_config(path: Path) -> Source:
    """The config in a file, with every mistake in it that shows without a look at the evaluators."""
    try:
        text = path.read_text("utf-8")
    except OSError as error:
        hint = nearest(path.name, [other.name for other in path.parent.glob("*.y*ml")])
        raise ConfigError([f"{path}: can't be read ({error.strerror}){hint}"]) from error
    except UnicodeDecodeError as error:
        raise ConfigError([f"{path}: is not text in UTF-8."]) from error
    try:
        root = yaml.compose(text, Loader=yaml.SafeLoader)
        content = yaml.safe_load(text)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line = mark.line + 1 if mark else 1
        raise ConfigError([f"{path}:{line}: is not YAML: {error.problem or error.context}."]) from error
    except yaml.YAMLError as error:
        raise ConfigError([f"{path}:1: is not YAML: {' '.join(str(error).split())}."]) from error
    if not isinstance(root, yaml.MappingNode):
        raise ConfigError([f"{path}:1: is not a config: expected keys such as `players:` and `depths:`."])
    mistakes = [
        f"{path}:{line}: the key `{key}` stands here twice: keep one of them." for line, key in _repeated_keys(root)
    ]
    wrong: frozenset[str | int] = frozenset()
    try:
        config = Config.model_validate(content)
    except ValidationError as error:
        mistakes += [_mistake(path, root, item) for item in error.errors()]
        wrong = frozenset(item["loc"][0] for item in error.errors())
        try:  # what is right in form may still be wrong in sense
            config = Config.model_validate({key: value for key, value in content.items() if key not in wrong})
        except ValidationError:
            raise ConfigError(mistakes) from error
    source = Source(path, text, root, config, wrong)
    return replace(source, mistakes=(*mistakes, *_mistakes_of_sense(source)))


def _mistakes_of_sense(source: Source) -> Iterator[str]:
    """What the form alone does not show: names that nobody has, a board that can't be, a missing depth."""
    config = source.config
    players = config.player_entries()
    if isinstance(config.players, list):
        for index, name in enumerate(config.players):
            if name in config.players[:index]:
                what = f"player `{name}` is listed twice: give one of them another name, as in `{name}2: {name}`."
                yield source.mistake(("players", index), what)
    for name in players:
        if "|" in name or "\n" in name:
            yield source.mistake(("players", name), f"player {name!r} has a character that tables can't show.")
    if len(players) < 2 and not isinstance(config.pairings, list) and "pairings" not in source.wrong:
        yield source.mistake(("players",), f"there is {len(players)} player: a tournament has at least 2.")
    try:
        Rules(config.rules.rows, config.rules.columns, config.rules.connect)
    except RulesError as error:
        yield source.mistake(("rules",), str(error))
    for place, name in _named_players(config):
        if name not in players:
            known = f"{nearest(name, players)} Players are {', '.join(players)}."
            yield source.mistake(place, f"there is no player `{name}`{known}")
    if not config.depths and "depths" not in source.wrong:
        yield from _missing_depths(source)
    if isinstance(config.openings, OpeningsEntry):
        yield from _mistakes_of_openings(source, config.openings)
    elif config.openings == []:
        yield source.mistake(("openings",), "the list of openings is empty: expected at least one, or `empty`.")
    if isinstance(config.pairings, list):
        if not config.pairings:
            yield source.mistake(("pairings",), "the list of pairings is empty: expected at least one.")
        for index, pairing in enumerate(config.pairings):
            first, second = sides(pairing)
            own = players[first.player].depth if first.player in players else None
            for depth in config.depths or [0]:
                if first.player == second.player and (first.depth or own or depth) == (second.depth or own or depth):
                    what = f"`{first.player}` is to play itself at one depth: choose another player, or two depths."
                    yield source.mistake(("pairings", index), what)
                    break


def _mistakes_of_openings(source: Source, openings: OpeningsEntry) -> Iterator[str]:
    if (openings.plies is None) == (openings.file is None):
        what = "expected either `plies` or `file`, as in {plies: 2}, {plies: 6, sample: 50} or {file: openings.txt}."
        yield source.mistake(("openings",), f"`openings`: {what}")
    elif openings.sample is not None and openings.plies is None:
        yield source.mistake(("openings", "sample"), "`sample` goes with `plies`: a file is played whole.")


def sides(pairing: list[str] | PairingEntry) -> tuple[SideEntry, SideEntry]:
    """Both sides of a pairing in their long form, the pairing's own depth filled in."""
    if isinstance(pairing, list):
        return SideEntry(player=pairing[0]), SideEntry(player=pairing[1])
    first, second = (
        side if isinstance(side, SideEntry) else SideEntry(player=side) for side in (pairing.first, pairing.second)
    )
    return tuple(  # type: ignore[return-value]
        side if side.depth else side.model_copy(update={"depth": pairing.depth}) for side in (first, second)
    )


def _named_players(config: Config) -> Iterator[tuple[tuple[str | int, ...], str]]:
    """Every place outside `players:` that names a player."""
    if isinstance(config.pairings, GauntletEntry):
        yield ("pairings", "gauntlet"), config.pairings.gauntlet
    elif isinstance(config.pairings, list):
        for index, pairing in enumerate(config.pairings):
            for which, side in zip(("first", "second"), sides(pairing), strict=True):
                place = which if isinstance(pairing, PairingEntry) else ("first", "second").index(which)
                yield ("pairings", index, place), side.player


def _missing_depths(source: Source) -> Iterator[str]:
    config, players = source.config, source.config.player_entries()
    if isinstance(config.pairings, list):
        for index, pairing in enumerate(config.pairings):
            for side in sides(pairing):
                if side.depth is None and side.player in players and players[side.player].depth is None:
                    what = f"no depth for `{side.player}`: expected `depths: [2, 4, 8]`, or a depth here."
                    yield source.mistake(("pairings", index), what)
    elif any(player.depth is None for player in players.values()):
        yield source.mistake((), "`depths` is missing: expected a list such as `depths: [2, 4, 8]`.")


# ── saying what is wrong ─────────────────────────────────────────────────────────────────────────


def _mistake(path: Path, root: yaml.Node, item: Any) -> str:
    """One of pydantic's findings in our words."""
    place = _place(root, item["loc"])
    return f"{path}:{_line(root, place)}: {_sentence(item, place)}"


REPEATS = ("repeats", "repeat", "rounds", "repetitions", "games_per_pairing")
WHY_NO_REPEATS = (
    "the players are deterministic, so that playing a game again gives the same game and no evidence: "
    "leave it out, and take more openings instead, as in `openings: {plies: 2}`."
)
KINDS = {
    "int_type": "a whole number",
    "string_type": "text",
    "list_type": "a list",
    "dict_type": "a mapping",
    "model_type": "a mapping",
    "model_attributes_type": "a mapping",
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
    if kind == "literal_error":
        known = [word.strip("'") for word in item["ctx"]["expected"].replace(" or ", ", ").split(", ")]
        return f"{name} is {value!r}: expected {' or '.join(known)}{nearest(str(value), known)}"
    if kind == "greater_than_equal":
        return f"{name} is {value}: expected {item['ctx']['ge']:,} or more."
    if kind == "less_than_equal":
        return f"{name} is {value}: expected {item['ctx']['le']:,} or less."
    if kind == "less_than":
        return f"{name} is {value}: expected a number of at most 63 bits."
    if kind in ("too_short", "too_long"):
        return f"{name} has {item['ctx']['actual_length']} entries: expected two players, as in [robert, john]."
    if kind == "string_too_short":
        return f"{name} is empty: expected a name."
    return f"{name} is {value!r:.60}: expected {KINDS.get(kind, item['msg'])}."


def _known_keys(loc: tuple[str | int, ...]) -> list[str]:
    """The keys of the entry in which an unknown one was found."""
    inner = [part for part in loc[:-1] if part not in ("mapping", "list", "text")]
    entry: type[BaseModel] = Config
    match inner:
        case ["rules"]:
            entry = RulesEntry
        case ["players", _]:
            entry = PlayerEntry
        case ["openings"]:
            entry = OpeningsEntry
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


def _place(root: yaml.Node, loc: tuple[str | int, ...]) -> tuple[str | int, ...]:
    """The part of pydantic's location that is in the file: without the names of the forms it tried."""
    node = root
    place: list[str | int] = []
    for part in loc:
        inner = _child(node, part)
        if inner is not None:
            place.append(str(part) if isinstance(node, yaml.MappingNode) else part)
            node = inner
    return tuple(place)


def _child(node: yaml.Node, part: str | int) -> yaml.Node | None:
    if isinstance(node, yaml.MappingNode):
        return next((value for key, value in node.value if key.value == str(part)), None)
    if isinstance(node, yaml.SequenceNode) and isinstance(part, int) and part < len(node.value):
        inner: yaml.Node = node.value[part]
        return inner
    return None


def _line(root: yaml.Node, place: tuple[str | int, ...]) -> int:
    """The line, from 1, on which an entry's key or value stands."""
    node = root
    line = root.start_mark.line
    for part in place:
        if isinstance(node, yaml.MappingNode):
            key = next((key for key, _ in node.value if key.value == str(part)), None)
            line = key.start_mark.line if key is not None else line
        inner = _child(node, part)
        if inner is None:
            break
        if isinstance(node, yaml.SequenceNode):
            line = inner.start_mark.line
        node = inner
    return int(line) + 1


def _repeated_keys(node: yaml.Node, above: tuple[yaml.Node, ...] = ()) -> Iterator[tuple[int, str]]:
    """Keys that a mapping has twice, which YAML would silently let the last win."""
    if node in above:
        return  # an alias for what it stands in
    if isinstance(node, yaml.MappingNode):
        seen = set()
        for key, value in node.value:
            if key.value in seen:
                yield key.start_mark.line + 1, str(key.value)
            seen.add(key.value)
            yield from _repeated_keys(value, (*above, node))
    elif isinstance(node, yaml.SequenceNode):
        for value in node.value:
            yield from _repeated_keys(value, (*above, node))
