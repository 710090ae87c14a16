"""What a report says first, in words: who is best, how sure, what the seat was worth; or what a study saved.

Every sentence says what a table says, and no more: where the table can't tell, neither can the sentence.
"""

from __future__ import annotations

import math

from tournament.report.agreement import Agreement
from tournament.report.evidence import Evidence, FirstMove, RatedGroup
from tournament.report.results import Results
from tournament.report.scores import best_first
from tournament.report.study import StudyPart, StudyResults
from tournament.report.table import shown_cell

MOST_NAMED = 4  # players in one sentence


def summary(results: Results) -> list[str]:
    """Sentences on a tournament: the best, how sure, the seat, and what is missing from it."""
    if not results.scores.overall:
        return [f"No games have been played yet, of {results.planned:,} that are planned."]
    on_the_best = _on_the_best(results) if results.duel is None else results.duel.sentences
    return [*on_the_best, *_on_the_seat(results), *_on_what_is_missing(results)]


def _on_the_best(results: Results) -> list[str]:
    evidence = results.evidence
    if evidence is not None and evidence.ratings is not None:
        rated = [group for group in evidence.ratings.groups if group.ratings]
        if rated:
            return [_on_a_group(group, evidence) for group in rated]
    scores = results.scores.overall
    ranked = best_first(scores)
    most = scores[ranked[0]].points
    best = [one.text for one in ranked if scores[one].points == most]
    if len(best) > MOST_NAMED:
        told = f"{len(best)} players scored most, {most:g} points each"
    elif len(best) > 1:
        told = f"{_listed(best)} scored most, {most:g} points each"
    else:
        told = f"{best[0]} scored most, {most:g} of {scores[ranked[0]].played:,} points"
    pairings = _verdicts_in_words(evidence) if evidence is not None else []
    if pairings:
        if len(pairings) > MOST_NAMED:
            pairings = [f"{len(pairings)} pairings have a verdict"]
        return [f"{told}; {_listed(pairings)}, by the pairs that one of the two won."]
    return [f"{told}, but whether anybody is better can't be told: too few pairs were won by one player."]


def _verdicts_in_words(evidence: Evidence) -> list[str]:
    found = [one.better for one in evidence.verdicts if one.better is not None]
    names = [[evidence.competitor(key).text for key in pairing] for pairing in found]
    return [f"{better} is better than {worse}" for better, worse in names]


def _on_a_group(group: RatedGroup, evidence: Evidence) -> str:
    """Who is rated highest of those who have met, and whom of them it beats for sure."""
    if group.effort is None:
        where = ""
        names = {key: evidence.competitor(key).text for key in group.ratings}
    else:
        where = f"{'At' if group.effort.is_depth else 'Within'} {group.effort.sentence} "
        names = {key: evidence.players[key].name for key in group.ratings}  # their effort is said already
    (leader, rating), *_ = group.ratings.items()
    shown = shown_cell(rating.elo, "elo")
    tied = [names[key] for key, other in group.ratings.items() if shown_cell(other.elo, "elo") == shown]
    if len(tied) > 1:
        who = _listed(tied) if len(tied) <= MOST_NAMED else f"{len(tied)} players"
        return f"{where}{who} are rated highest, {shown} Elo each; which of them is best can't be told."
    known = all(map(math.isfinite, rating.interval))
    sure = f"95 % interval {shown_cell(rating.interval, 'elo')}" if known else "with no interval"
    told = f"{where}{names[leader]} is rated highest, {shown} Elo ({sure})"
    better = {one.better for one in evidence.verdicts}
    others = [key for key in group.ratings if key != leader]
    beaten = [names[key] for key in others if (leader, key) in better]
    open_ones = [names[key] for key in others if (leader, key) not in better]
    if not beaten:
        return f"{told}, but whether it is better than anybody can't be told."
    if not open_ones:
        return f"{told}, and better than {'everybody else' if len(others) > 1 else beaten[0]}."
    if max(len(beaten), len(open_ones)) > MOST_NAMED + 1:
        return f"{told}: better than {len(beaten)} of the {len(others)} others; of the rest it can't be told."
    return f"{told}: better than {_listed(beaten)}; whether also than {_listed(open_ones, 'or')} can't be told."


