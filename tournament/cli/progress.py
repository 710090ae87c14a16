"""What a person sees while a tournament runs: a live display on a terminal, plain lines elsewhere."""

from __future__ import annotations

import time
from collections import Counter
from contextlib import suppress
from typing import Any

from rich.console import Console, Group
from rich.live import Live
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeRemainingColumn
from rich.table import Table
from rich.text import Text

from tournament.cli.waiting import Waiting
from tournament.engine.game import Game
from tournament.engine.measured import Measured
from tournament.engine.packed import generated
from tournament.runs.estimate import FILLED
from tournament.store import GameTask, Store, StoredPlayer, Task
from tournament.text import counted

REFRESH_SECONDS = 0.25  # of the live display
LINE_SECONDS = 5.0  # between plain lines
LONG_SECONDS = 1.0  # of a game whose time is told
FEWEST_MOVES = 4  # that say how long the others take
MOST_RANKED = 12
MOST_NAMED = 5  # ids in a line


class Watch:
    """Sums over the games of this run, kept while it goes on."""

    planned_note = ""

    def __init__(self, waiting: Waiting | None = None) -> None:
        self.waits = waiting or Waiting(shown=False)  # called with what is being waited for

    def notes(self, note: str) -> None:
        self.planned_note = note

    def begins(self, store: Store, jobs: int) -> None:
        self.store = store
        self.players: dict[str, StoredPlayer] = store.players()
        self.progress = store.progress()
        run = store.last_run()
        self.what, self.rules = "searches" if run.is_study else "games", run.rules
        self.start = time.perf_counter()
        self.done = self.nodes = 0
        self.under_way: list[Task] = []
        self.moves_made: list[int] = []
        self.since: dict[Task, float] = {}  # when a task was first seen under way
        self.took: dict[str, list[float]] = {}  # seconds of the tasks of a level that were seen so
        self.jobs = jobs
        self.points: Counter[str] = Counter()
        self.played: Counter[str] = Counter()
        for game in store.games() if self.what == "games" else ():
            self._count(game.first.name, game.second.name, game.result)
        superseded = store.superseded()
        old = f"{superseded:,} {self.what} in the store are not counted: other players, or edited since"
        notes = [self.planned_note, old if superseded else ""]
        if store.discarded:
            which = f"{', '.join(store.discarded[:MOST_NAMED])}{', …' if len(store.discarded) > MOST_NAMED else ''}"
            kind = "game" if self.what == "games" else "search"
            were, are = ("was", "is") if len(store.discarded) == 1 else ("were", "are")
            told = f"{counted(len(store.discarded), kind)} in the store {were} damaged and {are} done again: {which}"
            notes.insert(0, told)
        self.note = "\n".join(filter(None, notes))
        self.waits.end()
        self.began()

    def playing(self, under_way: list[Task], moves: list[int]) -> None:
        self.under_way, self.moves_made = under_way, moves
        now = time.perf_counter()
        self.since = {task: self.since.get(task, now) for task in under_way}

    def finished(self, task: Task, done: Game | Measured) -> None:
        self.done += 1
        if task in self.since:
            self.took.setdefault(task.level, []).append(time.perf_counter() - self.since[task])
        self.nodes += generated(done.found)
        played, planned = self.progress[task.level]
        self.progress[task.level] = (played + 1, planned)
        if isinstance(task, GameTask) and isinstance(done, Game):
            if done.reason == "forfeit":  # which may withdraw a player from many games
                self.progress = self.store.progress()
            self._count(self.players[task.first].name, self.players[task.second].name, done.result)
        self.went_on(task)

    def _count(self, first: str, second: str, result: str) -> None:
        self.played.update((first, second))
        for name, won in ((first, result == "first"), (second, result == "second")):
            self.points[name] += 2 if won else 1 if result == "draw" else 0  # in half points

    def began(self) -> None:
        """Called when the run begins."""

    def went_on(self, task: Task) -> None:
        """Called when a game has been played."""

    def close(self) -> None:
        """Called when the run has ended, one way or the other."""

    def speed(self) -> str:
        seconds = max(time.perf_counter() - self.start, 1e-9)
        return f"{self.done / seconds:,.1f} {self.what}/s, {self.nodes / seconds / 1e6:,.1f} million nodes/s"

    def totals(self) -> tuple[int, int]:
        """Games played and planned."""
        return sum(played for played, _ in self.progress.values()), sum(n for _, n in self.progress.values())


