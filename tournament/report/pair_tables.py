"""What the tables of pairs share: how a player is called, and what stands in place of ratings."""

from __future__ import annotations

from tournament.evidence.pairs import FEWEST_DECISIVE, Pairs
from tournament.report.table import Column, Table
from tournament.store import StoredPlayer


def shown_player(player: StoredPlayer, pairs: Pairs[StoredPlayer]) -> str:
    """The player's name, with its depth or budget where there are several."""
    limits = {other.settings.limit for other in pairs.players.values()}
    return player.name if len(limits) == 1 else f"{player.name} ({player.settings.limit})"


def unrated(title: str, decisive: int) -> Table:
    """What stands in place of ratings where there is too little to rate anybody by."""
    note = (
        f"No ratings: one player won {decisive} of the pairs, and {FEWEST_DECISIVE} such pairs are needed. "
        "Play more openings, as in `openings: {plies: 2}`."
    )
    return Table(title, (Column("player"),), [], note)
