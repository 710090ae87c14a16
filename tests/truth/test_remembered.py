"""What was solved is kept, and believed only as it was written."""

import pytest

from tournament.games.connect4 import Position, Rules, read_position
from tournament.truth.oracle import Question, solve_all
from tournament.truth.remembered import keep, key_of, recall

BOARD = Rules(4, 4, 3)
KNOWN = {5: (3, True), 1 << 63: (-1, False)}


def test_what_is_kept_is_recalled(tmp_path):
    keep(tmp_path, BOARD, KNOWN)
    assert recall(tmp_path, BOARD) == KNOWN
    assert recall(tmp_path, Rules(4, 4, 4)) == recall(tmp_path / "nowhere", BOARD) == recall(None, BOARD) == {}
    assert [path.name for path in tmp_path.iterdir()] == ["4x4x3.bin"]


DAMAGE = {
    "cut": lambda written: written[:-1],
    "empty": lambda written: b"",
    "changed": lambda written: written[:-1] + bytes([written[-1] ^ 1]),
}


@pytest.mark.parametrize("damage", DAMAGE)
def test_what_is_damaged_is_not_believed_and_is_replaced(tmp_path, damage):
    keep(tmp_path, BOARD, KNOWN)
    (file,) = tmp_path.iterdir()
    file.write_bytes(DAMAGE[damage](file.read_bytes()))
    assert recall(tmp_path, BOARD) == {}
    keep(tmp_path, BOARD, KNOWN)
    assert recall(tmp_path, BOARD) == KNOWN


def test_what_is_of_another_board_is_not_believed(tmp_path):
    keep(tmp_path, BOARD, KNOWN)
    (file,) = tmp_path.iterdir()
    file.rename(tmp_path / "4x4x4.bin")
    assert recall(tmp_path, Rules(4, 4, 4)) == {}


def test_a_place_that_cannot_be_written_is_no_matter(tmp_path):
    (tmp_path / "file").write_text("")
    keep(tmp_path / "file", BOARD, KNOWN)


def test_what_cannot_be_put_into_its_place_leaves_nothing_behind(tmp_path):
    (tmp_path / "4x4x3.bin").mkdir()
    keep(tmp_path, BOARD, KNOWN)
    assert [path.name for path in tmp_path.iterdir()] == ["4x4x3.bin"]


def test_a_position_and_its_mirror_image_have_one_key():
    position = read_position("112", BOARD)
    assert key_of(position) == key_of(position.mirrored()) != key_of(position.play(3))


@pytest.mark.parametrize("exact", [False, True])
def test_a_question_is_answered_alike_and_without_search_the_second_time(solved_folder, exact):
    start = Position(BOARD)
    first, second = (next(solve_all([start], Question(BOARD, exact))) for _ in range(2))
    assert first.nodes > 0
    assert second.nodes == 0
    assert (first.value, first.plies, first.moves) == (second.value, second.plies, second.moves)
    if not exact:
        assert next(solve_all([start], Question(BOARD, exact=True))).plies is not None  # its sign alone was known


def test_without_the_book_nothing_is_recalled_or_kept(solved_folder):
    question = Question(BOARD, use_book=False)
    assert all(next(solve_all([Position(BOARD)], question)).nodes > 0 for _ in range(2))
    assert not solved_folder.exists()
