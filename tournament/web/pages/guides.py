"""Guides: the texts that `tourney guide` shows on the terminal."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from tournament.errors import TourneyError
from tournament.guides import guide, guides
from tournament.web.markdown import as_html, line_as_html
from tournament.web.navigation import Link
from tournament.web.site import Site, site


def guides_page(request: Request) -> Response:
    """Every guide, with the sentence that says what it is about."""
    return _listed(site(request))


def guide_page(request: Request) -> Response:
    """One guide; the list of them where there is none of that name."""
    try:
        found = guide(request.path_params["name"])
    except TourneyError as error:
        return _listed(site(request), 404, str(error))
    return site(request).render("guide.html", here="guides", title=found.title, text=as_html(found.text))


def _listed(here: Site, status: int = 200, message: str = "") -> Response:
    listed = [(each.name, each.title, line_as_html(each.summary)) for each in guides()]
    return here.render("guides.html", status, here="guides", title="Guides", guides=listed, message=message)


ROUTES = [
    Route("/guides", guides_page),
    Route("/guides/{name}", guide_page),
]
NAVIGATION = Link(9, "guides", "/guides", "Guides")  # last
