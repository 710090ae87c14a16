"""How strong each player is, what moving first is worth, and how sure that is: one model of all results together.

Davidson's model with a seat. With d = strength of the first − strength of the second + advantage, in natural units,

    first wins : draw : second wins  =  exp(d/2) : draws : exp(−d/2)

Its log likelihood is concave, so its maximum is where its gradient vanishes, and Newton's steps lead there.
Inside, strengths and advantage are in natural units and draws is a logarithm; outside strengths and advantage have 400
to a tenfold of won : lost, and draws is plain. That is more than Elo where games are drawn, which goes by the expected
score with draws counted half: `elo_of_strength` and `elo_of_first` say what people call Elo.

A weak prior keeps what the games leave open finite. Intervals come from a bootstrap over openings: games of one
opening resemble each other, so openings, not games, are what was drawn at random. In each resample the prior is
drawn anew as well (its weight and its centre). Without that a player that won every game would win every game of
every resample, and its interval would be nearly a point: of 20 such simulated pairs it covered the truth 50 %.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tournament.evidence.intervals import Z95
from tournament.evidence.roots import roots
from tournament.evidence.student import t95

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

ELO = 400 / math.log(10)  # of one natural unit: what strength, and Elo, have to a tenfold

# Simulated with 350 to 1,700 Elo between best and worst, 2 to 6 players and 20 to 60 openings, intervals cover 93 to
# 99 %. A wider prior (800) lets those who hardly ever lose drift outwards until theirs miss the truth (80 %); a
# narrower one (260) pulls them in by more than their standard error.
STRENGTH_SD = 350 / ELO
ADVANTAGE_SD = 350 / ELO
DRAWS_SD = 3.0  # of the logarithm, about 1 (a third of the games of equals): from 1 game in 1,000 to nearly all

TOLERANCE = 1e-10  # of a fit, relative
RESAMPLE_TOLERANCE = 1e-6  # of a resample's: some thousandths of an Elo
AT_ONCE = 2_000_000  # numbers of the curvatures of all resamples that are refitted together: 16 MB
FARTHEST_STEP = 2.0  # of Newton's, in natural units
TRUSTED_STEPS = 15  # that need not be looked at: nearly always so many lead to the maximum
MOST_STEPS = 200  # far more than any fit takes
FARTHEST = 60.0  # natural units from its prior that no advantage can be: the odds would be e^60


@dataclass(frozen=True, eq=False)
class Games:
    """Results, one game an element: who sat where, outcome 0 second won, 1 draw, 2 first won, and the opening."""

    first: Ints
    second: Ints
    outcome: Ints
    opening: Ints
    players: int


@dataclass(frozen=True, eq=False)
class Fit:
    """Strengths (mean 0 among those connected), the first-move advantage on the same scale, and Davidson's draws."""

    strengths: Floats
    advantage: float
    draws: float


@dataclass(frozen=True, eq=False)
class Bootstrap:
    """What `fit` says of games resampled by opening: one row a resample, and how often each had each opening."""

    strengths: Floats
    advantages: Floats
    draws: Floats
    weights: Ints
    seed: int

    @property
    def openings(self) -> int:
        return int(self.weights.shape[1])


@dataclass(frozen=True, eq=False)
class Advantages:
    """First-move advantages, one a label, with the draws beside them; a row of samples is one resample."""

    labels: Ints
    estimates: Floats
    samples: Floats
    draws: Floats
    sampled_draws: Floats
    openings: Ints  # behind each


class _Priors(NamedTuple):
    """What each parameter is thought to be before any game; a row a fit."""

    centre: Floats
    precision: Floats


class _Tallies(NamedTuple):
    """Games summed over ordered pairs of players: games, and first's wins minus second's. Draws in all. A row a fit."""

    first: Ints
    second: Ints
    played: Floats
    balance: Floats
    drawn: Floats
    players: int


class ByOpening(NamedTuple):
    """Games summed over openings (rows) and ordered pairs of players (columns)."""

    first: Ints
    second: Ints
    played: Floats
    balance: Floats
    drawn: Floats
    players: int


# ── sums ─────────────────────────────────────────────────────────────────────────────────────────


