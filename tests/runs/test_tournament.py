"""Whole tournaments: played once, resumed, stopped, reported, shown; through the library and through the command."""

import json
import os
import pty
import re
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path

import naive
import pytest
from folders import ROOT, contents, rows, without_seconds, write
from processes import wait_until

import tournament
from tournament.engine.algorithms import usual_algorithm
from tournament.engine.game import Game
from tournament.engine.result import Counters, SearchResult
from tournament.engine.searcher import search
from tournament.engine.settings import Settings
from tournament.games.connect4 import STANDARD, Position, Rules, column_digit, play_moves
from tournament.runs.runner import begin, prepare
from tournament.store import GameTask, Store

SMALL = "players: [windows, squares, runs]\ndepths: [1, 2]\n"  # 12 games
LONG = "players: [balanced, lines, points, room, runs, squares, windows]\ndepths: [1, 6]\n"  # 84 games, seconds

RAISES = """
def evaluate(board, rules):
    if board[1, 3] != 0:
        raise ValueError("no [opinion] on this")
    return 0
"""


def query(folder: Path, sql: str) -> list[tuple]:
    connection = sqlite3.connect(folder / "games.db")
    try:
        return connection.execute(sql).fetchall()
    finally:
        connection.close()


def kept(folder: Path) -> set[tuple]:
    """Every move of every game, with its row and its times: another one if it was played again."""
    return set(
        query(folder, "SELECT games.number, games.id, moves.* FROM games JOIN moves ON games.number = moves.game")
    )


def squeezed(text: str) -> str:
    """Without the line breaks that the width of a terminal makes."""
    return " ".join(text.split())


