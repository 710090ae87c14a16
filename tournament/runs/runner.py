"""A run: the plan into the store, the missing games to the workers, their results into the store again."""

from __future__ import annotations

import os
import shlex
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from itertools import chain
from pathlib import Path
from typing import Protocol

from tournament.engine.game import Game
from tournament.engine.measured import Measured
from tournament.engine.settings import check_memory
from tournament.errors import ConfigError, TourneyError
from tournament.games.connect4 import Rules
from tournament.isolation.limits import Isolation, Limits
from tournament.plan.planning import make_plan
from tournament.plan.reading import read_config
from tournament.plan.studies import PlannedSearch, StudyPlan
from tournament.plan.tasks import Plan, PlannedGame
from tournament.plugins.agent import Agent
from tournament.plugins.perfect import Perfect
from tournament.plugins.player import Player
from tournament.plugins.plugin import Plugin
from tournament.report.results import Results
from tournament.report.study import StudyResults, check_agreement
from tournament.report.write import Draw, draw_here, write_reports
from tournament.runs.offers import offers
from tournament.runs.pool import Pool
from tournament.runs.preload import Preloaded, preload, reached
from tournament.runs.truths import proven_for_the_oracle, truths_of
from tournament.runs.worker import GameRecipe
from tournament.store import GameTask, Planned, SearchTask, Store, StoredPlayer, Task
from tournament.system import machine, versions
from tournament.text import shown, storable
from tournament.truth.verdict import Value


class Observer(Protocol):
    """Who watches a run."""

    def waits(self, what: str) -> None:
        """Called before the run begins, with what has to be made ready first."""

    def notes(self, note: str) -> None:
        """What is to be told of the plan, before the run begins."""

    def begins(self, store: Store, jobs: int) -> None:
        """The plan is in the store; `store.progress()` says what is left of it."""

    def finished(self, task: Task, done: Game | Measured) -> None:
        """What came of a task is in the store: on disk a moment later, before the run waits for the next."""

    def playing(self, under_way: list[Task], moves: list[int]) -> None:
        """Called several times a second, with what is being played, and how many moves of each are made."""


class NullObserver:
    """Watches nothing."""

    def waits(self, what: str) -> None: ...

    def notes(self, note: str) -> None: ...

    def begins(self, store: Store, jobs: int) -> None: ...

    def finished(self, task: Task, done: Game | Measured) -> None: ...

    def playing(self, under_way: list[Task], moves: list[int]) -> None: ...


class Stopped(TourneyError):
    """The run was interrupted; what was finished is kept."""


@dataclass(frozen=True)
class Preparation:
    """A run before anything is written: what it is called and declared by, and everything compiled."""

    title: str
    text: str  # of the config
    file: str
    plan: Plan | StudyPlan
    playing: GameRecipe
    preloaded: dict[tuple[Player, Rules], Preloaded]
    truths: Mapping[str, Value]  # what perfect play makes of the openings

    @property
    def mistakes(self) -> dict[Plugin, str]:
        """The files that can't be loaded, and why."""
        return {player.plugin: one.fault for (player, _), one in self.preloaded.items() if one.fault is not None}

    @property
    def without_threads(self) -> dict[Player, str]:
        """The players whose searches are to have several threads, and why they can't."""
        return {
            player: f"`{player.plugin.name}` is not: {one.reason}."
            for (player, _), one in self.preloaded.items()
            if player.settings.threads > 1 and one.reason is not None
        }


class Workers(Protocol):
    """Who plays: processes on this machine, or a cluster."""

    jobs: int

    def run(
        self, tasks: Iterator[Task], idle: Callable[[], None], is_wanted: Callable[[Task], bool]
    ) -> Iterator[tuple[Task, Game | Measured]]:
        """Every task that is still wanted when its turn comes, and what came of it, in the order in which they end.

        `idle` is called several times a second, and always before it waits.
        """

    def under_way(self) -> list[Task]:
        """About what is being played now."""

    def moves_made(self) -> list[int]:
        """How many moves of each of these are made; nothing where nobody here can know."""


