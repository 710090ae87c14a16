"""The solver against plain minimax to the end, on boards that are small enough for it."""

import random
from functools import cache
from itertools import islice

import naive
import pytest
from hypothesis import given
from strategies import positions

from tournament.engine.jit.specialise import JIT_DISABLED
from tournament.errors import TourneyError
from tournament.games.connect4 import DISC, STANDARD, Position, Rules, canonical, has_line, read_position
from tournament.truth.compiled import plain
from tournament.truth.oracle import Oracle, Question
from tournament.truth.solver import LEAST_MEGABYTES, Solver
from tournament.truth.verdict import VALUE_OF_SIGN, MoveTruth, of_moves, plies_to_end

SMALL = (Rules(4, 4, 3), Rules(4, 4, 4), Rules(3, 5, 3))  # each is compiled once
ODD = (*SMALL, Rules(5, 4, 4), Rules(4, 5, 4), Rules(1, 9, 3), Rules(6, 2, 4), Rules(2, 6, 2), Rules(5, 5, 5))
LEFT = 6 if JIT_DISABLED else 10  # empty cells, at most, of positions that are solved by plain minimax


@cache
def oracle(rules, **more):
    return Oracle(Question(rules, megabytes=LEAST_MEGABYTES, use_book=False, **more))


def naively(position):
    """The value and the plies to the end of each open column by plain minimax."""
    found = {}
    for column in position.open_columns():
        after = position.play(column)
        if after.result is not None:
            found[column + 1] = (0 if after.result == "draw" else 1, 1)
            continue
        board, side = str(after).split()
        value, plies = naive.perfect(board, side, position.rules.connect)
        found[column + 1] = (-value, plies + 1)
    return found


def agrees(position):
    expected = naively(position)
    exact = oracle(position.rules, exact=True).solve(position)
    weak = oracle(position.rules).solve(position)
    assert {one.move: (one.value, one.plies) for one in exact.moves} == {
        move: (VALUE_OF_SIGN[value], plies) for move, (value, plies) in expected.items()
    }
    assert [(one.move, one.value, one.plies) for one in weak.moves] == [
        (one.move, one.value, None) for one in exact.moves
    ]
    value, plies = naive.perfect(*str(position).split(), position.rules.connect)
    assert (exact.value, exact.plies, weak.value) == (VALUE_OF_SIGN[value], plies, VALUE_OF_SIGN[value])
    assert exact.to_move == DISC[position.to_move]


def late(rules, left):
    return positions((rules,)).filter(
        lambda position: position.result is None and (position.rules.full & ~position.occupied).bit_count() <= left
    )


@pytest.mark.parametrize("rules", SMALL, ids=lambda rules: rules.described)
def test_it_agrees_with_plain_minimax(rules):
    @given(late(rules, LEFT))
    def check(position):
        agrees(position)

    check()


def test_it_agrees_on_odd_boards(long):
    if not long:
        pytest.skip("each board is compiled: pytest --long")
    for rules in ODD:

        @given(late(rules, 12))
        def check(position):
            agrees(position)

        check()


