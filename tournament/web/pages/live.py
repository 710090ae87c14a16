"""Live: the standings and progress of a tournament while it runs, read from its store and pushed to the page."""

from __future__ import annotations

import asyncio
import json
import time
from collections import Counter, deque
from collections.abc import AsyncIterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, Response, StreamingResponse
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from tournament.errors import StoreError
from tournament.report.evidence_tables import evidence_tables
from tournament.report.formats.markdown import CHARTS
from tournament.report.more import shown_time
from tournament.report.pair_evidence import evidence_of
from tournament.report.study import study_results_of
from tournament.report.study_tables import study_tables
from tournament.report.table import Cell, Column, Table, shown_cell
from tournament.report.tables import crosstable, standings_tables
from tournament.report.tally import Tally, tally_of
from tournament.store import (
    FILE,
    Cost,
    ListedGame,
    NoRunError,
    Store,
    StoredGame,
    StoredRun,
    damage_told,
    is_being_written,
)
from tournament.web.navigation import Link
from tournament.web.site import NotFound, Site, looked_into, site
from tournament.web.thinker_pool import TooMany

LOOK_SECONDS = 0.5  # between two looks into the store
MOST_STREAMS = 24
MOST_READ = 20_000  # games in one look, so that a large store does not keep anybody waiting
RATE_SECONDS = 20.0  # over which games a second are counted
SHARE = 0.1  # of the time, at most, in which intervals are worked out
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
        self._paces: deque[tuple[float, int]] = deque()  # when so many had been played
        self._judged: list[Table] = []  # intervals and verdicts, as worked out last
        self._judged_of = -1  # how many games that was of
        self._judge_again = 0.0  # not before then

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
                return self._tell(store, self._read(store, file), store.last_run())
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
            self.seen = Seen(key, tally_of(run), store.planned())
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

    def _tell(self, store: Store, seen: Seen, run: StoredRun) -> dict[str, Any]:
        played, planned = seen.played.total(), sum(seen.planned.values())
        what = "searches" if run.is_study else "games"
        damage = f" {damage_told(seen.damaged, self.folder)}" if seen.damaged else ""
        state = "reading" if seen.is_behind else "ended" if run.ended else "under way"
        if state == "under way" and not is_being_written(self.folder):
            state = "stopped"
        told = f"{state.capitalize()}: {played:,} of {planned:,} {what}."
        if state == "under way":
            told += self._pace(played, planned, what)
        elif state == "stopped":
            told = f"Stopped at {played:,} of {planned:,} {what}: the same command goes on."
        tables = self._study_tables(store, run, played) if run.is_study else self._tables(seen, run, played)
        return {
            "state": state,
            "message": f"{told}{damage}",
            "title": run.title,
            "rules": run.rules.described,
            "is_study": run.is_study,
            "levels": [(level, seen.played[level], count) for level, count in seen.planned.items()],
            "tables": [_shown(table) for table in tables],
        }

    def _pace(self, played: int, planned: int, what: str) -> str:
        """How many a second, and how long the rest will take at that."""
        now, paces = time.monotonic(), self._paces
        paces.append((now, played))
        while now - paces[0][0] > RATE_SECONDS:
            paces.popleft()
        since, before = paces[0]
        took = now - since
        if took < 1 or played <= before:
            return ""
        rate = (played - before) / took
        return (
            f" {rate:,.{0 if rate >= 10 else 1}f} {what} a second, about {shown_time((planned - played) / rate)} left."
        )

    def _tables(self, seen: Seen, run: StoredRun, played: int) -> list[Table]:
        scores = seen.tally.scores
        if not scores.overall:
            return []
        if self._is_due(played):
            began = time.monotonic()
            evidence = evidence_of(seen.tally.pairs, run.seed, in_pool=seen.tally.in_pool)
            self._judged = [] if evidence is None else evidence_tables(evidence)
            self._judge_again = time.monotonic() + (time.monotonic() - began) / SHARE
        first, *others = standings_tables(scores)
        return [first, *_faults(seen.tally), *self._judged, *others, crosstable(scores)]

    def _study_tables(self, store: Store, run: StoredRun, done: int) -> list[Table]:
        """What a study has found so far."""
        if self._is_due(done):
            began = time.monotonic()
            found = list(store.searches())
            results = study_results_of(run, found, planned=done, superseded=store.superseded())
            self._judged = study_tables(results)
            self._judge_again = time.monotonic() + (time.monotonic() - began) / SHARE
        return self._judged

    def _is_due(self, played: int) -> bool:
        """Whether there is something new, and time to work it out."""
        if played == self._judged_of or time.monotonic() < self._judge_again:
            return False
        self._judged_of = played
        return True


