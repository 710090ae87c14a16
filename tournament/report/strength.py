"""What a ply buys: the steps from depth to depth in a pool, on average and of each player, and who plays alike.

Steps are judged together with the verdicts on pairs of players, in one family: what pays in a sentence is what is told
apart in the table.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from tournament.engine.settings import Effort
from tournament.evidence.contrasts import Contrast
from tournament.evidence.ratings import Floats, elo_of_strength, interval
from tournament.evidence.verdicts import Word, word
from tournament.report.evidence import Alike, Estimate, Evidence, Step, Strength
from tournament.report.ratings import Model
from tournament.store import Cost, StoredPlayer

ALIKE = 50.0  # Elo: who is surely no further apart plays alike


class Lever(NamedTuple):
    """A step to be judged, and what makes it of the strengths of all players."""

    name: str | None  # None: on average over all who play at both depths
    low: int
    high: int
    players: int
    weights: Floats


def levers_of(players: Sequence[StoredPlayer], group: Sequence[int]) -> list[Lever]:
    """The steps between neighbouring depths and from the least to the greatest: on average, then of each player."""
    places: dict[str, dict[int, int]] = {}  # by name and depth
    for index in group:
        player = players[index]
        if player.settings.depth is not None and not player.is_agent:
            places.setdefault(player.name, {})[player.settings.depth] = index
    depths = sorted({depth for own in places.values() for depth in own})
    steps = list(pairwise(depths))
    if len(depths) > 2:
        steps.append((depths[0], depths[-1]))
    made = []
    for name in (None, *sorted(places)) if len(places) > 1 else sorted(places):
        for low, high in steps:
            who = [own for key, own in places.items() if name in (None, key) and low in own and high in own]
            if who and (name is not None or len(who) > 1):
                weights = np.zeros(len(players))
                for own in who:
                    weights[own[high]] += 1 / len(who)
                    weights[own[low]] -= 1 / len(who)
                made.append(Lever(name, low, high, len(who), weights))
    return made


def strength_of(
    players: Sequence[StoredPlayer],
    group: Sequence[int],
    model: Model,
    levers: Sequence[Lever],
    found: Sequence[Contrast],
    families: int,
) -> Strength:
    """What the steps are worth, by their contrasts, and which players at different depths play alike."""
    _, fitted, resampled = model
    openings = resampled.openings
    elo = elo_of_strength(fitted.strengths, fitted.advantage, fitted.draws)
    samples = elo_of_strength(resampled.strengths, resampled.advantages[:, None], resampled.draws[:, None])
    steps = []
    for lever, contrast in zip(levers, found, strict=True):
        p = min(1.0, families * contrast.p)
        gain = Estimate(float(elo @ lever.weights), interval(samples @ lever.weights, openings=openings))
        steps.append(Step(lever.name, lever.low, lever.high, lever.players, gain, p, _word(contrast, gain, p)))
    alike = []
    for one in group:
        for other in group:
            shallow, deep = players[one], players[other]
            low, high = shallow.settings.depth, deep.settings.depth
            if shallow.name == deep.name or low is None or high is None or low >= high:
                continue
            gap = float(elo[one] - elo[other])
            if abs(gap) < ALIKE:
                ends = interval(samples[:, one] - samples[:, other], openings=openings)
                if max(map(abs, ends)) < ALIKE:
                    alike.append(Alike(shallow.key, deep.key, high - low, Estimate(gap, ends)))
    return Strength(tuple(steps), tuple(sorted(alike, key=lambda one: (-one.plies, abs(one.gap.elo)))))


def _word(contrast: Contrast, gain: Estimate, p: float) -> Word:
    """What a step is called; an average of strengths that is not one of Elo says nothing."""
    return word(contrast.strength, p) if contrast.strength * gain.elo > 0 else "can't tell"


# ── prices ───────────────────────────────────────────────────────────────────────────────────────


class Priced(NamedTuple):
    """A rated player of a pool, and what its moves take."""

    key: str
    effort: Effort
    rating: Estimate
    seconds: float  # a move, on average: of the processor, which other programs do not lengthen
    generated: float | None  # a move; None of an agent, whose positions nobody counts
    as_good: str | None  # the cheapest that is rated as high, or is better, for less: its key; None on the frontier

    @property
    def on_frontier(self) -> bool:
        return self.as_good is None


def priced(evidence: Evidence | None, cost: Mapping[str, Cost]) -> tuple[Priced, ...]:
    """The players of a pool by what a move takes, the cheapest first; those on the frontier have no better for less."""
    if evidence is None or evidence.ratings is None or not evidence.in_pool:
        return ()
    rated = max((group.ratings for group in evidence.ratings.groups), key=len)
    seconds = {key: _seconds(cost[key]) for key in rated if key in cost and cost[key].moves}
    made: list[Priced] = []
    for key in sorted(seconds, key=lambda key: (seconds[key], -rated[key].elo)):
        as_good = (one.key for one in made if one.rating.elo >= rated[key].elo or _is_better(one.key, key, evidence))
        player, its = evidence.players[key], cost[key]
        generated = None if player.is_agent else its.generated / its.moves
        made.append(Priced(key, player.settings.effort, rated[key], seconds[key], generated, next(as_good, None)))
    return tuple(made)


def _seconds(cost: Cost) -> float:
    """What a move took of the processor; of players that nobody has timed so, by the clock."""
    return (cost.cpu_seconds or cost.seconds - cost.forfeit_seconds) / cost.moves


def _is_better(one: str, other: str, evidence: Evidence) -> bool:
    found = evidence.verdict(one, other)
    return found is not None and found.better == (one, other)
