"""Misspelt configs: every mistake is told, each with its line, and nothing on disk changes.

Each file of tests/bad_configs/ is one. It begins with all that is to be told of it, as `# line: message`, where a final
… stands for a rest that is not the matter. In the folders beside them lie the evaluators that they name.
"""

import os
import re
import shutil
from itertools import zip_longest
from pathlib import Path

import pytest
from folders import BAD_CONFIGS, contents, write
from played import typed

from tournament.plan.reading import read_config
from tournament.plan.schema import Config

BAD = sorted(path.stem for path in BAD_CONFIGS.glob("*.yaml"))
TWO = "players: [windows, runs]\ndepths: [2]\n"


def bring(name: str, folder: Path) -> list[str]:
    """Copies a bad config into a folder, with all evaluators: what is to be told of it there."""
    shutil.copytree(BAD_CONFIGS, folder, ignore=shutil.ignore_patterns("*.yaml", "__pycache__"), dirs_exist_ok=True)
    text = (BAD_CONFIGS / f"{name}.yaml").read_text("utf-8")
    write(folder / f"{name}.yaml", text)
    return [f"{name}.yaml:{told}" for told in re.findall(r"^# (\d+: .+)$", text, re.MULTILINE)]


def assert_is_told(stderr: str, mistakes: list[str]) -> None:
    """One line for each mistake, in this order, and no more."""
    assert stderr.startswith("tourney: ")
    lines = stderr.removeprefix("tourney: ").splitlines()
    pairs = zip_longest(lines, mistakes, fillvalue="")
    assert [f"{line[: len(told) - 1]}…" if told.endswith("…") else line for line, told in pairs] == mistakes
    assert all(line.endswith((".", "?")) for line in lines), stderr


def test_there_are_bad_configs():
    assert BAD


@pytest.mark.parametrize("name", BAD)
def test_a_bad_config_is_told_line_by_line_and_leaves_the_disk_as_it_was(tmp_path, tourney, name):
    mistakes = bring(name, tmp_path)
    before = contents(tmp_path)
    code, out, err = tourney("run", f"{name}.yaml", "--quiet")
    assert (code, out) == (2, "")
    assert_is_told(err, mistakes)
    assert contents(tmp_path) == before


@pytest.mark.parametrize("name", ["tab", "several_mistakes_of_form", "pairing_with_nobody"])
def test_nothing_else_is_told_where_progress_would_be(tmp_path, tourney, name):
    mistakes = bring(name, tmp_path)
    before = contents(tmp_path)
    code, out, err = tourney("run", f"{name}.yaml")
    assert (code, out) == (2, "")
    assert_is_told(err, mistakes)
    assert contents(tmp_path) == before


def test_the_same_holds_for_the_command_as_typed(tmp_path):
    mistakes = bring("evaluator_that_is_not_python", tmp_path)
    before = contents(tmp_path)
    result = typed("run", "evaluator_that_is_not_python.yaml", cwd=tmp_path)
    assert (result.returncode, result.stdout) == (2, "")
    assert "Traceback" not in result.stderr
    assert_is_told(result.stderr, mistakes)
    assert contents(tmp_path) == before


def test_a_dry_run_tells_the_same(tmp_path, tourney):
    mistakes = bring("seats_misspelt", tmp_path)
    code, out, err = tourney("run", "seats_misspelt.yaml", "--dry-run")
    assert (code, out) == (2, "")
    assert_is_told(err, mistakes)


def test_the_path_in_a_message_is_the_one_that_was_typed(tmp_path, tourney):
    mistakes = bring("seats_misspelt", tmp_path / "configs")
    _, _, err = tourney("run", "configs/seats_misspelt.yaml")
    assert_is_told(err, [f"configs/{told}" for told in mistakes])


# ── what can't be a file that says what is wrong with it ─────────────────────────────────────────


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"", "bad.yaml:1: is not a config: expected keys such as `players:` and `depths:`."),
        (b"title: K\xf6ln\n" + TWO.encode(), "bad.yaml: is not text in UTF-8."),
        (TWO.encode() + b"\x00", "bad.yaml:1: is not YAML: unacceptable character #x0000…"),
    ],
    ids=["empty", "not UTF-8", "zero bytes"],
)
def test_a_file_without_text_is_told(tmp_path, tourney, content, told):
    (tmp_path / "bad.yaml").write_bytes(content)
    code, out, err = tourney("run", "bad.yaml", "--quiet")
    assert (code, out) == (2, "")
    assert_is_told(err, [told])
    assert contents(tmp_path) == {"bad.yaml": content}


def test_a_file_that_is_not_there_is_told_with_the_nearest(tmp_path, tourney):
    write(tmp_path / "depths.yaml", TWO)
    code, _, err = tourney("run", "dephts.yaml")
    assert code == 2
    assert_is_told(err, ["dephts.yaml: can't be read (No such file or directory); did you mean `depths.yaml`?"])


