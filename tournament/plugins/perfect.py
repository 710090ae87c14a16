"""The oracle as a player: it has no file of anybody's, and what decides its moves is a text of our own."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from tournament.plugins.plugin import Plugin

NAME = "oracle"
EXACT_NODES = 300_000  # that it searches for the soonest win or the latest loss: about a twentieth of a second
# Whatever changes its moves changes this text, from which its key is made.
TEXT = f'"""Perfect play."""\nnodes = {EXACT_NODES}\norder = "left"\n'


class Perfect(Plugin):
    """Plays perfectly; nothing of it is run as a file."""


@cache
def perfect() -> Perfect:
    """The oracle."""
    return Perfect(NAME, Path(NAME), "ours", TEXT.encode(), label=NAME)
