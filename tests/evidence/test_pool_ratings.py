"""One scale for all depths: a pool of which a sample is played recovers what is known, and agrees with the whole one.

`pytest --long tests/evidence` simulates many; the short form sees gross faults alone.
"""

from __future__ import annotations

from itertools import combinations

import numpy as np
from test_ratings import chances

from tournament.evidence.contrasts import contrasts
from tournament.evidence.ratings import ELO, Games, bootstrap, components, elo_of_strength, fit, interval
from tournament.plan.pairings import meetings

PLAYERS, OPENINGS, DRAWS, ADVANTAGE = 30, 25, 0.5, 60 / ELO


def strengths() -> np.ndarray:
    """Six evaluators at five depths, of which each is worth less than the one before."""
    by_depth, by_player = np.cumsum([0, 250, 120, 60, 0]), np.linspace(-80, 80, 6)
    elo = (by_player[:, None] + by_depth[None]).ravel()
    return (elo - elo.mean()) / ELO


def played(random: np.random.Generator) -> Games:
    """The games of all pairings in both seats."""
    pairs = np.array(list(combinations(range(PLAYERS), 2)))
    first, second = np.concatenate([pairs, pairs[:, ::-1]]).T
    known = strengths()
    p = chances(known[first] - known[second] + ADVANTAGE, DRAWS)
    outcome = (random.random((OPENINGS, len(first)))[..., None] > p.cumsum(axis=-1)).sum(axis=-1)
    seats = (np.tile(seat, OPENINGS) for seat in (first, second))
    return Games(*seats, outcome.ravel(), np.repeat(np.arange(OPENINGS), len(first)), PLAYERS)


def sampled(games: Games, opponents: int, seed: int) -> Games:
    """Those of them that a pool plays in which each meets so many."""
    met = {frozenset(pair) for pair in meetings(range(PLAYERS), opponents, seed)}
    keep = np.array(
        [frozenset(seats) in met for seats in zip(games.first.tolist(), games.second.tolist(), strict=True)]
    )
    return Games(*(part[keep] for part in (games.first, games.second, games.outcome, games.opening)), PLAYERS)


def rated(games: Games, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Elo of each player, and its interval."""
    fitted, again = fit(games), bootstrap(games, 300, seed)
    samples = elo_of_strength(again.strengths, again.advantages[:, None], again.draws[:, None])
    intervals = [interval(samples[:, player], openings=again.openings) for player in range(PLAYERS)]
    return elo_of_strength(fitted.strengths, fitted.advantage, fitted.draws), np.array(intervals)


def test_ratings_of_a_pool_recover_known_strengths_and_a_sampled_one_agrees_with_the_whole_one(long):
    truth = elo_of_strength(ELO * strengths(), ELO * ADVANTAGE, DRAWS)
    inside: dict[str, list[float]] = {"whole": [], "sample": [], "agree": []}
    for seed in range(100 if long else 2):
        games = played(np.random.default_rng(seed))
        some = sampled(games, 8, seed)
        assert [len(group) for group in components(some)] == [PLAYERS]
        assert len(some.first) == PLAYERS * 8 * OPENINGS
        (whole, of_whole), (elo, of_some) = rated(games, seed), rated(some, seed)
        for name, found, ends in (("whole", truth, of_whole), ("sample", truth, of_some), ("agree", whole, of_some)):
            inside[name].append(float(np.mean((ends[:, 0] <= found) & (found <= ends[:, 1]))))
        assert np.corrcoef(elo, truth)[0, 1] > 0.97
    shares = {name: np.mean(each) for name, each in inside.items()}
    print({name: f"{share:.1%}" for name, share in shares.items()})
    low, high = (0.92, 0.985) if long else (0.75, 1.0)
    assert low <= shares["whole"] <= high
    assert low <= shares["sample"] <= high
    assert shares["agree"] >= low


def test_a_lever_between_two_players_is_their_difference():
    games = sampled(played(np.random.default_rng(1)), 4, 1)
    lever = np.zeros(PLAYERS)
    lever[3], lever[7] = 1, -1
    one, other = contrasts(games, fit(games), [(3, 7)], 1, [lever]).found
    assert np.allclose(one, other)


def test_a_lever_of_several_players_is_surer_than_that_of_one():
    games = sampled(played(np.random.default_rng(1)), 4, 1)
    one, several = np.zeros(PLAYERS), np.zeros(PLAYERS)
    one[[0, 1]] = -1, 1
    several[0::5], several[1::5] = -1 / 6, 1 / 6
    alone, together = contrasts(games, fit(games), [], 1, [one, several]).found
    assert together.strength / together.errors < alone.strength / alone.errors / 1.5
    assert 150 < together.strength < 350
