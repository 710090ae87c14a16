"""The store: the SQLite file that holds every game, what was planned, and how each run was made.

Games are known by their id; the plan says which of them count.
"""

from __future__ import annotations

from tournament.store.listing import Listing
from tournament.store.writing import Writing


class Store(Writing, Listing):
    """An open store. Use it with `with`; only one run at a time may write to it."""
