"""The page's addresses, and what is said where something goes wrong."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from typing import Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, RedirectResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from tournament.errors import TourneyError
from tournament.games.connect4 import Position
from tournament.report.formats.html import TEMPLATES
from tournament.web import pages
from tournament.web.guard import Guard
from tournament.web.pages.play import USUAL_MACHINE
from tournament.web.site import HERE, Gone, NotFound, Site
from tournament.web.thinker_pool import SearchKilled, Thinkers, TooMany, asked

LOOK = TEMPLATES / "look.css"  # which the report shares
STATUS = {TooMany: 429, NotFound: 404, SearchKilled: 422}


def make_app(
    folders: Iterable[Path] = (), extra: Iterable[Path] = (), *, thinkers: Thinkers | None = None
) -> Starlette:
    """The page as an application: tournaments in these folders, evaluators in these further files and folders."""
    extra = list(extra)
    found = _pages()

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        pool = thinkers or Thinkers(extra)
        app.state.site.thinkers = pool
        await pool.start(asked("warm", Position(), USUAL_MACHINE))
        try:
            yield
        finally:
            await pool.close()
            await app.state.site.truth.close()

    app = Starlette(
        routes=[
            Route("/", lambda request: RedirectResponse("/play", 307)),
            *(route for page in found for route in page.ROUTES),
            Route("/static/look.css", lambda request: FileResponse(LOOK)),
            Mount("/static", StaticFiles(directory=HERE / "static")),
        ],
        middleware=[Middleware(Guard)],
        exception_handlers={TourneyError: _refused, HTTPException: _wrong_address, Gone: _gone, Exception: _failed},
        lifespan=lifespan,
    )
    links = sorted(page.NAVIGATION for page in found if hasattr(page, "NAVIGATION"))
    app.state.site = Site(folders, extra, thinkers or Thinkers(extra), links)
    return app


def _pages() -> list[Any]:
    """The modules of the pages, as they lie in their folder."""
    return [import_module(f"{pages.__name__}.{module.name}") for module in iter_modules(pages.__path__)]


async def _refused(request: Request, error: Exception) -> Response:
    status = next((code for kind, code in STATUS.items() if isinstance(error, kind)), 400)
    return _message(request, status, str(error))


async def _wrong_address(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    told = {404: "there is nothing at this address.", 405: "this address is not asked for in this way."}
    return _message(request, error.status_code, told.get(error.status_code, error.detail))


async def _gone(request: Request, error: Exception) -> Response:
    return _message(request, 400, "the search was cancelled.")


async def _failed(request: Request, error: Exception) -> Response:
    return _message(request, 500, "this is a mistake of the page's own; what it was stands in the terminal.")


def _message(request: Request, status: int, message: str) -> Response:
    if request.url.path.startswith("/api/"):
        return JSONResponse({"error": message}, status)
    here: Site = request.app.state.site
    return here.render("error.html", status, title="That did not work", message=message, here="")
