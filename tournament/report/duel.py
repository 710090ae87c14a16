"""What a duel has shown: one value, from which the sentences, the JSON, the exit code and the report are made."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, NamedTuple

from tournament.engine.settings import Effort
from tournament.evidence.duel import DuelTally
from tournament.evidence.elo import Margin, margin
from tournament.evidence.sprt import Decision, Terms
from tournament.report.table import Cell, Column, Table, shown_cell
from tournament.store import StoredPlayer
from tournament.text import counted

MORE_OPENINGS = 3000  # of six plies, in a sample: some ten times what hypotheses 30 Elo apart take on average
FEW_OF_A_VALUE = 800  # of six plies at least as many have each value
EXIT_CODES = {"H1": 0, "H0": 1, None: 3}


@dataclass(frozen=True)
class Duel:
    """Whether NEW is better than OLD, as far as their pairs tell."""

    new: str
    old: str
    effort: Effort
    terms: Terms
    decision: Decision
    margin: Margin
    played: int  # pairs that were judged, those that repeat others too
    openings: int  # that the suite has
    most_pairs: int | None  # that were asked for
    plays_the_same: bool  # every pair had the same moves from both seats
    value: str | None = None  # that all openings were asked to have, by perfect play

    @property
    def verdict(self) -> str:
        """As in `better`, `not worse by 30 or more`, `same games`, `can't tell`."""
        if self.decision.claim is not None:
            return self.decision.claim.text
        return "same games" if self.plays_the_same else "can't tell"

    @property
    def exit_code(self) -> int:
        """0 where H1 is accepted, 1 where H0 is, 3 where neither is."""
        return EXIT_CODES[self.decision.accepted]

    @property
    def sentences(self) -> list[str]:
        """What the duel has shown, in words, what that rests on, and what would tell more."""
        return [self._on_the_verdict, self._on_the_score, self._on_the_figures, *self._on_what_is_next]

    @property
    def _on_the_verdict(self) -> str:
        where = f"{'At' if self.effort.is_depth else 'Within'} {self.effort.sentence}"
        if self.decision.claim is not None:
            return f"{where} {self.decision.claim.of(self.new, self.old)}."
        if self.plays_the_same:
            every = "the pair" if self.played == 1 else f"all {self.played:,} pairs"
            return (
                f"{where} {self.new} and {self.old} play the same games: the moves of both games of {every} are equal."
            )
        asked = f"whether {self.terms.h1.of(self.new, self.old, asked=True)}"
        low, high = self.margin.interval
        if low <= 0 <= high:
            return f"{where} one can't tell {asked}."
        seems, side = ("better", "above") if low > 0 else ("worse", "below")
        return (
            f"{where} the test has not decided {asked}; so far {self.new} looks {seems}, its 95 % interval is {side} 0."
        )

    @property
    def _on_the_score(self) -> str:
        repeats = self.played - self.decision.pairs
        met = (
            "1 more met another and counts with it"
            if repeats == 1
            else f"{repeats:,} more met others and count with them"
        )
        return (
            f"It scored {shown_cell(self.decision.score, 'percent')} over {counted(self.decision.pairs, 'pair')}, "
            f"{self.decision.decisive:,} of them won by one side{f' ({met})' if repeats else ''}."
        )

    def __repr__(self) -> str:
        return "\n".join(self.sentences)

    @property
    def _on_the_figures(self) -> str:
        low, high = self.decision.bounds
        return (
            f"Elo {shown_cell(self.margin.elo, 'elo')} (95 % interval {shown_cell(self.margin.interval, 'elo')}), "
            f"likelihood of superiority {shown_cell(self.margin.superiority, 'percent')}; "
            f"LLR {self.decision.llr:+.2f}, bounds {low:+.2f} and {high:+.2f}."
        )

    @property
    def _on_what_is_next(self) -> list[str]:
        if self.decision.accepted is not None:
            return []
        if self.plays_the_same:
            return ["Another effort, or openings of more plies, may tell them apart."]
        if self.most_pairs is not None and self.most_pairs <= self.played < self.openings:
            return [
                f"It stopped at --max-pairs {self.most_pairs}: the same command with more of them goes on from there."
            ]
        if self.played < self.openings:
            return []
        plies, sample = (6, MORE_OPENINGS) if self.openings < MORE_OPENINGS else (8, 4 * self.openings)
        more = f"plies={plies},sample={sample}"
        if self.value is not None:
            more = f"plies={6 if self.openings < FEW_OF_A_VALUE else 8},value={self.value}"
        opening = "The one opening is" if self.openings == 1 else f"All {self.openings:,} openings are"
        return [f"{opening} played: `--openings {more}` has more."]

    def as_json(self) -> dict[str, Any]:
        """The same for programs; what is infinite is null."""
        decision, margin, terms = self.decision, self.margin, self.terms
        return {
            "verdict": self.verdict,
            "accepted": decision.accepted,
            "new": self.new,
            "old": self.old,
            "effort": self.effort.sentence,
            "elo0": terms.elo0,
            "elo1": terms.elo1,
            "alpha": terms.alpha,
            "beta": terms.beta,
            "pairs": decision.pairs,
            "decisive": decision.decisive,
            "repeats": self.played - decision.pairs,
            "score": decision.score,
            "elo": _finite(margin.elo),
            "interval": [_finite(end) for end in margin.interval],
            "superiority": margin.superiority,
            "llr": decision.llr,
            "bounds": decision.bounds,
            "sentences": self.sentences,
        }


class DuelTerms(NamedTuple):
    """What declares a duel, as the store keeps it in place of a config's text."""

    new: str  # keys of the players
    old: str
    terms: Terms
    openings: int
    most_pairs: int | None
    value: str | None = None

    @property
    def text(self) -> str:
        return json.dumps({"duel": {**self._asdict(), "terms": asdict(self.terms)}})

    def result(self, tally: DuelTally, players: Mapping[str, StoredPlayer]) -> Duel:
        """What the pairs counted so far show."""
        new, old = players[self.new], players[self.old]
        return Duel(
            new=new.name,
            old=old.name,
            effort=new.settings.effort,
            terms=self.terms,
            decision=tally.decision,
            margin=margin(tally.counts),
            played=tally.pairs,
            openings=self.openings,
            most_pairs=self.most_pairs,
            plays_the_same=tally.plays_the_same,
            value=self.value,
        )


