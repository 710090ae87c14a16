"""Live: the standings and progress of a tournament while it runs, read from its store and pushed to the page."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from tournament.errors import StoreError
from tournament.report.table import Table, shown_cell
from tournament.report.tables import crosstable, standings_tables
from tournament.report.tally import Tally
from tournament.store import FILE, Cost, ListedGame, NoRunError, Store, StoredGame, StoredRun, damage_told
from tournament.web.navigation import Link
from tournament.web.site import Site, looked_into, site
from tournament.web.thinker_pool import TooMany

LOOK_SECONDS = 0.5  # between two looks into the store
MOST_STREAMS = 24
MOST_READ = 20_000  # games in one look, so that a large store does not keep anybody waiting
KEEP_ALIVE = 20  # looks without news, after which a line says that we are still here


@dataclass
class Seen:
    """What has been seen of a run so far: every game is read once."""

    key: tuple[int, int, int]  # the file, the run, and how many games are not played
    tally: Tally
    planned: dict[str, int]
    played: Counter[str] = field(default_factory=Counter)  # by level
    last: int = 0  # the number of the game that was read last
    is_behind: bool = False  # there is more to read
    damaged: list[str] = field(default_factory=list)  # ids of games that are not what was written
    known: set[int] = field(default_factory=set)  # hashes of what was played: a game that repeats one counts once

    def add(self, game: ListedGame) -> None:
        self.last = game.number
        self.played[game.level] += 1
        what = hash((game.first.key, game.second.key, game.opening, game.moves))
        distinct = what not in self.known
        self.known.add(what)
        self.tally.add(
            StoredGame(
                id=game.id,
                first=game.first,
                second=game.second,
                opening=game.opening,
                seed=0,
                result=game.result,
                reason=game.reason,
                fault=game.fault,
                plies=game.plies,
                moves=game.moves,
                distinct=distinct,
                first_cost=Cost(),
                second_cost=Cost(),
            )
        )


class Watch:
    """Looks into one folder's store, for everybody who wants to know; one look at a time."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.seen: Seen | None = None
        self.told: dict[str, Any] = {}
        self._lock = asyncio.Lock()
        self._looked = 0.0

    async def look(self) -> dict[str, Any]:
        """What is to be told of the tournament, at most half a second old."""
        async with self._lock:
            now = asyncio.get_running_loop().time()
            if not self.told or self.told["state"] == "reading" or now - self._looked >= LOOK_SECONDS:
                self.told = await run_in_threadpool(self._look)
                self._looked = asyncio.get_running_loop().time()
            return self.told

    def _look(self) -> dict[str, Any]:
        try:
            file = (self.folder / FILE).stat().st_ino
            with looked_into(self.folder) as store:
                return self._tell(self._read(store, file), store.last_run())
        except (NoRunError, OSError):  # not there yet, or just being made
            return {"state": "waiting", "message": "Nothing has been played here yet: waiting for the run to begin."}
        except StoreError as error:
            self.seen = None
            return {"state": "unreadable", "message": str(error)}

    def _read(self, store: Store, file: int) -> Seen:
        run = store.last_run()
        key = (file, run.number, store.count_not_played())
        if self.seen is None or self.seen.key != key:  # a player that is withdrawn changes what counts
            if self.seen is None or self.seen.key[:2] != key[:2]:
                store.check()
            self.seen = Seen(key, Tally(run.seats), store.planned())
            for level, unplayed in store.not_played():
                self.seen.played[level] += 1
                self.seen.tally.add(unplayed)
        if run.is_study:  # which has no standings
            self.seen.played = Counter({level: done for level, (done, _) in store.progress().items()})
            return self.seen
        newest, before = store.newest(), self.seen.played.total()
        if newest > self.seen.last:
            for game in store.since(self.seen.last, MOST_READ):
                self.seen.add(game)
            self.seen.damaged += store.damaged
        self.seen.is_behind = self.seen.played.total() - before + len(store.damaged) == MOST_READ
        if not self.seen.is_behind:
            self.seen.last = max(self.seen.last, newest)  # games of earlier plans, which do not count
        return self.seen

    def _tell(self, seen: Seen, run: StoredRun) -> dict[str, Any]:
        played, planned = seen.played.total(), sum(seen.planned.values())
        what = "searches" if run.is_study else "games"
        scores = seen.tally.scores
        tables = [*standings_tables(scores)[::-1], crosstable(scores)] if scores.overall else []
        damage = f" {damage_told(seen.damaged, self.folder)}" if seen.damaged else ""
        state = "reading" if seen.is_behind else "ended" if run.ended else "under way"
        return {
            "state": state,
            "message": f"{state.capitalize()}: {played:,} of {planned:,} {what}.{damage}",
            "title": run.title,
            "rules": run.rules.described,
            "is_study": run.is_study,
            "levels": [(level, seen.played[level], count) for level, count in seen.planned.items()],
            "tables": [_shown(table) for table in tables],
        }


def _shown(table: Table) -> dict[str, Any]:
    return {
        "title": table.title,
        "heads": [(column.name, column.is_number) for column in table.columns],
        "rows": [
            [shown_cell(cell, column.kind) for cell, column in zip(row, table.columns, strict=True)]
            for row in table.rows
        ],
    }


def watch_of(here: Site, name: str) -> Watch:
    folder = here.folder(name)
    return here.watches.setdefault(name, Watch(folder))


async def list_page(request: Request) -> Response:
    """The folders that were named when the page was started."""
    here = site(request)
    told = {name: await watch_of(here, name).look() for name in here.folders}
    return here.render("tournaments.html", here="tournaments", title="Tournaments", told=told)


async def page(request: Request) -> Response:
    """The standings as they are; the page itself then listens for more."""
    here, name = site(request), request.path_params["name"]
    told = await watch_of(here, name).look()
    return here.render(
        "live.html",
        here="tournaments",
        title=told.get("title", name),
        name=name,
        told=told,
        folder=here.folders[name].name,
    )


async def events(request: Request) -> Response:
    """Server-sent events: the standings, each time they have changed."""
    here, name = site(request), request.path_params["name"]
    watch = watch_of(here, name)
    if here.streams >= MOST_STREAMS:
        raise TooMany(f"{MOST_STREAMS} pages are watching, and that is the most: close one of them.")
    here.streams += 1  # now: until the first of it is sent, others may ask
    return _Counted(here, _stream(here, name, watch))


class _Counted(StreamingResponse):
    """A stream that is no longer counted once it has ended."""

    def __init__(self, here: Site, content: AsyncIterator[str]) -> None:
        super().__init__(content, media_type="text/event-stream")
        self._here = here

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await super().__call__(scope, receive, send)
        finally:
            self._here.streams -= 1


async def _stream(here: Site, name: str, watch: Watch) -> AsyncIterator[str]:
    before, quiet = None, 0
    while True:
        told = await watch.look()
        if told != before:
            html = here.templates.get_template("standings.html").render(told=told, name=name)
            yield f"data: {json.dumps({'html': html, 'state': told['state'], 'message': told['message']})}\n\n"
            before, quiet = told, 0
        elif (quiet := quiet + 1) % KEEP_ALIVE == 0:
            yield ": still here\n\n"
        await asyncio.sleep(0 if told["state"] == "reading" else LOOK_SECONDS)


ROUTES = [
    Route("/tournaments", list_page),
    Route("/t/{name}", page),
    Route("/api/live/{name}", events),
]
NAVIGATION = Link(3, "tournaments", "/tournaments", "Tournaments")
