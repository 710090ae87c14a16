"""Withdrawal: who forfeits too often in one way no longer plays, and its other games count for its opponents."""

import re
from pathlib import Path

import pytest
from folders import rows

import tournament
from tournament.engine.settings import Effort
from tournament.report.competitors import Competitor, Level
from tournament.report.results import ALL, Results
from tournament.store import Store

RAISES = "def evaluate(board):\n    raise ValueError('no opinion')\n"
TWO_KINDS = """
def evaluate(board):
    discs = 0
    for row in range(6):
        for column in range(7):
            discs += board[row, column] != 0
    if discs % 2 == 1:  # a search to depth 1 of who moves first
        raise ValueError("no opinion")
    return float("nan")
"""
HONEST = ("windows", "squares", "runs")


def play(folder: Path, *, limit: int, text: str = RAISES, jobs: int = 1, depths: str = "1", more: str = "") -> Results:
    """Three honest players and one that forfeits each of its six games, at depth 1."""
    folder.mkdir(exist_ok=True)
    (folder / "bad.py").write_text(text)
    players = f"players: [{', '.join(HONEST)}, bad]\ndepths: [{depths}]\nevaluators: [bad.py]\n"
    (folder / "c.yaml").write_text(f"{players}forfeit_limit: {limit}\n{more}")
    return tournament.run(folder / "c.yaml", out=folder / "out", jobs=jobs)


def of_bad(folder: Path) -> list[dict[str, str]]:
    return [row for row in rows(folder / "out") if "bad" in (row["first"], row["second"])]


def withdrawn(folder: Path) -> list[dict[str, str]]:
    return [row for row in rows(folder / "out") if row["reason"] == "withdrawn"]


@pytest.fixture(scope="module")
def after_two(tmp_path_factory):
    """The folder and results of a tournament from which `bad` is withdrawn after 2 of its 6 games."""
    folder = tmp_path_factory.mktemp("withdrawal")
    return folder, play(folder, limit=2)


def test_a_player_is_withdrawn_after_so_many_forfeits(after_two):
    folder, results = after_two
    assert (results.forfeits, results.withdrawn, results.played) == (2, 4, 8)
    assert sorted(row["reason"] for row in of_bad(folder)) == ["forfeit"] * 2 + ["withdrawn"] * 4


def test_its_remaining_games_are_in_the_table_of_games_as_not_played(after_two):
    folder, _ = after_two
    assert len(rows(folder / "out")) == 12
    for row in withdrawn(folder):
        assert row["result"] == ("second" if row["first"] == "bad" else "first")
        assert (row["plies"], row["moves"], row["fault"], row["fault_message"]) == ("0", "", "", "")


def test_games_without_it_are_played_as_ever(after_two, tmp_path):
    folder, _ = after_two
    play(tmp_path, limit=100)

    def honest(folder: Path) -> list[tuple[str, ...]]:
        fields = ("game", "first", "second", "result", "reason", "moves", "first_generated", "second_generated")
        return [tuple(row[name] for name in fields) for row in rows(folder / "out") if row not in of_bad(folder)]

    assert honest(folder) == honest(tmp_path)


def test_games_not_played_count_for_the_opponents_in_the_standings(after_two):
    _, results = after_two
    for group in ("1", ALL):
        bad = results.standings[group]["bad"]
        assert (bad.won, bad.drawn, bad.lost) == (0, 0, 6)
        for name in HONEST:
            own = results.standings[group][name]
            assert own.won + own.drawn + own.lost == 6
    for name in HONEST:
        assert results.scores.against[Competitor(name), Competitor("bad")].won == 2


def test_games_not_played_say_nothing_of_who_moves_first_or_of_pairs(after_two):
    _, results = after_two
    assert results.seats.overall.games == results.seats.by_level[Level((Effort("depth", 1),))].games == 8
    assert results.seats.by_player[Competitor("bad")].games == 2
    pairs = results.seats.overall
    assert pairs.by_seat + pairs.by_player + pairs.otherwise <= 4


def test_the_report_says_who_was_withdrawn_and_from_how_many_games(after_two):
    folder, _ = after_two
    report = (folder / "out" / "report.md").read_text()
    assert re.search(r"^\| bad +\| 1 +\| raised +\| +2 +\| +4 +\|", report, flags=re.MULTILINE)
    assert "8 of 12 played" in report
    assert "4 not played: a player was withdrawn" in report
    assert "withdrawn after 2 forfeits of one kind" in report


