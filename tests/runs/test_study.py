"""Studies: the published figures to the digit, searches that must agree, and tables from searches made by hand."""

import io
import json
import re
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml
from folders import GOLDEN, ROOT, rows, write
from rich.console import Console

import tournament
from tournament.cli.progress import RichProgress
from tournament.engine.settings import Settings
from tournament.games.connect4 import STANDARD, Position, Rules, column_digit, play_moves
from tournament.plan.planning import make_plan
from tournament.plan.reading import read_config
from tournament.report.formats.markdown import markdown
from tournament.report.study import Disagreement, StudyResults, check_agreement, mean_branching, phase_of
from tournament.report.study_tables import (
    agreement_table,
    answers_table,
    branching_table,
    cost_tables,
    every_search,
    fault_tables,
    grid_tables,
    part_tables,
    phase_table,
    provenance_table,
    reduction_table,
    searches_tables,
    study_tables,
)
from tournament.report.table import Table
from tournament.runs.runner import Nobody, Stopped, run
from tournament.store import Store, StoredMove, StoredPlayer, StoredRun, StoredSearches, Task

CONFIGS = ROOT / "configs"
MEASURED = {"seconds", "cpu_seconds", "memory"}  # what differs between two runs

SMALL = """\
title: Small
study:
  positions: {empty: empty, early: "4435"}
  evaluators: [windows]
  algorithms: [minimax, alphabeta, {algorithm: alphabeta, order: centre}]
  depths: [2, 3]
"""  # 12 searches


def unmeasured(searches: list[dict[str, str]]) -> list[dict[str, str]]:
    return [{name: cell for name, cell in row.items() if name not in MEASURED} for row in searches]


def records(table: Table) -> list[dict[str, Any]]:
    """The rows of a table, each by its headings."""
    return [dict(zip([column.name for column in table.columns], row, strict=True)) for row in table.rows]


def table_of(results: StudyResults, title: str) -> list[dict[str, Any]]:
    (table,) = [table for table in results.tables if table.title == title]
    return records(table)


def in_json(folder: Path, title: str) -> list[dict[str, Any]]:
    table = json.loads((folder / "results.json").read_text())[title]
    return [dict(zip(table["columns"], row, strict=True)) for row in table["rows"]]


def kept(folder: Path) -> set[tuple[Any, ...]]:
    """Every search with its row and its times: another one if it was made again."""
    connection = sqlite3.connect(folder / "games.db")
    try:
        joined = "games JOIN moves ON games.number = moves.game"
        return set(connection.execute(f"SELECT games.number, games.id, moves.* FROM {joined}").fetchall())
    finally:
        connection.close()


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
    titles = [table.title for table in results.tables]
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
    assert re.findall(r"^## (.+)$", (folder / "report.md").read_text(), flags=re.MULTILINE) == list(
        json.loads((folder / "results.json").read_text())
    )


# ── R6, R3 and the ablation ──────────────────────────────────────────────────────────────────────


@pytest.mark.needs_jit
def test_the_pruning_study_agrees_on_all_three_positions(made):
    folder, results = made("pruning")
    assert table_of(results, "Agreement") == [{"positions": 12, "algorithms": 4, "answers that differ": 0}]
    found = rows(folder, "searches.csv")
    assert len(found) == 48
    assert {row["position"]: row["discs"] for row in found} == {"early": "2", "middle": "9", "complex": "15"}
    assert {row["move"] for row in found if row["position"] == "complex"} == {"3"}, "X wins at once"
    assert {(row["phase"], row["searches"]) for row in table_of(results, "Game phases, depth 6")} == {
        ("opening", 2),
        ("middle", 1),
    }
    for row in table_of(results, "What is saved against minimax"):
        assert row["times fewer generated"] > 1
        assert row["reduction"] == pytest.approx(1 - 1 / row["times fewer generated"])
    deepest = {row["algorithm"]: row["generated"] for row in table_of(results, "Cost") if row["depth"] == 6}
    assert sorted(deepest, key=lambda name: -deepest[name]) == list(deepest), "each algorithm saves more than the last"


def test_the_board_size_study_plans_every_cell_of_the_three_grids_and_the_largest():
    plan = make_plan(read_config(CONFIGS / "board_size.yaml"))
    planned = [item.planned for item in plan.items.values()]
    assert len(planned) == 96
    cells = {(game.rules, game.first.settings.depth, game.first.settings.algorithm) for game in planned}
    assert cells == {
        (Rules(rows, columns, connect), depth, algorithm)
        for rows, columns in ((4, 5), (6, 7), (8, 9), (10, 11))
        for connect in (3, 4, 5)
        for depth in (3, 4, 5, 6)
        for algorithm in ("minimax", "alphabeta")
    }
    assert (Rules(10, 11, 3), 6, "minimax") in cells
    assert all(item.driver is not None for item in plan.items.values()), "whole games are summed"


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
    by_depth = table_of(results, f"N × depth, size 6×7: {against}")
    assert [row["N"] for row in by_depth] == [3, 4]
    for row in by_depth:
        assert ratio(row["depth 4"]) > ratio(row["depth 3"]) > 1
    by_size = table_of(results, f"N × size, depth 4: {against}")
    for row in by_size:
        assert ratio(row["size 6×7"]) > ratio(row["size 4×5"])
    both = table_of(results, f"depth × size, N 3: {against}")
    assert [row["depth"] for row in both] == [3, 4]
    assert ratio(both[1]["size 6×7"]) == max(ratio(row[f"size {size}"]) for row in both for size in ("4×5", "6×7"))
    assert both[1]["size 6×7"] == by_size[0]["size 6×7"] == by_depth[0]["depth 4"], "one cell in three grids"


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
    assert len(plan.items) == 3 * 2 * 10 * 2
    settings = {player.settings for player in plan.players().values()}
    assert {one.depth for one in settings} == {8, 10}
    told = {tuple(sorted(set(one.told()) - {"depth"})) for one in settings}
    for alone in ("order", "table", "iterative", "algorithm"):
        assert (alone,) in told
    assert ("algorithm", "aspiration", "iterative", "order", "table") in told