def prepare(
    config: Path,
    *,
    isolation: Isolation | None = None,
    jobs: int = 1,
    tell: Callable[[str], None] = lambda what: None,
    evaluators: Iterable[Path] = (),
) -> Preparation:
    """Read a config, run and compile the files of its players, and `tell` what is being waited for.

    Where players are kept apart the files are strangers': one that can't be loaded forfeits its games. Otherwise it is
    a mistake in the config.
    """
    source = read_config(config)
    plan = make_plan(source, evaluators)
    isolation = isolation or source.config.isolation
    if isinstance(plan, StudyPlan) and isolation != "game":
        raise TourneyError("a study has no players to keep apart: leave `--isolation` out.")
    title = storable(" ".join(source.config.title.split())) or config.stem
    limits = source.config.player_limits()
    if isinstance(plan, Plan):
        plan = replace(plan, truths=proven_for_the_oracle(plan, source, limits, tell))
    ready = make_ready(plan, title, source.text, str(config), limits=limits, isolation=isolation, jobs=jobs, tell=tell)
    in_python = [
        source.mistake(plan.places[player.plugin], f"`threads` need an evaluator that is compiled, and {why}")
        for player, why in ready.without_threads.items()
    ]
    if in_python:
        raise ConfigError([*dict.fromkeys(in_python)])  # once, and not at every depth
    if isolation == "game" and ready.mistakes:
        told = [source.mistake(plan.places[plugin], why) for plugin, why in ready.mistakes.items()]
        raise ConfigError(told)
    return ready


def make_ready(
    plan: Plan | StudyPlan,
    title: str,
    text: str,
    file: str,
    *,
    limits: Limits,
    isolation: Isolation,
    jobs: int,
    tell: Callable[[str], None] = lambda what: None,
) -> Preparation:
    """A plan whose files have all been run once, in processes of their own, and the engine compiled for it."""
    if isinstance(plan, StudyPlan):
        playing = GameRecipe({}, seed=plan.seed, limits=limits, searches=plan.searches)
    else:
        playing = GameRecipe(plan.players(), plan.rules, plan.seed, limits, isolation)
    loaded = preload(plan.to_load(), limits, isolation, jobs, tell, timed=isinstance(plan, Plan))
    truths = truths_of(plan, tell) if isinstance(plan, Plan) else {}
    return Preparation(title, text, file, plan, playing, loaded, truths)


def default_folder(config: Path) -> Path:
    """Where a run leaves its store and reports unless told otherwise."""
    return Path("reports") / config.stem


def default_jobs() -> int:
    return os.cpu_count() or 1


