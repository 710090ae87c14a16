"""The forms of a config's entries: what may be written in the YAML file, key by key."""

from __future__ import annotations

from collections.abc import Container
from dataclasses import replace
from typing import Annotated, Any, Literal

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Discriminator,
    Field,
    StrictBool,
    StrictInt,
    StrictStr,
    Tag,
    WithJsonSchema,
    create_model,
)

from tournament.engine.algorithms import Algorithm
from tournament.engine.settings import LIMITS, Settings, settings_for
from tournament.engine.values import MOST_DEPTH
from tournament.games.connect4 import DriftPlayers, Rules
from tournament.isolation.limits import KAGGLE_OVERAGE, KAGGLE_SECONDS, NO_LIMITS, Isolation, Limits
from tournament.options import Option, options
from tournament.plan.openings import Promise
from tournament.plan.pairings import FEWEST_OPPONENTS, PairingName

Limit = dict[str, Any]  # depth, nodes or seconds, as Settings takes it
Number = Annotated[float, Field(strict=True)]  # a whole number too, but no text
Depth = Annotated[StrictInt, Field(ge=1, le=MOST_DEPTH)]
Seed = Annotated[StrictInt, Field(ge=-(1 << 63), lt=1 << 63)]  # what SQLite keeps
Name = Annotated[StrictStr, Field(min_length=1)]


class ConfigModel(BaseModel):
    """A mapping in the file, which may hold the keys below and no others."""

    model_config = ConfigDict(extra="forbid", frozen=True)


STRICT = {int: StrictInt, float: Number, bool: StrictBool, str: StrictStr}


def _entry_of(record: type, without: Container[str], *, bounded: bool) -> Any:
    """An entry with a key for each option of a record; `without` are those that the file has in a form of its own."""

    def form(option: Option) -> Any:
        kind: Any = Literal[option.choices] if option.choices else STRICT[option.kind]
        if bounded:
            kind = Annotated[kind, Field(ge=option.least, le=option.most)]
        return kind | None if option.default is None else kind

    keys = {option.name: (form(option), option.default) for option in options(record) if option.name not in without}
    return create_model(f"{record.__name__}Options", __base__=ConfigModel, **keys)  # type: ignore[call-overload]


# What a board may be Rules says better: its bounds depend on each other.
RulesOptions: Any = _entry_of(Rules, ("drift", "drift_players"), bounded=False)
SearchOptions: Any = _entry_of(Settings, LIMITS, bounded=True)


class DriftEntry(ConfigModel):
    """How likely a disc lands in the chosen column, and whose discs may land beside it."""

    chosen: Number
    players: DriftPlayers = "both"


class RulesEntry(RulesOptions, ConfigModel):
    """The board, how many make a line, what wins, and whether discs drift."""

    drift: DriftEntry | None = None

    def rules(self) -> Rules:
        """The rules themselves; RulesError where no board can have them."""
        drift = self.drift or DriftEntry(chosen=1.0)
        chosen = self.model_dump(exclude={"drift"})
        return Rules(**chosen, drift=float(drift.chosen), drift_players=drift.players)


class BudgetEntry(ConfigModel):
    """What a search may take instead of going to a fixed depth."""

    nodes: Annotated[StrictInt, Field(ge=1)] | None = None
    seconds: Number | None = None


class LimitEntry(ConfigModel):
    """What may say how far a search goes: a depth or a budget."""

    depth: Depth | None = None
    budget: BudgetEntry | None = None

    def limit(self) -> Limit | None:
        """The depth or budget, if there is one, as Settings takes it."""
        if self.depth is not None:
            return {"depth": self.depth}
        return limit_of(self.budget) if self.budget is not None else None


class SearchEntry(SearchOptions, ConfigModel):
    """How to search: the algorithm, and what is switched on in it."""

    def settings(self, limit: Limit, rules: Rules) -> Settings:
        """These settings with a limit; TourneyError where they do not go together, or with the rules."""
        return settings_for(rules, limit | self.model_dump(include=set(SearchOptions.model_fields)))


class PlayerEntry(SearchEntry, LimitEntry):
    """A player in its long form: an evaluator and how it searches, an agent that plays by itself, or the oracle."""

    model_config = ConfigDict(
        json_schema_extra={"oneOf": [{"required": [key]} for key in ("evaluator", "connectx", "oracle")]},
    )

    evaluator: Name | None = None
    connectx: Name | None = None  # an agent's file, as seen from the config
    oracle: Literal[True] | None = None  # perfect play
    book: StrictBool = False  # no search while the position is in the book

    @property
    def plays_by_itself(self) -> bool:
        """Whether nobody says how far it searches."""
        return self.connectx is not None or self.oracle is not None