class PlainProgress(Watch):
    """Lines without control codes, for files and pipes."""

    def began(self) -> None:
        played, planned = self.totals()
        self.said = time.perf_counter()
        done = "played" if self.what == "games" else "done"
        self.say(f"{planned:,} {self.what}, {played:,} of them {done} before; {counted(self.jobs, 'job')}")
        if self.note:
            self.say(self.note)

    def went_on(self, task: Task) -> None:
        played, planned = self.totals()
        if time.perf_counter() - self.said >= LINE_SECONDS or played == planned:
            self.said = time.perf_counter()
            self.say(f"{played:,} of {planned:,} {self.what}, {self.speed()}")

    def say(self, line: str) -> None:
        with suppress(BrokenPipeError):  # a reader that has seen enough, such as `head`, must not end the run
            print(line, flush=True)


class RichProgress(Watch):
    """A live display: a bar for each depth, the speed, what is being played, and the standings so far."""

    def __init__(self, console: Console, waiting: Waiting | None = None) -> None:
        super().__init__(waiting)
        self.console = console
        self.live: Live | None = None

    def began(self) -> None:
        self.bars = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeRemainingColumn(),
            console=self.console,
            auto_refresh=False,
        )
        self.bar: dict[str, TaskID] = {
            level: self.bars.add_task(level, completed=played, total=planned)
            for level, (played, planned) in self.progress.items()
        }
        if self.note:
            self.console.print(self.note)
        self.live = Live(console=self.console, get_renderable=self.picture, auto_refresh=False, transient=True)
        self.live.start(refresh=True)
        self.drawn = time.perf_counter()

    def went_on(self, task: Task) -> None:
        for level, (played, _) in self.progress.items():
            self.bars.update(self.bar[level], completed=played)

    def playing(self, under_way: list[Task], moves: list[int]) -> None:
        super().playing(under_way, moves)
        if self.live is not None and time.perf_counter() - self.drawn >= REFRESH_SECONDS:
            self.live.refresh()
            self.drawn = time.perf_counter()

    def picture(self) -> Any:
        standings = Table("player", title="Standings so far", title_justify="left")
        standings.add_column("points", justify="right")
        standings.add_column("played", justify="right")
        for name, points in self.points.most_common(MOST_RANKED):
            standings.add_row(Text(name), f"{points / 2:g}", f"{self.played[name]:,}")
        lines = [Text(self.speed()), *(Text(f"now: {self._shown(task)}") for task in self.under_way)]
        return Group(self.bars, *lines, standings) if self.what == "games" else Group(self.bars, *lines)

    def _shown(self, task: Task) -> str:
        """Who plays whom, or who searches how; and of what takes long the ply, the time so far and the time left."""
        players = [self.players[key] for key in task.players]
        if isinstance(task, GameTask):
            told = f"{' – '.join(player.name for player in players)} ({task.level})"
            made = dict(zip(self.under_way, self.moves_made, strict=False))
            if task in made:
                told += f", ply {len(task.opening) + made[task] + 1}"
        else:
            told = f"{players[0].name}, {players[0].settings.described} ({task.level})"
        elapsed = time.perf_counter() - self.since.get(task, self.start)
        if elapsed < LONG_SECONDS:
            return told
        took = self.took.get(task.level)
        if took:
            left = sum(took) / len(took) - elapsed  # by others of its level
        elif isinstance(task, GameTask):
            left = self._left(task, made.get(task, 0), elapsed)
        else:
            left = 0.0
        return f"{told}, {elapsed:.0f} s{f', about {left:.0f} s left' if left >= 0.5 else ''}"

    def _left(self, task: GameTask, made: int, elapsed: float) -> float:
        """How long the first game of a level will still take, by its moves so far and the plies of an average game."""
        plies = FILLED * self.rules.rows * self.rules.columns - len(task.opening)
        return elapsed / made * (plies - made) if made >= FEWEST_MOVES else 0.0

    def close(self) -> None:
        if self.live is not None:
            self.live.stop()
