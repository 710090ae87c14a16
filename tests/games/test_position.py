"""Positions: reading and printing them, playing, results, mirror images, and what is refused and how."""

from __future__ import annotations

import naive
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import DRIFTING, FEW, MANY, MOST_LINES, ROW, SMALL, positions

from tournament.errors import PositionError
from tournament.games.connect4 import COLUMN_DIGITS, Position, Rules, read_position


def diagram(drawing: str) -> str:
    """A board drawn over several lines as the text that names it."""
    return "/".join(row.strip() for row in drawing.strip().splitlines())


# ── reading and printing ─────────────────────────────────────────────────────────────────────────


@given(positions())
def test_a_position_printed_and_read_again_is_the_same(position: Position) -> None:
    assert read_position(str(position), position.rules) == position


@given(positions())
def test_a_position_shows_its_discs_where_its_diagram_has_them(position: Position) -> None:
    board = naive.read(str(position))
    cells = [(row, column) for row in range(position.rules.rows) for column in range(position.rules.columns)]
    assert all(position.disc(row, column) == board[row][column] for row, column in cells)
    assert "/".join(position.rows_from_top()) == naive.write(board)


@given(st.sampled_from(MANY), st.lists(st.integers(0, 10), max_size=60))
def test_moves_as_digits_give_the_board_of_playing_them_one_by_one(rules: Rules, columns: list[int]) -> None:
    board, side, moves = naive.empty(rules.rows, rules.columns), "X", ""
    for column in columns:
        if column < rules.columns and naive.is_open(board, column):
            board = naive.drop(board, column, side)
            moves += COLUMN_DIGITS[column]
            side = naive.OTHER[side]
            if naive.has_line(board, naive.OTHER[side], rules.connect):
                break
    position = read_position(moves or "empty", rules)
    assert str(position) == f"{naive.write(board)} {side}"
    assert position.open_columns() == [c for c in range(rules.columns) if naive.is_open(board, c)]


def test_4435_is_two_discs_in_the_middle_and_one_on_either_side() -> None:
    position = read_position("4435")
    assert str(position) == "......./......./......./......./...O.../..XXO.. X"


def test_empty_names_the_empty_board_of_any_size() -> None:
    assert read_position("empty") == Position()
    assert read_position("empty", SMALL) == Position(SMALL)
    assert str(read_position("empty", SMALL)) == "...../...../...../..... X"


def test_white_space_around_a_position_does_not_matter() -> None:
    assert read_position("  4435\n") == read_position("4435")


def test_columns_beyond_the_ninth_are_letters() -> None:
    position = read_position("9aab", Rules(10, 11, 5))
    assert str(position).endswith("/.........X./........XOO X")


def test_the_widest_board_has_a_character_for_each_of_its_64_columns() -> None:
    rules = Rules(1, 64, 64)
    position = read_position(COLUMN_DIGITS, rules)
    assert str(position) == "XO" * 32 + " X"
    assert position.result == "draw"


def test_a_full_board_one_row_high_is_read_as_a_diagram() -> None:
    assert str(read_position("XOXXOXXOO", ROW)) == "XOXXOXXOO O"
    assert str(read_position("XOXXOXXOO X", ROW)) == "XOXXOXXOO X"


def test_x_moves_when_the_counts_are_equal_and_o_when_x_is_one_ahead() -> None:
    assert read_position("......./......./......./......./......./...XO..").to_move == "first"
    assert read_position("......./......./......./......./......./..XXO..").to_move == "second"


@pytest.mark.parametrize("side", ["X", "O"])
def test_a_named_side_stands_whatever_the_counts_say(side: str) -> None:
    position = read_position(f"......./......./......./......./......./..XXXO. {side}")
    assert position.to_move == {"X": "first", "O": "second"}[side]
    assert str(position).endswith(side)


EARLY = diagram("""
    .......
    .......
    .......
    .......
    ..O....
    ..X....""")
MIDDLE = diagram("""
    .......
    .......
    .......
    ..X....
    ..OXO..
    ..OXOXX""")
COMPLEX = diagram("""
    .......
    .......
    .....X.
    ..XX.O.
    .OXOXO.
    OOXOXO.""")


@pytest.mark.parametrize(("board", "side"), [(EARLY, "first"), (MIDDLE, "second")])
def test_the_early_and_the_middle_board_of_r6_tell_whose_turn_it_is(board: str, side: str) -> None:
    assert read_position(board).to_move == side


def test_the_complex_board_of_r6_must_name_its_side_to_move() -> None:
    with pytest.raises(PositionError, match="X has 7 discs and O 8, so whose turn it is can't be told"):
        read_position(COMPLEX)
    for side, seat in (("X", "first"), ("O", "second")):
        position = read_position(f"{COMPLEX} {side}")
        assert position.to_move == seat
        assert str(position) == f"{COMPLEX} {side}"
        assert position.result is None


# ── playing, results, mirror images ──────────────────────────────────────────────────────────────


@given(positions(), st.data())
def test_a_disc_falls_to_the_lowest_empty_cell_and_the_turn_passes(position: Position, data: st.DataObject) -> None:
    board, disc = naive.read(str(position)), str(position)[-1]
    column = data.draw(st.sampled_from(position.open_columns()))
    assert str(position.play(column)) == f"{naive.write(naive.drop(board, column, disc))} {naive.OTHER[disc]}"


