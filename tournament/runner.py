"""A run: the plan into the store, the missing games to the workers, their results into the store again."""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Protocol

from tournament.config import Source, read_config
from tournament.errors import TourneyError, shown
from tournament.machine import machine, versions
from tournament.planning import make_plan
from tournament.referee import Game, play
from tournament.report import write_reports
from tournament.results import Results
from tournament.schedule import Plan
from tournament.search import Searcher
from tournament.store import Store, Task, stored
from tournament.workers import Pool


class Observer(Protocol):
    """Who watches a run."""

    def begins(self, store: Store, jobs: int) -> None:
        """The plan is in the store; `store.progress()` says what is left of it."""

    def finished(self, task: Task, game: Game) -> None:
        """A game is in the store."""

    def playing(self, under_way: list[Task]) -> None:
        """Called several times a second, with what is being played."""


class Nobody:
    """Watches nothing."""

    def begins(self, store: Store, jobs: int) -> None: ...

    def finished(self, task: Task, game: Game) -> None: ...

    def playing(self, under_way: list[Task]) -> None: ...


class Stopped(TourneyError):
    """The run was interrupted; what was finished is kept."""


@dataclass(frozen=True)
class Preparation:
    """A run before anything is written: the config read and everything compiled."""

    source: Source
    plan: Plan
    searchers: dict[str, Searcher]  # by the player's key

    def play(self, task: Task) -> Game:
        """Play one game; this is what workers do."""
        return play(self.searchers[task.first], self.searchers[task.second], task.opening)


def prepare(config: Path) -> Preparation:
    """Read a config, load and compile its evaluators."""
    source = read_config(config)
    plan = make_plan(source)
    return Preparation(source, plan, {key: player.ready(plan.rules) for key, player in plan.players().items()})


def default_folder(config: Path) -> Path:
    """Where a run leaves its store and reports unless told otherwise."""
    return Path("reports") / config.stem


def default_jobs() -> int:
    return os.cpu_count() or 1


def run(
    config: str | Path,
    *,
    jobs: int | None = None,
    out: str | Path | None = None,
    fresh: bool = False,
    observer: Observer | None = None,  # None: nobody
) -> Results:
    """Play every game of a config that is not in its store yet, and write the reports.

    The results have the tables of the report: `run("configs/depths.yaml").standings["4"]["robert"].points`.
    """
    config = Path(config)
    out = Path(out) if out is not None else default_folder(config)
    jobs = jobs or default_jobs()
    ready = prepare(config)
    observer = observer or Nobody()
    with Pool(ready.play, jobs) as pool, Store(out, write=True, fresh=fresh) as store:  # forks carry no open store
        number = _begin(store, ready, jobs, _command(config, out))
        observer.begins(store, jobs)
        played: Iterator[tuple[Task, Game]] = pool.run(store.missing(), lambda: observer.playing(pool.under_way()))
        try:
            for task, game in played:
                store.add_game(task, game, ready.plan.rules, ready.plan.seed)
                observer.finished(task, game)
        except KeyboardInterrupt:
            done, planned = map(sum, zip(*store.progress().values(), strict=True))
            raise Stopped(
                f"stopped with {done:,} of {planned:,} games played, all kept in {shown(out)}: "
                "the same command goes on from there."
            ) from None
        store.end_run(number, _now())
        return write_reports(store, out)


def _begin(store: Store, ready: Preparation, jobs: int, command: str) -> int:
    """Write down what this run is, before any game is played."""
    source, plan = ready.source, ready.plan
    players = []
    for key, player in plan.players().items():
        used = ready.searchers[key].scorer
        players.append(stored(player, compiled=used.compiled, reason=used.reason))
    return store.begin_run(
        started=_now(),
        title=source.config.title or source.path.stem,
        config=source.text,
        config_file=str(source.path),
        command=command,
        seed=plan.seed,
        rules=plan.rules,
        jobs=jobs,
        versions=versions(),
        machine=machine(),
        players=players,
        games=plan.games(),
    )


def _command(config: Path, out: Path) -> str:
    """What to type to make the same tables again."""
    where = [] if out == default_folder(config) else ["--out", str(out)]
    return shlex.join(["tourney", "run", str(config), *where])


def _now() -> str:
    return datetime.now(UTC).isoformat(sep=" ", timespec="seconds")
