"""How long a machine's move takes on the page: from a request over HTTP to its answer."""

from __future__ import annotations

import http.client
import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tournament.web.server import HOST, bound, server_of

DEPTH = 8
MOVES = 40  # of games that the machine plays against itself


@contextmanager
def serving(folders: list[Path], extra: list[Path]) -> Iterator[int]:
    """The port on which the page is served, in a thread, for as long as it is wanted."""
    listening = bound(0)
    server = server_of(folders, extra)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
    thread.start()
    try:
        yield int(listening.getsockname()[1])
    finally:
        server.should_exit = True
        thread.join()


def move_seconds(evaluator: str = "windows", depth: int = DEPTH, count: int = MOVES) -> list[float]:
    """What each of so many moves took on the standard board, once the page had answered the first."""
    found: list[float] = []
    moves = ""
    with serving([], []) as port:
        connection = http.client.HTTPConnection(HOST, port)
        while len(found) <= count:
            asked = json.dumps({"moves": moves, "evaluator": evaluator, "depth": depth})
            start = time.perf_counter()
            connection.request("POST", "/api/move", asked, {"Content-Type": "application/json"})
            state = json.loads(connection.getresponse().read())["state"]
            found.append(time.perf_counter() - start)
            moves = "" if state["result"] else state["moves"]
        connection.close()
    return found[1:]
