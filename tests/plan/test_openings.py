"""Suites of openings: how many there are, what is left out, and that they depend on suite and seed alone."""

from pathlib import Path

import naive
import pytest

from tournament.errors import OpeningError, PositionError
from tournament.games.connect4 import (
    STANDARD,
    Position,
    Rules,
    canonical,
    distinct_positions,
    every_opening,
    is_open,
    read_position,
)
from tournament.plan.openings import (
    check_opening,
    make_suite,
    one_of_each,
    parse_suite,
    read_openings,
    sample_openings,
)


def test_distinct_positions_up_to_mirror_image_are_the_known_numbers():
    assert [len(distinct_positions(STANDARD, plies)) for plies in range(6)] == [1, 4, 25, 121, 568, 2_144]


def test_with_their_mirror_images_they_are_the_published_numbers():
    both = [
        len({either for position in distinct_positions(STANDARD, plies) for either in (position, position.mirrored())})
        for plies in range(6)
    ]
    assert both == [1, 7, 49, 238, 1_120, 4_263]


def test_every_opening_leads_to_the_position_it_stands_for():
    for position, moves in distinct_positions(STANDARD, 3).items():
        assert canonical(read_position(moves)) == position


@pytest.mark.parametrize(
    ("moves", "expected"), [("empty", True), ("121212", False), ("1212121", False), ("12121", True)]
)
def test_a_position_where_somebody_has_won_or_can_win_at_once_is_no_opening(moves, expected):
    assert is_open(read_position(moves)) is expected


def test_such_positions_are_left_out_of_a_suite():
    rules = Rules(4, 4, 3)
    left = every_opening(rules, 4)
    assert 0 < len(left) < len(distinct_positions(rules, 4))
    for moves in left:
        board = naive.read(str(read_position(moves, rules)))
        assert not any(
            naive.has_line(naive.drop(board, column, "X"), "X", 3)
            for column in range(4)
            if naive.is_open(board, column)
        )


def test_a_sample_is_the_same_for_the_same_seed_and_has_no_mirror_images():
    sample = sample_openings(STANDARD, 6, 50, seed=1)
    assert sample == sample_openings(STANDARD, 6, 50, seed=1)
    assert sample != sample_openings(STANDARD, 6, 50, seed=2)
    assert len({canonical(read_position(moves)) for moves in sample}) == 50
    assert all(len(moves) == 6 and is_open(read_position(moves)) for moves in sample)


def test_a_sample_larger_than_what_there_is_is_refused():
    with pytest.raises(OpeningError, match="only 4 different openings of 1 plies were found"):
        make_suite(STANDARD, 1, 5, seed=1)


def test_a_suite_without_openings_is_refused():
    with pytest.raises(OpeningError, match="there is no opening of 4 plies"):
        make_suite(Rules(2, 2, 2), 4, None, seed=1)


def test_a_file_has_one_opening_a_line_and_comments(tmp_path: Path):
    path = tmp_path / "openings.txt"
    path.write_text("# four of them\n44\n\n  4435  # the third\nempty\n1\n")
    assert read_openings(path, STANDARD) == ["44", "4435", "", "1"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("44\n48\n", "openings.txt:2: move 2 of `48` is column `8`"),
        ("1212121\n", "openings.txt:1: opening `1212121` ends the game"),
        ("# nothing\n", "openings.txt: has no openings"),
    ],
)
def test_a_wrong_line_is_told_with_its_number(tmp_path: Path, monkeypatch, text, message):
    monkeypatch.chdir(tmp_path)
    Path("openings.txt").write_text(text)
    with pytest.raises(OpeningError) as error:
        read_openings(Path("openings.txt"), STANDARD)
    assert str(error.value).startswith(message)


def test_openings_that_reach_one_position_or_its_mirror_image_are_played_once(tmp_path: Path):
    orders = ["1234", "3214", "1432", "3412", "7654", "1234", "44"]  # one position, its mirror image, and another
    path = tmp_path / "openings.txt"
    path.write_text("\n".join(orders))
    note = "of 7 openings 5 reach the position of an earlier one, or its mirror image: 2 are played"
    for suite in (
        one_of_each(orders, STANDARD),
        read_openings(path, STANDARD),
        parse_suite(",".join(orders), STANDARD, 1),
    ):
        assert (suite, suite.note) == (["1234", "44"], note)
    assert one_of_each(["44", "4"], STANDARD).note == make_suite(STANDARD, 2, None, 1).note == ""


def test_an_opening_that_ends_the_game_is_refused():
    with pytest.raises(PositionError, match="an opening leaves something to play"):
        check_opening("1212121", STANDARD)
    assert check_opening("44", STANDARD) == "44"
    assert canonical(Position()) == Position()