@pytest.mark.needs_jit
def test_the_ablation_agrees_and_all_together_take_the_fewest_nodes(tmp_path):
    text = (CONFIGS / "ablation.yaml").read_text().replace("table: 20", "table: 14").replace("[8, 10]", "[6]")
    results = tournament.run(write(tmp_path / "c.yaml", text), out=tmp_path / "out", jobs=2)
    assert table_of(results, "Agreement") == [{"positions": 6, "algorithms": 10, "answers that differ": 0}]
    generated = {row["algorithm"]: row["generated"] for row in table_of(results, "Cost")}
    assert min(generated.values()) < generated["alphabeta"] / 3
    assert generated["alphabeta"] / 3 > generated["alphabeta, killers, table 14"]
    saved = {row["algorithm"]: row["reduction"] for row in table_of(results, "What is saved against alphabeta")}
    assert saved["alphabeta, centre"] > 0
    assert saved["alphabeta, iterative"] < 0, "alone, searching the smaller depths first costs more than it saves"


@pytest.mark.parametrize("path", sorted(CONFIGS.glob("*.yaml")), ids=lambda path: path.stem)
def test_every_shipped_config_can_be_planned(path):
    assert sum(1 for _ in make_plan(read_config(path)).games()) > 0


# ── once, and never twice ────────────────────────────────────────────────────────────────────────


class Impatient(Nobody):
    """Notes what was searched, and presses Ctrl-C after so many."""

    def __init__(self, patience: int = 0) -> None:
        self.patience = patience
        self.done: list[str] = []

    def finished(self, task: Task, *_: object) -> None:
        self.done.append(task.game)
        if len(self.done) == self.patience:
            raise KeyboardInterrupt


def many(folder: Path) -> Path:
    """A study of positions and of games, with drift and without: 28 entries."""
    text = """\
study:
  - title: Positions
    positions: {empty: empty, early: "4435"}
    evaluators: [windows, runs]
    algorithms: [minimax, {algorithm: pvs, order: killers, table: 10}]
    depths: [1, 2, 3]
  - title: Games
    games: {itself: runs}
    algorithms: [star1, star2]
    depths: [1, 2]
    rules: {rows: 4, columns: 5, connect: 3, drift: {chosen: 0.6}}
"""
    return write(folder / "many.yaml", text)


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_study_that_is_stopped_goes_on_and_searches_nothing_twice(tmp_path, jobs):
    config = many(tmp_path)
    whole = run(config, out=tmp_path / "whole", jobs=1)
    assert whole.planned == len(whole.found) == 28
    ids: list[str] = []
    for patience in (1, 6):
        watch = Impatient(patience)
        with pytest.raises(
            Stopped, match=r"stopped with \d+ of 28 searches done, all kept in .*: the same command goes"
        ):
            run(config, out=tmp_path / "part", jobs=jobs, observer=watch)
        ids += watch.done
    before = kept(tmp_path / "part")
    assert not (tmp_path / "part" / "searches.csv").exists()
    watch = Impatient()
    run(config, out=tmp_path / "part", jobs=jobs, observer=watch)
    ids += watch.done
    assert len(ids) == len(set(ids)) == 28
    assert kept(tmp_path / "part") > before
    assert unmeasured(rows(tmp_path / "part", "searches.csv")) == unmeasured(rows(tmp_path / "whole", "searches.csv"))


def test_the_same_command_again_searches_nothing(tmp_path, tourney):
    write(tmp_path / "c.yaml", SMALL)
    code, told, _ = tourney("run", "c.yaml", "--jobs", "2")
    assert code == 0
    assert told.startswith("12 searches, 0 of them done before; 2 jobs\n")
    assert re.search(r"^12 of 12 searches, [\d,.]+ searches/s, [\d,.]+ million nodes/s$", told, flags=re.MULTILINE)
    folder = tmp_path / "reports" / "c"
    before, listed = kept(folder), (folder / "searches.csv").read_bytes()
    code, again, _ = tourney("run", "c.yaml", "--jobs", "1")
    assert code == 0
    assert again.startswith("12 searches, 12 of them done before; 1 jobs\n")
    assert kept(folder) == before
    assert (folder / "searches.csv").read_bytes() == listed


@pytest.mark.parametrize(
    ("old", "new", "more"),
    [
        ("depths: [2, 3]", "depths: [2, 3, 4]", 6),
        ("[minimax, alphabeta,", "[minimax, pvs, alphabeta,", 4),
        ('early: "4435"', 'early: "4435", late: "44353342"', 6),
        ("[windows]", "[windows, runs]", 12),
        ("depths: [2, 3]", "depths: [2, 3]\n  rules: [{connect: 4}, {connect: 5}]", 12),
    ],
    ids=["a depth", "an algorithm", "a position", "an evaluator", "a board"],
)
def test_what_a_study_is_extended_by_is_all_that_is_searched(tmp_path, old, new, more):
    config, out = write(tmp_path / "c.yaml", SMALL), tmp_path / "out"
    tournament.run(config, out=out, jobs=1)
    before, listed = kept(out), unmeasured(rows(out, "searches.csv"))
    results = tournament.run(write(config, SMALL.replace(old, new)), out=out, jobs=1)
    assert len(results.found) == 12 + more
    assert kept(out) > before
    assert [row for row in unmeasured(rows(out, "searches.csv")) if row in listed] == listed
    assert results.superseded == 0


def test_what_is_left_out_of_a_study_is_kept_but_not_told(tmp_path):
    config, out = write(tmp_path / "c.yaml", SMALL), tmp_path / "out"
    tournament.run(config, out=out, jobs=1)
    before = kept(out)
    results = tournament.run(write(config, SMALL.replace("[2, 3]", "[3]")), out=out, jobs=1)
    assert (len(results.found), results.planned, results.superseded) == (6, 6, 6)
    assert {row["depth"] for row in rows(out, "searches.csv")} == {"3"}
    assert kept(out) == before


