"""What commands print: in plain letters where a stream knows no others; and who can't print goes on all the same."""

from __future__ import annotations

import codecs
import io
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, TextIO

PLAIN = str.maketrans("·…–—−─━│┃×≥→▶≤←◀█■●○’\u00a0\u202f", "..-----||x>>><<<##oo'  ")


class _Unbroken(io.RawIOBase):
    """A file in which nothing fails: what can't be written is left out, and the reason kept."""

    def __init__(self, file: Any) -> None:
        self._file = file
        self.failure: OSError | None = None

    def writable(self) -> bool:
        return True

    def isatty(self) -> bool:
        return bool(self._file.isatty())

    def fileno(self) -> int:
        return int(self._file.fileno())

    def write(self, data: Any) -> int | None:
        try:
            return self._file.write(data)  # type: ignore[no-any-return]
        except BrokenPipeError:  # a reader that has seen enough, such as `head`
            return len(data)
        except OSError as error:
            self.failure = error
            return len(data)


def _plainly(error: UnicodeError) -> tuple[str, int]:
    """Letters that the stream does not know, as such that it does."""
    assert isinstance(error, UnicodeEncodeError)
    letters = error.object[error.start : error.end].translate(PLAIN)
    return "".join(letter if letter.isascii() else "?" for letter in letters), error.end


codecs.register_error("plainly", _plainly)


@contextmanager
def unbroken_output() -> Iterator[list[OSError]]:
    """Within it nothing that is printed is an error; at its end it says what was, and leaves it in the list."""
    before = sys.stdout, sys.stderr
    files: list[_Unbroken] = []
    failures: list[OSError] = []

    def unbroken(stream: TextIO) -> TextIO:
        buffer = getattr(stream, "buffer", None)
        if buffer is None:  # it is closed
            return stream
        files.append(_Unbroken(getattr(buffer, "raw", buffer)))
        buffered = io.BufferedWriter(files[-1])
        return io.TextIOWrapper(buffered, stream.encoding, "plainly", line_buffering=stream.isatty())

    sys.stdout, sys.stderr = map(unbroken, before)
    try:
        yield failures
    finally:
        for stream in (sys.stdout, sys.stderr):
            if stream is not None:
                stream.flush()
        failures += [file.failure for file in files if file.failure is not None]
        if failures:
            print(f"tourney: some of what was to be printed could not be ({failures[0].strerror}).", file=sys.stderr)
            sys.stderr.flush()
        sys.stdout, sys.stderr = before
