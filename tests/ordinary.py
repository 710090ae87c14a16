"""An ordinary user: tests that run as root try permissions as one, since root writes everywhere.

It may read everything (the Python of a test may lie in a home that is closed), and write what is its own alone.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

NOBODY = 65534
SETPRIV = (
    *("setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups"),
    *("--inh-caps=-all,+dac_read_search", "--ambient-caps=-all,+dac_read_search"),
)


def as_ordinary(*arguments: str, cwd: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """What Python does with these arguments as an ordinary user; skipped where root can't become one."""
    command = [sys.executable, *arguments]
    if os.geteuid() == 0:
        try:
            subprocess.run([*SETPRIV, "true"], check=True, capture_output=True)
        except (OSError, subprocess.CalledProcessError) as error:
            pytest.skip(f"root can't become an ordinary user here: {error}")
        command = [*SETPRIV, *command]
    whole = os.environ | environment
    return subprocess.run(command, cwd=cwd, env=whole, capture_output=True, text=True, timeout=120)
