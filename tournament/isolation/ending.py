"""How a process ended."""

from __future__ import annotations

import os
import signal
from typing import NamedTuple


class Ending(NamedTuple):
    """How a process ended: by a signal, or with an exit code."""

    signal: int
    code: int

    @classmethod
    def of(cls, status: int) -> Ending:
        """From what waitpid says."""
        if os.WIFSIGNALED(status):
            return cls(os.WTERMSIG(status), 0)
        code = os.WEXITSTATUS(status)
        return cls(code - 128, 0) if code > 128 else cls(0, code)  # as shells and sandboxes say it

    def __str__(self) -> str:
        if not self.signal:
            return f"exit code {self.code}"
        try:
            return f"signal {self.signal} ({signal.Signals(self.signal).name})"
        except ValueError:
            return f"signal {self.signal}"