def usual_jobs(plan: Plan | StudyPlan) -> int:
    """As many as there are cores; of a study whose searches have several threads as many as have cores for those."""
    return max(1, default_jobs() // max((player.settings.threads for player in plan.players().values()), default=1))


def run(
    config: str | Path,
    *,
    jobs: int | None = None,
    out: str | Path | None = None,
    fresh: bool = False,
    isolation: Isolation | None = None,  # None: as the config says
    scheduler: str | None = None,  # of a Dask cluster; None: on this machine
    evaluators: Iterable[Path] = (),  # further files or folders of them
    observer: Observer | None = None,  # None: nobody
    draw: Draw = draw_here,
) -> Results | StudyResults:
    """Play every game of a config that is not in its store yet, and write the reports.

    The results have all that the report says: `run("configs/depths.yaml").standings["4"]["robert"].points`.
    """
    config = Path(config)
    out = Path(out) if out is not None else default_folder(config)
    for path in (config, out):
        if storable(str(path)) != str(path):
            raise TourneyError(f"{storable(str(path))}: the name is no text in UTF-8, or no plain one: rename it.")
    given, jobs = jobs, jobs or default_jobs()
    observer = observer or NullObserver()
    ready = prepare(config, isolation=isolation, jobs=jobs, tell=observer.waits, evaluators=evaluators)
    searches = [player.settings for player in ready.plan.players().values()]
    jobs = given or usual_jobs(ready.plan)
    for size, threads in {(each.table, each.threads) for each in searches if each.table}:
        check_memory(size, jobs * threads)
    if isinstance(ready.plan, Plan) and ready.plan.note:
        observer.notes(ready.plan.note)
    with workers(ready.playing, jobs, scheduler) as pool, Store(out, write=True, fresh=fresh) as store:
        number = begin(store, ready, pool.jobs, _command(config, out, isolation, evaluators))
        for _ in play_missing(store, pool, ready, observer):
            pass
        store.end_run(number, now())
        try:
            results = write_reports(store, out, draw=draw)
        except KeyboardInterrupt as stop:
            raise Stopped(
                f"stopped while the reports were made: all games are kept in {shown(out)}, "
                f"and `tourney report {shown(out)}` makes the rest."
            ) from stop
    if isinstance(results, StudyResults):
        check_agreement(results)
    return results


def workers(playing: GameRecipe, jobs: int, scheduler: str | None = None) -> AbstractContextManager[Workers]:
    """Processes on this machine, or those of a Dask cluster."""
    if scheduler is not None:
        from tournament.runs.cluster import Cluster  # late: nothing of Dask is imported without one

        return Cluster(playing, scheduler)
    return Pool(playing, jobs, lost=playing.lost, by_clock=playing.by_clock, grace=playing.grace)


def play_missing(
    store: Store, pool: Workers, ready: Preparation, observer: Observer
) -> Iterator[tuple[Task, Game | Measured]]:
    """Do what the plan asks for and the store has not; each game or search is in the store when it comes out.

    They are brought to disk together before anybody waits, and whatever ends the run.
    """
    observer.begins(store, pool.jobs)
    rules = ready.playing.rules

    def idle() -> None:
        store.keep()
        store.check_place()
        observer.playing(pool.under_way(), pool.moves_made())

    try:
        while (first := next(store.missing(), None)) is not None:  # again, where a withdrawn player's return adds games
            missing = chain([first], (task for task in store.missing() if task != first))
            for task, done in pool.run(missing, idle, store.is_wanted):
                store.add(task, done, rules, ready.plan.seed)
                observer.finished(task, done)
                yield task, done
    except KeyboardInterrupt as stop:
        store.keep()
        ended, planned = map(sum, zip(*store.progress().values(), strict=True))
        what = "games played" if isinstance(ready.plan, Plan) else "searches done"
        raise Stopped(
            f"stopped with {ended:,} of {planned:,} {what}, all kept in {shown(store.path.parent)}: "
            "the same command goes on from there."
        ) from stop
    finally:
        store.keep()


def begin(store: Store, ready: Preparation, jobs: int, command: str) -> int:
    """Write down what this run is, before any game is played."""
    plan = ready.plan
    players = []
    found = {player.key: one for (player, _), one in reversed(ready.preloaded.items())}  # the first board counts
    for key, player in plan.players().items():
        players.append(stored(player, found[key].reason, found[key].call_seconds))
    return store.begin_run(
        started=now(),
        title=ready.title,
        config=ready.text,
        config_file=ready.file,
        command=command,
        seed=plan.seed,
        rules=ready.playing.rules,
        jobs=jobs,
        versions=versions(),
        machine=machine(),
        seats=plan.seats if isinstance(plan, Plan) else None,
        limits=ready.playing.limits,
        isolation=reached(ready.playing.isolation),
        players=players,
        tasks=planned_tasks(plan),
        more=offers(plan) if isinstance(plan, Plan) else (),
        truths=ready.truths,
    )


def _command(config: Path, out: Path, isolation: Isolation | None, evaluators: Iterable[Path]) -> str:
    """What to type to make the same tables again."""
    where = [] if out == default_folder(config) else ["--out", str(out)]
    apart = ["--isolation", isolation] if isolation is not None else []
    extra = [word for path in evaluators for word in ("--evaluators", str(path))]
    return shlex.join(["tourney", "run", str(config), *where, *apart, *extra])


def now() -> str:
    return datetime.now(UTC).isoformat(sep=" ", timespec="milliseconds")


def planned_tasks(plan: Plan | StudyPlan) -> Iterator[Planned]:
    """Everything that a plan asks for, as the store keeps it."""
    if isinstance(plan, Plan):
        return (Planned(game_task(game), game.dearer.weight) for game in plan.games())
    return (Planned(search_task(search), search.player.settings.weight) for search in plan.searches.values())


def game_task(game: PlannedGame) -> GameTask:
    return GameTask(game.id, game.first.key, game.second.key, game.opening, game.dearer.level)


def search_task(search: PlannedSearch) -> SearchTask:
    player = search.player
    return SearchTask(
        search.id, player.key, search.rules, search.start, player.settings.level, search.part, search.place
    )


def stored(player: Player, reason: str | None, call_seconds: float | None) -> StoredPlayer:
    """A player as the store keeps it."""
    plugin = player.plugin
    is_oracle = isinstance(plugin, Perfect)
    return StoredPlayer(
        player.key, player.name, player.settings, plugin.name, plugin.description, plugin.source_hash,
        reason is None, reason, is_oracle or isinstance(plugin, Agent), call_seconds, is_oracle, player.has_book,
    )  # fmt: skip
