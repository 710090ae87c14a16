"""Compared like with like: two players at equal depth, equal nodes and equal time, side by side."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from tournament.engine.settings import Effort
from tournament.evidence.student import t95
from tournament.report.evidence import Evidence, PairingVerdict
from tournament.text import listed

EQUAL = {"depth": "depth", "nodes": "nodes", "seconds": "time"}  # what is equal, by the kind of effort
OPEN = "it can't be told"
MOST_TOLD = 3  # pairs of players that have a sentence each


class Equal(NamedTuple):
    """How a player fared against another at one effort of both."""

    score: float  # the share of the points over all pairs of openings
    interval: tuple[float, float] | None  # 95 %, over openings; None of fewer than two
    verdict: PairingVerdict
    is_turned: bool  # the verdict is of the other one

    @property
    def better(self) -> int:
        """1 where the player is better, -1 where the other is, 0 where it can't be told."""
        if self.verdict.word == "can't tell":
            return 0
        return 1 if (self.verdict.word == "better") != self.is_turned else -1


@dataclass(frozen=True)
class LikeWithLike:
    """Every two players who have met at equal efforts of several kinds."""

    efforts: tuple[Effort, ...]
    pairs: Mapping[tuple[str, str], Mapping[Effort, Equal]]  # by their names


def like_with_like(evidence: Evidence | None) -> LikeWithLike | None:
    """What equal efforts say of the same players; None where there is but one kind of them."""
    if evidence is None:
        return None
    pairs: dict[tuple[str, str], dict[Effort, Equal]] = {}
    for verdict in evidence.verdicts:
        one, other = evidence.players[verdict.player], evidence.players[verdict.other]
        if one.settings.effort != other.settings.effort or one.name == other.name or one.is_agent or other.is_agent:
            continue
        is_turned = (other.name, one.name) in pairs
        names = (other.name, one.name) if is_turned else (one.name, other.name)
        pairs.setdefault(names, {})[one.settings.effort] = _equal(verdict, is_turned)
    efforts = sorted({effort for own in pairs.values() for effort in own}, key=lambda effort: effort.order)
    if len({effort.kind for effort in efforts}) < 2:
        return None
    return LikeWithLike(tuple(efforts), pairs)


def _equal(verdict: PairingVerdict, is_turned: bool) -> Equal:
    margins = [-margin if is_turned else margin for margin in verdict.pairing.margins]
    number, mean = len(margins), sum(margins) / len(margins)
    interval = None
    if number > 1:
        # One pair more on either side, as far off as can be: where all went alike, as many would be sure of nothing.
        variance = (sum((margin - mean) ** 2 for margin in margins) + 0.5) / (number + 1)
        half = t95(number - 1) * math.sqrt(variance / number)
        interval = max(0.0, 0.5 + mean - half), min(1.0, 0.5 + mean + half)
    return Equal(0.5 + mean, interval, verdict, is_turned)


def on_like(found: LikeWithLike | None) -> list[str]:
    """Who is better at what, in words: those first of whom it depends on what is equal."""
    if found is None:
        return []
    told = {names: own for names, own in found.pairs.items() if len({effort.kind for effort in own}) > 1}
    ranked = sorted(told, key=lambda names: -len({one.better for one in told[names].values()}))
    sentences = [_sentence(names, told[names]) for names in ranked[:MOST_TOLD]]
    left = len(told) - len(sentences)
    if left > 0:
        depends = sum(len({one.better for one in told[names].values()}) > 1 for names in ranked[MOST_TOLD:])
        sentences.append(
            f"Of the other {left} pairs of players {depends or 'none'} {'has' if depends == 1 else 'have'} different "
            "verdicts: see Compared like with like."
        )
    return sentences


def _sentence(names: tuple[str, str], own: Mapping[Effort, Equal]) -> str:
    """Who of the two is better at what, the same answers together, and last where it can't be told."""
    places: dict[str, dict[str, list[str]]] = {}  # by the answer and by what is equal
    for effort, one in sorted(own.items(), key=lambda each: not each[1].better):
        places.setdefault(_answer(names, one), {}).setdefault(EQUAL[effort.kind], []).append(effort.text)
    told = []
    for answer, equal in places.items():
        where = listed([f"{what} ({listed(sizes)})" for what, sizes in equal.items()])
        told.append(f"at equal {where} {answer}")
    if len(places) > 1 or any(one.better for one in own.values()):
        sentence = "; ".join(told)
        return f"{sentence[0].upper()}{sentence[1:]}."
    return f"Whether {names[0]} or {names[1]} is better can't be told {told[0].removesuffix(f' {OPEN}')}."


def _answer(names: tuple[str, str], one: Equal) -> str:
    if not one.better:
        return OPEN
    word = "rated above" if one.verdict.by_ratings else "better than"
    better, worse = names if one.better > 0 else names[::-1]
    return f"{better} is {word} {worse}"
