"""What a report says first, on results made by hand: no more than its tables say."""

import pytest
from test_results import by_hand, game, player, results
from test_study_tables import by_hand as study_by_hand
from test_study_tables import move, searches
from test_study_tables import results as study_results

from tournament.report.evidence import Estimate, FirstMove, Slope
from tournament.report.results import Results
from tournament.report.study import StudyResults
from tournament.report.summary import on_the_first_move, study_summary, summary

OPENINGS = [f"{one}{other}" for one in range(1, 5) for other in range(1, 5)]


def said(found: Results) -> list[str]:
    return summary(found)


def said_of(found: StudyResults) -> list[str]:
    return study_summary(found)


def won_by(winner: str, loser: str, *openings: str, depth: int = 2) -> list:
    """Pairs, one an opening, in which one player won both games; a moves first in the first, as in a plan."""
    one, other = (player(name, depth) for name in sorted((winner, loser)))
    both = ((one, other), (other, one))
    return [
        game(*seats, "first" if seats[0].name == winner else "second", opening=opening)
        for opening in openings
        for seats in both
    ]


def test_few_pairs_do_not_tell_who_is_better():
    found = results(*won_by("a", "b", "1", "2"), *won_by("b", "a", "3"))
    best, seat = said(found)
    assert best == (
        "a scored most, 4 of 6 points, but whether anybody is better can't be told: "
        "too few pairs were won by one player."
    )
    assert seat == (
        "Whoever moved first scored 50.0 % of 6 games (95 % interval 19–81 %): "
        "whether the seat was worth anything can't be told."
    )


def test_players_that_scored_the_same_are_named_together():
    found = results(*won_by("a", "b", "1"), *won_by("b", "a", "3"))
    assert said(found)[0].startswith("a and b scored most, 2 points each, but")


def test_a_verdict_counts_although_too_few_pairs_make_a_rating():
    found = results(*won_by("a", "b", *OPENINGS[:8]))
    assert said(found)[0] == (
        "a scored most, 16 of 16 points; a is better than b, by the pairs that one of the two won."
    )


def test_the_best_is_told_with_its_rating_and_those_it_beats():
    games = [*won_by("a", "b", *OPENINGS), *won_by("a", "c", *OPENINGS), *won_by("b", "c", *OPENINGS)]
    best, seat = said(results(*games))
    assert best.startswith("At depth 2 a is rated highest, +")
    assert best.endswith("), and better than everybody else.")
    assert seat.startswith("Whoever moved first scored 50.0 % of 96 games. ")
    assert "can't be told" in seat


def test_those_whom_the_best_does_not_surely_beat_are_named():
    even = [*won_by("a", "b", *OPENINGS[:9]), *won_by("b", "a", *OPENINGS[9:])]
    games = [*even, *won_by("a", "c", *OPENINGS), *won_by("b", "c", *OPENINGS)]
    assert said(results(*games))[0].endswith(": better than c; whether also than b can't be told.")


def test_equals_are_told_as_equals():
    games = [*won_by("a", "b", *OPENINGS[:8]), *won_by("b", "a", *OPENINGS[8:])]
    assert said(results(*games))[0] == (
        "At depth 2 a and b are rated highest, +0 Elo each; which of them is best can't be told."
    )


def test_each_depth_has_its_best():
    games = [*won_by("a", "b", *OPENINGS), *won_by("b", "a", *OPENINGS, depth=4)]
    best = said(results(*games))[:2]
    assert best[0].startswith("At depth 2 a is rated highest, ")
    assert best[1].startswith("At depth 4 b is rated highest, ")
    assert all(sentence.endswith(("better than b.", "better than a.")) for sentence in best)


@pytest.mark.parametrize(("result", "seat"), [("first", "first"), ("second", "second")])
def test_an_advantage_of_the_seat_is_told_where_the_interval_shows_it(result, seat):
    games = [game(*seats, result, opening=o) for o in OPENINGS for seats in (("a", "b"), ("b", "a"))]
    assert said(results(*games))[1].endswith(f"): moving {seat} was an advantage.")


