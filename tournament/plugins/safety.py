"""Whether a stranger's functions are safe to compile, and what their machine code depends on."""

from __future__ import annotations

import dis
import hashlib
import inspect
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

from tournament.engine.jit.specialise import is_dispatcher

KNOWN_MODULES = {*sys.stdlib_module_names, "numpy", "numba", "tournament"}  # ours are in the name of the cache folder
UNCHECKED = {
    "flat",
    "nditer",
    "as_strided",
    "sliding_window_view",
    "take_along_axis",
    "fill_diagonal",
    "carray",
    "ctypes",
}


def own_functions(module: ModuleType) -> dict[str, Callable[..., Any]]:
    """The plain functions that a module defines itself, those it has compiled with numba included."""
    found: dict[str, Callable[..., Any]] = {}
    for name, value in vars(module).items():
        function = getattr(value, "py_func", value)
        if inspect.isfunction(function) and function.__globals__ is vars(module):
            found[name] = function
    return found


def globals_used(functions: dict[str, Callable[..., Any]]) -> dict[str, set[str]]:
    """The global names that each function looks up."""
    return {
        name: {part.argval for part in dis.get_instructions(function) if part.opname == "LOAD_GLOBAL"}
        for name, function in functions.items()
    }


def digest_of_globals(functions: dict[str, Callable[..., Any]], namespace: dict[str, Any]) -> str:
    """A hash of the values that compiling makes constants of, and of the files of what else is called.

    Something whose text differs from process to process is never found in the cache, which is safe.
    """
    told = hashlib.sha256()
    for name in sorted(set().union(*globals_used(functions).values())):
        value = namespace.get(name)
        home = inspect.getmodule(value)
        told.update(name.encode())
        if isinstance(value, np.ndarray):
            told.update(f"{value.dtype} {value.shape}".encode() + value.tobytes())
        elif home is None:
            told.update(repr(value).encode())
        elif not _is_known(home) and getattr(home, "__file__", None):
            told.update(Path(str(home.__file__)).read_bytes())
    return told.hexdigest()


def uses_others(functions: dict[str, Callable[..., Any]], namespace: dict[str, Any]) -> bool:
    """Whether they call what is neither Python's, numpy's or numba's, nor ours."""
    homes = (inspect.getmodule(namespace.get(name)) for name in set().union(*globals_used(functions).values()))
    return not all(home is None or _is_known(home) or vars(home) is namespace for home in homes)


def _is_known(module: ModuleType) -> bool:
    return module.__name__.partition(".")[0] in KNOWN_MODULES


def refuse_unsafe(functions: dict[str, Callable[..., Any]], namespace: dict[str, Any]) -> None:
    """Raise for what could bring the interpreter down when compiled: it is left to Python.

    That is what numba does not check the bounds of, and a recursion, which only Python stops if it has no end.
    """
    used = globals_used(functions)
    for name, function in functions.items():
        file, line = Path(function.__code__.co_filename).name, function.__code__.co_firstlineno
        for unchecked in UNCHECKED.intersection(function.__code__.co_names):
            raise TypeError(f"`{unchecked}` is not checked for its bounds when compiled ({file} ({line}))")
        for other in used[name] - set(functions):
            if is_dispatcher(namespace.get(other)):
                raise TypeError(f"`{other}` was compiled elsewhere, without checks of its bounds ({file} ({line}))")
    calls = {name: names & set(functions) for name, names in used.items()}
    for name, function in functions.items():
        reached, new = set[str](), calls[name]
        while new:
            reached |= new
            new = set().union(*(calls[other] for other in new)) - reached
        if name in reached:
            line = function.__code__.co_firstlineno
            path = Path(function.__code__.co_filename).name
            raise TypeError(f"{name} calls itself, which is left to Python ({path} ({line}))")
