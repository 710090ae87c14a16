"""The line between the server and a process of its own: questions in, answers out, one line of JSON each.

What such a process prints goes nowhere, and when the server is gone it ends, whatever it is doing.
"""

from __future__ import annotations

import json
import os
import queue
import threading
from collections.abc import Callable
from typing import IO, Any

Question = dict[str, Any]
Answer = dict[str, Any]

_writing = threading.Lock()


def serve(answer: Callable[[Question], Answer], beside: Callable[[IO[str]], None] | None = None) -> None:
    """Answer questions until there are no more; `beside` runs in a thread of its own, and may write too."""
    questions, answers = _own_streams()
    waiting: queue.SimpleQueue[str] = queue.SimpleQueue()
    threading.Thread(target=_read, args=(questions, waiting), daemon=True).start()
    if beside is not None:
        threading.Thread(target=beside, args=(answers,), daemon=True).start()
    write(answers, {"ready": os.getpid()})
    while True:
        write(answers, answer(json.loads(waiting.get())))


def write(answers: IO[str], answer: Answer) -> None:
    with _writing:
        answers.write(json.dumps(answer) + "\n")
        answers.flush()


def _own_streams() -> tuple[IO[str], IO[str]]:
    """The pipes to the server, moved to where nobody else reads or prints."""
    questions = os.fdopen(os.dup(0), encoding="utf-8")
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(nowhere, stream)
    return questions, answers


def _read(questions: IO[str], waiting: queue.SimpleQueue[str]) -> None:
    for line in questions:
        waiting.put(line)
    os._exit(0)  # the server has gone, and the main thread may be in an endless loop
