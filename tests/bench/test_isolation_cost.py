"""What an isolation costs: the same games each way, beside playing them without workers."""

import pytest

from tournament.bench import isolation_cost
from tournament.bench.isolation_cost import WITHOUT, Overhead, overhead
from tournament.engine.jit.specialise import JIT_DISABLED
from tournament.plugins.catalogue import Catalogue
from tournament.runs.pool import Pool


def test_the_cost_is_told_against_playing_without_workers():
    one = Overhead("player", 2, moves=50, seconds=3.0, without=2.0)
    assert (one.times, one.more_per_move) == (1.5, 0.02)


@pytest.mark.skipif(JIT_DISABLED, reason="about processes, not about the engine")
def test_the_same_games_are_played_each_way_and_no_worker_is_left(monkeypatch):
    monkeypatch.setattr(isolation_cost, "DEPTHS", (1,))
    monkeypatch.setattr(isolation_cost, "OPENINGS", ("44",))
    monkeypatch.setattr(isolation_cost, "ROUNDS", 1)
    monkeypatch.setattr(isolation_cost, "is_there", lambda: False)  # no sandbox
    made: dict[str, Pool] = {}
    make = isolation_cost._pool
    monkeypatch.setattr(isolation_cost, "_pool", lambda plan, way: made.setdefault(way, make(plan, way)))
    found = {one.way: one for one in overhead(Catalogue())}
    assert list(found) == [WITHOUT, "game", "player"]
    assert len({one.moves for one in found.values()}) == 1
    assert all(one.without == found[WITHOUT].seconds for one in found.values())
    assert found[WITHOUT].times == 1
    assert [pool._work.isolation for pool in made.values()] == list(made) == ["game", "player"]
    assert not any(pool._workers for pool in made.values())
