"""Making the book: it goes on where it was stopped, and is written once it is whole."""

import numpy as np
import pytest

from tournament.truth import make_book
from tournament.truth.book import FILE, positions, unpacked
from tournament.truth.make_book import RUN, UNKNOWN


@pytest.fixture
def elsewhere(tmp_path, monkeypatch):
    """The book and what is done of it, in a folder of their own."""
    monkeypatch.setattr(make_book, "FILE", tmp_path / "book.bin")
    monkeypatch.setattr(make_book, "PART", tmp_path / "book.part")
    return tmp_path


def test_it_goes_on_where_it_was_stopped(elsewhere, monkeypatch, capsys):
    values = unpacked(FILE.read_bytes(), len(positions().keys))
    begun = []

    def solved(run):
        begun.append(run[0])
        if begun == [0, RUN]:
            raise KeyboardInterrupt
        return run[0], values[slice(*run)].tolist()

    monkeypatch.setattr(make_book, "solved", solved)
    with pytest.raises(KeyboardInterrupt):
        make_book.make(jobs=1)
    assert [path.name for path in elsewhere.iterdir()] == ["book.part"]
    make_book.make(jobs=1)
    assert begun == [0, RUN, *range(RUN, len(values), RUN)]
    assert [path.name for path in elsewhere.iterdir()] == ["book.bin"]
    assert (elsewhere / "book.bin").read_bytes() == FILE.read_bytes()
    assert f"{RUN:,} of 77,715 solved" in capsys.readouterr().err


def test_what_our_solver_has_found_so_far_is_what_the_book_says():
    if not make_book.PART.exists():
        pytest.skip("the book is whole")
    found = np.frombuffer(make_book.PART.read_bytes(), np.int8)
    known = found != UNKNOWN
    assert known.any()
    assert np.array_equal(found[known], unpacked(FILE.read_bytes(), len(found))[known])