def typed(*arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    """The command in a process of its own."""
    command = [sys.executable, "-m", "tournament", *arguments]
    return subprocess.run(command, cwd=cwd, capture_output=True, text=True, timeout=120)


@pytest.fixture(scope="module")
def depths(tmp_path_factory):
    """The folder that `configs/depths.yaml` leaves."""
    folder = tmp_path_factory.mktemp("depths") / "out"
    tournament.run(ROOT / "configs" / "depths.yaml", jobs=2, out=folder)
    return folder


def test_conftest_keeps_the_charts_of_this_file_from_being_drawn(depths):
    """It replaces a function by its name: where nobody calls that one, the tests only get slower."""
    assert (depths / "report.html").exists()
    assert not list(depths.rglob("*.svg"))


# ── what is played ───────────────────────────────────────────────────────────────────────────────

# R5: depth, first, second, moves, then generated, expanded and evaluated of first and second
CHECKED = [
    (2, "robert", "john", "444444222222315", (219, 56, 169), (211, 51, 162)),
    (2, "john", "robert", "222225355333563655636266114", (433, 97, 343), (388, 94, 297)),
    (4, "robert", "john", "44442333321467636662242311126777511", (7037, 1972, 4870), (8782, 2312, 6031)),
    (4, "john", "robert", "4444433331346763666226211111222777555", (5960, 1704, 4071), (4689, 1474, 2995)),
]


@pytest.mark.needs_jit
@pytest.mark.parametrize(("depth", "first", "second", "moves", "of_first", "of_second"), CHECKED)
def test_the_checked_games_come_out_of_the_run_to_the_digit(depths, depth, first, second, moves, of_first, of_second):
    (game,) = [
        game
        for game in rows(depths)
        if (game["first"], game["first_depth"], game["second"], game["second_depth"])
        == (first, str(depth), second, str(depth))
    ]
    assert (game["moves"], game["plies"], game["result"], game["reason"]) == (moves, str(len(moves)), "first", "line")
    for seat, figures in (("first", of_first), ("second", of_second)):
        assert tuple(int(game[f"{seat}_{name}"]) for name in ("generated", "expanded", "evaluated")) == figures


@pytest.mark.needs_jit
def test_the_nine_pairings_are_played_in_both_seats(depths):
    games = rows(depths)
    pairings = {(game["first_depth"], frozenset((game["first"], game["second"]))) for game in games}
    assert (len(games), len(pairings)) == (18, 9)
    assert {(game["opening"], game["seed"], game["distinct"]) for game in games} == {("", "1", "1")}


def test_games_csv_has_the_promised_columns(tmp_path):
    tournament.run(write(tmp_path / "c.yaml", "players: [windows, runs]\ndepths: [1]\n"), out=tmp_path / "out", jobs=1)
    header = (tmp_path / "out" / "games.csv").read_text().splitlines()[0].split(",")
    game = ["game", "first", "first_depth", "second", "second_depth", "opening", "seed"]
    assert header[:12] == [*game, "result", "reason", "plies", "moves", "distinct"]
    for seat in ("first", "second"):
        counted = ("generated", "expanded", "evaluated", "cutoffs", "seconds")
        assert {f"{seat}_{name}" for name in counted} <= set(header)


@pytest.mark.needs_jit
@pytest.mark.parametrize("jobs", [1, 3])
def test_the_number_of_jobs_changes_nothing_but_the_seconds(depths, tmp_path, jobs):
    tournament.run(ROOT / "configs" / "depths.yaml", jobs=jobs, out=tmp_path / "out")
    assert without_seconds(rows(tmp_path / "out")) == without_seconds(rows(depths))
    assert rows(tmp_path / "out") != rows(depths), "seconds should be measured"


def test_the_store_keeps_every_move_and_they_add_up(tmp_path):
    out = tmp_path / "out"
    tournament.run(write(tmp_path / "c.yaml", SMALL), out=out, jobs=2)
    for game in rows(out):
        moves = query(
            out,
            "SELECT ply, played, generated, expanded, evaluated, cutoffs, seconds, cpu_seconds, score FROM moves"
            f" JOIN games ON games.number = moves.game WHERE id = '{game['game']}' ORDER BY ply",
        )
        assert "".join(str(played + 1) for _, played, *_ in moves) == game["moves"]
        assert [ply for ply, *_ in moves] == list(range(int(game["plies"])))
        for seat, own in (("first", moves[::2]), ("second", moves[1::2])):
            for place, name in enumerate(("generated", "expanded", "evaluated", "cutoffs"), start=2):
                assert sum(move[place] for move in own) == int(game[f"{seat}_{name}"])
            assert all(move[6] > 0 for move in own)
            assert float(game[f"{seat}_seconds"]) == pytest.approx(sum(move[6] for move in own), abs=1e-6)
        assert all(isinstance(move[8], float) for move in moves)


def test_the_store_says_how_each_run_was_made(tmp_path):
    out, config = tmp_path / "out", write(tmp_path / "c.yaml", f"# mine\n{SMALL}seed: 7\n")
    for _ in range(2):
        tournament.run(config, out=out, jobs=2)
    runs = query(out, "SELECT config, seed, jobs, versions, machine, command, started <= ended FROM runs")
    assert len(runs) == 2
    text, seed, jobs, versions, machine, command, in_order = runs[0]
    assert (text, seed, jobs, in_order) == (config.read_text(), 7, 2, 1)
    assert {"Python", "tourney", "numba", "numpy"} <= set(json.loads(versions))
    assert f"{os.cpu_count()} cores" in machine
    assert command == f"tourney run {config} --out {out}"
    hashes = query(out, "SELECT DISTINCT evaluator, length(source_hash) FROM players ORDER BY evaluator")
    assert hashes == [("runs", 64), ("squares", 64), ("windows", 64)]


def test_another_board_is_played_and_shown(tmp_path, tourney):
    write(tmp_path / "c.yaml", "players: [windows, runs]\ndepths: [2]\nrules: {rows: 4, columns: 5, connect: 3}\n")
    assert tourney("run", "c.yaml", "--quiet")[0] == 0
    game = rows(tmp_path / "reports" / "c")[0]
    code, out, _ = tourney("show", "reports/c", game["game"])
    assert code == 0
    assert "1 2 3 4 5 " in out
    assert "1 2 3 4 5 6" not in out
    assert "4×5, connect 3" in (tmp_path / "reports" / "c" / "report.md").read_text()


# ── once, and never twice ────────────────────────────────────────────────────────────────────────


def test_the_same_command_again_plays_nothing(tmp_path, tourney):
    write(tmp_path / "c.yaml", SMALL)
    code, once, _ = tourney("run", "c.yaml", "--jobs", "2")
    assert code == 0
    assert once.startswith("12 games, 0 of them played before; 2 jobs\n")
    out = tmp_path / "reports" / "c"
    before, listed = kept(out), (out / "games.csv").read_bytes()
    code, again, _ = tourney("run", "c.yaml", "--jobs", "1")
    assert code == 0
    assert again.startswith("12 games, 12 of them played before; 1 jobs\n")
    assert kept(out) == before
    assert (out / "games.csv").read_bytes() == listed


def test_a_new_player_plays_only_its_own_games(tmp_path):
    out, config = tmp_path / "out", write(tmp_path / "c.yaml", SMALL)
    tournament.run(config, out=out)
    before, old = kept(out), {game["game"] for game in rows(out)}
    results = tournament.run(write(config, SMALL.replace("runs]", "lines, runs]")), out=out)
    assert kept(out) > before
    assert (results.played, results.planned, results.superseded) == (24, 24, 0)
    new = [game for game in rows(out) if game["game"] not in old]
    assert len(new) == 12
    assert all("lines" in (game["first"], game["second"]) for game in new)


def test_a_further_depth_plays_only_the_games_at_that_depth(tmp_path):
    out, config = tmp_path / "out", write(tmp_path / "c.yaml", SMALL)
    tournament.run(config, out=out)
    before, old = kept(out), {game["game"] for game in rows(out)}
    tournament.run(write(config, SMALL.replace("2]", "2, 3]")), out=out)
    assert kept(out) > before
    assert {game["first_depth"] for game in rows(out) if game["game"] not in old} == {"3"}


def test_an_edited_evaluator_plays_anew_and_its_old_games_are_kept_but_not_counted(tmp_path, tourney):
    evaluator = write(tmp_path / "mine" / "alice.py", "def evaluate(board):\n    return board[0, 3]\n")
    write(tmp_path / "c.yaml", "players: [windows, runs, alice]\ndepths: [2]\nevaluators: [mine]\n")
    assert tourney("run", "c.yaml", "--quiet")[0] == 0
    out = tmp_path / "reports" / "c"
    before, old = kept(out), rows(out)
    evaluator.write_text("def evaluate(board):\n    return board[0, 0]\n")
    code, told, _ = tourney("run", "c.yaml")
    assert code == 0
    assert told.startswith("6 games, 2 of them played before")
    assert "4 games in the store are not counted" in told
    assert "4 games of earlier plans or of evaluators since edited" in squeezed(told)
    assert "4 games of earlier plans or of evaluators since edited" in (out / "report.md").read_text()
    assert kept(out) > before
    assert len(query(out, "SELECT * FROM games")) == 10
    new = rows(out)
    assert [game["game"] for game in new if game in old] == [
        game["game"] for game in old if "alice" not in (game["first"], game["second"])
    ]
    assert len(new) == 6


def test_an_evaluator_put_back_as_it_was_has_its_old_games_again(tmp_path):
    one, other = ("def evaluate(board):\n    return board[0, 3]\n", "def evaluate(board):\n    return board[0, 0]\n")
    config = write(tmp_path / "c.yaml", "players: [windows, alice]\ndepths: [2]\nevaluators: [.]\n")
    out = tmp_path / "out"
    for text in (one, other):
        write(tmp_path / "alice.py", text)
        tournament.run(config, out=out)
    before = kept(out)
    write(tmp_path / "alice.py", one)
    results = tournament.run(config, out=out)
    assert kept(out) == before
    assert (results.played, results.superseded) == (2, 2)


def test_what_is_missing_comes_a_page_at_a_time_each_game_once_and_the_dear_ones_first(tmp_path):
    text = "players: [windows, runs]\ndepths: [1, 3]\nbudget: {nodes: 1000}\nopenings: {plies: 4}\n"
    ready = prepare(write(tmp_path / "c.yaml", text))
    planned = [game.id for game in ready.plan.games()]
    third = len(planned) // 3
    assert third > 512, "more than two pages of each"
    with Store(tmp_path / "out", write=True) as store:
        begin(store, ready, 1, "")
        missing = list(store.missing())
    assert [task.id for task in missing] == [*planned[-third:], *planned[third:-third], *planned[:third]]
    assert list(dict.fromkeys(task.level for task in missing)) == ["1,000 nodes", "depth 3", "depth 1"]


def test_fresh_forgets_all_games_and_plays_anew(tmp_path, tourney):
    write(tmp_path / "c.yaml", SMALL)
    tourney("run", "c.yaml", "--quiet")
    out = tmp_path / "reports" / "c"
    before, listed = kept(out), rows(out)
    write(tmp_path / "c.yaml", SMALL.replace("[1, 2]", "[1]"))
    code, told, _ = tourney("run", "c.yaml", "--fresh")
    assert code == 0
    assert told.startswith("6 games, 0 of them played before")
    assert "not counted" not in told
    assert len(query(out, "SELECT * FROM games")) == 6
    assert not kept(out) & before
    assert without_seconds(rows(out)) == without_seconds(listed)[:6]


def test_a_dry_run_prints_the_plan_and_writes_nothing(tmp_path, tourney):
    write(tmp_path / "c.yaml", f"title: Small\n{SMALL}")
    before = contents(tmp_path)
    code, out, _ = tourney("run", "c.yaml", "--dry-run", "--jobs", "2")
    assert code == 0
    assert re.search(r"2 +│ squares – runs", out)
    assert "Small" in out
    assert re.search(r"6 pairings, 12 games, about .+ with 2 jobs", out)
    assert contents(tmp_path) == before


@pytest.mark.parametrize(
    "text",
    [
        "players: [windows, runs]\ndepths: [1, 1]\n",
        "players: [windows, runs]\ndepths: [1]\npairings: [[windows, runs], [runs, windows]]\n",
    ],
)
def test_a_dry_run_counts_the_games_that_the_run_plays(tmp_path, tourney, text):
    write(tmp_path / "c.yaml", text)
    code, planned, _ = tourney("run", "c.yaml", "--dry-run")
    assert code == 0
    _, told, _ = tourney("run", "c.yaml")
    assert re.search(r"(\d+) games", planned)[1] == re.search(r"(\d+) games", told)[1]


# ── rules that vary: luck and lines ──────────────────────────────────────────────────────────────

DRIFT = Rules(drift=0.6)
LINES = Rules(objective="most-lines")
BOTH = Rules(4, 5, 3, "most-lines", 0.7, "first")
VARIED = {
    DRIFT: "{drift: {chosen: 0.6}}",
    LINES: "{objective: most-lines}",
    BOTH: "{rows: 4, columns: 5, connect: 3, objective: most-lines, drift: {chosen: 0.7, players: first}}",
}
varied = pytest.mark.parametrize("rules", VARIED, ids=lambda rules: rules.described)


def varied_config(rules: Rules, seed: int = 1) -> str:
    """Two players that think alike and one that does not, from three openings: 18 games."""
    players = "{one: windows, two: windows, runs: runs}"
    return f"players: {players}\ndepths: [2]\nopenings: [empty, '3', '1']\nrules: {VARIED[rules]}\nseed: {seed}\n"


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    """The folder that a tournament by these rules leaves, played once."""
    folders: dict[tuple[Rules, int], Path] = {}

    def folder(rules: Rules, seed: int = 1) -> Path:
        if (rules, seed) not in folders:
            out = tmp_path_factory.mktemp("varied") / "out"
            tournament.run(write(out.parent / "c.yaml", varied_config(rules, seed)), out=out, jobs=1)
            folders[rules, seed] = out
        return folders[rules, seed]

    return folder


def moves_of(folder: Path) -> dict[str, list[tuple[int, int, int, float]]]:
    """Of each game by its id: ply, the column that was chosen, the column the disc came to rest in, and the score."""
    found: dict[str, list[tuple[int, int, int, float]]] = {}
    sql = "SELECT id, ply, chosen, played, score FROM moves JOIN games ON games.number = moves.game ORDER BY id, ply"
    for id, *move in query(folder, sql):
        found.setdefault(id, []).append(tuple(move))
    return found


@varied
def test_the_same_seed_gives_the_same_games_for_any_number_of_jobs(played, tmp_path, rules):
    tournament.run(write(tmp_path / "c.yaml", varied_config(rules)), out=tmp_path / "out", jobs=2)
    assert without_seconds(rows(tmp_path / "out")) == without_seconds(rows(played(rules)))
    assert moves_of(tmp_path / "out") == moves_of(played(rules))


def test_another_seed_is_other_luck_and_no_luck_where_nothing_drifts(played):
    one, other = ([game["moves"] for game in rows(played(DRIFT, seed))] for seed in (1, 2))
    assert len(one) == len(other) == 18
    assert sum(a != b for a, b in zip(one, other, strict=True)) >= 15
    same = [[game["moves"] for game in rows(played(LINES, seed))] for seed in (1, 2)]
    assert same[0] == same[1]


@varied
def test_the_moves_replay_to_the_result(played, rules):
    for game in rows(played(rules)):
        position = play_moves(Position(rules), game["moves"])
        assert position.result == game["result"]
        reason = "line" if rules.objective == "first-line" else "most lines"
        assert game["reason"] == ("full board" if game["result"] == "draw" else reason)
        if rules.objective == "most-lines":
            assert len(game["moves"]) == rules.rows * rules.columns
            board = naive.read(str(position))
            lines = [naive.count_lines(board, disc, rules.connect) for disc in "XO"]
            assert game["result"] == ("first" if lines[0] > lines[1] else "second" if lines[0] < lines[1] else "draw")
    assert len({game["result"] for game in rows(played(rules))}) > 1


@varied
def test_the_store_keeps_the_column_that_was_chosen_and_the_one_the_disc_came_to_rest_in(played, bundled, rules):
    games = {game["game"]: game for game in rows(played(rules))}
    strayed = 0
    for id, moves in moves_of(played(rules)).items():
        game = games[id]
        assert game["opening"] + "".join(column_digit(rest) for _, _, rest, _ in moves) == game["moves"]
        for ply, chosen, rest, score in moves:
            position = play_moves(Position(rules), game["moves"][:ply])
            searching = bundled("runs" if game[position.to_move] == "runs" else "windows", rules)
            found = search(position, searching, Settings(2, usual_algorithm(rules)))
            assert (found.chosen, found.score) == (chosen, score)
            assert rest in [column for column, _ in position.outcomes(chosen)]
            strayed += rest != chosen
            if rules.drift_players == "first" and ply % 2:
                assert rest == chosen, "only the first player's discs drift"
    if not rules.drifts:
        assert strayed == 0
    else:
        drifting = sum(len(moves) for moves in moves_of(played(rules)).values()) * (0.5 if rules == BOTH else 1)
        assert (1 - rules.drift) / 2 < strayed / drifting < 1.5 * (1 - rules.drift)


@pytest.mark.parametrize("rules", [DRIFT, BOTH], ids=lambda rules: rules.described)
def test_both_games_of_a_pair_have_the_same_luck_and_openings_luck_of_their_own(played, rules):
    games, moves = rows(played(rules)), moves_of(played(rules))
    by_opening: dict[str, set[str]] = {}
    for game in games:
        if {game["first"], game["second"]} == {"one", "two"}:
            by_opening.setdefault(game["opening"], set()).add(game["moves"])
    assert [len(different) for different in by_opening.values()] == [1, 1, 1], "they think alike in both seats"
    pattern = {game["game"]: [ply for ply, chosen, rest, _ in moves[game["game"]] if chosen != rest] for game in games}
    strayed = 0
    for game in games:  # others think differently, but the same plies drift, at least while no column can be full
        (other,) = [
            pair
            for pair in games
            if (pair["first"], pair["second"], pair["opening"]) == (game["second"], game["first"], game["opening"])
        ]
        early = [{ply for ply in pattern[one["game"]] if ply < rules.rows} for one in (game, other)]
        assert early[0] == early[1]
        strayed += len(early[0])
    assert strayed > 0
    assert len({tuple(pattern[game["game"]][:4]) for game in games}) >= 3


def test_show_tells_where_a_disc_drifted_from(played, tourney):
    folder = played(DRIFT)
    game = rows(folder)[0]
    code, out, _ = tourney("show", str(folder), game["game"])
    assert code == 0
    told = re.findall(r"(\d+)\. \w+ \(.\) +column (\d)(?:, drifted from (\d))?", out)
    kept_moves = moves_of(folder)[game["game"]]
    assert told == [
        (str(ply + 1), column_digit(rest), column_digit(chosen) if chosen != rest else "")
        for ply, chosen, rest, _ in kept_moves
    ]
    assert any(chosen != rest for _, chosen, rest, _ in kept_moves)
    assert "lines" not in out


def test_show_tells_the_lines_of_both_sides_after_every_move(played, tourney):
    folder = played(BOTH)
    game = next(game for game in rows(folder) if game["opening"])
    code, out, _ = tourney("show", str(folder), game["game"])
    assert code == 0
    told = re.findall(r"lines +X (\d+) +O (\d+)", out)
    after = [play_moves(Position(BOTH), game["moves"][:ply]) for ply in range(1, len(game["moves"]) + 1)]
    assert told == [(str(position.lines("first")), str(position.lines("second"))) for position in after]
    assert told[-1] != ("0", "0")
    assert f"({game['reason']}) after 20 plies: {game['moves']}" in squeezed(out)


@varied
def test_the_report_says_by_which_rules_it_was_made(played, rules):
    report = (played(rules) / "report.md").read_text()
    assert re.search(rf"^\| rules +\| {re.escape(rules.described)} +\|$", report, flags=re.MULTILINE)
    algorithm = "star1" if rules.drifts else "alphabeta"
    assert re.search(rf"^\| one +\| windows, {algorithm}, (compiled|interpreted)", report, flags=re.MULTILINE)


# ── stopped, and in each other's way ─────────────────────────────────────────────────────────────


def start(*arguments: str, cwd: Path) -> subprocess.Popen[str]:
    """The command in a process group of its own, when it has begun to play."""
    process = subprocess.Popen(
        [sys.executable, "-m", "tournament", *arguments],
        cwd=cwd,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    assert process.stdout is not None
    assert "played before" in process.stdout.readline()
    return process


@pytest.mark.needs_jit
def test_ctrl_c_ends_cleanly_and_the_same_command_goes_on(tmp_path):
    config = write(tmp_path / "c.yaml", LONG)
    process = start("run", "c.yaml", cwd=tmp_path)
    wait_until(lambda: query(tmp_path / "reports" / "c", "SELECT count(*) FROM games") > [(0,)])
    os.killpg(process.pid, signal.SIGINT)  # as a terminal does: to the workers, too
    out, err = process.communicate(timeout=60)
    assert process.returncode == 130, err
    (told,) = [line for line in err.splitlines() if "compiling" not in line]
    found = re.fullmatch(
        r"tourney: stopped with (\d+) of 84 games played, all kept in reports/c: the same command goes on from there\.",
        told,
    )
    assert found, told
    assert "Standings" not in out
    folder = tmp_path / "reports" / "c"
    assert 0 < int(found[1]) < 84
    assert query(folder, "SELECT count(*) FROM games") == [(int(found[1]),)]
    assert query(folder, "SELECT ended FROM runs") == [(None,)]
    before = kept(folder)
    results = tournament.run(config, out=folder)
    assert (results.played, results.planned) == (84, 84)
    assert kept(folder) > before


@pytest.mark.needs_jit
def test_a_second_run_into_the_same_folder_refuses_and_the_first_goes_on(tmp_path, tourney):
    write(tmp_path / "c.yaml", LONG)
    first = start("run", "c.yaml", "--jobs", "1", cwd=tmp_path)
    code, out, err = tourney("run", "c.yaml", "--quiet")
    assert (code, out) == (2, "")
    assert err == "tourney: reports/c: another run is writing here: wait for it, or choose another --out.\n"
    code, out, err = tourney("run", "c.yaml", "--fresh")
    assert code == 2
    assert "another run is writing here" in err
    first.communicate(timeout=60)
    assert first.returncode == 0
    assert query(tmp_path / "reports" / "c", "SELECT count(*) FROM games") == [(84,)]
    assert query(tmp_path / "reports" / "c", "SELECT count(*) FROM runs") == [(1,)]


def test_a_report_can_be_made_while_a_run_is_writing(tmp_path, tourney):
    write(tmp_path / "c.yaml", SMALL)
    tourney("run", "c.yaml", "--quiet")
    with Store(tmp_path / "reports" / "c", write=True):
        assert tourney("report", "reports/c")[0] == 0


# ── faults ───────────────────────────────────────────────────────────────────────────────────────


def test_an_evaluator_that_raises_forfeits_its_games_and_the_run_goes_on(tmp_path, tourney):
    write(tmp_path / "mine" / "grump.py", RAISES)
    write(tmp_path / "c.yaml", "players: [windows, grump, squares]\ndepths: [2]\nevaluators: [mine]\n")
    assert tourney("run", "c.yaml", "--quiet")[0] == 0
    games = rows(tmp_path / "reports" / "c")
    assert len(games) == 6
    for game in games:
        if "grump" in (game["first"], game["second"]):
            winner = "first" if game["second"] == "grump" else "second"
            assert (game["reason"], game["result"], game["fault"]) == ("forfeit", winner, "raised")
            assert "no [opinion] on this" in game["fault_message"]
        else:
            assert game["reason"] in ("line", "full board")
            assert not game["fault"] + game["fault_message"]
    report = (tmp_path / "reports" / "c" / "report.md").read_text()
    assert "| windows (forfeit) |" in report
    assert re.search(r"^\| forfeits +\| 4 +\|$", report, flags=re.MULTILINE)
    forfeited = next(game for game in games if game["second"] == "grump")
    code, shown, _ = tourney("show", "reports/c", forfeited["game"])
    assert code == 0
    assert "wins (forfeit)" in shown
    assert "mine/grump.py:4: evaluate raised ValueError: no [opinion] on this." in squeezed(shown)
    code, told, _ = tourney("run", "c.yaml")
    assert told.startswith("6 games, 6 of them played before"), "a forfeit is a result like any other"


@pytest.mark.parametrize(
    "raised", ["SystemExit(3)", "GeneratorExit", "MemoryError", "RecursionError", "KeyboardInterrupt"]
)
def test_whatever_an_evaluator_raises_forfeits_the_game(tmp_path, raised):
    write(tmp_path / "odd.py", f"def evaluate(board):\n    raise {raised}\n")
    config = write(tmp_path / "c.yaml", "players: [windows, odd]\ndepths: [1]\nevaluators: [odd.py]\n")
    assert tournament.run(config, out=tmp_path / "out", jobs=2).forfeits == 2
    assert {game["reason"] for game in rows(tmp_path / "out")} == {"forfeit"}


def test_a_game_that_can_not_be_kept_whole_is_not_kept_at_all(tmp_path):
    tournament.run(write(tmp_path / "c.yaml", SMALL), out=tmp_path / "out", jobs=1)
    with Store(tmp_path / "out", write=True) as store:
        (first, *_), before = store.games(), kept(tmp_path / "out")
        task = GameTask("a new id", first.first.key, first.second.key, "", "depth 1")
        found = SearchResult(3, 1.0, Counters(7, 1, 7, 0), seconds=0.1, cpu_seconds=0.1, saved=0, depth=1, deepest=1)
        broken = found._replace(counters=None)
        with pytest.raises(TypeError):
            store.add(task, Game("", (found, broken), (3, 3), "first", "line"), STANDARD, 1)
        assert kept(tmp_path / "out") == before
        assert not query(tmp_path / "out", "SELECT * FROM games WHERE id = 'a new id'")


def test_an_interpreted_evaluator_is_told_so_in_the_report(tmp_path):
    write(
        tmp_path / "slow.py", "class Score(int):\n    pass\n\n\ndef evaluate(board):\n    return Score(board.sum())\n"
    )
    config = write(tmp_path / "c.yaml", "players: [windows, slow]\ndepths: [1]\nevaluators: [slow.py]\n")
    tournament.run(config, out=tmp_path / "out")
    assert re.search(r"\| slow +\| slow, alphabeta, interpreted \(.+\)", (tmp_path / "out/report.md").read_text())


# ── reports ──────────────────────────────────────────────────────────────────────────────────────

REPORTS = ("report.md", "report.html", "games.csv", "results.json")


def test_report_makes_the_same_files_again_from_the_store_alone(tmp_path, tourney):
    config = write(tmp_path / "c.yaml", SMALL)
    _, told, _ = tourney("run", "c.yaml")
    folder = tmp_path / "reports" / "c"
    before = {name: (folder / name).read_bytes() for name in REPORTS}
    for name in REPORTS:
        (folder / name).unlink()
    config.unlink()
    store = kept(folder)
    code, again, _ = tourney("report", "reports/c")
    assert code == 0
    assert {name: (folder / name).read_bytes() for name in REPORTS} == before
    assert kept(folder) == store
    assert told.endswith(again), "the terminal shows the same tables"


def test_a_folder_that_was_moved_still_makes_its_reports(tmp_path, tourney):
    write(tmp_path / "c.yaml", SMALL)
    tourney("run", "c.yaml", "--quiet")
    before = {name: (tmp_path / "reports" / "c" / name).read_bytes() for name in REPORTS}
    (tmp_path / "reports" / "c").rename(tmp_path / "elsewhere")
    assert tourney("report", "elsewhere")[0] == 0
    assert {name: (tmp_path / "elsewhere" / name).read_bytes() for name in REPORTS} == before


def test_markdown_json_and_terminal_have_the_same_tables(tmp_path, tourney):
    write(tmp_path / "c.yaml", SMALL)
    _, told, _ = tourney("run", "c.yaml")
    folder = tmp_path / "reports" / "c"
    in_markdown = re.findall(r"^## (.+)$", (folder / "report.md").read_text(), flags=re.MULTILINE)
    in_json = json.loads((folder / "results.json").read_text())
    assert in_markdown == list(in_json)
    for promised in ("Games", "Crosstable", "First-player advantage", "How it was made"):
        assert promised in in_json
    assert {"Standings, depth 1", "Standings, depth 2", "Standings, all depths"} <= set(in_json)
    assert all(re.search(rf"^{re.escape(title)} *$", told, flags=re.MULTILINE) for title in in_json)
    assert len(in_json["Games"]["rows"]) == 12
    for table in in_json.values():
        assert all(len(row) == len(table["columns"]) for row in table["rows"])


def test_a_report_of_a_run_that_was_stopped_says_how_many_were_played(tmp_path, tourney):
    write(tmp_path / "c.yaml", SMALL)
    tourney("run", "c.yaml", "--quiet")
    connection = sqlite3.connect(tmp_path / "reports" / "c" / "games.db")
    with connection:
        connection.execute("DELETE FROM games WHERE number > 5")
    connection.close()
    assert tourney("report", "reports/c")[0] == 0
    assert "5 of 12 played, 5 distinct" in (tmp_path / "reports" / "c" / "report.md").read_text()


def test_a_title_with_a_bar_does_not_break_the_table(tmp_path):
    tournament.run(write(tmp_path / "c.yaml", f"title: this | that\n{SMALL}"), out=tmp_path / "out")
    (row,) = [line for line in (tmp_path / "out" / "report.md").read_text().splitlines() if line.startswith("| title ")]
    assert len(re.findall(r"(?<!\\)\|", row)) == 3


def test_a_title_of_several_lines_is_one_line_of_the_report(tmp_path):
    config = write(tmp_path / "c.yaml", f"title: |\n  this\n  and  that\n{SMALL}")
    results = tournament.run(config, out=tmp_path / "out")
    assert results.run.title == "this and that"
    assert (tmp_path / "out" / "report.md").read_text().startswith("# this and that\n")


def test_names_and_titles_with_brackets_are_shown_as_they_are(tmp_path, tourney):
    write(tmp_path / "c.yaml", "title: a [b] c\nplayers: {'x[/]': windows, '[bold]': runs}\ndepths: [1]\n")
    code, out, _ = tourney("run", "c.yaml")
    assert code == 0
    for name in ("a [b] c", "x[/]", "[bold]"):
        assert name in out
    for game in rows(tmp_path / "reports" / "c"):
        code, out, _ = tourney("show", "reports/c", game["game"])
        assert code == 0
        assert "x[/]" in out


def test_show_replays_a_game_move_by_move(tmp_path, tourney):
    write(tmp_path / "c.yaml", SMALL)
    tourney("run", "c.yaml", "--quiet")
    game = rows(tmp_path / "reports" / "c")[0]
    code, out, _ = tourney("show", "reports/c", game["game"][:8])
    assert code == 0
    assert "windows, depth 1" in out.splitlines()[0]
    assert "squares, depth 1" in out.splitlines()[1]
    assert out.count("1 2 3 4 5 6 7") == int(game["plies"])
    columns = re.findall(r"(\d+)\. (\w+) \((.)\) +column (\d)", out)
    assert "".join(column for *_, column in columns) == game["moves"]
    assert [name for _, name, _, _ in columns[:2]] == ["windows", "squares"]
    assert f"after {game['plies']} plies: {game['moves']}" in squeezed(out)
    for name in ("score", "generated", "expanded", "evaluated", "cutoffs", "seconds"):
        assert len(re.findall(rf"\b{name} +[−\dwl]", out)) == int(game["plies"])


def test_show_refuses_an_id_that_nobody_or_several_have(tmp_path, tourney):
    write(tmp_path / "c.yaml", SMALL)
    tourney("run", "c.yaml", "--quiet")
    ids = [game["game"] for game in rows(tmp_path / "reports" / "c")]
    code, out, err = tourney("show", "reports/c", "nobody")
    assert (code, out) == (2, "")
    assert err == "tourney: `nobody`: there is no such game in reports/c: games.csv has every game's id.\n"
    start = next(id[:n] for n in range(3) for id in ids if sum(other.startswith(id[:n]) for other in ids) > 1)
    code, out, err = tourney("show", "reports/c", start)
    assert (code, out) == (2, "")
    assert err == f"tourney: `{start}`: 12 games begin like this in reports/c: games.csv has every game's id.\n"


@pytest.mark.parametrize("command", ["report", "show"])
def test_a_folder_without_a_store_is_told(tmp_path, tourney, command):
    code, out, err = tourney(command, "nowhere", *(["x"] if command == "show" else []))
    assert (code, out) == (2, "")
    assert err == "tourney: nowhere: there is no games.db here: name the folder of a tournament.\n"
    assert contents(tmp_path) == {}


# ── places that can't be used ────────────────────────────────────────────────────────────────────


def make_text(path: Path) -> None:
    path.write_text("my games\n" * 1000)


def make_other_database(path: Path) -> None:
    connection = sqlite3.connect(path)
    with connection:
        connection.execute("CREATE TABLE albums (title TEXT)")
    connection.close()


def make_newer(path: Path) -> None:
    tournament.run(write(path.parent.parent / "older.yaml", SMALL), out=path.parent, jobs=1)
    connection = sqlite3.connect(path)
    with connection:
        connection.execute("PRAGMA user_version = 99")
    connection.close()


def make_older(path: Path) -> None:
    make_newer(path)
    connection = sqlite3.connect(path)
    with connection:
        connection.execute("PRAGMA user_version = 1")
    connection.close()


FOREIGN = [
    pytest.param(
        make_older,
        "was written by an older tourney (store version 1, this one opens those from 3 on): play anew with --fresh",
        id="older",
    ),
    pytest.param(make_text, "can't be used as a store: file is not a database.", id="text"),
    pytest.param(make_newer, "was written by a newer tourney (store version 99, this one knows", id="newer"),
    pytest.param(make_other_database, "is not a store of tourney: move it away", id="other database"),
]


@pytest.mark.parametrize("command", ["run", "report", "show"])
@pytest.mark.parametrize(("make", "message"), FOREIGN)
def test_a_foreign_store_is_refused_and_left_as_it_is(tmp_path, tourney, make, message, command):
    write(tmp_path / "c.yaml", SMALL)
    (tmp_path / "out").mkdir()
    make(tmp_path / "out" / "games.db")
    before = (tmp_path / "out" / "games.db").read_bytes()
    arguments = {"run": ["c.yaml", "--out", "out", "--quiet"], "report": ["out"], "show": ["out", "x"]}[command]
    code, out, err = tourney(command, *arguments)
    assert (code, out) == (2, "")
    assert err.startswith(f"tourney: out/games.db: {message}")
    assert len(err.splitlines()) == 1
    assert (tmp_path / "out" / "games.db").read_bytes() == before


@pytest.mark.parametrize("out", ["c.yaml", "c.yaml/deeper"])
def test_an_out_that_can_not_be_a_folder_is_told(tmp_path, tourney, out):
    write(tmp_path / "c.yaml", SMALL)
    before = contents(tmp_path)
    code, told, err = tourney("run", "c.yaml", "--out", out, "--quiet")
    assert (code, told) == (2, "")
    assert re.fullmatch(rf"tourney: {out}: can't be made \(.+\): choose another --out\.\n", err)
    assert contents(tmp_path) == before


def test_a_folder_that_can_not_be_written_to_is_told(tmp_path, tourney):
    write(tmp_path / "c.yaml", SMALL)
    code, _, err = tourney("run", "c.yaml", "--out", "/proc", "--quiet")  # where even root can't
    assert code == 2
    assert err.startswith("tourney: /proc: can't be written to")


@pytest.mark.parametrize("make", [make_text, make_other_database])
def test_fresh_does_not_delete_what_is_not_ours(tmp_path, tourney, make):
    write(tmp_path / "c.yaml", SMALL)
    (tmp_path / "out").mkdir()
    make(tmp_path / "out" / "games.db")
    before = (tmp_path / "out" / "games.db").read_bytes()
    assert tourney("run", "c.yaml", "--out", "out", "--fresh", "--quiet")[0] == 2
    assert (tmp_path / "out" / "games.db").read_bytes() == before


def test_fresh_replaces_a_store_of_an_older_version(tmp_path, tourney):
    write(tmp_path / "c.yaml", SMALL)
    (tmp_path / "out").mkdir()
    make_older(tmp_path / "out" / "games.db")
    code, told, _ = tourney("run", "c.yaml", "--out", "out", "--fresh")
    assert code == 0
    assert told.startswith("12 games, 0 of them played before")
    assert query(tmp_path / "out", "PRAGMA user_version") == [(3,)]
    assert query(tmp_path / "out", "SELECT count(*) FROM runs") == [(1,)]


def test_fresh_leaves_other_files_alone(tmp_path, tourney):
    write(tmp_path / "c.yaml", SMALL)
    write(tmp_path / "out" / "games.db.bak", "mine")
    assert tourney("run", "c.yaml", "--out", "out", "--fresh", "--quiet")[0] == 0
    assert (tmp_path / "out" / "games.db.bak").read_text() == "mine"


def test_a_report_that_can_not_be_written_is_told(tmp_path, tourney):
    write(tmp_path / "c.yaml", SMALL)
    (tmp_path / "reports" / "c" / "report.md").mkdir(parents=True)
    code, _, err = tourney("run", "c.yaml", "--quiet")
    assert code == 2
    assert "report.md" in err


# ── as typed ─────────────────────────────────────────────────────────────────────────────────────


def test_a_new_team_member_plays_only_their_own_games(tmp_path):
    """README's walk."""
    config = write(tmp_path / "configs" / "team.yaml", "players:\n  robert: windows\n  john: squares\ndepths: [1, 2]\n")
    folder = tmp_path / "reports" / "team"
    assert typed("run", "configs/team.yaml", cwd=tmp_path).returncode == 0
    before, old = kept(folder), rows(folder)
    assert typed("new", "alice", cwd=tmp_path).returncode == 0
    evaluator = tmp_path / "evaluators" / "alice.py"
    evaluator.write_text(
        '"""Alice: the middle of the bottom row."""\n\n\ndef evaluate(board):\n    return board[0, 2]\n'
    )
    checked = typed("check", "alice", cwd=tmp_path)
    assert (checked.returncode, "ready to play" in checked.stdout) == (0, True), checked.stdout
    config.write_text(config.read_text().replace("depths", "  alice: alice\ndepths"))
    result = typed("run", "configs/team.yaml", cwd=tmp_path)
    assert result.returncode == 0, result.stderr
    assert result.stdout.startswith("12 games, 4 of them played before")
    assert kept(folder) > before
    new = [game for game in rows(folder) if game not in old]
    assert len(new) == 8
    assert all("alice" in (game["first"], game["second"]) for game in new)


def test_a_run_that_is_no_terminals_prints_plain_lines(tmp_path, tourney):
    write(tmp_path / "c.yaml", SMALL)
    code, out, err = tourney("run", "c.yaml")
    assert (code, "\x1b" in out + err, "\r" in out + err) == (0, False, False)
    assert out.splitlines()[1].startswith("12 of 12 games, ")
    assert "reports/c/report.md has these tables" in squeezed(out)


def test_a_quiet_run_prints_nothing(tmp_path, tourney):
    write(tmp_path / "c.yaml", SMALL)
    assert tourney("run", "c.yaml", "--quiet") == (0, "", "")
    assert all((tmp_path / "reports" / "c" / name).exists() for name in REPORTS)


def test_a_terminal_gets_a_bar_for_each_depth_and_the_standings_so_far(tmp_path):
    write(tmp_path / "c.yaml", "players: [windows, squares, runs]\ndepths: [1, 4]\n")
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "tournament", "run", "c.yaml"],
        cwd=tmp_path,
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        env={**os.environ, "TERM": "xterm", "COLUMNS": "100", "LINES": "60"},
    )
    os.close(theirs)
    seen = b""
    while True:
        try:
            part = os.read(ours, 65536)
        except OSError:  # the other end has been closed
            break
        seen += part
    os.close(ours)
    assert process.wait() == 0
    text = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", seen.decode())
    assert b"\x1b[" in seen
    for wanted in ("depth 1", "depth 4", "0/6", "Standings so far", "games/s", "First-player advantage"):
        assert wanted in text


