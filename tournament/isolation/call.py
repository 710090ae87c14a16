"""Code of strangers in a process of its own, whose answers are plain data: nothing that it says is run here."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Generator, Iterable
from contextlib import closing
from multiprocessing.connection import Connection
from typing import Any

from tournament.isolation.lines import Lines, send_line
from tournament.isolation.process import Process

MOST_ANSWER = 1 << 20  # bytes
ENDING_SECONDS = 2.0  # for a process that has closed its connection to say how it ended


def call(function: Callable[[], Any], seconds: float) -> Any:
    """What a function returns that runs in a guarded process, for so long at most; TimeoutError, or ChildProcessError.

    It must be such as JSON has.
    """
    with closing(each(lambda: iter([function()]), seconds)) as told:
        for one in told:
            return one
    raise ChildProcessError("its process answered nothing")


def each(function: Callable[[], Iterable[Any]], seconds: float) -> Generator[Any]:
    """Each of what a function tells that runs in a guarded process, for each of which it may take so long."""
    process = Process(lambda connection: _tell(function, connection), namespaced=True)
    lines = Lines(process.connection, MOST_ANSWER)
    try:
        while True:
            line = lines.next(time.monotonic() + seconds)
            if line is None:
                raise TimeoutError(f"{seconds:g} seconds were not enough")
            told = json.loads(line)
            if told == {}:
                return
            yield _what_is_told(told)
    except TimeoutError:
        raise
    except (EOFError, OSError):
        raise ChildProcessError(f"its process ended with {process.end(ENDING_SECONDS)}") from None
    except (ValueError, RecursionError):
        raise ChildProcessError("its process answered with what is no answer") from None
    finally:
        process.close()


def _what_is_told(answer: Any) -> Any:
    match answer:
        case {"told": told}:
            return told
    raise ValueError("no answer of ours")


def _tell(function: Callable[[], Iterable[Any]], connection: Connection) -> None:
    for told in function():
        send_line(connection, {"told": told})
    send_line(connection, {})
