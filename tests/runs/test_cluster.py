"""A Dask cluster plays the same games as this machine, also when one of its workers is killed in the middle."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import folders
import pytest
from folders import GALLERY

import tournament
from tournament.engine.game import Game
from tournament.engine.jit.specialise import JIT_DISABLED
from tournament.errors import TourneyError
from tournament.runs import cluster, runner
from tournament.store import Store, Task

pytestmark = pytest.mark.skipif(JIT_DISABLED, reason="in plain Python these games would take hours")

# One that raises and one that ends its process, so that faults too are the same there.
CONFIG = f"""\
players:
  windows: windows
  squares: squares
  raises: raises_on_the_seventh_call
  leaves: leaves_by_os_exit
  agent: {{connectx: {GALLERY / "agents" / "agent_of_a_full_column.py"}}}
evaluators: [{GALLERY}]
depths: [4]
openings: {{plies: 1}}
forfeit_limit: 2
"""


@pytest.fixture(scope="module")
def dask() -> Iterator:
    """A scheduler and two workers, each a process with one thread."""
    from distributed import LocalCluster

    with LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None, silence_logs=50
    ) as local:
        yield local


def played_rows(folder: Path) -> list[folders.Row]:
    """games.csv without what differs from run to run."""
    return folders.without_seconds(folders.rows(folder))


class KillsOneWorker(runner.NullObserver):
    """Watches a run, and kills a worker of its cluster after so many games."""

    def __init__(self, dask, after: int) -> None:
        self.dask, self.after, self.games = dask, after, 0

    def finished(self, task: Task, game: Game) -> None:
        self.games += 1
        if self.games == self.after:
            os.kill(next(iter(self.dask.workers.values())).process.pid, signal.SIGKILL)


def test_the_games_are_those_of_this_machine_though_a_worker_is_killed(dask, tmp_path):
    config = tmp_path / "cluster.yaml"
    config.write_text(CONFIG)
    tournament.run(config, out=tmp_path / "here", jobs=2)
    watch = KillsOneWorker(dask, after=5)
    runner.run(config, out=tmp_path / "there", scheduler=dask.scheduler_address, observer=watch)
    assert watch.games > watch.after
    assert played_rows(tmp_path / "there") == played_rows(tmp_path / "here")
    assert {row["fault"] for row in played_rows(tmp_path / "there")} >= {"raised", "exit", "illegal move"}
    with Store(tmp_path / "there") as store:
        assert len({game.id for game in store.games()}) == len(played_rows(tmp_path / "here"))


def test_a_file_that_arrives_altered_is_not_played(tmp_path):
    config = tmp_path / "cluster.yaml"
    config.write_text(CONFIG)
    playing = runner.prepare(config).playing
    key, player = next(iter(playing.players.items()))
    altered = replace(player, plugin=replace(player.plugin, text=player.plugin.text + b"\n# altered"))
    with pytest.raises(TourneyError, match="did not arrive as it was sent"):
        cluster.play_batch(replace(playing, players={key: altered}), [])


def test_no_scheduler_at_the_address_is_one_message(tmp_path, monkeypatch):
    monkeypatch.setattr(cluster, "PATIENCE_SECONDS", 0.5)
    (tmp_path / "cluster.yaml").write_text("players: [windows, squares]\ndepths: [1]\n")
    with pytest.raises(TourneyError, match=r"there is no Dask scheduler at tcp://127\.0\.0\.1:9"):
        tournament.run(tmp_path / "cluster.yaml", out=tmp_path / "out", scheduler="tcp://127.0.0.1:9")
    assert not (tmp_path / "out").exists()


def test_without_a_scheduler_nothing_of_dask_is_imported(tmp_path):
    (tmp_path / "small.yaml").write_text("players: [windows, squares]\ndepths: [1]\n")
    program = (
        "import sys, tournament; tournament.run('small.yaml', jobs=1); "
        "print([name for name in sys.modules if name.partition('.')[0] in ('dask', 'distributed')])"
    )
    done = subprocess.run([sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
