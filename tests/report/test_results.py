"""What the tables say, on games made by hand, and how they look: golden texts; `pytest --update-golden` makes them."""

import io
import re
from dataclasses import replace
from itertools import count
from typing import Any

import pytest
from folders import GOLDEN
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console
from tables import records

import tournament
from tournament.cli.tables import as_text
from tournament.engine.settings import Effort, Settings
from tournament.evidence.intervals import branching_factor
from tournament.games.connect4 import STANDARD, Rules
from tournament.report.competitors import Competitor, Level
from tournament.report.formats.markdown import markdown
from tournament.report.results import Results, results_of
from tournament.report.table import Table, shown_cell
from tournament.report.tables import (
    cost_tables,
    crosstable,
    first_player_tables,
    games_table,
    provenance_table,
    standings_tables,
    tables,
)
from tournament.report.tally import tally_of
from tournament.store import Cost, StoredGame, StoredMove, StoredPlayer, StoredRun

pytestmark = pytest.mark.charts


RUN = StoredRun(
    number=1,
    started="2026-01-02 03:04:05+00:00",
    ended="2026-01-02 03:04:06+00:00",
    title="Made by hand",
    config="players: …",
    config_file="configs/hand.yaml",
    command="tourney run configs/hand.yaml",
    seed=1,
    rules=STANDARD,
    jobs=2,
    versions={"Python": "3.11.0", "tourney": "0.1.0"},
    machine="an abacus, 2 cores, Linux",
)
BOTH = RUN._replace(seats="both")


def player(name: str, limit: int | Settings = 2, **more: Any) -> StoredPlayer:
    """A player with a depth or with all of its settings; its key is its name and limit."""
    settings = Settings(limit) if isinstance(limit, int) else limit
    told = {
        "evaluator": "windows",
        "description": "",
        "source_hash": "0123456789abcdef" * 4,
        "compiled": True,
        "reason": None,
    }
    return StoredPlayer(key=f"{name} {settings.limit}", name=name, settings=settings, **told | more)


NUMBERS = count()