def _faults(tally: Tally) -> list[Table]:
    """Who forfeited, and how often."""
    columns = Column("player"), Column("kind"), Column("how often", "count"), Column("first message")
    rows: list[tuple[Cell, ...]] = [
        (fault.player.name, fault.kind, fault.times, fault.first_message) for fault in tally.faults.values()
    ]
    return [Table("Faults", columns, rows)] if rows else []


def _shown(table: Table) -> dict[str, Any]:
    return {
        "title": table.title,
        "heads": [(column.name, column.is_number, column.kept) for column in table.columns],
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
        has_report=(here.folders[name] / "report.html").is_file(),
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
    while not here.closing.is_set():
        told = await watch.look()
        if told != before:
            html = here.templates.get_template("standings.html").render(told=told, name=name)
            yield f"data: {json.dumps({'html': html, 'state': told['state'], 'message': told['message']})}\n\n"
            before, quiet = told, 0
        elif (quiet := quiet + 1) % KEEP_ALIVE == 0:
            yield ": still here\n\n"
        with suppress(TimeoutError):
            await asyncio.wait_for(here.closing.wait(), 0.001 if told["state"] == "reading" else LOOK_SECONDS)


REPORT_FILES = ("report.md", "results.json", "games.csv", "searches.csv", "moves.csv")
REPORT_POLICY = (  # it brings its own scripts; kept apart, it can ask this server for nothing
    "sandbox allow-scripts allow-popups allow-modals allow-downloads; default-src 'none'; style-src 'unsafe-inline'; "
    "script-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)


async def report(request: Request) -> Response:
    """The report of a tournament, with a way back."""
    here, name = site(request), request.path_params["name"]
    file = here.folder(name) / "report.html"
    if not file.is_file():
        raise NotFound(f"{name} has no report yet: it is written when the run ends, or by `tourney report`.")
    text = await run_in_threadpool(file.read_text, "utf-8")
    back = f'<p class="note"><a href="/t/{name}">Standings, games and progress on the page</a></p>'
    text = text.replace("<main>", f"<main>{back}", 1)
    return HTMLResponse(text, headers={"Content-Security-Policy": REPORT_POLICY})


async def report_file(request: Request) -> Response:
    """What the report links to: other forms of it, and its charts."""
    folder = site(request).folder(request.path_params["name"])
    wanted = request.url.path.rpartition(f"/t/{request.path_params['name']}/")[2]
    for file in [*(folder / each for each in REPORT_FILES), *(folder / CHARTS).glob("*.svg")]:
        if file.relative_to(folder).as_posix() == wanted and file.is_file():
            return FileResponse(file, headers={"Content-Security-Policy": REPORT_POLICY})
    raise NotFound(f"there is no `{wanted[:40]}` beside this report.")


ROUTES = [
    Route("/t/{name}/report.html", report),
    Route("/tournaments", list_page),
    Route("/t/{name}", page),
    Route("/api/live/{name}", events),
    *(Route(f"/t/{{name}}/{each}", report_file) for each in (*REPORT_FILES, f"{CHARTS}/{{chart}}")),
]
NAVIGATION = Link(3, "tournaments", "/tournaments", "Tournaments")
