"""Connect Four and its relatives.

This list is the interface: the search takes the arithmetic of the board from here, and page, terminal and report take
notation and picture. A second game will have to offer the same. What an evaluator may ask for is in `inputs`, and the
features it may use are in `features`, which people import as `tournament.toolkit`.
"""

from tournament.games.connect4.bitboard import (
    WORD,
    count_lines,
    directions,
    has_line,
    line_cells,
    lines,
    lowest,
    playable,
    popcount,
    together,
    united,
    word,
    words,
)
from tournament.games.connect4.notation import (
    COLUMN_DIGITS,
    SEAT_OF_DISC,
    column_digit,
    play_moves,
    read_position,
    undecided,
)
from tournament.games.connect4.picture import board_text, told_position
from tournament.games.connect4.position import (
    DISC,
    SEATS,
    BoardRules,
    Cell,
    Position,
    Result,
    Seat,
    View,
    other_seat,
)
from tournament.games.connect4.rules import STANDARD, DriftPlayers, Objective, Rules
from tournament.games.connect4.suites import canonical, distinct_positions, every_opening, is_open

__all__ = [
    "COLUMN_DIGITS",
    "DISC",
    "SEATS",
    "SEAT_OF_DISC",
    "STANDARD",
    "WORD",
    "BoardRules",
    "Cell",
    "DriftPlayers",
    "Objective",
    "Position",
    "Result",
    "Rules",
    "Seat",
    "View",
    "board_text",
    "canonical",
    "column_digit",
    "count_lines",
    "directions",
    "distinct_positions",
    "every_opening",
    "has_line",
    "is_open",
    "line_cells",
    "lines",
    "lowest",
    "other_seat",
    "play_moves",
    "playable",
    "popcount",
    "read_position",
    "together",
    "told_position",
    "undecided",
    "united",
    "word",
    "words",
]
