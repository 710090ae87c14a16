"""A person against a machine: moves, taking them back, hints, trees, and the game as it is typed and shown."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console
from strategies import LARGE_FULL, NOISE, SMALL, once_per_rules

from tournament.cli.board import drawn_discs
from tournament.cli.terminal_game import columns_of, read_column
from tournament.engine.searcher import Searcher, search
from tournament.engine.settings import Settings
from tournament.errors import EvaluatorFault, PositionError
from tournament.games.connect4 import COLUMN_DIGITS, STANDARD, Position, Rules, Seat, column_digit, read_position
from tournament.match.human_game import HumanGame
from tournament.plugins.compiled import Scorer
from tournament.plugins.evaluator import Evaluator

Bundled = Callable[[str, Rules], Scorer]
WriteEvaluator = Callable[..., Evaluator]

# With every position worth the same the machine takes the leftmost column, but for a win that it sees.
FLAT = """
    '''Flat: every position is worth the same.'''

    def evaluate(board):
        return 0
"""
# Two discs and the two of a search of depth 2 are the most that it can bear.
BRITTLE = """
    '''Brittle: fails where there are more than four discs.'''

    def evaluate(board):
        discs = 0
        for row in range(board.shape[0]):
            for column in range(board.shape[1]):
                discs += abs(board[row, column])
        if discs > 4:
            raise ValueError("too many discs")
        return 0
"""
DRIFTING = Rules(6, 7, 4, drift=0.05)


@pytest.fixture(scope="module")
def flat(write_evaluator: WriteEvaluator) -> Callable[[Rules], Scorer]:
    return once_per_rules(write_evaluator(FLAT, "flat"))


def friendly(scorer: Scorer, seat: Seat = "first", opening: str = "", depth: int = 1, seed: int = 1) -> HumanGame:
    algorithm = "star1" if scorer.rules.drifts else "alphabeta"
    return HumanGame(Searcher(scorer, Settings(depth, algorithm)), seat, opening, seed=seed)


def play_all(game: HumanGame, columns: str) -> None:
    """The person's moves, each answered while the game goes on."""
    if game.is_machines_turn:
        game.answer()
    for digit in columns:
        game.play(COLUMN_DIGITS.index(digit))
        if game.is_machines_turn:
            game.answer()


# ── the game ─────────────────────────────────────────────────────────────────────────────────────


def test_the_machine_plays_what_a_search_of_the_position_finds(bundled: Bundled) -> None:
    scorer = bundled("windows", STANDARD)
    game = friendly(scorer, depth=4)
    game.play(3)
    move = game.answer()
    found = search(read_position("4"), scorer, Settings(4))
    assert move.found is not None
    assert (move.chosen, move.found.score, move.found.counters) == (found.chosen, found.score, found.counters)
    assert game.moves == f"4{column_digit(found.chosen)}"
    assert game.position == read_position(game.moves)


@pytest.mark.parametrize(
    ("seat", "columns", "moves", "result"),
    [
        ("first", "7777", "7171717", "first"),
        ("first", "7676", "71617161", "second"),
        ("second", "767", "1716171", "first"),
        ("second", "7777", "17171717", None),
    ],
    ids=["a win", "a loss", "a loss in the second seat", "nobody can move after the end"],
)
def test_a_game_goes_on_until_somebody_has_a_line(
    flat: Callable[[Rules], Scorer], seat: Seat, columns: str, moves: str, result: str | None
) -> None:
    game = friendly(flat(STANDARD), seat)
    if result is None:
        with pytest.raises(PositionError, match="the game is over"):
            play_all(game, columns)
        return
    play_all(game, columns)
    assert (game.moves, game.position.result, game.is_over, game.is_machines_turn) == (moves, result, True, False)


def test_an_opening_comes_before_the_first_move_and_is_never_taken_back(flat: Callable[[Rules], Scorer]) -> None:
    game = friendly(flat(STANDARD), opening="445")
    assert game.is_machines_turn
    game.answer()
    with pytest.raises(PositionError, match="no move of yours to take back"):
        game.undo()
    game.play(6)
    assert game.moves == "44517"
    game.undo()
    assert game.moves == "4451"
    game.new()
    assert game.moves == "445"


