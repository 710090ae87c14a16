"""What a worker does: play the games that it is sent, each player where the isolation puts it, or make searches."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache

from tournament.engine.game import Game
from tournament.engine.measured import Measured
from tournament.errors import FaultKind, PlayerFault
from tournament.games.connect4 import STANDARD, Rules, Seat, other_seat
from tournament.isolation.environment import ProcessState
from tournament.isolation.limits import LOAD_SECONDS, Isolation, Limits
from tournament.isolation.rlimits import limit_memory, pin_here, size
from tournament.match.book_side import BookSide
from tournament.match.clock import too_late
from tournament.match.journal import LOADING, THINKING, Journal
from tournament.match.oracle import OracleSide
from tournament.match.referee import play
from tournament.match.remote_side import LOADING_MB, RemoteSides, death
from tournament.match.side import LocalSide, Side
from tournament.plan.studies import PlannedSearch
from tournament.plugins.agent import Agent
from tournament.plugins.perfect import Perfect
from tournament.plugins.player import Player
from tournament.runs.measure import measure
from tournament.runs.pool import WorkerDeath
from tournament.store import GameTask, SearchTask, Task

LOOK_EVERY = 16  # games of compiled players, at how large the process has become
BY_CLOCK: tuple[FaultKind, ...] = ("load", "move time", "game time")  # faults that may be a clock's verdict
GRACE = 5.0  # seconds that a referee has to end a player by itself, before it is ended with it


@dataclass(frozen=True)
class GameRecipe:
    """All that a worker needs to play any of the games: it can be sent to another machine."""

    players: Mapping[str, Player]  # by key
    rules: Rules = STANDARD
    seed: int = 1
    limits: Limits = field(default_factory=Limits)
    isolation: Isolation = "game"
    searches: Mapping[str, PlannedSearch] = field(default_factory=dict)  # of a study, by id

    @property
    def grace(self) -> float:
        """How much longer than a player the worker may take: where it holds the clock itself, a little."""
        return 0.0 if self.isolation == "game" else GRACE

    def of(self, tasks: list[Task]) -> GameRecipe:
        """As much of it as these tasks need."""
        keys = {key for task in tasks if isinstance(task, GameTask) for key in task.players}
        players = {key: self.players[key] for key in sorted(keys)}
        searches = {task.id: self.searches[task.id] for task in tasks if isinstance(task, SearchTask)}
        return GameRecipe(players, self.rules, self.seed, self.limits, self.isolation, searches)

    def __call__(self, task: Task, journal: Journal) -> Game | Measured:
        """Play one game, or make the searches of a study; this is what workers do."""
        return this_worker(self.rules, self.seed, self.limits, self.isolation).do(self, task, journal)

    def by_clock(self, task: Task, done: Game | Measured) -> bool:
        """Whether a clock had a say in what came of it."""
        if isinstance(task, SearchTask):
            players = [self.searches[task.id].player]
        else:
            players = [self.players[key] for key in task.players]
        return done.fault_kind in BY_CLOCK or any(player.settings.seconds is not None for player in players)

    def _is_agent(self, task: Task, seat: Seat) -> bool:
        player = self.players.get(getattr(task, seat)) if isinstance(task, GameTask) else None
        return player is not None and isinstance(player.plugin, Agent)

    def lost(self, task: Task, loss: WorkerDeath) -> Game | Measured | None:
        """The game that a worker did not live to finish: whoever was to move has lost it. None: it was nobody's."""
        entry, ending = loss.entry, loss.ending
        if entry.seat is None or (self.isolation != "game" and not loss.late):
            return None  # a player apart is out of reach of its referee, and not to blame for its end
        if not loss.late:
            fault = death(ending, loss.printed)
            if entry.doing == LOADING:
                fault = PlayerFault(f"while its file was being loaded, {fault}", "load", fault.traceback)
        elif entry.doing == THINKING:
            fault = too_late(self.limits, by_game=entry.by_game, agent=self._is_agent(task, entry.seat))
        else:
            fault = PlayerFault(f"its file could not be loaded within {LOAD_SECONDS:g} seconds.", "load")
        if isinstance(task, SearchTask):
            return Measured().blamed(fault)
        found, landed = zip(*loss.moves, strict=True) if loss.moves else ((), ())
        game = Game(task.opening, found, landed, other_seat(entry.seat), "forfeit", begun=len(task.opening))
        printed = (loss.printed, "") if entry.seat == "first" else ("", loss.printed)
        spent = max(0.0, min(loss.noticed - entry.began, self.limits.game_seconds)) if entry.doing == THINKING else None
        return game.blamed(fault)._replace(output=printed, forfeit_seconds=spent)


