"""The model fitted to all pairs: ratings, chances of each against each, and the worth of the first move."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations
from typing import NamedTuple

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
)
from tournament.report.evidence import Chance, Estimate, FirstMove, PairingVerdict, RatedGroup, Ratings
from tournament.store import StoredPlayer

RESAMPLES = 1000
MOST_IN_MATRIX = 20  # players whose chances against each other are told; a table of more does not fit a page


class Model(NamedTuple):
    """The games of whole pairs, the model fitted to them, and to its resamples."""

    games: Games
    fitted: Fit
    resampled: Bootstrap


def model_of(pairs: Pairs[StoredPlayer], seed: int) -> Model:
    """The model of all games that repeat no other."""
    games = Games(
        np.array(pairs.first, np.int64),
        np.array(pairs.second, np.int64),
        np.array(pairs.outcome, np.int64),
        np.array(pairs.opening, np.int64),
        len(pairs.players),
    )
    return Model(games, fit(games), bootstrap(games, RESAMPLES, seed))


def ratings_of(pairs: Pairs[StoredPlayer], model: Model, verdicts: Sequence[PairingVerdict], seed: int) -> Ratings:
    """Everything that the fitted model says; who is resolved from whom is what the verdicts say."""
    groups = tuple(_group(group, pairs, model, verdicts) for group in components(model.games))
    return Ratings(groups, _first_move(pairs, model, seed), len(pairs.outcome), model.resampled.openings)


def _group(
    group: list[int], pairs: Pairs[StoredPlayer], model: Model, verdicts: Sequence[PairingVerdict]
) -> RatedGroup:
    """The ratings of players who have met, and their chances against each other."""
    players = list(pairs.players.values())
    efforts = {players[index].settings.effort for index in group}
    effort = efforts.pop() if len(efforts) == 1 else None
    keys = {players[index].key for index in group}
    decisive = sum(one.pairing.won + one.pairing.lost for one in verdicts if one.player in keys)
    if decisive < FEWEST_DECISIVE:
        return RatedGroup(effort, decisive, {}, {})
    _, fitted, resampled = model
    elo = elo_of_strength(fitted.strengths, fitted.advantage, fitted.draws)
    samples = elo_of_strength(resampled.strengths, resampled.advantages[:, None], resampled.draws[:, None])
    ratings: dict[str, Estimate] = {}
    for index in sorted(group, key=lambda index: -fitted.strengths[index]):
        own = interval(samples[:, index], openings=resampled.openings)
        ratings[players[index].key] = Estimate(float(elo[index]), own)
    chances: dict[tuple[str, str], Chance] = {}
    if len(group) <= MOST_IN_MATRIX:
        resolved = {frozenset(one.better) for one in verdicts if one.better is not None}
        for one, other in permutations(group, 2):
            both = (players[one].key, players[other].key)
            chances[both] = Chance(float(probability(fitted, one, other)[0]), frozenset(both) in resolved)
    return RatedGroup(effort, decisive, ratings, chances)


def _first_move(pairs: Pairs[StoredPlayer], model: Model, seed: int) -> FirstMove:
    """What moving first is worth in Elo: over all, by effort, and in each player's games."""
    games, fitted, resampled = model
    players = list(pairs.players.values())
    elo = float(elo_of_first(fitted.advantage, fitted.draws))
    samples = elo_of_first(resampled.advantages, resampled.draws)
    overall = Estimate(elo, interval(samples, openings=resampled.openings))
    efforts = sorted({player.settings.effort for player in players}, key=lambda effort: effort.order)
    place_of = [efforts.index(player.settings.effort) for player in players]
    group_of = np.array([max(place_of[a], place_of[b]) for a, b in zip(pairs.first, pairs.second, strict=True)])
    grouped = advantage_by_group(games, group_of, RESAMPLES, seed)
    by_effort: dict[Effort, Estimate] = {}
    if len(grouped.labels) > 1:
        by_effort = dict(zip([efforts[label] for label in grouped.labels], _estimates(grouped), strict=True))
    own = _estimates(advantage_of_players(games, fitted, resampled))
    by_player = {player.key: estimate for player, estimate in zip(players, own, strict=True)}
    return FirstMove(overall, by_effort, by_player)


def _estimates(advantages: Advantages) -> list[Estimate]:
    elo = elo_of_first(advantages.estimates, advantages.draws)
    samples = elo_of_first(advantages.samples, advantages.sampled_draws)
    return [
        Estimate(float(estimate), interval(samples[:, place], openings=int(openings)))
        for place, (estimate, openings) in enumerate(zip(elo, advantages.openings, strict=True))
    ]
