"""The server: the page's application on a port of this machine, until it is stopped."""

from __future__ import annotations

import socket
import webbrowser
from pathlib import Path
from typing import Any

import uvicorn

from tournament.errors import TourneyError
from tournament.text import shown
from tournament.web.app import make_app
from tournament.web.connection import Connection

HOST = "127.0.0.1"  # nobody else's machine
BACKLOG = 16  # connections that are taken in at once: each is a file
LAST_SECONDS = 1  # for answers under way when it is stopped


def serve(folders: list[Path], extra: list[Path], port: int, *, open_browser: bool = False) -> None:
    """Answer requests until Ctrl-C."""
    for folder in folders:
        if folder.exists() and not folder.is_dir():
            raise TourneyError(f"{shown(folder)}: is a file: name the folder of a tournament.")
    listening = bound(port)
    address = f"http://{HOST}:{listening.getsockname()[1]}/"
    print(f"{address}  (Ctrl-C stops it)", flush=True)
    if open_browser:
        webbrowser.open(address)
    server_of(folders, extra).run(sockets=[listening])


def bound(port: int) -> socket.socket:
    """A socket on that port of this machine; 0 is any free one."""
    # Named as TCP, so that asyncio sends at once (TCP_NODELAY): else each answer on an open connection waits 40 ms.
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((HOST, port))
        listening.listen(128)  # who comes before the server is ready waits
    except OSError as error:
        listening.close()
        raise TourneyError(f"port {port} can't be used ({error.strerror}): choose another --port, or 0.") from error
    return listening


class Server(uvicorn.Server):
    """A server whose pages hear that it ends, so that no stream is cut off."""

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        app: Any = self.config.app
        app.state.site.closing.set()
        await super().shutdown(sockets)


def server_of(folders: list[Path], extra: list[Path]) -> uvicorn.Server:
    config = uvicorn.Config(
        make_app(folders, extra),
        log_level="warning",
        server_header=False,
        timeout_graceful_shutdown=LAST_SECONDS,
        lifespan="on",
        ws="none",
        http=Connection,
        backlog=BACKLOG,
    )
    return Server(config)
