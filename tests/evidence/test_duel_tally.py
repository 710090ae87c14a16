"""The pairs of a duel: in the order of the suite, those that meet once, and two that play alike found out."""

from __future__ import annotations

from tournament.evidence.duel import ENOUGH_ALIKE, DuelTally
from tournament.evidence.sprt import Terms


def tally_of(*pairs: tuple[tuple[str, str], tuple[str, str]]) -> DuelTally:
    """A tally of whole pairs: result and moves of the game that NEW began, and of the one that OLD began."""
    tally = DuelTally("new", [str(place) for place in range(len(pairs))], Terms())
    for place, ((result, moves), (other, others)) in enumerate(pairs):
        tally.add(str(place), "new", result, moves)
        tally.add(str(place), "old", other, others)
    return tally


def test_pairs_are_judged_in_the_order_of_the_suite():
    tally = DuelTally("new", ["a", "b"], Terms())
    tally.add("b", "new", "first", "1")
    tally.add("b", "old", "second", "2")
    tally.add("a", "new", "draw", "3")
    assert tally.counts == [0, 0, 0, 0, 0]  # the pair of `a` is not whole
    tally.add("a", "old", "first", "4")
    assert tally.counts == [0, 1, 0, 0, 1]
    assert tally.pairs == 2


def test_which_game_of_a_pair_is_finished_first_does_not_matter():
    tally = DuelTally("new", ["a", "b"], Terms())
    tally.add("a", "old", "second", "2")
    tally.add("a", "new", "first", "1")
    tally.add("b", "new", "first", "3")
    tally.add("b", "old", "second", "1")  # the board of another seat: no repeat
    assert tally.counts == [0, 0, 0, 0, 2]


def test_pairs_whose_games_meet_count_once_as_they_did_on_average():
    won, lost = (("first", "123"), ("second", "45")), (("second", "6"), ("first", "54"))
    met_and_split, met_and_won = (("first", "321"), ("first", "7")), (("first", "321"), ("second", "77"))
    met_and_drawn = (("first", "321"), ("draw", "7"))
    assert tally_of(won, lost).counts == [1, 0, 0, 0, 1]
    assert tally_of(won, met_and_won, lost).counts == [1, 0, 0, 0, 1]
    assert tally_of(won, met_and_split, lost).counts == [1, 0, 0, 1, 0]
    assert tally_of(met_and_split, won, lost).counts == [1, 0, 0, 1, 0]
    assert tally_of(won, met_and_drawn, lost).counts == [1, 0, 0, 1, 0]  # between 1½ and 2 the nearer to 1
    assert tally_of(won, met_and_split, lost).pairs == 3


def test_a_pair_that_meets_two_others_joins_them():
    one, other = (("first", "123"), ("second", "45")), (("first", "66"), ("second", "77"))
    between = (("first", "321"), ("second", "77"))
    assert tally_of(one, other).counts == [0, 0, 0, 0, 2]
    assert tally_of(one, other, between).counts == [0, 0, 0, 0, 1]


def test_two_that_always_make_the_same_moves_are_found_out_after_a_few_pairs():
    alike = [(("first", moves), ("first", moves)) for moves in map("1".__mul__, range(1, ENOUGH_ALIKE + 20))]
    tally = tally_of(*alike)
    assert tally.plays_the_same
    assert tally.is_over
    assert tally.pairs == ENOUGH_ALIKE
    differ = (("first", "2"), ("first", "3"))
    assert not tally_of(*alike[: ENOUGH_ALIKE - 1], differ, *alike[ENOUGH_ALIKE:]).plays_the_same


def test_nothing_played_is_not_the_same_game():
    assert not DuelTally("new", ["a"], Terms()).plays_the_same
    assert not DuelTally("new", [], Terms()).plays_the_same
