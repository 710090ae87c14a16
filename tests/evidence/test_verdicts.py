"""Tests of one pairing against hand-counted coins, Holm against its definition, and the error of a whole table."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournament.evidence.verdicts import departure_p, flip_test, holm, sign_test, word

P_VALUES = st.lists(st.floats(0, 1), max_size=8)


@pytest.mark.parametrize(
    ("better", "worse", "p"),
    [
        (0, 0, 1.0),
        (1, 0, 1.0),
        (5, 5, 1.0),
        (5, 0, 2 / 2**5),
        (6, 0, 2 / 2**6),
        (9, 1, 2 * (1 + 10) / 2**10),
        (2, 10, 2 * (1 + 12 + 66) / 2**12),
    ],
)
def test_a_sign_test_counts_coins_that_fall_as_unevenly(better, worse, p):
    assert sign_test(better, worse) == pytest.approx(p)
    assert sign_test(worse, better) == pytest.approx(p)


def test_holm_by_hand():
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([0.6, 0.5]) == [1.0, 1.0]
    assert holm([]) == []


@given(P_VALUES)
def test_holm_keeps_the_order_and_lies_between_no_adjustment_and_bonferroni(p_values):
    adjusted = holm(p_values)
    by_size = sorted(zip(p_values, adjusted, strict=True))
    assert [after for _, after in by_size] == sorted(adjusted)
    for before, after in by_size:
        assert before <= after <= min(1.0, len(p_values) * before)


@given(P_VALUES, st.floats(0.001, 0.5))
def test_holm_rejects_what_its_steps_reject(p_values, alpha):
    """As Holm put it: go up from the smallest, and stop at the first that is above alpha over those left."""
    order = sorted(range(len(p_values)), key=p_values.__getitem__)
    rejected = set()
    for place, index in enumerate(order):
        if (len(p_values) - place) * p_values[index] > alpha:
            break
        rejected.add(index)
    assert {index for index, p in enumerate(holm(p_values)) if p <= alpha} == rejected


# ── pairs of one pairing ─────────────────────────────────────────────────────────────────────────


def pairs(won: int, lost: int, split: int = 0) -> list[float]:
    return [0.5] * won + [-0.5] * lost + [0.0] * split


@given(st.integers(0, 30), st.integers(0, 30), st.integers(0, 5))
def test_with_margins_of_one_size_flips_are_the_sign_test(won, lost, split):
    assert flip_test(pairs(won, lost, split)) == pytest.approx(sign_test(won, lost))


@given(st.lists(st.sampled_from([-0.5, -0.25, 0.0, 0.25, 0.375, 0.5]), max_size=9))
def test_flips_are_counted_one_by_one(margins):
    reached = abs(sum(margins))
    sums = [
        abs(sum(s * m for s, m in zip(signs, margins, strict=True))) for signs in product((-1, 1), repeat=len(margins))
    ]
    assert flip_test(margins) == pytest.approx(sum(total >= reached - 1e-9 for total in sums) / len(sums))


def test_a_word_follows_the_margin_where_p_allows_one():
    assert (word(0.1, 0.05), word(-0.1, 0.01), word(0.1, 0.051)) == ("better", "worse", "can't tell")


def words(table: list[list[float]]) -> list[str]:
    p_values = holm([flip_test(margins) for margins in table])
    return [word(sum(margins), p) for margins, p in zip(table, p_values, strict=True)]


def test_what_alone_is_resolved_is_not_in_a_long_table():
    assert words([pairs(8, 0)]) == ["better"]
    assert words([pairs(8, 0)] + [pairs(5, 5)] * 9)[0] == "can't tell"
    assert words([pairs(0, 0, 9)] * 3) == ["can't tell"] * 3


def test_a_whole_table_of_equals_has_a_false_alarm_in_at_most_alpha_of_all_tables():
    random = np.random.default_rng(1)
    tables = 300
    scores = random.choice([-0.5, -0.25, 0, 0.25, 0.5], (tables, 10, 30), p=[0.2, 0.1, 0.4, 0.1, 0.2])
    alarms = sum(any(said != "can't tell" for said in words(table.tolist())) for table in scores)
    assert alarms / tables <= 0.05


def test_a_table_with_real_differences_keeps_its_word_on_the_others():
    random = np.random.default_rng(2)
    tables = 200
    alarms = 0
    for _ in range(tables):
        equal = [pairs(int(w), 40 - int(w)) for w in random.binomial(40, 0.5, size=5)]
        unequal = [pairs(int(w), 40 - int(w)) for w in random.binomial(40, 0.85, size=5)]
        alarms += any(said != "can't tell" for said in words(equal + unequal)[:5])
    assert alarms / tables <= 0.05


def test_a_departure_is_what_lies_far_from_what_was_expected():
    margins = pairs(12, 2, 11)
    assert departure_p(margins, 0.2) == pytest.approx(1, abs=0.01)
    assert departure_p(margins, -0.2) < 0.001
    assert departure_p([0.5], 0.0) == 1
    assert departure_p([0.0] * 25, 0.05) > 0.05, "that all pairs split is no surprise where few are won"
