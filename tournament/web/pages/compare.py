"""Compare: what every evaluator says of one position, and which move it chooses at several depths."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from tournament.errors import TourneyError
from tournament.games.connect4 import Position, told_position
from tournament.web.navigation import Link
from tournament.web.pages.play import USUAL_MACHINE, choices
from tournament.web.query import OF_RULES, rules_told
from tournament.web.site import posted, query, site
from tournament.web.thinker_pool import asked

DEPTHS = (2, 4, 8)


async def page(request: Request) -> Response:
    """A board to put a position together on, and a table that fills itself."""
    given, here = query(request), site(request)
    given.only([*OF_RULES, "position", "moves"])
    rules = given.rules()
    text = given.text("position") or given.moves()
    problem = ""
    try:
        position = given.position(rules)
    except TourneyError as error:  # what was typed stays, to be put right
        position, problem = Position(rules), str(error)
    return here.render(
        "compare.html",
        status=400 if problem else 200,
        here="compare",
        title="Compare",
        rules=rules,
        position=position,
        state=told_position(position),
        text=text,
        problem=problem,
        depths=DEPTHS,
        search={**rules_told(rules), "position": str(position)},
        **choices(here),
    )


async def scores(request: Request) -> Response:
    """What one evaluator says of a position as it stands, for each side."""
    given, here = await posted(request), site(request)
    position = given.position(given.rules())
    evaluator = here.known(given.text("evaluator", USUAL_MACHINE))
    return JSONResponse(await here.think(request, asked("scores", position, evaluator), given.within()))


ROUTES = [
    Route("/compare", page),
    Route("/api/scores", scores, methods=["POST"]),
]
NAVIGATION = Link(2, "compare", "/compare", "Compare")