class Worker:
    """The inside of one worker: the players that it has ready."""

    def __init__(self, rules: Rules, seed: int, limits: Limits, isolation: Isolation) -> None:
        self._rules, self._seed, self._limits, self._isolation = rules, seed, limits, isolation
        self._memory = limits.memory_mb << 20
        self._process_state = ProcessState(1)
        self._here: dict[str, LocalSide | OracleSide] = {}
        self._size = self._now = size()  # the one without what games have left behind
        self._most: int | None = None  # the limit of memory
        self._games = 0
        self._remote_sides = RemoteSides(rules, seed, limits, isolation)

    def do(self, playing: GameRecipe, task: Task, journal: Journal) -> Game | Measured:
        if isinstance(task, SearchTask):
            journal.thinks("first", self._limits.game_seconds, by_game=True)
            return measure(playing.searches[task.id], self._seed)
        seated: dict[Seat, Player] = {"first": playing.players[task.first], "second": playing.players[task.second]}
        return (self._play_here if self._isolation == "game" else self._play_apart)(task, seated, journal)

    def _play_here(self, task: GameTask, seated: dict[Seat, Player], journal: Journal) -> Game:
        """Both players in this process, which is given up where the game has left a trace that can't be undone."""
        is_new = any(player.key not in self._here for player in seated.values())
        if is_new:
            self._limit(self._size + self._memory + (LOADING_MB << 20))
        game = self._game(task, seated, journal, lambda player, twin: self._ready_here(player))
        in_python = any(self._here[player.key].in_python for player in seated.values() if player.key in self._here)
        if in_python or is_new:
            self._limit(None)
            journal.retiring = not self._process_state.restore()
        # An agent is run anew for each game, and nothing that it keeps, wherever it keeps it, reaches the next.
        journal.retiring |= game.fault is not None or any(
            isinstance(player.plugin, Agent) for player in seated.values()
        )
        self._games += 1
        if in_python or is_new or self._games % LOOK_EVERY == 0:
            self._now = size()
            journal.retiring |= self._now - self._size > self._memory // 2
        return game

    def _limit(self, most: int | None) -> None:
        """Limit memory, if that is not the limit already: a system call takes as long as a move."""
        if most != self._most:
            limit_memory(most)
            self._most = most

    def _ready_here(self, player: Player) -> LocalSide | OracleSide:
        side = self._here.get(player.key)
        if side is not None:
            side.output = ""
            return side
        before = size()
        if isinstance(player.plugin, Perfect):
            side = self._here[player.key] = OracleSide(self._rules)
        else:
            side = self._here[player.key] = LocalSide(player, self._rules, self._seed, self._process_state)
        self._now = size()
        self._size += max(0, self._now - before)
        return side

    def _ready_apart(self, player: Player, cpu: int | None, *, twin: bool) -> Side:
        """The player in a process of its own; the oracle, which is nobody's file, in this one."""
        if isinstance(player.plugin, Perfect):
            return self._ready_here(player)
        return self._remote_sides.ready(player, cpu, twin=twin)

    def _play_apart(self, task: GameTask, seated: dict[Seat, Player], journal: Journal) -> Game:
        """Each player in a process of its own."""
        cpu = pin_here()
        game = self._game(task, seated, journal, lambda player, twin: self._ready_apart(player, cpu, twin=twin))
        if game.fault is not None:
            loser = seated["second" if game.result == "first" else "first"]
            self._remote_sides.dismiss(loser, twin=game.result == "first" and _are_twins(seated))
        return game

    def _game(
        self, task: GameTask, seated: dict[Seat, Player], journal: Journal, ready: Callable[[Player, bool], Side]
    ) -> Game:
        """The same game wherever the players search: they are made ready, and the referee asks them in turn."""
        sides: list[Side] = []
        for seat, player in seated.items():
            journal.loads(seat, LOAD_SECONDS)
            try:
                side = ready(player, seat == "second" and _are_twins(seated))
                sides.append(BookSide(side, player.settings) if player.has_book else side)
            except PlayerFault as fault:
                lost = Game(task.opening, (), (), other_seat(seat), "forfeit", begun=len(task.opening))
                return lost.blamed(fault)
        if self._isolation == "game":
            self._limit(self._now + self._memory)
        first, second = sides
        return play(first, second, task.opening, self._seed, rules=self._rules, limits=self._limits, journal=journal)


def _are_twins(seated: dict[Seat, Player]) -> bool:
    """Whether a file plays against itself, under one name."""
    return seated["first"].name == seated["second"].name


@cache
def this_worker(rules: Rules, seed: int, limits: Limits, isolation: Isolation) -> Worker:
    """The stage of this process; it has one as long as it plays by the same rules."""
    return Worker(rules, seed, limits, isolation)
