"""How often a duel is wrong where games repeat each other as they really do: simulated over the openings of four plies.

Which openings' games meet is taken from a real pairing, balanced against points. Outcomes are drawn: one for each game
that differs, so that openings that share a game share its outcome, and the first move is worth something else in each
cluster. `pytest --long` simulates many duels, asked after every fourth pair.
"""

from __future__ import annotations

import math
from collections import Counter
from functools import cache

import numpy as np
import pytest
from meeting import BOARDS, CLUSTERS, RESULTS, drawn

from tournament.evidence import duel
from tournament.evidence.duel import DuelTally
from tournament.evidence.sprt import ELO_OF_T, Decision, Terms

ENDS, CLUSTER = BOARDS[:, 0], CLUSTERS[:, 0]
FIRST_MOVE = 1.5  # how much its worth differs between clusters, in natural units: some two thirds of all pairs split
DRAWN = 0.1
ALPHA = 0.05


class Seldom:
    """The terms of a duel that decide after every so many clusters alone."""

    def __init__(self, terms: Terms, every: int) -> None:
        self.terms, self.every, self.undecided = terms, every, terms.decide([0] * 5)

    def decide(self, counts: list[int]) -> Decision:
        return self.undecided if sum(counts) % self.every else self.terms.decide(counts)


def outcomes(random: np.random.Generator, gap: float) -> np.ndarray:
    """The results of both games of each opening (half points of who began), where NEW is so much stronger."""
    worth = random.normal(0, FIRST_MOVE, CLUSTER.max() + 1)[CLUSTER]
    return drawn(random, 0, worth, gap, DRAWN)


@cache
def gap_of(elo: float) -> float:
    """How much stronger NEW must be to be so many normalized Elo better."""
    random = np.random.default_rng(0)
    low, high = 0.0, 2.0
    for _ in range(12):
        middle = (low + high) / 2
        both = np.concatenate([outcomes(random, middle) for _ in range(100)])
        score = (both[:, 0] + 2 - both[:, 1]) / 4
        low, high = (middle, high) if (score.mean() - 0.5) / score.std() < elo / ELO_OF_T else (low, middle)
    return low


def ends_of(gap: float, terms: Terms, *, runs: int, every: int) -> Counter[str]:
    """What is said at the end of so many duels."""
    random = np.random.default_rng(1)
    said: Counter[str] = Counter()
    for _ in range(runs):
        results = RESULTS[outcomes(random, gap)]
        suite = random.permutation(len(ENDS)).tolist()
        tally = DuelTally("new", suite, Seldom(terms, every))
        for opening in suite:
            for first, result, end in zip(("new", "old"), results[opening], ENDS[opening], strict=True):
                tally.add(opening, first, str(result), int(end))
            if tally.is_over:
                break
        said[tally.decision.claim.text if tally.decision.claim else "can't tell"] += 1
    return said


@pytest.fixture
def ends_for_boards(monkeypatch):
    """A board is the number that the file has for it."""
    monkeypatch.setattr(duel, "board_after", lambda end: end)


def at_most(rate: float, runs: int) -> float:
    """That many of the runs, and two standard errors."""
    return runs * rate + 2 * math.sqrt(runs * rate * (1 - rate))


def test_the_file_has_the_openings_of_four_plies_and_their_clusters():
    assert (len(ENDS), CLUSTER.max() + 1) == (568, 393)


@pytest.mark.usefixtures("ends_for_boards")
@pytest.mark.parametrize("elo1", [30, 60])
def test_equals_whose_games_repeat_each_other_are_told_apart_in_at_most_alpha_of_all(elo1, long):
    runs, every = (1000, 4) if long else (20, 20)
    said = ends_of(0.0, Terms(0, elo1), runs=runs, every=every)
    assert said["better"] + said["worse"] <= at_most(ALPHA, runs), said


@pytest.mark.usefixtures("ends_for_boards")
def test_one_that_is_better_by_elo1_is_said_not_to_be_in_at_most_beta_of_all(long):
    runs, every = (1000, 4) if long else (20, 20)
    said = ends_of(gap_of(60), Terms(0, 60), runs=runs, every=every)
    assert said["not better by 60 or more"] + said["worse"] <= at_most(ALPHA, runs), said
    assert said["better"] >= 0.8 * runs  # and for nearly all of them the openings are enough


@pytest.mark.usefixtures("ends_for_boards")
def test_one_that_is_worse_by_30_passes_as_no_worse_in_at_most_alpha_of_all(long):
    runs, every = (1000, 4) if long else (20, 20)
    said = ends_of(-gap_of(30), Terms(-30, 0), runs=runs, every=every)
    assert said["not worse by 30 or more"] + said["better"] <= at_most(ALPHA, runs), said
