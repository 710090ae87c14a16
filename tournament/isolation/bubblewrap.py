"""The sandbox: a process under bubblewrap that sees Python and this package, and nothing else of the machine."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from tournament.errors import TourneyError

PROGRAM = "bwrap"
PACKAGE = Path(__file__).resolve().parents[1]
SYSTEM = (
    "/usr",
    "/bin",
    "/sbin",
    "/lib",
    "/lib32",
    "/lib64",
    "/etc/ld.so.cache",
    "/etc/localtime",
    "/etc/alternatives",
)
MOST_FILES = 64 << 20  # bytes in the temporary folder, and in the home folder
CACHE = "/cache"  # where machine code is kept inside, at the same place on every machine


def is_there() -> bool:
    """Whether bubblewrap is installed."""
    return shutil.which(PROGRAM) is not None


def check_sandbox() -> None:
    """Raise where processes can't be put into a sandbox; there is no silent step down."""
    instead = "choose isolation `player`, which separates processes but not files and network"
    if sys.platform != "linux":
        raise TourneyError(f"isolation `sandbox` needs bubblewrap, which only Linux has: {instead}.")
    if not is_there():
        raise TourneyError(
            f"isolation `sandbox` needs bubblewrap, and there is no `{PROGRAM}`: install it "
            f"(Debian's package `bubblewrap`), or {instead}."
        )
    tried = subprocess.run([*wrapped([]), sys.executable, "-c", "import tournament"], capture_output=True, text=True)
    if tried.returncode:
        why = " ".join(tried.stderr.split())[-300:] or f"exit code {tried.returncode}"
        raise TourneyError(f"isolation `sandbox` can't be reached, bubblewrap says: {why}. Mend that, or {instead}.")


def wrapped(shown: list[tuple[Path, str]]) -> list[str]:
    """The beginning of a command that runs in a sandbox, in which these files are shown at these places too."""
    home, temporary = os.path.expanduser("~"), tempfile.gettempdir()
    tmpfs = ["--size", str(MOST_FILES), "--tmpfs"]
    # bubblewrap itself gets an empty environment too: its process can be looked at from inside.
    program = ["env", "-i", shutil.which(PROGRAM) or PROGRAM]
    arguments = [*program, "--unshare-all", "--die-with-parent", "--new-session", "--cap-drop", "ALL", "--clearenv"]
    for name, value in _environment(home, temporary).items():
        arguments += ["--setenv", name, value]
    for folder in sorted({home, temporary, CACHE} - {"/"}):
        arguments += [*tmpfs, folder]
    for path in _shown():
        arguments += ["--ro-bind", str(path), str(path)]
    hidden = PACKAGE / "bundled"
    if hidden.is_dir():
        arguments += ["--tmpfs", str(hidden)]
    for path, place in shown:
        arguments += ["--ro-bind", str(path), place]
    arguments += ["--proc", "/proc", "--dev", "/dev", *tmpfs, "/dev/shm", "--remount-ro", "/dev"]
    return [*arguments, "--chdir", temporary, "--remount-ro", "/"]


def _environment(home: str, temporary: str) -> dict[str, str]:
    return {
        "HOME": home,
        "TMPDIR": temporary,
        "XDG_CACHE_HOME": CACHE,
        "PATH": os.defpath,
        "LANG": os.environ.get("LANG", "C.UTF-8"),
        "PYTHONDONTWRITEBYTECODE": "1",
        "OPENBLAS_NUM_THREADS": "1",
        **{name: value for name, value in os.environ.items() if name == "NUMBA_DISABLE_JIT"},
    }


def _shown() -> Iterator[Path]:
    """The system's libraries, Python, what is installed for it, and this package without any evaluator."""
    for path in map(Path, dict.fromkeys([*SYSTEM, sys.base_prefix, sys.prefix, *_installed()])):
        if path.exists():
            yield path
    yield PACKAGE


def _installed() -> list[str]:
    """Folders of packages that lie outside of Python's own; a checkout is none."""
    return [path for path in sys.path if Path(path).name in ("site-packages", "dist-packages")]
