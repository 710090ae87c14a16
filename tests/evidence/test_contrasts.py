"""Who is rated above whom: standard errors against simulated spread, and the errors of whole leagues.

`pytest --long tests/evidence` simulates enough leagues to tell 5 % from 6.5 %; the short form sees gross faults alone.
"""

from __future__ import annotations

from itertools import combinations, permutations

import numpy as np
import pytest

from tournament.evidence.contrasts import contrasts, stepped_down
from tournament.evidence.ratings import ELO, Games, fit

PLAYERS = 7
PAIRS = list(combinations(range(PLAYERS), 2))


def league(random: np.random.Generator, openings: int, *, weaker: float, unequal: bool = False) -> Games:
    """Seven players, the first so many Elo weaker; moving first is worth 0 ± 250 Elo by opening; some draws."""
    first, second = np.array(list(permutations(range(PLAYERS), 2))).T
    strengths = np.array([-weaker / ELO, *[0.0] * (PLAYERS - 1)])
    better = np.exp(strengths[first] - strengths[second] + 250 / ELO * random.standard_normal((openings, 1)))
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


def judged(openings: int, leagues: int, *, weaker: float, unequal: bool) -> tuple[float, float]:
    """The share of the weak player's pairings that are decided, and of leagues with any false verdict."""
    decided, false = 0, 0
    for seed in range(leagues):
        games = league(np.random.default_rng([openings, seed]), openings, weaker=weaker, unequal=unequal)
        found = contrasts(games, fit(games), PAIRS, seed).found
        right = [(pair, one) for pair, one in zip(PAIRS, found, strict=True) if one.p <= 0.05]
        decided += sum(0 in pair and one.strength < 0 for pair, one in right)
        false += any(not weaker or 0 not in pair or one.strength > 0 for pair, one in right)
    return decided / leagues / (PLAYERS - 1), false / leagues


@pytest.mark.parametrize("unequal", [False, True], ids=["equal", "unequal"])
@pytest.mark.parametrize(("openings", "enough"), [(25, 0.6), (121, 0.95), (568, 0.95)])
def test_a_player_150_elo_weaker_among_seven_is_told_from_the_others(openings, enough, unequal, long):
    if openings > 25 and not long:
        pytest.skip("--long has it")
    leagues = 1000 if long and openings < 568 else 300 if long else 12
    decided, false = judged(openings, leagues, weaker=150, unequal=unequal)
    error = np.sqrt(0.05 * 0.95 / leagues)  # of the simulation
    assert decided >= enough
    assert false <= 0.05 + 2.5 * error


def test_equals_are_seldom_told_apart(long):
    leagues = 1000 if long else 12
    _, false = judged(25, leagues, weaker=0, unequal=False)
    assert false <= 0.05 + 2.5 * np.sqrt(0.05 * 0.95 / leagues)


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
    assert stepped_down(found, chance).tolist() == [2 / 4, 2 / 4, 2 / 4]
    assert stepped_down(found, chance / 10).tolist() == [1 / 4, 1 / 4, 1 / 4]


def test_two_that_are_in_no_game_of_a_resample_are_divided_by_nothing(recwarn):
    """The third and the fourth meet in one opening of three, which not every resample has."""
    first, second = np.array([0, 1, 0, 1, 2, 3]), np.array([1, 0, 1, 0, 3, 2])
    games = Games(first, second, np.array([2, 0, 1, 0, 2, 1]), np.repeat(np.arange(3), 2), 4)
    for found in contrasts(games, fit(games), [(0, 1), (2, 3)]).found:
        assert 0.05 < found.p <= 1
    assert not recwarn.list
