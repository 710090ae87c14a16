"""The studies that come with tourney, held against published figures."""

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml
from folders import CONFIGS, rows, write
from tables import in_json, table_of, tables_of

import tournament
from tournament.games.connect4 import Position, Rules, column_digit, play_moves
from tournament.plan.planning import make_plan
from tournament.plan.reading import read_config
from tournament.report.study import StudyResults
from tournament.runs.runner import planned_tasks


@pytest.fixture(scope="module")
def made(tmp_path_factory) -> Callable[[str], tuple[Path, StudyResults]]:
    """The folder and the results of a shipped study, made once."""
    done: dict[str, tuple[Path, StudyResults]] = {}

    def study(name: str) -> tuple[Path, StudyResults]:
        if name not in done:
            folder = tmp_path_factory.mktemp(name) / "out"
            results = tournament.run(CONFIGS / f"{name}.yaml", out=folder, jobs=2)
            assert isinstance(results, StudyResults)
            done[name] = folder, results
        return done[name]

    return study


# ── R1: played to a full board ───────────────────────────────────────────────────────────────────

# depth, minimax nodes, alpha-beta nodes, alpha-beta nodes centre first, best column (from 0), score
R1 = [
    (1, 8, 8, 8, 4, 99909),
    (2, 57, 42, 27, 4, -85),
    (3, 398, 200, 101, 3, 99922),
    (4, 2_747, 873, 323, 3, -90),
    (5, 18_708, 3_374, 1_629, 3, 301),
]


@pytest.mark.needs_jit
@pytest.mark.parametrize(("depth", "unpruned", "pruned", "centre", "column", "score"), R1)
def test_the_full_board_study_is_r1_to_the_digit(made, depth, unpruned, pruned, centre, column, score):
    folder, _ = made("full_board")
    at_depth = [row for row in rows(folder, "searches.csv") if row["depth"] == str(depth)]
    nodes = {(row["algorithm"], row["order"]): int(row["generated"]) + 1 for row in at_depth}
    assert nodes == {
        ("minimax", "left"): unpruned,
        ("alphabeta", "left"): pruned,
        ("minimax", "centre"): unpruned,
        ("alphabeta", "centre"): centre,
    }
    assert {(row["move"], float(row["score"])) for row in at_depth} == {(column_digit(column), score)}
    told = {row["algorithm"]: row["generated"] + 1 for row in in_json(folder, "Cost") if row["depth"] == depth}
    assert list(told.values()) == [unpruned, pruned, unpruned, centre]
    (answer,) = [row for row in in_json(folder, "Answers") if row["depth"] == depth]
    assert (answer["best column"], answer["value"]) == (column_digit(column), score)


@pytest.mark.needs_jit
def test_the_full_board_study_says_by_which_rules_it_was_made(made):
    folder, results = made("full_board")
    assert {(row["objective"], row["drift"]) for row in rows(folder, "searches.csv")} == {("most-lines", "1.0")}
    assert {row["what"]: row["value"] for row in table_of(results, "How it was made")}["boards"] == (
        "6×7, connect 4, most lines win"
    )
    assert table_of(results, "Agreement") == [{"positions": 5, "algorithms": 4, "answers that differ": 0}]


# ── R2 and R4: with chance ───────────────────────────────────────────────────────────────────────

R2 = [  # depth, nodes, best column (from 0), expected score
    (1, 19, 4, 37.0),
    (2, 152, 0, -4.0),
    (3, 2_679, 2, 57.56),
    (4, 20_368, 0, -8.72),
    (5, 356_414, 0, 54.568),
]
DRIFTING = "My discs drift, most lines win"


