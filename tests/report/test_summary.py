"""What a report says first, on results made by hand: no more than its tables say."""

from dataclasses import replace
from itertools import permutations

import pytest
from test_results import RUN, by_hand, game, player, results
from test_study_tables import CENTRE, move, searches
from test_study_tables import by_hand as study_by_hand
from test_study_tables import results as study_results

from tournament.report.results import Results
from tournament.report.study import StudyResults
from tournament.report.summary import study_summary, summary
from tournament.store import Offer

OFFERING = RUN._replace(
    more=tuple(Offer(f"`openings: {{plies: {plies}}}`", size, 2 * size) for plies, size in ((2, 25), (4, 568)))
)
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
        "Whoever moved first from the opening scored 50.0 % of 6 games (95 % interval 4–96 %, over 3 openings): "
        "whether moving first was worth anything can't be told."
    )


def test_players_that_scored_the_same_are_named_together():
    found = results(*won_by("a", "b", "1"), *won_by("b", "a", "3"))
    assert said(found)[0].startswith("a and b scored most, 2 points each, but")


def test_a_verdict_counts_although_too_few_pairs_make_a_rating():
    found = results(*won_by("a", "b", *OPENINGS[:8]))
    assert said(found)[0] == ("a scored most, 16 of 16 points; a is better than b, by their own pairs.")


def test_the_best_is_told_with_its_rating_and_those_it_beats():
    games = [*won_by("a", "b", *OPENINGS), *won_by("a", "c", *OPENINGS), *won_by("b", "c", *OPENINGS)]
    best, seat = said(results(*games))
    assert best.startswith("At depth 2 a is rated highest, +")
    assert best.endswith("), and above everybody else.")
    assert seat.startswith("Whoever moved first scored 50.0 % of 96 games (")
    assert "can't be told" in seat


def test_those_whom_the_best_does_not_surely_beat_are_named():
    even = [*won_by("a", "b", *OPENINGS[:9]), *won_by("b", "a", *OPENINGS[9:])]
    games = [*even, *won_by("a", "c", *OPENINGS), *won_by("b", "c", *OPENINGS)]
    assert ": above c; whether also above b can't be told." in said(results(*games))[0]
    told, *_, more = said(results(*games, run=OFFERING))
    assert told.endswith("would tell it from b, if they differ as they seem to.")
    assert more.startswith("To tell more: put `openings: {plies: 4}` into the config (")


def test_equals_are_told_as_equals():
    games = [*won_by("a", "b", *OPENINGS[:8]), *won_by("b", "a", *OPENINGS[8:])]
    assert said(results(*games))[0] == (
        "At depth 2 a and b are rated highest, +0 Elo each; which of them is best can't be told."
    )


def test_many_who_are_rated_alike_are_counted():
    games = [
        game(*pair, "first" if number % 2 == (pair[0] < pair[1]) else "second", opening=opening)
        for number, opening in enumerate(OPENINGS)
        for pair in permutations("abcde", 2)
    ]
    assert said(results(*games))[0] == (
        "At depth 2, 5 players are rated highest, +0 Elo each; which of them is best can't be told."
    )


def test_what_tells_more_is_offered_where_one_opening_makes_ratings_and_where_few_make_none():
    names = "abcdefghijkl"
    rated = [game(one, other, "first" if one < "g" else "second") for one, other in permutations(names, 2)]
    found = results(*rated, run=OFFERING)
    assert found.evidence.ratings is not None
    assert said(found)[-1].startswith("To tell more: add `openings: {plies: 2}` to the config (")
    circle = (("a", "b"), ("b", "c"), ("c", "a"))
    few = [one for depth in (1, 2, 3, 4) for pair in circle for one in won_by(*pair, *OPENINGS[:2], depth=depth)]
    found = results(*few, run=OFFERING)
    assert found.evidence.decisive >= 10
    assert said(found)[-1].startswith("To tell more: put `openings: {plies: 2}` into the config (")


def test_the_time_of_short_games_is_more_than_that_of_their_searches():
    offering = OFFERING._replace(more=(Offer("`openings: {plies: 4}`", 568, 1_000_000),))
    games = [game(*seats, "first") for seats in (("a", "b"), ("b", "a"))]  # whose searches took no time
    assert said(results(*games, run=offering))[-1].endswith("(1,000,000 games, about 50 s).")


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


def test_one_opening_counts_and_says_what_would_tell():
    games = [game(*seats, "first") for seats in (("a", "b"), ("b", "a"))]
    assert said(results(*games, run=OFFERING)) == [
        "a and b scored most, 1 point each. One opening can't tell whether anybody is better.",
        "Whoever moved first won 2, drew 0 and lost 0 of 2 games. One opening can't tell whether that is the seat.",
        "To tell more: add `openings: {plies: 2}` to the config (50 games, about 1 s).",
    ]


def test_one_opening_that_is_not_the_empty_board_is_told_as_such():
    def seat(*openings: str) -> list[str]:
        games = [game(*seats, "first", opening=o) for o in openings for seats in (("a", "b"), ("b", "a"))]
        return said(results(*games))[1:]

    assert seat("444") == [
        "Whoever moved first from the opening won 0, drew 0 and lost 2 of 2 games. One opening can't tell whether that "
        "is the seat."
    ]
    assert seat("", "44") == [
        "Whoever moved first from opening 44 won 2, drew 0 and lost 0 of 2 games. One opening can't tell whether that "
        "is the seat.",
        "From the empty board, which is one opening, whoever moved first scored 100.0 % of 2 games.",
    ]


