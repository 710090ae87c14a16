"""What the commands hand on, and how they tell what came of it: with runs, duels and servers that only take notes."""

import json
import os
import subprocess
import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from duels import DECIDED
from duels import UNDECIDED as OPEN

from tournament.cli.progress import Watch
from tournament.cli.run import _shown_time
from tournament.engine.game import Game
from tournament.engine.settings import Settings
from tournament.evidence.sprt import Claim, Terms
from tournament.games.connect4 import STANDARD, Rules
from tournament.isolation.limits import Limits
from tournament.report.duel import Duel
from tournament.runs import duel as duel_module
from tournament.runs import runner
from tournament.runs.runner import Stopped
from tournament.store import GameTask, Planned, Store, StoredPlayer
from tournament.web import server

DUEL, UNDECIDED = (replace(one, new="room", old="runs") for one in (DECIDED, OPEN))

# ── duel ─────────────────────────────────────────────────────────────────────────────────────────


def test_a_duel_is_made_as_the_options_say(tourney, monkeypatch):
    made = {}

    def take_notes(new, old, **how):
        made.update(how, new=new.name, old=old.name)
        return DUEL

    monkeypatch.setattr(duel_module, "duel", take_notes)
    options = "--depth 3 --openings 44,12 --max-pairs 7 --elo0 1 --elo1 9 --alpha 0.1 --beta 0.2 --jobs 2 --seed 5"
    code, out, err = tourney("duel", "room", "runs", *options.split(), "--out", "x", "--fresh", "--isolation", "player")
    assert (code, out) == (0, "\n".join([*DUEL.sentences, ""]))
    assert err.endswith("x/report.html has the games\n")
    made.pop("watch")
    assert made.pop("command").startswith("tourney duel room runs --depth 3")
    assert made == {
        **{"new": "room", "old": "runs", "settings": Settings(3), "suite": ["44", "12"], "most_pairs": 7, "jobs": 2},
        **{"terms": Terms(1, 9, 0.1, 0.2), "out": Path("x"), "fresh": True, "isolation": "player", "seed": 5},
        "rules": STANDARD,
    }


@pytest.mark.parametrize(
    ("options", "settings", "rules"),
    [
        ("", Settings(4), STANDARD),
        ("--nodes 500", Settings(None, nodes=500), STANDARD),
        (
            "--seconds 0.01 --algorithm pvs --table 12",
            Settings(None, seconds=0.01, algorithm="pvs", table=12),
            STANDARD,
        ),
        ("--rows 5 --columns 6 --connect 3", Settings(4), Rules(5, 6, 3)),
        ("--drift 0.8", Settings(4, algorithm="star1"), Rules(drift=0.8)),
    ],
)
def test_a_duel_takes_every_option_of_a_search(tourney, monkeypatch, options, settings, rules):
    made = {}
    monkeypatch.setattr(duel_module, "duel", lambda new, old, **how: made.update(how) or DUEL)
    assert tourney("duel", "room", "runs", "--openings", "44", *options.split())[0] == 0
    assert (made["settings"], made["rules"]) == (settings, rules)


@pytest.mark.parametrize(
    ("shown", "code"),
    [
        (DUEL, 0),
        (replace(DUEL, decision=DUEL.decision._replace(accepted="H0", claim=Claim("not better", 30))), 1),
        (replace(DUEL, decision=DUEL.decision._replace(accepted="H0", claim=Claim("worse"))), 1),
        (UNDECIDED, 3),
        (replace(UNDECIDED, plays_the_same=True), 3),
    ],
    ids=lambda value: value.verdict if isinstance(value, Duel) else str(value),
)
def test_the_exit_code_says_which_hypothesis_is_accepted_where_that_is_asked_for(tourney, monkeypatch, shown, code):
    monkeypatch.setattr(duel_module, "duel", lambda *_, **__: shown)
    assert tourney("duel", "room", "runs", "--exit-code")[0] == code
    assert tourney("duel", "room", "runs", "--exit-code", "--json")[0] == code
    assert tourney("duel", "room", "runs")[0] == 0


@pytest.mark.parametrize(
    ("module", "name", "arguments"),
    [(duel_module, "duel", ["duel", "room", "runs"]), (runner, "run", ["run", "c.yaml", "--quiet"])],
)
def test_what_is_stopped_ends_with_130_and_says_how_to_go_on(tourney, monkeypatch, module, name, arguments):
    def stop(*_, **__):
        raise Stopped("stopped with 3 of 8 games played.") from KeyboardInterrupt()

    monkeypatch.setattr(module, name, stop)
    code, out, err = tourney(*arguments)
    assert (code, out) == (130, "")
    assert err.endswith("tourney: stopped with 3 of 8 games played.\n")


# ── run ──────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("seconds", "told"),
    [
        (0.4, "a second"),
        (1.2, "a second"),
        (119, "119 seconds"),
        (120, "2 minutes"),
        (7199, "120 minutes"),
        (7200, "2.0 hours"),
        (3 * 86_400, "3 days"),
        (3e9, "95 years"),
        (3e36, "a million years or more"),  # a depth of 50 on a board of 42 cells
        (float("inf"), "a million years or more"),
    ],
)
def test_a_time_is_told_in_words(seconds, told):
    assert _shown_time(seconds) == told


