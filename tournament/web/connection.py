"""A visitor's connection: closed where half a request does not become a whole one, and only so many at a time."""

from __future__ import annotations

import asyncio
import resource
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol

HALF_SECONDS = 10.0  # for a request to come whole
MOST_CONNECTIONS = 256


def most_connections() -> int:
    """As many as leave files for all else: half of those that this process may open."""
    files, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return max(8, min(MOST_CONNECTIONS, files // 2 if files > 0 else MOST_CONNECTIONS))


class Connection(H11Protocol):
    """One connection, as the server drives it."""

    _patience: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        if len(self.connections) > most_connections():
            transport.close()
        else:
            self._wait_for_the_rest()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        self._wait_for_the_rest()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_waiting()
        super().connection_lost(exc)

    @property
    def _is_half(self) -> bool:
        """Whether a request has not come whole: its head, or what it says that follows."""
        cycle: Any = self.cycle
        return cycle is None or cycle.response_complete or cycle.more_body

    def _wait_for_the_rest(self) -> None:
        if not self._is_half:
            self._stop_waiting()
        elif self._patience is None:
            self._patience = self.loop.call_later(HALF_SECONDS, self._give_up)

    def _stop_waiting(self) -> None:
        if self._patience is not None:
            self._patience.cancel()
            self._patience = None

    def _give_up(self) -> None:
        self._patience = None
        if self._is_half:
            self.transport.close()
