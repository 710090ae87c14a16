"""What a study says position by position, of what was pruned, of growth and of deeper searches."""

from typing import Any

import pytest
from folders import GOLDEN
from tables import records
from test_study_tables import move, results, searches

from tournament.engine.searcher import search
from tournament.engine.settings import Settings
from tournament.games.connect4 import STANDARD, Position, Rules
from tournament.games.samples import random_positions
from tournament.plugins.catalogue import Catalogue
from tournament.plugins.compiled import Scorer
from tournament.report.formats.markdown import markdown
from tournament.report.projection import growth_of, practical_of, projected_nodes, projections_of
from tournament.report.study import part_of
from tournament.report.study_tables import (
    drawn_tables,
    every_search,
    moves_tables,
    pruned_table,
    searches_tables,
    study_tables,
    summary_table,
)


def study() -> list[Any]:
    """Minimax, alpha-beta and a search that comes back to positions, on two positions."""
    sizes = {"minimax": (287, 57), "alphabeta": (198, 41), "pvs": (150, 50)}
    return [
        searches(
            name,
            2,
            move(
                generated=size, untried=0 if name == "minimax" else 89, score=chosen, chosen=chosen, seconds=size / 1e3
            ),
            place=place,
        )
        for name, each in sizes.items()
        for place, size, chosen in (("early", each[0], 3), ("late", each[1], 1))
    ]


def test_left_untried_and_not_in_the_tree_are_two_figures():
    told = {row["algorithm"]: row for row in records(pruned_table(part_of(study())))}
    assert (told["minimax"]["left untried"], told["minimax"]["not in the tree"]) == (0, 0)
    alphabeta = told["alphabeta"]
    assert (alphabeta["generated"], alphabeta["left untried"], alphabeta["not in the tree"]) == (239, 178, 344 - 239)
    assert alphabeta["of their moves"] == pytest.approx(178 / (178 + 239))
    assert alphabeta["of the tree"] == pytest.approx(105 / 344)
    assert (told["pvs"]["left untried"], told["pvs"]["not in the tree"]) == (178, None), "scouts repeat positions"
    assert told["pvs"]["of their moves"] is None, "a scout and the search after it make one move twice"


def test_without_an_unpruned_search_nobody_knows_what_is_not_in_the_tree():
    pruned = records(pruned_table(part_of([one for one in study() if one.player.settings.algorithm != "minimax"])))
    assert [row["not in the tree"] for row in pruned] == [None, None]
    tabled = records(pruned_table(part_of([searches(Settings(2, "minimax", table=9), 2, move()), *study()[2:4]])))
    assert tabled[1]["not in the tree"] is None, "a search with a table does not make the whole tree"


def test_every_position_has_its_own_savings_move_and_score():
    (table,) = searches_tables(part_of(study()))
    told = {(row["position"], row["algorithm"]): row for row in records(table)}
    early = told["early", "alphabeta"]
    assert (early["best move"], early["score"], early["left untried"], early["not in the tree"]) == ("4", 3, 89, 89)
    assert early["nodes saved"] == pytest.approx(89 / 287)
    assert early["time saved"] == pytest.approx(89 / 287)
    assert told["late", "pvs"]["nodes saved"] == pytest.approx(7 / 57)
    assert told["late", "minimax"]["nodes saved"] is None


def test_the_summary_is_a_mean_per_search_with_what_is_saved():
    told = {(row["metric"], row["algorithm"]): row for row in records(summary_table(part_of(study())))}
    assert told["nodes", "minimax"]["mean per search"] == 172
    assert told["nodes", "alphabeta"]["mean per search"] == 119.5
    assert told["nodes", "alphabeta"]["improvement"] == pytest.approx(105 / 344)
    assert told["agreement of moves", "alphabeta"]["mean per search"] == 1.0
    assert told["pruning rate", "pvs"]["mean per search"] is None
    assert told["pruning rate", "alphabeta"]["mean per search"] == pytest.approx(178 / (178 + 239))
    assert told["memory", "alphabeta"]["mean per search"] is None


