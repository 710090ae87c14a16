"""Play: a game is its address, and a request is one move of it."""

from __future__ import annotations

import random
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from tournament.engine.algorithms import ALGORITHMS, ORDERS, algorithms_for
from tournament.engine.settings import LIMITS, Settings
from tournament.games.connect4 import (
    SEATS,
    Position,
    Rules,
    Seat,
    column_digit,
    play_moves,
    told_position,
    undecided,
)
from tournament.match.luck import drifted, luck_of
from tournament.options import for_all, options
from tournament.truth.scope import check_rules
from tournament.web.navigation import Link
from tournament.web.query import (
    HUMAN,
    MOST_TABLE,
    OF_RULES,
    OF_SEARCH,
    OF_SEATS,
    ORACLE,
    USUAL_DEPTH,
    Query,
    rules_told,
    settings_told,
)
from tournament.web.site import Site, page_of, posted, query, site
from tournament.web.thinker_pool import asked

USUAL_MACHINE = "windows"


async def page(request: Request) -> Response:
    """The board, with everything that the address says of the game."""
    given, here = query(request), site(request)
    given.only([*OF_RULES, *OF_SEARCH, *OF_SEATS, *SEATS, "moves", "seed"])
    rules = given.rules()
    if rules.drifts and not given.text("seed"):  # luck of its own for each game, kept in its address
        return RedirectResponse(request.url.include_query_params(seed=random.randrange(1, 1_000_000)), 303)
    moves = given.moves()
    position = play_moves(Position(rules), moves)
    seats = {"first": given.text("first", HUMAN), "second": given.text("second", USUAL_MACHINE)}
    settings = {seat: given.settings(rules, seat) for seat in SEATS}
    for name in seats.values():
        if name == ORACLE:
            check_rules(rules)
        elif name != HUMAN:
            here.known(name)
    game = {
        "rules": rules_told(rules),
        "seats": seats,
        "settings": {seat: settings_told(settings[seat], rules) for seat in SEATS},
        "levels": {seat: "perfect play" if seats[seat] == ORACLE else level(settings[seat]) for seat in SEATS},
        "seed": given.seed(),
        "state": told(position, moves),
        "advisor": _advisor(seats, settings, rules),
        "algorithms": algorithms(rules),
        "usual": USUAL_MACHINE,
    }
    return here.render(
        "play.html",
        here="play",
        title="Play",
        game=game,
        rules=rules,
        position=position,
        state=game["state"],
        seats=seats,
        seed=given.text("seed"),
        **choices(here),
    )


def choices(here: Site) -> dict[str, Any]:
    """What the forms offer."""
    search = [option._replace(most=MOST_TABLE) if option.name == "table" else option for option in for_all(Settings)]
    return {
        "evaluators": here.evaluators(),
        "rule_options": options(Rules),
        "limit_options": [option for option in search if option.name in LIMITS],
        "search_options": [option for option in search if option.name not in LIMITS],
        "known": {"algorithm": ALGORITHMS, "order": ORDERS},
        "human": HUMAN,
        "oracle": ORACLE,
    }


def algorithms(rules: Rules) -> list[dict[str, Any]]:
    """Those that can search by these rules, the one that prunes nothing first."""
    known = [{"name": name, "prunes": ALGORITHMS[name].prunes} for name in algorithms_for(rules)]
    return sorted(known, key=lambda each: bool(each["prunes"]))


def level(settings: Settings) -> str:
    """How a machine searches, in a few words."""
    return f"{settings.level}, {settings.described}"


def _advisor(seats: dict[str, str], settings: dict[Seat, Settings], rules: Rules) -> dict[str, Any]:
    """Who gives hints: the machine that plays, else a usual one."""
    for seat in SEATS:
        if seats[seat] not in (HUMAN, ORACLE):
            return {"evaluator": seats[seat], "settings": settings_told(settings[seat], rules)}
    return {"evaluator": USUAL_MACHINE, "settings": {"depth": str(USUAL_DEPTH)}}


def told(position: Position, moves: str) -> dict[str, Any]:
    """The state of a game after these moves."""
    last = None
    if moves:
        last = next(column for column in range(position.rules.columns) if column_digit(column) == moves[-1])
    return told_position(position, moves, last)


async def state(request: Request) -> Response:
    """The game after these moves, or a position that stands by itself."""
    given = await posted(request)
    rules, moves = given.rules(), given.moves()
    if given.text("position"):
        return JSONResponse(told_position(given.position(rules)))
    return JSONResponse(told(play_moves(Position(rules), moves), moves))


async def drop(request: Request) -> Response:
    """The game after a person's disc; where it may drift, the server draws the luck."""
    given = await posted(request)
    moves, position = _game(given)
    column = given.column(position)
    return JSONResponse(_dropped(position, moves, column, given.seed()))


async def move(request: Request) -> Response:
    """The game after a machine's disc, and what its search found and took."""
    given, here = await posted(request), site(request)
    moves, position = _game(given)
    if given.text("evaluator") == ORACLE:
        check_rules(position.rules)
        evaluator, question = ORACLE, asked("play", position, ORACLE)
    else:
        settings = given.settings(position.rules)
        evaluator = here.known(given.text("evaluator", USUAL_MACHINE))
        question = asked("search", position, evaluator, settings=settings.non_defaults(), tree=given.switch("tree"))
    found = await here.think(request, question)
    return JSONResponse(
        {**_dropped(position, moves, found["column"], given.seed()), "found": found, "evaluator": evaluator}
    )


async def progress(request: Request) -> Response:
    """How far the search of a page has come: what is told is at most a quarter of a second old."""
    here = site(request)
    thinker = here.thinkers.searching.get(page_of(request))
    return JSONResponse({"waiting": thinker is None, **(thinker.progress if thinker else {})})


def _game(given: Query) -> tuple[str, Position]:
    """The moves of a game that goes on, and its position."""
    moves = given.moves()
    return moves, undecided(play_moves(Position(given.rules()), moves))


def _dropped(position: Position, moves: str, column: int, seed: int) -> dict[str, Any]:
    landed = drifted(position, column, luck_of(seed, plies=len(moves)))  # as a referee draws it from the empty board
    after = position.play(landed)
    return {"state": told(after, moves + column_digit(landed)), "chosen": column, "landed": landed}


ROUTES = [
    Route("/play", page),
    Route("/api/state", state, methods=["POST"]),
    Route("/api/drop", drop, methods=["POST"]),
    Route("/api/move", move, methods=["POST"]),
    Route("/api/progress", progress, methods=["POST"]),
]
NAVIGATION = Link(1, "play", "/play", "Play")
