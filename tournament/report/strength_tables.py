"""The tables of a pool: what each player's moves cost and how strong they are, and what a ply is worth."""

from __future__ import annotations

from tournament.report.evidence import Evidence, Step
from tournament.report.results import Results
from tournament.report.strength import ALIKE
from tournament.report.table import Cell, Column, Name, Table

ALL = "all on average"
WORDS = {"better": "pays", "worse": "costs", "can't tell": "can't tell"}


def strength_tables(results: Results) -> list[Table]:
    """What a millisecond and a ply buy, where players of all efforts meet."""
    evidence = results.evidence
    if evidence is None or not results.prices:
        return []
    return [_prices_table(results, evidence), *_steps_tables(evidence), *_alike_tables(evidence)]


def _named(key: str, evidence: Evidence) -> Name:
    competitor = evidence.competitor(key)
    return Name(competitor.text, competitor.name)


def _prices_table(results: Results, evidence: Evidence) -> Table:
    rows: list[tuple[Cell, ...]] = []
    for one in results.prices:
        less = "frontier" if one.as_good is None else _named(one.as_good, evidence)
        rows.append((_named(one.key, evidence), one.seconds, one.generated, one.rating.elo, one.rating.interval, less))
    columns = (
        Column("player"),
        *(Column("CPU ms", "millis", group="a move"), Column("nodes", "ratio", group="a move")),
        *(Column("Elo", "elo"), Column("95 % interval", "elo"), Column("as good for less")),
    )
    note = (
        "From cheap to dear. On the frontier is whoever is rated above everybody cheaper; beside the others stands the "
        "cheapest player that is rated as high for less. That is by rating: who is above whom for sure is said by "
        "Verdicts."
    )
    return Table("Elo and price", columns, rows, note)


def _steps_tables(evidence: Evidence) -> list[Table]:
    if evidence.strength is None or not evidence.strength.steps:
        return []
    several = any(step.name is None for step in evidence.strength.steps)
    rows = [_step_row(step) for step in evidence.strength.steps]
    columns = (
        *(Column("player"), Column("from depth", "count"), Column("to", "count")),
        *(Column("Elo", "elo"), Column("95 % interval", "elo"), Column("a ply", "elo")),
        *(Column("p, adj.", "p"), Column("verdict")),
    )
    note = (
        "How much higher the deeper search is rated. Pays, costs or can't tell is decided as, and together with, all "
        "verdicts of the report; an interval is of its row alone."
    )
    if several:
        note += " On average: over the players that play at both depths."
    return [Table("What a ply is worth", columns, rows, note)]


def _step_row(step: Step) -> tuple[Cell, ...]:
    who: Cell = ALL if step.name is None else Name(step.name, step.name)
    return (
        *(who, step.low, step.high, step.gain.elo, step.gain.interval, step.a_ply.elo, step.p),
        WORDS[step.word],
    )


def _alike_tables(evidence: Evidence) -> list[Table]:
    if evidence.strength is None or not evidence.strength.alike:
        return []
    rows: list[tuple[Cell, ...]] = [
        (_named(one.shallow, evidence), _named(one.deep, evidence), one.plies, one.gap.elo, one.gap.interval)
        for one in evidence.strength.alike
    ]
    columns = (
        *(Column("player"), Column("plays like"), Column("plies less", "count")),
        *(Column("Elo apart", "elo"), Column("95 % interval", "elo")),
    )
    note = (
        "Players that search less and are no further than "
        f"{ALIKE:.0f} Elo from one that searches more: the whole 95 % interval of the two is within that."
    )
    return [Table("Who plays like whom", columns, rows, note)]
