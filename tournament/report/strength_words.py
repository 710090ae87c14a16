"""What a pool shows, in words: what a ply is worth, where it stops paying, who plays like whom, who is best."""

from __future__ import annotations

import math

from tournament.evidence.contrasts import FEWEST_OPENINGS
from tournament.report.drawing import shown_seconds
from tournament.report.evidence import Estimate, Evidence, Step, Strength
from tournament.report.results import Results
from tournament.report.strength import ALIKE
from tournament.report.table import shown_cell
from tournament.text import counted, listed


def on_strength(results: Results) -> list[str]:
    """Sentences on a pool, as far as its intervals allow; none of other tournaments."""
    evidence = results.evidence
    if evidence is None or not evidence.in_pool:
        return []
    if evidence.strength is None:
        told = _on_few_openings(evidence) if results.prices else []
    else:
        told = [*on_plies(evidence.strength), *_on_alike(evidence)]
    return [*told, *_on_prices(results)]


def _on_few_openings(evidence: Evidence) -> list[str]:
    """Why nothing is said of plies, where that is why."""
    deep = {(player.name, player.settings.depth) for player in evidence.players.values() if player.settings.depth}
    if evidence.openings >= FEWEST_OPENINGS or len(deep) == len({name for name, _ in deep}):
        return []
    return [
        f"What a ply is worth can't be told from {counted(evidence.openings, 'opening')}: expected {FEWEST_OPENINGS} "
        "or more."
    ]


def _elo(estimate: Estimate) -> str:
    return f"{shown_cell(estimate.elo, 'elo')} Elo (95 % interval {shown_cell(estimate.interval, 'elo')})"


def on_plies(strength: Strength) -> list[str]:
    """What a ply is worth from the least to the greatest depth, and where it stops paying."""
    names = {step.name for step in strength.steps}
    if not names or (None not in names and len(names) > 1):
        return []  # players at depths that no two of them share
    who = None if None in names else next(iter(names))
    own = [step for step in strength.steps if step.name == who]
    low, high = min(step.low for step in own), max(step.high for step in own)
    whole = next((step for step in own if (step.low, step.high) == (low, high)), None)
    steps = [step for step in own if step is not whole] or own
    if whole is None:
        return [_on_one_step(step, who) for step in steps]
    average = f", on average over {counted(whole.players, 'player')}" if who is None else f", for {who}"
    if whole.word == "can't tell":
        return [f"Whether searching deeper than {low} is worth anything by depth {high} can't be told{average}."]
    told = f"From depth {low} to {high} a ply is worth {_elo(whole.a_ply)}{average}"
    if whole.plies == 1 or steps == [whole]:
        return [f"{told}."]
    return [f"{told}.", _on_the_end(steps)]


def _on_one_step(step: Step, who: str | None) -> str:
    of = "" if who is None else f" of {who}"
    if step.word == "can't tell":
        return f"Whether depth {step.high}{of} is worth more than depth {step.low} can't be told."
    return f"From depth {step.low} to {step.high} a ply{of} is worth {_elo(step.a_ply)}."


def _on_the_end(steps: list[Step]) -> str:
    """Up to which depth plies are told to pay, and which of the steps before are not."""
    paying = [place for place, step in enumerate(steps) if step.word == "better"]
    if not paying:
        return "Of no single step can it be told that it pays."
    last = paying[-1]
    after = steps[last + 1 :]
    costly = [step for step in steps if step.word == "worse"]
    if after:
        told = (  # an interval would seem to tell what the verdicts do not
            f"Beyond depth {steps[last].high} no ply is told to pay: from {after[0].low} to {after[-1].high} it "
            f"{'costs,' if after == costly else 'is'} {shown_cell(sum(step.gain.elo for step in after), 'elo')} Elo"
        )
    else:
        told = f"The last step, from {steps[last].low} to {steps[last].high}, still pays, {_elo(steps[last].gain)}"
    open_ones = [step for step in steps[:last] if step.word == "can't tell"]
    if open_ones:
        told += f"; whether that {_listed(open_ones)} does can't be told"
    if costly and costly != after:
        told += f"; that {_listed(costly)} costs"
    return f"{told}."


def _listed(steps: list[Step]) -> str:
    return listed([f"from {step.low} to {step.high}" for step in steps], "or")


def _on_alike(evidence: Evidence) -> list[str]:
    """The player that saves most plies against another."""
    if evidence.strength is None or not evidence.strength.alike:
        return []
    one = evidence.strength.alike[0]
    shallow, deep = (evidence.players[key] for key in (one.shallow, one.deep))
    return [
        f"{shallow.name} at {shallow.settings.level} plays like {deep.name} at {deep.settings.level}, within "
        f"{ALIKE:.0f} Elo: {_elo(one.gap)}."
    ]


def _on_prices(results: Results) -> list[str]:
    """Who is rated highest for at most 1 µs, 10 µs, … a move, as far as that differs."""
    evidence, frontier = results.evidence, [one for one in results.prices if one.on_frontier]
    if evidence is None or len(frontier) < 2:
        return []
    told: dict[str, str] = {}  # by the player's key
    for power in range(math.ceil(math.log10(frontier[0].seconds)), math.ceil(math.log10(frontier[-1].seconds)) + 1):
        best = [one for one in frontier if one.seconds <= 10.0**power]
        if best:
            who = evidence.competitor(best[-1].key).text
            told.setdefault(best[-1].key, f"{who} for at most {shown_seconds(10.0**power)}")
    return [f"Rated highest at their price: {', '.join(told.values())} a move."]