def test_an_edited_evaluator_is_searched_anew_and_its_old_searches_do_not_count(tmp_path, tourney):
    evaluator = write(tmp_path / "mine" / "alice.py", "def evaluate(board):\n    return board[0, 3]\n")
    text = SMALL.replace("[windows]", "[windows, alice]").replace("title: Small", "evaluators: [mine]")
    write(tmp_path / "c.yaml", text)
    assert tourney("run", "c.yaml", "--quiet")[0] == 0
    folder = tmp_path / "reports" / "c"
    before, old = kept(folder), rows(folder, "searches.csv")
    evaluator.write_text("def evaluate(board):\n    return 2 * board[0, 3]\n")
    code, told, _ = tourney("run", "c.yaml")
    assert code == 0
    assert told.startswith("24 searches, 12 of them done before")
    assert "12 searches in the store are not counted: other players, or edited since" in told
    assert "12 searches of earlier plans or of evaluators since edited" in (folder / "report.md").read_text()
    assert kept(folder) > before
    new = rows(folder, "searches.csv")
    assert [row for row in new if row["evaluator"] == "windows"] == [r for r in old if r["evaluator"] == "windows"]
    scores = [[float(row["score"]) for row in them if row["evaluator"] == "alice"] for them in (old, new)]
    assert scores[1] == [2 * score for score in scores[0]]


def test_the_number_of_jobs_changes_nothing_but_what_is_measured(tmp_path):
    config = many(tmp_path)
    folders = [tmp_path / str(jobs) for jobs in (1, 2, 3)]
    for jobs, folder in enumerate(folders, start=1):
        tournament.run(config, out=folder, jobs=jobs)
    one, two, three = (unmeasured(rows(folder, "searches.csv")) for folder in folders)
    assert one == two == three
    assert [row["part"] for row in one] == sorted((row["part"] for row in one), reverse=True), (
        "in the order of the plan"
    )


def test_the_seed_decides_where_discs_drift_in_games_that_are_studied(tmp_path):
    found = []
    for seed in (1, 1, 2):
        config = many(tmp_path)
        config.write_text(config.read_text() + f"seed: {seed}\n")
        results = tournament.run(config, out=tmp_path / "out", fresh=len(found) == 1, jobs=1)
        found.append([one.played for one in results.found if one.part == "Games"])
    assert found[0] == found[1]
    assert found[0] != found[2]
    by_star1, by_star2 = found[0][::2], found[0][1::2]
    assert by_star1 == by_star2, "both algorithms search the positions of one game"


def test_another_evaluator_may_search_the_games_that_one_plays(tmp_path):
    text = "study:\n  games: {itself: runs}\n  algorithms: [alphabeta]\n  depths: [2]\n"
    alone = tournament.run(write(tmp_path / "c.yaml", text), out=tmp_path / "alone", jobs=1)
    watched = tournament.run(
        write(tmp_path / "c.yaml", f"{text}  evaluators: [windows, runs]\n"), out=tmp_path / "watched", jobs=1
    )
    assert [one.player.name for one in alone.found] == ["runs"]
    assert [one.player.name for one in watched.found] == ["windows", "runs"]
    assert {one.played for one in watched.found} == {alone.found[0].played}
    windows, runs = watched.found
    assert [move.chosen for move in runs.moves] == [move.column for move in runs.moves]
    assert [move.chosen for move in windows.moves] != [move.column for move in windows.moves]
    assert [move.score for move in runs.moves] == [move.score for move in alone.found[0].moves]


# ── what goes wrong ──────────────────────────────────────────────────────────────────────────────

COUNTS = """
calls = []


def evaluate(board):
    calls.append(board)
    return len(calls)
"""
GRUMP = """
def evaluate(board, rules):
    if board[0, 3] != 0:
        raise ValueError("no [opinion] on this")
    return 0
"""


def test_an_evaluator_that_is_no_function_makes_the_algorithms_disagree_loudly(tmp_path, tourney):
    write(tmp_path / "moody.py", COUNTS)
    text = SMALL.replace("[windows]", "[moody]").replace("title: Small", "evaluators: [moody.py]")
    write(tmp_path / "c.yaml", text)
    code, out, err = tourney("run", "c.yaml", "--quiet", "--jobs", "1")
    assert (code, out) == (1, "")
    (line,) = err.splitlines()
    assert re.fullmatch(
        r"tourney: the algorithms disagree on 8 answers, first on 6×7, connect 4, moody, empty, depth 2: "
        r"minimax says column \d, value [\d.]+, and alphabeta says column \d, value [\d.]+\. "
        r"The table Agreement has all of them\.",
        line,
    )
    folder = tmp_path / "reports" / "c"
    (agreement,) = re.findall(r"## Agreement\n(.+?)\n## ", (folder / "report.md").read_text(), flags=re.DOTALL)
    assert "8 answers differ. One of the algorithms is wrong, or the evaluator is not a function." in agreement
    assert len(in_json(folder, "Agreement")) == 8
    before = kept(folder)
    assert tourney("run", "c.yaml", "--quiet", "--jobs", "1") == (1, "", err), "and again, from the store"
    assert kept(folder) == before
    with pytest.raises(Disagreement, match="the algorithms disagree"):
        tournament.run(tmp_path / "c.yaml", out=folder, jobs=1)
    code, out, _ = tourney("report", "reports/c")
    assert (code, "8 answers differ" in out) == (0, True)


def test_an_evaluator_that_fails_is_told_and_the_others_go_on(tmp_path, tourney):
    write(tmp_path / "grump.py", GRUMP)
    text = SMALL.replace("[windows]", "[grump, windows]").replace("title: Small", "evaluators: [grump.py]")
    write(tmp_path / "c.yaml", text)
    code, out, _ = tourney("run", "c.yaml")
    assert code == 0
    folder = tmp_path / "reports" / "c"
    found = rows(folder, "searches.csv")
    windows = [row for row in found if row["evaluator"] == "windows"]
    assert len(windows) == 12
    assert {row["position"] for row in found if row["evaluator"] == "grump"} == set(), "it failed everywhere"
    (fault,) = in_json(folder, "Faults")
    assert (fault["evaluator"], fault["failed"]) == ("grump", 12)
    assert fault["first message"].startswith("grump.py:4: evaluate raised ValueError: no [opinion] on this. Its discs")
    assert "no [opinion] on this" in " ".join(out.split())
    assert {row["what"]: row["value"] for row in in_json(folder, "How it was made")}["searches"] == "24 of 24 done"
    code, told, _ = tourney("run", "c.yaml")
    assert told.startswith("24 searches, 24 of them done before"), "a fault is a result like any other"


