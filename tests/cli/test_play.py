"""A person against a machine: moves, taking them back, hints, trees, and the game as it is typed and shown."""

from __future__ import annotations

import os
import pty
import re
import select
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console
from strategies import LARGE_FULL, NOISE, SMALL, once_per_rules
from typer.testing import CliRunner

from tournament.cli import app
from tournament.cli.board import drawn_discs
from tournament.cli.terminal_game import WORDS, columns_of, read_column
from tournament.engine.searcher import Searcher, search
from tournament.engine.settings import Settings
from tournament.errors import EvaluatorFault, PositionError
from tournament.games.connect4 import COLUMN_DIGITS, STANDARD, Position, Rules, Seat, column_digit, read_position
from tournament.match.human_game import Friendly
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


def friendly(scorer: Scorer, seat: Seat = "first", opening: str = "", depth: int = 1, seed: int = 1) -> Friendly:
    algorithm = "star1" if scorer.rules.drifts else "alphabeta"
    return Friendly(Searcher(scorer, Settings(depth, algorithm)), seat, opening, seed=seed)


def play_all(game: Friendly, columns: str) -> None:
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
    game = Friendly(Searcher(Scorer(write_evaluator(NOISE), STANDARD), settings), "first")
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


# ── the command ──────────────────────────────────────────────────────────────────────────────────


@pytest.fixture
def played(write_evaluator: WriteEvaluator) -> Callable[..., str]:
    """What `tourney play` prints when these lines are typed."""

    def play(lines: str, options: str = "", evaluator: str = FLAT, name: str = "flat") -> str:
        file = write_evaluator(evaluator, name).path
        arguments = ["play", "--evaluator", str(file), *(options or "--depth 1").split()]
        result = CliRunner().invoke(app, arguments, input="\n".join([*lines.split(","), ""]))
        assert result.exit_code == 0, result.output
        return result.stdout

    return play


def boards(shown: str) -> list[str]:
    """The rows of every board that was shown, without its frame."""
    return re.findall(r"^│(.*)│$", shown, flags=re.MULTILINE)


def test_a_person_wins(played: Callable[..., str]) -> None:
    shown = played("7,7,7,7")
    assert "You win with 4 in a line. The moves: 7171717." in shown
    assert "`new` begins another game" in shown
    assert re.search(r"^flat plays column 1: score 0, depth 1, 7 nodes, \d\.\d{3} s\.$", shown, flags=re.MULTILINE)
    assert boards(shown)[-6:][2] == " · · · · · ·(◆)"
    assert "your move" not in shown  # nobody is asked where nobody sits


def test_a_person_loses(played: Callable[..., str]) -> None:
    shown = played("7,6,7,6")
    assert "flat plays column 1: score win in 1 ply" in shown
    assert "flat wins with 4 in a line. The moves: 71617161." in shown
    assert boards(shown)[-6:][2] == "(◇)· · · · · · "


def test_a_game_on_a_small_board_is_drawn(played: Callable[..., str]) -> None:
    shown = played("2,1,3", "--depth 1 --rows 2 --columns 3 --connect 3")
    assert "A draw: the board is full. The moves: 211233." in shown


def test_in_the_second_seat_the_machine_begins(played: Callable[..., str]) -> None:
    shown = played("7", "--depth 1 --seat second")
    assert "You are ○ (O), flat is ● (X): depth 1, alphabeta." in shown
    assert boards(shown)[5] == "(●)· · · · · · "
    assert "The game so far is 171: --opening 171 goes on from here." in shown


def test_most_lines_are_counted_to_the_end(played: Callable[..., str]) -> None:
    options = "--depth 1 --rows 2 --columns 3 --connect 2 --objective most-lines"
    won = played("3,2,2", options)  # O X O over O X X
    assert "lines  ● 3  ○ 1\nYou win, 3 lines to 1. The moves: 312123." in won
    drawn = played("2,1,3", options)  # X O O over O X X
    assert "lines  ● 2  ○ 2\nA draw: the board is full, with 2 lines for either. The moves: 211233." in drawn


