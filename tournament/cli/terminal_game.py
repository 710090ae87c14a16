"""A game on the terminal: what a person types is done, and how the game stands is shown."""

from __future__ import annotations

import io
import math
import signal
import sys
from collections.abc import Iterator

from rich.console import Console
from rich.table import Table
from rich.text import Text

from tournament.cli.board import COLOURS, ROUND, drawn_discs
from tournament.cli.tree import MOST_DRAWN, drawn_tree, legend
from tournament.engine.result import SearchResult
from tournament.engine.searcher import Searcher
from tournament.engine.values import shown_score
from tournament.errors import EvaluatorFault, PositionError, TourneyError
from tournament.games.connect4 import COLUMN_DIGITS, DISC, Rules, Seat, column_digit, other_seat
from tournament.match.human_game import HumanGame, Move
from tournament.text import counted, nearest

WORDS = {
    "undo": "takes back your last move and the answer to it",
    "hint": "tells what the machine would play in your place",
    "tree": "shows the machine's last search; `tree 4`: four plies of it",
    "new": "begins another game",
    "help": "tells what you can type",
    "quit": "ends; so do Ctrl-D and Ctrl-C",
}
USUAL_TREE_DEPTH = 2  # plies: a screen or two
LONGEST_QUOTED = 30  # characters of what was typed
MACHINE, NOTE, WRONG = "cyan", "yellow", "red"


class TerminalGame:
    """A person at the terminal, or a script at the other end of a pipe, and the game that is played."""

    def __init__(self, game: HumanGame) -> None:
        self.game = game
        self.machine = game.machine.scorer.name if isinstance(game.machine, Searcher) else "the oracle"
        self.rules = game.start.rules
        self.console = Console(highlight=False)

    def play(self) -> None:
        """Do what is typed, to the end of it."""
        self.greet()
        self.go_on()
        for text in self.typed():
            try:
                self.obey(text)
            except TourneyError as error:
                self.say(str(error), WRONG)
        if self.game.made and not self.game.is_over:
            self.say(f"The game so far is {self.game.moves}: --opening {self.game.moves} goes on from here.")

    def typed(self) -> Iterator[str]:
        """Every line that is typed, up to `quit`, Ctrl-D or Ctrl-C. Only a terminal is asked for it."""
        if sys.stdin is None:
            return
        if isinstance(sys.stdin, io.TextIOWrapper):
            sys.stdin.reconfigure(errors="replace")  # what is no text is no move either
        while True:
            usual = signal.signal(signal.SIGINT, signal.default_int_handler)  # within a search it ends us at once
            try:
                line = input(self.prompt()) if sys.stdin.isatty() else next(sys.stdin)
            except (EOFError, StopIteration, KeyboardInterrupt):
                self.end_line()
                return
            finally:
                signal.signal(signal.SIGINT, usual)
            text = line.strip()
            if text.lower() == "quit":
                return
            if text:
                yield text

    def prompt(self) -> str:
        if self.game.is_over:
            return "new, undo, tree or quit: "
        return "undo, new or quit: " if self.game.is_machines_turn else f"your move, {disc(self.game.seat)}: "

    def obey(self, text: str) -> None:
        """Do what was typed: one of the words, or a move."""
        match text.lower().split():
            case ["undo"]:
                self.undo()
            case ["hint"]:
                self.say(f"{self.machine} would play {self.told(self.game.hint())}.", NOTE)
            case ["tree", *plies]:
                self.show_tree(read_plies(" ".join(plies)))
            case ["new"]:
                self.game.new()
                self.go_on()
            case ["help"]:
                self.help()
            case _:
                self.move(read_column(text, self.rules))

    def move(self, column: int) -> None:
        """Make the person's move, and let the machine answer."""
        move = self.game.play(column)
        self.tell_drift(move, "Your")
        self.go_on()

    def go_on(self) -> None:
        """Let the machine move where it is its turn, and show how the game stands."""
        fault: EvaluatorFault | None = None
        if self.game.is_machines_turn:
            try:
                self.answer()
            except EvaluatorFault as error:
                fault = error
        self.show()
        if fault is not None:
            self.say(f"{self.machine} can't move: {fault}", WRONG)
            self.say("`undo` takes back your last move, `new` begins another game, `quit` ends.", "dim")

    def answer(self) -> None:
        """Make the machine's move, and tell it."""
        waits = self.console.is_terminal
        if waits:
            self.console.print(f"{self.machine} is thinking …", style="dim", markup=False, end="")
        try:
            move = self.game.answer()
        finally:
            if waits:
                self.console.file.write("\r\x1b[2K")
        if move.found is not None:
            self.say(f"{self.machine} plays {self.told(move.found)}.", MACHINE)
        self.tell_drift(move, f"{self.machine}'s")

    def told(self, found: SearchResult) -> str:
        """A move that the machine has found."""
        return told(found) if isinstance(self.game.machine, Searcher) else told_of_oracle(found)

    def undo(self) -> None:
        taken = self.game.undo()
        whose = {True: "yours", False: f"{self.machine}'s"}
        told = [f"{column_digit(move.landed)} ({whose[move.before.to_move == self.game.seat]})" for move in taken]
        self.say(f"Taken back: {', '.join(told)}.", NOTE)
        self.show()

    def show_tree(self, plies: int) -> None:
        explained = self.game.explain(plies, most=MOST_DRAWN)
        self.console.print(drawn_tree(explained))
        self.console.print(legend(explained))

    # ── what is shown ────────────────────────────────────────────────────────────────────────────

    def say(self, sentence: str, style: str = "") -> None:
        """One message: on a terminal as many lines as it takes, elsewhere a single one."""
        self.console.print(Text(sentence, style), soft_wrap=not self.console.is_terminal)

    def end_line(self) -> None:
        """After a prompt that was not answered."""
        if sys.stdin.isatty():
            self.console.print()

    def tell_drift(self, move: Move, whose: str) -> None:
        """Say where a disc has come to rest, where that is not in the column that was chosen."""
        if move.landed != move.chosen:
            chosen, landed = column_digit(move.chosen), column_digit(move.landed)
            self.say(f"{whose} disc for column {chosen} drifts to column {landed}.", NOTE)

    def greet(self) -> None:
        machine, other = self.game.machine, other_seat(self.game.seat)
        how, reason = "perfect play", None
        if isinstance(machine, Searcher):
            how, reason = f"{machine.settings.level}, {machine.settings.described}", machine.scorer.reason
        players = Text.assemble(
            "You are ",
            (disc(self.game.seat), COLOURS[DISC[self.game.seat]]),
            f", {self.machine} is ",
            (disc(other), COLOURS[DISC[other]]),
            f": {how}.",
        )
        self.console.print(players)
        self.say(f"{self.rules.described}.", "dim")
        if reason is not None:
            self.say(f"{self.machine} is interpreted ({reason}).", NOTE)
        self.say(f"Type a column, {columns_of(self.rules)}, or {', '.join(WORDS)}.", "dim")

    def help(self) -> None:
        grid = Table.grid(padding=(0, 2))
        grid.add_row(columns_of(self.rules), "plays a disc in this column")
        for word, meaning in WORDS.items():
            grid.add_row(Text(word, "bold"), meaning)
        self.console.print(grid)

    def show(self) -> None:
        """The board, and when the game is over who has won."""
        made = self.game.made
        self.console.print()
        last = (made[-1].row, made[-1].landed) if made else None
        self.console.print(drawn_discs(self.game.position, last), soft_wrap=True)  # a wide board is not cut off
        if self.game.is_over:
            self.say(f"{self.outcome()} The moves: {self.game.moves}.", "bold")
            self.say("`new` begins another game, `undo` takes back your last move, `quit` ends.", "dim")

    def outcome(self) -> str:
        """Who has won, and by what, in a sentence."""
        position, seat = self.game.position, self.game.seat
        winner = "You win" if position.result == seat else f"{self.machine} wins"
        if self.rules.objective == "most-lines":
            lines = sorted((position.lines("first"), position.lines("second")), reverse=True)
            if position.result == "draw":
                return f"A draw: the board is full, with {lines[0]} lines for either."
            return f"{winner}, {lines[0]} lines to {lines[1]}."
        if position.result == "draw":
            return "A draw: the board is full."
        return f"{winner} with {self.rules.connect} in a line."