def test_a_game_that_is_over_is_no_opening(flat: Callable[[Rules], Scorer]) -> None:
    with pytest.raises(PositionError, match="the game is over here"):
        friendly(flat(STANDARD), opening="1212121")


@given(seat=st.sampled_from(["first", "second"]), columns=st.lists(st.integers(0, 4), max_size=12))
def test_taking_back_gives_the_position_before_the_persons_last_move(
    bundled: Bundled, seat: Seat, columns: list[int]
) -> None:
    game = friendly(bundled("balanced", SMALL), seat, depth=2)
    play_all(game, "")
    before: list[Position] = []
    for column in columns:
        if game.is_over or column not in game.position.open_columns():
            continue
        before.append(game.position)
        play_all(game, column_digit(column))
    while before:
        assert game.undo()[-1].before == before[-1]
        assert game.position == before.pop()
    with pytest.raises(PositionError, match="no move of yours to take back"):
        game.undo()


def test_a_winning_move_is_taken_back_alone(flat: Callable[[Rules], Scorer]) -> None:
    game = friendly(flat(STANDARD))
    play_all(game, "7777")
    assert [move.landed for move in game.undo()] == [6]
    assert game.moves == "717171"


def test_a_hint_is_what_the_machine_would_play_and_changes_nothing(bundled: Bundled) -> None:
    scorer = bundled("windows", STANDARD)
    game = friendly(scorer, opening="4435", depth=6)
    hint = game.hint()
    assert (column_digit(hint.chosen), hint.score) == ("4", 28)
    assert (game.moves, game.is_machines_turn) == ("4435", False)


def test_a_full_column_is_refused_with_the_open_ones(flat: Callable[[Rules], Scorer]) -> None:
    game = friendly(flat(STANDARD), opening="777777")
    with pytest.raises(PositionError, match=r"^column 7 is full: open columns are 1 2 3 4 5 6\.$"):
        game.play(6)
    assert game.moves == "777777"


@pytest.mark.parametrize("settings", [Settings(4, "pvs"), Settings(nodes=500), Settings(seconds=0.02)], ids=str)
def test_the_tree_is_that_of_the_search_that_chose_the_move(
    write_evaluator: WriteEvaluator, settings: Settings
) -> None:
    game = HumanGame(Searcher(Scorer(write_evaluator(NOISE), STANDARD), settings), "first")
    with pytest.raises(PositionError, match="the machine has not moved yet"):
        game.explain(2, most=10_000)
    play_all(game, "44")
    found, explained = game.made[-1].found, game.explain(2, most=10_000)
    assert found is not None
    assert explained.position == game.made[-1].before
    assert (explained.found.chosen, explained.found.score) == (found.chosen, found.score)
    assert explained.found.counters == found.counters


def test_a_fault_of_the_evaluator_leaves_the_game_as_it_was(write_evaluator: WriteEvaluator) -> None:
    game = friendly(Scorer(write_evaluator(BRITTLE, "brittle"), STANDARD), depth=2)
    play_all(game, "4")
    game.play(2)
    with pytest.raises(EvaluatorFault, match="too many discs"):
        game.answer()
    assert (game.moves, game.is_machines_turn) == ("413", True)
    for attempt in (game.hint, lambda: game.play(0)):
        with pytest.raises(PositionError, match="it is the machine's turn: take back your last move"):
            attempt()
    game.undo()
    assert (game.moves, game.is_machines_turn) == ("41", False)


def test_a_disc_that_is_taken_back_and_played_again_drifts_as_before(flat: Callable[[Rules], Scorer]) -> None:
    games = [friendly(flat(DRIFTING), seed=seed) for seed in (7, 7, 8)]
    for game in games:
        play_all(game, "444")
    moves = [game.moves for game in games]
    assert moves[0] == moves[1] != moves[2]
    games[0].undo()
    play_all(games[0], "4")
    assert games[0].moves == moves[0]
    luck = set()
    for _ in range(5):
        games[0].new()
        play_all(games[0], "444")
        luck.add(games[0].moves)
    assert len(luck) > 1


