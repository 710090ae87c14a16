"""A disk that fails while a run writes."""

import os
import subprocess
import sys

import pytest
from folders import rows, write
from played import SMALL, kept

from tournament.store import Store

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
        f"id=$(tail -1 {folder}/a/games.csv | cut -c1-16); {command} show {folder}/a $id | tail -1; "
        f"{command} report {folder}/a; echo code $?; }}"
    )
    done = subprocess.run(["unshare", "-Urm", "sh", "-c", script], capture_output=True, text=True, timeout=120)
    if "Operation not permitted" in done.stderr:
        pytest.skip("no name space can be made here")
    assert done.stdout.count("code 2") == 3
    assert done.stderr.count("tourney: ") == done.stderr.count("\n") == 3
    assert "runs scored most" in done.stdout, "the tables of a report whose files can't be written"
    assert done.stderr.endswith("no file was written.\n")
    assert "choose another --out" in done.stderr
    assert " wins " in done.stdout or "draw" in done.stdout
