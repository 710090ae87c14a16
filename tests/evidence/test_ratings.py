"""Ratings against the likelihood written game by game, and their intervals against simulated truth."""

from __future__ import annotations

import math
from decimal import Decimal, localcontext
from itertools import permutations

import numpy as np
import pytest
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from tournament.evidence import ratings
from tournament.evidence.elo import elo
from tournament.evidence.ratings import (
    ADVANTAGE_SD,
    DRAWS_SD,
    ELO,
    STRENGTH_SD,
    Games,
    advantage_by_group,
    advantage_of_players,
    bootstrap,
    components,
    fit,
    interval,
    probability,
)

SECOND_WON, DRAW, FIRST_WON = range(3)


def games_of(rows: list[tuple[int, int, int, int]], players: int) -> Games:
    """Games from (first, second, outcome, opening), one a row."""
    columns = np.array(rows, dtype=np.int64).reshape(-1, 4).T
    return Games(*columns, players=players)


def chances(difference, draws: float) -> np.ndarray:
    """Davidson's chances in the weights they are stated with: second wins, draw, first wins, in the last axis."""
    first = np.exp(np.asarray(difference))
    weights = np.stack([np.ones_like(first), draws * np.sqrt(first), first], axis=-1)
    return weights / weights.sum(axis=-1, keepdims=True)


def simulated(random, strengths, advantage: float, draws: float, openings: int, opening_sd: float = 0.0) -> Games:
    """A round robin in both seats over openings; in each, moving first may be worth more or less (natural units)."""
    first, second = np.array(list(permutations(range(len(strengths)), 2))).T
    effect = opening_sd * random.standard_normal((openings, 1))
    p = chances((strengths[first] - strengths[second] + advantage)[None] + effect, draws)
    outcome = (random.random(p.shape[:2])[..., None] > p.cumsum(axis=-1)).sum(axis=-1)
    tiled = [np.tile(seat, openings) for seat in (first, second)]
    return Games(*tiled, outcome.ravel(), np.repeat(np.arange(openings), len(first)), len(strengths))


def off_by_at_most(found: ratings.Fit, games: Games) -> float:
    """How far, in natural units, a fit can be from the true maximum of the likelihood written game by game.

    The prior alone curves −log posterior by 1/sd² along each parameter, and games add to that: so its slope is at
    least 1/sd² times the distance from where it vanishes, with the widest sd there is. No optimiser is needed, whose
    last digits would be those of some linear algebra; and in 50 digits a difference quotient is the slope.
    """

    def cost(x: list[Decimal]) -> Decimal:
        *strengths, advantage, log_draws = x
        total = sum((s / Decimal(STRENGTH_SD)) ** 2 for s in strengths) / 2
        total += (advantage / Decimal(ADVANTAGE_SD)) ** 2 / 2 + (log_draws / Decimal(DRAWS_SD)) ** 2 / 2
        for i, j, outcome in zip(games.first, games.second, games.outcome, strict=True):
            first = (strengths[i] - strengths[j] + advantage).exp()
            draw = log_draws.exp() * first.sqrt()
            total -= ((Decimal(1), draw, first)[outcome] / (1 + draw + first)).ln()
        return total

    with localcontext() as context:
        context.prec = 50
        x = [*(Decimal(float(elo)) / Decimal(ELO) for elo in (*found.strengths, found.advantage))]
        x.append(Decimal(found.draws).ln())
        step = Decimal("1e-15")

        def moved(place: int, by: Decimal) -> Decimal:
            return cost([value + by if index == place else value for index, value in enumerate(x)])

        slopes = [(moved(place, step) - moved(place, -step)) / (2 * step) for place in range(len(x))]
        return math.hypot(*map(float, slopes)) * max(STRENGTH_SD, ADVANTAGE_SD, DRAWS_SD) ** 2


def all_of(found: ratings.Fit) -> np.ndarray:
    return np.concatenate([found.strengths, [found.advantage, found.draws]])


# ── the fit ──────────────────────────────────────────────────────────────────────────────────────


# A fit is asked for ten digits of numbers about 1. A hundred-thousandth of an Elo is far more than it may be off by
# then, and far less than the whole Elo that are shown.
SURELY = 1e-5 / ELO


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_agrees_with_a_likelihood_written_game_by_game(seed):
    random = np.random.default_rng(seed)
    games = simulated(random, random.normal(0, 1, 4), 0.4, 0.6, openings=6)
    assert off_by_at_most(fit(games), games) < SURELY


