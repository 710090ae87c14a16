"""Who is rated above whom: standard errors against simulated spread, and the errors of whole leagues.

`pytest --long tests/evidence` simulates enough leagues to tell 5 % from 6.3 %; the short form sees gross faults alone.
"""

from __future__ import annotations

from itertools import combinations, permutations

import numpy as np
import pytest

from tournament.evidence.contrasts import contrasts, stepped_down
from tournament.evidence.enough import openings_enough
from tournament.evidence.ratings import ELO, Games, fit

PLAYERS = 7
PAIRS = list(combinations(range(PLAYERS), 2))


def league(
    random: np.random.Generator, openings: int, *, weaker: float, unequal: bool = False, differ: float = 0
) -> Games:
    """Seven players, the first so many Elo weaker; moving first is worth 0 ± 250 Elo by opening; some draws.

    In each opening every player is better or worse by what they differ, in Elo; on average by nothing.
    """
    first, second = np.array(list(permutations(range(PLAYERS), 2))).T
    strengths = np.array([[-weaker / ELO, *[0.0] * (PLAYERS - 1)]])
    if differ:
        strengths = strengths + differ / ELO * random.standard_normal((openings, PLAYERS))
    worth = 250 / ELO * random.standard_normal((openings, 1))
    better = np.exp(strengths[:, first] - strengths[:, second] + worth)
    weights = np.stack([np.ones_like(better), 0.35 * np.sqrt(better), better], axis=-1)
    chances = (weights / weights.sum(axis=-1, keepdims=True)).cumsum(axis=-1)
    outcome = (random.random(better.shape)[..., None] > chances).sum(axis=-1)
    share = random.uniform(0.5, 1, (PLAYERS, PLAYERS)) if unequal else np.ones((PLAYERS, PLAYERS))
    drawn = random.random((openings, PLAYERS, PLAYERS))
    low, high = np.minimum(first, second), np.maximum(first, second)
    keep = drawn[:, low, high] < share[low, high]
    opening = np.repeat(np.arange(openings)[:, None], len(first), axis=1)
    seats = [np.tile(seat, (openings, 1))[keep] for seat in (first, second)]
    return Games(*seats, outcome[keep], opening[keep], PLAYERS)


def judged(openings: int, leagues: int, *, weaker: float, unequal: bool, differ: float = 0) -> tuple[float, float]:
    """The share of the weak player's pairings that are decided, and of leagues with any false verdict."""
    decided, false = 0, 0
    for seed in range(leagues):
        games = league(np.random.default_rng([openings, seed]), openings, weaker=weaker, unequal=unequal, differ=differ)
        found = contrasts(games, fit(games), PAIRS, seed).found
        right = [(pair, one) for pair, one in zip(PAIRS, found, strict=True) if one.p <= 0.05]
        decided += sum(0 in pair and one.strength < 0 for pair, one in right)
        false += any(not weaker or 0 not in pair or one.strength > 0 for pair, one in right)
    return decided / leagues / (PLAYERS - 1), false / leagues


def most(leagues: int) -> float:
    """The share of false verdicts that a rule of 5 % keeps below in so many simulated leagues."""
    return 0.05 + 2.5 * float(np.sqrt(0.05 * 0.95 / leagues))


def how_many(openings: int, long: bool) -> int:
    if openings > 25 and not long:
        pytest.skip("--long has it")
    return (2000 if openings < 568 else 1000) if long else 40


@pytest.mark.parametrize("unequal", [False, True], ids=["equal", "unequal"])
@pytest.mark.parametrize(("openings", "enough"), [(25, 0.6), (121, 0.95), (568, 0.95)])
def test_a_player_150_elo_weaker_among_seven_is_told_from_the_others(openings, enough, unequal, long):
    leagues = how_many(openings, long)
    decided, false = judged(openings, leagues, weaker=150, unequal=unequal)
    print(f"{openings} openings, {unequal=}: {decided:.1%} decided, {false:.2%} false of {leagues:,}")
    assert decided >= (enough if long else enough - 0.1)
    assert false <= most(leagues)