def test_what_only_one_algorithm_comes_across_is_a_fault_of_that_search_alone(tmp_path):
    write(tmp_path / "rare.py", GRUMP.replace("board[0, 3] != 0", "board[0, 6] != 0 and board[1, 6] != 0"))
    text = SMALL.replace("[windows]", "[rare]").replace("title: Small", "evaluators: [rare.py]")
    results = tournament.run(write(tmp_path / "c.yaml", text.replace("[2, 3]", "[2]")), out=tmp_path / "out", jobs=1)
    failed = {(one.place, one.player.settings.algorithm) for one in results.found if one.fault}
    assert failed == {("empty", "minimax"), ("early", "minimax")}, "the others prune that"
    assert "Cost" in [table.title for table in results.tables]
    assert {row["algorithm"] for row in rows(tmp_path / "out", "searches.csv")} == {"alphabeta"}


def test_an_evaluator_that_fails_late_in_a_game_keeps_what_it_found_before(tmp_path):
    write(tmp_path / "late.py", GRUMP.replace("board[0, 3] != 0", "(board != 0).sum() > 9"))
    text = "evaluators: [late.py]\nstudy:\n  games: {itself: late}\n  algorithms: [minimax, alphabeta]\n  depths: [2]\n"
    results = tournament.run(write(tmp_path / "c.yaml", text), out=tmp_path / "out", jobs=1)
    for one in results.found:
        assert one.fault is not None
        assert [move.ply for move in one.moves] == list(range(8)), "from 8 discs a search sees 10"
    assert [row["failed"] for row in table_of(results, "Faults")] == [2]
    assert table_of(results, "Agreement")[0]["answers that differ"] == 0


def test_a_game_ends_where_the_evaluator_that_plays_it_fails(tmp_path):
    write(tmp_path / "late.py", GRUMP.replace("board[0, 3] != 0", "(board != 0).sum() > 9"))
    text = "evaluators: [late.py]\nstudy:\n  games: {itself: late}\n  algorithms: [alphabeta]\n  depths: [2]\n"
    config = write(tmp_path / "c.yaml", f"{text}  evaluators: [windows]\n")
    (one,) = tournament.run(config, out=tmp_path / "out", jobs=1).found
    assert "late.py:4: evaluate raised ValueError" in str(one.fault)
    assert [move.ply for move in one.moves] == list(range(8)), "what was searched where no move followed is left out"
    assert "".join(column_digit(move.column) for move in one.moves) == one.played


def test_a_study_in_which_everything_fails_has_no_tables_but_the_faults(tmp_path):
    write(tmp_path / "never.py", "def evaluate(board):\n    return float('nan')\n")
    text = SMALL.replace("[windows]", "[never]").replace("title: Small", "evaluators: [never.py]")
    results = tournament.run(write(tmp_path / "c.yaml", text), out=tmp_path / "out", jobs=1)
    assert [table.title for table in results.tables] == ["Faults", "How it was made"]
    assert rows(tmp_path / "out", "searches.csv") == []


# ── the commands ─────────────────────────────────────────────────────────────────────────────────


def test_a_dry_run_prints_the_searches_and_makes_none(tmp_path, tourney):
    write(tmp_path / "c.yaml", SMALL)
    code, out, _ = tourney("run", "c.yaml", "--dry-run")
    assert code == 0
    assert "Small" in out
    for place, depth, algorithm in (("empty", 2, "minimax"), ("early", 3, "alphabeta, centre")):
        assert re.search(rf"│ 6×7 +│ {place} +│ windows +│ {depth} +│ {algorithm} +│", out)
    assert out.rstrip().endswith("12 searches, or games of searches")
    assert [path.name for path in tmp_path.iterdir()] == ["c.yaml"]


def test_a_dry_run_of_a_large_study_is_cut_short(tourney):
    code, out, _ = tourney("run", str(CONFIGS / "ablation.yaml"), "--dry-run")
    assert code == 0
    assert "… and 60 more" in out
    assert "120 searches" in out


def test_report_makes_the_same_files_again_from_the_store_alone(tmp_path, tourney):
    config = write(tmp_path / "c.yaml", SMALL)
    _, told, _ = tourney("run", "c.yaml")
    folder = tmp_path / "reports" / "c"
    names = ("report.md", "report.html", "searches.csv", "results.json")
    before = {name: (folder / name).read_bytes() for name in names}
    assert not (folder / "games.csv").exists()
    for name in names:
        (folder / name).unlink()
    config.unlink()
    code, again, _ = tourney("report", "reports/c")
    assert code == 0
    assert {name: (folder / name).read_bytes() for name in names} == before
    assert told.endswith(again), "the terminal shows the same tables"
    assert "searches.csv every search" in " ".join(again.split())


def test_show_has_no_games_of_a_study_to_show(tmp_path, tourney):
    write(tmp_path / "c.yaml", SMALL)
    assert tourney("run", "c.yaml", "--quiet")[0] == 0
    code, out, err = tourney("show", "reports/c", "1")
    assert (code, out) == (2, "")
    assert err.startswith("tourney: reports/c: ")
    assert len(err.splitlines()) == 1


def test_searches_csv_has_a_column_for_all_that_decides_a_search_and_all_that_it_took(tmp_path):
    text = SMALL.replace(
        " alphabeta,", " {algorithm: pvs, order: history, table: 9, iterative: true, aspiration: 5},", 1
    )
    tournament.run(write(tmp_path / "c.yaml", text), out=tmp_path / "out", jobs=1)
    found = rows(tmp_path / "out", "searches.csv")
    assert list(found[0]) == [
        *("part", "rows", "columns", "connect", "objective", "drift", "drift_players", "evaluator", "position"),
        *("discs", "algorithm", "order", "table", "iterative", "aspiration", "depth", "move", "score", "generated"),
        *("expanded", "evaluated", "cutoffs", "seconds", "cpu_seconds", "deepest", "memory"),
    ]
    (row,) = [row for row in found if (row["algorithm"], row["position"], row["depth"]) == ("pvs", "early", "3")]
    assert [row[name] for name in ("rows", "columns", "connect", "objective", "drift")] == [
        *("6", "7", "4", "first-line", "1.0")
    ]
    assert [row[name] for name in ("order", "table", "iterative", "aspiration", "discs", "deepest")] == [
        *("history", "9", "1", "5.0", "4", "3")
    ]
    assert all(float(row["seconds"]) > 0 for row in found)


