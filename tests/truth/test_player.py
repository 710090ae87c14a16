"""Perfect play as a player: what it chooses is the same whatever was solved before, and best where that is found."""

import pytest

from tournament.games.connect4 import STANDARD, Position, Rules, play_moves, read_position
from tournament.plan.openings import sample_openings
from tournament.truth import player
from tournament.truth.book import PLIES, book
from tournament.truth.oracle import Oracle, Question
from tournament.truth.player import PerfectPlayer, book_move
from tournament.truth.solver import LEAST_MEGABYTES

pytestmark = pytest.mark.needs_jit


@pytest.fixture(scope="module")
def positions():
    return [play_moves(Position(STANDARD), moves) for moves in sample_openings(STANDARD, 16, 24, seed=4)]


@pytest.fixture(autouse=True)
def small_tables(monkeypatch):
    for name in ("JUDGING_MB", "COUNTING_MB"):
        monkeypatch.setattr(player, name, LEAST_MEGABYTES)


def test_it_wins_soonest_and_loses_latest_and_keeps_the_value(positions):
    oracle = Oracle(Question(exact=True, megabytes=LEAST_MEGABYTES))
    perfect = PerfectPlayer(STANDARD, 10_000_000)
    for position in positions:
        truth, chosen = oracle.solve(position), perfect.choose(position)
        best = [one.move - 1 for one in truth.moves if one.value == truth.value]
        if truth.value != "draw":
            best = [move - 1 for move in truth.best]
            assert chosen.plies == truth.plies
        assert chosen.column == best[0]
        assert chosen.sign == {"win": 1, "draw": 0, "loss": -1}[truth.value]


def test_what_was_solved_before_changes_no_choice(positions):
    perfect = PerfectPlayer(STANDARD, 400)
    first = [perfect.choose(position) for position in positions]
    assert any(one.plies is None for one in first), "the number of nodes is not the matter"
    assert any(one.sign and one.plies is not None for one in first)
    again = [perfect.choose(position) for position in reversed(positions)]
    assert again[::-1] == first == [PerfectPlayer(STANDARD, 400).choose(position) for position in positions]


def test_without_the_nodes_to_count_it_plays_the_first_that_keeps_the_value(positions):
    oracle = Oracle(Question(megabytes=LEAST_MEGABYTES))
    perfect = PerfectPlayer(STANDARD, 1)
    for position in positions:
        chosen = perfect.choose(position)
        truth = oracle.solve(position)
        if chosen.plies is None:
            assert chosen.column == truth.best[0] - 1


def test_what_is_not_proven_in_time_is_not_played():
    assert PerfectPlayer(STANDARD, 1).choose(read_position("123456712345", STANDARD), 0.0) is None


def test_it_plays_other_boards():
    rules = Rules(4, 4, 3)
    oracle = Oracle(Question(rules, exact=True, use_book=False, megabytes=LEAST_MEGABYTES))
    position = Position(rules)
    assert PerfectPlayer(rules, 100_000).choose(position).column == oracle.solve(position).best[0] - 1


def test_the_book_knows_a_move_before_the_eighth_ply_alone():
    assert book_move(Position(STANDARD), range(7)).column == 3
    assert book_move(read_position("4", STANDARD), range(7)).column == 0  # every move loses
    drawn = read_position("43", STANDARD)
    for order in (range(7), range(6, -1, -1), (3, 2, 4, 1, 5, 0, 6)):
        chosen = book_move(drawn, order)
        assert chosen.sign == book().value(drawn)
        keeping = [column for column in order if -book().value(drawn.play(column)) == chosen.sign]
        assert chosen.column == keeping[0]
    for moves in ("44444412", "1" * 4 + "2" * 4):
        assert len(moves) == PLIES
        assert book_move(read_position(moves, STANDARD), range(7)) is None
