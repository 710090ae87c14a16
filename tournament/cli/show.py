from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from tournament.games.connect4 import Rules


def command(
    folder: Annotated[Path, typer.Argument(help="The folder of a tournament.")],
    game: Annotated[str, typer.Argument(help="A game's id, or the beginning of it, as in games.csv.")],
    picture: Annotated[
        Path | None, typer.Option(help="Draw boards of it in a row into this file instead: .svg, .pdf or .png.")
    ] = None,
    plies: Annotated[
        str, typer.Option(metavar="1,2,last", help="After which plies; 0 is the board before the first.")
    ] = "last",
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
    from tournament.report.table import shown_cell
    from tournament.store import Store
    from tournament.text import in_plies

    with Store(folder) as store:
        stored, moves = store.game(game)
        rules = store.last_run().rules
    if picture is not None:
        _draw(picture, plies, rules, stored.moves)
        return
    console = Console()
    players = {"first": stored.first, "second": stored.second}
    for seat, player in players.items():
        how = "ConnectX agent" if player.is_agent else player.settings.level + (", book" if player.has_book else "")
        if player.is_oracle:
            how = "perfect play"
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
        facts.add_row("seconds", shown_cell(move.seconds, "seconds"))
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


def _draw(path: Path, plies: str, rules: Rules, moves: str) -> None:
    """The boards of a game after these plies, as a picture."""
    from tournament.errors import TourneyError
    from tournament.games.connect4 import Position, play_moves
    from tournament.report.pictures import write_boards
    from tournament.text import counted, in_plies

    boards = []
    for word in plies.split(","):
        ply = len(moves) if word.strip() == "last" else int(word) if word.strip().isdecimal() else -1
        if not 0 <= ply <= len(moves):
            raise TourneyError(f"--plies {plies}: `{word}` is no ply of this game, which has {in_plies(len(moves))}.")
        boards.append((f"after {in_plies(ply)}", play_moves(Position(rules), moves[:ply])))
    write_boards(boards, path)
    print(f"{path} has {counted(len(boards), 'board')}")