def test_moves_are_taken_back_and_the_game_goes_on(played: Callable[..., str]) -> None:
    shown = played("7,6,undo,7,7,7,undo,undo,undo,undo,undo")
    assert "Taken back: 1 (flat's), 6 (yours)." in shown
    assert "You win with 4 in a line. The moves: 7171717." in shown
    assert shown.count("there is no move of yours to take back.") == 1
    assert set(boards(shown)[-6:]) == {" · · · · · · · "}


def test_a_new_game_begins_when_one_is_over_or_before(played: Callable[..., str]) -> None:
    shown = played("7,7,7,7,4,NEW,6,new,5")
    assert "the game is over: begin a new one, or take back your last move." in shown
    assert shown.rstrip().endswith("The game so far is 51: --opening 51 goes on from here.")


def test_a_hint_names_a_column(played: Callable[..., str]) -> None:
    assert "flat would play column 7: score win in 1 ply, depth 1" in played("7,7,7,hint")


def test_the_tree_of_the_machines_last_search_is_drawn(played: Callable[..., str]) -> None:
    shown = played("tree,4,tree 1,tree x", "--depth 3")
    assert "the machine has not moved yet: there is no search to show." in shown
    assert "MAX 0  α −∞ β ∞  O to move\n├── 1 MIN 0  α −∞ β ∞  … " in shown
    assert "Values are for O" in shown
    assert "`x` is no number of plies: `tree 3` shows three." in shown


def test_a_tree_that_nobody_could_read_is_refused_and_the_game_goes_on(played: Callable[..., str]) -> None:
    shown = played("4,tree 12,3", "--depth 12 --algorithm minimax --columns 4 --rows 4")
    assert "the tree has more than 50,000 nodes" in shown
    assert shown.count("flat plays column") == 2


def test_wrong_input_is_one_line_and_the_game_goes_on(played: Callable[..., str]) -> None:
    shown = played("8,,undoo,1,1,1,1,4", "--depth 1 --opening 11")
    assert "there is no column `8`: type 1 to 7." in shown
    assert "did you mean `undo`?" in shown
    assert "column 1 is full: open columns are 2 3 4 5 6 7." in shown
    assert "The game so far is 11111142:" in shown


def test_help_tells_every_word(played: Callable[..., str]) -> None:
    shown = played("help")
    assert all(re.search(rf"^{word} +\w", shown, flags=re.MULTILINE) for word in WORDS)


def test_nothing_is_done_after_quit(played: Callable[..., str]) -> None:
    shown = played("7,quit,7,7,7")
    assert "The game so far is 71:" in shown


def test_a_disc_that_drifts_is_told(played: Callable[..., str]) -> None:
    shown = played("4,4,4,4", "--depth 1 --drift 0.05 --seed 3")
    assert re.search(r"^Your disc for column 4 drifts to column [35]\.$", shown, flags=re.MULTILINE)
    assert re.search(r"^flat's disc for column 1 drifts to column 2\.$", shown, flags=re.MULTILINE)
    assert played("4,4,4,4", "--depth 1 --drift 0.05 --seed 3").splitlines()[-1] == shown.splitlines()[-1]


def test_an_evaluator_that_fails_is_one_message_and_the_game_is_kept(played: Callable[..., str]) -> None:
    shown = played("4,3,5,undo,2,quit", "--depth 2", BRITTLE, "brittle")
    assert shown.count("brittle can't move: ") == 2
    assert "ValueError: too many discs" in shown
    assert "it is the machine's turn: take back your last move, or begin a new game." in shown
    assert "Taken back: 3 (yours)." in shown
    assert "The game so far is 412:" in shown


def test_an_interpreted_evaluator_says_so(played: Callable[..., str]) -> None:
    shown = played("4", "--depth 1", "def evaluate(board):\n    return len({*board.ravel().tolist()})\n", "slow")
    assert "slow is interpreted (line 2: " in shown


