"""Visitors that ask for much, or for half of something, and folders that are not sound: the others are served."""

import asyncio
import shutil
import socket
import sqlite3
import threading
from contextlib import closing, suppress

import pytest
import uvicorn
from folders import STORES
from processes import wait_until
from starlette.requests import Request
from starlette.testclient import TestClient

from tournament.games.connect4 import Position
from tournament.web import connection
from tournament.web.app import make_app
from tournament.web.connection import Connection
from tournament.web.pages import live
from tournament.web.server import bound
from tournament.web.thinker_pool import Thinkers, TooMany, asked


def test_streams_that_are_opened_at_the_same_moment_are_counted(tmp_path):
    app = make_app([tmp_path])
    scope = {"type": "http", "app": app, "path_params": {"name": next(iter(app.state.site.folders))}}

    async def ask_for_forty() -> list[object]:
        return await asyncio.gather(*(live.events(Request(scope)) for _ in range(40)), return_exceptions=True)

    answers = asyncio.run(ask_for_forty())
    assert sum(isinstance(answer, TooMany) for answer in answers) == 40 - live.MOST_STREAMS


class Slow:
    """A thinker that takes its time, for questions that say so."""

    subject = None

    async def ask(self, question):
        if question["evaluator"] == "slow":
            await asyncio.sleep(60)
        return {"done": True}

    async def kill(self):
        pass


def test_one_page_never_has_all_thinkers(monkeypatch):
    async def started(extra):
        return Slow()

    async def ask() -> dict[str, object]:
        thinkers = Thinkers(count=2)
        await thinkers.start()
        greedy = [asyncio.create_task(thinkers.ask(asked("x", Position(), "slow"), "greedy")) for _ in range(4)]
        await asyncio.sleep(0.05)
        try:
            return await asyncio.wait_for(thinkers.ask(asked("x", Position(), "quick"), "another"), 10)
        finally:
            for task in greedy:
                task.cancel()
            await asyncio.gather(*greedy, return_exceptions=True)

    monkeypatch.setattr("tournament.web.thinker_pool.Thinker.start", started)
    assert asyncio.run(ask()) == {"done": True}


@pytest.fixture
def port(monkeypatch):
    """Of a server that says hello to everybody."""
    monkeypatch.setattr(connection, "HALF_SECONDS", 0.3)
    monkeypatch.setattr(connection, "MOST_CONNECTIONS", 8)

    async def hello(scope, receive, send):
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b"hello"})

    listening = bound(0)
    server = uvicorn.Server(uvicorn.Config(hello, http=Connection, log_level="warning", lifespan="off"))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
    thread.start()
    yield listening.getsockname()[1]
    server.should_exit = True
    thread.join()


def is_closed(visitor: socket.socket) -> bool:
    visitor.settimeout(10)
    with suppress(ConnectionError):
        return visitor.recv(1000) == b""
    return True


def says_hello(port: int) -> bool:
    with closing(socket.create_connection(("127.0.0.1", port), 10)) as visitor:
        visitor.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        answer = b""
        with suppress(ConnectionError):
            while more := visitor.recv(1000):
                answer += more
        return answer.endswith(b"hello\r\n0\r\n\r\n")


@pytest.mark.parametrize("half", [b"", b"GET / HT", b"GET / HTTP/1.1\r\nHost: localhost\r\n"])
def test_half_a_request_is_closed_after_a_while(port, half):
    with closing(socket.create_connection(("127.0.0.1", port), 10)) as visitor:
        visitor.sendall(half)
        assert is_closed(visitor)
    assert says_hello(port)


def test_more_connections_than_there_may_be_are_closed_and_the_page_goes_on(port):
    visitors = [socket.create_connection(("127.0.0.1", port), 10) for _ in range(40)]
    try:
        assert all(map(is_closed, visitors))
    finally:
        for visitor in visitors:
            visitor.close()
    wait_until(lambda: says_hello(port))


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ("PRAGMA user_version = 99", "was written by a newer tourney"),
        ("UPDATE runs SET limits = '{'", "is damaged"),
        ("ALTER TABLE games RENAME TO others", "is damaged"),
        (
            "ALTER TABLE games RENAME TO others; CREATE VIEW games AS WITH RECURSIVE n(number) AS"
            " (SELECT 1 UNION ALL SELECT number + 1 FROM n) SELECT *, number AS id FROM n",
            "has a view `games`, which no store of tourney has",
        ),
    ],
)
def test_a_folder_that_is_not_sound_says_why_and_hides_no_other(tmp_path, change, told):
    for name in ("sound", "unsound"):
        shutil.copytree(STORES / "v5" / "tournament", tmp_path / name)
    with closing(sqlite3.connect(tmp_path / "unsound" / "games.db")) as store:
        store.executescript(change)
    client = TestClient(make_app([tmp_path / "sound", tmp_path / "unsound"]), base_url="http://127.0.0.1")
    listed = client.get("/tournaments")
    assert listed.status_code == 200
    assert "Ended: " in listed.text or "Stopped at " in listed.text
    for page in (listed, client.get("/t/unsound")):
        assert told in page.text.replace("&#39;", "'")
    assert client.get("/t/unsound/games").status_code == 400
