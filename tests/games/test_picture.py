"""What the page draws of a position."""

from tournament.games.connect4 import board_text, read_position, told_position


def test_the_last_disc_is_marked_where_it_lies():
    told = told_position(read_position("4435"), "4435", last=3)
    assert told["last"] == [1, 3], "the second from the bottom"
    assert told["board"] == board_text(read_position("4435"))
    assert told["board"].endswith("/...O.../..XXO..")


def test_nothing_is_marked_and_everything_open_on_an_empty_board():
    told = told_position(read_position("empty"))
    assert (told["last"], told["line"], told["result"]) == (None, [], None)
    assert told["open"] == list(range(7))