# ── from Python ──────────────────────────────────────────────────────────────────────────────────


def test_the_library_returns_the_same_tables_as_the_report(tmp_path):
    from tournament import run

    results = run(write(tmp_path / "c.yaml", f"title: T\n{SMALL}"), out=tmp_path / "out")
    tables = json.loads((tmp_path / "out" / "results.json").read_text())
    for player, played, won, drawn, lost, points, as_first, as_second in tables["Standings, all depths"]["rows"]:
        score = results.standings["all"][player]
        assert (score.played, score.won, score.drawn, score.lost, score.points) == (played, won, drawn, lost, points)
        assert (score.won_first, score.won_second) == (as_first, as_second)
    assert sum(score.points for score in results.standings["all"].values()) == 12
    assert sum(score.points for score in results.standings["2"].values()) == 6
    assert results.run.title == "T"
    (windows,) = [p.key for p in results.players.values() if (p.name, p.settings.depth) == ("windows", 2)]
    assert results.cost[windows].generated == sum(
        int(game[f"{seat}_generated"])
        for game in rows(tmp_path / "out")
        for seat in ("first", "second")
        if (game[seat], game[f"{seat}_depth"]) == ("windows", "2")
    )


def test_without_out_the_reports_go_below_the_current_folder(tmp_path, monkeypatch):
    write(tmp_path / "configs" / "mine.yaml", "players: [windows, runs]\ndepths: [1]\n")
    monkeypatch.chdir(tmp_path)
    tournament.run("configs/mine.yaml", jobs=1)
    assert all((tmp_path / "reports" / "mine" / name).is_file() for name in ("games.db", *REPORTS))


