"""From pairs of games to what they are evidence of: the one decision on each pairing, and the fitted model.

Players who are compared through others too, as in a round robin, are judged by their ratings: that uses all their
games, and assumes that strength is one number. Where a pairing departs from that, it is said. Where every pairing
stands for itself, between two players or in a gauntlet, and where too little was played to rate anybody, it is judged
by its own pairs. So are the pairings of a player who was in few openings, as one that was withdrawn: resamples differ
most in them, and what the largest difference must reach would be set by that player alone, for all others too.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from tournament.evidence.contrasts import Contrast, comparable, contrasts
from tournament.evidence.enough import critical, openings_enough
from tournament.evidence.pairs import FEWEST_DECISIVE, Pairing, Pairs
from tournament.evidence.ratings import probability
from tournament.evidence.verdicts import ALPHA, departure_p, flip_test, holm, word
from tournament.report.evidence import Departure, Evidence, PairingVerdict, Strength
from tournament.report.ratings import Model, model_of, ratings_of
from tournament.report.strength import levers_of, strength_of
from tournament.store import StoredPlayer

Keys = tuple[str, str]


def evidence_of(pairs: Pairs[StoredPlayer], seed: int, *, in_pool: bool = False) -> Evidence | None:
    """Ratings and verdicts as far as the pairs allow; None where there are no whole pairs."""
    pairings = pairs.pairings
    if not pairings:
        return None
    ordered = sorted(pairings, key=lambda keys: [pairs.players[key].settings.effort.order for key in keys])
    decisive = sum(one.won + one.lost for one in pairings.values())
    openings = len(pairs.openings)
    if decisive < FEWEST_DECISIVE:
        return Evidence(dict(pairs.players), decisive, openings, None, _by_pairs(ordered, pairings, 1), in_pool)
    model = model_of(pairs, seed)
    together = _compared_through_others(pairs, pairings, model)
    alone = [keys for keys in ordered if keys not in together]
    families = bool(together) + bool(alone)  # of tests, which share the errors that are allowed
    group = _largest_group(pairs, model, together) if in_pool else []
    by_ratings, strength = _by_ratings(
        [keys for keys in ordered if keys in together], pairs, pairings, model, families, group, seed
    )
    found = {(one.player, one.other): one for one in (*by_ratings, *_by_pairs(alone, pairings, families))}
    verdicts = tuple(found[keys] for keys in ordered)
    ratings = ratings_of(pairs, model, verdicts, seed)
    if in_pool and len(verdicts) == 1:
        strength = _of_one_pairing(verdicts[0], pairs, model)
    return Evidence(dict(pairs.players), decisive, openings, ratings, verdicts, in_pool, strength)


def _compared_through_others(
    pairs: Pairs[StoredPlayer], pairings: dict[Keys, Pairing], model: Model
) -> frozenset[Keys]:
    """The pairings of groups that are rated and in which players meet in a circle."""
    found: list[Keys] = []
    players = list(pairs.players)
    for group in comparable(model.games):
        keys = {players[index] for index in group}
        own = [pairing for pairing in pairings if keys.issuperset(pairing)]
        decisive = sum(pairings[pairing].won + pairings[pairing].lost for pairing in own)
        met = {frozenset(pairing) for pairing in own}
        if len(met) >= len(group) and decisive >= FEWEST_DECISIVE:
            found += own
    return frozenset(found)


def _largest_group(pairs: Pairs[StoredPlayer], model: Model, together: frozenset[Keys]) -> list[int]:
    """The players of a pool who are compared through others; of a pool that is not played whole, most of them."""
    met = {key for both in together for key in both}
    players = list(pairs.players)
    groups = [[index for index in group if players[index] in met] for group in comparable(model.games)]
    return max(groups, key=len, default=[])


def _by_ratings(
    keys: Sequence[Keys],
    pairs: Pairs[StoredPlayer],
    pairings: dict[Keys, Pairing],
    model: Model,
    families: int,
    group: Sequence[int],
    seed: int,
) -> tuple[list[PairingVerdict], Strength | None]:
    """Verdicts by the differences of ratings, all at once, and with them what a ply is worth in a group of a pool."""
    if not keys:
        return [], None
    index = {key: number for number, key in enumerate(pairs.players)}
    places = [(index[one], index[other]) for one, other in keys]
    players = list(pairs.players.values())
    levers = levers_of(players, group)
    found, decide = contrasts(model.games, model.fitted, places, seed, [lever.weights for lever in levers])
    departures = _departures([pairings[both] for both in keys], places, model)
    openings = model.resampled.openings
    verdicts = []
    for both, contrast, departure in zip(keys, found[: len(keys)], departures, strict=True):
        p = min(1.0, families * contrast.p)
        said = word(contrast.strength, p)
        enough = openings_enough(openings, abs(contrast.errors), decide) if said == "can't tell" else None
        pairing = pairings[both]
        verdicts.append(PairingVerdict(*both, True, said, p, pairing.pairs, pairing, enough, departure))
    if not group:
        return verdicts, None
    return verdicts, strength_of(players, group, model, levers, found[len(keys) :], families)


def _of_one_pairing(verdict: PairingVerdict, pairs: Pairs[StoredPlayer], model: Model) -> Strength | None:
    """What a ply is worth where a pool is one player at two depths: as is decided by its one pairing."""
    players = list(pairs.players.values())
    levers = levers_of(players, range(len(players)))
    if not levers:
        return None
    sign = float(levers[0].weights[list(pairs.players).index(verdict.player)])
    contrast = Contrast(sign * sum(verdict.pairing.margins), math.nan, verdict.p)
    return strength_of(players, range(len(players)), model, levers, [contrast], 1)


def _departures(pairings: Sequence[Pairing], places: Sequence[tuple[int, int]], model: Model) -> list[Departure | None]:
    """Where players scored otherwise against each other than their ratings say."""
    margins: list[float] = []
    p_values: list[float] = []
    for pairing, (one, other) in zip(pairings, places, strict=True):
        won, _, lost = probability(model.fitted, one, other)
        expected = (won - lost) / 2
        margins.append(sum(pairing.margins) / len(pairing.margins) - expected)
        p_values.append(departure_p(pairing.margins, expected))
    return [Departure(margin, p) if p <= ALPHA else None for margin, p in zip(margins, holm(p_values), strict=True)]


def _by_pairs(keys: Sequence[Keys], pairings: dict[Keys, Pairing], families: int) -> tuple[PairingVerdict, ...]:
    """Verdicts by the pairs of each pairing alone, adjusted for how many there are."""
    adjusted = holm([flip_test(pairings[both].margins) for both in keys])
    verdicts = []
    for both, own_p in zip(keys, adjusted, strict=True):
        pairing, p = pairings[both], min(1.0, families * own_p)
        said = word(sum(pairing.margins), p)
        square = sum(margin**2 for margin in pairing.margins)
        errors = abs(sum(pairing.margins)) / math.sqrt(square) if square else 0.0
        decide = critical(families * len(keys))
        is_open = said == "can't tell" and pairing.pairs > 1  # one pair says nothing of how pairs differ
        enough = openings_enough(pairing.pairs, errors, decide) if is_open else None
        verdicts.append(PairingVerdict(*both, False, said, p, pairing.pairs, pairing, enough, None))
    return tuple(verdicts)
