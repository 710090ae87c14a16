"""What is wrong in the sense of a config, though its form is right."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from itertools import product

from tournament.engine.settings import Settings, check_memory
from tournament.errors import RulesError, TourneyError
from tournament.games.connect4 import STANDARD, Rules
from tournament.plan.schema import (
    BudgetEntry,
    Config,
    GauntletEntry,
    Limit,
    LimitEntry,
    OpeningsEntry,
    PairingEntry,
    PlayerEntry,
    RulesEntry,
    SearchEntry,
    SideEntry,
    StudyEntry,
    limit_of,
    sides,
)
from tournament.plan.source import ConfigPath, Source
from tournament.text import counted, nearest
from tournament.truth.scope import check_rules


def mistakes_of_sense(source: Source) -> Iterator[str]:
    """What the form alone does not show."""
    if source.config.study is not None or "study" in source.wrong:
        yield from _mistakes_of_studies(source)
    else:
        yield from _mistakes_of_tournament(source)


NOT_IN_STUDIES = (
    *("players", "depths", "budget", "pairings", "pool", "openings", "seats", "rules"),
    *("forfeit_limit", "isolation"),
)


def _mistakes_of_studies(source: Source) -> Iterator[str]:
    """Keys of a tournament, nothing to search, boards and searches that can't be."""
    for key in NOT_IN_STUDIES:
        if key in source.config.model_fields_set:
            where = f": a study says its {key} under `study:`." if key in StudyEntry.model_fields else "."
            yield source.mistake((key,), f"`{key}` has no place beside `study`{where}")
    for place, study in source.studies():
        if not study.positions and not study.games:
            what = 'a study needs `positions`, as in {early: "33"}, or `games`, as in {self-play: windows}.'
            yield source.mistake(place, what)
        if study.positions and not study.evaluators:
            yield source.mistake(place, "`evaluators` is missing: expected a list of those that are to search.")
        boards: list[Rules] = []
        for index, board in enumerate(study.boards()):
            at: ConfigPath = (*place, "rules", index) if isinstance(study.rules, list) else (*place, "rules")
            rules = yield from _rules_or_mistake(source, at, board)
            boards += [rules] if rules else []
            for deep, depth in enumerate(board.depths or ()):
                if depth not in study.depths:
                    what = f"depth {depth} is none of the study's `depths`, {', '.join(map(str, study.depths))}."
                    yield source.mistake((*at, "depths", deep), what)
        yield from _mistakes_of_slice(source, (*place, "slice"), study, boards)
        for which, search in enumerate(study.searches() if boards else ()):
            at = (*place, "algorithms", which)
            yield from _mistakes_of_search(source, at, search, [{"depth": study.depths[0]}], boards)


def _mistakes_of_slice(source: Source, place: ConfigPath, study: StudyEntry, boards: list[Rules]) -> Iterator[str]:
    """A slice through what is not searched."""
    for name, wanted in study.slice.model_dump(exclude_none=True).items():
        known = study.depths if name == "depth" else sorted({getattr(rules, name) for rules in boards})
        if known and wanted not in known:
            yield source.mistake(
                (*place, name), f"{name} {wanted} is not searched: known are {', '.join(map(str, known))}."
            )


def _rules_or_mistake(source: Source, place: ConfigPath, entry: RulesEntry) -> Generator[str, None, Rules | None]:
    try:
        return entry.rules()
    except RulesError as error:
        yield source.mistake(place, str(error))
        return None


def _mistakes_of_search(
    source: Source, place: ConfigPath, search: SearchEntry, limits: list[Limit], boards: list[Rules]
) -> Iterator[str]:
    """Settings that do not go together, or not with the rules; a table that does not fit into memory. Each once."""
    told = set[str]()
    for limit, rules in product(limits, boards):
        try:
            settings = search.settings(limit, boards[0])
            settings.suit(rules)
            if settings.table:
                check_memory(settings.table, settings.threads, "threads")
        except TourneyError as error:
            if str(error) not in told:
                yield source.mistake(place, str(error))
            told.add(str(error))


def _limits_of(config: Config, entry: PlayerEntry, seated: list[SideEntry]) -> list[Limit]:
    """The depths and budgets at which a player plays in these seats, those that can't be left out."""
    own = entry.limit()
    usual = [own] if own is not None else config.search_limits()
    found = [side.limit() or limit for side in seated for limit in usual or [{}]] or usual
    return [limit for limit in found if _is_limit(limit)] or [{"depth": 1}]


