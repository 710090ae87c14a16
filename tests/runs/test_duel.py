"""A duel: judged pair by pair in the order of the suite, the same for any number of jobs, and kept."""

import json
import re
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from tournament.engine.settings import Settings
from tournament.errors import EvaluatorError, TourneyError
from tournament.evidence.duel import ENOUGH_ALIKE
from tournament.evidence.sprt import Terms
from tournament.games.connect4 import STANDARD, Rules, every_opening
from tournament.plan.openings import parse_suite
from tournament.plugins.catalogue import Catalogue
from tournament.plugins.evaluator import read_file
from tournament.report.results import Results
from tournament.report.summary import summary
from tournament.report.tables import tables
from tournament.report.write import write_reports
from tournament.runs.duel import duel
from tournament.store import Store


def fight(new: str, old: str, out: Path, **options):
    catalogue = Catalogue()
    how = {"settings": Settings(2), "suite": every_opening(STANDARD, 2), "terms": Terms(), "jobs": 1} | options
    return duel(catalogue.load(new), catalogue.load(old), out=out, **how)


def test_two_that_play_the_same_games_are_told_so_after_a_few(tmp_path):
    shown = fight("windows", "windows", tmp_path, suite=every_opening(STANDARD, 3))
    assert (shown.verdict, shown.played, shown.decision.decisive) == ("same games", ENOUGH_ALIKE, 0)
    assert shown.sentences[0] == (
        "At depth 2 windows and windows (old) play the same games: the moves of both games of all 30 pairs are equal."
    )
    assert shown.exit_code == 3


def test_two_that_play_the_same_games_over_a_small_suite_are_told_so(tmp_path):
    shown = fight("windows", "windows", tmp_path, suite=["44", "12"])
    assert (shown.verdict, shown.played) == ("same games", 2)


def test_the_verdict_is_the_same_for_any_number_of_jobs(tmp_path):
    suite = every_opening(STANDARD, 3)
    one = fight("room", "runs", tmp_path / "one", suite=suite, jobs=1)
    three = fight("room", "runs", tmp_path / "three", suite=suite, jobs=3)
    assert one == three
    assert one.verdict == "better"
    assert one.played < len(suite)  # it stopped as soon as it knew


def test_a_duel_goes_on_from_what_is_in_the_store(tmp_path):
    part = fight("points", "squares", tmp_path, most_pairs=5)
    whole = fight("points", "squares", tmp_path, most_pairs=20)
    assert (part.played, whole.played) == (5, 20)
    games = sqlite3.connect(tmp_path / "games.db").execute("SELECT count(*), count(DISTINCT id) FROM games").fetchone()
    assert games == (40, 40)
    assert whole == fight("points", "squares", tmp_path, most_pairs=20)
    assert whole == fight("points", "squares", tmp_path / "anew", most_pairs=20)


RAISES = "def evaluate(board):\n    raise ValueError('no opinion')\n"


@pytest.mark.parametrize("seat", ["new", "old"])
def test_a_duel_with_one_that_forfeits_too_often_is_an_error_that_names_it(tmp_path, seat):
    (tmp_path / "bad.py").write_text(RAISES)
    bad, good = read_file(tmp_path / "bad.py", "test"), Catalogue().load("windows")
    players = (bad, good) if seat == "new" else (good, bad)
    suite = every_opening(STANDARD, 2)
    with pytest.raises(TourneyError, match=r"bad has forfeited too many games\. The first time: .*no opinion"):
        duel(*players, settings=Settings(1), suite=suite, terms=Terms(), out=tmp_path / "out", jobs=1)


def test_a_duel_with_a_file_that_can_not_be_loaded_is_its_mistake_and_nothing_is_played(tmp_path):
    (tmp_path / "bad.py").write_text("raise ValueError('not today')\n")
    bad, good = read_file(tmp_path / "bad.py", "test"), Catalogue().load("windows")
    with pytest.raises(EvaluatorError, match="not today"):
        duel(bad, good, settings=Settings(1), suite=["44"], terms=Terms(), out=tmp_path / "out", jobs=1)
    assert not (tmp_path / "out").exists()


