"""From a config to a plan: evaluators found and loaded, players seated at their depths."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path

from tournament.catalogue import Catalogue
from tournament.config import Config, GauntletEntry, OpeningsEntry, SideEntry, Source, sides
from tournament.errors import ConfigError, EvaluatorError, OpeningError, PositionError
from tournament.evaluator import Evaluator
from tournament.openings import check_opening, make_suite, read_openings
from tournament.players import Player
from tournament.rules import Rules
from tournament.schedule import Pairing, Plan, gauntlet, round_robin
from tournament.search import Settings


def make_plan(source: Source) -> Plan:
    """The plan of a config, or a ConfigError with a line for every mistake in it."""
    config = source.config
    evaluators = _load_evaluators(source)
    entries = config.player_entries()

    @cache
    def player(name: str, depth: int) -> Player:
        entry = entries[name]
        return Player(name, evaluators[name], Settings(depth, entry.algorithm, entry.order))

    def pairings() -> Iterator[Pairing]:
        for number, depth in enumerate(config.depths or [None]):
            for pair in _pairs(config):
                own = [side.depth or entries[side.player].depth for side in pair]
                if number and all(own):
                    continue  # a pairing that says how deep it is played is played once
                one, other = (player(side.player, d or depth) for side, d in zip(pair, own, strict=True))
                yield one, other

    rules = Rules(config.rules.rows, config.rules.columns, config.rules.connect)
    return Plan(pairings, rules, config.seats, config.seed, _suite(source, rules))


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


def _load_evaluators(source: Source) -> dict[str, Evaluator]:
    """The evaluator of each player, by the player's name."""
    config, folder = source.config, source.path.parent
    mistakes = list(source.mistakes)
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
    evaluators: dict[str, Evaluator] = {}
    for index, (name, entry) in enumerate(config.player_entries().items()):
        try:
            evaluators[name] = catalogue.load(entry.evaluator)
        except EvaluatorError as error:
            place = ("players", index) if isinstance(config.players, list) else ("players", name)
            mistakes.append(source.mistake(place, str(error)))
    if mistakes:
        raise ConfigError(mistakes)
    return evaluators