@pytest.mark.needs_jit
@pytest.mark.parametrize(("depth", "nodes", "column", "score"), R2)
def test_the_chance_study_is_r2_to_the_digit_and_its_prunings_say_the_same(made, depth, nodes, column, score):
    folder, _ = made("chance")
    at_depth = [row for row in rows(folder, "searches.csv") if (row["part"], row["depth"]) == (DRIFTING, str(depth))]
    assert [row["algorithm"] for row in at_depth] == ["expectiminimax", "star1", "star2", "star2"]
    assert {row["move"] for row in at_depth} == {column_digit(column)}
    scores = {float(row["score"]) for row in at_depth}
    assert len(scores) == 1, "pruned and unpruned are equal to the last bit"
    assert scores.pop() == pytest.approx(score, abs=1e-9)
    unpruned, star1, star2, with_table = (int(row["generated"]) for row in at_depth)
    assert unpruned == nodes
    if depth > 2:
        assert with_table < star2 < star1 < unpruned
    (answer,) = [row for row in in_json(folder, f"{DRIFTING}: Answers") if row["depth"] == depth]
    assert (answer["best column"], answer["value"]) == (column_digit(column), pytest.approx(score, abs=1e-9))
    cost = {r["algorithm"]: r["generated"] for r in in_json(folder, f"{DRIFTING}: Cost") if r["depth"] == depth}
    assert cost["expectiminimax"] == nodes


@pytest.mark.needs_jit
def test_the_chance_study_has_the_minimax_figures_of_r4(made):
    folder, _ = made("chance")
    found = {
        (r["algorithm"], r["depth"]): int(r["generated"])
        for r in rows(folder, "searches.csv")
        if r["part"] == "Without chance"
    }
    assert (found["minimax", "2"], found["minimax", "3"]) == (56, 399)
    assert found["alphabeta", "2"] < 56
    assert found["alphabeta", "3"] < 399


@pytest.mark.needs_jit
def test_every_part_of_a_study_has_tables_of_its_own(made):
    folder, results = made("chance")
    titles = [table.title for table in tables_of(results)]
    for part in (DRIFTING, "Without chance", "With chance"):
        for title in ("Cost", "Space", "Branching", "Agreement", "Answers"):
            assert titles.count(f"{part}: {title}") == 1
    assert f"{DRIFTING}: What is saved against expectiminimax" in titles
    assert titles[-1] == "How it was made"
    boards = {row["what"]: row["value"] for row in table_of(results, "How it was made")}["boards"]
    assert boards.split("; ") == [
        "6×7, connect 4, most lines win, discs of the first player drift, 0.6 in the chosen column",
        "6×7, connect 4",
        "6×7, connect 4, discs drift, 0.6 in the chosen column",
    ]
    _, *every = json.loads((folder / "results.json").read_text())  # after the summary
    assert re.findall(r"^## (.+)$", (folder / "report.md").read_text(), flags=re.MULTILINE) == every


# ── R6, R3 and the ablation ──────────────────────────────────────────────────────────────────────


@pytest.mark.needs_jit
def test_the_pruning_study_agrees_on_all_positions(made):
    folder, results = made("pruning")
    assert table_of(results, "Agreement") == [{"positions": 16, "algorithms": 4, "answers that differ": 0}]
    found = rows(folder, "searches.csv")
    assert len(found) == 64
    assert {row["position"]: row["discs"] for row in found} == {
        "early": "2",
        "middle": "9",
        "complex": "15",
        "undecided": "8",
    }
    assert {row["move"] for row in found if row["position"] == "complex"} == {"3"}, "X wins at once"
    assert {(row["phase"], row["searches"]) for row in table_of(results, "Game phases")} == {
        ("opening", 3),
        ("middle", 1),
    }
    for row in table_of(results, "What is saved against minimax"):
        assert row["times fewer generated"] > 1
        assert row["reduction"] == pytest.approx(1 - 1 / row["times fewer generated"])
    deepest = {row["algorithm"]: row["generated"] for row in table_of(results, "Cost") if row["depth"] == 6}
    assert sorted(deepest, key=lambda name: -deepest[name]) == list(deepest), "each algorithm saves more than the last"


