"""The page's addresses, and who may ask for them."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from pathlib import Path

from starlette.applications import Starlette
from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tournament.errors import TourneyError
from tournament.games.connect4 import Position
from tournament.web import compare, explain, live, play, replay
from tournament.web.site import HERE, Gone, NotFound, Site
from tournament.web.thinkers import Lost, Thinkers, TooMany, asked

HOSTS = ("127.0.0.1", "localhost")
HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
        "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
STATUS = {TooMany: 429, NotFound: 404, Lost: 422}


def make_app(
    folders: Iterable[Path] = (), extra: Iterable[Path] = (), *, thinkers: Thinkers | None = None
) -> Starlette:
    """The page as an application: tournaments in these folders, evaluators in these further files and folders."""
    extra = list(extra)

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        pool = thinkers or Thinkers(extra)
        app.state.site.thinkers = pool
        await pool.start(asked("warm", Position(), play.USUAL_MACHINE))
        try:
            yield
        finally:
            await pool.close()

    app = Starlette(
        routes=[
            Route("/", lambda request: RedirectResponse("/play", 307)),
            Route("/play", play.page),
            Route("/explain", explain.page),
            Route("/compare", compare.page),
            Route("/tournaments", live.list_page),
            Route("/t/{name}", live.page),
            Route("/t/{name}/games", replay.games_page),
            Route("/t/{name}/games/{id}", replay.game_page),
            Route("/api/live/{name}", live.events),
            Route("/api/scores", compare.scores, methods=["POST"]),
            Route("/api/state", play.state, methods=["POST"]),
            Route("/api/drop", play.drop, methods=["POST"]),
            Route("/api/move", play.move, methods=["POST"]),
            Route("/api/search", explain.search, methods=["POST"]),
            Route("/api/tree", explain.tree, methods=["POST"]),
            Mount("/static", StaticFiles(directory=HERE / "static")),
        ],
        middleware=[Middleware(Guard)],
        exception_handlers={TourneyError: _refused, HTTPException: _wrong_address, Gone: _gone, Exception: _failed},
        lifespan=lifespan,
    )
    app.state.site = Site(folders, extra, thinkers or Thinkers(extra))
    return app


class Guard:
    """Lets in what was addressed to this machine by this page, and marks what goes out."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        refusal = refused_by(scope["method"], scope["path"], Headers(scope=scope))

        async def marked(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers[name] = value
                headers.setdefault("Cache-Control", "no-cache")
            await send(message)

        if refusal is None:
            await self.app(scope, receive, marked)
        else:
            status, message = refusal
            await JSONResponse({"error": message}, status)(scope, receive, marked)


def refused_by(method: str, path: str, headers: Headers) -> tuple[int, str] | None:
    """Why a request is not answered, or None where it is."""
    host = headers.get("host", "")
    name, _, port = host.partition(":")
    if name not in HOSTS or not (port.isdecimal() or not port):
        return 400, "this page answers only to 127.0.0.1 and localhost: use the address that `tourney serve` prints."
    costly = method not in ("GET", "HEAD") or path.startswith("/api/")
    if costly and headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
        return 403, "another web page asked for this: only the page itself may."
    origin = headers.get("origin")
    if costly and origin is not None and origin != f"http://{host}":
        return 403, f"a page of {origin[:60]} asked for this: only the page itself may."
    return None


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