def components(games: Games) -> list[list[int]]:
    """Players grouped by who met, directly or through others; one that met nobody stands alone."""
    labels = _labels(games)
    return [np.flatnonzero(labels == label).tolist() for label in range(labels.max(initial=-1) + 1)]


def _labels(games: Games) -> Ints:
    """The number of each player's group, which are counted in the order of their first players."""
    lowest = np.arange(games.players)  # that a player is known to be connected with
    while True:
        before = lowest.copy()
        np.minimum.at(lowest, games.first, lowest[games.second])
        np.minimum.at(lowest, games.second, lowest[games.first])
        if (lowest == before).all():
            return np.unique(lowest, return_inverse=True)[1]


def _sums(index: Ints, values: ArrayLike, size: int) -> Floats:
    """Values summed by index."""
    return np.asarray(np.bincount(index, values, size), dtype=np.float64)


def by_opening(games: Games, openings: Ints) -> ByOpening:
    pairs, pair = np.unique(games.first * games.players + games.second, return_inverse=True)
    opening = np.searchsorted(openings, games.opening)
    shape = (len(openings), len(pairs))
    place = opening * len(pairs) + pair
    return ByOpening(
        first=pairs // games.players,
        second=pairs % games.players,
        played=_sums(place, np.ones(len(place)), shape[0] * shape[1]).reshape(shape),
        balance=_sums(place, games.outcome - 1, shape[0] * shape[1]).reshape(shape),
        drawn=_sums(opening, games.outcome == 1, len(openings)),
        players=games.players,
    )


def _weighted(sums: ByOpening, weights: Floats) -> _Tallies:
    """The sums of each row of weights, which say how often each opening counts."""
    first, second, played, balance, drawn, players = sums
    return _Tallies(first, second, weights @ played, weights @ balance, weights @ drawn, players)


def _subset(games: Games, keep: NDArray[np.bool_]) -> Games:
    """Some of the games, with only their players, numbered anew."""
    players, seats = np.unique(np.stack([games.first[keep], games.second[keep]]), return_inverse=True)
    return Games(seats[0], seats[1], games.outcome[keep], games.opening[keep], len(players))


def _centred(strengths: Floats, labels: Ints) -> Floats:
    """Strengths (players in the last axis) less the mean of those connected with them."""
    members = labels[:, None] == np.arange(labels.max(initial=-1) + 1)
    means = strengths @ (members / members.sum(axis=0))
    centred: Floats = strengths - means[..., labels]
    return centred


# ── the maximum ──────────────────────────────────────────────────────────────────────────────────


def balance_and_drawn(d: Floats, log_draws: float | Floats) -> tuple[Floats, Floats]:
    """P(first wins) − P(second wins), and P(draw), at differences d. Right however large d and draws are."""
    half = d / 2
    odds = 0.5 * np.exp(np.minimum(log_draws, 700.0)) / np.cosh(half)
    return np.tanh(half) / (1 + odds), odds / (1 + odds)


