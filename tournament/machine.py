"""What figures were measured on: the processor and the versions of what ran."""

from __future__ import annotations

import os
import platform
from importlib.metadata import version

MEASURED_WITH = ("tourney", "numba", "numpy")


def machine() -> str:
    """The processor, its cores and the system, in one line."""
    model = platform.processor() or platform.machine()
    try:
        with open("/proc/cpuinfo") as lines:
            model = next(line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        pass
    return f"{model}, {os.cpu_count()} cores, {platform.system()}"


def versions() -> dict[str, str]:
    """The versions of Python and of what the speed depends on."""
    return {"Python": platform.python_version()} | {name: version(name) for name in MEASURED_WITH}