def test_whole_games_agree_move_by_move():
    game = [move(ply, chosen=ply, score=ply) for ply in range(4)]
    other = [*game[:3], move(3, chosen=3, score=9)]
    told = records(summary_table(part_of([searches("minimax", 2, *game), searches("alphabeta", 2, *other)])))
    agreement = {row["algorithm"]: row["mean per search"] for row in told if row["metric"] == "agreement of moves"}
    assert agreement == {"minimax": None, "alphabeta": 0.75}


def test_only_searches_of_the_same_are_held_against_each_other():
    """Where a search failed or is still to come, a sum is one over fewer positions."""
    found = [
        searches(name, depth, move(generated=size**depth, seconds=size**depth / 1e6), place=place)
        for name, size in (("minimax", 7), ("alphabeta", 5))
        for depth in (2, 3, 4)
        for place in ("early", "late")
        if (name, depth, place) != ("alphabeta", 3, "late")
    ]
    part = part_of(found)
    assert [(one.depth, one.algorithm) for one in part.savings] == [(2, "alphabeta"), (4, "alphabeta")]
    growth = {(one.depth, one.algorithm): one for one in part.growth}
    assert (growth[4, "alphabeta"].nodes_factor, growth[4, "alphabeta"].two_plies) == (None, 25)
    assert growth[4, "minimax"].nodes_factor == 7
    assert {one.algorithm for one in part.projections} == {"minimax"}
    assert [one.share for one in part.phases if (one.depth, one.algorithm) == (3, "alphabeta")] == [None]
    whole = part_of([one for one in found if one.place == "early"])
    assert len(whole.savings) == 3
    assert {one.algorithm for one in whole.projections} == {"minimax", "alphabeta"}
    fewer = part_of([one for one in found if one.place == "early" or one.player.settings.algorithm == "minimax"])
    assert {one.algorithm: one.speed_up for one in fewer.projections} == {"minimax": None, "alphabeta": None}


def test_moves_that_are_equal_are_marked():
    found = [*study(), searches("pvs", 3, move(chosen=2, score=1)), searches("minimax", 3, move(chosen=4, score=1))]
    (table,) = moves_tables(part_of(found))
    told = {(row["position"], row["depth"]): row for row in records(table)}
    assert (told["early", 2]["minimax"], told["early", 2]["alphabeta"]) == ("4 (3)", "4 (3) =")
    assert (told["start", 3]["pvs"], told["start", 3]["alphabeta"]) == ("3 (1) ≠", None)


def test_several_seeds_are_one_algorithm_with_a_mean_and_a_spread():
    found = [searches("alphabeta", 2, move(generated=100))]
    for seed, size in ((1, 60), (2, 80), (3, 100)):
        found.append(searches(Settings(2, order="random", order_seed=seed), 2, move(generated=size)))
    part = part_of(found)
    assert part.algorithms == ["alphabeta", "alphabeta, random"]
    assert part.sums[2, "alphabeta, random"].generated == 80
    (row,) = records(drawn_tables(part)[0])
    assert (row["seeds"], row["mean nodes"], row["standard deviation"]) == (3, 80, 20)
    assert (row["least"], row["most"]) == (60, 100)
    missing = part_of([*found[:-1], found[-1]._replace(place="late"), found[0]._replace(place="late")])
    assert missing.sums[2, "alphabeta, random"].means[0] == 80, "a mean of three searches, whatever their places"
    more = part_of([*found, found[1]._replace(place="late"), found[0]._replace(place="late")])
    assert more.sums[2, "alphabeta, random"].means[0] == 75, "of the four searches that are done"
    assert more.savings == []


