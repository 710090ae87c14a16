"""The thinkers: a few warm processes that search for the page.

A search that takes too long, is no longer wanted, or whose evaluator takes its process down costs that one process: it
is killed and replaced, and the page is told. The server itself never runs an evaluator's code.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
from collections import Counter
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import Any

from tournament.errors import TourneyError
from tournament.games.connect4 import Position
from tournament.web.streams import Answer, Question

MOST_SECONDS = 60.0  # of one search
START_SECONDS = 60.0  # a process imports, and may have to wait for others that do
MOST_OF_A_PAGE = 4  # searches that one page may have under way or waiting
MOST_IN_ALL = 12
LONGEST_LINE = 1 << 24  # bytes of an answer


class TooMany(TourneyError):
    """More searches at once than are answered."""


class SearchKilled(TourneyError):
    """A search that was ended: it took too long, or its process died."""


def asked(do: str, position: Position, evaluator: str, **more: Any) -> Question:
    """A question, ready to be sent."""
    place = [position.first, position.second, position.to_move]
    return {"do": do, "rules": asdict(position.rules), "position": place, "evaluator": evaluator, **more}


class Thinker:
    """One process, and what it was asked last."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self.process = process
        self.subject: object = None  # the evaluator and the rules that it has ready
        self.progress: Answer = {}  # of its search, as told last

    @classmethod
    async def start(cls, extra: Iterable[Path], module: str = "tournament.web.thinker") -> Thinker:
        # With the server's own path, so that the thinker finds the same packages and nothing in the current folder.
        program = f"import sys; sys.path[:] = {sys.path!r}; from {module} import main; main(sys.argv[1:])"
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-P", "-c", program, *map(str, extra)),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
            limit=LONGEST_LINE,
            start_new_session=True,  # Ctrl-C is the server's; and what an evaluator starts ends with it
        )
        thinker = cls(process)
        try:
            await asyncio.wait_for(thinker._answer(), START_SECONDS)
        except BaseException:
            await thinker.kill()
            raise
        return thinker

    async def ask(self, question: Question) -> Answer:
        self.subject = _subject(question)
        self.progress = {}
        assert self.process.stdin is not None
        try:
            self.process.stdin.write(json.dumps(question).encode() + b"\n")
            await self.process.stdin.drain()
        except ConnectionError:
            raise EOFError from None
        return await self._answer()

    async def _answer(self) -> Answer:
        assert self.process.stdout is not None
        while True:
            line = await self.process.stdout.readline()
            if not line.endswith(b"\n"):
                raise EOFError
            answer: Answer = json.loads(line)
            if "progress" not in answer:
                return answer
            self.progress = answer["progress"]

    async def kill(self) -> None:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self.process.pid, signal.SIGKILL)
        await self.process.wait()


