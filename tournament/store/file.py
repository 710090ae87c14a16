"""The file of a store: opened, locked, brought up to date, and SQLite's complaints in our words."""

from __future__ import annotations

import os
import sqlite3
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from operator import methodcaller
from pathlib import Path
from typing import Self, TypeVar

from tournament.errors import StoreError
from tournament.store.schema import APPLICATION, FILE, FIRST_VERSION, SCHEMA, VERSION, layout_numbers, migrate
from tournament.text import shown

LOCK = ".lock"  # of a folder, beside the store
CHECKPOINT_PAGES = 8_000  # some 32 MB in the log before they go into the file itself: each time waits for the disk
BUSY_SECONDS = 5.0  # that we wait for another program without a word
PATIENT_SECONDS = 60.0  # that we wait in all
STEPS = 10_000  # of SQLite's, between two looks at the clock: less than a millisecond
BUSY = ("SQLITE_BUSY", "SQLITE_LOCKED")

T = TypeVar("T")


class OldStoreError(StoreError):
    """A store of an earlier version."""


class NoRunError(StoreError):
    """A store in which no run has been begun yet."""


class StoreFile:
    """An open file. Use it with `with`; only one run at a time may write to it.

    Where another program holds it, we say so and wait; not those who have no `patience`.
    """

    connection: sqlite3.Connection

    def __init__(
        self, folder: Path, *, write: bool = False, fresh: bool = False, patience: float = PATIENT_SECONDS
    ) -> None:
        self.path = folder / FILE
        self._patience = patience
        self._lock: sqlite3.Connection | None = None
        if write:
            _make_folder(folder)
            self._lock = _locked(folder)
        elif not self.path.is_file():
            raise StoreError(f"{shown(folder)}: there is no {FILE} here: name the folder of a tournament.")
        try:
            try:
                self._open(write)
            except OldStoreError:
                if not fresh:
                    raise
            if fresh:
                self.connection.close()
                for suffix in ("", "-wal", "-shm"):
                    self.path.with_name(FILE + suffix).unlink(missing_ok=True)
                self._open(write)
        except BaseException:
            self.close()
            raise

    def _open(self, write: bool) -> None:
        """Open the file, having made sure that it is one of ours."""
        with explained(self.path):
            self._patiently(lambda: self._connect(write))
            self._file = self.path.stat().st_ino

    def _connect(self, write: bool) -> None:
        as_it_is = not write and not os.access(self.path.parent, os.W_OK)  # SQLite wants to write beside it
        uri = f"{self.path.absolute().as_uri()}{'?immutable=1' if as_it_is else ''}"
        timeout = min(BUSY_SECONDS, self._patience)
        if hasattr(self, "connection"):  # of a try before this one
            self.connection.close()
        self.connection = sqlite3.connect(uri, uri=True, isolation_level=None, timeout=timeout)
        self.connection.text_factory = _text
        (application,) = self.connection.execute("PRAGMA application_id").fetchone()
        (version,) = self.connection.execute("PRAGMA user_version").fetchone()
        (tables,) = self.connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
        if tables and application != APPLICATION:
            raise StoreError(f"{shown(self.path)}: is not a store of tourney: move it away, or choose another --out.")
        if tables and version < FIRST_VERSION:
            raise OldStoreError(
                f"{shown(self.path)}: was written by an older tourney (store version {version}, this one opens "
                f"those from {FIRST_VERSION} on): play anew with --fresh, or choose another --out."
            )
        if version > VERSION:
            raise StoreError(
                f"{shown(self.path)}: was written by a newer tourney (store version {version}, this one knows "
                f"{VERSION}): install that version, or choose another --out."
            )
        query = "SELECT type, name FROM sqlite_master WHERE type NOT IN ('table', 'index')"  # which may never end
        for kind, name in self.connection.execute(query):
            raise StoreError(
                f"{shown(self.path)}: has a {kind} `{name}`, which no store of tourney has: move it away, "
                "or choose another --out."
            )
        if not tables and not write:
            raise NoRunError(f"{shown(self.path)}: holds no run: start one with `tourney run`.")
        if write:
            self.connection.execute("PRAGMA journal_mode = WAL")
            self.connection.execute("PRAGMA synchronous = NORMAL")
            self.connection.execute(f"PRAGMA wal_autocheckpoint = {CHECKPOINT_PAGES}")
        if tables and version < VERSION:
            if not write:  # nothing is changed on disk by who only reads
                self.connection = _in_memory(self.connection)
            migrate(self.connection, version)
        if not tables and write:
            pragmas = f"PRAGMA application_id = {APPLICATION}; PRAGMA user_version = {VERSION};"
            self.connection.executescript(f"BEGIN; {SCHEMA} {pragmas} COMMIT;")
        if write:
            self._layouts = layout_numbers(self.connection)

    def only_read(self, seconds: float) -> None:
        """From now on see the file as it is now, refuse to write, and end what takes longer than so many seconds."""
        deadline = time.monotonic() + seconds
        self.connection.execute("PRAGMA query_only = ON")
        self.connection.set_progress_handler(lambda: time.monotonic() > deadline, STEPS)
        with explained(self.path):
            self.connection.execute("BEGIN")

    def _patiently(self, act: Callable[[], T]) -> T:
        """What comes of it; while another program holds the file it is tried again, which is said once."""
        deadline, is_said = time.monotonic() + self._patience, False
        while True:
            try:
                return act()
            except sqlite3.OperationalError as error:
                name = getattr(error, "sqlite_errorname", "")
                if not name.startswith(BUSY) or time.monotonic() >= deadline:
                    raise
                if not is_said:
                    told = f"{shown(self.path)}: another program holds it: waiting until it is closed there."
                    print(f"tourney: {told}", file=sys.stderr, flush=True)
                is_said = True

    def begin(self) -> None:
        """Begin a transaction."""
        self._patiently(lambda: self.connection.execute("BEGIN IMMEDIATE"))

    def check_place(self) -> None:
        """Raise where the file that is written to is no longer in its folder."""
        with suppress(OSError):
            if self.path.stat().st_ino == self._file:
                return
        raise StoreError(
            f"{shown(self.path)}: has been removed or moved while games were written to it, so they are where it went. "
            "Put it back, or give the same command again, which then plays anew."
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        try:
            self.keep()
        finally:
            self.close()

    def close(self) -> None:
        for connection in (getattr(self, "connection", None), self._lock):
            if connection is not None:
                connection.close()

    def keep(self) -> None:
        """Bring to disk what has been added: until then it is seen here alone, and lost if we are killed."""
        if self.connection.in_transaction:
            with explained(self.path):
                self.connection.execute("COMMIT")

    @contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        self.keep()
        with explained(self.path):
            self.begin()
            try:
                yield self.connection
            except BaseException:
                if self.connection.in_transaction:  # SQLite may have rolled it back itself, as on a full disk
                    self.connection.execute("ROLLBACK")
                raise
            self.connection.execute("COMMIT")


def _in_memory(connection: sqlite3.Connection) -> sqlite3.Connection:
    """A copy of a store in memory; the one on disk is closed."""
    copy = sqlite3.connect(":memory:", isolation_level=None)
    copy.text_factory = _text
    connection.backup(copy)
    connection.close()
    return copy


_text = methodcaller("decode", "utf-8", "replace")  # one that is damaged is read all the same, and its check tells


DAMAGED = "is damaged. Move it away, or choose another --out; nothing has been changed in it"
HELD = "another program holds it. Finished games are kept: close it there, and the same command goes on"
TROUBLES = {  # by the beginning of SQLite's name for it
    "SQLITE_FULL": "the disk is full. Finished games are kept: make room, and the same command goes on",
    "SQLITE_READONLY": "can't be written to: choose another --out, or make the folder one that can be",
    "SQLITE_CANTOPEN": "can't be opened for writing: choose another --out, or make the folder one that can be",
    "SQLITE_CORRUPT": DAMAGED,
    "SQLITE_INTERRUPT": "takes too long to be read: `tourney report` takes its time",
    "SQLITE_BUSY": HELD,
    "SQLITE_LOCKED": HELD,
    "SQLITE_IOERR": "can't be read or written. Finished games are kept: mend the disk, and the same command goes on",
}


@contextmanager
def explained(path: Path) -> Iterator[None]:
    """SQLite's own complaints in our words."""
    try:
        yield
    except sqlite3.DatabaseError as error:
        name = getattr(error, "sqlite_errorname", "") or ""
        what = f"can't be used as a store: {error}. Move it away, or choose another --out."
        for beginning, told in TROUBLES.items():
            if name.startswith(beginning):
                what = f"{told} (SQLite says: {error})."
        raise StoreError(f"{shown(path)}: {what}") from error
    except UnicodeDecodeError as error:  # of a complaint that quotes what is damaged
        raise StoreError(f"{shown(path)}: {DAMAGED}.") from error


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StoreError(f"{shown(folder)}: can't be made ({error.strerror}): choose another --out.") from error


def is_being_written(folder: Path) -> bool:
    """Whether a run has the folder's lock just now: a look, which takes nothing."""
    if not (folder / LOCK).exists():
        return False
    connection = sqlite3.connect(f"{(folder / LOCK).absolute().as_uri()}?mode=ro", uri=True, timeout=0)
    try:
        connection.execute("SELECT count(*) FROM sqlite_master")
    except sqlite3.OperationalError as error:
        return "locked" in str(error)
    finally:
        connection.close()
    return False


def _locked(folder: Path) -> sqlite3.Connection:
    """A lock on the folder that ends with this process, however it ends: a transaction on an empty database."""
    connection = None
    try:
        connection = sqlite3.connect(folder / LOCK, timeout=0, isolation_level=None)
        connection.execute("BEGIN EXCLUSIVE")
    except sqlite3.OperationalError as error:
        if connection is not None:
            connection.close()
        if "locked" in str(error):
            raise StoreError(
                f"{shown(folder)}: another run is writing here: wait for it, or choose another --out."
            ) from error
        raise StoreError(f"{shown(folder)}: can't be written to ({error}): choose another --out.") from error
    return connection
