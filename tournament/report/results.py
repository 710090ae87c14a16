"""What the games of a tournament say: typed, complete when it is made, and read by every table, sentence and chart."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import NamedTuple, TypeVar

from tournament.evidence.intervals import branching_factor
from tournament.report.duel import Duel
from tournament.report.evidence import Evidence
from tournament.report.first_player import FirstPlayer, first_player_of
from tournament.report.like import LikeWithLike, like_with_like
from tournament.report.longest import GameRecord
from tournament.report.pair_evidence import evidence_of
from tournament.report.scores import Score, Scores, Seats
from tournament.report.strength import Priced, priced
from tournament.report.styles import Styles
from tournament.report.tally import Tally
from tournament.store import Cost, StoredMove, StoredPlayer, StoredRun
from tournament.text import nearest
from tournament.truth.verdict import Value

ALL = "all"


V = TypeVar("V")


class Shown(dict[str, V]):
    """Values by what they are called; a number is called as it is written."""

    def __missing__(self, key: object) -> V:
        if not isinstance(key, str) and str(key) in self:
            return self[str(key)]
        raise KeyError(f"there is no {str(key)!r} here{nearest(str(key), list(self))}")


class FaultCount(NamedTuple):
    """What one player did wrong in one way: how often, and what was said the first time."""

    player: StoredPlayer
    kind: str
    times: int
    withdrawn: int  # games that the player was withdrawn from
    first_message: str


@dataclass(frozen=True)
class Results:
    """What the games of a tournament say."""

    run: StoredRun
    players: Mapping[str, StoredPlayer]  # of the plan, by key
    planned: int
    superseded: int
    played: int
    distinct: int
    forfeits: int
    withdrawn: int  # games that were not played, since a player had forfeited too often
    scores: Scores
    openings: int  # that were played, at least 1
    first_player: FirstPlayer | None  # None: no game counts
    cost: dict[str, Cost]  # by the player's key, in the order of efforts and names
    faults: tuple[FaultCount, ...]
    evidence: Evidence | None  # None: there are no whole pairs
    longest: GameRecord | None  # of the two best players who have met
    truths: Mapping[str, Value] = field(default_factory=dict)  # of the openings: what perfect play makes of each
    damaged: tuple[str, ...] = ()  # the ids of games that are not what was written, and do not count
    duel: Duel | None = None  # None: a tournament
    prices: tuple[Priced, ...] = ()  # of a pool, the cheapest first
    like: LikeWithLike | None = None  # None: equal efforts are all of one kind

    @property
    def standings(self) -> Shown[Shown[Score]]:
        """Scores by level and player as they are shown: `standings["4"]["robert"]`, and over `all` levels.

        A depth may be a number: `standings[4]`. What is not there raises a KeyError that names the nearest.
        """
        if not self.scores.overall:
            return Shown()
        by_level = {level.text: self.scores.by_level[level] for level in self.scores.levels}
        return Shown(
            (level, Shown((one.text, score) for one, score in scores.items()))
            for level, scores in {**by_level, ALL: self.scores.overall}.items()
        )

    @property
    def seats(self) -> Seats:
        """What moving first was worth, at each level and in each player's games."""
        return self.first_player.seats if self.first_player is not None else Seats()

    @property
    def styles(self) -> Styles:
        """How each player looks, by name, in the order of the plan."""
        return Styles(player.name for player in self.players.values())


def results_of(
    tally: Tally,
    run: StoredRun,
    players: Mapping[str, StoredPlayer],
    *,
    planned: int,
    superseded: int,
    damaged: tuple[str, ...] = (),
    duel: Duel | None = None,
    truths: Mapping[str, Value] = MappingProxyType({}),
    moves: Callable[[str], list[StoredMove]] = lambda _: [],  # of the game with that id
) -> Results:
    """What the tally of all games says."""
    faults = [
        FaultCount(found.player, found.kind, found.times, tally.withdrawn_of[found.player.key], found.first_message)
        for found in tally.faults.values()
    ]
    longest = tally.longest.of_the_best(tally.scores)
    evidence, costs = evidence_of(tally.pairs, run.seed, in_pool=tally.in_pool), tally.cost
    return Results(
        run=run,
        players=players,
        planned=planned,
        superseded=superseded,
        damaged=damaged,
        duel=duel,
        truths=truths,
        played=tally.played,
        distinct=tally.distinct,
        forfeits=tally.forfeits,
        withdrawn=tally.withdrawn,
        scores=tally.scores,
        openings=max(1, len(tally.openings)),
        first_player=first_player_of(tally.seats, tally.seats_when_empty),
        cost={key: costs[key] for key in sorted(costs, key=lambda key: _place(players[key]))},
        faults=tuple(sorted(faults, key=lambda fault: (fault.player.name, _place(fault.player), fault.kind))),
        evidence=evidence,
        prices=priced(evidence, costs),
        like=like_with_like(evidence),
        longest=GameRecord(longest, moves(longest.id)) if longest is not None else None,
    )


def _place(player: StoredPlayer) -> tuple[tuple[int, float], str]:
    return player.settings.effort.order, player.name


def seconds_inside(player: StoredPlayer, cost: Cost) -> float | None:
    """How long its searches were inside the evaluator: what a call takes, so many times, and no more than they took.

    A call was timed before the run. None: of a player that was not.
    """
    return None if player.call_seconds is None else min(player.call_seconds * cost.evaluated, cost.cpu_seconds)


class PerMove(NamedTuple):
    """What one move of a player took on average."""

    generated: float
    expanded: float
    evaluated: float
    seconds: float
    cpu_seconds: float | None  # None where a store has not kept it
    branching: float | None  # the effective branching factor; None within a budget, which counts every depth
    seconds_per_call: float | None  # of the evaluator, the search around it included
    cutoffs: float | None  # the share of the expanded nodes


def per_move(cost: Cost, *, to_a_depth: bool = True) -> PerMove:
    """What one move took, of a cost with any moves, that searched to a depth or within a budget."""
    moves, seconds = cost.moves, cost.seconds - cost.forfeit_seconds
    return PerMove(
        cost.generated / moves,
        cost.expanded / moves,
        cost.evaluated / moves,
        seconds / moves,
        cost.cpu_seconds / moves if cost.cpu_seconds is not None else None,
        branching_factor(cost.generated / moves, cost.depths / moves) if to_a_depth else None,
        seconds / cost.evaluated if cost.evaluated else None,
        cost.cutoffs / cost.expanded if cost.expanded else None,
    )