class SideEntry(LimitEntry):
    """One side of a pairing in its long form: a player with a depth or a budget of its own."""

    player: Name


def _shape(value: Any) -> str:
    """Which form of an entry was written, so that mistakes are told of that form alone."""
    return "mapping" if isinstance(value, dict | BaseModel) else "list" if isinstance(value, list | tuple) else "text"


Shape = Discriminator(_shape)
Side = Annotated[
    Annotated[Name, Tag("text")] | Annotated[SideEntry, Tag("mapping")] | Annotated[Name, Tag("list")], Shape
]


class PairingEntry(LimitEntry):
    """A pairing in its long form: who is listed first, who second, and at which depth or budget."""

    first: Side
    second: Side


class GauntletEntry(ConfigModel):
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
    Annotated[PairingName, Tag("text")]
    | Annotated[GauntletEntry, Tag("mapping")]
    | Annotated[list[Pairing], Tag("list")],
    Shape,
]


class PoolEntry(ConfigModel):
    """One pool of everybody at every depth and budget, in which each meets so many others."""

    opponents: Annotated[StrictInt, Field(ge=FEWEST_OPPONENTS)]


class OpeningsEntry(ConfigModel):
    """A suite of openings: every one of so many plies, a sample of them, or those in a file.

    With a value, only those that perfect play wins, draws or loses for the player who moves next.
    """

    plies: Annotated[StrictInt, Field(ge=0)] | None = None
    sample: Annotated[StrictInt, Field(ge=1)] | None = None
    file: Name | None = None
    value: Promise | None = None


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


# A value that is neither a mapping nor a list is reported as a wrong mapping. The JSON schema has no such alternative.
NEVER = WithJsonSchema({"not": {}})
Budgets = Annotated[
    Annotated[BudgetEntry, Tag("mapping")]
    | Annotated[Annotated[list[BudgetEntry], Field(min_length=1)], Tag("list")]
    | Annotated[BudgetEntry, Tag("text"), NEVER],
    Shape,
]
Pool = Annotated[
    Annotated[StrictBool, Tag("text")]
    | Annotated[PoolEntry, Tag("mapping")]
    | Annotated[Annotated[StrictBool, NEVER], Tag("list")],
    Shape,
]
Searching = Annotated[
    Annotated[Algorithm, Tag("text")]
    | Annotated[SearchEntry, Tag("mapping")]
    | Annotated[SearchEntry, Tag("list"), NEVER],
    Shape,
]


class SliceEntry(ConfigModel):
    """Where the grids of a study are cut: what stays the same while two other things vary."""

    depth: Depth | None = None
    rows: StrictInt | None = None
    columns: StrictInt | None = None
    connect: StrictInt | None = None


class BoardEntry(RulesEntry):
    """A board of a study, which may be searched to some of its depths alone."""

    depths: Annotated[list[Depth], Field(min_length=1)] | None = None

    def rules(self) -> Rules:
        return RulesEntry(**{name: getattr(self, name) for name in RulesEntry.model_fields}).rules()


Boards = Annotated[
    Annotated[BoardEntry, Tag("mapping")]
    | Annotated[Annotated[list[BoardEntry], Field(min_length=1)], Tag("list")]
    | Annotated[BoardEntry, Tag("text"), NEVER],
    Shape,
]


class StudyEntry(ConfigModel):
    """The same searches by several algorithms, on named positions or over whole games."""

    title: StrictStr = ""
    positions: dict[Name, Opening] = {}
    games: dict[Name, Name] = {}  # the evaluator that plays itself
    evaluators: list[Name] = []
    algorithms: Annotated[list[Searching], Field(min_length=1)]
    depths: Annotated[list[Depth], Field(min_length=1)]
    rules: Boards = BoardEntry()
    slice: SliceEntry = SliceEntry()

    def boards(self) -> list[BoardEntry]:
        return self.rules if isinstance(self.rules, list) else [self.rules]

    def searches(self) -> list[SearchEntry]:
        """The algorithms in their long form."""
        return [entry if isinstance(entry, SearchEntry) else SearchEntry(algorithm=entry) for entry in self.algorithms]


