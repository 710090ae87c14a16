"""The sandbox: a process under bubblewrap that sees Python and this package, and nothing else of the machine."""

from __future__ import annotations

import hashlib
import io
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Iterator
from pathlib import Path

from tournament.engine.jit.cache import cache_folder, engine_code
from tournament.errors import TourneyError
from tournament.games.connect4 import Rules
from tournament.isolation.process import CONNECTION
from tournament.plugin import Plugin

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
ENGINE = "/engine"  # where the engine's machine code is shown, to be copied: numba wants to write beside it
CODE = "/code.tar"  # and that of the player's own file, if it has been compiled before
MOST_CODE = 8 << 20  # bytes
MAIN = "from tournament.match.remote_side import serve_in_sandbox; serve_in_sandbox()"


def command(plugin: Plugin, rules: Rules) -> list[str]:
    """What starts an entrant in the sandbox."""
    shown = [(code, f"{ENGINE}/{code.name}") for code in engine_code()]
    code = kept_code(plugin, rules)
    if code is not None and code.exists():
        shown.append((code, CODE))
    return [*wrapped(shown), sys.executable, "-c", MAIN, CONNECTION]


def kept_code(plugin: Plugin, rules: Rules) -> Path | None:
    """Where the machine code of a file is kept that was compiled in a sandbox. It is only ever opened in one again."""
    folder = cache_folder()
    name = hashlib.sha256(f"{plugin.name} {plugin.source_hash} {rules}, {rules.described}".encode()).hexdigest()[:20]
    return folder / f"{name}.tar" if folder is not None else None


def keep_code(plugin: Plugin, rules: Rules, code: bytes) -> None:
    """Keep what a sandbox says is the machine code of its file."""
    path = kept_code(plugin, rules)
    if path is not None and code:
        part = path.with_suffix(f".{os.getpid()}")
        part.write_bytes(code)
        part.replace(path)


def is_there() -> bool:
    """Whether bubblewrap is installed."""
    return shutil.which(PROGRAM) is not None


def check_sandbox() -> None:
    """Raise where processes can't be put into a sandbox; there is no silent step down."""
    instead = "choose isolation `player`, which separates processes but not files and network"
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
    arguments = [PROGRAM, "--unshare-all", "--die-with-parent", "--new-session", "--cap-drop", "ALL", "--clearenv"]
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


def take_code() -> None:
    """At the beginning of a process in the sandbox: take the machine code that is shown, so as not to compile it."""
    folder = cache_folder()
    if folder is not None and Path(ENGINE).is_dir():
        shutil.copytree(ENGINE, folder, dirs_exist_ok=True)
    if folder is not None and Path(CODE).is_file():
        with tarfile.open(CODE) as archive:
            archive.extractall(folder)


def own_code() -> bytes:
    """The machine code that this sandbox has made, all but the engine's."""
    folder = cache_folder()
    written = io.BytesIO()
    if folder is not None:
        with tarfile.open(fileobj=written, mode="w") as archive:
            engine = engine_code()
            for path in sorted(folder.iterdir()):
                if path not in engine:
                    archive.add(path, path.name)
    return written.getvalue() if written.tell() <= MOST_CODE else b""