def test_the_report_of_a_duel_is_made_again_from_its_store_and_says_the_same(tmp_path):
    shown = fight("room", "runs", tmp_path, suite=every_opening(STANDARD, 3))
    with Store(tmp_path) as store:
        results = write_reports(store, tmp_path)
    assert isinstance(results, Results)
    assert results.duel == shown
    assert summary(results)[:3] == shown.sentences
    titles = [table.title for table in tables(results)]
    assert "Duel" in titles
    assert not {"Verdicts", "Ratings, depth 2", "Who beats whom, depth 2"} & set(titles)  # the duel's test is the one
    for sentence in shown.sentences:
        assert sentence in (tmp_path / "report.html").read_text("utf-8").replace("\u00a0", " ").replace("&nbsp;", " ")


def test_a_duel_by_other_rules_is_played_by_them(tmp_path):
    rules = Rules(5, 4, 3)
    shown = fight("room", "runs", tmp_path, rules=rules, suite=every_opening(rules, 1), settings=Settings(2))
    with Store(tmp_path) as store:
        assert store.last_run().rules == rules
        assert {game.opening for game in store.games()} == {"1", "2"}
    assert shown.openings == 2


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ({"alpha": 1.0}, "`alpha` is a share of errors between 0 and 0.5, and 1 is not"),
        ({"beta": 0.0}, "`beta` is a share of errors between 0 and 0.5, and 0 is not"),
        ({"elo0": 30.0, "elo1": 30.0}, "`elo1` must be above `elo0`, and 30 is not above 30"),
        ({"elo0": 10.0, "elo1": 0.0}, "`elo1` must be above `elo0`, and 0 is not above 10"),
    ],
)
def test_parameters_are_checked_before_anything_is_played(wrong, told):
    with pytest.raises(TourneyError, match=re.escape(told)):
        Terms(**wrong)


@pytest.mark.parametrize(
    ("text", "size"), [("empty", 1), ("plies=2", 25), ("plies=6,sample=7", 7), ("44,4435", 2), ("44,empty", 2)]
)
def test_a_suite_can_be_named_on_the_command_line(text, size):
    assert len(parse_suite(text, STANDARD, 1)) == size


@pytest.mark.parametrize(
    ("text", "told"),
    [
        *((text, f"openings `{text}`: expected") for text in ("plies=x", "ply=2", "plies=2,sample=0", "sample=3")),
        ("48", "move 2 of `48` is column `8`, which does not exist"),
        ("file=nowhere", "nowhere: can't be read (No such file or directory)."),
        ("plies=99", "openings of 99 plies are too many to play all"),
    ],
)
def test_a_suite_that_is_none_is_told(text, told):
    with pytest.raises(TourneyError, match=re.escape(told)):
        parse_suite(text, STANDARD, 1)


def tourney(*arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "tournament", *arguments]
    return subprocess.run(command, cwd=cwd, capture_output=True, text=True, timeout=120)


def test_the_command_prints_json_with_the_promised_keys_or_a_sentence(tmp_path):
    options = ["--depth", "2", "--openings", "plies=2", "--max-pairs", "6"]
    told = tourney("duel", "room", "runs", *options, "--json", cwd=tmp_path)
    assert told.returncode == 0, told.stderr
    shown = json.loads(told.stdout)
    assert {"verdict", "pairs", "decisive", "score", "llr", "bounds", "elo", "interval", "superiority"} <= set(shown)
    assert shown["pairs"] + shown["repeats"] == 6
    sentence = tourney("duel", "room", "runs", *options, cwd=tmp_path).stdout
    assert sentence == "\n".join([*shown["sentences"], ""])
    assert sentence.startswith("At depth 2 one can't tell whether room is better than runs")
    assert sentence.endswith("It stopped at --max-pairs 6: the same command with more of them goes on from there.\n")
    assert (tmp_path / "reports" / "duel-room-runs" / "games.db").exists()


@pytest.mark.parametrize(
    ("arguments", "why"),
    [(["runs", "--alpha", "1.5"], "alpha"), (["room"], "a duel is between two files")],
    ids=["errors of more than all", "against itself"],
)
def test_a_wrong_duel_is_one_message_and_leaves_nothing(tmp_path, arguments, why):
    told = tourney("duel", "room", *arguments, cwd=tmp_path)
    assert told.returncode == 2
    assert why in told.stderr
    assert "Traceback" not in told.stderr
    assert not list(tmp_path.iterdir())


def test_openings_prints_a_suite_and_its_size(tmp_path):
    told = tourney("openings", "plies=2", cwd=tmp_path)
    assert told.stdout.splitlines()[:2] == ["11", "12"]
    assert told.stderr == "25 openings\n"
    assert json.loads(tourney("openings", "plies=1", "--json", cwd=tmp_path).stdout) == ["1", "2", "3", "4"]
