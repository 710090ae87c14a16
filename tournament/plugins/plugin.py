"""A plug-in: a Python file of somebody else's. It can be read, named and sent about without being run."""

from __future__ import annotations

import ctypes
import hashlib
import importlib
import json
import linecache
import os
import re
import signal
import sys
import traceback
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from types import ModuleType
from typing import Any
from weakref import WeakValueDictionary

from tournament.errors import EvaluatorError, FaultKind
from tournament.system import cache_home, read_file
from tournament.text import error_line, error_text, shown, storable

MOST_TRACEBACK = 4000  # characters that are kept of one
MOST_OF_A_PLUGIN = 1 << 20  # bytes
MOST_DESCRIPTION = 200
MOST_BEFORE_DOCSTRING = 1 << 14  # bytes, with itself
DOCSTRING = re.compile(  # behind comments and empty lines, up to where the bytes that are looked at end
    r"""\ufeff?(?:[ \t\f]*+(?:\#[^\n]*+)?\r?\n)*+[rRuU]?(?P<quotes>\"{3}|'{3}|["'])"""
    r"""(?P<text>(?:\\.|(?!(?P=quotes)).)*+)""",
    re.DOTALL,
)


_in_memory: WeakValueDictionary[int, Plugin] = WeakValueDictionary()


def forget_all() -> None:
    """Overwrite the text of every plug-in that this process has in memory.

    A process that runs one player's file was forked from one that had read the files of all. `bytes` can't be changed
    from Python, so their memory is overwritten where CPython keeps it: behind the object's header.
    """
    for plugin in list(_in_memory.values()):
        for text in (plugin.text, *(text for _, text in plugin.beside)):
            if len(text) > 1:  # shorter ones are everybody's: Python has each of them once
                ctypes.memset(id(text) + bytes.__basicsize__ - 1, 0, len(text))