def test_the_standings_of_a_run_under_way_count_half_points():
    watch = Watch()
    watch.points, watch.played = Counter(), Counter()
    for result in ("first", "draw", "second", "second"):
        watch._count("a", "b", result)
    assert (watch.points, watch.played) == (Counter(a=3, b=5), Counter(a=4, b=4))


def test_a_dry_run_does_not_run_the_files_of_strangers(tourney, tmp_path, monkeypatch):
    from tournament.runs import estimate

    (tmp_path / "c.yaml").write_text("players: [windows, runs]\ndepths: [1]\n")

    def slow(plan, jobs, done):
        return estimate.Estimated(60.0 * jobs, dict.fromkeys(plan.players(), 99.0))

    monkeypatch.setattr(estimate, "estimate", slow)
    code, out, _ = tourney("run", "c.yaml", "--dry-run", "--jobs", "3")
    assert code == 0
    assert out.splitlines()[-3:] == [
        "1 pairing, 2 games, about 3 minutes with 3 jobs",
        *(
            f"{name} at depth 1 would take about 99 seconds a move, longer than `limits.move_seconds`, 60: "
            "it would forfeit."
            for name in ("windows", "runs")
        ),
    ]
    code, out, _ = tourney("run", "c.yaml", "--dry-run", "--jobs", "3", "--isolation", "player")
    assert (code, out.splitlines()[-1]) == (0, "1 pairing, 2 games")


# ── show ─────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(("result", "loser"), [("first", "two"), ("second", "one")])
def test_show_tells_who_forfeited_with_its_traceback_and_what_each_has_printed(tourney, tmp_path, result, loser):
    keys = ("one", "two")
    players = [StoredPlayer(name, name, Settings(2), name, "", "hash", True, None) for name in keys]
    task = GameTask("id", *keys, "", "depth 2")
    game = Game("", (), (), result, "forfeit", "it [gave] up.", 0, "exit", "line [1]", ("A [first]", "A [second]"))
    with Store(tmp_path / "out", write=True) as store:
        store.begin_run(
            **dict.fromkeys(("started", "title", "config", "config_file", "command", "machine"), ""),
            **{"seed": 7, "rules": STANDARD, "jobs": 1, "versions": {}, "seats": "both", "limits": Limits()},
            **{"isolation": "game", "players": players, "tasks": [Planned(task, 1)]},
        )
        store.add(task, game, STANDARD, 7)
    code, out, _ = tourney("show", "out", "id")
    assert code == 0
    assert out.splitlines()[-6:] == [
        *(f"{loser} forfeits (exit): it [gave] up.", "line [1]"),
        *("one printed:", "A [first]", "two printed:", "A [second]"),
    ]


# ── the others ───────────────────────────────────────────────────────────────────────────────────


def test_a_server_is_started_as_the_options_say(tourney, tmp_path, monkeypatch):
    served = []
    monkeypatch.setattr(server, "serve", lambda *what, **how: served.append((*what, how)))
    (tmp_path / "mine.py").write_text("def evaluate(board):\n    return 0\n")
    (tmp_path / "here").mkdir()
    code, _, err = tourney("serve", "here", "later", "--port", "0", "--open", "--evaluators", "mine.py")
    assert (code, served) == (0, [([Path("here"), Path("later")], [Path("mine.py")], 0, {"open_browser": True})])
    assert err == "later: there is no such folder yet; it is shown once a run has begun there.\n"


def test_a_list_of_openings_that_repeats_a_position_has_it_once_and_says_so(tourney):
    _, out, err = tourney("openings", "1234,3214,44")
    assert out.split() == ["1234", "44"]
    assert err.splitlines() == [
        "of 3 openings 1 reaches the position of an earlier one, or its mirror image: 2 are played",
        "2 openings",
    ]


def test_a_sample_of_openings_is_drawn_from_the_seed_on_the_board_that_was_named(tourney):
    board = ["--rows", "4", "--columns", "5", "--json"]
    one, again, other = (
        json.loads(tourney("openings", "plies=6,sample=8", "--seed", seed, *board)[1]) for seed in ("1", "1", "2")
    )
    assert one == again != other
    assert {move for moves in one for move in moves} <= set("12345")


def test_perft_counts_on_the_board_that_was_named(tourney):
    code, out, _ = tourney("perft", "2", "--rows", "4", "--columns", "5", "--connect", "3", "--json")
    assert (code, json.loads(out)[-1]["sequences"]) == (0, 25)


def test_search_numbers_the_columns_of_every_move_from_1_and_says_what_is_only_a_bound(tourney):
    arguments = ["search", "444", "--evaluator", "windows", "--depth", "4"]
    found = json.loads(tourney(*arguments, "--json")[1])
    moves = {move["move"]: move for move in found["root_moves"]}
    assert (sorted(moves), moves[found["move"]]["value"]) == ([1, 2, 3, 4, 5, 6, 7], found["score"])
    shown = tourney(*arguments)[1]
    assert shown.count("at most") == sum(not move["exact"] for move in moves.values()) > 0


@pytest.mark.needs_jit
def test_a_command_whose_standard_error_is_gone_compiles_all_the_same(tmp_path):
    (tmp_path / "mine.py").write_text(f"def evaluate(board):\n    return board[0, 3] * {os.getpid()}\n")
    command = [sys.executable, "-m", "tournament", "search", "44", "--evaluator", "mine.py", "--depth", "2", "--json"]
    with open("/dev/full", "w") as full:
        done = subprocess.run(command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=full, text=True, timeout=120)
    assert json.loads(done.stdout)["compiled"] is True
