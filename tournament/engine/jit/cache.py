"""Where machine code is kept: in the user's cache folder, under a hash of the sources that it is made from.

numba's own cache knows a function by the path and the text of its file: a second copy compiles anew, and an edit in
a file that it calls into goes unnoticed. So the folder's name covers the text of every file of the packages that hold
compiled code, and of no others (an edited report compiles nothing anew), and within it a function is known by name.
"""

from __future__ import annotations

import hashlib
import os
import pickle
import shutil
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

import numba
from llvmlite.binding import address_of_symbol
from numba.core.caching import _Cache
from numba.core.compiler import CompileResult
from numba.core.runtime import rtsys
from numba.core.serialize import dumps

from tournament.system import cache_home

PACKAGE = Path(__file__).resolve().parents[2]
COMPILED = ("engine", "games", "truth")  # the packages that hold compiled code
ENGINE, EVALUATORS = "engine", "evaluators"  # whose machine code lies in which folder
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
            folder.mkdir(parents=True, exist_ok=True)  # another command may be making it
            _remove_unused(folder.parent)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except (OSError, RuntimeError):  # nothing can be written there, or there is no home
        return None
    return folder


def _remove_unused(folder: Path) -> None:
    """Remove the machine code of other versions that nobody has used for a month."""
    for other in folder.iterdir():
        with suppress(OSError):  # another command may have removed it
            if time.time() - other.stat().st_mtime > UNUSED_SECONDS:
                shutil.rmtree(other, ignore_errors=True)


def engine_code() -> Path | None:
    """The folder with the engine's own machine code, and nobody else's."""
    folder = cache_folder()
    return folder / ENGINE if folder is not None else None


when_not_kept: list[Callable[[OSError], None]] = []  # called where machine code can't be written


class KeptCode(_Cache):
    """The machine code of one function on disk, as numba's dispatchers ask for it.

    The name has to say all that the code is made from, besides the engine's sources, the processor and numba. What
    can't be read, or is not what was written, is compiled anew and replaced; what can't be written is not kept.
    """

    def __init__(self, folder: Path, function: Callable[..., Any]) -> None:
        self._folder, self._function = folder, function

    @property
    def cache_path(self) -> str:
        return str(self._folder)

    def enable(self) -> None: ...

    def disable(self) -> None: ...

    def flush(self) -> None: ...

    def path(self, signature: Any, codegen: Any) -> Path:
        made_from = (str(signature), codegen.magic_tuple(), numba.__version__, self._function.__code__.co_code)
        key = hashlib.sha256(repr(made_from).encode()).hexdigest()[:20]
        module = self._function.__module__.rpartition(".")[2]
        return self._folder / f"{module}.{self._function.__qualname__}-{key}.code"

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """What was compiled for this signature, or None."""
        rtsys.initialize(target_context)
        code = checked(self.path(sig, target_context.codegen()))
        if code is None:
            return None
        try:
            asked_for, made = pickle.loads(code)
            if any(address_of_symbol(name) is None for name in asked_for):
                target_context.refresh()  # takes longer than all else: it imports what numba knows of numpy
            return CompileResult._rebuild(target_context, *made)
        except Exception:  # what was written, but by another llvmlite, say: whatever it is, it can be made anew
            return None

    def save_overload(self, sig: Any, data: Any) -> None:
        if data.library.has_dynamic_globals or any(not lifted.can_cache for lifted in data.lifted):
            return  # it holds addresses of this process
        code = dumps((_asked_for(data.library._final_module), data._reduce()))
        write_checked(self.path(sig, data.codegen), code)


def checked(path: Path) -> bytes | None:
    """What `write_checked` wrote there; None where nothing can be read, or it is something else."""
    try:
        written = path.read_bytes()
    except OSError:
        return None
    size = hashlib.sha256().digest_size
    return written[size:] if hashlib.sha256(written[size:]).digest() == written[:size] else None


def write_checked(path: Path, code: bytes) -> None:
    """Write it with a check of itself, whole or not at all; who wants to know is told where that can't be done."""
    try:
        path.parent.mkdir(exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=path.parent, delete=False) as part:
            try:
                part.write(hashlib.sha256(code).digest() + code)
                part.flush()
                os.replace(part.name, path)
            except BaseException:
                os.unlink(part.name)
                raise
    except OSError as error:
        for tell in when_not_kept:
            tell(error)


def _asked_for(module: Any) -> list[str]:
    """The names of functions and data that machine code finds only where somebody has told their addresses."""
    named = (*module.functions, *module.global_variables)
    return [one.name for one in named if one.is_declaration and not one.name.startswith("llvm.")]
