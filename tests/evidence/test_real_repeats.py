"""Evidence where games meet as real ones do: tests of equals alarm in at most 5 %, the seat's interval covers.

`pytest --long tests/evidence` simulates a thousand tournaments.
"""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest
from meeting import BOARDS, CLUSTERS, HALVES, PAIRINGS, PLAYERS, RESULTS, drawn, first_of_clusters

from tournament.evidence.contrasts import contrasts
from tournament.evidence.pairs import Half, Pairs
from tournament.evidence.ratings import ELO, Games, fit
from tournament.evidence.seats import share_interval
from tournament.evidence.verdicts import ALPHA, flip_test

FIRST_MOVE = 250 / ELO  # how much its worth differs between openings, in natural units
DRAWN = 0.1
FIRST = [first_of_clusters(pairing) for pairing in range(len(PAIRINGS))]
REPEATS = np.ones_like(BOARDS, dtype=bool)  # games that end on the board of an earlier one of the same seats
for place in np.ndindex(BOARDS.shape[1:]):
    REPEATS[(np.unique(BOARDS[(slice(None), *place)], return_index=True)[1], *place)] = False
PAIRED = np.zeros(BOARDS.shape[:2], dtype=bool)  # pairs neither of whose games repeats one of a pair that counts
for pairing in range(len(PAIRINGS)):
    seen: set[tuple[int, int]] = set()
    for opening, boards in enumerate(BOARDS[:, pairing].tolist()):
        if not seen.intersection(enumerate(boards)):
            seen.update(enumerate(boards))
            PAIRED[opening, pairing] = True
SEATED = [SimpleNamespace(key=name) for name in PLAYERS]


def tournament(random: np.random.Generator) -> Pairs:
    """Four equals over all openings, each pairing in both seats."""
    worth = random.normal(0, FIRST_MOVE, len(BOARDS))
    pairs: Pairs = Pairs()
    for pairing, (one, other) in enumerate(PAIRINGS):
        results = RESULTS[drawn(random, pairing, worth[FIRST[pairing]], 0.0, DRAWN)]
        seats = ((SEATED[one], SEATED[other]), (SEATED[other], SEATED[one]))
        for opening, row in enumerate(results):
            halves = [
                Half(
                    SimpleNamespace(first=first, second=second, opening=f"{opening:04}", result=result),
                    int(BOARDS[opening, pairing, seat]),
                    bool(REPEATS[opening, pairing, seat]),
                )
                for seat, ((first, second), result) in enumerate(zip(seats, row, strict=True))
            ]
            pairs.add(*halves)
    return pairs


def test_as_many_games_repeat_another_as_in_the_tournament():
    assert (len(BOARDS), int(REPEATS.sum())) == (568, 1093)
    assert [len(set(column)) for column in CLUSTERS.T] == [393, 410, 427, 419, 435, 410]
    pairings = tournament(np.random.default_rng(0)).pairings.values()
    assert [len(one.margins) for one in pairings] == [393, 410, 427, 419, 435, 410]


def test_between_equals_a_test_of_5_percent_alarms_in_at_most_that(long):
    """Of each pairing by its own clusters, and of all by their ratings, in which a repeated game counts once."""
    tournaments = 1000 if long else 6
    alone, together = 0, 0
    for seed in range(tournaments):
        pairs = tournament(np.random.default_rng(seed))
        alone += sum(flip_test(one.margins) <= ALPHA for one in pairs.pairings.values())
        games = Games(
            *(np.array(each, np.int64) for each in (pairs.first, pairs.second, pairs.outcome, pairs.opening)), 4
        )
        together += any(one.p <= ALPHA for one in contrasts(games, fit(games), PAIRINGS, seed).found)
    tests = tournaments * len(PAIRINGS)
    print(f"{alone / tests:.2%} of {tests:,} pairings alarm, {together / tournaments:.2%} of {tournaments:,} leagues")
    assert alone / tests <= ALPHA + 2.5 * np.sqrt(0.05 * 0.95 / tests)
    assert together / tournaments <= ALPHA + 2.5 * np.sqrt(0.05 * 0.95 / tournaments)


def covered(truth: float, points: np.ndarray, games: np.ndarray) -> float:
    """The share of rows whose interval covers the truth."""
    found = [share_interval(*row) for row in zip(points, games, strict=True)]
    return float(np.mean([low <= truth <= high for low, high in found]))


@pytest.mark.parametrize("openings", [7, 25, 121])
def test_the_seats_interval_covers_what_all_openings_say(openings, long):
    """The population are real games: some of the 568 openings are drawn, and their interval is held against all."""
    samples = 4000 if long else 400
    random = np.random.default_rng(openings)
    points = np.where(PAIRED[..., None], HALVES / 2, 0).sum(axis=(1, 2))
    games = 2 * PAIRED.sum(axis=1)
    points, games = points[games > 0], games[games > 0]
    drawn_ones = random.integers(0, len(games), (samples, openings))  # with replacement, as from very many
    share = covered(points.sum() / games.sum(), points[drawn_ones], games[drawn_ones])
    print(f"{openings} openings of real games: {share:.1%} of {samples:,}")
    assert 0.92 <= share <= (0.975 if long else 0.99), "of 400 samples, give or take a point"


@pytest.mark.parametrize("openings", [7, 25, 121])
@pytest.mark.parametrize("spread", [100, 500])
def test_the_seats_interval_covers_what_is_true_of_simulated_games(openings, spread, long):
    """Moving first is worth 100 Elo on average, by opening more or less; 42 games an opening."""
    samples, games = 4000 if long else 400, 42
    random = np.random.default_rng([openings, spread])

    def shares(*shape: int) -> np.ndarray:
        return 1 / (1 + np.exp(-(100 + spread * random.standard_normal(shape)) / ELO))

    truth = shares(1_000_000).mean()
    points = random.binomial(games, shares(samples, openings))
    share = covered(truth, points, np.full_like(points, games))
    print(f"{openings} openings, spread {spread}: {share:.1%} of {samples:,}")
    assert 0.92 <= share <= 0.975