def _maxima(tallies: _Tallies, priors: _Priors, start: Floats, tolerance: float) -> Floats:
    """Strengths, advantage and log draws where likelihood times prior is largest: of each row, all at once."""
    first, second, played, balance, drawn, players = tallies
    diagonal = np.arange(players + 2)

    def difference(x: Floats) -> Floats:
        d: Floats = x[:, first] - x[:, second] + x[:, players, None]
        return d

    def square(by_pair: Floats) -> Floats:
        """What is known by pairs, as a table of players by players."""
        table = np.zeros((len(by_pair), players, players))
        table[:, first, second] = by_pair
        return table

    def spread(by_pair: Floats) -> Floats:
        """What is known by pairs, summed by player: as first, less as second; and in all."""
        table = square(by_pair)
        own = table.sum(axis=2) - table.sum(axis=1)
        return np.concatenate([own, by_pair.sum(axis=1)[:, None]], axis=1)

    def cost(x: Floats) -> Floats:
        """How unlikely x is: −log of likelihood times prior, but for a constant."""
        half = difference(x) / 2
        weight = np.logaddexp(np.logaddexp(half, -half), x[:, -1:])
        far = (priors.precision * (x - priors.centre) ** 2).sum(axis=1) / 2
        unlikely: Floats = far + (played * weight - balance * half).sum(axis=1) - drawn * x[:, -1]
        return unlikely

    x = np.tile(start, (len(played), 1))
    certain = np.zeros(len(x), dtype=bool)
    for number in range(MOST_STEPS):
        with np.errstate(over="ignore"):  # cosh of a far step; its reciprocal is 0, as it should be
            expected, draw = balance_and_drawn(difference(x), x[:, -1:])
        slope = priors.precision * (x - priors.centre)
        slope[:, :-1] += spread((played * expected - balance) / 2)
        slope[:, -1] += (played * draw).sum(axis=1) - drawn
        own, cross = played * (1 - draw - expected**2) / 4, -played * expected * draw / 2
        between, by_seat = square(own), spread(own)
        curve = np.zeros((len(x), players + 2, players + 2))
        curve[:, :players, :players] = -between - between.transpose(0, 2, 1)
        curve[:, :players, players] = curve[:, players, :players] = by_seat[:, :players]
        curve[:, :-1, -1] = curve[:, -1, :-1] = spread(cross)
        of_players = between.sum(axis=1) + between.sum(axis=2)
        of_draws = (played * draw * (1 - draw)).sum(axis=1)[:, None]
        own_terms = np.concatenate([of_players, by_seat[:, players:], of_draws], axis=1)
        curve[:, diagonal, diagonal] += own_terms + priors.precision
        step = np.asarray(np.linalg.solve(curve, slope[..., None])[..., 0], dtype=np.float64)
        size = np.abs(step).max(axis=1, initial=0.0)
        step *= (FARTHEST_STEP / np.maximum(size, FARTHEST_STEP))[:, None]
        if number >= TRUSTED_STEPS:
            step = _downhill(cost, x, step)
        x -= step
        certain |= size <= tolerance * np.maximum(1, np.abs(x).max(axis=1, initial=0.0))
        if certain.all():
            return x
    raise ArithmeticError(f"The ratings have no maximum that {MOST_STEPS} steps lead to.")


def _downhill(cost: Callable[[Floats], Floats], x: Floats, step: Floats) -> Floats:
    """The step of each row, halved until it does not lead up: one that is short enough leads down."""
    now = cost(x)
    highest = now + 1e-12 * np.abs(now)  # which may be rounding
    shorter = step.copy()
    while (up := cost(x - shorter) > highest).any():
        shorter[up] /= 2
    return shorter


def _priors(players: int, rows: int) -> _Priors:
    sd = np.concatenate([np.full(players, STRENGTH_SD), [ADVANTAGE_SD, DRAWS_SD]])
    return _Priors(np.zeros((rows, players + 2)), np.tile(sd**-2.0, (rows, 1)))


def _redrawn(priors: _Priors, random: np.random.Generator) -> _Priors:
    """Each prior as one more opening: it counts once on average, and speaks for a value drawn from itself."""
    centre, precision = priors.centre.copy(), priors.precision.copy()
    for row in range(len(centre)):  # one after the other, so that as many more leave the first as they were
        centre[row] += random.standard_normal(centre.shape[1]) / np.sqrt(precision[row])
        precision[row] *= random.standard_exponential()
    return _Priors(centre, precision)


def _inner(fit: Fit) -> Floats:
    return np.concatenate([fit.strengths / ELO, [fit.advantage / ELO, math.log(fit.draws)]])


# ── fits and their resamples ─────────────────────────────────────────────────────────────────────


def fit(games: Games, counts: ArrayLike | None = None, start: Fit | None = None) -> Fit:
    """The most likely strengths, advantage and draws; `counts` says how often each game counts (else once)."""
    count = np.ones(len(games.first)) if counts is None else np.asarray(counts, dtype=np.float64)
    pairs, pair = np.unique(games.first * games.players + games.second, return_inverse=True)
    tallies = _Tallies(
        first=pairs // games.players,
        second=pairs % games.players,
        played=_sums(pair, count, len(pairs))[None],
        balance=_sums(pair, count * (games.outcome - 1), len(pairs))[None],
        drawn=np.array([count[games.outcome == 1].sum()]),
        players=games.players,
    )
    begin = np.zeros(games.players + 2) if start is None else _inner(start)
    (x,) = _maxima(tallies, _priors(games.players, 1), begin, TOLERANCE)
    return Fit(_centred(ELO * x[:-2], _labels(games)), float(ELO * x[-2]), math.exp(x[-1]))


