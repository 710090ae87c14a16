"""What moving first was worth: decided once, over openings, and read by tables, sentences and charts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from tournament.evidence.seats import Change, change, odd_lever, slope_lever
from tournament.evidence.verdicts import ALPHA, holm
from tournament.report.competitors import Competitor, Level
from tournament.report.scores import Seats, SeatScore

Better = Literal["first", "second", "can't tell"]


@dataclass(frozen=True)
class FirstPlayer:
    """Who was better off over all games, how that changes with depth, and in whose games."""

    seats: Seats
    word: Better
    by_depth: dict[int, SeatScore]  # of games at one depth, in order; empty where there are not several
    slope: Change | None  # of the share a ply; None where depths can't tell
    odd: Change | None  # by how much it is higher at odd depths than at even ones
    by_player: dict[Competitor, Better]  # adjusted for how many they are; empty of fewer than three
    when_empty: Seats | None  # the same from the empty board, where other openings were played too

    @property
    def overall(self) -> SeatScore:
        return self.seats.overall

    @property
    def openings(self) -> int:
        return len(self.overall.by_opening)

    @property
    def can_be_said(self) -> bool:
        """Whether both players of every pairing have begun as many games."""
        return self.seats.are_balanced

    @property
    def is_odd(self) -> bool:
        """Whether anybody but the first player moves first from an opening."""
        return any(len(opening) % 2 for opening in self.overall.by_opening)


def first_player_of(seats: Seats, when_empty: Seats) -> FirstPlayer | None:
    """What the games from openings say, and those from the empty board where there are others; None without games."""
    if not seats.overall.games:
        seats, when_empty = when_empty, seats
    if not seats.overall.games:
        return None
    by_depth = _by_depth(seats)
    slope, odd = _changes(by_depth) if seats.are_balanced else (None, None)
    return FirstPlayer(
        seats=seats,
        word=_word(seats.overall, seats.overall.interval) if seats.are_balanced else "can't tell",
        by_depth=by_depth,
        slope=slope,
        odd=odd,
        by_player=_by_player(seats) if seats.are_balanced else {},
        when_empty=when_empty if when_empty.overall.games else None,
    )


def _word(score: SeatScore, interval: tuple[float, float] | None) -> Better:
    if interval is None or interval[0] <= 0.5 <= interval[1]:
        return "can't tell"
    return "first" if score.score > 0.5 else "second"


def _by_depth(seats: Seats) -> dict[int, SeatScore]:
    depths: dict[int, SeatScore] = {
        int(level.efforts[0].size): seats.by_level[level] for level in seats.levels if is_depth(level)
    }
    return depths if len(depths) > 1 else {}


def is_depth(level: Level) -> bool:
    """Whether both players searched to one depth."""
    return len(level.efforts) == 1 and level.efforts[0].is_depth


def _changes(by_depth: dict[int, SeatScore]) -> tuple[Change | None, Change | None]:
    """How the share changes with depth, opening by opening, in those that were played at every depth."""
    if not by_depth:
        return None, None
    depths, scores = list(by_depth), list(by_depth.values())
    common = [opening for opening in scores[0].by_opening if all(opening in score.by_opening for score in scores)]
    shares = [[_share(score.by_opening[opening]) for score in scores] for opening in common]
    if len(shares) < 2:
        return None, None
    lever = odd_lever(depths)
    found = [change(shares, slope_lever(depths)), *([change(shares, lever)] if lever is not None else [])]
    slope, *odd = (one._replace(p=p) for one, p in zip(found, holm([one.p for one in found]), strict=True))
    return slope, odd[0] if odd else None


def _share(sums: list[int]) -> float:
    halves, games = sums
    return halves / 2 / games


def _by_player(seats: Seats) -> dict[Competitor, Better]:
    """In whose games moving first, or second, was an advantage."""
    players = sorted(seats.by_player, key=lambda one: one.text)
    if len(players) < 3:
        return {}
    found: dict[Competitor, Better] = {}
    for one, p in zip(players, holm([seats.by_player[one].p for one in players]), strict=True):
        score = seats.by_player[one].score
        found[one] = "can't tell" if p > ALPHA else "first" if score > 0.5 else "second"
    return found
