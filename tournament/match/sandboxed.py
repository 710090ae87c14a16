"""A player in a sandbox: the command that starts it, and the machine code that goes in and comes out."""

from __future__ import annotations

import hashlib
import io
import shutil
import sys
import tarfile
from contextlib import suppress
from pathlib import Path

from tournament.engine.jit.cache import cache_folder, checked, engine_code, write_checked
from tournament.games.connect4 import Rules
from tournament.isolation.bubblewrap import wrapped
from tournament.isolation.process import CONNECTION
from tournament.plugins.compiled import OWN_SOURCES
from tournament.plugins.plugin import Plugin

SHOWN = "/engine"  # where the engine's machine code is shown, to be copied: there may be more to compile
CODE = "/code"  # and that of the player's own file, if it has been compiled before
MOST_CODE = 8 << 20  # bytes
MAIN = "from tournament.match.remote_side import serve_in_sandbox; serve_in_sandbox()"


def command(plugin: Plugin, rules: Rules) -> list[str]:
    """What starts a player in the sandbox."""
    engine = engine_code()
    shown = [(engine, SHOWN)] if engine is not None and engine.is_dir() else []
    code = kept_code(plugin, rules)
    if code is not None and checked(code) is not None:
        shown.append((code, CODE))
    return [*wrapped(shown), sys.executable, "-c", MAIN, CONNECTION]


def kept_code(plugin: Plugin, rules: Rules) -> Path | None:
    """Where the machine code of a file is kept that was compiled in a sandbox. It is only ever opened in one again."""
    folder = cache_folder()
    told = f"{plugin.name} {plugin.source_hash} {rules}, {rules.described} {OWN_SOURCES}"
    name = hashlib.sha256(told.encode()).hexdigest()[:20]
    return folder / f"{name}.code" if folder is not None else None


def keep_code(plugin: Plugin, rules: Rules, code: bytes) -> None:
    """Keep what a sandbox says is the machine code of its file."""
    path = kept_code(plugin, rules)
    if path is not None and code:
        write_checked(path, code)


def take_code() -> None:
    """At the beginning of a process in the sandbox: take the machine code that is shown, so as not to compile it."""
    folder, engine = cache_folder(), engine_code()
    if engine is not None and Path(SHOWN).is_dir():
        with suppress(OSError):  # some of it can't be read: it is compiled again
            shutil.copytree(SHOWN, engine, dirs_exist_ok=True)
    code = checked(Path(CODE))
    if folder is not None and code is not None:
        with suppress(OSError, tarfile.TarError), tarfile.open(fileobj=io.BytesIO(code)) as archive:
            archive.extractall(folder)


def own_code() -> bytes:
    """The machine code that this sandbox has made, all but the engine's."""
    folder = cache_folder()
    written = io.BytesIO()
    if folder is not None:
        with tarfile.open(fileobj=written, mode="w") as archive:
            for path in sorted(folder.iterdir()):
                if path != engine_code():
                    archive.add(path, path.name)
    return written.getvalue() if written.tell() <= MOST_CODE else b""