def test_agrees_where_somebody_won_everything_and_nothing_was_drawn():
    games = games_of([(0, 1, 2, 0), (1, 0, 0, 0), (0, 1, 2, 1), (1, 2, 2, 0), (2, 1, 2, 1)], players=3)
    assert off_by_at_most(fit(games), games) < SURELY


def test_recovers_what_many_games_were_played_with():
    strengths = np.array([-1.5, -0.2, 0.0, 0.3, 1.4])
    games = simulated(np.random.default_rng(4), strengths, 0.5, 0.8, openings=40_000)
    found = fit(games)  # standard errors, from simulations: 0.5 to 0.8 Elo, 0.5 Elo and 0.0025
    assert found.strengths == pytest.approx(ELO * strengths, abs=3)
    assert found.advantage == pytest.approx(ELO * 0.5, abs=2)
    assert found.draws == pytest.approx(0.8, abs=0.01)


def test_a_game_that_counts_twice_is_two_games():
    games = simulated(np.random.default_rng(5), np.array([0.0, 0.5, -0.5]), 0.3, 0.5, openings=4)
    twice = Games(
        *(np.tile(column, 2) for column in (games.first, games.second, games.outcome, games.opening)), players=3
    )
    assert all_of(fit(games, counts=np.full(len(games.first), 2))) == pytest.approx(all_of(fit(twice)))


def test_where_it_starts_makes_no_difference():
    random = np.random.default_rng(6)
    games = simulated(random, random.normal(0, 1, 5), 0.4, 0.6, openings=10)
    far = ratings.Fit(np.array([900.0, -900, 300, -300, 0]), advantage=-800.0, draws=20.0)
    assert all_of(fit(games, start=far)) == pytest.approx(all_of(fit(games)), abs=1e-3)


def test_who_won_everything_is_far_ahead_and_finite():
    games = games_of([(0, 1, FIRST_WON, k) for k in range(50)] + [(1, 0, SECOND_WON, k) for k in range(50)], players=2)
    found = fit(games)
    assert 300 < found.strengths[0] < 1500
    assert found.strengths[1] == pytest.approx(-found.strengths[0])
    assert found.advantage == pytest.approx(0, abs=1e-3)


def test_whose_first_player_always_won_are_equals_and_the_advantage_is_finite():
    games = games_of([(i, 1 - i, FIRST_WON, k) for k in range(20) for i in range(2)], players=2)
    found = fit(games)
    assert found.strengths == pytest.approx([0, 0], abs=1e-3)
    assert 300 < found.advantage < 1500


def test_a_game_against_oneself_tells_of_the_advantage_alone():
    games = games_of([(0, 0, FIRST_WON, k) for k in range(9)] + [(0, 1, DRAW, 0), (1, 0, DRAW, 0)], players=2)
    found = fit(games)
    assert found.strengths == pytest.approx([0, 0], abs=1e-3)
    assert found.advantage > 100


def test_no_games_leave_everybody_at_nought():
    games = games_of([], players=3)
    assert fit(games).strengths == pytest.approx([0, 0, 0])
    assert interval(bootstrap(games, 10).strengths[:, 0], openings=0) == (-math.inf, math.inf)