def disc(seat: Seat) -> str:
    """A side's disc, as the board shows it and as text names it."""
    return f"{ROUND[DISC[seat]]} ({DISC[seat]})"


def columns_of(rules: Rules) -> str:
    """The columns as a person types them: `1 to 7`, `1 to 9, or a to b`."""
    last = column_digit(rules.columns - 1)
    if rules.columns <= 9:
        return f"1 to {last}"
    return "1 to 9, or a" if rules.columns == 10 else f"1 to 9, or a to {last}"


def told(found: SearchResult) -> str:
    """A move that a search has found, and what the search took."""
    return (
        f"column {column_digit(found.chosen)}: score {shown_score(found.score)}, depth {found.depth}, "
        f"{counted(found.counters.generated, 'node')}, {found.seconds:.3f} s"
    )


def told_of_oracle(found: SearchResult) -> str:
    """A move that perfect play makes, and what it is worth."""
    worth = "draw" if found.score == 0 else shown_score(found.score)
    if math.isnan(found.score):
        worth = "it keeps what the position is worth"
    return f"column {column_digit(found.chosen)}: {worth}, {found.seconds:.3f} s"


def read_plies(text: str) -> int:
    """How many plies of a tree a person wants to see."""
    if not text:
        return USUAL_TREE_DEPTH
    if not text.isdecimal() or len(text) > 3 or int(text) == 0:
        raise PositionError(f"`{quoted(text)}` is no number of plies: `tree 3` shows three.")
    return int(text)


def read_column(text: str, rules: Rules) -> int:
    """The column, from 0, that a person has typed; a capital letter will do where it means nothing else."""
    known = COLUMN_DIGITS[: rules.columns]
    for digit in (text, text.lower()):
        if len(digit) == 1 and digit in known:
            return known.index(digit)
    if text.isdecimal() or (len(text) == 1 and rules.columns > 9):
        raise PositionError(f"there is no column `{quoted(text)}`: type {columns_of(rules)}.")
    raise PositionError(
        f"`{quoted(text)}` is neither a column nor a word{nearest(text.lower(), WORDS)} Type `help` to see them."
    )


def quoted(text: str) -> str:
    """What was typed, cut where it is long."""
    return text if len(text) <= LONGEST_QUOTED else f"{text[:LONGEST_QUOTED]}…"