def declared_duel(text: str) -> DuelTerms | None:
    """What declares the duel, from the text of a run's config; None where that is a config."""
    if not text.startswith('{"duel": '):
        return None
    declared = json.loads(text)["duel"]
    return DuelTerms(**{**declared, "terms": Terms(**declared["terms"])})


def duel_table(duel: Duel) -> Table:
    """The verdict and all that it rests on."""
    decision, terms = duel.decision, duel.terms
    low, high = decision.bounds
    rows: list[tuple[Cell, ...]] = [
        ("verdict", f"{duel.new} against {duel.old}: {duel.verdict}"),
        ("score", shown_cell(decision.score, "percent")),
        ("Elo", shown_cell(duel.margin.elo, "elo")),
        ("95 % interval", shown_cell(duel.margin.interval, "elo")),
        ("likelihood of superiority", shown_cell(duel.margin.superiority, "percent")),
        ("pairs", f"{decision.pairs:,}"),
        ("won by one side", f"{decision.decisive:,}"),
        ("met others and count with them", f"{duel.played - decision.pairs:,}"),
        ("LLR", f"{decision.llr:+.2f} (bounds {low:+.2f} and {high:+.2f})"),
        ("hypotheses", f"H0 {terms.elo0:g}, H1 {terms.elo1:g} normalized Elo; α {terms.alpha:g}, β {terms.beta:g}"),
    ]
    note = (
        "A sequential test on pairs, in the order of the openings. Elo, its interval and the likelihood of superiority "
        "are of the pairs counted: where the test has stopped early they lie further from 0 than the truth, on average."
    )
    return Table("Duel", (Column("what"), Column("value")), rows, note)


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None
