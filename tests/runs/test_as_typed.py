"""A tournament as it is typed, and from Python."""

import json
import os
import pty
import re
import subprocess
import sys

from folders import rows, write
from played import REPORTS, SMALL, kept, squeezed, typed

import tournament

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
    assert "Report: reports/c/report.html (charts, games)" in squeezed(out)


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
    for wanted in ("depth 1", "depth 4", "0/6", "Standings so far", "games/s", "nodes generated"):
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