def test_a_study_with_chance_and_without_has_both_side_by_side(request):
    drift = Rules(drift=0.6)
    found = [
        searches(
            settings,
            depth,
            move(generated=size**depth, seconds=size**depth / 1e6, untried=depth, stack=288, state=30_000),
            part=part,
            rules=rules,
        )
        for part, rules, algorithms in (
            (
                "Without",
                STANDARD,
                (("minimax", "left", 1, 7), ("alphabeta", "random", 1, 5), ("alphabeta", "random", 2, 4)),
            ),
            ("With", drift, (("expectiminimax", "left", 1, 15), ("star1", "left", 1, 12))),
        )
        for depth in (1, 2, 3, 4)
        for settings, size in ((Settings(depth, a, o, order_seed=s), size) for a, o, s, size in algorithms)
    ]
    made = results(*found)
    text = markdown("By hand", [*study_tables(made), *every_search(made)])
    if request.config.getoption("--update-golden"):
        (GOLDEN / "study_with_chance.md").write_text(text, "utf-8")
    assert text == (GOLDEN / "study_with_chance.md").read_text("utf-8"), "if that is as it should be: --update-golden"
    beside = records(study_tables(made)[0])
    assert [row["chance"] for row in beside[:4]] == ["without", "without", "with", "with"]
    assert study_tables(results(*found[:8]))[0].title == "Without: Summary", "nothing stands beside it"
    elsewhere = [one._replace(start="44") if one.part == "With" else one for one in found]
    assert results(*elsewhere).beside == (), "positions of one name that are not the same"


# ── growth and projection ────────────────────────────────────────────────────────────────────────


def test_growth_is_told_over_one_ply_and_over_two():
    means = {(depth, "a"): (10.0**depth, 2.0**depth) for depth in (1, 2, 3)}
    told = growth_of(means)
    assert [one.nodes_factor for one in told] == [None, 10.0, 10.0]
    assert [one.time_factor for one in told] == [None, 2.0, 2.0]
    assert [one.two_plies for one in told] == [None, None, 100.0]


def test_odd_and_even_depths_are_projected_each_from_its_own():
    ahead = projected_nodes({3: 100, 4: 150, 5: 1000}, 8)
    assert ahead == {6: 1500, 7: 10000, 8: 15000}
    assert projected_nodes({4: 150, 5: 1000}, 8) == {}
    assert projected_nodes({2: 100, 4: 150, 6: 1000}, 8) == {}


def test_the_practical_depth_is_measured_where_it_was_and_projected_beyond():
    means = {(depth, "a"): (10.0**depth, 10.0**depth / 1e6) for depth in (3, 4, 5)}
    told = practical_of(means, projections_of(means, ["a"], 42), ["a"])
    assert [(one.seconds, one.depth, one.is_projected) for one in told] == [
        *((0.1, 5, False), (1.0, 6, True), (10.0, 7, True), (60.0, 7, True))
    ]
    assert not any(one.at_least for one in told)
    short = practical_of(means, projections_of(means, ["a"], 6), ["a"])
    assert (short[-1].depth, short[-1].at_least) == (6, True), "the game ends there"
    assert practical_of({(1, "a"): (7.0, 0.5)}, [], ["a"])[0].depth is None


@pytest.mark.needs_jit
@pytest.mark.parametrize("options", [{}, {"order": "centre"}, {"algorithm": "pvs", "order": "killers"}], ids=str)
def test_the_interval_holds_the_next_depth_on_at_least_90_of_100_positions(options):
    scorer = Scorer(Catalogue(()).load("balanced"), STANDARD)
    held = 0
    for position in random_positions(STANDARD, 100):
        means: dict[tuple[int, str], tuple[float, float]] = {}
        for depth in (4, 5, 6):
            means[depth, "a"] = float(_nodes(position, scorer, depth, options)), 1.0
        (projected,) = [one for one in projections_of(means, ["a"], 42) if one.depth == 7]
        assert projected.interval is not None
        low, high = projected.interval
        assert high / low <= 4
        held += low <= _nodes(position, scorer, 7, options) <= high
    assert held >= 90


def _nodes(position: Position, scorer: Scorer, depth: int, options: dict[str, Any]) -> int:
    return search(position, scorer, Settings(depth, **options)).counters.generated


def test_boards_are_told_apart():
    found = [searches("minimax", 2, move(), rules=Rules(4, 5)), searches("minimax", 2, move())]
    assert [one.where.board for one in part_of(found).positions] == ["4×5, connect 4", "6×7, connect 4"]
