"""Files that are written whole or not at all."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

from tournament.errors import StoreError
from tournament.text import shown


@contextmanager
def whole(path: Path) -> Iterator[TextIO]:
    """A file that is written whole or not at all."""
    part = path.with_name(f"{path.name}.part")
    try:
        with part.open("w", newline="", encoding="utf-8") as file:
            yield file
        part.replace(path)
    except OSError as error:
        raise StoreError(f"{shown(path)}: can't be written ({error.strerror}).") from error
    finally:
        part.unlink(missing_ok=True)