def moves() -> str:
    """Moves that lead to another board each time, so that no game repeats another: a bit a disc of two columns."""
    number = next(NUMBERS)
    return "".join(("12", "21", "34", "43", "56", "65")[place // 6 * 2 + (number >> place & 1)] for place in range(18))


def game(first: StoredPlayer | str, second: StoredPlayer | str, result: str, **more: Any) -> StoredGame:
    """A game between players, who search to depth 2 unless told otherwise."""
    seats = [player(side) if isinstance(side, str) else side for side in (first, second)]
    told = {
        "id": "0123456789abcdef",
        "opening": "",
        "seed": 1,
        "reason": "full board" if result == "draw" else "line",
        "fault": None,
        "plies": 42 if result == "draw" else 7,
        "moves": moves(),
        "distinct": True,
        "first_cost": Cost(),
        "second_cost": Cost(),
    }
    return StoredGame(first=seats[0], second=seats[1], result=result, **told | more)


def results(
    *games: StoredGame,
    planned: int | None = None,
    superseded: int = 0,
    run: StoredRun = RUN,
    moves: list[StoredMove] | None = None,
) -> Results:
    """What these games say; with these moves of the longest of them."""
    players = {side.key: side for game in games for side in (game.first, game.second)}
    tally = tally_of(run)
    for one in games:
        tally.add(one)
    planned = len(games) if planned is None else planned
    return results_of(tally, run, players, planned=planned, superseded=superseded, moves=lambda _: moves or [])


def table_of(tables: list[Table], title: str) -> dict[str, dict[str, Any]]:
    """The rows of the table with that title, by what stands in their first cell."""
    (table,) = [table for table in tables if table.title == title]
    return {row[0]: record for row, record in zip(table.values, records(table), strict=True)}


# ── standings and crosstable ─────────────────────────────────────────────────────────────────────

THREE = (  # everybody against everybody in both seats: a wins all but one, b and c win one each
    game("a", "b", "first"),
    game("b", "a", "second"),
    game("a", "c", "first"),
    game("c", "a", "first"),
    game("b", "c", "draw"),
    game("c", "b", "second"),
)


def test_standings_count_games_points_and_seats():
    (table,) = standings_tables(results(*THREE).scores)
    assert table.title == "Standings, depth 2"
    assert [column.name for column in table.columns] == [
        *("player", "played", "won", "drawn", "lost", "points", "won as first", "won as second")
    ]
    assert table.values == [
        ("a", 4, 3, 0, 1, 3.0, 2, 1),
        ("b", 4, 1, 1, 2, 1.5, 0, 1),
        ("c", 4, 1, 1, 2, 1.5, 1, 0),
    ]


def test_points_of_all_players_are_the_games_played():
    scores = results(*THREE).standings["all"].values()
    assert sum(score.points for score in scores) == len(THREE)
    assert sum(score.played for score in scores) == 2 * len(THREE)


def test_standings_are_told_for_each_depth_and_over_all():
    four = (player("a", 4), player("b", 4))
    tables = standings_tables(
        results(*THREE, game(*four, "second"), game(player("a", 10), player("b", 10), "draw")).scores
    )
    assert [table.title for table in tables] == [
        *("Standings, all depths", "Standings, depth 2", "Standings, depth 4", "Standings, depth 10")
    ]
    assert tables[2].values == [("b", 1, 1, 0, 0, 1.0, 0, 1), ("a", 1, 0, 0, 1, 0.0, 0, 0)]
    assert tables[0].values[0] == ("a", 6, 3, 1, 2, 3.5, 2, 1)


def at(limit: Settings, result: str = "first", **more: Any) -> StoredGame:
    """A game of a and b, both with these settings."""
    return game(player("a", limit), player("b", limit), result, **more)


LIMITS = [Settings(10), Settings(nodes=3000), Settings(seconds=0.05), Settings(2), Settings(nodes=200)]  # in no order


def test_standings_are_told_by_depths_then_nodes_then_seconds():
    tables = standings_tables(results(*map(at, LIMITS), game(player("a", 2), player("b", LIMITS[1]), "second")).scores)
    levels = ["all depths", "depth 2", "2 v 3,000 nodes", "depth 10", "200 nodes", "3,000 nodes", "0.05 s"]
    assert [table.title.removeprefix("Standings, ") for table in tables] == levels
    assert [row[0] for row in tables[2].values] == ["b (3,000 nodes)", "a (2)"]


def test_one_budget_is_one_table_of_standings():
    assert [table.title for table in standings_tables(results(at(LIMITS[1])).scores)] == ["Standings, 3,000 nodes"]


def test_other_options_do_not_make_another_level():
    searching = Settings(2, "pvs", "killers", table=12)
    found = results(game(player("a", 2), player("b", searching), "first"))
    assert [table.title for table in standings_tables(found.scores)] == ["Standings, depth 2"]
    assert set(found.standings["all"]) == {"a", "b"}


def test_the_crosstable_has_the_points_of_each_against_each():
    table = crosstable(results(*THREE).scores)
    assert [column.name for column in table.columns] == ["points of", "against a", "against b", "against c", "in all"]
    assert table.values == [
        ("a", None, "2 of 2", "1 of 2", 3.0),
        ("b", "0 of 2", None, "1.5 of 2", 1.5),
        ("c", "1 of 2", "0.5 of 2", None, 1.5),
    ]


def test_the_crosstable_leaves_open_who_did_not_meet():
    table = crosstable(results(game("a", "b", "first"), game("a", "c", "first")).scores)
    assert table.values == [
        ("a", None, "1 of 1", "1 of 1", 2.0),
        ("b", "0 of 1", None, None, 0.0),
        ("c", "0 of 1", None, None, 0.0),
    ]


def test_players_at_different_depths_are_named_with_them():
    mixed = game(player("a", 2), player("b", 8), "second"), game(player("b", 8), player("a", 2), "first")
    found = results(game("a", "b", "first"), *mixed)
    assert [table.title for table in standings_tables(found.scores)] == [
        *("Standings, all depths", "Standings, depth 2", "Standings, depth 2 v 8")
    ]
    assert table_of(standings_tables(found.scores), "Standings, depth 2 v 8")["b (8)"]["points"] == 2
    assert set(found.standings["all"]) == {"a", "b", "a (2)", "b (8)"}
    assert table_of([crosstable(found.scores)], "Crosstable")["b (8)"]["against a (2)"] == "2 of 2"


def test_a_player_against_itself_at_another_depth_is_two_players():
    found = results(game(player("a", 1), player("a", 3), "second"), game(player("a", 3), player("a", 1), "first"))
    assert table_of(standings_tables(found.scores), "Standings, depth 1 v 3")["a (3)"]["won"] == 2
    assert found.scores.against[Competitor("a", Effort("depth", 3)), Competitor("a", Effort("depth", 1))].points == 2
    assert records(games_table([game(player("a", 1), player("a", 3), "second")], 1))[0]["winner"] == "second"


def test_a_forfeit_counts_as_lost_and_is_told():
    found = results(game("a", "b", "second", reason="forfeit", fault="b.py:1: …"))
    assert found.standings["2"]["b"].points == 1
    assert found.forfeits == 1
    assert ("forfeits", "1") in provenance_table(found).rows
    assert records(games_table([game("a", "b", "second", reason="forfeit")], 1))[0]["winner"] == "b (forfeit)"


def test_a_repeated_game_is_counted_once_but_its_cost_was_paid():
    cost = Cost(moves=4, depths=8, generated=28, expanded=4, evaluated=20, cutoffs=1, seconds=0.05, cpu_seconds=0.05)
    once = game("a", "b", "first", first_cost=cost)
    found = results(once, once._replace(distinct=False), game("b", "a", "first"))
    assert (found.played, found.distinct) == (3, 2)
    assert found.standings["2"]["a"].played == 2
    assert found.seats.overall.games == 2
    assert found.seats.overall.by_seat == 1
    assert found.cost["a 2"].generated == 56
    assert ("games", "3 of 3 played, 2 distinct") in provenance_table(found).rows


def test_a_store_without_games_has_no_tables_but_how_it_was_made():
    assert [table.title for table in tables(results(planned=12))] == ["How it was made"]
    assert ("games", "0 of 12 played, 0 distinct") in provenance_table(results(planned=12)).rows


# ── first-player advantage ───────────────────────────────────────────────────────────────────────


def test_the_first_player_table_counts_seats_by_depth_by_player_and_over_all():
    four = game(player("a", 4), player("b", 4), "second")
    found = table_of(first_player_tables(results(*THREE, four)), "First-player advantage")
    assert list(found) == ["depth 2", "depth 4", "all", "a", "b", "c"]
    seats = {name: (row["mover won"], row["drawn"], row["mover lost"]) for name, row in found.items()}
    assert seats == {
        "depth 2": (3, 1, 2),
        "depth 4": (0, 0, 1),
        "all": (3, 1, 3),
        "a": (3, 0, 2),
        "b": (1, 1, 3),
        "c": (2, 1, 1),
    }
    assert found["all"]["mover scored"] == 3.5 / 7
    assert found["all"]["95 % by opening"] is None, "one opening has none"


def test_after_an_odd_opening_the_second_player_moves_first():
    games = [game(*seats, "first", opening=o) for o in ("444", "445") for seats in (("a", "b"), ("b", "a"))]
    found = results(*games).seats.overall
    assert (found.first_won, found.second_won, found.by_seat, found.otherwise) == (0, 4, 0, 2)
    assert found.interval[1] < 1


def test_a_game_that_comes_to_the_board_of_another_is_no_evidence_but_counts_in_the_standings():
    both = (("a", "b"), ("b", "a"))
    first, second = moves(), moves()
    repeated = [
        game(*seats, "first", opening="12", moves=moved) for seats, moved in zip(both, (first, second), strict=True)
    ]
    repeated += [game(*seats, "first", opening="34", moves=m) for seats, m in zip(both, (first, moves()), strict=True)]
    found = results(*repeated, run=BOTH)
    assert (found.played, found.distinct, found.seats.overall.games) == (4, 3, 2)
    assert found.standings["2"]["a"].played == 4
    (verdict,) = found.evidence.verdicts
    assert (verdict.pairs, len(verdict.pairing.margins)) == (2, 1), "one cluster"


def test_games_that_repeat_in_one_seat_alone_say_nothing_of_the_seat():
    """A player wins all it plays: the same four games where it begins, one of its own for each opening elsewhere."""
    again = [moves() for _ in range(4)]
    games = [
        game(*seats, result, opening=f"{number // 7 + 1}{number % 7 + 1}", moves=moved)
        for number in range(40)
        for seats, result, moved in ((("a", "b"), "first", again[number % 4]), (("b", "a"), "second", moves()))
    ]
    found = results(*games, run=BOTH)
    assert (found.distinct, found.seats.overall.games) == (44, 8)
    assert (found.seats.overall.score, found.first_player.word) == (0.5, "can't tell")
    listed = results(*games)  # as they were listed
    assert listed.seats.overall.games == 44
    assert not listed.first_player.can_be_said, "44 games, 4 of which a began"


@given(st.lists(st.tuples(*[st.tuples(st.integers(0, 5), st.sampled_from(["first", "draw", "second"]))] * 2)))
def test_both_players_begin_as_many_of_the_games_that_count_for_the_seat(ends):
    """Pairs whose games end on some of six boards, some of which meet others."""
    boards = ["1122", "112233", "11223344", "3344", "334455", "33445566"]
    found = results(
        *(
            game(*seats, result, opening=f"{number:04}".translate(DIGITS), moves=boards[end])
            for number, pair in enumerate(ends)
            for seats, (end, result) in zip((("a", "b"), ("b", "a")), pair, strict=True)
        ),
        run=BOTH,
    ).seats
    assert found.are_balanced
    pairs = found.overall.by_seat + found.overall.by_player + found.overall.otherwise
    assert found.overall.games == 2 * pairs == sum(games for _, games in found.overall.by_opening.values())
    assert pairs >= bool(ends)


DIGITS = str.maketrans("0123456789", "1234567777")


def test_the_empty_board_stands_beside_other_openings():
    both = (("a", "b"), ("b", "a"))
    games = [game(*seats, "first", opening=o) for o in ("", "12", "34") for seats in both]
    one, empty = first_player_tables(results(*games))
    assert (one.title, empty.title) == ("First-player advantage", "First-player advantage, empty board")
    assert [records(table)[0]["mover won"] for table in (one, empty)] == [4, 2]
    assert records(empty)[0]["95 % by opening"] is None
    (alone,) = first_player_tables(results(*games[:2]))
    assert records(alone)[0]["mover won"] == 2


def test_where_not_every_pairing_played_both_seats_nothing_is_said_of_the_seat():
    games = [game("a", "b", "first", opening=o) for o in ("12", "34", "56")]
    found = results(*games)
    (table,) = first_player_tables(found)
    assert [record["95 % by opening"] for record in records(table)] == [None] * 4
    assert "Not every pairing was played as often in both seats" in table.note
    assert not found.first_player.can_be_said


def test_a_wrong_key_of_the_standings_raises_with_the_nearest_and_a_number_works():
    standings = results(*THREE).standings
    assert standings[2]["a"] == standings["2"]["a"]
    with pytest.raises(KeyError, match="there is no 'b ' here; did you mean `b`"):
        standings["all"]["b "]
    with pytest.raises(KeyError, match="there is no '3' here"):
        standings[3]
    assert list(standings) == ["2", "all"], "reading adds nothing"


def pairs(*results_of_a_pair: tuple[str, str]) -> tuple[int, int, int]:
    """Pairs by seat, by player and other, of pairs of games with these results, each from an opening of its own."""
    found = results(
        *(
            game(*seats, result, opening=2 * str(number))
            for number, pair in enumerate(results_of_a_pair, start=1)
            for seats, result in zip((("a", "b"), ("b", "a")), pair, strict=True)
        )
    )
    (table,) = first_player_tables(found)
    (row,) = [row for row in records(table) if row["games of"] == "all"]
    return row["pairs by seat"], row["by player"], row["other"]


@pytest.mark.parametrize(
    ("pair", "decided"),
    [
        (("first", "first"), (1, 0, 0)),
        (("first", "second"), (0, 1, 0)),  # a won both
        (("second", "first"), (0, 1, 0)),  # b won both
        (("second", "second"), (0, 0, 1)),
        (("first", "draw"), (0, 0, 1)),
        (("draw", "second"), (0, 0, 1)),
        (("draw", "draw"), (0, 0, 1)),
    ],
)
def test_a_pair_is_decided_by_the_seat_by_the_player_or_neither(pair, decided):
    assert pairs(pair) == decided


def test_pairs_add_up_over_openings():
    assert pairs(("first", "first"), ("second", "first"), ("draw", "first"), ("first", "first")) == (2, 1, 1)


def test_half_pairs_are_not_counted():
    found = results(game("a", "b", "first"), game("a", "c", "first"), game("c", "a", "first"))
    seats = found.seats.overall
    assert (seats.games, seats.by_seat, seats.by_player, seats.otherwise) == (3, 1, 0, 0)
    assert (found.seats.by_player[Competitor("b")].games, found.seats.by_player[Competitor("b")].by_seat) == (1, 0)


def test_games_make_a_pair_only_at_the_same_depths_and_from_the_same_opening():
    one, other = game("a", "b", "first"), game("b", "a", "first")
    deeper = game(player("b", 4), player("a", 4), "first")
    assert results(one, deeper).seats.overall.by_seat == 0
    assert results(one, other._replace(opening="4")).seats.overall.by_seat == 0
    assert results(one, game("a", "b", "first")).seats.overall.by_seat == 0
    assert results(one, deeper, other).seats.by_level[Level((Effort("depth", 2),))].by_seat == 1


def test_a_pair_at_mixed_depths_stands_under_both():
    deep, flat = player("a", 8), player("b", 2)
    found = results(game(deep, flat, "first"), game(flat, deep, "second"))
    table = table_of(first_player_tables(found), "First-player advantage")
    assert list(table) == ["depth 2 v 8", "all", "a (8)", "b (2)"]
    assert [row["by player"] for row in table.values()] == [1, 1, 1, 1]


# ── cost ─────────────────────────────────────────────────────────────────────────────────────────


def test_cost_is_summed_over_games_and_seats_and_told_per_move():
    # a uniform tree of 7 moves and depth 2 at each of 5 moves: 56 generated, 8 expanded, 49 evaluated
    one = Cost(moves=2, depths=4, generated=112, expanded=16, evaluated=98, cutoffs=4, seconds=0.25, cpu_seconds=0.2)
    other = Cost(moves=3, depths=6, generated=168, expanded=24, evaluated=147, cutoffs=6, seconds=0.75, cpu_seconds=0.7)
    timed = player("a", call_seconds=0.001)
    found = results(game(timed, "b", "first", first_cost=one), game("b", timed, "first", second_cost=other))
    in_all, per_move = cost_tables(found)
    assert [column.name for column in in_all.columns] == [
        *("depth", "player", "moves", "generated", "expanded", "evaluated", "cutoffs", "seconds", "CPU seconds"),
        *("in the evaluator", "of CPU seconds"),
    ]
    assert in_all.values[0] == (2, "a", 5, 280, 40, 245, 10, 1.0, *map(pytest.approx, (0.9, 0.245, 0.245 / 0.9)))
    assert in_all.values[1][-2:] == (None, None)  # nobody has timed b
    (row,) = records(per_move)  # b never moved
    assert (row["depth"], row["player"]) == (2, "a")
    assert (row["generated"], row["expanded"], row["evaluated"]) == (56, 8, 49)
    assert row["ms"] == 0.2  # in seconds: the unit is how it is shown
    assert row["CPU ms"] == pytest.approx(0.18)
    assert row["EBF"] == pytest.approx(7)
    assert row["µs per call"] == pytest.approx(1 / 245)
    assert row["cutoffs"] == 0.25
    assert (row["ms in the evaluator"], row["of CPU ms"]) == (pytest.approx(0.049), pytest.approx(0.245 / 0.9))


def test_no_search_is_longer_inside_of_the_evaluator_than_it_took():
    """What Python remembers of a position it is not called for again."""
    cost = Cost(moves=1, depths=2, generated=56, expanded=8, evaluated=49, seconds=0.5, cpu_seconds=0.4)
    in_all, _ = cost_tables(results(game(player("slow", call_seconds=0.1), "b", "first", first_cost=cost)))
    assert in_all.values[1][-2:] == (0.4, 1.0)


def test_a_forfeited_move_costs_its_time_and_is_none_of_the_moves_that_are_averaged():
    cost = Cost(moves=2, depths=4, generated=112, expanded=16, evaluated=98, seconds=0.25).forfeited(60.0)
    tables = cost_tables(results(game("a", "b", "second", first_cost=cost)))
    (in_all, *_), (per_move,) = map(records, tables)
    assert (in_all["moves"], in_all["seconds"]) == (2, 60.25)
    assert per_move["ms"] == 0.125
    assert per_move["µs per call"] == pytest.approx(0.25 / 98)


def test_cost_within_budgets_is_told_in_their_order_with_the_depth_that_was_reached():
    cost = Cost(moves=4, depths=22, generated=800, expanded=100, evaluated=700, cutoffs=50, seconds=0.1)
    in_all, per_move = cost_tables(results(*(at(limit, first_cost=cost) for limit in LIMITS)))
    assert [row[0] for row in in_all.values if row[1] == "a"] == ["2", "10", "200 nodes", "3,000 nodes", "0.05 s"]
    assert in_all.columns[0].kind == "text"
    assert [row["reached"] for row in records(per_move)] == [5.5] * 5
    assert records(per_move)[0]["EBF"] == pytest.approx(branching_factor(200, 5.5))
    assert per_move.note.endswith("Reached: the depth that was finished within the budget, on average.")


def test_searches_that_a_clock_stopped_late_are_told():
    """On a busy machine 0.3 ms became 2 ms, and the report called that equal time."""
    limit = Settings(seconds=0.0003)

    def note(seconds: float) -> str:
        cost = Cost(moves=4, depths=22, generated=800, seconds=seconds).forfeited(60.0)
        return cost_tables(results(at(limit, first_cost=cost)))[1].note

    assert note(0.008).endswith("Stopped late, as on a busy machine, on average after 2.00 ms by a within 0.0003 s.")
    assert "late" not in note(0.0020)


def test_cost_at_fixed_depths_has_no_column_for_the_depth_that_was_reached():
    _, per_move = cost_tables(results(at(Settings(2), first_cost=Cost(moves=1, depths=2, generated=7))))
    assert "reached" not in records(per_move)[0]
    assert "Reached" not in per_move.note


def test_cost_is_told_apart_by_depth():
    costs = [Cost(moves=1, depths=depth, generated=depth) for depth in (2, 4)]
    found = results(*(game(player("a", c.generated), player("b", c.generated), "first", first_cost=c) for c in costs))
    assert [row[:4] for row in cost_tables(found)[0].values if row[1] == "a"] == [(2, "a", 1, 2), (4, "a", 1, 4)]


def test_a_player_that_never_evaluated_has_no_time_per_call():
    found = results(game("a", "b", "first", first_cost=Cost(moves=1, depths=2, generated=7, expanded=1, seconds=0.1)))
    (row,) = records(cost_tables(found)[1])
    assert row["µs per call"] is None
    assert row["cutoffs"] == 0


@pytest.mark.parametrize("depth", [1, 2, 4, 8, 12])
@pytest.mark.parametrize("moves", [1, 2, 7, 11, 3.5])
def test_the_branching_factor_of_a_uniform_tree_is_its_number_of_moves(moves, depth):
    generated = sum(moves**level for level in range(1, depth + 1))
    assert branching_factor(generated, depth) == pytest.approx(moves, rel=1e-9)


def test_the_branching_factor_between_two_depths_lies_between_theirs():
    shallow, between, deep = (branching_factor(1000, depth) for depth in (4, 4.5, 5))
    assert deep < between < shallow
    assert branching_factor(1000, 4.999999) == pytest.approx(deep, rel=1e-5)


def test_the_branching_factor_of_nothing_is_nothing():
    assert branching_factor(0, 4) == pytest.approx(0)


def test_the_branching_factor_can_be_had_for_searches_to_the_end_of_the_game():
    assert branching_factor(1e6, 100) == pytest.approx(1.1, abs=0.1)


# ── how it is shown ──────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("cell", "kind", "shown"),
    [
        ("robert", "text", "robert"),
        (None, "text", "–"),
        (None, "micros", "–"),
        (0, "count", "0"),
        (1234567, "count", "1,234,567"),
        (7.0, "points", "7"),
        (6.5, "points", "6.5"),
        (1028.5, "points", "1,028.5"),
        (123_456.5, "points", "123,456.5"),  # six digits were kept, and the half was lost
        (0.0004, "seconds", "0.000400"),
        (0, "seconds", "0"),
        (1234.5, "seconds", "1,234"),
        (123.45, "seconds", "123"),
        (12.3456, "seconds", "12.3"),
        (1278, "rounded", "1,278"),
        (26_123, "rounded", "26 k"),
        (5_243_000, "rounded", "5.2 M"),
        (999_900, "rounded", "1.0 M"),
        (44e9, "rounded", "44 G"),
        (0.0123456, "millis", "12.3"),
        (7.3e-7, "micros", "0.730"),
        (3.7216, "ratio", "3.72"),
        (99.994, "ratio", "99.99"),
        (50485.4, "ratio", "50,485"),
        (0.5, "percent", "50.0 %"),
        (0.9166, "percent", "91.7 %"),
        ((0.3568, 0.9355), "interval", "36–94 %"),
        ((0.0, 1.0), "interval", "0–100 %"),
        (0.0000123, "precise", "0.000012"),
        (0.00000049, "seconds", "0.0000005"),
        (0.0, "seconds", "0"),
        (12.3456, "precise", "12.3"),
        (0, "bytes", "0 bytes"),
        (131072, "bytes", "128 kB"),
        (31481856, "bytes", "30.0 MB"),
        (None, "bytes", "–"),
    ],
)
def test_a_cell_is_shown_as_people_read_it(cell, kind, shown):
    assert shown_cell(cell, kind) == shown


def test_games_beyond_those_listed_are_pointed_to():
    assert games_table(THREE, 6).note == ""
    table = games_table(THREE, 12_006)
    assert len(table.rows) == 6
    assert table.note == "12,000 more games are in games.csv."


def test_a_row_of_the_games_has_what_each_side_took():
    cost = Cost(moves=4, depths=8, generated=219, expanded=56, evaluated=169, cutoffs=31, seconds=0.5, cpu_seconds=0.4)
    (row,) = records(games_table([game("a", "b", "draw", first_cost=cost)], 1))
    assert len(str(row.pop("game"))) <= 8
    assert row == {
        "depth": "2",
        "opening": "empty",
        **{
            "first": "a",
            "first generated": 219,
            "first expanded": 56,
            "first evaluated": 169,
            "first seconds": 0.5,
            "first CPU seconds": 0.4,
        },
        **{
            "second": "b",
            "second generated": 0,
            "second expanded": 0,
            "second evaluated": 0,
            "second seconds": 0.0,
            "second CPU seconds": 0.0,
        },
        "winner": "draw",
        "plies": 42,
    }


def test_how_it_was_made_names_the_rules_and_what_is_switched_on():
    rules = Rules(8, 9, 5, "most-lines", 0.6, "first")
    searching = Settings(nodes=100, algorithm="star2", order="history", table=20, aspiration=12.5)
    found = results(game(player("a", searching), player("b", Settings(2, "star1", iterative=True)), "draw"))
    found = replace(found, run=RUN._replace(rules=rules))
    rows = dict(provenance_table(found).rows)
    told = "8×9, connect 5, most lines win, discs of the first player drift, 0.6 in the chosen column"
    assert rows["rules"] == told
    assert rows["a"].startswith("windows, star2, history, table 20, aspiration 12.5, compiled")
    assert rows["b"].startswith("windows, star1, iterative, compiled")
    found = replace(found, run=RUN._replace(rules=Rules(drift=0.25)))
    assert dict(provenance_table(found).rows)["rules"] == "6×7, connect 4, discs drift, 0.25 in the chosen column"


def test_how_it_was_made_names_every_player_once_with_what_it_is():
    searching = Settings(2, "minimax", "centre")
    plain = player("b", searching, evaluator="slow", compiled=False, reason="line 3: a dict")
    found = results(game(player("a", 2), plain, "draw"), game(player("a", 4), player("b", 4), "draw"), superseded=1234)
    rows = dict(provenance_table(results(*THREE, superseded=0)).rows)
    assert rows["title"] == "Made by hand"
    assert rows["to repeat it"] == "tourney run configs/hand.yaml"
    assert rows["versions"] == "Python 3.11.0, tourney 0.1.0"
    assert "not counted" not in rows
    rows = dict(provenance_table(found).rows)
    assert rows["a"] == "windows, alphabeta, compiled, source 0123456789ab"
    assert rows["not counted"].startswith("1,234 games")
    slow = dict(provenance_table(results(game("a", plain, "draw"))).rows)["b"]
    assert slow == "slow, minimax, centre, interpreted (line 3: a dict), source 0123456789ab"


# ── golden texts ─────────────────────────────────────────────────────────────────────────────────


@pytest.fixture
def golden(request):
    """Compares a text with the one in tests/golden/, or writes it there where asked to."""

    def compare(name: str, text: str) -> None:
        if request.config.getoption("--update-golden"):
            (GOLDEN / name).write_text(text, encoding="utf-8")
        assert text == (GOLDEN / name).read_text("utf-8"), "if that is as it should be: pytest --update-golden"

    return compare


def by_hand() -> tuple[list[StoredGame], Results]:
    """A small tournament with one of everything: draws, a forfeit, a repeated game, two depths, mixed depths."""
    cheap = Cost(
        moves=8,
        depths=16,
        generated=219,
        expanded=56,
        evaluated=169,
        cutoffs=31,
        seconds=0.000107,
        cpu_seconds=0.000107,
    )
    dear = Cost(
        moves=21,
        depths=168,
        generated=1254076,
        expanded=427648,
        evaluated=767027,
        cutoffs=1,
        seconds=0.05,
        cpu_seconds=0.05,
    )
    two, eight = ([player(name, depth) for name in ("robert", "john", "brittany")] for depth in (2, 8))
    games = [
        game(two[0], two[1], "first", first_cost=cheap, second_cost=cheap),
        game(two[1], two[0], "first", first_cost=cheap, second_cost=cheap),
        game(two[1], two[0], "first", first_cost=cheap, second_cost=cheap, distinct=False),
        game(two[0], two[2], "draw", first_cost=cheap, second_cost=cheap),
        game(two[2], two[0], "second", first_cost=cheap, second_cost=cheap, reason="forfeit", fault="…"),
        game(eight[0], eight[1], "first", first_cost=dear, second_cost=dear),
        game(eight[1], eight[0], "second", first_cost=dear, second_cost=dear),
        game(two[2], eight[1], "second", first_cost=cheap, second_cost=dear),
    ]
    return games, results(*games, planned=10, superseded=3)


def rendered(table: Table, width: int) -> list[str]:
    """A table as it is printed on a terminal of that width, line by line."""
    page = io.StringIO()
    Console(file=page, width=width, force_terminal=False, color_system=None).print(
        as_text(table, width), soft_wrap=True
    )
    return [line.rstrip() for line in page.getvalue().splitlines()]


def test_the_tables_on_a_terminal_are_the_golden_ones(golden):
    games, found = by_hand()
    lines = [line for table in [games_table(games, 50), *tables(found)] for line in (*rendered(table, 80), "")]
    assert max(map(len, lines)) <= 80
    golden("tables.txt", "".join(f"{line}\n" for line in lines))


def test_terminal_and_markdown_show_the_same_cells():
    games, found = by_hand()
    for table in [games_table(games, 8), *tables(found)]:
        on_terminal = "\n".join(rendered(table, 200))
        in_markdown = [line for line in markdown("", [table]).splitlines() if line.startswith("|")]
        assert len(in_markdown) == (2 + len(table.rows) if table.rows else 0)
        for line in in_markdown[2:]:
            cells = [cell.strip() for cell in line.strip("|").split("|")]
            for cell, column in zip(cells, table.columns, strict=True):
                assert cell in on_terminal or column.kind == "game"


def test_names_are_not_cut_off_on_a_narrow_terminal():
    cost = Cost(moves=21, depths=168, generated=1254076, expanded=427648, evaluated=767027, cutoffs=1, seconds=12.5)
    twins = [player(f"brittany-{number}", 8) for number in (1, 2)]
    found = results(game(*twins, "first", first_cost=cost, second_cost=cost))
    tables = cost_tables(found)
    assert tables
    for table in tables:
        lines = rendered(table, 80)
        told = re.findall(r"brittan\S*|britta|ny-\d", " ".join(lines))  # which may go on in the next line
        assert re.fullmatch("(brittany-1brittany-2)+", "".join(told)), "beside each block of columns"
        assert "…" not in "".join(lines[: lines.index("", 3) if table.note else None])


MEASURED = {
    "first seconds",
    "second seconds",
    "first CPU seconds",
    "second CPU seconds",
    "CPU seconds",
    "seconds",
    "ms",
    "CPU ms",
    "µs per call",
    "in the evaluator",
    "of CPU seconds",
    "ms in the evaluator",
    "of CPU ms",
}
TOLD = {"config", "to repeat it", "date", "machine", "versions"}


def masked(report: str) -> str:
    """A report with … for what differs between runs and machines, and cells without padding, whose width follows."""
    lines, headings = [], []
    for line in report.splitlines():
        if not line.startswith("|"):
            lines.append(re.sub(r"about \d+ s\b", "about … s", line))
            continue
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if not lines[-1]:
            headings = cells
        elif set(line) <= set("|-:"):
            cells = [re.sub("-+", "---", cell) for cell in cells]
        else:
            cells = ["…" if name in MEASURED else cell for name, cell in zip(headings, cells, strict=True)]
            cells = [cells[0], "…"] if cells[0] in TOLD else cells
            cells = [re.sub(r"source [0-9a-f]+", "source …", cell) for cell in cells]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


@pytest.mark.needs_jit
def test_the_report_of_a_small_tournament_is_the_golden_one(golden, tmp_path):
    config = tmp_path / "small.yaml"
    config.write_text(
        "title: Three at two depths\nplayers:\n  robert: windows\n  john: squares\n"
        "  brittany: {evaluator: runs, order: centre}\ndepths: [1, 3]\n"
    )
    tournament.run(config, out=tmp_path / "out", jobs=2)
    golden("report.md", masked((tmp_path / "out" / "report.md").read_text("utf-8")))


@pytest.mark.parametrize(
    ("score", "shown"),
    [
        (1e9 - 3, "win in 3 plies"),
        (1 - 1e9, "loss in 1 ply"),
        (57.56, "57.56"),
        (-8.72, "−8.72"),
        (1234567, "1,234,567"),
    ],
)
def test_a_score_is_shown_as_a_win_where_it_is_one(score: float, shown: str) -> None:
    assert shown_cell(score, "score") == shown