def _is_limit(limit: Limit) -> bool:
    try:
        Settings(**limit)
    except TourneyError:
        return False
    return True


def _mistakes_of_budget(source: Source, place: ConfigPath, budget: BudgetEntry) -> Iterator[str]:
    """A budget that says nothing or too much, or uses up all the time there is for a move."""
    try:
        Settings(**limit_of(budget))
    except TourneyError as error:
        yield source.mistake(place, f"`budget`: {error}")
        return
    most = source.config.limits.move_seconds
    if budget.seconds is not None and budget.seconds >= most:
        what = f"`budget`: {budget.seconds:g} seconds are more than a player has for a move: raise `move_seconds` of "
        yield source.mistake(place, f"{what}`limits`, which is {most:g}, above it.")


def _mistakes_of_limits(source: Source) -> Iterator[str]:
    """Budgets that say nothing or too much, and depths beside budgets."""
    config = source.config
    if isinstance(config.budget, list):
        for index, budget in enumerate(config.budget):
            yield from _mistakes_of_budget(source, ("budget", index), budget)
    elif config.budget is not None:
        yield from _mistakes_of_budget(source, ("budget",), config.budget)
    entries: list[tuple[ConfigPath, LimitEntry]] = [
        (("players", name), e) for name, e in config.player_entries().items()
    ]
    if isinstance(config.pairings, list):
        for index, pairing in enumerate(config.pairings):
            if isinstance(pairing, PairingEntry):
                entries.append((("pairings", index), pairing))
                sides = {"first": pairing.first, "second": pairing.second}
                entries += [(("pairings", index, k), s) for k, s in sides.items() if isinstance(s, SideEntry)]
    for place, entry in entries:
        if entry.budget is not None:
            yield from _mistakes_of_budget(source, (*place, "budget"), entry.budget)
            if entry.depth is not None:
                yield source.mistake(place, "has a `depth` and a `budget`: keep one of them.")


def _mistakes_of_players(source: Source, rules: Rules | None) -> Iterator[str]:
    """Players of no kind or of several, those who play by themselves and are told how, boards that are not known."""
    for name, entry in source.config.player_entries().items():
        place: ConfigPath = ("players", name)
        if entry.threads > 1:
            what = f"`threads` is {entry.threads}: in a tournament the games share the cores, and each has one thread. "
            what += "Threads are for `tourney search`, `tourney play` and studies."
            yield source.mistake((*place, "threads"), what)
        if sum(kind is not None for kind in (entry.evaluator, entry.connectx, entry.oracle)) != 1:
            what = (
                "expected one of `evaluator`, as in {evaluator: windows}, `connectx`, as in {connectx: agent.py}, or "
                "{oracle: true}."
            )
            yield source.mistake(place, f"player `{name}`: {what}")
        elif entry.plays_by_itself:
            own, who = ("connectx", "an agent plays") if entry.oracle is None else ("oracle", "the oracle plays")
            for key in sorted(entry.model_fields_set - {own}):
                yield source.mistake((*place, key), f"`{key}` has no use: {who} by itself, as it likes.")
            if entry.oracle and rules is not None:
                yield from _unknown_to_the_solver(source, (*place, "oracle"), rules)
        elif entry.book and rules is not None and rules != STANDARD:
            what = f"the book is of the standard board, {STANDARD.described}, and this one is {rules.described}."
            yield source.mistake((*place, "book"), what)


