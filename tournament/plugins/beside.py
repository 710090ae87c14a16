"""Files beside an agent: which of them it imports, and how it comes by these and no other's of the same name."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable
from contextlib import suppress
from importlib.machinery import ModuleSpec, PathFinder
from pathlib import Path
from types import ModuleType
from typing import Any

from tournament.errors import EvaluatorError
from tournament.plugins.plugin import MOST_OF_A_PLUGIN
from tournament.system import read_file
from tournament.text import shown

NAMES = r"[\w.]++(?:[ \t]++as[ \t]++\w++)?+"
IMPORTED = re.compile(  # wherever in a file: it is read and not parsed, since a text can be made to take long
    r"\bfrom[ \t]++(?P<of>[\w.]++)[ \t]++import\b"
    rf"|\bimport[ \t]++(?P<names>{NAMES}(?:[ \t]*+,[ \t]*+{NAMES})*+)"
    r"""|\b(?:import_module|__import__)[ \t]*+\(\s*+[rRuU]?["'](?P<called>[\w.]++)["']"""
)


def files_beside(path: Path, text: bytes) -> tuple[tuple[str, bytes], ...]:
    """The Python files beside an agent that it imports, and that these import: by their place in its folder.

    Of a package it is all of them. What Python itself has by that name is meant first, as at Kaggle.
    """
    found: dict[str, bytes] = {}
    unread = [text]
    while unread:
        for name in sorted(_imported(unread.pop()) - sys.stdlib_module_names):
            for file in _files_of(path.parent, name):
                place = file.relative_to(path.parent).as_posix()
                if place not in found and file != path:
                    try:
                        found[place] = read_file(file, MOST_OF_A_PLUGIN)
                    except OSError as error:
                        raise EvaluatorError(f"{shown(file)}: can't be read ({error.strerror}).") from error
                    unread.append(found[place])
    return tuple(sorted(found.items()))


def _files_of(folder: Path, name: str) -> list[Path]:
    """The files of a module or a package in a folder; a link that leads out of it is none."""
    package = folder / name
    if (package / "__init__.py").is_file() or not (folder / f"{name}.py").is_file():
        files = sorted(package.rglob("*.py"))
    else:
        files = [folder / f"{name}.py"]
    home = folder.resolve()
    return [file for file in files if file.is_file() and file.resolve().is_relative_to(home)]


def _imported(text: bytes) -> set[str]:
    """The first parts of the names that a file imports, wherever in it."""
    found: set[str] = set()
    for match in IMPORTED.finditer(text.decode("utf-8", "replace").replace("\\\n", " ")):
        whole = match["of"] or match["called"] or match["names"]
        found.update(name.split()[0].partition(".")[0] for name in whole.split(",") if name.strip())
    return found - {""}


class Home:
    """Where an agent's code runs, used with `with`: its own modules are known then, and only then.

    So two agents in one process have each their own `helper`, also where its name is only made up while it runs. Its
    folder is the last place where Python looks, as at Kaggle, but for the files that it is known to import, which come
    before what happens to be installed.
    """

    def __init__(self, folder: Path, names: Iterable[str]) -> None:
        self._folder, self._resolved = str(folder), folder.resolve()
        self._names = set(names)  # of its modules, the first parts
        self._path: list[str] | None = None
        self._modules: dict[str, ModuleType] = {}
        self._others: tuple[list[str], dict[str, ModuleType], bool] = ([], {}, False)
        self._before: set[str] = set()

    def __enter__(self) -> None:
        self._others = (list(sys.path), self._taken(), sys.dont_write_bytecode)
        sys.path[:] = self._path if self._path is not None else [*sys.path, self._folder]
        sys.modules.update(self._modules)
        self._before = set(sys.modules)
        sys.meta_path.insert(0, self)
        sys.dont_write_bytecode = True  # the folder is somebody's

    def __exit__(self, *_: Any) -> None:
        with suppress(ValueError):
            sys.meta_path.remove(self)
        new = set(sys.modules) - self._before
        self._names.update(name.partition(".")[0] for name in new if self._lies_here(sys.modules.get(name)))
        self._path, self._modules = list(sys.path), self._taken()
        sys.path[:], modules, sys.dont_write_bytecode = self._others
        sys.modules.update(modules)

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> ModuleSpec | None:
        """As Python asks for it: where one of its own modules is."""
        return PathFinder.find_spec(name, [self._folder], target) if path is None and name in self._names else None

    def _lies_here(self, module: Any) -> bool:
        """Whether a module was read from the agent's folder, or from one below it."""
        with suppress(TypeError, ValueError, OSError):
            values = vars(module)
            place: Any = values.get("__file__") or next(iter(values.get("__path__", ())), None)
            return Path(place).resolve().is_relative_to(self._resolved)
        return False

    def _taken(self) -> dict[str, ModuleType]:
        """The modules of these names, which are unknown from now on."""
        names = [name for name in list(sys.modules) if name.partition(".")[0] in self._names]
        return {name: sys.modules.pop(name) for name in names}