def _on_the_seat(results: Results) -> list[str]:
    seats = results.seats.overall
    if not seats.games:
        return []
    scored = shown_cell(seats.score, "percent")
    told = f"Whoever moved first scored {scored} of {seats.games:,} {'game' if seats.games == 1 else 'games'}"
    if results.evidence is not None and results.evidence.ratings is not None:
        return [f"{told}. {on_the_first_move(results.evidence.ratings.first_move)}"]
    told += f" (95 % interval {shown_cell(seats.interval, 'interval')})"
    low, high = seats.interval
    if low > 0.5:
        return [f"{told}: moving first was an advantage."]
    if high < 0.5:
        return [f"{told}: moving second was an advantage."]
    return [f"{told}: whether the seat was worth anything can't be told."]


def on_the_first_move(first_move: FirstMove) -> str:
    """What the fitted model says of the first move; how it changes with depth where all games were played at one."""
    elo, (low, high) = first_move.overall
    if low > 0 or high < 0:
        told = f"Moving {'first' if elo > 0 else 'second'} was worth {abs(elo):.0f} Elo over all games"
    else:
        told = "Whether moving first is worth anything can't be told from these games"
    if first_move.slope is None:
        return f"{told}."
    slope, p = first_move.slope
    if p > 0.05:
        return f"{told}; a change with depth is not resolved ({slope:+.1f} Elo a ply, p = {p:.2g})."
    return f"{told}; it {'grows' if slope > 0 else 'shrinks'} by {abs(slope):.1f} Elo a ply of depth (p = {p:.2g})."


def _on_what_is_missing(results: Results) -> list[str]:
    told = []
    if results.duel is None and results.played + results.withdrawn < results.planned:
        told.append(f"Only {results.played:,} of {results.planned:,} planned games have been played.")
    if results.forfeits:
        names = sorted({fault.player.name for fault in results.faults})
        who = _listed(names) if len(names) <= MOST_NAMED else "several players"
        games = "1 game was" if results.forfeits == 1 else f"{results.forfeits:,} games were"
        told.append(f"{games} forfeited, by {who}.")
    return told


# ── studies ──────────────────────────────────────────────────────────────────────────────────────


def study_summary(results: StudyResults) -> list[str]:
    """Sentences on a study: what pruning saved, whether all algorithms agreed, and what is missing from it."""
    told: list[str] = []
    for part in results.parts:
        if len(part.algorithms) > 1:
            prefix = f"{part.title}: " if part.title else ""
            told += [prefix + sentence for sentence in (*_on_savings(part), _on_agreement(part))]
    failed = sum(one.fault is not None for one in results.found)
    if failed:
        told.append(f"{failed:,} {'search' if failed == 1 else 'searches'} failed: see Faults.")
    if len(results.found) < results.planned:
        told.append(f"Only {len(results.found):,} of {results.planned:,} planned searches are done.")
    return told or [f"{len(results.found):,} searches by one algorithm: there is nothing to compare them with."]


def _on_savings(part: StudyPart) -> list[str]:
    """What the best of the algorithms saved at the greatest depth; nothing where no two have searched at one."""
    if not part.savings:
        return []
    first = part.first
    depth = max(saving.depth for saving in part.savings)
    deep = {saving: saving.share for saving in part.savings if saving.depth == depth and saving.share is not None}
    if not deep:
        return [f"what was saved against {first} can't be told."]
    best, share = max(deep.items(), key=lambda item: item[1])
    if share <= 0:
        return [f"At depth {depth} no algorithm generated fewer positions than {first}."]
    saved, fewer = shown_cell(share, "percent"), shown_cell(best.fewer_generated, "ratio")
    most = "the most, " if len(deep) > 1 else ""
    told = f"At depth {depth} {best.algorithm} saved {most}{saved} of the positions that {first} generates"
    faster = "" if best.speed_up is None else f"; it was {shown_cell(best.speed_up, 'ratio')} times as fast"
    return [f"{told} ({fewer} times fewer){faster}."]


def _on_agreement(part: StudyPart) -> str:
    if part.agreement.differences:
        return f"The algorithms disagree: {on_differences(part.agreement)}"
    positions = part.agreement.positions
    where = "the one position" if positions == 1 else f"all {positions:,} positions"
    return f"All {len(part.algorithms)} algorithms found the same value and the same move on {where}."


def on_differences(agreement: Agreement) -> str:
    """How many answers differ, and what that means."""
    differ = f"{len(agreement.differences):,} answers differ."
    return f"{differ} One of the algorithms is wrong, or the evaluator is not a function."


def _listed(names: list[str], word: str = "and") -> str:
    """`a`, `a and b`, `a, b and c`."""
    return f" {word} ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)
