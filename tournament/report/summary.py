"""What a report says first, in words: who is best, how sure, what the seat was worth; or what a study saved.

Every sentence says what a table says, and no more: where the table can't tell, neither can the sentence.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

from tournament.report.results import ALL, Results
from tournament.report.study import StudyResults
from tournament.report.table import Cell, Table, shown_cell

MOST_NAMED = 4  # players in one sentence


def summary(results: Results) -> list[str]:
    """Sentences on a tournament: the best, how sure, the seat, and what is missing from it."""
    if not results.standings:
        return [f"No games have been played yet, of {results.planned:,} that are planned."]
    return [*_on_the_best(results), *_on_the_seat(results), *_on_what_is_missing(results)]


def _on_the_best(results: Results) -> list[str]:
    better = _better(results.tables)
    rated = [table for table in results.tables if table.title.startswith("Ratings") and table.rows]
    if rated:
        return [_on_a_rating(table, better) for table in rated]
    scores = results.standings[ALL]
    most = max(score.points for score in scores.values())
    best = sorted(name for name, score in scores.items() if score.points == most)
    played = scores[best[0]].played
    if len(best) > MOST_NAMED:
        told = f"{len(best)} players scored most, {most:g} points each"
    elif len(best) > 1:
        told = f"{_listed(best)} scored most, {most:g} points each"
    else:
        told = f"{best[0]} scored most, {most:g} of {played:,} points"
    if better:
        pairings = [f"{one} is better than {other}" for one, other in better]
        if len(pairings) > MOST_NAMED:
            pairings = [f"{len(pairings)} pairings have a verdict"]
        return [f"{told}; {_listed(pairings)}, by the pairs that one of the two won."]
    return [f"{told}, but whether anybody is better can't be told: too few pairs were won by one player."]


def _on_a_rating(table: Table, better: list[tuple[str, str]]) -> str:
    level = table.title.removeprefix("Ratings").removeprefix(", ")
    where = f"At {level} " if level.startswith("depth") else f"Within {level} " if level else ""
    own = f" ({level.removeprefix('depth ')})"  # said already
    (leader, elo, interval), *others = table.rows
    shown = shown_cell(elo, "elo")
    tied = [str(row[0]).removesuffix(own) for row in table.rows if shown_cell(row[1], "elo") == shown]
    if len(tied) > 1:
        who = _listed(tied) if len(tied) <= MOST_NAMED else f"{len(tied)} players"
        return f"{where}{who} are rated highest, {shown} Elo each; which of them is best can't be told."
    assert isinstance(interval, tuple)
    sure = f"95 % interval {shown_cell(interval, 'elo')}" if all(map(math.isfinite, interval)) else "with no interval"
    told = f"{where}{str(leader).removesuffix(own)} is rated highest, {shown} Elo ({sure})"
    names = [str(row[0]) for row in others]
    beaten = [name.removesuffix(own) for name in names if (leader, name) in better]
    if not beaten:
        return f"{told}, but whether it is better than anybody can't be told."
    if len(beaten) == len(names):
        return f"{told}, and better than {'everybody else' if len(names) > 1 else beaten[0]}."
    open_ones = [name.removesuffix(own) for name in names if (leader, name) not in better]
    if max(len(beaten), len(open_ones)) > MOST_NAMED + 1:
        return f"{told}: better than {len(beaten)} of the {len(names)} others; of the rest it can't be told."
    return f"{told}: better than {_listed(beaten)}; whether also than {_listed(open_ones, 'or')} can't be told."


def _better(tables: Iterable[Table]) -> list[tuple[str, str]]:
    """Who is better than whom, of the pairings that have a verdict."""
    found = []
    for table in tables:
        if table.title == "Verdicts":
            for one, other, *_, word in table.rows:
                if word == "better":
                    found.append((str(one), str(other)))
                elif word == "worse":
                    found.append((str(other), str(one)))
    return found


def _on_the_seat(results: Results) -> list[str]:
    rows = [table for table in results.tables if table.title == "First-player advantage"]
    if not rows or ALL not in results.seats_by_depth:
        return []
    row = rows[0].rows[len(results.seats_by_depth) - 1]
    cells = dict(zip((column.name for column in rows[0].columns), row, strict=True))
    score, interval = cells["first scored"], cells["95 % interval"]
    games = results.seats_by_depth[ALL].games
    shown = shown_cell(score, "percent"), shown_cell(interval, "interval")
    told = f"Whoever moved first scored {shown[0]} of {games:,} {'game' if games == 1 else 'games'}"
    fitted = [table.note for table in results.tables if table.title == "First move, fitted"]
    if fitted:
        return [f"{told}. {fitted[0]}"]
    assert isinstance(interval, tuple)
    low, high = interval
    if low > 0.5:
        return [f"{told} (95 % interval {shown[1]}): moving first was an advantage."]
    if high < 0.5:
        return [f"{told} (95 % interval {shown[1]}): moving second was an advantage."]
    return [f"{told} (95 % interval {shown[1]}): whether the seat was worth anything can't be told."]


def _on_what_is_missing(results: Results) -> list[str]:
    told = []
    if results.played + results.withdrawn < results.planned:
        told.append(f"Only {results.played:,} of {results.planned:,} planned games have been played.")
    if results.forfeits:
        names = sorted({name for name, _, _ in results.faults})
        who = _listed(names) if len(names) <= MOST_NAMED else "several players"
        games = "1 game" if results.forfeits == 1 else f"{results.forfeits:,} games"
        told.append(f"{games} were forfeited, by {who}.".replace("1 game were", "1 game was"))
    return told


# ── studies ──────────────────────────────────────────────────────────────────────────────────────


def study_summary(results: StudyResults) -> list[str]:
    """Sentences on a study: what pruning saved, whether all algorithms agreed, and what is missing from it."""
    told: list[str] = []
    for table in results.tables:
        part, _, title = table.title.rpartition(": ")
        prefix = f"{part}: " if part else ""
        if title.startswith("What is saved against") and table.rows:
            told.append(prefix + _on_savings(table, title))
        elif title == "Agreement":
            told.append(prefix + _on_agreement(table))
    failed = sum(one.fault is not None for one in results.found)
    if failed:
        told.append(f"{failed:,} {'search' if failed == 1 else 'searches'} failed: see Faults.")
    if len(results.found) < results.planned:
        told.append(f"Only {len(results.found):,} of {results.planned:,} planned searches are done.")
    return told or [f"{len(results.found):,} searches by one algorithm: there is nothing to compare them with."]


def _on_savings(table: Table, title: str) -> str:
    """What the best of the algorithms saved at the greatest depth."""
    first = title.removeprefix("What is saved against ")
    rows = [dict(zip((column.name for column in table.columns), row, strict=True)) for row in table.rows]
    deepest = max(_number(row["depth"]) for row in rows)
    deep = [row for row in rows if row["depth"] == deepest and isinstance(row["reduction"], float)]
    if not deep:
        return f"what was saved against {first} can't be told."
    best = max(deep, key=lambda row: _number(row["reduction"]))
    if _number(best["reduction"]) <= 0:
        return f"At depth {deepest:g} no algorithm generated fewer positions than {first}."
    saved, fewer = shown_cell(best["reduction"], "percent"), shown_cell(best["times fewer generated"], "ratio")
    most = "the most, " if len(deep) > 1 else ""
    told = f"At depth {deepest:g} {best['algorithm']} saved {most}{saved} of the positions that {first} generates"
    faster = "" if best["speed-up"] is None else f"; it was {shown_cell(best['speed-up'], 'ratio')} times as fast"
    return f"{told} ({fewer} times fewer){faster}."


def _on_agreement(table: Table) -> str:
    if [column.name for column in table.columns][-1] != "answers that differ":
        return f"The algorithms disagree: {table.note[:1].lower()}{table.note[1:]}"
    positions, algorithms, _ = table.rows[0]
    where = "the one position" if positions == 1 else f"all {shown_cell(positions, 'count')} positions"
    return f"All {algorithms} algorithms found the same value and the same move on {where}."


def _number(cell: Cell) -> float:
    assert isinstance(cell, int | float)
    return cell


def _listed(names: list[str], word: str = "and") -> str:
    """`a`, `a and b`, `a, b and c`."""
    return f" {word} ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)
