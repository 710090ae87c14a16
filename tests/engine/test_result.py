"""One description of a move, from which every place where a move is written down is made."""

import pytest

from tournament.engine.result import (
    COUNTERS,
    MOVE_FIELDS,
    STORED_FIELDS,
    TOLD_FIELDS,
    Counters,
    SearchResult,
    found_of,
    numbers_of,
)
from tournament.store import Cost, StoredMove

FOUND = SearchResult(3, -12.5, Counters(10, 20, 30, 40, 50), 0.5, 0.25, 7, 4, 9)


def test_a_result_is_told_in_numbers_and_made_from_them_again():
    assert numbers_of(FOUND) == (3, -12.5, 10, 20, 30, 40, 50, 0.5, 0.25, 7, 4, 9)
    assert found_of(numbers_of(FOUND)) == FOUND


@pytest.mark.parametrize("numbers", [(), numbers_of(FOUND)[1:], (*numbers_of(FOUND), 1)])
def test_too_few_numbers_or_too_many_are_no_result(numbers):
    with pytest.raises(ValueError, match="zip"):
        found_of(numbers)


def test_every_value_of_a_result_has_a_field_but_the_moves_at_its_root():
    names = {field.name for field in MOVE_FIELDS}
    assert set(SearchResult._fields) - names == {"counters", "root_moves"}
    assert set(COUNTERS) <= names
    assert len(names) == len(MOVE_FIELDS)


def test_what_is_told_are_numbers_within_bounds():
    for field, number in zip(TOLD_FIELDS, numbers_of(FOUND), strict=True):
        assert field.kind in (int, float)
        assert field.low <= number <= field.high


def test_what_is_stored_of_a_move_is_what_is_read_of_it():
    assert {"ply", *(field.name for field in STORED_FIELDS)} == set(StoredMove.__dataclass_fields__)


def test_counters_are_added_up_and_what_one_does_not_know_is_not_known_of_both():
    assert Counters(1, 2, 3, 4).plus(Counters(10, 20, 30, 40)) == Counters(11, 22, 33, 44)
    one, other = Cost(moves=1, generated=7, seconds=0.5), Cost(moves=2, generated=None, seconds=0.25)  # type: ignore[arg-type]
    assert one.plus(other) == other.plus(one) == Cost(moves=3, generated=None, seconds=0.75)  # type: ignore[arg-type]