@dataclass(frozen=True)
class Plugin:
    """The text of a file, and where it was read. `module` runs it, once in a process; all else does not."""

    name: str
    path: Path
    origin: str
    text: bytes = field(repr=False)
    package: str | None = None  # the module to import, where it is part of an installed package
    label: str = ""  # the path as messages show it, wherever they are made
    beside: tuple[tuple[str, bytes], ...] = field(
        default=(), repr=False
    )  # files that it imports, by place in its folder

    def __post_init__(self) -> None:
        object.__setattr__(self, "label", self.label or shown(self.path))
        _in_memory[id(self)] = self

    @property
    def parts(self) -> tuple[str, Path, str, bytes, str | None, str, tuple[tuple[str, bytes], ...]]:
        """The constructor's arguments, from which another process makes the same plug-in."""
        return self.name, self.path, self.origin, self.text, self.package, self.label, self.beside

    def __reduce__(self) -> Any:
        """Only the file travels to another process, never what running it has made."""
        return type(self), self.parts

    @cached_property
    def source_hash(self) -> str:
        """A hash of its text, and of the files beside it that it imports: whoever changes one has another player."""
        if not self.beside:
            return hashlib.sha256(self.text).hexdigest()
        told = [hashlib.sha256(text).hexdigest() for _, text in (("", self.text), *self.beside)]
        return hashlib.sha256(json.dumps([told, [place for place, _ in self.beside]]).encode()).hexdigest()

    @cached_property
    def description(self) -> str:
        """The first line of the docstring, found without parsing a text that may be made to take long."""
        found = DOCSTRING.match(self.text[:MOST_BEFORE_DOCSTRING].decode("utf-8", "replace"))
        line = "" if found is None else next(filter(None, map(str.strip, found["text"].splitlines())), "")
        return storable(line if len(line) <= MOST_DESCRIPTION else f"{line[: MOST_DESCRIPTION - 1]}…")

    @property
    def lines(self) -> int:
        return self.text.count(b"\n") + 1

    @cached_property
    def file(self) -> Path:
        """A file that holds just this text, with those beside it: the one that was read, or a copy by its hash."""
        with suppress(OSError):
            told = [(self.path, self.text), *((self.path.parent / place, text) for place, text in self.beside)]
            if all(path.read_bytes() == text for path, text in told):
                return self.path
        folder, name = cache_home() / "sources" / self.source_hash[:16], f"{self.name}.py"
        try:
            for place, text in ((name, self.text), *self.beside):
                copy = folder / place
                copy.parent.mkdir(parents=True, exist_ok=True)
                part = copy.with_suffix(f".{os.getpid()}")
                part.write_bytes(text)
                os.utime(part, (0, 0))  # the same each time, since machine code is known by it
                part.replace(copy)
        except OSError:
            return self.path  # then there is no cache for machine code either, which is what needs the file
        return folder / name

    @cached_property
    def module(self) -> ModuleType:
        """What the file makes when it is run; whatever it raises is an EvaluatorError with its line."""
        return self._imported() if self.package is not None else self.run()

    @cached_property
    def module_name(self) -> str:
        return f"tourney_plugin_{hashlib.sha256(str(self.file).encode() + self.text).hexdigest()[:16]}"

    def load_hint(self, error: BaseException) -> str:
        """What may help whoever's file raised this while it was being loaded."""
        return " An evaluator is one file; keep its helpers in it."

    def run(self) -> ModuleType:
        """The module that the file makes, run now; whatever it raises is an EvaluatorError with its line."""
        path = self.file
        module = ModuleType(self.module_name)
        module.__file__ = str(path)
        sys.modules[module.__name__] = module  # dataclasses look their module up there
        linecache.checkcache(str(path))
        try:
            exec(compile(self.text, str(path), "exec", dont_inherit=True), vars(module))
        except BaseException as error:
            if by_a_person(error):
                raise
            if isinstance(error, SyntaxError) and self.place_in(error) is None:  # and not of what the file compiles
                raise EvaluatorError(f"{self.label}:{error.lineno or 1}: is not Python: {error.msg}.") from error
            raise EvaluatorError(
                f"{self.place_in(error) or f'{self.label}:1'}: raised {type(error).__name__} while being loaded: "
                f"{error_text(error)}.{self.load_hint(error)}"
            ) from error
        return module

    def _imported(self) -> ModuleType:
        assert self.package is not None
        try:
            module = importlib.import_module(self.package)
            same = Path(str(module.__file__)).read_bytes() == self.text
        except BaseException as error:
            if by_a_person(error):
                raise
            raise EvaluatorError(
                f"{self.origin}: evaluator `{self.name}` raised {type(error).__name__} while being imported: "
                f"{error_text(error)}."
            ) from error
        if not same:
            raise EvaluatorError(f"{self.origin}: evaluator `{self.name}` is another version here: install the same.")
        return module

    def line_in(self, error: BaseException) -> int | None:
        """The last line of this file in an exception's traceback."""
        own = [frame.lineno for frame in _frames(error) if frame.filename == str(self.file)]
        return own[-1] if own else None

    def place_in(self, error: BaseException) -> str | None:
        """The last line of this file, or of one beside it, in an exception's traceback: `file:line`."""
        own = [place for frame in _frames(error) if (place := self.place(frame.filename, frame.lineno))]
        return own[-1] if own else None

    def place(self, file: str, line: int | None) -> str | None:
        """A line of this file, or of one beside it, as messages show it; None where it is somebody else's file."""
        if file == str(self.file):
            return f"{self.label}:{line}"
        own = next((place for place, _ in self.beside if file == str(self.file.parent / place)), None)
        return None if own is None else f"{Path(self.label).parent / own}:{line}"

    def traceback_of(self, error: BaseException) -> str:
        """An exception's traceback from the first line of this file, or of one beside it, on; cut where it is long."""
        frames = _frames(error)
        begins = next((n for n, frame in enumerate(frames) if self.place(frame.filename, frame.lineno)), 0)
        kept = "".join([*traceback.StackSummary.from_list(frames[begins:]).format(), error_line(error)])
        half = MOST_TRACEBACK // 2
        return kept if len(kept) <= MOST_TRACEBACK else f"{kept[:half]}\n…\n{kept[-half:]}"


def _frames(error: BaseException) -> list[traceback.FrameSummary]:
    """An exception's traceback without Python's own steps of an import."""
    frames = traceback.extract_tb(error.__traceback__)
    return [frame for frame in frames if not frame.filename.startswith("<frozen importlib")]


def kind_of(error: BaseException) -> FaultKind:
    """What kind of fault it is to raise this."""
    return "memory" if isinstance(error, MemoryError) else "exit" if isinstance(error, SystemExit) else "raised"


def by_a_person(error: BaseException) -> bool:
    """Whether it is somebody's Ctrl-C, and not raised by the plug-in."""
    return isinstance(error, KeyboardInterrupt) and signal.getsignal(signal.SIGINT) is signal.default_int_handler


def read_text(path: Path) -> bytes:
    """The bytes of a plug-in's file, whose name can be a player's."""
    valid_name(path.stem, f"{shown(path)}: ")
    try:
        return read_file(path, MOST_OF_A_PLUGIN)
    except OSError as error:
        raise EvaluatorError(f"{shown(path)}: can't be read ({error.strerror}).") from error


NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}")


def valid_name(name: str, where: str = "") -> str:
    """The name itself, or an error where an evaluator can't be called so."""
    if not NAME.fullmatch(name):
        raise EvaluatorError(
            f"{where}`{name}` can't be a name: use up to 64 letters, digits, `_` and `-`, as in `alice`."
        )
    return name