@pytest.mark.parametrize("differ", [0, 200], ids=["always", "on average"])
@pytest.mark.parametrize("unequal", [False, True], ids=["equal", "unequal"])
@pytest.mark.parametrize("openings", [25, 121, 568])
def test_equals_are_seldom_told_apart(openings, unequal, differ, long):
    if unequal and differ:
        pytest.skip("one at a time")
    leagues = how_many(openings, long)
    _, false = judged(openings, leagues, weaker=0, unequal=unequal, differ=differ)
    print(f"{openings} openings, {unequal=}, {differ=}: {false:.2%} false of {leagues:,}")
    assert false <= most(leagues)


def test_so_many_openings_as_are_said_to_be_enough_are_enough_in_four_of_five_leagues(long):
    """One player is 60 Elo weaker among seven: what is said of it at 40 openings, and what they then tell."""
    said, few, leagues = [], 40, 300 if long else 12
    for seed in range(leagues):
        games = league(np.random.default_rng([few, seed]), few, weaker=60)
        found, decide = contrasts(games, fit(games), PAIRS, seed)
        said.append((np.mean([one.errors for one in found[: PLAYERS - 1]]), decide))
    errors, decide = np.mean(said, axis=0)
    openings = openings_enough(few, abs(errors), decide)
    told, _ = judged(openings, leagues, weaker=60, unequal=False)
    print(f"{openings} openings: {told:.1%} of the weak player's pairings decided")
    assert 0.7 <= told <= 0.95  # more than 80 %, since those that are decided make it easier for the rest


def test_standard_errors_are_the_spread_of_simulated_differences():
    gaps, errors = [], []
    for seed in range(60):
        games = league(np.random.default_rng(seed), 60, weaker=0)
        one = contrasts(games, fit(games), [(1, 2)]).found[0]
        gaps.append(one.strength)
        errors += [one.strength / one.errors] if one.errors else []
    assert np.mean(errors) == pytest.approx(np.std(gaps), rel=0.3)  # three standard errors, 1/√120


def test_who_wins_everything_everywhere_is_above():
    first, second = np.array(list(permutations(range(3), 2))).T
    outcome = np.where(first < second, 2, 0)
    games = Games(
        *(np.tile(seat, 16) for seat in (first, second)), np.tile(outcome, 16), np.repeat(np.arange(16), 6), 3
    )
    assert [one.p <= 0.05 for one in contrasts(games, fit(games), [(0, 1), (0, 2), (1, 2)]).found] == [True] * 3


def test_steps_down_are_romano_and_wolfs():
    found, chance = np.array([3.0, 1.0, 2.0]), np.array([[0.5, 1.5, 2.5], [3.5, 0.1, 0.1], [0.1, 0.2, 0.3]])
    # 3 is reached by the largest of all in one resample; 2 by that of the last two in one; 1 by its own in one
    assert stepped_down(found, chance).tolist() == [(1 + 1 + 2) / 4] * 3
    assert stepped_down(found, chance / 10).tolist() == [1 / 4, 1 / 4, 1 / 4]


def test_a_p_value_is_two_standard_errors_of_the_resamples_above_their_share():
    chance = np.linspace(0, 1, 1000)[:, None]
    (p,) = stepped_down(np.array([0.964]), chance)
    assert p == pytest.approx((1 + 36 + 2 * 6) / 1001)


def test_two_that_are_in_no_game_of_a_resample_are_divided_by_nothing(recwarn):
    """The third and the fourth meet in one opening of three, which not every resample has."""
    first, second = np.array([0, 1, 0, 1, 2, 3]), np.array([1, 0, 1, 0, 3, 2])
    games = Games(first, second, np.array([2, 0, 1, 0, 2, 1]), np.repeat(np.arange(3), 2), 4)
    for found in contrasts(games, fit(games), [(0, 1), (2, 3)]).found:
        assert 0.05 < found.p <= 1
    assert not recwarn.list