@pytest.mark.parametrize("jobs", [2, 3])
def test_the_same_games_are_withdrawn_whatever_the_number_of_jobs(after_two, tmp_path, jobs):
    folder, _ = after_two
    play(tmp_path, limit=2, jobs=jobs)

    def told(folder: Path) -> list[dict[str, str]]:
        return [{name: cell for name, cell in row.items() if "seconds" not in name} for row in rows(folder / "out")]

    # the path in a message is that of its folder
    ours, theirs = ([row | {"fault_message": ""} for row in told(of)] for of in (tmp_path, folder))
    assert ours == theirs


def test_raising_the_limit_plays_them_after_all(tmp_path):
    play(tmp_path, limit=2)
    before = {row["game"]: row for row in rows(tmp_path / "out") if row["reason"] != "withdrawn"}
    results = play(tmp_path, limit=4)
    assert (results.forfeits, results.withdrawn) == (4, 2)
    results = play(tmp_path, limit=7)
    assert (results.forfeits, results.withdrawn, results.played) == (6, 0, 12)
    assert not withdrawn(tmp_path)
    assert {row["game"]: row for row in rows(tmp_path / "out") if row["game"] in before} == before, (
        "none was played twice"
    )


def test_lowering_the_limit_withdraws_what_was_played(tmp_path):
    play(tmp_path, limit=7)
    results = play(tmp_path, limit=2)
    assert (results.forfeits, results.withdrawn, results.played) == (2, 4, 8)


def test_the_same_command_again_plays_nothing_and_says_the_same(tmp_path):
    play(tmp_path, limit=2)
    before = rows(tmp_path / "out")
    play(tmp_path, limit=2)
    assert rows(tmp_path / "out") == before


def test_kinds_of_faults_are_counted_apart(tmp_path):
    results = play(tmp_path, limit=4, text=TWO_KINDS)
    assert {(fault.player.name, fault.kind): fault.times for fault in results.faults} == {
        ("bad", "raised"): 3,
        ("bad", "score"): 3,
    }
    assert results.withdrawn == 0
    assert play(tmp_path, limit=4).withdrawn == 2, "an edited file begins anew, and fails in one way only"


def test_depths_are_counted_apart(tmp_path):
    """A player is a file at a depth: what fails at one may play at another."""
    only_first_at_depth_1 = TWO_KINDS.replace('return float("nan")', "return 0").replace("discs % 2 == 1", "discs == 1")
    results = play(tmp_path, limit=1, text=only_first_at_depth_1, depths="1, 2")
    assert results.forfeits == 1
    assert results.withdrawn > 0
    assert {(row["first_depth"], row["second_depth"]) for row in withdrawn(tmp_path)} == {("1", "1")}
    at_two = [row["reason"] for row in of_bad(tmp_path) if row["first_depth"] == "2"]
    assert len(at_two) == 6
    assert set(at_two) <= {"line", "full board"}


@pytest.mark.parametrize("seats", ["both", "as-listed", "random"])
def test_every_game_counts_once_in_the_standings_whatever_the_seats(tmp_path, seats):
    results = play(tmp_path, limit=1, more=f"seats: {seats}\n")
    games = rows(tmp_path / "out")
    assert results.withdrawn == len(withdrawn(tmp_path)) == len(of_bad(tmp_path)) - 1
    standings = results.standings[ALL].values()
    assert sum(score.won + score.drawn + score.lost for score in standings) == 2 * len(games)
    halves = seats == "both"  # the one game of `bad`, whose other half is not played, says nothing of seats
    assert results.seats.overall.games == len(games) - results.withdrawn - halves


def test_a_game_of_two_that_are_withdrawn_is_nobodys_and_in_no_standings(tmp_path):
    (tmp_path / "worse.py").write_text(RAISES)
    (tmp_path / "bad.py").write_text(RAISES)
    text = "players: [windows, bad, worse]\ndepths: [1]\nevaluators: [bad.py, worse.py]\nforfeit_limit: 1\n"
    (tmp_path / "c.yaml").write_text(text)
    results = tournament.run(tmp_path / "c.yaml", out=tmp_path / "out", jobs=1)
    between = [row for row in rows(tmp_path / "out") if "windows" not in (row["first"], row["second"])]
    assert [(row["result"], row["reason"]) for row in between] == [("draw", "withdrawn")] * 2
    assert (results.played, results.withdrawn, results.forfeits) == (2, 4, 2)
    standings = {name: (score.played, score.points) for name, score in results.standings[ALL].items()}
    assert standings == {"windows": (4, 4), "bad": (2, 0), "worse": (2, 0)}
    assert {fault.player.name: fault.withdrawn for fault in results.faults} == {"bad": 3, "worse": 3}
    with Store(tmp_path / "out") as store:
        assert [player.name for player in store.withdrawn()] == ["bad", "worse"]
        assert store.progress() == {"depth 1": (6, 6)}
    report = (tmp_path / "out" / "report.md").read_text()
    assert re.search(r"\| nobody \(withdrawn\) +\|", report)
