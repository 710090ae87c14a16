"""Players with a book beside the same players without it: what it scored, and what it saved."""

from __future__ import annotations

from collections.abc import Iterator

from tournament.report.competitors import Level
from tournament.report.results import Results
from tournament.report.scores import Score
from tournament.report.table import Cell, Column, Name, Table
from tournament.store import StoredPlayer


def book_tables(results: Results) -> list[Table]:
    """A row each for those with a book and their likes without; nothing where nobody has one."""
    rows: list[tuple[Cell, ...]] = []
    for player in results.players.values():
        if player.has_book:
            for one in (*_without_book(player, results), player):
                rows.append(_row(one, results))
    if not rows:
        return []
    columns = (
        *(Column("depth"), Column("player"), Column("book")),
        *(Column("points", "points"), Column("of", "count"), Column("scored", "percent")),
        *(Column("moves", "count"), Column("generated", "count"), Column("CPU seconds", "seconds")),
        Column("generated per game", "ratio"),
    )
    note = (
        "With a book a player searches nothing while the position is in it, and plays the first move in its order that "
        "keeps the value; moves from the book count as moves that have generated nothing."
    )
    return [Table("With and without the book", columns, rows, note)]


def _without_book(player: StoredPlayer, results: Results) -> Iterator[StoredPlayer]:
    """Players that differ in nothing but the book."""
    for other in results.players.values():
        same = (other.evaluator, other.source_hash, other.settings) == (
            player.evaluator,
            player.source_hash,
            player.settings,
        )
        if same and not other.has_book and not other.is_agent:
            yield other


def _row(player: StoredPlayer, results: Results) -> tuple[Cell, ...]:
    score, cost = _score(player, results), results.cost.get(player.key)
    share = score.points / score.played if score.played else None
    spent = (None, None, None) if cost is None else (cost.moves, cost.generated, cost.cpu_seconds)
    games = cost.generated / score.played if cost is not None and score.played else None
    what = "with" if player.has_book else "without"
    name = Name(player.name, player.name)
    return (player.settings.effort.text, name, what, score.points, score.played, share, *spent, games)


def _score(player: StoredPlayer, results: Results) -> Score:
    """What it scored with these settings, against whomever."""
    effort, total = player.settings.effort, Score()
    own_level = Level((effort,))
    by_level = results.scores.by_level or {own_level: results.scores.overall}  # a pool has none
    for level, scores in by_level.items():
        for one, score in scores.items():
            if one.name == player.name and (one.effort == effort or (one.effort is None and level == own_level)):
                total.won, total.drawn, total.lost = (
                    total.won + score.won,
                    total.drawn + score.drawn,
                    total.lost + score.lost,
                )
    return total
