"""What perfect play makes of the openings, and what was scored from them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from tournament.report.first_player import FirstPlayer
from tournament.report.scores import SeatScore
from tournament.report.table import Cell, Column, Table
from tournament.text import counted
from tournament.truth.verdict import Value

MOST_LISTED = 60  # openings that have a row each; openings.csv has every one
SHARES: Mapping[Value, float] = {"win": 1.0, "draw": 0.5, "loss": 0.0}  # of a game's point, for whoever moves first
IN_WORDS: Mapping[Value | None, str] = {"win": "win", "draw": "draw", "loss": "loss", "unknown": "not proven"}


class OpeningScore(NamedTuple):
    """An opening, what perfect play makes of it for whoever moves first from it, and what that player scored."""

    opening: str
    value: Value | None  # None: nobody has asked
    games: int
    scored: float

    @property
    def promised(self) -> float | None:
        """The points that perfect play would have scored in as many games."""
        share = SHARES.get(self.value) if self.value is not None else None
        return None if share is None else share * self.games


def opening_scores(truths: Mapping[str, Value], found: FirstPlayer | None) -> list[OpeningScore]:
    """Every opening, in the order of the plan."""
    sums: dict[str, list[int]] = {}
    for seats in (found.seats, found.when_empty) if found is not None else ():
        sums |= seats.overall.by_opening if seats is not None else {}
    scores = []
    for opening in dict.fromkeys([*truths, *sums]):
        halves, games = sums.get(opening, (0, 0))
        scores.append(OpeningScore(opening, truths.get(opening), games, halves / 2))
    return scores


def promised_points(scores: Iterable[OpeningScore]) -> float | None:
    """What they promised together; None where that is not known of each that was played."""
    points = [one.promised for one in scores if one.games]
    known = [one for one in points if one is not None]
    return sum(known) if len(known) == len(points) else None


def promised_share(seats: SeatScore, truths: Mapping[str, Value]) -> float | None:
    """The share of the points that perfect play would have given to whoever moved first in these games."""
    scores = [OpeningScore(opening, truths.get(opening), games, 0) for opening, (_, games) in seats.by_opening.items()]
    points = promised_points(scores)
    return None if points is None or not seats.games else points / seats.games


# ── tables ───────────────────────────────────────────────────────────────────────────────────────

SUMS = (
    *(Column("games", "count"), Column("promised", "points"), Column("scored", "points")),
    *(Column("share promised", "percent"), Column("mover scored", "percent")),
)


def openings_tables(truths: Mapping[str, Value], found: FirstPlayer | None) -> list[Table]:
    """By what perfect play makes of them, and then one by one, where they are not too many.

    Nothing where nobody has asked that: where the solver does not know the game, and of earlier stores.
    """
    scores = opening_scores(truths, found)
    if not truths or not any(one.games for one in scores):
        return []
    is_short = len(scores) <= MOST_LISTED
    told = []
    if len(scores) > 1:
        told.append(_by_value(scores, "" if is_short else f"openings.csv has each of the {len(scores):,}. "))
    if is_short:
        rows = [(one.opening or "empty", IN_WORDS.get(one.value), *_sums([one])) for one in scores]
        if len(scores) > 1:
            rows.append(("all", None, *_sums(scores)))
        note = "" if told else ON_PROMISES
        told.append(Table("Openings", (Column("opening"), Column("perfect play"), *SUMS), rows, note))
    return told


ON_PROMISES = (
    "Perfect play: what it makes of the opening for the mover, who moves first from it; tourney solve says it too. "
    "Promised: the points that the mover would have scored in these games, had nobody erred."
)


def _by_value(scores: list[OpeningScore], more: str) -> Table:
    rows: list[tuple[Cell, ...]] = []
    for value, word in IN_WORDS.items():
        own = [one for one in scores if one.value == value]
        if own:
            rows.append((word, len(own), *_sums(own)))
    rows.append(("all", len(scores), *_sums(scores)))
    columns = (Column("perfect play"), Column("openings", "count"), *SUMS)
    return Table("Openings by perfect play", columns, rows, f"{more}{ON_PROMISES}")


def _sums(scores: list[OpeningScore]) -> tuple[Cell, ...]:
    games, scored = sum(one.games for one in scores), sum(one.scored for one in scores)
    promised = promised_points(scores)
    share = None if promised is None or not games else promised / games
    return games, promised, scored, share, scored / games if games else None


def sentence_on_promises(found: FirstPlayer, truths: Mapping[str, Value]) -> str | None:
    """What the openings promised to whoever moves first, where it is known of each."""
    share = promised_share(found.overall, truths)
    if share is None:
        return None
    values = [truths[opening] for opening in found.overall.by_opening]
    if len(set(values)) == 1:
        word = {"win": "won for", "draw": "drawn for", "loss": "lost for"}[values[0]]
        return f"Perfect play finds all {counted(len(values), 'opening')} {word} whoever moves first."
    return f"The openings promised {100 * share:.1f} % to whoever moves first, had nobody erred."
