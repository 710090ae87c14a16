"""What the server knows: the evaluators by name, the tournament folders by name, the thinkers, the templates."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from jinja2 import Environment, FileSystemLoader
from starlette.requests import ClientDisconnect, Request
from starlette.responses import HTMLResponse, Response

from tournament.errors import EvaluatorError, TourneyError
from tournament.guides import guides
from tournament.plugins.catalogue import Listing
from tournament.store import Store
from tournament.text import nearest
from tournament.truth.scope import is_known
from tournament.web.evaluators import catalogue, described
from tournament.web.navigation import Link
from tournament.web.query import Query, plain
from tournament.web.streams import Answer, Question
from tournament.web.thinker_pool import Thinkers
from tournament.web.truth_asking import TruthAsking

if TYPE_CHECKING:
    from tournament.web.pages.live import Watch

HERE = Path(__file__).parent
READ_SECONDS = 20.0  # for all that one request, or one look, wants to know of a store
MOST_BODY = 1 << 16  # bytes of a request


class NotFound(TourneyError):
    """An address that leads nowhere."""


class Gone(Exception):
    """Whoever asked is no longer there."""


class Site:
    """Everything that requests share. It holds no game: a game is its address."""

    def __init__(
        self, folders: Iterable[Path], extra: Iterable[Path], thinkers: Thinkers, links: Iterable[Link] = ()
    ) -> None:
        self.folders = named(folders)
        self.extra = list(extra)
        self.thinkers = thinkers
        self.truth = TruthAsking()
        self.watches: dict[str, Watch] = {}  # by the folder's name
        self.streams = 0  # pages that are told of standings as they change
        self.closing = asyncio.Event()  # the server is about to end
        self.templates = Environment(loader=FileSystemLoader(HERE / "templates"), autoescape=True)
        self.templates.globals["folders"] = self.folders
        self.templates.globals["links"] = list(links)
        self.templates.globals["guide_titles"] = {each.name: each.title for each in guides()}
        self.templates.globals["is_solved"] = is_known  # whether perfect play is known by these rules
        self.templates.filters["counted"] = lambda number: f"{number:,}"
        self.templates.filters["plain"] = plain

    def evaluators(self) -> dict[str, str]:
        """Every evaluator that can be named now, with the first line of what it says of itself."""
        return {name: described(entry) for name, entry in sorted(self.entries().items())}

    def entries(self) -> dict[str, Listing]:
        return catalogue(self.extra).entries

    def known(self, name: str) -> str:
        """The name itself, where there is such an evaluator. A request names none by its path."""
        entries = self.entries()
        if name not in entries:
            raise EvaluatorError(
                f"there is no evaluator `{name}`{nearest(name, entries)} Known are {', '.join(sorted(entries))}."
            )
        return name

    def folder(self, name: str) -> Path:
        if name not in self.folders:
            raise NotFound(
                f"there is no tournament `{name}` here{nearest(name, self.folders)} "
                "Folders are named when the page is started: tourney serve DIR."
            )
        return self.folders[name]

    def render(self, template: str, status: int = 200, **values: Any) -> Response:
        return HTMLResponse(self.templates.get_template(template).render(**values), status)

    async def think(self, request: Request, question: Question, seconds: float | None = None) -> Answer:
        """The thinkers' answer, within so many seconds; the search ends when whoever asked goes away."""
        asking = asyncio.create_task(self.thinkers.ask(question, page_of(request), seconds))
        leaving = asyncio.create_task(_left(request))
        try:
            await asyncio.wait({asking, leaving}, return_when=asyncio.FIRST_COMPLETED)
            if not asking.done():
                raise Gone
            return asking.result()
        finally:
            for task in (asking, leaving):
                task.cancel()
            with suppress(asyncio.CancelledError, TourneyError):
                await asking


def page_of(request: Request) -> str:
    """The page that asks, by a name that it has given itself."""
    return request.headers.get("x-page", "")[:64]


async def _left(request: Request) -> None:
    """Returns when the other side has closed the connection."""
    while (await request.receive())["type"] != "http.disconnect":
        pass


async def posted(request: Request) -> Query:
    """The values that were sent as a JSON object."""
    if request.headers.get("content-type", "").partition(";")[0].strip() != "application/json":
        raise TourneyError("send the values as JSON (Content-Type: application/json).")
    body = b""
    try:
        async for chunk in request.stream():
            body += chunk
            if len(body) > MOST_BODY:
                raise TourneyError(f"the request is longer than {MOST_BODY:,} bytes: send less.")
    except ClientDisconnect:
        raise Gone from None
    try:
        values = json.loads(body)
    except (ValueError, RecursionError):
        raise TourneyError('the request is not JSON: send an object, as in {"moves": "44"}.') from None
    if not isinstance(values, dict):
        raise TourneyError("the request is JSON, but no object: send names with values.")
    return Query(values.items())


def query(request: Request) -> Query:
    """The values of an address."""
    return Query(request.query_params.multi_items())


def site(request: Request) -> Site:
    found: Site = request.app.state.site
    return found


def looked_into(folder: Path) -> Store:
    """The store of a folder, to be used with `with`: nothing is written, and nobody is kept waiting for it."""
    store = Store(folder, patience=0)
    store.only_read(READ_SECONDS)
    return store


def named(folders: Iterable[Path]) -> dict[str, Path]:
    """Folders by a name that can stand in an address: their own, with a number where two have the same."""
    found: dict[str, Path] = {}
    for folder in folders:
        plain = re.sub(r"[^A-Za-z0-9_-]+", "-", folder.absolute().name).strip("-") or "tournament"
        name, number = plain, 2
        while name in found:
            name, number = f"{plain}-{number}", number + 1
        found[name] = folder
    return found
