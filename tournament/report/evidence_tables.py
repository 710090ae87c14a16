"""How sure one can be: ratings with intervals, verdicts, and what the first move is worth, from pairs of games.

Only whole pairs are evidence: the same opening with the seats swapped. Where there are too few that anybody won,
nothing is rated, and the table says what is missing.
"""

from __future__ import annotations

from tournament.evidence.pairs import FEWEST_DECISIVE, Pairs
from tournament.evidence.verdicts import verdicts
from tournament.report.pair_tables import shown_player, unrated
from tournament.report.table import Cell, Column, Table
from tournament.store import StoredPlayer

LEVEL = 0.05  # of a verdict's false alarms


def evidence_tables(pairs: Pairs[StoredPlayer], seed: int) -> list[Table]:
    """Ratings, chances, verdicts and the first move's worth, as far as the pairs allow."""
    if not pairs.pairings:
        return [Table("Evidence", (Column("what"),), [], "There are no whole pairs: play `seats: both`.")]
    return [*_ratings(pairs, seed), verdict_table(pairs)]


def _ratings(pairs: Pairs[StoredPlayer], seed: int) -> list[Table]:
    """Every table that needs the fitted model; or one that says what is missing for it."""
    if pairs.decisive < FEWEST_DECISIVE:
        return [unrated("Ratings", pairs.decisive)]
    from tournament.report.rating_tables import rating_tables  # here, since scipy takes a second to import

    return rating_tables(pairs, seed)


def verdict_table(pairs: Pairs[StoredPlayer]) -> Table:
    """For each pairing: better, worse or can't tell."""
    keys = sorted(pairs.pairings, key=lambda pairing: [pairs.players[key].settings.rank for key in pairing])
    rows: list[tuple[Cell, ...]] = []
    found = verdicts([(pairs.pairings[key][0], pairs.pairings[key][1]) for key in keys], LEVEL)
    for key, verdict in zip(keys, found, strict=True):
        one, other = (pairs.players[part] for part in key)
        names = (shown_player(one, pairs), shown_player(other, pairs))
        split = pairs.pairings[key][2]
        rows.append((*names, verdict.better, verdict.worse, split, verdict.adjusted_p, verdict.word))
    columns = (
        *(Column("player"), Column("against")),
        *(Column(name, "count") for name in ("pairs won", "lost", "split")),
        *(Column("p", "p"), Column("the player is")),
    )
    note = (
        "An exact sign test on the pairs that one of the two won; p is adjusted for the number of pairings (Holm), "
        f"and below {LEVEL} decides. Split pairs say nothing about the players."
    )
    return Table("Verdicts", columns, rows, note)