def test_budgets_and_improvements_are_those_of_a_search(played: Callable[..., str]) -> None:
    shown = played("4", "--nodes 300 --algorithm pvs --order killers --table 10 --rows 10 --columns 11 --connect 5")
    assert "300 nodes, pvs, killers, table 10." in shown
    assert "10×11, connect 5." in shown
    assert "Type a column, 1 to 9, or a to b, or undo" in shown


def test_the_widest_board_is_shown_whole(played: Callable[..., str]) -> None:
    shown = played("γ", "--depth 1 --rows 1 --columns 64")
    assert boards(shown)[-1] == "(○)" + " ".join("·" * 62) + " ● "


# ── in a process of its own ──────────────────────────────────────────────────────────────────────


def tourney_play(*arguments: str, cwd: Path, typed: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, "-m", "tournament", "play", *arguments]
    return subprocess.run(command, cwd=cwd, input=typed, capture_output=True, timeout=120)


def test_without_options_a_game_is_played_through_a_pipe(tmp_path: Path) -> None:
    result = tourney_play(cwd=tmp_path, typed=b"4\n\xff\xfe\n3")  # what is no text, and no end of the last line
    assert result.returncode == 0, result.stderr
    shown = result.stdout.decode()
    assert "You are ● (X), balanced is ○ (O): depth 8, alphabeta." in shown
    assert shown.count("balanced plays column") == 2
    assert "neither a column nor a word" in shown
    assert not list(tmp_path.iterdir())


MISTAKES = {
    "--seat frist": "seat is `frist`; did you mean `first`? Known are first, second.",
    "--evaluator widows": "did you mean `windows`?",
    "--depth 2 --nodes 9": "a search has either a depth, or a budget",
    "--depth 0": "depth is 0",
    "--order center": "did you mean `centre`?",
    "--drift 0.5 --algorithm pvs": "pvs knows no chance",
    "--rows 20": "must be at most 128",
    "--opening 448": "move 3 of `448` is column `8`",
    "--opening 1212121": "the game is over here (X has a line)",
    "--table 36": "use a table of at most",
}


@pytest.mark.parametrize("options", MISTAKES)
def test_a_mistake_in_an_option_is_one_message_and_exit_code_2(tmp_path: Path, options: str) -> None:
    result = tourney_play(*options.split(), cwd=tmp_path)
    assert result.returncode == 2
    assert result.stdout == b""
    told = result.stderr.decode()
    assert told.startswith("tourney: ")
    assert MISTAKES[options] in told
    assert len(told.splitlines()) == 1


@pytest.mark.parametrize("key", [b"\x03", b"\x04"], ids=["Ctrl-C", "Ctrl-D"])
def test_on_a_terminal_one_is_asked_and_may_leave_at_any_time(tmp_path: Path, key: bytes) -> None:
    process, terminal = pty.fork()  # a terminal of its own, so that Ctrl-C reaches the game and nobody else
    if process == 0:
        os.chdir(tmp_path)
        os.execv(sys.executable, [sys.executable, "-m", "tournament", "play", "--depth", "2"])
    try:
        shown = read_until(terminal, rb"your move, ")
        os.write(terminal, b"4\n")
        shown = read_until(terminal, rb"plays column (?s:.)*your move, ", shown)
        while b"goes on from here." not in shown:
            os.write(terminal, key)  # again, where it came between the prompt and Python's waiting for a line
            while select.select([terminal], [], [], 1)[0] and b"goes on from here." not in shown:
                shown += os.read(terminal, 4096)
        _, status = os.waitpid(process, 0)
    except BaseException:
        os.kill(process, signal.SIGKILL)
        raise
    finally:
        os.close(terminal)
    assert os.waitstatus_to_exitcode(status) == 0
    assert b"Traceback" not in shown
    assert b"balanced is thinking" in shown


def read_until(terminal: int, expected: bytes, shown: bytes = b"") -> bytes:
    """All that a program has written to its terminal, when what is expected is there."""
    while not re.search(expected, shown):
        assert select.select([terminal], [], [], 60)[0], shown
        shown += os.read(terminal, 4096)
    return shown