def test_a_folder_is_no_config(tmp_path, tourney):
    (tmp_path / "configs").mkdir()
    code, _, err = tourney("run", "configs")
    assert code == 2
    assert_is_told(err, ["configs: can't be read (Is a directory)."])


# ── tables, for which there may be too little memory ─────────────────────────────────────────────

PLAYER = "players:\n  a: {evaluator: windows, table: 30}\n  b: runs\ndepths: [2]\n"
STUDY = """\
study:
  positions: {start: empty}
  evaluators: [windows]
  depths: [2]
  algorithms:
    - minimax
    - {algorithm: pvs, table: 30}
"""


@pytest.mark.parametrize(("text", "line"), [(PLAYER, 2), (STUDY, 7)], ids=["a player", "a study"])
def test_a_table_that_does_not_fit_into_memory_is_told_with_the_largest_that_does(
    tmp_path, tourney, monkeypatch, text, line
):
    monkeypatch.setattr("tournament.engine.settings.memory_available", lambda: 3 << 30)
    write(tmp_path / "bad.yaml", text)
    before = contents(tmp_path)
    code, out, err = tourney("run", "bad.yaml")
    assert (code, out) == (2, "")
    told = f"bad.yaml:{line}: a table of 2^30 positions takes 32.0 GB and 3.0 GB are free: use a table of at most 26."
    assert_is_told(err, [told])
    assert contents(tmp_path) == before


def test_a_table_that_fits_once_must_fit_into_every_process(tmp_path, tourney, monkeypatch):
    monkeypatch.setattr("tournament.engine.settings.memory_available", lambda: 40 << 10)
    write(tmp_path / "c.yaml", PLAYER.replace("30", "10"))
    before = contents(tmp_path)
    code, _, err = tourney("run", "c.yaml", "--jobs", "2", "--quiet")
    assert code == 2
    assert err.splitlines()[-1].startswith("tourney: a table of 2^10 positions in each of 2 processes takes")
    assert contents(tmp_path) == before
    assert tourney("run", "c.yaml", "--jobs", "1", "--quiet")[0] in (0, None)


@pytest.mark.parametrize("nested", ["[" * 3000 + "]" * 3000, "{a: " * 3000 + "1" + "}" * 3000])
def test_what_is_nested_thousands_deep_is_one_message(tmp_path, tourney, nested):
    write(tmp_path / "c.yaml", f"players: {nested}\n")
    said = "tourney: c.yaml:1: is nested more than 50 deep: a config needs 6 at most.\n"
    assert tourney("run", "c.yaml") == (2, "", said)


def test_two_thousand_players_are_read_without_a_look_at_each_for_each(tmp_path, monkeypatch):
    calls = []
    every = Config.player_entries
    monkeypatch.setattr(Config, "player_entries", lambda self: calls.append(self) or every(self))
    players = "".join(f"  p{number}: windows\n" for number in range(100))
    read_config(write(tmp_path / "c.yaml", f"players:\n{players}depths: [1]\n"))
    assert len(calls) < 10


def test_a_pipe_and_a_device_are_no_files(tmp_path, tourney):
    os.mkfifo(tmp_path / "pipe.yaml")
    for name in ("pipe.yaml", "/dev/zero"):
        code, out, said = tourney("run", name)
        assert (code, out) == (2, "")
        assert "can't be read (it is a pipe or a device, and no file)" in said


def test_a_name_that_is_no_text_is_one_message(tmp_path, tourney):
    write(tmp_path / "c.yaml", "players: [windows, runs]\ndepths: [1]\n")
    code, _, said = tourney("run", "c.yaml", "--out", os.fsdecode(b"o\xff"))
    assert (code, said.count("\n")) == (2, 1)
    assert "rename it" in said


def test_a_current_folder_that_is_gone_is_one_message(tmp_path, tourney, monkeypatch):
    (tmp_path / "gone").mkdir()
    monkeypatch.chdir(tmp_path / "gone")
    (tmp_path / "gone").rmdir()
    said = "tourney: the current folder has been removed: change to one that is there.\n"
    assert tourney("run", "c.yaml") == (2, "", said)


@pytest.mark.parametrize(
    ("error", "limit"),
    [(MemoryError(), "-v"), (OSError(24, "Too many open files"), "-n"), (BlockingIOError(11, "unavailable"), "-u")],
)
def test_a_limit_of_the_system_is_named(tourney, monkeypatch, error, limit):
    def fail(*_):
        raise error

    monkeypatch.setattr("tournament.runs.runner.read_config", fail)
    code, _, said = tourney("run", "c.yaml", "--quiet")
    assert (code, said.count("\n")) == (2, 1)
    assert f"`ulimit {limit}`" in said
