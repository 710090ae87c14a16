"""The table of players compared like with like: what is equal stands side by side."""

from __future__ import annotations

from tournament.report.like import EQUAL, Equal, LikeWithLike
from tournament.report.table import Cell, Column, Name, Table


def like_tables(found: LikeWithLike | None) -> list[Table]:
    """Every two players at each effort of both, in one table."""
    if found is None:
        return []
    rows: list[tuple[Cell, ...]] = []
    for (one, other), own in found.pairs.items():
        cells = [cell for effort in found.efforts for cell in _cells(own.get(effort))]
        rows.append((Name(one, one), Name(other, other), *cells))
    columns = [Column("player"), Column("against")]
    for effort in found.efforts:
        where = effort.sentence
        columns += [Column(f"scored at {where}", "percent"), Column(f"95 % at {where}", "interval")]
        columns.append(Column(f"verdict at {where}"))
    kinds = list(dict.fromkeys(f"equal {EQUAL[effort.kind]}" for effort in found.efforts))
    timed = any(effort.kind == "seconds" for effort in found.efforts)
    note = (
        f"The same two players at {', '.join(kinds)}. Scored: the share of the points against the other over pairs of "
        "openings, with an interval of its cell alone; the verdict is that of the table Verdicts."
    )
    if timed:
        note += " Time is what a move was allowed: what it took is in Cost per move."
    return [Table("Compared like with like", tuple(columns), rows, note)]


def _cells(one: Equal | None) -> tuple[Cell, ...]:
    return (None, None, None) if one is None else (one.score, one.interval, _word(one))


def _word(one: Equal) -> str:
    if not one.better:
        return "can't tell"
    words = ("above", "below") if one.verdict.by_ratings else ("better", "worse")
    return words[one.better < 0]
