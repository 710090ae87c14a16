from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def command(
    folder: Annotated[Path, typer.Argument(help="The folder of a tournament.")],
    game: Annotated[str, typer.Argument(help="A game's id, or the beginning of it, as in games.csv.")],
) -> None:
    """Replay a game move by move, with what each search saw and took."""
    from rich.columns import Columns
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    from tournament.cli.board import drawn
    from tournament.engine.result import COUNTERS
    from tournament.engine.values import shown_score
    from tournament.games.connect4 import DISC, Position, column_digit, play_moves
    from tournament.store import Store
    from tournament.text import in_plies

    with Store(folder) as store:
        stored, moves = store.game(game)
        rules = store.last_run().rules
    console = Console()
    players = {"first": stored.first, "second": stored.second}
    for seat, player in players.items():
        how = "ConnectX agent" if player.is_agent else player.settings.level
        console.print(f"{DISC[seat]}  {player.name}, {how}", markup=False)
    position = play_moves(Position(rules), stored.opening)
    if stored.opening:
        console.print(f"opening {stored.opening}")
        console.print(drawn(position))
    for move in moves:
        seat = position.to_move
        position = position.play(move.landed)
        facts = Table.grid(padding=(0, 1))
        mover = Text(f"{move.ply + 1}. {players[seat].name} ({DISC[seat]})", "bold")
        chosen = "" if move.chosen == move.landed else f", drifted from {column_digit(move.chosen)}"
        facts.add_row(mover, f"column {column_digit(move.landed)}{chosen}")
        if not players[seat].is_agent:
            facts.add_row("score", "–" if move.score is None else shown_score(move.score))
            facts.add_row("depth", str(move.depth))
            for name in COUNTERS:
                count = getattr(move, name)
                facts.add_row(name, "–" if count is None else f"{count:,}")
        facts.add_row("seconds", f"{move.seconds:.6f}")
        console.print(Columns([drawn(position), facts], padding=(0, 3)))
        console.print(Text())
    winner = "a draw" if stored.result == "draw" else f"{players[stored.result].name} wins"
    console.print(f"{winner} ({stored.reason}) after {in_plies(stored.plies)}: {stored.moves}", markup=False)
    if stored.fault:
        console.print(f"{stored.loser.name} forfeits ({stored.fault_kind}): {stored.fault}", markup=False)
    if stored.traceback:
        console.print(Text(stored.traceback, "dim"))
    for player, output in ((stored.first, stored.first_output), (stored.second, stored.second_output)):
        if output:
            console.print(Text(f"{player.name} printed:", "bold"))
            console.print(Text(output.rstrip(), "dim"))
