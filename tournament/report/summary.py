"""What a report says first, in words: who is best, how sure, what the seat was worth; or what a study saved.

Every sentence says what a table says, and no more: where the table can't tell, neither can the sentence.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from tournament.evidence.verdicts import ALPHA
from tournament.report.agreement import Agreement
from tournament.report.competitors import Competitor
from tournament.report.evidence import Evidence, PairingVerdict, RatedGroup
from tournament.report.first_player import Better, FirstPlayer
from tournament.report.like import on_like
from tournament.report.more import more_openings
from tournament.report.openings import sentence_on_promises
from tournament.report.results import Results
from tournament.report.scores import best_first
from tournament.report.strength_words import on_strength
from tournament.report.study import Saving, StudyPart, StudyResults
from tournament.report.table import shown_cell
from tournament.text import counted, listed

MOST_NAMED = 4  # players in one sentence
MOST_GROUPS = 3  # that have a sentence each; over more of them what holds for all, the seat, comes first


def sentences(results: Results | StudyResults) -> list[str]:
    """What a report says first: the same on a terminal, in report.md, on the page and in results.json."""
    return summary(results) if isinstance(results, Results) else study_summary(results)


def summary(results: Results) -> list[str]:
    """Sentences on a tournament: the best, how sure, the seat, and what is missing from it."""
    if not results.scores.overall:
        return [f"No games have been played yet, of {results.planned:,} that are planned."]
    if results.duel is not None:
        return [*results.duel.sentences, *_on_the_seat(results), *_on_what_is_missing(results)]
    best, seat = _on_the_best(results), _on_the_seat(results)
    many = len(_rated(results)) > MOST_GROUPS
    best += [*on_strength(results), *on_like(results.like)]
    return [*(seat + best if many else best + seat), *_on_what_is_missing(results), *_on_more(results)]


# ── who is best ──────────────────────────────────────────────────────────────────────────────────


def _rated(results: Results) -> list[RatedGroup]:
    evidence = results.evidence
    if evidence is None or evidence.ratings is None:
        return []
    return [group for group in evidence.ratings.groups if group.ratings]


def _on_the_best(results: Results) -> list[str]:
    evidence, rated = results.evidence, _rated(results)
    if evidence is not None and rated:
        if len(rated) > MOST_GROUPS:
            return [_on_many_groups(rated, evidence)]
        return [_on_a_group(group, evidence, results) for group in rated]
    scores = results.scores.overall
    ranked = best_first(scores)
    most = scores[ranked[0]].points
    best = [one.text for one in ranked if scores[one].points == most]
    if len(best) > 1:
        who = listed(best) if len(best) <= MOST_NAMED else f"{len(best)} players"
        told = f"{who} scored most, {shown_cell(most, 'points')} {'point' if most == 1 else 'points'} each"
    else:
        told = f"{best[0]} scored most, {shown_cell(most, 'points')} of {counted(scores[ranked[0]].played, 'point')}"
    if evidence is None:
        return [f"{told}; no opening was played in both seats, so that nobody can be told to be better."]
    pairings = _verdicts_in_words(evidence)
    if pairings:
        if len(pairings) > MOST_NAMED:
            pairings = [_verdicts(len(pairings), len(evidence.verdicts))]
        return [f"{told}; {listed(pairings)}, by their own pairs."]
    if evidence.openings < 2:
        return [f"{told}. One opening can't tell whether anybody is better."]
    return [f"{told}, but whether anybody is better can't be told: too few pairs were won by one player."]


def _verdicts_in_words(evidence: Evidence) -> list[str]:
    found = [one.better for one in evidence.verdicts if one.better is not None]
    names = [[evidence.competitor(key).text for key in pairing] for pairing in found]
    return [f"{better} is better than {worse}" for better, worse in names]


def _on_many_groups(rated: list[RatedGroup], evidence: Evidence) -> str:
    """Who is rated highest at which effort, where there are many, and how many pairings are decided."""
    led: dict[str, list[str]] = {}
    for group in rated:
        leader = evidence.players[next(iter(group.ratings))]
        effort = leader.settings.effort
        led.setdefault(leader.name, []).append(effort.text if effort.is_depth else effort.sentence)
    keys = {key for group in rated for key in group.ratings}
    judged = [one for one in evidence.verdicts if one.player in keys]
    decided = sum(one.better is not None for one in judged)
    depths = all(evidence.players[key].settings.effort.is_depth for key in keys)
    leaders = [f"{name} at {_depths(where) if depths else listed(where)}" for name, where in led.items()]
    are = "is" if len(leaders) == 1 else "are"
    return f"Rated highest {are} {'; '.join(leaders)}. {_verdicts(decided, len(judged))}."


def _verdicts(decided: int, judged: int) -> str:
    return f"{decided:,} of {counted(judged, 'pairing')} {'has' if decided == 1 else 'have'} a verdict"


def _depths(where: list[str]) -> str:
    return f"{'depth' if len(where) == 1 else 'depths'} {listed(where)}"


def _on_a_group(group: RatedGroup, evidence: Evidence, results: Results) -> str:
    """Who is rated highest of those who have met, and whom of them it is above for sure."""
    if group.effort is None:
        where = ""
        names = {key: evidence.competitor(key).text for key in group.ratings}
    else:
        where = f"{'At' if group.effort.is_depth else 'Within'} {group.effort.sentence} "
        names = {key: evidence.players[key].name for key in group.ratings}  # their effort is said already
    (leader, rating), *_ = group.ratings.items()
    shown = shown_cell(rating.elo, "elo")
    found = {key: evidence.verdict(leader, key) for key in group.ratings if key != leader}
    judged = {key: one for key, one in found.items() if one is not None}
    above = [key for key, one in judged.items() if one.better == (leader, key)]
    below = [key for key, one in judged.items() if one.better == (key, leader)]
    alike = {key for key, other in group.ratings.items() if shown_cell(other.elo, "elo") == shown}
    tied = [key for key in group.ratings if key in alike.difference(above, below)]
    if len(tied) > 1:
        if len(tied) > MOST_NAMED:  # two numbers beside each other are no sentence
            who = f"{where.strip()}, {len(tied)} players" if where else f"{len(tied)} players"
        else:
            who = f"{where}{listed([names[key] for key in tied])}"
        return f"{who} are rated highest, {shown} Elo each; which of them is best can't be told."
    told = f"{where}{names[leader]} is rated highest, {shown} Elo"
    low, _ = rating.interval
    if above or low <= 0:  # else it would seem to tell what no verdict does
        known = all(map(math.isfinite, rating.interval))
        told += f" (95 % interval {shown_cell(rating.interval, 'elo')})" if known else " (with no interval)"
    open_ones = [key for key in judged if key not in (*above, *below)]
    better = "above" if any(one.by_ratings for one in judged.values()) else "better than"
    if below:  # in their own pairs, though all games together rate it higher
        told += f", though {listed([names[key] for key in below])} {'is' if len(below) == 1 else 'are'} {better} it"
    if not open_ones and len(above) == len(found):
        return f"{told}, and {better} {'everybody else' if len(above) > 1 else names[above[0]]}."
    if not open_ones:
        return f"{told}, and {better} {listed([names[key] for key in above])}." if above else f"{told}."
    enough = _on_enough([judged[key] for key in open_ones], leader, names, results)
    if not above:
        whom = listed([names[key] for key in open_ones], "or") if below else "anybody"
        return f"{told}, but whether it is {better} {whom} can't be told: compared are {_compared(evidence)}{enough}."
    if max(len(above), len(open_ones)) > MOST_NAMED + 1:
        others = f"the {len(found)} others" if len(judged) == len(found) else f"the {len(judged)} that it has met"
        return f"{told}: {better} {len(above)} of {others}; of {len(open_ones)} it can't be told{enough}."
    return (
        f"{told}: {better} {listed([names[key] for key in above])}; whether also {better} "
        f"{listed([names[key] for key in open_ones], 'or')} can't be told{enough}."
    )


def _compared(evidence: Evidence) -> str:
    """Why an interval of one player decides nothing."""
    pairings = len(evidence.verdicts)
    return f"{pairings:,} pairings at once" if pairings > 1 else "the pairs of the two alone"


def _on_enough(open_ones: list[PairingVerdict], leader: str, names: dict[str, str], results: Results) -> str:
    """How many openings would tell the leader from the one that takes the fewest."""
    known = [(one.openings_enough, one) for one in open_ones if one.openings_enough is not None]
    if not known:
        return ""
    openings, one = min(known, key=lambda each: each[0])
    if more_openings(results, openings) is None:
        return ""
    other = names[one.other if one.player == leader else one.player]
    return f"; some {openings:,} openings would tell it from {other}, if they differ as they seem to"


# ── the seat ─────────────────────────────────────────────────────────────────────────────────────


def _on_the_seat(results: Results) -> list[str]:
    found = results.first_player
    if found is None or not found.can_be_said:
        return []
    empty = found.when_empty
    if found.openings < 2:
        told = [_on_one_opening(found)]
    else:
        promise = sentence_on_promises(found, results.truths)
        told = [_on_all_games(found), *([promise] if promise else []), *_on_depths(found), *_on_players(found)]
    if empty is not None:
        scored = shown_cell(empty.overall.score, "percent")
        told.append(
            f"From the empty board, which is one opening, whoever moved first scored {scored} of "
            f"{counted(empty.overall.games, 'game')}."
        )
    return told


def _on_one_opening(found: FirstPlayer) -> str:
    """A count, which is all that one opening allows; which one it is, where the empty board was played beside it."""
    seats = found.overall
    (opening,) = seats.by_opening
    where = f" from opening {opening}" if found.when_empty is not None else " from the opening" if found.is_odd else ""
    return (
        f"Whoever moved first{where} won {seats.first_won:,}, drew {seats.drawn:,} and lost {seats.second_won:,} of "
        f"{counted(seats.games, 'game')}. One opening can't tell whether that is the seat."
    )


def _on_all_games(found: FirstPlayer) -> str:
    seats, interval = found.overall, found.overall.interval
    first = "moved first from the opening" if found.is_odd else "moved first"
    scored = (
        f"Whoever {first} scored {shown_cell(seats.score, 'percent')} of {seats.games:,} games "
        f"(95 % interval {shown_cell(interval, 'interval')}, over {found.openings:,} openings)"
    )
    if found.word == "can't tell":
        return f"{scored}: whether moving first was worth anything can't be told."
    return f"{scored}: moving {found.word} was an advantage."


def _on_depths(found: FirstPlayer) -> list[str]:
    """How what moving first is worth changes with depth."""
    if found.slope is None:
        return []
    (low, first), *_, (high, last) = found.by_depth.items()
    scored = [shown_cell(seats.score, "percent") for seats in (first, last)]
    between = f"from {scored[0]} at depth {low} to {scored[1]} at depth {high}"
    size, p = found.slope
    if p > ALPHA:
        told = f"That it changes steadily with depth, {between}, can't be told ({_p(p)})"
    else:
        way = "grew" if size > 0 else "fell"
        told = f"It {way} by {abs(100 * size):.1f} % of the points a ply, {between} ({_p(p)})"
    if found.odd is not None and found.odd.p <= ALPHA:
        more = "more" if found.odd.size > 0 else "less"
        by = f"{abs(100 * found.odd.size):.1f} % of the points"
        told += f"; odd depths gave it {by} {more} than even ones ({_p(found.odd.p)})"
    return [f"{told}."]


def _p(p: float) -> str:
    return f"p = {p:.2g}" if p >= 0.0001 else "p < 0.0001"


def _on_players(found: FirstPlayer) -> list[str]:
    """In whose games the seat was an advantage."""
    if not found.by_player:
        return []
    told = []
    words: tuple[Better, Better] = ("first", "second")
    for word in words:
        own = sorted(
            (one for one, said in found.by_player.items() if said == word),
            key=lambda one: -abs(found.seats.by_player[one].score - 0.5),
        )
        if own:
            told.append(f"moving {word} was an advantage in the games of {_scored(own, found)}")
    rest = [one.text for one, said in found.by_player.items() if said == "can't tell"]
    if not told and not found.by_depth:
        return []
    if not told:
        ranked = sorted(found.by_player, key=lambda one: -found.seats.by_player[one].score)
        most, *_, least = (_scored([one], found) for one in ranked)
        judged = f"with {len(ranked)} players judged at once it is resolved in nobody's"
        return [f"It scored most in the games of {most}, least in those of {least}; {judged}."]
    whose = listed(rest) if len(rest) <= MOST_NAMED else f"the other {len(rest)}"
    left = f"; in those of {whose} it can't be told" if rest else ""
    sentence = " and ".join(told)
    return [f"{sentence[0].upper()}{sentence[1:]}{left}."]


def _scored(own: list[Competitor], found: FirstPlayer) -> str:
    if len(own) > MOST_NAMED:
        return f"{len(own)} players"
    return listed([f"{one.text} ({shown_cell(found.seats.by_player[one].score, 'percent')})" for one in own])


def _on_more(results: Results) -> list[str]:
    """What to add to the config where nothing could be told of anybody, or not of who is rated highest."""
    evidence, leaders = results.evidence, {next(iter(group.ratings)) for group in _rated(results)}
    wanted: int | None = 2 if evidence is None else evidence.openings + 1
    if evidence is not None:
        still_open = [one for one in evidence.verdicts if one.better is None and {one.player, one.other} & leaders]
        enough = [one.openings_enough for one in still_open if one.openings_enough is not None]
        if enough:
            wanted = min(enough)
        elif any(one.better for one in evidence.verdicts) or (leaders and evidence.openings > 1):
            wanted = None  # all that can be told is, or those who are open seem to be equals
    more = more_openings(results, wanted) if wanted is not None else None
    return [] if more is None else [f"To tell more: {more}."]


def _on_what_is_missing(results: Results) -> list[str]:
    told = []
    if results.duel is None and results.played + results.withdrawn < results.planned:
        told.append(f"Only {results.played:,} of {results.planned:,} planned games have been played.")
    told += _on_damage(results.damaged, "game", "plays")
    if results.forfeits:
        names = sorted({fault.player.name for fault in results.faults})
        who = listed(names) if len(names) <= MOST_NAMED else "several players"
        games = "1 game was" if results.forfeits == 1 else f"{results.forfeits:,} games were"
        told.append(f"{games} forfeited, by {who}.")
    return told


def _on_damage(damaged: Sequence[str], kind: str, again: str) -> list[str]:
    if not damaged:
        return []
    is_, it = ("is", "it") if len(damaged) == 1 else ("are", "them")
    return [
        f"{counted(len(damaged), kind)} {is_} damaged in the store, and not counted: the next run {again} {it} again."
    ]


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
        told.append(f"{counted(failed, 'search')} failed: see Faults.")
    if len(results.found) < results.planned:
        told.append(f"Only {len(results.found):,} of {results.planned:,} planned searches are done.")
    told += _on_damage(results.damaged, "search", "makes")
    return told or [f"{counted(len(results.found), 'search')} by one algorithm, and nothing to compare with."]


def _on_savings(part: StudyPart) -> list[str]:
    """What was saved at most at the greatest depth, and who was fastest; nothing where no two have searched at one."""
    if not part.savings:
        return []
    if part.boards:
        return _on_savings_by_board(part)
    first = part.first
    depth = max(saving.depth for saving in part.savings)
    at_depth = [saving for saving in part.savings if saving.depth == depth]
    deep = {saving: saving.share for saving in at_depth if saving.share is not None}
    if not deep:
        return [f"what was saved against {first} can't be told."]
    best, share = max(deep.items(), key=lambda item: item[1])
    fastest = _on_the_fastest(at_depth, first)
    if share <= 0:
        slower = fastest(None)
        return [f"At depth {depth} no algorithm generated fewer positions than {first}{slower}."]
    saved, fewer = shown_cell(share, "percent"), shown_cell(best.fewer_generated, "ratio")
    most = "the most, " if len(deep) > 1 else ""
    told = f"At depth {depth} {best.algorithm} saved {most}{saved} of the positions that {first} generates"
    return [f"{told} ({fewer} times fewer){fastest(best)}."]


def _on_savings_by_board(part: StudyPart) -> list[str]:
    """Where most and where least was saved, each by the best algorithm at the greatest depth of the board."""
    best: list[tuple[float, str]] = []
    for board, own in part.boards.items():
        depth = max((saving.depth for saving in own.savings), default=None)
        found = [saving for saving in own.savings if saving.depth == depth and saving.share is not None]
        if found:
            one = max(found, key=lambda saving: saving.share or 0.0)
            share = one.share or 0.0
            best.append((share, f"{shown_cell(share, 'percent')} on {board} ({one.algorithm}, depth {depth})"))
    if not best:
        return [f"what was saved against {part.first} can't be told."]
    least, most = min(best)[1], max(best)[1]
    return [f"Of the positions that {part.first} generates a board's best algorithm saved from {least} to {most}."]


def _on_the_fastest(savings: list[Saving], first: str) -> Callable[[Saving | None], str]:
    """How a sentence on the one that saved most goes on: with the fastest, who may be another."""
    timed = {saving: saving.speed_up for saving in savings if saving.speed_up is not None}
    fastest, speed_up = max(timed.items(), key=lambda item: item[1], default=(None, 0.0))

    def goes_on(best: Saving | None) -> str:
        if fastest is None or (best is None and speed_up <= 1):
            return ""
        times = f"{shown_cell(speed_up, 'ratio')} times as fast"
        if best is fastest:
            return f"; it was {times}"
        if speed_up <= 1:
            return f"; none was faster than {first}"
        return f"; {fastest.algorithm} was the fastest, {times} as {first}"

    return goes_on


def _on_agreement(part: StudyPart) -> str:
    if part.agreement.differences:
        return f"The algorithms disagree: {on_differences(part.agreement)}"
    every = "Both" if len(part.algorithms) == 2 else f"All {len(part.algorithms)}"
    return f"{every} algorithms found {on_what_agrees(part.agreement)}."


def on_what_agrees(agreement: Agreement) -> str:
    """What algorithms that agree have found alike, and where."""
    positions = agreement.positions
    where = "the one position" if positions == 1 else f"all {positions:,} positions"
    if agreement.repeated:
        where += f", counted {listed([f'{name} by {name}' for name in agreement.repeated])}"
    if not agreement.other_moves:
        return f"the same value and the same move on {where}"
    return (
        f"the same value on {where}; on {agreement.other_moves:,} of them another order of moves chose another move "
        "of that value"
    )


def on_differences(agreement: Agreement) -> str:
    """How many answers differ, and what that means."""
    count = len(agreement.differences)
    differ = f"{counted(count, 'answer')} {'differs' if count == 1 else 'differ'}."
    return f"{differ} One of the algorithms is wrong, or the evaluator is not a function."
