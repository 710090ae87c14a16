"""Openings that perfect play wins, draws or loses for whoever moves next."""

import pytest

from tournament.errors import OpeningError, TourneyError
from tournament.games.connect4 import STANDARD, Position, Rules, every_opening, play_moves
from tournament.plan.openings import make_suite, of_value, parse_suite, read_openings
from tournament.plan.planning import make_plan
from tournament.plan.reading import read_config
from tournament.runs.offers import offers
from tournament.truth.oracle import Oracle, Question
from tournament.truth.solver import LEAST_MEGABYTES

PLY_4 = {"win": 690, "draw": 200, "loss": 230}  # of all 1,120 positions, mirror images included


def positions(suite):
    return [play_moves(Position(STANDARD), moves) for moves in suite]


@pytest.mark.parametrize("value", PLY_4)
def test_the_openings_of_four_plies_fall_apart_as_others_have_published(value):
    suite = make_suite(STANDARD, 4, None, 1, value)
    assert sum(1 if one == one.mirrored() else 2 for one in positions(suite)) == PLY_4[value]
    assert set(suite) < set(every_opening(STANDARD, 4))
    assert len(suite) == {"win": 349, "draw": 101, "loss": 118}[value]


def test_the_value_is_that_of_the_player_who_moves_next():
    oracle = Oracle(Question())
    for value in PLY_4:
        for position in positions(make_suite(STANDARD, 3, None, 1, value)):
            assert oracle.solve(position).value == value


def test_a_sample_has_as_many_as_were_asked_for_and_all_of_the_value():
    suite = parse_suite("plies=6,sample=20,value=draw", STANDARD, 1)
    assert len(suite) == len(set(suite)) == 20
    assert suite == make_suite(STANDARD, 6, 20, 1, "draw")
    assert of_value(suite, STANDARD, "draw") == suite
    with pytest.raises(OpeningError, match="only 2 different openings of 1 plies that are won were found"):
        make_suite(STANDARD, 1, 3, 1, "win")


@pytest.mark.needs_jit
def test_openings_of_other_boards_and_more_plies_are_solved():
    rules = Rules(4, 4, 3)
    oracle = Oracle(Question(rules, use_book=False, megabytes=LEAST_MEGABYTES))
    values = {moves: oracle.solve(play_moves(Position(rules), moves)).value for moves in every_opening(rules, 3)}
    assert set(values.values()) == {"win", "loss"}
    for value in ("win", "loss"):
        assert list(make_suite(rules, 3, None, 1, value)) == [moves for moves in values if values[moves] == value]


def test_a_file_is_played_as_far_as_it_has_the_value(tmp_path):
    path = tmp_path / "openings.txt"
    path.write_text("4\nempty\n44\n1\n7\n")
    suite = of_value(read_openings(path, STANDARD), STANDARD, "win")
    assert list(suite) == ["", "44", "1"]
    assert suite.note == "of 4 openings 3 are won by perfect play, and played"
    assert list(parse_suite(f"file={path},value=loss", STANDARD, 1)) == ["4"]


def test_what_can_not_be_had_is_told():
    with pytest.raises(OpeningError, match="value `drew` is not known; did you mean `draw`"):
        parse_suite("plies=2,value=drew", STANDARD, 1)
    with pytest.raises(TourneyError, match="perfect play is not known here"):
        parse_suite("plies=2,value=draw", Rules(objective="most-lines"), 1)
    with pytest.raises(OpeningError, match="of the 1 opening of 0 plies none is drawn by perfect play"):
        make_suite(STANDARD, 0, None, 1, "draw")


def test_a_config_with_a_value_says_what_was_promised_and_offers_no_other(tmp_path):
    (tmp_path / "c.yaml").write_text("players: [windows, runs]\ndepths: [1]\nopenings: {plies: 2, value: draw}\n")
    plan = make_plan(read_config(tmp_path / "c.yaml"))
    assert plan.truths == dict.fromkeys(plan.openings, "draw")
    assert [offer.lines for offer in offers(plan)] == [
        "`openings: {plies: 3, value: draw}`",
        "`openings: {plies: 4, value: draw}`",
    ]


def test_the_command_lists_them(tourney):
    code, out, err = tourney("openings", "plies=2,value=draw")
    assert code == 0
    assert out.split() == list(make_suite(STANDARD, 2, None, 1, "draw"))
    assert "openings" in err
    code, _, err = tourney("openings", "plies=2,value=drawn")
    assert (code, "did you mean `draw`" in err) == (2, True)
