"""The evaluators that can be named, looked up without running any of them."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path

from tournament.errors import EvaluatorError
from tournament.plugins.catalogue import Catalogue, Listing
from tournament.plugins.evaluator import Evaluator

KEPT_SECONDS = 2.0  # so long a new file may go unseen; looking for installed packages takes 10 ms and more

_kept: dict[tuple[Path, ...], tuple[float, Catalogue]] = {}


def catalogue(extra: Sequence[Path]) -> Catalogue:
    """Every evaluator that can be named, as it was a moment ago."""
    looked, found = _kept.get(tuple(extra), (0.0, None))
    now = time.monotonic()
    if found is None or now - looked > KEPT_SECONDS:
        found = Catalogue(extra)
        _kept[tuple(extra)] = now, found
    return found


def described(entry: Listing) -> str:
    """The first line of what its file says of itself."""
    plugin = _file(entry)
    return plugin.description if plugin is not None else ""


def source_hash(entry: Listing) -> str | None:
    """The hash of its file as it is now, or None where it is no file of its own."""
    plugin = _file(entry)
    return plugin.source_hash if plugin is not None else None


def _file(entry: Listing) -> Evaluator | None:
    """The file as it is now, not run; None where there is none, or it can't be read."""
    try:
        return entry.read() if isinstance(entry.place, Path) else None
    except EvaluatorError:
        return None
