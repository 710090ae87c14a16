"""From a config to a plan: evaluators found and read, players seated at their depths, studies laid out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

from tournament.errors import ConfigError, EvaluatorError, OpeningError, PositionError, RulesError
from tournament.games.connect4 import Rules, read_position, undecided
from tournament.plan.openings import Suite, check_opening, make_suite, of_value, one_of_each, read_openings
from tournament.plan.pairings import PAIRERS, gauntlet, meetings
from tournament.plan.schema import Config, GauntletEntry, OpeningsEntry, PlayerEntry, PoolEntry, SideEntry, sides
from tournament.plan.source import ConfigPath, Source
from tournament.plan.studies import StudyPart, StudyPlan
from tournament.plan.tasks import Pairing, Plan
from tournament.plugins.agent import Agent, read_agent
from tournament.plugins.catalogue import Catalogue
from tournament.plugins.evaluator import Evaluator
from tournament.plugins.perfect import Perfect, perfect
from tournament.plugins.player import Player
from tournament.text import nearest, storable


def make_plan(source: Source, evaluators: Iterable[Path] = ()) -> Plan | StudyPlan:
    """The plan of a config, or a ConfigError with a line for every mistake in it; with further files of evaluators."""
    return (_plan_of_studies if source.config.study is not None else _plan_of_tournament)(source, evaluators)


def _plan_of_tournament(source: Source, evaluators: Iterable[Path]) -> Plan:
    config = source.config
    entries = config.player_entries()
    wanted: list[tuple[ConfigPath, PlayerEntry]] = [
        (("players", index if isinstance(config.players, list) else name), entry)
        for index, (name, entry) in enumerate(entries.items())
    ]
    plugins = dict(zip(entries, _read_plugins(source, wanted, [], evaluators), strict=True))
    rules = config.rules.rules()

    @cache
    def player(name: str, limit: tuple[tuple[str, Any], ...]) -> Player:
        return Player(name, plugins[name], entries[name].settings(dict(limit), rules), entries[name].book)

    def pairings() -> Iterator[Pairing]:
        for number, limit in enumerate(config.search_limits() or [{}]):
            for pair in _pairs(config):
                own = [side.limit() or entries[side.player].limit() for side in pair]
                agents = [entries[side.player].plays_by_itself for side in pair]
                if number and all(mine or agent for mine, agent in zip(own, agents, strict=True)):
                    continue  # a pairing that says how deep it is played is played once
                usual = limit or {"depth": 1}  # two agents look as far as they like
                limits = [
                    mine or (theirs if agent else None) or usual
                    for mine, agent, theirs in zip(own, agents, reversed(own), strict=True)
                ]
                one, other = (player(side.player, tuple(its.items())) for side, its in zip(pair, limits, strict=True))
                yield one, other

    places = {plugin: place for (place, _), plugin in reversed(list(zip(wanted, plugins.values(), strict=True)))}
    suite = _suite(source, rules)
    note = "\n".join(note for note in (suite.note, _on_the_pool(config)) if note)
    return Plan(pairings, rules, config.seats, config.seed, suite, places, note, suite.truths, suite.value)


def _plan_of_studies(source: Source, extra: Iterable[Path]) -> StudyPlan:
    """Every search of every study, and what moves the games on in which whole games are studied."""
    studies = list(source.studies())
    wanted: list[tuple[ConfigPath, PlayerEntry]] = []
    for at, study in studies:
        named = [((*at, "evaluators", index), name) for index, name in enumerate(study.evaluators)]
        named += [((*at, "games", label), name) for label, name in study.games.items()]
        wanted += [(place, PlayerEntry(evaluator=name)) for place, name in named]
    read = _read_plugins(source, wanted, list(_wrong_positions(source)), extra)
    evaluators = iter([plugin for plugin in read if isinstance(plugin, Evaluator)])
    parts: list[StudyPart] = []
    for number, (_, study) in enumerate(studies, start=1):
        boards = [board.rules() for board in study.boards()]
        parts.append(
            StudyPart(
                storable(" ".join(study.title.split())) or (f"Study {number}" if len(studies) > 1 else ""),
                boards,
                [next(evaluators) for _ in study.evaluators],
                study.positions,
                {label: next(evaluators) for label in study.games},
                [[search.settings({"depth": d}, boards[0]) for search in study.searches()] for d in study.depths],
                [frozenset(board.depths or study.depths) for board in study.boards()],
            )
        )
    places = {plugin: place for (place, _), plugin in reversed(list(zip(wanted, read, strict=True)))}
    return StudyPlan(tuple(parts), source.config.seed, places)


def _wrong_positions(source: Source) -> Iterator[str]:
    """Positions of studies that do not fit a board, or are decided there; each once."""
    for at, study in source.studies():
        for label, text in study.positions.items():
            told: dict[str, None] = {}
            for board in study.boards():
                try:
                    rules = board.rules()
                except RulesError:
                    continue  # told where it stands
                try:
                    undecided(read_position(text, rules))
                except PositionError as error:
                    told[source.mistake((*at, "positions", label), f"on {rules}: {error}")] = None
            yield from told


def _suite(source: Source, rules: Rules) -> Suite:
    """The openings of a config, in the order in which every pairing plays them."""
    openings, seed = source.config.openings, source.config.seed
    place: tuple[str | int, ...] = ("openings",)
    try:
        if openings == "empty":
            return Suite([""])
        if isinstance(openings, OpeningsEntry):
            if openings.file is not None:
                return of_value(read_openings(source.path.parent / openings.file, rules), rules, openings.value)
            return make_suite(rules, openings.plies or 0, openings.sample, seed, openings.value)
        listed: list[str] = []
        for index, moves in enumerate(openings):
            place = ("openings", index)
            listed.append(check_opening("" if moves == "empty" else moves, rules))
        return one_of_each(listed, rules)
    except (OpeningError, PositionError) as error:
        raise ConfigError([source.mistake(place, str(error))]) from error


def _pairs(config: Config) -> Iterator[tuple[SideEntry, SideEntry]]:
    """The two sides of each pairing, in the order of the config."""
    if config.pool:
        return iter(_pool_pairs(config))
    if isinstance(config.pairings, list):
        return (sides(pairing) for pairing in config.pairings)
    players = [SideEntry(player=name) for name in config.player_entries()]
    if isinstance(config.pairings, GauntletEntry):
        return gauntlet(SideEntry(player=config.pairings.gauntlet), players)
    return PAIRERS[config.pairings](players)


def _pool_pairs(config: Config) -> list[tuple[SideEntry, SideEntry]]:
    """Who meets whom in a pool."""
    opponents = config.pool.opponents if isinstance(config.pool, PoolEntry) else None
    return meetings(config.pool_members(), opponents, config.seed)


def _on_the_pool(config: Config) -> str:
    """What of a pool is played, where that is a sample."""
    if not config.pool:
        return ""
    members, pairs = len(config.pool_members()), len(_pool_pairs(config))
    whole = members * (members - 1) // 2
    if pairs == whole:
        return ""
    each = 2 * pairs // members
    return f"of {whole:,} pairings of the pool {pairs:,} are played: each meets {each} others, drawn from the seed"


def _read_plugins(
    source: Source, wanted: list[tuple[ConfigPath, PlayerEntry]], more: list[str], evaluators: Iterable[Path]
) -> list[Evaluator | Agent | Perfect]:
    """The files that are named at these places, not run; what else is wrong, and `more`, is told with theirs."""
    config, folder = source.config, source.path.parent
    mistakes = [*source.mistakes, *more]
    if "evaluators" in source.wrong:
        raise ConfigError(mistakes)  # without them, players would seem to have none
    extra = list(evaluators)
    for index, name in enumerate(config.evaluators):
        if (folder / name).exists():
            extra.append(folder / name)
        else:
            what = f"`{name}` does not exist: expected a file or a folder of evaluators, as seen from this config."
            mistakes.append(source.mistake(("evaluators", index), what))
    try:
        catalogue = Catalogue(extra)
    except EvaluatorError as error:
        raise ConfigError([*mistakes, source.mistake((), str(error))]) from error
    plugins: list[Evaluator | Agent | Perfect] = []
    for place, entry in wanted:
        try:
            if entry.oracle is not None:
                plugins.append(perfect())
            elif entry.connectx is not None:
                plugins.append(_read_agent(folder, entry.connectx))
            elif entry.evaluator is not None:
                plugins.append(catalogue.read(entry.evaluator))
        except EvaluatorError as error:
            mistakes.append(source.mistake(place, str(error)))
    if mistakes:
        raise ConfigError(mistakes)
    return plugins


def _read_agent(folder: Path, name: str) -> Agent:
    path = folder / name
    if not path.is_file():
        hint = nearest(path.name, [other.name for other in path.parent.glob("*.py")])
        raise EvaluatorError(f"`{name}` does not exist: expected an agent's file, as seen from this config{hint}")
    return read_agent(path.absolute(), name)
