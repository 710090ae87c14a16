"""games.db: written, read, and opened whatever version from 3 on wrote it. It needs no compiler."""

from tournament.store.file import OldStoreError
from tournament.store.records import (
    Cost,
    ListedGame,
    PlannedRow,
    StoredGame,
    StoredMove,
    StoredPlayer,
    StoredRun,
    StoredSearches,
    Task,
)
from tournament.store.schema import FILE
from tournament.store.store import Store

__all__ = [
    "FILE",
    "Cost",
    "ListedGame",
    "OldStoreError",
    "PlannedRow",
    "Store",
    "StoredGame",
    "StoredMove",
    "StoredPlayer",
    "StoredRun",
    "StoredSearches",
    "Task",
]
