"""Where we run, and on what: what comes with us, the processor, the versions of what figures were measured with."""

from __future__ import annotations

import errno
import os
import re
import stat
import sys
from contextlib import suppress
from pathlib import Path

from tournament.errors import TourneyError

MEASURED_WITH = ("tourney", "numba", "numpy")
MOST_BYTES = 8 << 20  # of a file that a person has written
PACKAGE = Path(__file__).resolve().parent


def bundled(folder: str) -> Path:
    """The folder of that name that comes with us: a wheel carries it inside the package, a checkout beside it."""
    inside = PACKAGE / "bundled" / folder
    return inside if inside.is_dir() else PACKAGE.parent / folder


def check_system() -> None:
    """Raise where nothing can be played: Windows does not keep processes apart as we need it."""
    if sys.platform == "win32":
        raise TourneyError(
            "this runs on Linux and macOS; on Windows, run it inside WSL: "
            "`tourney guide machines` says how, step by step."
        )


def check_folder() -> None:
    """Raise where the current folder is gone."""
    try:
        os.getcwd()
    except FileNotFoundError:
        raise TourneyError("the current folder has been removed: change to one that is there.") from None


def machine() -> str:
    """The processor, its cores and the system, in one line."""
    import platform

    model = platform.processor() or platform.machine()
    try:
        with open("/proc/cpuinfo") as lines:
            model = next(line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        pass
    return f"{model}, {os.cpu_count()} cores, {platform.system()}"


def versions() -> dict[str, str]:
    """The versions of Python and of what the speed depends on."""
    import platform  # late, as below: the help of the command line has no use for them
    from importlib.metadata import version

    return {"Python": platform.python_version()} | {name: version(name) for name in MEASURED_WITH}


def jit_disabled() -> bool:
    """Whether numba will compile nothing: what it reads from the environment, known without importing it."""
    with suppress(ValueError):
        return bool(int(os.environ.get("NUMBA_DISABLE_JIT", "0")))
    return False


def about() -> str:
    """What is installed, and whether it compiles, in one line."""
    found = versions()
    told = ", ".join(f"{name} {found[name]}" for name in ("tourney", "Python", "numba"))
    return f"{told}, {'not compiled (NUMBA_DISABLE_JIT is set)' if jit_disabled() else 'compiled'}"


def read_file(path: Path, most: int = MOST_BYTES) -> bytes:
    """What is in a file of a person's: OSError where it is none (a pipe or device may never end), or far too large."""
    with open(os.open(path, os.O_RDONLY | os.O_NONBLOCK), "rb") as file:  # which does not wait for who writes to a pipe
        mode = os.fstat(file.fileno()).st_mode
        if not stat.S_ISREG(mode) and not stat.S_ISDIR(mode):
            raise OSError(errno.EINVAL, "it is a pipe or a device, and no file")
        found = file.read(most + 1)
    if len(found) > most:
        raise OSError(errno.EFBIG, f"it is larger than {most >> 20} MB")
    return found


def what_is_short(error: BaseException) -> str | None:
    """The limit of the system that an error comes from, in a sentence; None where it comes from none."""
    number = error.errno if isinstance(error, OSError) else None
    if isinstance(error, MemoryError) or number == errno.ENOMEM or "failed to map segment" in str(error):
        return "there is not enough memory for this (`ulimit -v` says how much a process may take, in kB)."
    if number in (errno.EMFILE, errno.ENFILE):
        return "too many files are open (`ulimit -n` says how many a process may have)."
    if number == errno.EAGAIN or "can't start new thread" in str(error):
        return "no more processes can be started (`ulimit -u` says how many a user may have)."
    return None


def cache_home() -> Path:
    """The folder below which we keep what can be made again. RuntimeError where there is no home."""
    chosen = Path(os.environ.get("XDG_CACHE_HOME", ""))
    return (chosen if chosen.is_absolute() else Path("~/.cache").expanduser()) / "tourney"


def memory_available() -> int:
    """How many bytes of memory are free for us, as far as the system says."""
    free = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    with suppress(OSError, StopIteration):
        lines = Path("/proc/meminfo").read_text().splitlines()
        free = 1024 * int(next(line.split()[1] for line in lines if line.startswith("MemAvailable")))
    with suppress(OSError, ValueError):  # a container's own limit
        limit, used = (int(Path(f"/sys/fs/cgroup/memory.{name}").read_text()) for name in ("max", "current"))
        free = min(free, limit - used)
    return free


def forget_peak() -> None:
    """Make Linux count the most memory of this process from now on; elsewhere it is not known."""
    with suppress(OSError):
        Path("/proc/self/clear_refs").write_text("5")


def memory_of_process(name: str) -> int | None:
    """What Linux says of this process, in bytes; None elsewhere."""
    with suppress(OSError):
        found = re.search(rf"^{name}:\s+(\d+) kB", Path("/proc/self/status").read_text(), re.MULTILINE)
        return 1024 * int(found[1]) if found else None
    return None
