"""The command `tourney play`."""

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
from test_play import BRITTLE, FLAT, WriteEvaluator
from typer.testing import CliRunner

from tournament.cli import app
from tournament.cli.terminal_game import WORDS

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


def test_where_discs_drift_the_machine_looks_less_far_unless_told_otherwise(played: Callable[..., str]) -> None:
    assert ": depth 8, alphabeta." in played("quit", "--rows 4 --columns 4")
    assert ": depth 4, star1." in played("quit", "--rows 4 --columns 4 --drift 0.6")
    assert ": depth 1, star1." in played("quit", "--rows 4 --columns 4 --drift 0.6 --depth 1")


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
def test_a_mistake_in_an_option_is_one_message_and_exit_code_2(
    tourney: Callable[..., tuple[int, str, str]], options: str
) -> None:
    code, out, told = tourney("play", *options.split())
    assert (code, out) == (2, "")
    assert told.startswith("tourney: ")
    assert MISTAKES[options] in told
    assert len(told.splitlines()) == 1


# ── against perfect play ─────────────────────────────────────────────────────────────────────────

LATE = "--oracle --opening 5771246661766344"


def typed_to_the_oracle(lines: str, options: str = LATE) -> str:
    result = CliRunner().invoke(app, ["play", *options.split()], input="\n".join([*lines.split(","), ""]))
    assert result.exit_code == 0, result.output
    return result.stdout


@pytest.mark.needs_jit
def test_the_oracle_plays_and_gives_hints_and_has_no_tree() -> None:
    shown = typed_to_the_oracle("hint,tree,2,undo")
    assert "the oracle is ○ (O): perfect play." in shown
    assert re.search(r"^the oracle would play column \d: (win|loss) in \d+ plies|draw", shown, flags=re.MULTILINE)
    assert "perfect play has no tree to show" in shown
    assert re.search(r"^the oracle plays column \d: ", shown, flags=re.MULTILINE)
    assert "Taken back: " in shown


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("--oracle --depth 3", "--oracle plays by itself, as it likes: leave --depth out."),
        ("--oracle --evaluator windows", "leave --evaluator out"),
        ("--oracle --drift 0.5", "perfect play is not known here"),
        ("--oracle --rows 9 --columns 9", "it takes 90 bits"),
    ],
)
def test_what_the_oracle_does_not_take_or_know_is_one_message(tourney, options: str, message: str) -> None:
    code, out, told = tourney("play", *options.split())
    assert (code, out, len(told.splitlines())) == (2, "", 1)
    assert message in told


# ── in a process of its own ──────────────────────────────────────────────────────────────────────


def test_without_options_a_game_is_played_through_a_pipe(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "tournament", "play"]
    strange = b"4\n\xff\xfe\n3"  # what is no text, and no end of the last line
    result = subprocess.run(command, cwd=tmp_path, input=strange, capture_output=True, timeout=120)
    assert result.returncode == 0, result.stderr
    shown = result.stdout.decode()
    assert "You are ● (X), balanced is ○ (O): depth 8, alphabeta." in shown
    assert shown.count("balanced plays column") == 2
    assert "neither a column nor a word" in shown
    assert not list(tmp_path.iterdir())


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
