"""Where machine code is kept: in the user's cache folder, under a hash of the sources that it is made from.

numba notices an edit only in the file a function stands in, and not in the files it calls into. So the folder's name
covers every file of the packages that hold compiled code, and of no others: an edited report compiles nothing anew.
"""

from __future__ import annotations

import hashlib
import shutil
import sys
import tempfile
import time
from functools import cache
from pathlib import Path

import numba
from numba.core.caching import _CacheLocator

from tournament.system import cache_home

PACKAGE = Path(__file__).resolve().parents[2]
COMPILED = ("engine", "games")  # the packages that hold compiled code
UNUSED_SECONDS = 30 * 24 * 3600


def hash_of_sources(package: Path = PACKAGE) -> str:
    """A hash of every file that compiled code is made from, with its place."""
    sources = hashlib.sha256()
    for path in sorted(path for name in COMPILED for path in (package / name).rglob("*.py")):
        sources.update(f"{path.relative_to(package)}\n".encode() + path.read_bytes())
    return sources.hexdigest()


@cache
def cache_folder() -> Path | None:
    """The folder for machine code of this version of the engine, or None where none can be written."""
    try:
        folder = cache_home() / f"{hash_of_sources()[:16]}-py{sys.version_info[0]}{sys.version_info[1]}"
        if not folder.exists():
            folder.mkdir(parents=True)
            _remove_unused(folder.parent)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except (OSError, RuntimeError):  # nothing can be written there, or there is no home
        return None
    numba.config.CACHE_DIR = str(folder)
    return folder


def _remove_unused(folder: Path) -> None:
    """Remove the machine code of other versions that nobody has used for a month."""
    for other in folder.iterdir():
        if time.time() - other.stat().st_mtime > UNUSED_SECONDS:
            shutil.rmtree(other, ignore_errors=True)


def engine_code() -> list[Path]:
    """The folders of the cache with the engine's own machine code, and nobody else's.

    numba names a folder after the one in which the source lies, with a hash of its whole path.
    """
    folder = cache_folder()
    if folder is None:
        return []
    sources = {path.parent for name in COMPILED for path in (PACKAGE / name).rglob("*.py")}
    named = (folder / _CacheLocator.get_suitable_cache_subpath(str(source / "file.py")) for source in sorted(sources))
    return [path for path in named if path.is_dir()]