def test_the_board_size_study_plans_every_cell_of_the_three_grids_and_the_largest():
    plan = make_plan(read_config(CONFIGS / "board_size.yaml"))
    planned = list(plan.searches.values())
    assert len(planned) == 96
    cells = {(one.rules, one.player.settings.depth, one.player.settings.algorithm) for one in planned}
    assert cells == {
        (Rules(rows, columns, connect), depth, algorithm)
        for rows, columns in ((4, 5), (6, 7), (8, 9), (10, 11))
        for connect in (3, 4, 5)
        for depth in (3, 4, 5, 6)
        for algorithm in ("minimax", "alphabeta")
    }
    assert (Rules(10, 11, 3), 6, "minimax") in cells
    assert all(one.driver is not None for one in planned), "whole games are summed"


@pytest.fixture(scope="module")
def sizes(tmp_path_factory):
    """What the board size study finds on its smaller boards."""
    config = yaml.safe_load((CONFIGS / "board_size.yaml").read_text())
    study = config["study"]
    study["depths"] = [3, 4]
    study["rules"] = [board for board in study["rules"] if board["rows"] <= 6 and board["connect"] <= 4]
    folder = tmp_path_factory.mktemp("sizes")
    results = tournament.run(write(folder / "c.yaml", yaml.safe_dump(config)), out=folder / "out", jobs=2)
    return folder / "out", results


def test_conftest_keeps_the_charts_of_this_file_from_being_drawn(sizes):
    """It replaces a function by its name: where nobody calls that one, the tests only get slower."""
    folder, _ = sizes
    assert (folder / "report.html").exists()
    assert not list(folder.rglob("*.svg"))


def ratio(cell: str) -> float:
    """Of `1,234 / 567 = 2.2`, checked."""
    found = re.fullmatch(r"([\d,]+) / ([\d,]+) = ([\d,.]+)", cell)
    assert found
    first, other, shown = (float(part.replace(",", "")) for part in found.groups())
    assert shown == pytest.approx(first / other, abs=0.051)
    return first / other


@pytest.mark.needs_jit
def test_the_ratio_of_minimax_to_alpha_beta_grows_with_depth_and_width_as_in_r3(sizes):
    _, results = sizes
    against = "minimax against alphabeta"
    by_depth = table_of(results, f"N × depth, size 4×5: {against}")
    assert [row["N"] for row in by_depth] == [3, 4]
    for row in by_depth:
        assert ratio(row["depth 4"]) > ratio(row["depth 3"]) > 1
    by_size = table_of(results, f"N × size, depth 4: {against}")
    for row in by_size:
        assert ratio(row["size 6×7"]) > ratio(row["size 4×5"])
    both = table_of(results, f"depth × size, N 3: {against}")
    assert [row["depth"] for row in both] == [3, 4]
    assert ratio(both[1]["size 6×7"]) == max(ratio(row[f"size {size}"]) for row in both for size in ("4×5", "6×7"))
    assert both[1]["size 4×5"] == by_size[0]["size 4×5"] == by_depth[0]["depth 4"], "one cell in three grids"


@pytest.mark.needs_jit
def test_a_study_of_games_searches_every_position_of_a_game_by_every_algorithm(sizes):
    folder, _ = sizes
    games: dict[tuple[str, ...], dict[str, list[dict[str, str]]]] = {}
    for row in rows(folder, "searches.csv"):
        key = tuple(row[name] for name in ("rows", "connect", "depth"))
        games.setdefault(key, {}).setdefault(row["algorithm"], []).append(row)
    assert len(games) == 8
    for by_algorithm in games.values():
        minimax, alphabeta = by_algorithm["minimax"], by_algorithm["alphabeta"]
        assert [int(row["discs"]) for row in minimax] == list(range(len(minimax)))
        assert [row["move"] for row in minimax] == [row["move"] for row in alphabeta]
        assert [row["score"] for row in minimax] == [row["score"] for row in alphabeta]
        rules = Rules(int(minimax[0]["rows"]), int(minimax[0]["columns"]), int(minimax[0]["connect"]))
        moves = "".join(row["move"] for row in minimax)
        assert play_moves(Position(rules), moves).result is not None, "a game to its end"


