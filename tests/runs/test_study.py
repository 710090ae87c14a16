"""Studies: the published figures to the digit, searches that must agree, and tables from searches made by hand."""

import io
import re
from pathlib import Path

import pytest
from folders import CONFIGS, rows, write
from played import kept
from rich.console import Console
from tables import in_json, table_of, tables_of

import tournament
from tournament.cli.progress import RichProgress
from tournament.games.connect4 import STANDARD, column_digit
from tournament.report.study import Disagreement
from tournament.runs.runner import NullObserver, Stopped, run
from tournament.store import SearchTask, Store, Task

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


# ── once, and never twice ────────────────────────────────────────────────────────────────────────


class Impatient(NullObserver):
    """Notes what was searched, and presses Ctrl-C after so many."""

    def __init__(self, patience: int = 0) -> None:
        self.patience = patience
        self.done: list[str] = []

    def finished(self, task: Task, *_: object) -> None:
        self.done.append(task.id)
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
    assert again.startswith("12 searches, 12 of them done before; 1 job\n")
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
    assert [move.chosen for move in runs.moves] == [move.landed for move in runs.moves]
    assert [move.chosen for move in windows.moves] != [move.landed for move in windows.moves]
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
    assert "Cost" in [table.title for table in tables_of(results)]
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
    assert "".join(column_digit(move.landed) for move in one.moves) == one.played


def test_a_study_in_which_everything_fails_has_no_tables_but_the_faults(tmp_path):
    write(tmp_path / "never.py", "def evaluate(board):\n    return float('nan')\n")
    text = SMALL.replace("[windows]", "[never]").replace("title: Small", "evaluators: [never.py]")
    results = tournament.run(write(tmp_path / "c.yaml", text), out=tmp_path / "out", jobs=1)
    assert [table.title for table in tables_of(results)] == ["Faults", "How it was made"]
    assert rows(tmp_path / "out", "searches.csv") == []


# ── the commands ─────────────────────────────────────────────────────────────────────────────────


def test_a_dry_run_prints_the_searches_and_makes_none(tmp_path, tourney):
    write(tmp_path / "c.yaml", SMALL)
    code, out, _ = tourney("run", "c.yaml", "--dry-run")
    assert code == 0
    assert "Small" in out
    for place, depth, algorithm in (("empty", 2, "minimax"), ("early", 3, "alphabeta, centre")):
        assert re.search(rf"│ 6×7 +│ {place} +│ windows +│ {depth} +│ {algorithm} +│", out)
    assert re.search(r"^12 searches, about .* with \d+ jobs?$", out, re.MULTILINE)
    assert [path.name for path in tmp_path.iterdir()] == ["c.yaml"]


def test_a_dry_run_of_a_large_study_is_cut_short(tourney):
    code, out, _ = tourney("run", str(CONFIGS / "ablation.yaml"), "--dry-run")
    assert code == 0
    assert "… and 204 more" in out
    assert "264 searches" in out


def test_an_answer_that_is_cut_short_on_the_terminal_says_so(tmp_path, tourney):
    algorithms = "[minimax, alphabeta, pvs, {algorithm: alphabeta, order: centre}]"
    config = "study: {positions: {a: '44'}, evaluators: [windows], depths: [2], algorithms: " + algorithms + "}\n"
    write(tmp_path / "c.yaml", config)
    code, told, _ = tourney("run", "c.yaml")
    rows_of_all = len(in_json(tmp_path / "reports" / "c", "Summary"))
    assert code == 0
    assert f"… and {rows_of_all - 15} more row" in told


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
    assert "report.md · searches.csv · results.json" in " ".join(again.split())


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
        *("expanded", "evaluated", "cutoffs", "untried", "seconds", "cpu_seconds", "deepest", "memory", "order_seed"),
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
        display.playing([SearchTask("id", key, STANDARD, "empty", "depth 2", "", "a")], [])
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
    titles = [table.title for table in tables_of(results)]
    assert titles[0] == "Study 1: Summary"
    assert "Deeper: Cost" in titles
    assert [part.title for part in results.parts] == ["Study 1", "Deeper"]