def test_discs_drift_to_a_neighbour_of_the_column_that_was_chosen(flat: Callable[[Rules], Scorer]) -> None:
    game = friendly(flat(DRIFTING))
    play_all(game, "4455")
    assert any(move.landed != move.chosen for move in game.made)
    assert all(abs(move.landed - move.chosen) <= 1 for move in game.made)
    assert game.position == read_position(game.moves, DRIFTING)


# ── what is typed ────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("rules", [STANDARD, LARGE_FULL, Rules(1, 64, 4)], ids=str)
def test_every_column_is_typed_as_it_is_written(rules: Rules) -> None:
    assert [read_column(column_digit(column), rules) for column in range(rules.columns)] == list(range(rules.columns))


def test_a_capital_letter_is_a_column_where_it_means_no_other() -> None:
    assert read_column("B", LARGE_FULL) == 10
    assert read_column("A", Rules(1, 64, 4)) == 35


WRONG = {
    "8": "there is no column `8`: type 1 to 7.",
    "0": "there is no column `0`: type 1 to 7.",
    "44": "there is no column `44`: type 1 to 7.",
    "undoo": "`undoo` is neither a column nor a word; did you mean `undo`? Type `help` to see them.",
    "Hnt": "`Hnt` is neither a column nor a word; did you mean `hint`? Type `help` to see them.",
    "b": "`b` is neither a column nor a word. Type `help` to see them.",
    "play 4": "`play 4` is neither a column nor a word. Type `help` to see them.",
    "#" * 99: f"`{'#' * 30}…` is neither a column nor a word. Type `help` to see them.",
}


@pytest.mark.parametrize("text", WRONG)
def test_what_is_no_move_gets_one_sentence(text: str) -> None:
    with pytest.raises(PositionError) as caught:
        read_column(text, STANDARD)
    assert str(caught.value) == WRONG[text]


def test_columns_from_ten_are_letters() -> None:
    assert columns_of(Rules(6, 9)) == "1 to 9"
    assert columns_of(Rules(6, 10)) == "1 to 9, or a"
    assert columns_of(LARGE_FULL) == "1 to 9, or a to b"
    with pytest.raises(PositionError, match="there is no column `c`: type 1 to 9, or a to b"):
        read_column("c", LARGE_FULL)


# ── what is shown ────────────────────────────────────────────────────────────────────────────────


def test_the_last_disc_stands_in_brackets_and_the_winning_line_is_marked() -> None:
    assert drawn_discs(read_position("4435"), (0, 4)).plain == (
        "│ · · · · · · · │\n"
        "│ · · · · · · · │\n"
        "│ · · · · · · · │\n"
        "│ · · · · · · · │\n"
        "│ · · · ○ · · · │\n"
        "│ · · ● ●(○)· · │\n"
        "└───────────────┘\n"
        "  1 2 3 4 5 6 7"
    )
    rows = drawn_discs(read_position("7171717"), (3, 6)).plain.splitlines()
    assert rows[2:6] == ["│ · · · · · ·(◆)│", *["│ ○ · · · · · ◆ │"] * 3]


def test_where_most_lines_win_they_are_counted_and_marked_for_both() -> None:
    shown = drawn_discs(read_position("12121212", Rules(objective="most-lines"))).plain
    assert shown.endswith("\nlines  ● 1  ○ 1")
    assert (shown.count("◆"), shown.count("◇")) == (4, 4)


def test_the_discs_are_coloured() -> None:
    console = Console(width=80, force_terminal=True, color_system="standard")
    with console.capture() as captured:
        console.print(drawn_discs(read_position("7171717")))
    assert "\x1b[1;37;41m◆" in captured.get()
    assert "\x1b[1;33m○" in captured.get()
