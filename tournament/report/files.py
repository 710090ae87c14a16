"""Files that belong together: all of them are written, or none is."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from pathlib import Path
from typing import TextIO

from tournament.errors import StoreError
from tournament.text import shown

Part = Callable[[Path], AbstractContextManager[TextIO]]  # a file to write what is to be at a path


@contextmanager
def together() -> Iterator[Part]:
    """Within it files are written into parts of this process's own; at its end all of them are renamed.

    So two that write at once do not mix, and who runs out of room leaves what was there as it was.
    """
    parts: dict[Path, Path] = {}

    @contextmanager
    def part_of(path: Path) -> Iterator[TextIO]:
        with _explained(path):
            for left in path.parent.glob(f"{path.name}.*.part"):
                _remove_if_left_behind(left)
            part = parts[path] = path.with_name(f"{path.name}.{os.getpid()}.part")
            with part.open("w", newline="", encoding="utf-8") as file:
                yield file

    try:
        yield part_of
        for path in filter(Path.is_dir, parts):  # seen before anything is renamed
            raise StoreError(f"{shown(path)}: can't be written (it is a folder).")
        for path, part in parts.items():
            with _explained(path):
                part.replace(path)
    finally:
        for part in parts.values():
            with suppress(OSError):
                part.unlink(missing_ok=True)


@contextmanager
def _explained(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise StoreError(f"{shown(path)}: can't be written ({error.strerror}).") from error


def _remove_if_left_behind(part: Path) -> None:
    """Remove a part whose process was killed."""
    pid = part.suffixes[-2][1:]
    if pid.isdecimal():
        try:
            os.kill(int(pid), 0)  # signals nothing, and finds out whether there is such a process
        except ProcessLookupError:
            part.unlink(missing_ok=True)
        except OSError:
            pass  # there is one, of another user
