"""A run: the plan into the store, the missing games to the workers, their results into the store again."""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Protocol

from tournament.config import read_config
from tournament.errors import TourneyError, shown
from tournament.machine import machine, versions
from tournament.planning import make_plan
from tournament.referee import Game, play
from tournament.report import write_reports
from tournament.results import Results
from tournament.rules import STANDARD, Rules
from tournament.schedule import Plan
from tournament.search import Searcher
from tournament.store import Store, Task, stored
from tournament.study import StudyPlan, measure
from tournament.study_results import StudyResults, check_agreement
from tournament.transpositions import check_memory
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
    """A run before anything is written: what it is called and declared by, and everything compiled."""

    title: str
    text: str  # of the config
    file: str
    plan: Plan | StudyPlan
    searchers: dict[str, Searcher]  # by the player's key; of a study, on the first board that it searches

    @property
    def rules(self) -> Rules:
        """The rules of the games, but for those of a study, which have their own."""
        return self.plan.rules if isinstance(self.plan, Plan) else STANDARD

    def play(self, task: Task) -> Game:
        """Play one game; this is what workers do."""
        if isinstance(self.plan, StudyPlan):
            return measure(self.plan.items[task.game], self.plan.seed)
        assert task.second is not None
        return play(self.searchers[task.first], self.searchers[task.second], task.opening, self.plan.seed)


def prepare(config: Path) -> Preparation:
    """Read a config, load and compile its evaluators."""
    source = read_config(config)
    return compiled(make_plan(source), " ".join(source.config.title.split()) or config.stem, source.text, str(config))


def compiled(plan: Plan | StudyPlan, title: str, text: str, file: str) -> Preparation:
    """A plan with the searches of its players compiled."""
    if isinstance(plan, Plan):
        searchers = {key: player.ready(plan.rules) for key, player in plan.players().items()}
    else:
        searchers = {}
        for player, rules in plan.searches():
            ready = player.ready(rules)
            searchers.setdefault(player.key, ready)
    return Preparation(title, text, file, plan, searchers)


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
) -> Results | StudyResults:
    """Play every game of a config that is not in its store yet, and write the reports.

    The results have the tables of the report: `run("configs/depths.yaml").standings["4"]["robert"].points`.
    """
    config = Path(config)
    out = Path(out) if out is not None else default_folder(config)
    jobs = jobs or default_jobs()
    ready = prepare(config)
    for size in {player.settings.table for player in ready.plan.players().values()} - {0}:
        check_memory(size, jobs)
    with Pool(ready.play, jobs) as pool, Store(out, write=True, fresh=fresh) as store:  # forks carry no open store
        number = begin(store, ready, jobs, _command(config, out))
        for _ in play_missing(store, pool, ready, observer or Nobody()):
            pass
        store.end_run(number, now())
        results = write_reports(store, out)
    if isinstance(results, StudyResults):
        check_agreement(results)
    return results


def play_missing(store: Store, pool: Pool, ready: Preparation, observer: Observer) -> Iterator[tuple[Task, Game]]:
    """Play what the plan asks for and the store has not; each game is in the store when it comes out."""
    observer.begins(store, pool.jobs)
    played: Iterator[tuple[Task, Game]] = pool.run(store.missing(), lambda: observer.playing(pool.under_way()))
    try:
        for task, game in played:
            store.add_game(task, game, ready.rules, ready.plan.seed)
            observer.finished(task, game)
            yield task, game
    except KeyboardInterrupt:
        done, planned = map(sum, zip(*store.progress().values(), strict=True))
        what = "games played" if isinstance(ready.plan, Plan) else "searches done"
        raise Stopped(
            f"stopped with {done:,} of {planned:,} {what}, all kept in {shown(store.path.parent)}: "
            "the same command goes on from there."
        ) from None


def begin(store: Store, ready: Preparation, jobs: int, command: str) -> int:
    """Write down what this run is, before any game is played."""
    plan = ready.plan
    players = []
    for key, player in plan.players().items():
        used = ready.searchers[key].scorer
        players.append(stored(player, compiled=used.compiled, reason=used.reason))
    return store.begin_run(
        started=now(),
        title=ready.title,
        config=ready.text,
        config_file=ready.file,
        command=command,
        seed=plan.seed,
        rules=ready.rules,
        jobs=jobs,
        versions=versions(),
        machine=machine(),
        seats=plan.seats if isinstance(plan, Plan) else None,
        players=players,
        games=plan.games(),
    )


def _command(config: Path, out: Path) -> str:
    """What to type to make the same tables again."""
    where = [] if out == default_folder(config) else ["--out", str(out)]
    return shlex.join(["tourney", "run", str(config), *where])


def now() -> str:
    return datetime.now(UTC).isoformat(sep=" ", timespec="seconds")
