"""The sign test against hand-counted coins, Holm against its definition, and the error of a whole table."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournament.evidence.verdicts import holm, sign_test, verdicts

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


def test_a_verdict_says_the_word_and_what_it_rests_on():
    better, worse, open_one, empty = verdicts([(20, 2), (1, 18), (6, 1), (0, 0)])
    assert better.word == "better"
    assert worse.word == "worse"
    assert open_one.word == "can't tell"
    assert empty == ("can't tell", 1.0, 1.0, 0, 0)
    assert (better.better, better.worse) == (20, 2)
    assert better.p < better.adjusted_p < 0.05


def test_what_alone_is_resolved_is_not_in_a_long_table():
    assert verdicts([(8, 0)])[0].word == "better"
    assert verdicts([(8, 0)] + [(5, 5)] * 9)[0].word == "can't tell"


def test_pairs_that_all_split_tell_nothing():
    assert [verdict.word for verdict in verdicts([(0, 0)] * 3)] == ["can't tell"] * 3


def test_a_whole_table_of_equals_has_a_false_alarm_in_at_most_alpha_of_all_tables():
    random = np.random.default_rng(1)
    tables = 300
    wins = random.binomial(30, 0.5, size=(tables, 10))
    alarms = sum(any(v.word != "can't tell" for v in verdicts([(int(w), 30 - int(w)) for w in row])) for row in wins)
    assert alarms / tables <= 0.05


def test_a_table_with_real_differences_keeps_its_word_on_the_others():
    random = np.random.default_rng(2)
    tables = 200
    alarms = 0
    for _ in range(tables):
        equal = [(int(w), 40 - int(w)) for w in random.binomial(40, 0.5, size=5)]
        unequal = [(int(w), 40 - int(w)) for w in random.binomial(40, 0.85, size=5)]
        alarms += any(verdict.word != "can't tell" for verdict in verdicts(equal + unequal)[:5])
    assert alarms / tables <= 0.05