FIRST = Estimate(30.4, (10, 50))
SECOND = Estimate(-30.4, (-50, -10))
OPEN = Estimate(5, (-10, 20))


@pytest.mark.parametrize(
    ("overall", "slope", "sentence"),
    [
        (FIRST, None, "Moving first was worth 30 Elo over all games."),
        (SECOND, None, "Moving second was worth 30 Elo over all games."),
        (OPEN, None, "Whether moving first is worth anything can't be told from these games."),
        (FIRST, Slope(4.0, 0.01), "…; it grows by 4.0 Elo a ply of depth (p = 0.01)."),
        (SECOND, Slope(-4.0, 0.01), "…; it shrinks by 4.0 Elo a ply of depth (p = 0.01)."),
        (FIRST, Slope(4.0, 0.2), "…; a change with depth is not resolved (+4.0 Elo a ply, p = 0.2)."),
        (OPEN, Slope(-4.0, 0.2), "…; a change with depth is not resolved (-4.0 Elo a ply, p = 0.2)."),
    ],
)
def test_what_the_first_move_is_worth_and_how_it_changes_with_depth_have_their_signs(overall, slope, sentence):
    told = on_the_first_move(FirstMove(overall, {}, {}, slope))
    assert told.endswith(sentence.removeprefix("…"))


def test_what_is_missing_or_went_wrong_is_told():
    games, _ = by_hand()
    found = results(*games, planned=10)
    assert said(found)[-2:] == [
        "Only 8 of 10 planned games have been played.",
        "1 game was forfeited, by brittany.",
    ]


def test_games_that_a_withdrawn_player_does_not_play_are_not_missing():
    played = game("a", "bad", "first", reason="forfeit", fault="bad.py:1: …")
    found = results(played, game("bad", "a", "second", reason="withdrawn", plies=0, moves=""))
    assert said(found)[-1] == "1 game was forfeited, by bad."
    assert not any("planned" in sentence for sentence in said(found))


def test_nothing_played_is_all_there_is_to_say():
    assert said(results(planned=12)) == ["No games have been played yet, of 12 that are planned."]


# ── studies ──────────────────────────────────────────────────────────────────────────────────────


def test_a_study_says_what_was_saved_and_that_all_agreed():
    assert said_of(study_by_hand()) == [
        "At depth 3 pvs, killers, table 12 saved the most, 80.1 % of the positions that minimax generates "
        "(5.04 times fewer); it was 5.00 times as fast.",
        "All 3 algorithms found the same value and the same move on all 4 positions.",
        "1 search failed: see Faults.",
        "Only 13 of 20 planned searches are done.",
    ]


def test_a_study_whose_algorithms_disagree_says_so():
    pair = [searches("minimax", 2, move(score=1.0)), searches("alphabeta", 2, move(score=2.0))]
    assert said_of(study_results(*pair))[1] == (
        "The algorithms disagree: 1 answers differ. One of the algorithms is wrong, or the evaluator is not a function."
    )


def test_where_nothing_was_saved_that_is_said():
    pair = [searches("minimax", 2, move(generated=100)), searches("alphabeta", 2, move(generated=150))]
    assert said_of(study_results(*pair))[0] == "At depth 2 no algorithm generated fewer positions than minimax."


def test_one_algorithm_alone_is_compared_with_nothing():
    assert said_of(study_results(searches("minimax", 2, move()))) == [
        "1 searches by one algorithm: there is nothing to compare them with."
    ]


def test_parts_are_told_apart():
    pairs = [
        searches(algorithm, 2, move(generated=100 if algorithm == "minimax" else 50), part=part)
        for part in ("One", "Two")
        for algorithm in ("minimax", "alphabeta")
    ]
    assert [sentence.partition(": ")[0] for sentence in said_of(study_results(*pairs))] == ["One", "One", "Two", "Two"]
