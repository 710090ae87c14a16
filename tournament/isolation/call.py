"""One call in a process of its own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tournament.isolation.process import Process


def call(function: Callable[[], Any], seconds: float) -> Any:
    """What a function returns that runs in a guarded process, for so long at most; TimeoutError, or ChildProcessError.

    The result must be one that can be pickled.
    """
    process = Process(lambda connection: connection.send(function()))
    try:
        if not process.connection.poll(seconds):
            raise TimeoutError(f"{seconds:g} seconds were not enough")
        return process.connection.recv()
    except EOFError:
        raise ChildProcessError(f"its process ended with {process.end(1.0)}") from None
    finally:
        process.close()