def bootstrap(games: Games, resamples: int = 1000, seed: int = 1, *, same_prior: bool = False) -> Bootstrap:
    """Fits of games whose openings are drawn anew, with replacement; the same seed draws the same.

    Intervals need a prior that is drawn anew too; a test of what the openings say does not.
    """
    random = np.random.default_rng(seed)
    openings = np.unique(games.opening)
    weights = _drawn(openings, resamples, random)
    x = _refits(games, openings, weights, None if same_prior else random)
    strengths = _centred(ELO * x[:, :-2], _labels(games))
    return Bootstrap(strengths, ELO * x[:, -2], np.exp(x[:, -1]), weights, seed)


def _drawn(openings: Ints, resamples: int, random: np.random.Generator) -> Ints:
    """How often each opening is drawn, a row a resample."""
    number = len(openings)
    if number == 0:
        return np.zeros((resamples, 0), dtype=np.int64)
    return random.multinomial(number, np.full(number, 1 / number), size=resamples)


def _refits(games: Games, openings: Ints, weights: Ints, random: np.random.Generator | None) -> Floats:
    start, sums = _inner(fit(games)), by_opening(games, openings)
    priors = _priors(games.players, len(weights))
    if random is not None:
        priors = _redrawn(priors, random)
    some = max(1, AT_ONCE // (games.players + 2) ** 2)
    found = np.empty((len(weights), games.players + 2))
    for begin in range(0, len(weights), some):
        rows = slice(begin, begin + some)
        tallies = _weighted(sums, weights[rows].astype(np.float64))
        own = _Priors(priors.centre[rows], priors.precision[rows])
        found[rows] = _maxima(tallies, own, start, RESAMPLE_TOLERANCE)
    return found


def interval(samples: ArrayLike, *, openings: int) -> tuple[float, float]:
    """The 95 % percentile interval of a bootstrap's samples, wide enough for the few openings it rests on.

    Percentiles alone are too narrow by sqrt((k−1)/k) and take normal for Student's tails (covering 89 % with 8
    openings, 79 % with 4), so both ends are moved from the median by t(k−1)/z · sqrt(k/(k−1)). From fewer than two
    openings nothing can be said, and the interval is everything.
    """
    if openings < 2:
        return -math.inf, math.inf
    tails = [0.025, 0.5, 0.975]
    low, middle, high = np.quantile(np.asarray(samples), tails, method="weibull")  # with hundreds, not too narrow
    wider = t95(openings - 1) / Z95 * _few(openings)
    return float(middle - wider * (middle - low)), float(middle + wider * (high - middle))


def _few(openings: int) -> float:
    """By how much a bootstrap's standard deviation falls short with few openings."""
    return math.sqrt(openings / (openings - 1))


def probability(fit: Fit, i: int, j: int) -> tuple[float, float, float]:
    """The chances that i wins, draws and loses against j, averaged over both seats; of two that are connected."""
    gap = fit.strengths[i] - fit.strengths[j]
    d = np.array([gap + fit.advantage, gap - fit.advantage]) / ELO
    balance, drawn = (float(chance.mean()) for chance in balance_and_drawn(d, math.log(fit.draws)))
    return (1 - drawn + balance) / 2, drawn, (1 - drawn - balance) / 2


def elo_of_strength(strengths: ArrayLike, advantage: ArrayLike, draws: ArrayLike) -> Floats:
    """Elo as people know it: of the score that strengths are expected to make against 0, the average, in both seats."""
    gap, first, log_draws = (np.asarray(given, dtype=np.float64) for given in (strengths, advantage, np.log(draws)))
    (won, lost), (other_won, other_lost) = (_log_scores((gap + side * first) / ELO, log_draws) for side in (1, -1))
    elo: Floats = ELO * (np.logaddexp(won, other_won) - np.logaddexp(lost, other_lost))
    return elo


def elo_of_first(advantage: ArrayLike, draws: ArrayLike) -> Floats:
    """Elo as people know it: of the score that whoever moves first is expected to make between equals."""
    won, lost = _log_scores(np.asarray(advantage, dtype=np.float64) / ELO, np.log(draws))
    return ELO * (won - lost)


def _log_scores(d: Floats, log_draws: Floats) -> tuple[Floats, Floats]:
    """The logarithms of the scores that both are expected to make at differences d, draws counted half."""
    half, half_drawn = d / 2, log_draws - math.log(2)
    total = np.logaddexp(np.logaddexp(half, -half), log_draws)
    return np.logaddexp(half, half_drawn) - total, np.logaddexp(-half, half_drawn) - total


# ── the first-move advantage of some of the games ────────────────────────────────────────────────


def advantage_by_group(games: Games, groups: ArrayLike, resamples: int = 1000, seed: int = 1) -> Advantages:
    """The first-move advantage in each group of games (by depth, say), all else fitted within the group too.

    `groups` labels each game. A resample draws the same openings for every group, so that groups can be compared.
    """
    random = np.random.default_rng(seed)
    of_game = np.asarray(groups, dtype=np.int64)
    openings = np.unique(games.opening)
    weights = _drawn(openings, resamples, random)
    labels = np.unique(of_game)
    parts = [_subset(games, of_game == label) for label in labels]
    fits = [fit(part) for part in parts]
    refits = np.empty((resamples, len(parts), 2))
    for place, part in enumerate(parts):
        refits[:, place] = _refits(part, openings, weights, random)[:, -2:]
    return Advantages(
        labels=labels,
        estimates=np.array([own.advantage for own in fits]),
        samples=ELO * refits[:, :, 0],
        draws=np.array([own.draws for own in fits]),
        sampled_draws=np.exp(refits[:, :, 1]),
        openings=np.array([len(np.unique(part.opening)) for part in parts], dtype=np.int64),
    )


def advantage_of_players(games: Games, fit: Fit, bootstrap: Bootstrap | None = None) -> Advantages:
    """The first-move advantage in each player's games, with strengths and draws as fitted to all games.

    Each resample uses its own strengths and draws. The prior stands about the advantage of all games.
    """
    openings = np.unique(games.opening)
    sums = by_opening(games, openings)
    weights, strengths, log_draws = np.ones((1, len(openings))), fit.strengths[None] / ELO, np.log([fit.draws])
    if bootstrap is not None:  # the first row stays the fit's
        weights = np.concatenate([weights, bootstrap.weights])
        strengths = np.concatenate([strengths, bootstrap.strengths / ELO])
        log_draws = np.concatenate([log_draws, np.log(bootstrap.draws)])
    random = np.random.default_rng([0 if bootstrap is None else bootstrap.seed, 1])  # not the bootstrap's own numbers
    found, behind = np.empty((len(weights), games.players)), np.zeros(games.players, dtype=np.int64)
    for player in range(games.players):
        priors = _Priors(np.full(len(weights), fit.advantage / ELO), np.full(len(weights), ADVANTAGE_SD**-2.0))
        priors.centre[1:] += ADVANTAGE_SD * random.standard_normal(len(weights) - 1)
        priors.precision[1:] *= random.standard_exponential(len(weights) - 1)
        own = np.flatnonzero((sums.first == player) | (sums.second == player))
        played, balance = (weights @ by[:, own] for by in (sums.played, sums.balance))
        gap = strengths[:, sums.first[own]] - strengths[:, sums.second[own]]
        found[:, player] = _own_advantage(gap, played, balance, log_draws, priors)
        behind[player] = len(np.unique(games.opening[(games.first == player) | (games.second == player)]))
    draws = np.broadcast_to(np.exp(log_draws)[:, None], found.shape)
    return Advantages(np.arange(games.players), ELO * found[0], ELO * found[1:], draws[0], draws[1:], behind)


def _own_advantage(gap: Floats, played: Floats, balance: Floats, log_draws: Floats, priors: _Priors) -> Floats:
    """The advantage that makes one player's games likeliest, for each row of gaps and sums by ordered pair."""

    def slope(x: Floats) -> Floats:
        """The slope of −log likelihood at x: it grows with x."""
        expected, _ = balance_and_drawn(gap + x[:, None], log_draws[:, None])
        excess: Floats = (played * expected - balance).sum(axis=1) / 2
        return excess + priors.precision * (x - priors.centre)

    return roots(slope, priors.centre - FARTHEST, priors.centre + FARTHEST, RESAMPLE_TOLERANCE)