class Thinkers:
    """The processes, who waits for them, and how many searches each page has under way."""

    def __init__(self, extra: Iterable[Path] = (), count: int | None = None, seconds: float = MOST_SECONDS) -> None:
        self.extra = [path.absolute() for path in extra]
        self.count = count or max(2, min(4, os.cpu_count() or 2))
        self.seconds = seconds
        self.pages: Counter[str] = Counter()
        self.searching: dict[str, Thinker] = {}  # by the page that asked last
        self._shares: Counter[str] = Counter()  # thinkers that work for each page: never all of them for one
        self._idle: list[Thinker] = []
        self._working: set[Thinker] = set()
        self._starting: set[asyncio.Task[None]] = set()
        self._coming = 0  # thinkers that are being started
        self._failure: str | None = None
        self._change = asyncio.Condition()
        self._warming_up = asyncio.Lock()

    async def start(self, *warm_up: Question) -> None:
        """Start the processes, each with these questions, and don't wait for them."""
        self._warm_up = warm_up
        self._fill_up()

    async def close(self) -> None:
        for task in list(self._starting):
            task.cancel()
        await asyncio.gather(*self._starting, return_exceptions=True)
        for thinker in [*self._idle, *self._working]:
            await thinker.kill()

    async def ask(self, question: Question, page: str, seconds: float | None = None) -> Answer:
        """The answer to a question of a page, within so many seconds. Cancel the task to end the search."""
        if self.pages[page] >= MOST_OF_A_PAGE:
            raise TooMany(
                f"this page has {MOST_OF_A_PAGE} searches under way, and that is the most: wait for one, or cancel it."
            )
        if self.pages.total() >= MOST_IN_ALL:
            raise TooMany(f"{MOST_IN_ALL} searches are under way, and that is the most: try again in a moment.")
        self.pages[page] += 1
        try:
            thinker = self.searching[page] = await self._free(question, page)
            try:
                return await self._asked(thinker, question, min(seconds or self.seconds, self.seconds))
            finally:
                self._shares[page] -= 1
                self._shares += Counter()  # which leaves out those at 0
                async with self._change:
                    self._change.notify_all()
        finally:
            self.pages[page] -= 1
            if not self.pages[page]:
                del self.pages[page]
                self.searching.pop(page, None)

    async def _asked(self, thinker: Thinker, question: Question, seconds: float) -> Answer:
        answer = None
        try:
            answer = await asyncio.wait_for(thinker.ask(question), seconds)
        except TimeoutError:
            raise SearchKilled(
                f"the search took more than {seconds:g} seconds and was stopped: choose a smaller depth."
            ) from None
        except EOFError:
            raise SearchKilled(
                f"the process that ran `{question['evaluator']}` ended while it searched: its evaluator may have ended "
                "it. It has been started anew."
            ) from None
        finally:
            self._working.discard(thinker)
            if answer is None:
                killing = asyncio.ensure_future(thinker.kill())
                self._fill_up()
                await asyncio.shield(killing)
            else:
                await self._return(thinker)
        if "error" in answer:
            raise TourneyError(answer["error"])
        return answer

    async def _free(self, question: Question, page: str) -> Thinker:
        """A thinker that has nothing to do, if possible one that knows the subject; one is left for other pages."""
        self._fill_up()
        most = max(1, self.count - 1)
        async with self._change:
            await self._change.wait_for(
                lambda: (self._idle and self._shares[page] < most) or (self._failure and not self._coming)
            )
            if not self._idle:
                raise SearchKilled(f"no process for searches can be started: {self._failure}.")
            known = [thinker for thinker in self._idle if thinker.subject == _subject(question)]
            thinker = known[0] if known else self._idle[-1]
            self._idle.remove(thinker)
            self._working.add(thinker)
            self._shares[page] += 1
            return thinker

    async def _return(self, thinker: Thinker) -> None:
        async with self._change:
            self._idle.append(thinker)
            self._change.notify_all()

    def _fill_up(self) -> None:
        """Start as many as are missing."""
        while len(self._idle) + len(self._working) + self._coming < self.count:
            self._coming += 1
            task = asyncio.create_task(self._started())
            self._starting.add(task)
            task.add_done_callback(self._starting.discard)

    async def _started(self) -> None:
        """One more thinker among the idle ones."""
        failure, thinker = None, None
        try:
            thinker = await Thinker.start(self.extra)
            async with self._warming_up:  # in turn: the first compiles, and the others find its machine code
                for question in self._warm_up:
                    await asyncio.wait_for(thinker.ask(question), START_SECONDS)
        except (OSError, EOFError, TimeoutError, ValueError) as error:
            failure = f"{type(error).__name__} {error}".strip()
            if thinker is not None:
                await thinker.kill()
        except asyncio.CancelledError:
            if thinker is not None:
                await thinker.kill()
            raise
        async with self._change:
            self._coming -= 1
            self._failure = failure
            if thinker is not None and failure is None:
                self._idle.append(thinker)
            self._change.notify_all()


def _subject(question: Question) -> object:
    return question.get("evaluator"), question["rules"]
