"""What a run says of the games that are being played."""

from types import SimpleNamespace

from folders import write
from played import SMALL
from rich.console import Console

import tournament
from tournament.cli import progress
from tournament.cli.progress import RichProgress
from tournament.store import GameTask, Store


def test_a_long_game_is_told_with_its_ply_its_time_and_the_time_left(tmp_path, monkeypatch):
    tournament.run(write(tmp_path / "c.yaml", SMALL), out=tmp_path / "out", jobs=1)
    display = RichProgress(Console(width=100))
    monkeypatch.setattr(progress, "time", SimpleNamespace(perf_counter=lambda: 1000.0))
    with Store(tmp_path / "out") as store:
        first, second, *_ = store.players()
        names = [store.players()[key].name for key in (first, second)]
        task = GameTask("id", first, second, "44", "depth 8")
        display.begins(store, 1)
        display.close()
        display.playing([task], [3])
        told = f"{' – '.join(names)} (depth 8)"
        assert display._shown(task) == f"{told}, ply 6"
        display.since[task] = 1000.0 - 10.2
        assert display._shown(task) == f"{told}, ply 6, 10 s", "three moves are too few to tell more"
        display.playing([task], [8])
        left = 10.2 / 8 * (0.75 * 42 - 2 - 8)
        assert display._shown(task) == f"{told}, ply 11, 10 s, about {left:.0f} s left", "by the plies of a usual game"
        display.took["depth 8"] = [12.0, 18.4]
        assert display._shown(task) == f"{told}, ply 11, 10 s, about 5 s left", "by the other games of its level"
        display.took["depth 8"] = [9.0]
        assert display._shown(task) == f"{told}, ply 11, 10 s", "it takes longer than they did"