def _mistakes_of_tournament(source: Source) -> Iterator[str]:
    """Names that nobody has, a board that can't be, a missing depth."""
    config = source.config
    players = config.player_entries()
    if "players" in source.wrong:
        return  # what follows is about them
    if "players" not in config.model_fields_set:
        yield source.mistake((), "`players` is missing: expected it in the file.")
        return
    rules = None
    if "rules" not in source.wrong:
        rules = yield from _rules_or_mistake(source, ("rules",), config.rules)
    seated: dict[str, list[SideEntry]] = {}
    for pairing in config.pairings if isinstance(config.pairings, list) else []:
        for side in sides(pairing):
            seated.setdefault(side.player, []).append(side)
    for name, entry in players.items():
        limits = _limits_of(config, entry, seated.get(name, []))
        yield from _mistakes_of_search(source, ("players", name), entry, limits, [rules] if rules else [])
    yield from _mistakes_of_limits(source)
    yield from _mistakes_of_players(source, rules)
    if isinstance(config.players, list):
        for index, name in enumerate(config.players):
            if name in config.players[:index]:
                what = f"player `{name}` is listed twice: give one of them another name, as in `{name}2: {name}`."
                yield source.mistake(("players", index), what)
    for name in players:
        if "|" in name or "\n" in name:
            yield source.mistake(("players", name), f"player {name!r} has a character that tables can't show.")
    if config.pool:
        yield from _mistakes_of_pool(source)
    elif len(players) < 2 and not isinstance(config.pairings, list) and "pairings" not in source.wrong:
        are = "is" if len(players) == 1 else "are"
        told = f"there {are} {counted(len(players), 'player')}: a tournament has at least 2."
        yield source.mistake(("players",), told)
    for place, name in _named_players(config):
        if name not in players:
            known = f"{nearest(name, players)} Players are {', '.join(players)}."
            yield source.mistake(place, f"there is no player `{name}`{known}")
    if not config.search_limits() and not source.wrong & {"depths", "budget"}:
        yield from _missing_depths(source)
    if isinstance(config.openings, OpeningsEntry):
        yield from _mistakes_of_openings(source, config.openings, rules)
    elif config.openings == []:
        yield source.mistake(("openings",), "the list of openings is empty: expected at least one, or `empty`.")
    if isinstance(config.pairings, list):
        if not config.pairings:
            yield source.mistake(("pairings",), "the list of pairings is empty: expected at least one.")
        for index, pairing in enumerate(config.pairings):
            first, second = sides(pairing)
            own = players[first.player].limit() if first.player in players else None
            for limit in config.search_limits() or [{}]:
                one, other = (side.limit() or own or limit for side in (first, second))
                if first.player == second.player and one == other:
                    what = f"`{first.player}` is to play itself at one depth: choose another player, or two depths."
                    yield source.mistake(("pairings", index), what)
                    break


def _mistakes_of_pool(source: Source) -> Iterator[str]:
    """What has no place in a pool, and one that nobody could be rated in."""
    config = source.config
    if "pairings" in config.model_fields_set:
        what = "`pairings` has no place beside `pool`, in which all meet: keep one of them."
        yield source.mistake(("pairings",), what)
    if config.seats != "both":
        what = "a pool rates players by openings that are played in both seats: leave `seats` out."
        yield source.mistake(("seats",), what)
    if len(config.pool_members()) < 2 and not source.wrong & {"depths", "budget"}:
        what = "a pool is of 2 or more: expected more players, or more depths where none is their own, as in "
        what += "`depths: [2, 4]`."
        yield source.mistake(("pool",), what)


def _mistakes_of_openings(source: Source, openings: OpeningsEntry, rules: Rules | None) -> Iterator[str]:
    if (openings.plies is None) == (openings.file is None):
        what = "expected either `plies` or `file`, as in {plies: 2}, {plies: 6, sample: 50} or {file: openings.txt}."
        yield source.mistake(("openings",), f"`openings`: {what}")
    elif openings.sample is not None and openings.plies is None:
        yield source.mistake(("openings", "sample"), "`sample` goes with `plies`: a file is played whole.")
    if openings.value is not None and rules is not None:
        yield from _unknown_to_the_solver(source, ("openings", "value"), rules)


def _unknown_to_the_solver(source: Source, place: ConfigPath, rules: Rules) -> Iterator[str]:
    try:
        check_rules(rules)
    except TourneyError as error:
        yield source.mistake(place, str(error))


def _named_players(config: Config) -> Iterator[tuple[tuple[str | int, ...], str]]:
    """Every place outside `players:` that names a player."""
    if isinstance(config.pairings, GauntletEntry):
        yield ("pairings", "gauntlet"), config.pairings.gauntlet
    elif isinstance(config.pairings, list):
        for index, pairing in enumerate(config.pairings):
            for which, side in zip(("first", "second"), sides(pairing), strict=True):
                place = which if isinstance(pairing, PairingEntry) else ("first", "second").index(which)
                yield ("pairings", index, place), side.player


def _missing_depths(source: Source) -> Iterator[str]:
    config, players = source.config, source.config.player_entries()
    if isinstance(config.pairings, list):
        for index, pairing in enumerate(config.pairings):
            for side in sides(pairing):
                player = players.get(side.player)
                if player is None or player.plays_by_itself:
                    continue
                if side.limit() is None and player.limit() is None:
                    what = f"no depth for `{side.player}`: expected `depths: [2, 4, 8]`, or a depth here."
                    yield source.mistake(("pairings", index), what)
    elif any(player.limit() is None for player in players.values() if not player.plays_by_itself):
        yield source.mistake((), "`depths` is missing: expected a list such as `depths: [2, 4, 8]`.")