# ── a disk that fails ────────────────────────────────────────────────────────────────────────────


def test_a_full_disk_is_one_message_and_what_was_finished_goes_on(tmp_path, tourney, monkeypatch):
    """SQLite itself says that the disk is full, after a few more pages than the plan takes."""
    config = write(tmp_path / "small.yaml", SMALL + "openings: {plies: 1}\n")
    opened = Store._open

    def open_small(self: Store, write: bool) -> None:
        opened(self, write)
        if write:
            self.connection.execute("PRAGMA max_page_count = 18")

    monkeypatch.setattr(Store, "_open", open_small)
    code, _, said = tourney("run", str(config), "--out", "out", "--jobs", "2", "--quiet")
    assert (code, said.count("\n")) == (2, 1)
    assert "out/games.db: the disk is full. Finished games are kept" in said
    monkeypatch.setattr(Store, "_open", opened)
    finished = kept(tmp_path / "out")
    assert finished
    assert tourney("run", str(config), "--out", "out", "--quiet")[0] == 0
    assert finished <= kept(tmp_path / "out")
    assert len(rows(tmp_path / "out")) == 48


def test_a_damaged_store_is_one_message_and_stays_as_it_is(tmp_path, tourney):
    config = write(tmp_path / "small.yaml", SMALL)
    tourney("run", str(config), "--out", "out", "--quiet")
    path = tmp_path / "out" / "games.db"
    damaged = bytearray(path.read_bytes())
    damaged[4096:] = b"\x55" * (len(damaged) - 4096)
    path.write_bytes(damaged)
    for command in (["run", str(config), "--out", "out"], ["report", "out"], ["show", "out", "0"]):
        code, _, said = tourney(*command)
        assert (code, said.count("\n")) == (2, 1)
        assert "out/games.db: is damaged" in said
        assert path.read_bytes() == damaged