def test_a_terminal_gets_a_bar_for_each_depth_and_no_standings(tmp_path):
    tournament.run(write(tmp_path / "c.yaml", SMALL), out=tmp_path / "out", jobs=1)
    page = io.StringIO()
    display = RichProgress(Console(file=page, force_terminal=True, width=100))
    with Store(tmp_path / "out") as store:
        key = next(iter(store.players()))
        display.begins(store, 1)
        display.playing([Task("id", key, None, "empty", "depth 2")])
        display.close()
    plain = Console(file=page, width=100)
    plain.print(display.picture())
    text = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", page.getvalue())
    for wanted in ("depth 2", "depth 3", "6/6", "searches/s", "now: windows, minimax (depth 2)"):
        assert wanted in text
    assert "Standings" not in text


def test_a_study_without_a_title_is_numbered_where_there_are_several(tmp_path):
    study = "positions: {empty: empty}, evaluators: [windows], algorithms: [minimax, alphabeta]"
    text = f"study:\n  - {{{study}, depths: [1]}}\n  - {{title: Deeper, {study}, depths: [2]}}\n"
    results = tournament.run(write(tmp_path / "c.yaml", text), out=tmp_path / "out", jobs=1)
    titles = [table.title for table in results.tables]
    assert titles[0] == "Study 1: Cost"
    assert "Deeper: Cost" in titles
    assert list(results.parts) == ["Study 1", "Deeper"]


# ── searches made by hand ────────────────────────────────────────────────────────────────────────

RUN = StoredRun(
    number=1,
    started="2026-01-02 03:04:05+00:00",
    ended="2026-01-02 03:04:06+00:00",
    title="Made by hand",
    config="study: …",
    config_file="configs/hand.yaml",
    command="tourney run configs/hand.yaml",
    seed=1,
    rules=STANDARD,
    jobs=2,
    versions={"Python": "3.11.0", "tourney": "0.1.0"},
    machine="an abacus, 2 cores, Linux",
    seats=None,
)