@given(positions(), st.data())
def test_the_result_is_what_a_scan_of_all_windows_says(position: Position, data: st.DataObject) -> None:
    assert position.result is None
    after = position.play(data.draw(st.sampled_from(position.open_columns())))
    board, connect = naive.read(str(after)), position.rules.connect
    if naive.has_line(board, "X", connect):
        assert after.result == "first"
    elif naive.has_line(board, "O", connect):
        assert after.result == "second"
    else:
        assert after.result == ("draw" if naive.is_full(board) else None)


def test_a_line_does_not_run_on_from_the_top_of_a_column_into_the_bottom_of_the_next() -> None:
    position = read_position(
        diagram("""
            .X.....
            .X.....
            .X.....
            .O.....
            .OX....
            OOX.... O""")
    )
    assert position.result is None


@pytest.mark.parametrize(
    "board",
    [
        """
        .......
        .......
        ...X...
        ...X...
        .O.X...
        OO.X...""",
        """
        .......
        .......
        .......
        .......
        .......
        OOOXXXX""",
        """
        .......
        .......
        ...X...
        ..XO...
        .XOO...
        XOOXX..""",
        """
        .......
        .......
        ...X...
        ...OX..
        ...OOX.
        ..XXOOX""",
    ],
    ids=["upwards", "across", "rising", "falling"],
)
def test_four_in_a_line_win_in_every_direction(board: str) -> None:
    text = diagram(board)
    assert read_position(f"{text} O").result == "first"
    swapped = text.translate(str.maketrans("XO", "OX"))
    assert read_position(f"{swapped} X").result == "second"


def test_a_full_board_without_a_line_is_a_draw() -> None:
    assert read_position("OXO/XOX X", Rules(2, 3, 3)).result == "draw"


@given(positions((*MANY, *MOST_LINES)), st.data())
def test_the_cells_of_lines_are_those_of_a_scan_of_all_windows(position: Position, data: st.DataObject) -> None:
    after = position.play(data.draw(st.sampled_from(position.open_columns())))
    board, connect = naive.read(str(after)), position.rules.connect
    found = {disc: naive.line_cells(board, disc, connect) for disc in "XO"}
    assert after.line_cells("first") == sorted(found["X"], key=lambda cell: cell[::-1])
    assert after.line_cells("second") == sorted(found["O"], key=lambda cell: cell[::-1])
    won = {"first": found["X"], "second": found["O"]}
    assert set(after.winning_cells()) == won.get(after.result or "", set())


def test_a_disc_that_completes_two_lines_wins_with_the_cells_of_both() -> None:
    position = read_position(
        diagram("""
            .......
            .......
            ...X...
            ..XO...
            .XOO...
            XXXX...""")
        + " O"
    )
    across, rising = [(0, 0), (0, 1), (0, 2), (0, 3)], [(0, 0), (1, 1), (2, 2), (3, 3)]
    assert set(position.winning_cells()) == {*across, *rising}


def test_nobody_has_winning_cells_before_the_end_nor_in_a_draw() -> None:
    assert read_position("121212").winning_cells() == []
    assert read_position("12121212", Rules(objective="most-lines")).winning_cells() == []
    assert read_position("OXO/XOX X", Rules(2, 3, 3)).winning_cells() == []


@given(positions())
def test_the_mirror_image_has_left_and_right_exchanged_and_twice_is_none(position: Position) -> None:
    board, side = naive.read(str(position)), str(position)[-1]
    assert str(position.mirrored()) == f"{naive.write(naive.mirrored(board))} {side}"
    assert position.mirrored().mirrored() == position


@given(positions())
def test_each_seat_sees_its_own_discs_as_mine(position: Position) -> None:
    first, second = position.seen_by("first"), position.seen_by("second")
    assert (first.mine, first.theirs) == (second.theirs, second.mine) == (position.first, position.second)
    assert first.my_turn is (position.to_move == "first")
    assert second.my_turn is (position.to_move == "second")
    assert tuple(first.rules) == (position.rules.rows, position.rules.columns, position.rules.connect, 0)


# ── where discs land that drift ──────────────────────────────────────────────────────────────────


@given(positions((*DRIFTING, *FEW)), st.data())
def test_a_disc_lands_where_the_naive_rules_say_and_as_likely(position: Position, data: st.DataObject) -> None:
    column, rules = data.draw(st.sampled_from(position.open_columns())), position.rules
    if rules.drift < 1 and rules.drift_players in ("both", position.to_move):
        expected = naive.landings(naive.read(str(position)), column, rules.drift)
    else:
        expected = [(column, 1.0)]
    outcomes = position.outcomes(column)
    assert outcomes == expected
    assert sum(likely for _, likely in outcomes) == pytest.approx(1)
    assert {landing for landing, _ in outcomes} <= set(position.open_columns())


@given(positions(DRIFTING), st.data())
def test_in_the_mirror_a_disc_drifts_to_the_other_side_as_likely(position: Position, data: st.DataObject) -> None:
    column, last = data.draw(st.sampled_from(position.open_columns())), position.rules.columns - 1
    outcomes = {last - landing: likely for landing, likely in position.outcomes(column)}
    assert dict(position.mirrored().outcomes(last - column)) == outcomes


def test_a_disc_drifts_evenly_to_its_open_neighbours() -> None:
    rules = Rules(2, 5, 3, drift=0.5)
    position = read_position("O..X./O..X. X", rules)
    assert position.outcomes(1) == [(1, 0.5), (2, 0.5)]  # the first column is full
    assert position.outcomes(2) == [(2, 0.5), (1, 0.5)]
    assert position.outcomes(4) == [(4, 1.0)]  # at the edge, beside a full column
    assert Position(rules).outcomes(2) == [(2, 0.5), (1, 0.25), (3, 0.25)]