@pytest.mark.parametrize("connect", [3, 4])
def test_every_position_of_a_board_of_16_cells_agrees(connect, long):
    """Each that can be reached by moves; in short, every so many of those with few empty cells."""
    rules = Rules(4, 4, connect)
    seen, waiting = set(), [Position(rules)]
    while waiting:
        position = waiting.pop()
        for column in position.open_columns():
            after = position.play(column)
            if after.result is None and after not in seen:
                seen.add(after)
                waiting.append(after)
        if not long and len(seen) > 3_000:
            break
    chosen = sorted(seen, key=lambda each: (each.first, each.second))
    few = [each for each in chosen if (rules.full & ~each.occupied).bit_count() <= LEFT]
    for position in chosen if long else islice(few, 0, None, len(few) // 30 + 1):
        agrees(position)


@given(late(SMALL[0], LEFT))
def test_the_mirror_image_has_the_mirrored_values(position):
    moves = oracle(position.rules, exact=True).solve(position).moves
    mirrored = oracle(position.rules, exact=True).solve(position.mirrored()).moves
    assert [(one.value, one.plies) for one in moves] == [(one.value, one.plies) for one in reversed(mirrored)]


@given(late(SMALL[1], LEFT))
def test_a_budget_makes_a_value_unknown_and_never_another(position):
    proven = oracle(position.rules).solve(position)
    for nodes in (1, 5, 50):
        found = oracle(position.rules, nodes=nodes).solve(position)
        for one, other in zip(found.moves, proven.moves, strict=True):
            assert one.value in ("unknown", other.value)
        assert found.value in ("unknown", proven.value)


def test_a_budget_of_one_node_proves_nothing_of_an_empty_board():
    found = oracle(SMALL[1], nodes=1).solve(Position(SMALL[1]))
    assert (found.value, found.plies, {one.value for one in found.moves}, found.best) == (
        "unknown",
        None,
        {"unknown"},
        (),
    )


def test_a_budget_of_no_time_proves_nothing_either():
    found = oracle(SMALL[1], seconds=1e-9).solve(Position(SMALL[1]))
    assert found.value == "unknown"


@pytest.mark.needs_jit
@pytest.mark.parametrize(
    ("columns", "rows", "sign"),
    [(4, 4, 0), (5, 4, 0), (6, 4, -1), (7, 4, 0), (8, 4, -1), (5, 5, 0), (6, 5, 0), (7, 5, 0), (4, 6, 0), (5, 6, 0),
     (6, 6, -1)],
)  # fmt: skip
def test_empty_boards_are_worth_what_others_have_found(columns, rows, sign, long):
    if (columns, rows) != (4, 4) and not long:
        pytest.skip("each board is compiled: pytest --long")
    assert Solver(Rules(rows, columns)).score(Position(Rules(rows, columns))) == sign


@pytest.mark.needs_jit
def test_the_columns_of_the_empty_board_have_the_scores_that_others_have_found(long):
    if not long:
        pytest.skip("minutes: pytest --long")
    found = Solver(STANDARD)
    scores = [-(found.score(Position().play(column), exact=True) or 0) for column in range(7)]
    assert scores == [-2, -1, 0, 1, 0, -1, -2]


def test_plies_to_the_end_of_a_score():
    assert [plies_to_end(1, plies, 42) for plies in (0, 1)] == [41, 41]  # with disc 41, and with disc 42
    assert [plies_to_end(-1, plies, 42) for plies in (0, 1)] == [42, 40]
    assert plies_to_end(0, 10, 42) == 32
    assert plies_to_end(18, 6, 42) == 1  # the fourth disc wins


def move(column, value, plies=None):
    return MoveTruth(column, value, plies)


def test_a_position_is_worth_what_its_moves_say():
    assert of_moves((move(1, "loss", 4), move(2, "draw", 9))) == ("draw", 9)
    assert of_moves((move(1, "loss", 4), move(2, "loss", 8))) == ("loss", 8)
    assert of_moves((move(1, "win", 3), move(2, "win", 5))) == ("win", 3)
    assert of_moves((move(1, "win", 3), move(2, "unknown"))) == ("win", None)  # the other may be sooner
    assert of_moves((move(1, "draw", 3), move(2, "unknown"))) == ("unknown", None)
    assert of_moves((move(1, "loss", 3), move(2, "unknown"))) == ("unknown", None)


NOT_KNOWN = {
    "takes 90 bits": Rules(9, 9),
    "most lines win": Rules(objective="most-lines"),
    "discs drift": Rules(drift=0.9),
}


@pytest.mark.parametrize("message", NOT_KNOWN)
def test_what_it_does_not_know_is_one_sentence(message):
    with pytest.raises(TourneyError, match=message) as told:
        Solver(NOT_KNOWN[message])
    assert "the solver knows" in str(told.value)


def test_a_table_that_is_too_small_is_one_sentence():
    with pytest.raises(TourneyError, match="at least 32"):
        Solver(SMALL[0], 1)


def test_a_position_that_is_decided_is_one_sentence():
    with pytest.raises(TourneyError, match="the game is over"):
        oracle(SMALL[0]).solve(read_position("11223", Rules(4, 4, 3)))


def test_what_a_number_of_nodes_proves_does_not_depend_on_what_was_solved_before():
    limited = Oracle(Question(SMALL[1], nodes=1_500, megabytes=LEAST_MEGABYTES, use_book=False))
    moves = [limited.solve(Position(SMALL[1])).moves for _ in range(5)]
    assert all(each == moves[0] for each in moves)


def test_the_table_keeps_two_positions_of_a_bucket_and_gives_up_the_one_that_was_less_work():
    solver = Solver(SMALL[1], LEAST_MEGABYTES)
    state, look_up, keep = solver._state, solver._parts["look_up"], solver._parts["keep"]
    one, other, third = (number << int(state.buckets) | 5 for number in (1, 2, 3))
    keep(state, one, -1, 2, 9)
    keep(state, other, 0, 0, 3)
    assert look_up(state, one) != look_up(state, other) != 0
    assert look_up(state, third) == 0
    keep(state, third, 1, 1, 5)
    assert (look_up(state, one) != 0, look_up(state, other), look_up(state, third) != 0) == (True, 0, True)


def test_positions_that_differ_have_keys_that_differ():
    rules = SMALL[1]
    key_of = Solver(rules, LEAST_MEGABYTES)._parts["key_of"]
    reached = {Position(rules)}
    for _ in range(5):
        reached = {position.play(column) for position in reached for column in position.open_columns()}
    keys = {key_of(position.mover, position.occupied, 5) for position in reached}
    assert len(keys) == len({canonical(position) for position in reached})


@pytest.mark.parametrize(
    ("rows", "columns", "connect", "density"),
    [
        (6, 7, 4, 0.4),
        (1, 32, 30, 0.97),
        (20, 3, 4, 0.6),
        (2, 21, 4, 0.5),
        (4, 4, 3, 0.4),
        (9, 6, 6, 0.6),
        (1, 20, 5, 0.7),
    ],
)
def test_winning_cells_are_those_whose_disc_makes_a_line(rows, columns, connect, density):
    rules, chance = Rules(rows, columns, connect), random.Random(1)
    cells = [1 << column * rules.stride + row for column in range(columns) for row in range(rows)]
    found = 0
    while not found:
        discs = sum(cell for cell in cells if chance.random() < density)
        if not has_line(discs, rules.stride, columns, connect):
            wanted = {cell for cell in cells if has_line(discs | cell, rules.stride, columns, connect)}
            found = plain(rows, columns, connect)["winning"](discs, rules.full & ~discs)
            assert found == sum(wanted)