def test_the_ablation_plans_each_improvement_alone_and_all_together():
    plan = make_plan(read_config(CONFIGS / "ablation.yaml"))
    assert len(plan.searches) == 3 * 2 * 22 * 2
    settings = {player.settings for player in plan.players().values()}
    assert {one.depth for one in settings} == {8, 10}
    told = {tuple(sorted(set(one.non_defaults()) - {"depth"})) for one in settings}
    for alone in ("order", "table", "iterative", "algorithm", "threads"):
        assert (alone,) in told
    assert ("algorithm", "aspiration", "iterative", "order", "table") in told


@pytest.mark.needs_jit
def test_the_ablation_agrees_and_all_together_take_the_fewest_nodes(tmp_path):
    text = (CONFIGS / "ablation.yaml").read_text().replace("table: 20", "table: 14").replace("[8, 10]", "[6]")
    results = tournament.run(write(tmp_path / "c.yaml", text), out=tmp_path / "out", jobs=2)
    assert table_of(results, "Agreement") == [{"positions": 6, "algorithms": 13, "answers that differ": 0}]
    generated = {row["algorithm"]: row["generated"] for row in table_of(results, "Cost")}
    assert min(generated.values()) < generated["alphabeta"] / 3
    assert generated["alphabeta"] / 3 > generated["alphabeta, killers, table 14"]
    saved = {row["algorithm"]: row["reduction"] for row in table_of(results, "What is saved against alphabeta")}
    assert saved["alphabeta, centre"] > 0
    assert "alphabeta, threads 2" in saved
    for title, is_told in (("Cost", True), ("Answers", False)):
        assert any("depends on timing" in one.note for one in tables_of(results) if one.title == title) == is_told
    assert saved["alphabeta, iterative"] < 0, "alone, searching the smaller depths first costs more than it saves"


# ── all that a course report asks for ────────────────────────────────────────────────────────────


@pytest.mark.needs_jit
def test_the_report_study_has_every_table_that_reports_ask_for(made):
    folder, results = made("report")
    titles = {table.title for table in tables_of(results)}
    for title in (
        *("Summary", "Cost", "Space", "What is saved against minimax", "Branches pruned", "Growth from depth to depth"),
        *("Projection to deeper searches", "Practical depth", "Random move order", "Branching", "Game phases"),
        *("Agreement", "Moves", "Answers"),
    ):
        assert f"Positions: {title}" in titles
    assert {"Without chance and with chance", "Board size: Run time against board width"} <= titles
    assert "Board size: N × depth, size 4×5: minimax against alphabeta" in titles
    for row in in_json(folder, "Positions: Branches pruned"):
        if row["algorithm"] == "alphabeta":
            whole = next(
                each["generated"]
                for each in in_json(folder, "Positions: Branches pruned")
                if (each["depth"], each["algorithm"]) == (row["depth"], "minimax")
            )
            assert row["not in the tree"] == whole - row["generated"]
    assert all(row["answers that differ"] == 0 for row in table_of(results, "Positions: Agreement"))
    undecided = [row for row in rows(folder, "searches.csv") if row["position"] == "undecided"]
    assert all(abs(float(row["score"])) < 1e6 for row in undecided), "not decided within what is searched"
    slices = {(row["down"], row["across"], row["kept_value"]) for row in rows(folder, "grids.csv")}
    assert {("N", "size", "2"), ("N", "size", "4"), ("N", "depth", "4×5"), ("depth", "size", "4")} <= slices
    space = in_json(folder, "Positions: Space")
    assert all(row["memory"] == row["all levels"] + row["state"] + (row["table"] or 0) for row in space)


@pytest.mark.parametrize("path", sorted(CONFIGS.glob("*.yaml")), ids=lambda path: path.stem)
def test_every_shipped_config_can_be_planned(path):
    assert sum(1 for _ in planned_tasks(make_plan(read_config(path)))) > 0