def move(ply: int = 0, chosen: int = 3, score: float = 0.0, generated: int = 7, **more: Any) -> StoredMove:
    """One search: unless told otherwise, it expands a seventh of what it generates and evaluates the rest."""
    told = {
        **{"column": chosen, "depth": 1, "expanded": generated // 7, "evaluated": generated - generated // 7},
        **{"cutoffs": 0, "seconds": 0.0, "cpu_seconds": 0.0, "deepest": 1, "memory": None, "equals": None},
    }
    return StoredMove(ply=ply, chosen=chosen, score=score, generated=generated, **told | more)


def searches(algorithm: str | Settings, depth: int, *moves: StoredMove, **more: Any) -> StoredSearches:
    """What one player found: an algorithm's name and the depth, or all of its settings."""
    settings = Settings(depth, algorithm) if isinstance(algorithm, str) else algorithm
    name = more.pop("name", "windows")
    player = StoredPlayer(f"{name} {settings.told()}", name, settings, name, "", "0123456789abcdef" * 4, True, None)
    told = {"id": "", "part": "", "place": "start", "start": "empty", "rules": STANDARD, "fault": None, "played": ""}
    return StoredSearches(player=player, moves=list(moves), **told | more)


def results(*found: StoredSearches, planned: int | None = None, superseded: int = 0) -> StudyResults:
    return StudyResults(RUN, len(found) if planned is None else planned, superseded, list(found))


CENTRE = Settings(2, "alphabeta", "centre")
KILLERS = Settings(2, "alphabeta", "killers")


def test_cost_and_space_are_summed_over_positions_by_depth_and_algorithm():
    took = {"expanded": 5, "evaluated": 30, "cutoffs": 2, "seconds": 0.25, "deepest": 2, "memory": 4096}
    found = [
        searches("minimax", 2, move(generated=56, **took | {"memory": 8192}), place="early"),
        searches("alphabeta", 2, move(generated=20, **took)),
        searches("minimax", 2, move(generated=44, **took | {"deepest": 1}), place="late"),
        searches("minimax", 3, move(generated=399), move(generated=1)),
    ]
    cost, space = cost_tables(found)
    assert [tuple(row.values()) for row in records(cost)] == [
        (2, "minimax", 100, 60, 4, 0.5),
        (2, "alphabeta", 20, 30, 2, 0.25),
        (3, "minimax", 400, 399 - 57 + 1, 0, 0.0),
    ]
    assert [column.name for column in cost.columns] == [
        *("depth", "algorithm", "generated", "evaluated", "cutoffs", "seconds")
    ]
    assert [tuple(row.values()) for row in records(space)] == [
        (2, "minimax", 2, 2, 8192),
        (2, "alphabeta", 1, 2, 4096),
        (3, "minimax", 2, 1, None),
    ]


def test_what_is_saved_is_told_against_the_first_algorithm_with_its_sign():
    found = [
        searches("minimax", 2, move(generated=100, evaluated=90, seconds=1.0)),
        searches("alphabeta", 2, move(generated=25, evaluated=30, seconds=0.5)),
        searches("pvs", 2, move(generated=150, evaluated=180, seconds=4.0)),
        searches("alphabeta", 3, move(generated=1)),  # at a depth that the first has not searched
    ]
    table = reduction_table(found)
    assert table.title == "What is saved against minimax"
    assert records(table) == [
        {
            **{"depth": 2, "algorithm": "alphabeta", "times fewer generated": 4.0, "times fewer evaluated": 3.0},
            **{"reduction": 0.75, "speed-up": 2.0},
        },
        {
            **{"depth": 2, "algorithm": "pvs", "times fewer generated": pytest.approx(2 / 3)},
            **{"times fewer evaluated": 0.5, "reduction": -0.5, "speed-up": 0.25},
        },
    ]
    reversed_table = reduction_table(found[1::-1])
    assert records(reversed_table)[0]["reduction"] == -3.0


def test_what_is_saved_is_left_open_where_nothing_can_be_divided():
    found = [searches("minimax", 1, move(evaluated=0)), searches("alphabeta", 1, move(generated=0, evaluated=0))]
    (row,) = records(reduction_table(found))
    assert (row["times fewer generated"], row["times fewer evaluated"], row["reduction"]) == (None, None, 1.0)
    (row,) = records(reduction_table(found[::-1]))
    assert row["reduction"] is None


def test_the_branching_factor_is_measured_where_nothing_is_pruned():
    tabled = Settings(2, "minimax", table=10)
    found = [
        searches("minimax", 2, move(generated=42, expanded=7)),
        searches("alphabeta", 2, move(generated=20, expanded=10)),
        searches(tabled, 2, move(generated=20, expanded=10)),
        searches("minimax", 3, move(generated=258 - 42, expanded=36)),
    ]
    assert mean_branching(found) == 6.0
    table = branching_table(found)
    assert table.note.startswith("b = 6.00, the positions generated from one that is expanded without pruning.")
    told = {(row["depth"], row["algorithm"]): row for row in records(table)}
    assert (told[2, "alphabeta"]["b^d"], told[2, "alphabeta"]["b^(d/2)"]) == (36.0, 6.0)
    assert (told[3, "minimax"]["b^d"], told[3, "minimax"]["b^(d/2)"]) == (216.0, pytest.approx(6**1.5))
    assert told[2, "minimax"]["EBF"] == pytest.approx(6.0)  # 6 + 36 = 42
    assert told[2, "alphabeta"]["EBF"] == pytest.approx(4.0)  # 4 + 16 = 20


def test_with_chance_the_branching_counts_where_discs_land():
    found = [searches("expectiminimax", 1, move(generated=19, expanded=1)), searches("star1", 1, move(generated=9))]
    assert mean_branching(found) == 19.0


def test_without_an_unpruned_search_the_branching_is_the_number_of_columns():
    found = [searches("alphabeta", 2, move()), searches("pvs", 2, move(), rules=Rules(8, 9, 4))]
    assert mean_branching(found) == 8.0


def test_the_branching_of_games_is_told_per_search():
    (row,) = records(branching_table([searches("minimax", 2, *[move(generated=56, expanded=8)] * 3)]))
    assert (row["generated per search"], row["EBF"]) == (56.0, pytest.approx(7.0))


@pytest.mark.parametrize(
    ("rules", "middle", "end"),
    [(STANDARD, 14, 28), (Rules(3, 3, 3), 3, 6), (Rules(4, 5, 4), 7, 14), (Rules(2, 2, 2), 2, 3)],
)
def test_the_phases_are_thirds_of_the_board(rules, middle, end):
    phases = [phase_of(discs, rules) for discs in range(rules.rows * rules.columns)]
    assert (phases.index("middle"), phases.index("end")) == (middle, end)
    assert phases == sorted(phases, key=("opening", "middle", "end").index)
    assert phase_of(rules.rows * rules.columns, rules) == "end"


def test_phases_are_told_at_the_greatest_depth_against_the_first_algorithm():
    board = Rules(3, 3, 3)
    plies = (0, 2, 3, 8)
    sizes = {"minimax": (100, 60, 40, 10), "alphabeta": (30, 10, 10, 10)}
    found = [
        searches(
            name,
            3,
            *(
                move(ply, generated=size, expanded=10, cutoffs=4, seconds=size / 1000)
                for ply, size in zip(plies, generated, strict=True)
            ),
            rules=board,
        )
        for name, generated in sizes.items()
    ]
    table = phase_table([*found, searches("minimax", 2, move(0, generated=9999), rules=board)])
    assert table.title == "Game phases, depth 3"
    told = {(row["phase"], row["algorithm"]): row for row in records(table)}
    assert [row["phase"] for row in records(table)] == ["opening", "opening", "middle", "middle", "end", "end"]
    opening = told["opening", "alphabeta"]
    assert (opening["searches"], opening["generated per search"], opening["cutoffs"]) == (2, 20.0, 0.4)
    assert opening["ms per search"] == pytest.approx(0.02)
    assert opening["reduction"] == 0.75
    assert told["opening", "minimax"]["reduction"] is None
    assert told["middle", "alphabeta"]["reduction"] == 0.75
    assert told["end", "alphabeta"]["reduction"] == 0.0


# ── grids ────────────────────────────────────────────────────────────────────────────────────────

BOARDS = ((4, 5), (6, 7))


def grid(algorithms: tuple[str, ...] = ("minimax", "alphabeta"), boards: Any = BOARDS) -> list[StoredSearches]:
    """Evaluations that say where they stand: N, rows and depth as digits, for the first; 10 for the others."""
    return [
        searches(
            name,
            depth,
            move(evaluated=int(f"{n}{rows}{depth}") if name == algorithms[0] else 10),
            rules=Rules(rows, columns, n),
        )
        for rows, columns in boards
        for n in (3, 4)
        for depth in (5, 6)
        for name in algorithms
    ]


def told_in(table: Table) -> list[list[Any]]:
    """The rows of a grid: what stands before, then the evaluations of the first algorithm."""
    return [[row[0], *(cell and int(cell.split(" / ")[0].replace(",", "")) for cell in row[1:])] for row in table.rows]


def test_the_three_grids_have_the_right_cells_and_keep_the_third_at_its_end():
    by_size, by_depth, both = grid_tables(grid())
    assert by_size.title == "N × size, depth 6: minimax against alphabeta"
    assert told_in(by_size) == [[3, 346, 366], [4, 446, 466]]
    assert by_depth.title == "N × depth, size 6×7: minimax against alphabeta"
    assert told_in(by_depth) == [[3, 365, 366], [4, 465, 466]]
    assert both.title == "depth × size, N 3: minimax against alphabeta"
    assert told_in(both) == [[5, 345, 365], [6, 346, 366]]
    assert [column.name for column in both.columns] == ["depth", "size 4×5", "size 6×7"]
    assert by_size.rows[1][2] == "466 / 10 = 46.6"
    assert by_size.note == "Evaluations by minimax / by alphabeta = ratio."


def test_the_size_that_is_kept_is_the_largest_however_the_boards_are_listed():
    _, by_depth, _ = grid_tables(grid(boards=BOARDS[::-1]))
    assert by_depth.title == "N × depth, size 6×7: minimax against alphabeta"
    assert told_in(by_depth) == [[3, 365, 366], [4, 465, 466]]


def test_each_further_algorithm_has_grids_of_its_own():
    titles = [table.title for table in grid_tables(grid(("minimax", "alphabeta", "pvs")))]
    assert len(titles) == 6
    assert titles[:2] == ["N × size, depth 6: minimax against alphabeta", "N × size, depth 6: minimax against pvs"]


def test_a_grid_of_one_row_or_column_is_not_shown():
    def titles(found: list[StoredSearches]) -> list[str]:
        return [table.title.split(":")[0] for table in grid_tables(found)]

    assert titles([one for one in grid() if one.rules.connect == 3]) == ["depth × size"]
    assert titles([one for one in grid() if one.rules.rows == 6]) == ["N × depth"]
    assert titles([one for one in grid() if one.player.settings.depth == 5]) == ["N × size"]
    assert titles([searches("minimax", 2, move()), searches("alphabeta", 2, move())]) == []


def test_a_cell_that_was_not_searched_is_left_open():
    found = [one for one in grid() if (one.rules.connect, one.rules.rows) != (4, 6)]
    by_size, by_depth, both = grid_tables(found)
    assert told_in(by_size) == [[3, 346, 366], [4, 446, None]]
    assert told_in(by_depth) == [[3, 365, 366], [4, None, None]]
    assert None not in told_in(both)[0]


def test_a_grid_sums_over_positions_and_whole_games():
    twice = [one._replace(place=place, moves=one.moves * 2) for one in grid() for place in ("a", "b")]
    assert told_in(grid_tables(twice)[0])[0] == [3, 4 * 346, 4 * 366]


# ── agreement ────────────────────────────────────────────────────────────────────────────────────


def differ(*found: StoredSearches) -> list[dict[str, Any]]:
    """What the table lists; and whether the check raises must be the same question."""
    table = agreement_table(list(found))
    names = [column.name for column in table.columns]
    if "answers that differ" in names:
        check_agreement(results(*found))
        assert "Every algorithm found the same value and the same move everywhere." in table.note
        return []
    with pytest.raises(Disagreement):
        check_agreement(results(*found))
    assert table.note.startswith(f"{len(table.rows)} answers differ.")
    return records(table)


def test_the_same_values_and_moves_agree():
    assert differ(searches("minimax", 2, move()), searches("alphabeta", 2, move())) == []
    table = agreement_table(
        [searches("minimax", 2, move()), searches("alphabeta", 2, move()), searches("pvs", 3, move())]
    )
    assert records(table) == [{"positions": 1, "algorithms": 3, "answers that differ": 0}]


def test_another_value_is_listed_with_what_both_said():
    found = searches("minimax", 2, move(score=1.5)), searches("alphabeta", 2, move(score=1.25))
    assert differ(*found) == [
        {
            **{"board": "6×7, connect 4", "evaluator": "windows", "position": "start", "depth": 2},
            **{"algorithm": "minimax", "move": "4", "value": 1.5},
            **{"other algorithm": "alphabeta", "other move": "4", "other value": 1.25},
        }
    ]
    with pytest.raises(Disagreement) as raised:
        check_agreement(results(*found))
    assert str(raised.value) == (
        "the algorithms disagree on 1 answers, first on 6×7, connect 4, windows, start, depth 2: minimax says column "
        "4, value 1.5, and alphabeta says column 4, value 1.25. The table Agreement has all of them."
    )


def test_values_must_be_equal_to_the_last_bit():
    assert len(differ(searches("minimax", 2, move(score=0.3)), searches("pvs", 2, move(score=0.1 + 0.2)))) == 1


def test_another_value_counts_in_any_order_of_moves_even_where_the_move_is_the_same():
    found = searches("minimax", 2, move(score=1, equals="4")), searches(CENTRE, 2, move(score=2))
    assert len(differ(*found)) == 1


def test_within_one_order_the_move_must_be_the_same():
    minimax = searches("minimax", 2, move(chosen=0, equals="14"))
    assert len(differ(minimax, searches("alphabeta", 2, move(chosen=3)))) == 1
    assert len(differ(searches(CENTRE, 2, move(chosen=3)), searches(KILLERS, 2, move(chosen=0)))) == 1, (
        "killers break ties as centre does"
    )


def test_between_orders_a_move_of_the_same_value_will_do():
    minimax = searches("minimax", 2, move(chosen=0, equals="14"))
    assert differ(minimax, searches(CENTRE, 2, move(chosen=3))) == []
    note = agreement_table([minimax, searches(CENTRE, 2, move(chosen=3))]).note
    assert note.endswith("so that two orders may choose two moves of one value.")
    assert differ(searches("alphabeta", 2, move(chosen=0)), searches(CENTRE, 2, move(chosen=3))) == [], "nobody knows"


def test_between_orders_a_move_that_is_known_to_be_worse_will_not_do():
    knows = searches("minimax", 2, move(chosen=0, equals="12"))
    assert len(differ(knows, searches(CENTRE, 2, move(chosen=3)))) == 1
    assert len(differ(searches(CENTRE, 2, move(chosen=3)), knows)) == 1, "whoever comes first"
    centre = searches(Settings(2, "minimax", "centre"), 2, move(chosen=3, equals="45"))
    assert len(differ(searches("alphabeta", 2, move(chosen=0)), centre)) == 1


def test_what_an_unpruned_search_knows_counts_wherever_it_stands():
    found = [
        searches("alphabeta", 2, move(chosen=0)),
        searches(CENTRE, 2, move(chosen=3)),
        searches("minimax", 2, move(chosen=0, equals="1")),
    ]
    assert len(differ(*found)) == 1


def test_two_that_each_agree_with_the_first_must_agree_with_each_other():
    minimax = searches("minimax", 2, move(chosen=0, equals="14"))
    assert len(differ(minimax, searches(CENTRE, 2, move(chosen=3)), searches(KILLERS, 2, move(chosen=0)))) == 1


@pytest.mark.parametrize(
    "other",
    [
        searches("alphabeta", 3, move(score=9)),
        searches("alphabeta", 2, move(score=9), place="elsewhere"),
        searches("alphabeta", 2, move(score=9), name="runs"),
        searches("alphabeta", 2, move(score=9), rules=Rules(6, 7, 5)),
        searches("alphabeta", 2, move(score=9), rules=Rules(objective="most-lines")),
    ],
    ids=["depth", "position", "evaluator", "connect", "objective"],
)
def test_only_searches_of_the_same_thing_are_held_against_each_other(other):
    assert differ(searches("minimax", 2, move()), other) == []


def test_games_are_compared_move_by_move():
    game = [move(ply, score=ply) for ply in range(5)]
    wrong = [*game[:3], move(3, score=-1.0), game[4]]
    (row,) = differ(searches("minimax", 2, *game), searches("alphabeta", 2, *wrong))
    assert (row["position"], row["value"], row["other value"]) == ("start, move 4", 3, -1.0)


def test_parts_are_checked_each_for_itself_and_named():
    apart = [searches("minimax", 2, move(), part="One"), searches("alphabeta", 2, move(score=9), part="Two")]
    check_agreement(results(*apart))
    with pytest.raises(Disagreement, match=r"^Two: the algorithms disagree on 1 answers"):
        check_agreement(results(*apart, searches("pvs", 2, move(), part="Two")))


def test_every_answer_that_differs_is_counted():
    wrong = [
        searches(name, depth, move(score=index))
        for depth in (2, 3)
        for index, name in enumerate(("minimax", "pvs", "alphabeta"))
    ]
    assert len(differ(*wrong)) == 4
    with pytest.raises(Disagreement, match="disagree on 4 answers"):
        check_agreement(results(*wrong))


# ── answers, every search, faults, and how it was made ───────────────────────────────────────────


def test_answers_are_those_of_the_first_algorithm_with_columns_from_1():
    found = [
        searches("minimax", depth, move(chosen=depth, score=-depth), place=place, rules=Rules(drift=0.5))
        for place in ("early", "late")
        for depth in (2, 3)
    ]
    other = searches("alphabeta", 2, move(chosen=6, score=9), place="early")
    (table,) = answers_table([*found, other])
    columns = [column.name for column in table.columns]
    assert columns == ["board", "position", "depth", "best column", "value"]
    assert [row[1:] for row in table.rows] == [
        ("early", 2, "3", -2),
        ("early", 3, "4", -3),
        ("late", 2, "3", -2),
        ("late", 3, "4", -3),
    ]
    assert table.note == ""
    (chance,) = answers_table([searches("star1", 2, move())])
    assert chance.note == "A value is an average over where discs may land."
    assert [column.name for column in chance.columns] == ["depth", "best column", "value"]


def test_whole_games_have_no_answers():
    assert answers_table([searches("minimax", 2, move(), move(1))]) == []


def test_every_search_is_listed_by_what_varies():
    found = [searches("minimax", 2, move(generated=size), place=place) for place, size in (("early", 7), ("late", 9))]
    (table,) = searches_tables(found)
    assert [column.name for column in table.columns][:4] == ["position", "depth", "algorithm", "generated"]
    assert [row[:4] for row in table.rows] == [("early", 2, "minimax", 7), ("late", 2, "minimax", 9)]
    boards = [found[0], found[0]._replace(rules=Rules(6, 7, 5))]
    assert searches_tables(boards)[0].rows[1][0] == "6×7, connect 5"
    assert searches_tables(found[:1]) == []


def test_searches_beyond_those_listed_are_pointed_to():
    (table,) = searches_tables([searches("minimax", 2, move(), place=str(number)) for number in range(1234)])
    assert (len(table.rows), table.note) == (1000, "234 more are in searches.csv.")


def test_faults_are_told_by_evaluator_with_the_first_message():
    found = [
        searches("minimax", 2, move(), name="fine"),
        searches("minimax", 2, name="grump", fault="grump.py:4: no"),
        searches("minimax", 3, name="grump", fault="grump.py:5: never"),
    ]
    (table,) = fault_tables(results(*found))
    assert table.rows == [("grump", 2, "grump.py:4: no")]
    assert fault_tables(results(found[0])) == []
    titles = [table.title for table in study_tables(results(*found))]
    assert titles[-2:] == ["Faults", "How it was made"]


def test_how_it_was_made_names_boards_and_evaluators_once():
    found = [
        searches("minimax", depth, move(), rules=rules) for depth in (2, 3) for rules in (STANDARD, Rules(8, 9, 4))
    ]
    told = dict(provenance_table(results(*found, planned=9, superseded=3)).rows)
    assert told["searches"] == "4 of 9 done"
    assert told["boards"] == "6×7, connect 4; 8×9, connect 4"
    assert told["windows"] == "windows, compiled, source 0123456789ab"
    assert told["not counted"] == "3 searches of earlier plans or of evaluators since edited"


def test_one_algorithm_alone_is_compared_with_nothing():
    titles = [table.title for table in part_tables([searches("minimax", 2, move())])]
    assert titles == ["Cost", "Space", "Branching", "Game phases, depth 2", "Answers"]


# ── golden ───────────────────────────────────────────────────────────────────────────────────────


def by_hand() -> StudyResults:
    """A small study with one of everything: two boards, two depths, three algorithms, an equal move, a fault."""
    found = []
    for rules in (Rules(4, 5), STANDARD):
        for depth in (2, 3):
            whole = sum(rules.columns**ply for ply in range(1, depth + 1))
            for settings, share, chosen, equals in (
                (Settings(depth, "minimax"), 1, 0, "14"),
                (Settings(depth), 3, 0, None),
                (Settings(depth, "pvs", "killers", table=12), 5, 3, None),
            ):
                counted = {"expanded": whole // rules.columns // share, "evaluated": whole // share // 2}
                took = {"cutoffs": share - 1, "seconds": whole / share / 1e6, "deepest": depth, "memory": 4096 * share}
                one = move(16, chosen, 2.5, whole // share, equals=equals, **counted, **took)
                found.append(searches(settings, depth, one, rules=rules))
    failed = searches("minimax", 2, name="grump", fault="grump.py:4: evaluate raised ValueError.")
    return results(*found, failed, planned=20, superseded=2)


def test_the_report_of_a_study_made_by_hand_is_the_golden_one(request):
    made_by_hand = by_hand()
    text = markdown("Made by hand", [*study_tables(made_by_hand), *every_search(made_by_hand)])
    if request.config.getoption("--update-golden"):
        (GOLDEN / "study.md").write_text(text, "utf-8")
    assert text == (GOLDEN / "study.md").read_text("utf-8"), "if that is as it should be: pytest --update-golden"
