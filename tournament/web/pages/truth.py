"""Truth: what perfect play makes of each column, for every page that shows a board."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from tournament.games.connect4 import undecided
from tournament.truth.scope import check_rules
from tournament.web.site import posted, site


async def truth(request: Request) -> Response:
    """What is known of each column by now, and whether that is all: else it is to be asked again."""
    given = await posted(request)
    rules = given.rules()
    check_rules(rules)
    return JSONResponse(await site(request).truth.ask(undecided(given.position(rules))))


ROUTES = [Route("/api/truth", truth, methods=["POST"])]
