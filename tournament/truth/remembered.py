"""What was solved before, kept in a file: by position, mirror images once, a score and whether it is exact.

The file begins with a hash of the rest. What is damaged, of another board or of another layout is not believed:
it counts as empty, and is replaced.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
from contextlib import suppress
from pathlib import Path

import numpy as np

from tournament.games.connect4 import Position, Rules, canonical
from tournament.system import cache_home

ENTRY = np.dtype([("key", "<u8"), ("score", "i1"), ("exact", "i1")])
MOST = 1 << 20  # positions: 10 MB
Known = dict[int, tuple[int, bool]]  # the score, or its sign; whether it is exact


def key_of(position: Position) -> int:
    """A number for a position or its mirror image, the same for both."""
    one = canonical(position)
    return one.mover + one.occupied


def folder() -> Path | None:
    """Where single questions keep what was solved, or None where there is no home."""
    try:
        return cache_home() / "solved"
    except RuntimeError:
        return None


def _head(rules: Rules) -> bytes:
    return f"tourney solved 1: {rules.rows}x{rules.columns}x{rules.connect}\n".encode()


def _file(place: Path, rules: Rules) -> Path:
    return place / f"{rules.rows}x{rules.columns}x{rules.connect}.bin"


def recall(place: Path | None, rules: Rules) -> Known:
    """What is kept of a board."""
    if place is None:
        return {}
    with suppress(OSError):
        written = _file(place, rules).read_bytes()
        size, head = hashlib.sha256().digest_size, _head(rules)
        check, content = written[:size], written[size:]
        if hashlib.sha256(content).digest() == check and content.startswith(head):
            entries = np.frombuffer(content[len(head) :], ENTRY)
            rows = zip(entries["key"].tolist(), entries["score"].tolist(), entries["exact"].tolist(), strict=True)
            return {key: (score, bool(exact)) for key, score, exact in rows}
    return {}


def keep(place: Path | None, rules: Rules, known: Known) -> None:
    """Write what is known of a board, the newest where there is too much; nothing where it can't be written."""
    if place is None:
        return
    entries = np.array([(key, *found) for key, found in list(known.items())[-MOST:]], ENTRY)
    content = _head(rules) + entries.tobytes()
    with suppress(OSError):
        place.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=place, delete=False) as part:
            try:
                part.write(hashlib.sha256(content).digest() + content)
                part.flush()
                os.replace(part.name, _file(place, rules))
            except OSError:
                os.unlink(part.name)