def test_without_pairs_that_is_said_and_nothing_of_the_seat():
    run = RUN._replace(seats="as-listed")
    games = [game("a", "b", "first", opening=o) for o in OPENINGS]
    assert said(results(*games, run=run)) == [
        "a scored most, 16 of 16 points; no opening was played in both seats, so that nobody can be told to be better."
    ]


def at_depths(*shares: int) -> list:
    """Games of three players at depths 1, 2, …; whoever moves first wins from so many of 16 openings, else loses."""
    return [
        game(player(one, depth), player(other, depth), "first" if number < won else "second", opening=opening)
        for depth, won in enumerate(shares, start=1)
        for number, opening in enumerate(OPENINGS)
        for one, other in permutations("abc", 2)
    ]


def test_how_moving_first_changes_with_depth_is_told():
    sentences = said(results(*at_depths(14, 12, 10, 8)))
    assert sentences[1].startswith("Whoever moved first scored 68.8 % of 384 games")
    assert sentences[2].startswith(
        "It fell by 12.5 % of the points a ply, from 87.5 % at depth 1 to 50.0 % at depth 4 (p "
    )
    odd = said(results(*at_depths(14, 6, 14, 6)))
    assert "; odd depths gave it 50.0 % of the points more than even ones (p " in odd[2]
    even = said(results(*at_depths(8, 8, 8, 8)))
    assert even[2].startswith("That it changes steadily with depth, from 50.0 % at depth 1 to 50.0 % at depth 4, can't")


def test_over_many_depths_the_seat_comes_first():
    games = [
        one
        for depth in range(1, 5)
        for one in (*won_by("a", "b", *OPENINGS, depth=depth), *won_by("a", "c", *OPENINGS, depth=depth))
    ]
    first, *_, best = said(results(*games))
    assert first.startswith("Whoever moved first scored 50.0 % of 256 games")
    assert best == "Rated highest is a at depths 1, 2, 3 and 4. 8 of 8 pairings have a verdict."


def test_who_is_better_than_the_leader_is_never_called_open():
    """A leader of the ratings that lost to another in their own pairs, as far as verdicts can say so."""
    evidence = results(*won_by("a", "b", *OPENINGS), *won_by("a", "c", *OPENINGS)).evidence
    (lost, other) = evidence.verdicts
    turned = replace(evidence, verdicts=(lost._replace(word="worse"), other))
    found = replace(results(*won_by("a", "b", *OPENINGS)), evidence=turned)
    assert "though b is better than it" in said(found)[0]
    assert "can't be told" not in said(found)[0]


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
        "Of the positions that minimax generates a board's best algorithm saved from 80.0 % on 4×5, connect 3 "
        "(pvs, killers, table 12, depth 3) to 80.2 % on 6×7, connect 4 (pvs, killers, table 12, depth 3).",
        "All 3 algorithms found the same value on all 6 positions, counted depth by depth; on 6 of them another order "
        "of moves chose another move of that value.",
        "1 search failed: see Faults.",
        "Only 19 of 20 planned searches are done.",
    ]


def test_a_study_whose_algorithms_disagree_says_so():
    pair = [searches("minimax", 2, move(score=1.0)), searches("alphabeta", 2, move(score=2.0))]
    assert said_of(study_results(*pair))[1] == (
        "The algorithms disagree: 1 answer differs. One of the algorithms is wrong, or the evaluator is not a function."
    )


def test_the_fastest_is_named_where_it_is_another_than_the_one_that_saved_most():
    found = study_results(
        searches("minimax", 2, move(generated=1000, seconds=1.0)),
        searches("alphabeta", 2, move(generated=300, seconds=0.02)),
        searches("pvs", 2, move(generated=200, seconds=0.03)),
    )
    assert said_of(found)[0] == (
        "At depth 2 pvs saved the most, 80.0 % of the positions that minimax generates (5.00 times fewer); "
        "alphabeta was the fastest, 50.00 times as fast as minimax."
    )


def test_another_move_of_the_same_value_is_not_called_the_same_move():
    found = study_results(searches("alphabeta", 2, move(chosen=0)), searches(CENTRE, 2, move(chosen=3)))
    assert said_of(found)[1] == (
        "Both algorithms found the same value on the one position; on 1 of them another order of moves chose another "
        "move of that value."
    )


def test_one_position_at_two_depths_is_not_called_two_positions():
    four = [searches(name, depth, move(chosen=0)) for depth in (2, 3) for name in ("minimax", "alphabeta")]
    assert said_of(study_results(*four))[1] == (
        "Both algorithms found the same value and the same move on all 2 positions, counted depth by depth."
    )


def test_where_nothing_was_saved_that_is_said():
    pair = [searches("minimax", 2, move(generated=100)), searches("alphabeta", 2, move(generated=150))]
    assert said_of(study_results(*pair))[0] == "At depth 2 no algorithm generated fewer positions than minimax."


def test_one_algorithm_alone_is_compared_with_nothing():
    assert said_of(study_results(searches("minimax", 2, move()))) == [
        "1 search by one algorithm, and nothing to compare with."
    ]


def test_parts_are_told_apart():
    pairs = [
        searches(algorithm, 2, move(generated=100 if algorithm == "minimax" else 50), part=part)
        for part in ("One", "Two")
        for algorithm in ("minimax", "alphabeta")
    ]
    assert [sentence.partition(": ")[0] for sentence in said_of(study_results(*pairs))] == ["One", "One", "Two", "Two"]
