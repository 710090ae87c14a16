"""From a config to a plan: evaluators found and loaded, players seated at their depths, studies laid out."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from tournament.catalogue import Catalogue
from tournament.config import Place, Source
from tournament.entries import Config, GauntletEntry, OpeningsEntry, SideEntry, sides
from tournament.errors import ConfigError, EvaluatorError, OpeningError, PositionError, RulesError
from tournament.evaluator import Evaluator
from tournament.openings import check_opening, make_suite, read_openings
from tournament.players import Player
from tournament.position import read_position, undecided
from tournament.rules import Rules
from tournament.schedule import Pairing, Plan, gauntlet, round_robin
from tournament.study import StudyPart, StudyPlan


def make_plan(source: Source) -> Plan | StudyPlan:
    """The plan of a config, or a ConfigError with a line for every mistake in it."""
    return _plan_of_studies(source) if source.config.study is not None else _plan_of_tournament(source)


def _plan_of_tournament(source: Source) -> Plan:
    config = source.config
    entries = config.player_entries()
    wanted: list[tuple[Place, str]] = [
        (("players", index if isinstance(config.players, list) else name), entry.evaluator)
        for index, (name, entry) in enumerate(entries.items())
    ]
    evaluators = dict(zip(entries, _load_evaluators(source, wanted, []), strict=True))
    rules = config.rules.rules()

    @cache
    def player(name: str, limit: tuple[tuple[str, Any], ...]) -> Player:
        return Player(name, evaluators[name], entries[name].settings(dict(limit), rules))

    def pairings() -> Iterator[Pairing]:
        for number, limit in enumerate(config.limits() or [{}]):
            for pair in _pairs(config):
                own = [side.limit() or entries[side.player].limit() for side in pair]
                if number and all(own):
                    continue  # a pairing that says how deep it is played is played once
                limits = (tuple((mine or limit).items()) for mine in own)
                one, other = (player(side.player, its) for side, its in zip(pair, limits, strict=True))
                yield one, other

    return Plan(pairings, rules, config.seats, config.seed, _suite(source, rules))


def _plan_of_studies(source: Source) -> StudyPlan:
    """Every search of every study, and what moves the games on in which whole games are studied."""
    studies = list(source.studies())
    wanted: list[tuple[Place, str]] = []
    for at, study in studies:
        wanted += [((*at, "evaluators", index), name) for index, name in enumerate(study.evaluators)]
        wanted += [((*at, "games", label), name) for label, name in study.games.items()]
    loaded = iter(_load_evaluators(source, wanted, list(_wrong_positions(source))))
    parts: list[StudyPart] = []
    for number, (_, study) in enumerate(studies, start=1):
        boards = [board.rules() for board in study.boards()]
        parts.append(
            StudyPart(
                " ".join(study.title.split()) or (f"Study {number}" if len(studies) > 1 else ""),
                boards,
                [next(loaded) for _ in study.evaluators],
                study.positions,
                {label: next(loaded) for label in study.games},
                [[search.settings({"depth": d}, boards[0]) for search in study.searches()] for d in study.depths],
            )
        )
    return StudyPlan(tuple(parts), source.config.seed)


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


def _suite(source: Source, rules: Rules) -> list[str]:
    """The openings of a config, in the order in which every pairing plays them."""
    openings, seed = source.config.openings, source.config.seed
    place: tuple[str | int, ...] = ("openings",)
    try:
        if openings == "empty":
            return [""]
        if isinstance(openings, OpeningsEntry):
            if openings.file is not None:
                return read_openings(source.path.parent / openings.file, rules)
            return make_suite(rules, openings.plies or 0, openings.sample, seed)
        suite: list[str] = []
        for index, moves in enumerate(openings):
            place = ("openings", index)
            suite.append(check_opening("" if moves == "empty" else moves, rules))
        return list(dict.fromkeys(suite))
    except (OpeningError, PositionError) as error:
        raise ConfigError([source.mistake(place, str(error))]) from error


def _pairs(config: Config) -> Iterator[tuple[SideEntry, SideEntry]]:
    """The two sides of each pairing, in the order of the config."""
    if isinstance(config.pairings, list):
        return (sides(pairing) for pairing in config.pairings)
    entrants = [SideEntry(player=name) for name in config.player_entries()]
    if isinstance(config.pairings, GauntletEntry):
        return gauntlet(SideEntry(player=config.pairings.gauntlet), entrants)
    return round_robin(entrants)


def _load_evaluators(source: Source, wanted: list[tuple[Place, str]], more: list[str]) -> list[Evaluator]:
    """The evaluators that are named at these places; what else is wrong, and `more`, is told with theirs."""
    config, folder = source.config, source.path.parent
    mistakes = [*source.mistakes, *more]
    if "evaluators" in source.wrong:
        raise ConfigError(mistakes)  # without them, players would seem to have none
    extra: list[Path] = []
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
    evaluators: list[Evaluator] = []
    for place, name in wanted:
        try:
            evaluators.append(catalogue.load(name))
        except EvaluatorError as error:
            mistakes.append(source.mistake(place, str(error)))
    if mistakes:
        raise ConfigError(mistakes)
    return evaluators
