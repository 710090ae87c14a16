"""games.db: written, read, and opened whatever version from 3 on wrote it. It needs no compiler."""

from tournament.store.file import NoRunError, is_being_written
from tournament.store.reading import damage_told
from tournament.store.records import (
    Cost,
    ListedGame,
    Offer,
    StoredGame,
    StoredMove,
    StoredPlayer,
    StoredRun,
    StoredSearches,
)
from tournament.store.schema import FILE
from tournament.store.store import Store
from tournament.store.tasks import GameTask, Planned, SearchTask, Task

__all__ = [
    "FILE",
    "Cost",
    "GameTask",
    "ListedGame",
    "NoRunError",
    "Offer",
    "Planned",
    "SearchTask",
    "Store",
    "StoredGame",
    "StoredMove",
    "StoredPlayer",
    "StoredRun",
    "StoredSearches",
    "Task",
    "damage_told",
    "is_being_written",
]
