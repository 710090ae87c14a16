"""The model fitted to all pairs: ratings, chances of each against each, and the worth of the first move."""

from __future__ import annotations

import numpy as np

from tournament.engine.settings import Effort
from tournament.evidence.pairs import FEWEST_DECISIVE, Pairs
from tournament.evidence.ratings import (
    Advantages,
    Bootstrap,
    Fit,
    Games,
    advantage_by_group,
    advantage_of_players,
    bootstrap,
    components,
    elo_of_first,
    elo_of_strength,
    fit,
    interval,
    probability,
    trend,
)
from tournament.report.evidence import Chance, Estimate, FirstMove, RatedGroup, Ratings, Slope
from tournament.store import StoredPlayer

RESAMPLES = 1000
MOST_IN_MATRIX = 20  # players whose chances against each other are told; a table of more does not fit a page


def ratings_of(pairs: Pairs[StoredPlayer], seed: int) -> Ratings:
    """Everything that the fitted model says."""
    games = Games(
        np.array(pairs.first, np.int64),
        np.array(pairs.second, np.int64),
        np.array(pairs.outcome, np.int64),
        np.array(pairs.opening, np.int64),
        len(pairs.players),
    )
    fitted, resampled = fit(games), bootstrap(games, RESAMPLES, seed)
    groups = tuple(_group(group, pairs, fitted, resampled) for group in components(games))
    first_move = _first_move(pairs, games, fitted, resampled, seed)
    return Ratings(groups, first_move, len(pairs.outcome), resampled.openings)


def _group(group: list[int], pairs: Pairs[StoredPlayer], fitted: Fit, resampled: Bootstrap) -> RatedGroup:
    """The ratings of players who have met, and their chances against each other."""
    players = list(pairs.players.values())
    efforts = {players[index].settings.effort for index in group}
    effort = efforts.pop() if len(efforts) == 1 else None
    keys = {players[index].key for index in group}
    decisive = sum(won + lost for (key, _), (won, lost, _) in pairs.pairings.items() if key in keys)
    if decisive < FEWEST_DECISIVE:
        return RatedGroup(effort, decisive, {}, {})
    elo = elo_of_strength(fitted.strengths, fitted.advantage, fitted.draws)
    samples = elo_of_strength(resampled.strengths, resampled.advantages[:, None], resampled.draws[:, None])
    ratings: dict[str, Estimate] = {}
    for index in sorted(group, key=lambda index: -fitted.strengths[index]):
        own = interval(samples[:, index], openings=resampled.openings)
        ratings[players[index].key] = Estimate(float(elo[index]), own)
    chances: dict[tuple[str, str], Chance] = {}
    if len(group) <= MOST_IN_MATRIX:
        for one in group:
            for other in group:
                if one != other:
                    chances[players[one].key, players[other].key] = _chance(one, other, fitted, resampled)
    return RatedGroup(effort, decisive, ratings, chances)


def _chance(one: int, other: int, fitted: Fit, resampled: Bootstrap) -> Chance:
    gap = resampled.strengths[:, one] - resampled.strengths[:, other]
    low, high = interval(gap, openings=resampled.openings)
    return Chance(float(probability(fitted, one, other)[0]), not low <= 0 <= high)


def _first_move(pairs: Pairs[StoredPlayer], games: Games, fitted: Fit, resampled: Bootstrap, seed: int) -> FirstMove:
    """What moving first is worth in Elo: over all, by effort, and in each player's games."""
    players = list(pairs.players.values())
    elo = float(elo_of_first(fitted.advantage, fitted.draws))
    samples = elo_of_first(resampled.advantages, resampled.draws)
    overall = Estimate(elo, interval(samples, openings=resampled.openings))
    efforts = sorted({player.settings.effort for player in players}, key=lambda effort: effort.order)
    place_of = [efforts.index(player.settings.effort) for player in players]
    group_of = np.array([max(place_of[a], place_of[b]) for a, b in zip(pairs.first, pairs.second, strict=True)])
    grouped = advantage_by_group(games, group_of, RESAMPLES, seed)
    by_effort: dict[Effort, Estimate] = {}
    slope = None
    if len(grouped.labels) > 1:
        found = [efforts[label] for label in grouped.labels]
        by_effort = dict(zip(found, _estimates(grouped), strict=True))
        if all(effort.is_depth for effort in found):
            slope = _slope(found, grouped, resampled.openings)
    own = _estimates(advantage_of_players(games, fitted, resampled))
    by_player = {player.key: estimate for player, estimate in zip(players, own, strict=True)}
    return FirstMove(overall, by_effort, by_player, slope)


def _estimates(advantages: Advantages) -> list[Estimate]:
    elo = elo_of_first(advantages.estimates, advantages.draws)
    samples = elo_of_first(advantages.samples, advantages.sampled_draws)
    return [
        Estimate(float(estimate), interval(samples[:, place], openings=int(openings)))
        for place, (estimate, openings) in enumerate(zip(elo, advantages.openings, strict=True))
    ]


def _slope(depths: list[Effort], grouped: Advantages, openings: int) -> Slope:
    """How the worth of the first move changes with depth, where all games were played at one."""
    fewest = min(openings, int(grouped.openings.min()))
    sizes = [int(effort.size) for effort in depths]
    elo = elo_of_first(grouped.estimates, grouped.draws)
    return Slope(*trend(sizes, elo_of_first(grouped.samples, grouped.sampled_draws), elo, openings=fewest))
