"""What the store holds, as plain records."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from typing import NamedTuple

from tournament.engine.result import Counters
from tournament.engine.settings import Settings
from tournament.games.connect4 import Result, Rules
from tournament.isolation.limits import Limits


class StoredPlayer(NamedTuple):
    """A player with its settings, as it was when it played."""

    key: str
    name: str
    settings: Settings
    evaluator: str
    description: str
    source_hash: str
    compiled: bool
    reason: str | None
    is_agent: bool = False  # it plays by itself, and nobody counts what it does
    call_seconds: float | None = None  # that a call of its evaluator took, when it was timed before the run
    is_oracle: bool = False  # it plays perfectly; then it plays by itself too
    has_book: bool = False  # it plays without search where the book knows what keeps the value

    @property
    def described(self) -> str:
        """How it searches, and whether it has a book."""
        return self.settings.described + (", book" if self.has_book else "")


@dataclass(frozen=True, kw_only=True)
class Cost(Counters):
    """What one side's searches did in a game, or in many: their counters, and how many and how long they were."""

    moves: int = 0
    depths: int = 0  # reached, summed over the moves
    seconds: float = 0.0
    cpu_seconds: float = 0.0
    forfeit_seconds: float = 0.0  # of those, for moves that were forfeited: all that is known of them

    def forfeited(self, seconds: float) -> Cost:
        """The same with a move that was never made."""
        return replace(self, seconds=self.seconds + seconds, forfeit_seconds=self.forfeit_seconds + seconds)


class StoredGame(NamedTuple):
    """A finished game that counts, with the cost of each side."""

    id: str
    first: StoredPlayer
    second: StoredPlayer
    opening: str
    seed: int
    result: Result
    reason: str
    fault: str | None
    plies: int
    moves: str
    distinct: bool  # False where the same players have played the same moves before
    first_cost: Cost
    second_cost: Cost
    fault_kind: str | None = None
    traceback: str | None = None
    first_output: str = ""
    second_output: str = ""

    @property
    def loser(self) -> StoredPlayer:
        """Who lost, of a game that somebody won."""
        return self.second if self.result == "first" else self.first


@dataclass(frozen=True, kw_only=True)
class StoredMove(Counters):
    """One move of a game: where, how good it looked, and what it took to find, its counters included."""

    ply: int
    chosen: int
    landed: int  # where the disc came to rest
    score: float | None  # None: an agent's, which tells nobody
    depth: int
    seconds: float
    cpu_seconds: float
    deepest: int
    memory: int | None  # bytes that a study has seen the search take
    stack: int | None  # bytes that a level of the search takes of the stack, where a study has measured it
    state: int | None  # bytes that all its levels share
    equals: str | None  # the columns that are known to be as good, the chosen one included


class ListedGame(NamedTuple):
    """A finished game that counts, as a list shows it."""

    number: int
    id: str
    first: StoredPlayer
    second: StoredPlayer
    level: str
    opening: str
    result: Result
    reason: str
    fault: str | None
    plies: int
    moves: str


class StoredSearches(NamedTuple):
    """What a study has found of one player: the searches of a position, or of every position of a game."""

    id: str
    part: str  # of the study
    place: str  # the name of the position or game
    start: str
    player: StoredPlayer
    rules: Rules
    fault: str | None
    played: str
    moves: list[StoredMove]


class Offer(NamedTuple):
    """What would tell more, where a run can't: lines of its config, and how much there would be to play."""

    lines: str  # as in "`openings: {plies: 2}`"
    openings: int
    games: int


class StoredRun(NamedTuple):
    """How the last run was made."""

    number: int
    started: str
    ended: str | None
    title: str
    config: str
    config_file: str
    command: str
    seed: int
    rules: Rules
    jobs: int
    versions: dict[str, str]
    machine: str
    seats: str | None = "as-listed"  # None: a study
    limits: Limits = Limits()
    isolation: str = "game"
    more: tuple[Offer, ...] = ()  # in the order of their games; none of a run from before they were kept

    @property
    def wall_seconds(self) -> float | None:
        """How long it took, where that is known and it was all in one go."""
        if self.ended is None or self.number > 1 or "." not in self.started:  # whole seconds say too little
            return None
        return (datetime.fromisoformat(self.ended) - datetime.fromisoformat(self.started)).total_seconds()

    @property
    def is_study(self) -> bool:
        """Whether it makes searches, and plays no games."""
        return self.seats is None