Studies = Annotated[
    Annotated[StudyEntry, Tag("mapping")]
    | Annotated[Annotated[list[StudyEntry], Field(min_length=1)], Tag("list")]
    | Annotated[StudyEntry, Tag("text"), NEVER],
    Shape,
]


class LimitsEntry(ConfigModel):
    """What a player may take before it forfeits."""

    move_seconds: Annotated[Number, Field(gt=0)] = Limits.move_seconds
    game_seconds: Annotated[Number, Field(gt=0)] = Limits.game_seconds
    memory_mb: Annotated[StrictInt, Field(ge=16, le=1 << 24)] = Limits.memory_mb


class Config(ConfigModel):
    """A tournament: who plays whom, how deep, in which seats, by which rules. Or a study: see StudyEntry."""

    title: StrictStr = ""
    study: Studies | None = None
    players: Players = []
    depths: list[Depth] = []
    budget: Budgets | None = None
    pairings: Pairings = "round-robin"
    pool: Pool = False
    openings: Openings = "empty"
    seats: Literal["both", "as-listed", "random"] = "both"
    seed: Seed = 1
    rules: RulesEntry = RulesEntry()
    evaluators: list[Name] = []
    limits: LimitsEntry = LimitsEntry()
    forfeit_limit: Annotated[StrictInt, Field(ge=1)] = Limits.forfeit_limit
    isolation: Isolation = "game"

    def studies(self) -> list[StudyEntry]:
        return self.study if isinstance(self.study, list) else [self.study] if self.study is not None else []

    def player_limits(self) -> Limits:
        """What every player may take; a study's searches take what they need, unless it says otherwise."""
        if self.study is not None and "limits" not in self.model_fields_set:
            return NO_LIMITS
        limits = Limits(**self.limits.model_dump(), forfeit_limit=self.forfeit_limit)
        agents = any(entry.connectx is not None for entry in self.player_entries().values())
        if not agents or "move_seconds" in self.limits.model_fields_set:
            return limits
        return replace(limits, agent_seconds=KAGGLE_SECONDS, overage_seconds=KAGGLE_OVERAGE)

    def search_limits(self) -> list[Limit]:
        """Every depth and budget at which pairings are played, each once."""
        budgets = self.budget if isinstance(self.budget, list) else [self.budget] if self.budget is not None else []
        limits: list[Limit] = [*({"depth": depth} for depth in self.depths), *map(limit_of, budgets)]
        return [limit for number, limit in enumerate(limits) if limit not in limits[:number]]

    def pool_members(self) -> list[SideEntry]:
        """Everybody at every depth and budget; whoever has one of its own at that alone, or plays by itself, once."""
        limits = self.search_limits() or [{}]
        found: dict[tuple[str, str], SideEntry] = {}
        for limit in limits:
            for name, entry in self.player_entries().items():
                its = {"depth": 1} if entry.plays_by_itself else entry.limit() or limit
                budget = {key: value for key, value in its.items() if key != "depth"}
                side = SideEntry(player=name, depth=its.get("depth"), budget=BudgetEntry(**budget) if budget else None)
                found.setdefault((name, str(its)), side)
        return list(found.values())

    def player_entries(self) -> dict[str, PlayerEntry]:
        """Every player by name, in its long form."""
        if isinstance(self.players, list):
            return {name: PlayerEntry(evaluator=name) for name in self.players}
        return {
            name: entry if isinstance(entry, PlayerEntry) else PlayerEntry(evaluator=entry)
            for name, entry in self.players.items()
        }


def limit_of(budget: BudgetEntry) -> Limit:
    """A budget as Settings takes it, which also says what is wrong with it."""
    return {name: value for name, value in budget.model_dump().items() if value is not None}


def sides(pairing: list[str] | PairingEntry) -> tuple[SideEntry, SideEntry]:
    """Both sides of a pairing in their long form, the pairing's own depth or budget filled in."""
    if isinstance(pairing, list):
        return SideEntry(player=pairing[0]), SideEntry(player=pairing[1])
    first, second = (
        side if isinstance(side, SideEntry) else SideEntry(player=side) for side in (pairing.first, pairing.second)
    )
    return tuple(  # type: ignore[return-value]
        side if side.limit() else side.model_copy(update={"depth": pairing.depth, "budget": pairing.budget})
        for side in (first, second)
    )
