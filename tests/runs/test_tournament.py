"""Whole tournaments: played once, resumed, stopped, reported, shown; through the library and through the command."""

import json
import os
import re
from pathlib import Path

import naive
import pytest
from folders import ROOT, contents, rows, without_seconds, write
from played import SMALL, kept, moves_of, query, squeezed

import tournament
from tournament.engine.algorithms import usual_algorithm
from tournament.engine.searcher import search
from tournament.engine.settings import Settings
from tournament.games.connect4 import Position, Rules, column_digit, play_moves
from tournament.runs.runner import begin, prepare
from tournament.store import Store


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
    found = moves_of(out)
    for game in rows(out):
        moves = found[game["game"]]
        assert "".join(str(move.landed + 1) for move in moves) == game["moves"]
        assert [move.ply for move in moves] == list(range(int(game["plies"])))
        for seat, own in (("first", moves[::2]), ("second", moves[1::2])):
            for name in ("generated", "expanded", "evaluated", "cutoffs"):
                assert sum(getattr(move, name) for move in own) == int(game[f"{seat}_{name}"])
            assert all(move.seconds > 0 for move in own)
            assert float(game[f"{seat}_seconds"]) == pytest.approx(sum(move.seconds for move in own), abs=1e-6)
        assert all(isinstance(move.score, float) for move in moves)


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
    assert again.startswith("12 games, 12 of them played before; 1 job\n")
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
    assert "4 games in the store are not counted: other players, or edited since" in squeezed(told)
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
    tourney("run", "c.yaml", "--quiet")
    assert tourney("run", "c.yaml", "--dry-run")[1].endswith("6 pairings, 12 games, 12 of them done and 0 left\n")
    (tmp_path / "c.yaml").write_text("players: [windows, squares, runs]\ndepths: [1, 2, 3]\n")
    assert "9 pairings, 18 games, 12 of them done and 6 left, about " in tourney("run", "c.yaml", "--dry-run")[1]


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


def choices_of(folder: Path) -> dict[str, list[tuple[int, int, int, float | None]]]:
    """Of each game by its id: ply, the column that was chosen, the column the disc came to rest in, and the score."""
    return {
        id: [(move.ply, move.chosen, move.landed, move.score) for move in moves]
        for id, moves in moves_of(folder).items()
    }


@varied
def test_the_same_seed_gives_the_same_games_for_any_number_of_jobs(played, tmp_path, rules):
    tournament.run(write(tmp_path / "c.yaml", varied_config(rules)), out=tmp_path / "out", jobs=2)
    assert without_seconds(rows(tmp_path / "out")) == without_seconds(rows(played(rules)))
    assert choices_of(tmp_path / "out") == choices_of(played(rules))


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
    for id, moves in choices_of(played(rules)).items():
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
        drifting = sum(len(moves) for moves in choices_of(played(rules)).values()) * (0.5 if rules == BOTH else 1)
        assert (1 - rules.drift) / 2 < strayed / drifting < 1.5 * (1 - rules.drift)


@pytest.mark.parametrize("rules", [DRIFT, BOTH], ids=lambda rules: rules.described)
def test_both_games_of_a_pair_have_the_same_luck_and_openings_luck_of_their_own(played, rules):
    games, moves = rows(played(rules)), choices_of(played(rules))
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
    kept_moves = choices_of(folder)[game["game"]]
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


# ── openings ─────────────────────────────────────────────────────────────────────────────────────


def test_openings_that_reach_one_position_are_one_and_a_line_says_so(tourney, tmp_path):
    write(tmp_path / "c.yaml", "players: [windows, runs]\ndepths: [1]\nopenings: [1234, 3214, 7654, 44]\n")
    code, out, _ = tourney("run", "c.yaml", "--jobs", "1")
    assert code == 0
    note = "of 4 openings 2 reach the position of an earlier one, or its mirror image: 2 are played"
    assert out.splitlines()[:2] == ["4 games, 0 of them played before; 1 job", note]
    assert {game["opening"] for game in rows(tmp_path / "reports" / "c")} == {"1234", "44"}
