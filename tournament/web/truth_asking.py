"""Truth for pages: one process, started when somebody first asks, that no search has to wait for."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import asdict

from tournament.errors import TourneyError
from tournament.games.connect4 import Position
from tournament.web.streams import Answer, Question
from tournament.web.thinker_pool import MOST_IN_ALL, SearchKilled, Thinker, TooMany

PROGRAM = "tournament.web.truth_teller"
MOST_SECONDS = 60.0  # of one answer: it gives them after a second or two, on a machine that does much else later


class TruthAsking:
    """The process and who waits for it."""

    def __init__(self) -> None:
        self._thinker: Thinker | None = None
        self._turn = asyncio.Lock()
        self._asking: set[asyncio.Task[Answer]] = set()

    async def ask(self, position: Position) -> Answer:
        """What is known of a position by now; that is found out soon, and to the end though whoever asked goes away."""
        if len(self._asking) >= MOST_IN_ALL:
            raise TooMany(f"{MOST_IN_ALL} questions about perfect play are waiting: try again in a moment.")
        place = [position.first, position.second, position.to_move]
        task = asyncio.create_task(self._asked({"rules": asdict(position.rules), "position": place}))
        self._asking.add(task)
        task.add_done_callback(self._done)
        return await asyncio.shield(task)

    def _done(self, task: asyncio.Task[Answer]) -> None:
        self._asking.discard(task)
        if not task.cancelled():
            task.exception()  # which nobody may be there to see

    async def _asked(self, question: Question) -> Answer:
        async with self._turn:
            try:
                if self._thinker is None:
                    self._thinker = await Thinker.start((), PROGRAM)
                answer = await asyncio.wait_for(self._thinker.ask(question), MOST_SECONDS)
            except (EOFError, OSError, TimeoutError):
                await self._end()
                raise SearchKilled("the process that knows perfect play has ended; it is started anew.") from None
        if "error" in answer:
            raise TourneyError(answer["error"])
        return answer

    async def _end(self) -> None:
        if self._thinker is not None:
            thinker, self._thinker = self._thinker, None
            await thinker.kill()

    async def close(self) -> None:
        for task in list(self._asking):
            task.cancel()
        with suppress(asyncio.CancelledError):
            await asyncio.gather(*self._asking, return_exceptions=True)
        await self._end()
