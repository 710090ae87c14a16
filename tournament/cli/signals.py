"""Ctrl-C, and the signals by which a system or a closed terminal ends a command: it cleans up and says a last word."""

from __future__ import annotations

import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import typer

GENTLE = (signal.SIGINT, *(getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)))


class _Ended(KeyboardInterrupt):
    """One of these signals has come."""

    def __init__(self, number: int) -> None:
        super().__init__()
        self.number = number


def _end(number: int, frame: object) -> None:
    for other in GENTLE:  # while it is being ended, only another Ctrl-C is heard, which ends it at once
        signal.signal(other, signal.SIG_DFL if other == signal.SIGINT else signal.SIG_IGN)
    raise _Ended(number)


@contextmanager
def ending_gently(last_word: str) -> Iterator[None]:
    """Within it these signals end the command with a last word, and the exit code that a shell gives them.

    Whoever knows better what to say raises an error with that while it is being ended.
    """
    before = {number: signal.getsignal(number) for number in GENTLE}
    for number in GENTLE:
        if number == signal.SIGINT or before[number] != signal.SIG_IGN:  # as `nohup` has it
            signal.signal(number, _end)
    try:
        yield
    except BaseException as error:
        ended: BaseException | None = error
        while ended is not None and not isinstance(ended, KeyboardInterrupt):
            ended = ended.__cause__
        if ended is None:
            raise
        print(f"tourney: {last_word if error is ended else error}", file=sys.stderr, flush=True)
        raise typer.Exit(128 + (ended.number if isinstance(ended, _Ended) else signal.SIGINT)) from None
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