def test_who_met_is_grouped_as_scipy_does():
    random = np.random.default_rng(30)
    for players in (1, 5, 40):
        for games in (0, players // 2, players):
            first, second = random.integers(0, players, (2, games))
            met = coo_array((np.ones(games), (first, second)), shape=(players, players))
            labels = connected_components(met, directed=False)[1]
            found = components(Games(first, second, first * 0, first * 0, players))
            assert found == [np.flatnonzero(labels == label).tolist() for label in range(labels.max() + 1)]


def test_those_who_never_met_are_told_apart_and_each_group_has_its_own_mean():
    games = games_of([(0, 3, FIRST_WON, 0), (3, 0, DRAW, 0), (1, 4, FIRST_WON, 0), (4, 5, FIRST_WON, 1)], players=6)
    assert components(games) == [[0, 3], [1, 4, 5], [2]]
    found, drawn = fit(games).strengths, bootstrap(games, 20).strengths
    for group in components(games):
        assert found[group].mean() == pytest.approx(0, abs=1e-9)
        assert drawn[:, group].mean(axis=1) == pytest.approx(np.zeros(20), abs=1e-9)


def test_chances_are_the_mean_of_both_seats():
    found = ratings.Fit(np.array([100.0, -50.0]), advantage=80.0, draws=0.7)
    as_first = chances(np.array(150 + 80) / ELO, 0.7)[::-1]  # win, draw, loss
    as_second = chances(np.array(-150 + 80) / ELO, 0.7)
    assert probability(found, 0, 1) == pytest.approx((as_first + as_second) / 2)
    assert probability(found, 1, 0) == pytest.approx(probability(found, 0, 1)[::-1])
    assert sum(probability(found, 0, 1)) == pytest.approx(1)


# ── Elo as people know it ────────────────────────────────────────────────────────────────────────


def test_elo_is_of_the_score_that_is_expected_against_the_average_player():
    strengths, advantage, draws = np.array([-250.0, 0, 80, 400]), 60.0, 1.7
    seats = [chances((strengths + side * advantage) / ELO, draws) for side in (1, -1)]
    scores = sum(p[:, 2] + p[:, 1] / 2 for p in seats) / 2
    expected = 400 * np.log10(scores / (1 - scores))
    assert ratings.elo_of_strength(strengths, advantage, draws) == pytest.approx(expected)


def test_20_won_25_drawn_and_5_lost_are_108_elo():
    """Strength goes by won : lost, and says 241: so many games that a prior is worth little."""
    results = [FIRST_WON] * 20 + [DRAW] * 25 + [SECOND_WON] * 5
    rows = [(0, 1, result, opening) for opening, result in enumerate(results)]
    rows += [(1, 0, FIRST_WON - result, opening) for opening, result in enumerate(results)]
    found = fit(games_of(100 * rows, 2))
    assert found.strengths[0] - found.strengths[1] == pytest.approx(240.8, abs=1)
    above, below = ratings.elo_of_strength(found.strengths, found.advantage, found.draws)
    assert above - below == pytest.approx(elo(0.65), abs=1)


def test_where_nothing_is_drawn_nor_moving_first_worth_anything_elo_is_strength():
    strengths = np.array([-900.0, -3, 0, 200, 2500])
    assert ratings.elo_of_strength(strengths, 0.0, 1e-12) == pytest.approx(strengths)
    assert ratings.elo_of_first(strengths, 1e-12) == pytest.approx(strengths)


def test_what_the_first_move_is_worth_is_of_the_score_between_equals():
    _, draws, wins = chances(100 / ELO, 0.8)
    assert ratings.elo_of_first(100.0, 0.8) == pytest.approx(elo(wins + draws / 2))


def test_a_resample_has_its_own_draws_and_first_move():
    together = ratings.elo_of_strength([[50.0, -50], [20, -20]], [[10.0], [90]], [[0.1], [4]])
    for row, (own, first, draws) in zip(together, [([50.0, -50], 10.0, 0.1), ([20.0, -20], 90.0, 4.0)], strict=True):
        assert row == pytest.approx(ratings.elo_of_strength(own, first, draws))


# ── resamples ────────────────────────────────────────────────────────────────────────────────────


def test_the_same_seed_draws_the_same_and_another_seed_does_not():
    games = simulated(np.random.default_rng(7), np.array([0.0, 0.5, -0.5]), 0.3, 0.5, openings=12)
    once, again, other = bootstrap(games, 20, seed=3), bootstrap(games, 20, seed=3), bootstrap(games, 20, seed=4)
    assert (once.strengths == again.strengths).all()
    assert (once.advantages == again.advantages).all()
    assert (once.strengths != other.strengths).any()


def test_neither_the_order_of_games_nor_the_names_of_openings_matter():
    random = np.random.default_rng(8)
    games = simulated(random, np.array([0.0, 0.5, -0.5]), 0.3, 0.5, openings=12)
    order = random.permutation(len(games.first))
    shuffled = Games(
        games.first[order], games.second[order], games.outcome[order], 10 * games.opening[order] + 7, players=3
    )
    # Games are counted before anything is fitted, and whole numbers add up to the same in any order: to the last bit.
    assert (bootstrap(shuffled, 10).strengths == bootstrap(games, 10).strengths).all()


def test_a_resample_is_a_fit_of_the_openings_it_drew():
    """Up to the prior, which is drawn anew: with as many games that moves a resample by some 0.2 Elo."""
    games = simulated(np.random.default_rng(9), np.array([0.6, 0.0, -0.6]), 0.3, 0.5, openings=400)
    drawn = bootstrap(games, 5)
    for row in range(5):
        refit = fit(games, counts=drawn.weights[row][games.opening])
        assert drawn.strengths[row] == pytest.approx(refit.strengths, abs=1)
        assert drawn.advantages[row] == pytest.approx(refit.advantage, abs=1)


@pytest.mark.parametrize("opened", [12, 2], ids=["many openings", "two openings"])
def test_resamples_are_refitted_together_as_each_would_be_by_itself(monkeypatch, opened):
    def check() -> None:
        again = bootstrap(games, 50)
        assert again.strengths == pytest.approx(together.strengths, abs=1e-6)
        assert again.advantages == pytest.approx(together.advantages, abs=1e-6)
        assert again.draws == pytest.approx(together.draws, rel=1e-8)

    games = simulated(np.random.default_rng(20), np.array([-4.0, 0.0, 4.0]), 0.3, 0.5, openings=opened)
    together = bootstrap(games, 50)
    for at_once in (1, 7):
        monkeypatch.setattr(ratings, "AT_ONCE", at_once * 25)
        check()
    monkeypatch.setattr(ratings, "TRUSTED_STEPS", 0)  # each of Newton's is looked at, and halved where it leads up
    check()


@pytest.mark.parametrize("trusted", [0, 15])
def test_a_start_from_which_newtons_steps_lead_up_gets_there_too(monkeypatch, trusted):
    monkeypatch.setattr(ratings, "TRUSTED_STEPS", trusted)
    games = games_of([(0, 1, FIRST_WON, k) for k in range(500)] + [(1, 0, FIRST_WON, k) for k in range(500)], players=2)
    for far in (3000.0, -3000.0):
        for draws in (1e-9, 1e9):
            start = ratings.Fit(np.array([far, -far]), advantage=-far, draws=draws)
            assert off_by_at_most(fit(games, start=start), games) < SURELY


def test_an_interval_is_wider_the_fewer_openings_it_rests_on():
    samples = np.random.default_rng(10).normal(0, 1, 100_000)
    low, high = interval(samples, openings=10_000)
    assert (low, high) == pytest.approx((-1.96, 1.96), abs=0.03)  # of as many samples its standard error is 0.0085
    assert interval(samples, openings=8)[1] == pytest.approx(2.365 * math.sqrt(8 / 7), abs=0.04)
    assert interval(samples, openings=1) == (-math.inf, math.inf)


def test_who_won_everything_has_an_interval_that_reaches_well_down_and_far_up():
    """Nothing lost in 100 games leaves a 2 % chance to lose well open, and hardly any upper limit."""
    games = games_of([(0, 1, FIRST_WON, k) for k in range(50)] + [(1, 0, SECOND_WON, k) for k in range(50)], players=2)
    drawn = bootstrap(games, 300)
    low, high = interval(drawn.strengths[:, 0] - drawn.strengths[:, 1], openings=50)
    assert low < ELO * math.log(98 / 2)
    assert high > 2 * fit(games).strengths[0] + 200


# ── coverage ─────────────────────────────────────────────────────────────────────────────────────

SETS, RESAMPLES, OPENINGS = 200, 100, 60
STRENGTHS = np.array([-1.2, -0.5, -0.1, 0.2, 0.5, 1.1])  # from −208 to 191 Elo
ADVANTAGE, DRAWS = 0.5, 0.4


def in_the_long_run(opening_sd: float) -> ratings.Fit:
    """What the model says of all openings there are: of every result as often as it is expected."""
    first, second = np.array(list(permutations(range(len(STRENGTHS)), 2))).T
    effects, weights = np.polynomial.hermite_e.hermegauss(40)
    d = (STRENGTHS[first] - STRENGTHS[second] + ADVANTAGE)[:, None] + opening_sd * effects
    expected = np.einsum("pek,e->kp", chances(d, DRAWS), weights / weights.sum())
    outcome = np.repeat(range(3), len(first))
    games = Games(np.tile(first, 3), np.tile(second, 3), outcome, np.zeros_like(outcome), len(STRENGTHS))
    return fit(games, counts=1e6 * expected.ravel())


def coverage(truth: ratings.Fit, opening_sd: float, *, sets: int = SETS, by_game: bool = False) -> tuple[float, float]:
    """How many of the intervals, of ratings and of the advantage, hold the truth."""
    random = np.random.default_rng(11)
    ratings_held, advantage_held = [], []
    for _ in range(sets):
        games = simulated(random, STRENGTHS, ADVANTAGE, DRAWS, OPENINGS, opening_sd)
        if by_game:
            games = Games(games.first, games.second, games.outcome, np.arange(len(games.first)), games.players)
        drawn = bootstrap(games, RESAMPLES)
        low, high = interval(drawn.advantages, openings=drawn.openings)
        advantage_held.append(low <= truth.advantage <= high)
        for player, strength in enumerate(truth.strengths):
            low, high = interval(drawn.strengths[:, player], openings=drawn.openings)
            ratings_held.append(low <= strength <= high)
    return np.mean(ratings_held), np.mean(advantage_held)


def test_the_long_run_is_the_truth_where_all_openings_are_alike():
    assert all_of(in_the_long_run(0.0)) == pytest.approx([*(ELO * STRENGTHS), ELO * ADVANTAGE, DRAWS], abs=0.01)


@pytest.mark.parametrize("opening_sd", [0.0, 1.0], ids=["openings alike", "openings differ"])
def test_intervals_cover_the_truth_as_often_as_they_say(opening_sd):
    rating, advantage = coverage(in_the_long_run(opening_sd), opening_sd)
    assert 0.92 <= rating <= 0.98  # two standard errors of 200 sets, √(0.05 · 0.95 / 200), either way
    assert 0.92 <= advantage <= 0.98


def test_drawing_games_instead_of_openings_would_promise_too_much():
    _, advantage = coverage(in_the_long_run(1.0), 1.0, sets=25, by_game=True)
    assert advantage < 0.75


# ── the advantage by depth and by player ─────────────────────────────────────────────────────────


def depths_of(random, advantages: dict[int, float], openings: int) -> tuple[Games, np.ndarray]:
    """Three players at each depth, none of whom meets another depth, with that depth's advantage."""
    parts = [simulated(random, np.array([-0.5, 0.0, 0.5]), a, 0.5, openings) for a in advantages.values()]
    seats = [[getattr(part, seat) + 3 * k for k, part in enumerate(parts)] for seat in ("first", "second")]
    rest = [[getattr(part, column) for part in parts] for column in ("outcome", "opening")]
    games = Games(*(np.concatenate(column) for column in [*seats, *rest]), players=3 * len(parts))
    return games, np.repeat(list(advantages), [len(part.first) for part in parts])


def test_each_depth_has_the_advantage_that_its_own_games_show():
    games, depth = depths_of(np.random.default_rng(12), {2: 0.2, 4: 0.9}, openings=40)
    found = advantage_by_group(games, depth, resamples=20)
    assert found.labels.tolist() == [2, 4]
    assert found.openings.tolist() == [40, 40]
    assert found.samples.shape == (20, 2)
    for depth_is, estimate in zip(found.labels, found.estimates, strict=True):
        own = depth == depth_is
        alone = Games(games.first[own], games.second[own], games.outcome[own], games.opening[own], games.players)
        assert estimate == pytest.approx(fit(alone).advantage)


def test_all_depths_share_the_openings_of_a_resample():
    """The same games at two depths have the same advantage in every resample, but for the prior."""
    games = simulated(np.random.default_rng(13), np.array([-0.5, 0.0, 0.5]), 0.5, 0.5, openings=50)
    columns = (games.first, games.second, games.outcome, games.opening)
    found = advantage_by_group(
        Games(*(np.tile(column, 2) for column in columns), players=3), np.repeat([2, 4], len(games.first)), resamples=50
    )
    assert np.corrcoef(found.samples.T)[0, 1] > 0.99


def test_an_advantage_that_grows_with_depth_is_seen():
    games, depth = depths_of(np.random.default_rng(14), {2: 0.0, 4: 0.4, 6: 0.8}, openings=240)
    found = advantage_by_group(games, depth, resamples=100)
    slope = float(np.polyfit([2, 4, 6], found.estimates, 1)[0])
    assert slope == pytest.approx(ELO * 0.2, rel=0.4)  # its standard error is 0.12 of it


def test_a_player_that_makes_more_of_moving_first_is_seen():
    random = np.random.default_rng(18)
    games = simulated(random, np.zeros(4), 0.4, 0.5, openings=150)
    plain = fit(games)
    swap = (games.first == 2) & (games.outcome == SECOND_WON) & (random.random(len(games.first)) < 0.7)
    games = Games(games.first, games.second, np.where(swap, FIRST_WON, games.outcome), games.opening, players=4)
    found = advantage_of_players(games, fit(games), bootstrap(games, 100))
    assert found.estimates.argmax() == 2
    low, high = interval(found.samples[:, 2], openings=int(found.openings[2]))
    assert plain.advantage < low < found.estimates[2] < high


def test_where_all_players_meet_all_alike_their_advantages_lie_about_the_joint_one():
    games = simulated(np.random.default_rng(19), np.array([-1.0, 0.0, 1.0]), 0.5, 0.5, openings=2000)
    joint = fit(games)
    found = advantage_of_players(games, joint)
    assert found.estimates == pytest.approx(np.full(3, joint.advantage), abs=10)  # standard errors: 2.4 to 3.4
    assert found.samples.shape == (0, 3)
    assert found.openings.tolist() == [2000] * 3