@pytest.mark.skipif(os.geteuid() == 0 and not os.path.exists("/proc/self/ns/user"), reason="root writes everywhere")
def test_a_folder_on_a_read_only_disk_is_one_message(tmp_path):
    """On a file system that is mounted read-only, which stops root too; in a name space of our own."""
    config = write(tmp_path / "small.yaml", SMALL)
    folder = tmp_path / "out"
    folder.mkdir()
    command = f"{sys.executable} -m tournament"
    script = (
        f"mount -t tmpfs none {folder} && {command} run {config} --out {folder}/a --quiet && "
        f"mount -o remount,ro {folder} && {{ {command} run {config} --out {folder}/a --quiet; echo code $?; "
        f"{command} run {config} --out {folder}/b --quiet; echo code $?; "
        f"id=$(tail -1 {folder}/a/games.csv | cut -c1-16); {command} show {folder}/a $id | tail -1; }}"
    )
    done = subprocess.run(["unshare", "-Urm", "sh", "-c", script], capture_output=True, text=True, timeout=120)
    if "Operation not permitted" in done.stderr:
        pytest.skip("no name space can be made here")
    assert done.stdout.count("code 2") == 2
    assert done.stderr.count("tourney: ") == done.stderr.count("\n") == 2
    assert "choose another --out" in done.stderr
    assert " wins " in done.stdout or "draw" in done.stdout
