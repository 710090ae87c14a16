"""A game comes out of the store as it went in: with what each side did, printed and took."""

from pathlib import Path

import pytest

from tournament.engine.game import Game
from tournament.engine.result import Counters, SearchResult
from tournament.engine.settings import Settings
from tournament.games.connect4 import STANDARD
from tournament.isolation.limits import Limits
from tournament.store import GameTask, Planned, Store, StoredPlayer, writing

PLAYERS = [StoredPlayer(f"key of {name}", name, Settings(2), name, "", "hash", True, None) for name in ("one", "two")]
TASK = GameTask("id", "key of one", "key of two", "4", "depth 2")


def found(column: int, count: int) -> SearchResult:
    return SearchResult(
        column, 1.5, Counters(count, 2 * count, 3 * count, 4 * count), 0.5 * count, 0.25 * count, 0, 2, 2
    )


def begin(store: Store, *tasks: GameTask, forfeit_limit: int = 10) -> None:
    store.begin_run(
        **dict.fromkeys(("started", "title", "config", "config_file", "command", "machine"), ""),
        **{"seed": 7, "rules": STANDARD, "jobs": 1, "versions": {}, "seats": "both"},
        **{
            "limits": Limits(forfeit_limit=forfeit_limit),
            "isolation": "game",
            "players": PLAYERS,
            "tasks": [Planned(task, 1) for task in tasks],
        },
    )


def test_a_game_comes_out_as_it_went_in(tmp_path):
    played = Game(
        *("4", (found(0, 1), found(1, 10), found(2, 100)), (0, 1, 2), "first", "forfeit", "it gave up.", 1),
        *("exit", "line 1", ("one says", "two says"), 60.0),
    )
    with Store(tmp_path, write=True) as store:
        begin(store, TASK)
        store.add(TASK, played, STANDARD, 7)
        (game,) = store.games()
        _, moves = store.game("i")
    assert (game.first.name, game.second.name, game.opening, game.seed) == ("one", "two", "4", 7)
    assert (game.result, game.reason, game.plies, game.moves, game.distinct) == ("first", "forfeit", 4, "4123", True)
    assert (game.fault, game.fault_kind, game.traceback) == ("it gave up.", "exit", "line 1")
    assert (game.first_output, game.second_output) == ("one says", "two says")
    costs = [(cost.moves, cost.generated, cost.cutoffs, cost.seconds) for cost in (game.first_cost, game.second_cost)]
    assert costs == [(1, 10, 40, 5.0), (2, 101, 404, 110.5)]  # after one move of the opening the second begins
    assert game.second_cost.forfeit_seconds == 60, "who lost had thought for so long about the move it never made"
    assert [(move.ply, move.chosen, move.generated) for move in moves] == [(1, 0, 1), (2, 1, 10), (3, 2, 100)]


# ── batches ──────────────────────────────────────────────────────────────────────────────────────

SHORT = Game("4", (found(0, 1),), (0,), "first", "line", begun=1)
TASKS = [TASK._replace(id=f"id {number}") for number in range(4)]


def on_disk(folder: Path) -> int:
    """How many games others see, and a killed run leaves."""
    with Store(folder) as store:
        return len(list(store.games()))


def test_what_is_added_is_seen_at_once_and_on_disk_when_it_is_kept(tmp_path):
    with Store(tmp_path, write=True) as store:
        begin(store, *TASKS)
        for task in TASKS[:2]:
            store.add(task, SHORT, STANDARD, 7)
        assert len(list(store.games())) == 2
        assert store.progress() == {"depth 2": (2, 4)}
        assert [task.id for task in store.missing()] == ["id 2", "id 3"]
        assert on_disk(tmp_path) == 0
        store.keep()
        assert on_disk(tmp_path) == 2
        store.add(TASKS[2], SHORT, STANDARD, 7)
    assert on_disk(tmp_path) == 3, "who leaves keeps"


def test_what_comes_after_a_moment_takes_what_came_before_along(tmp_path):
    with Store(tmp_path, write=True) as store:
        begin(store, *TASKS)
        store.add(TASKS[0], SHORT, STANDARD, 7)
        store._batch_began -= writing.BATCH_SECONDS
        store.add(TASKS[1], SHORT, STANDARD, 7)
        assert on_disk(tmp_path) == 2


def test_a_game_that_fails_leaves_those_of_its_batch_as_they_are(tmp_path):
    with Store(tmp_path, write=True) as store:
        begin(store, *TASKS)
        store.add(TASKS[0], SHORT, STANDARD, 7)
        with pytest.raises(AttributeError):
            store.add(TASKS[1], SHORT._replace(found=(found(0, 1)._replace(counters=None),)), STANDARD, 7)
        store.add(TASKS[2], SHORT, STANDARD, 7)
    with Store(tmp_path) as store:
        assert [game.id for game in store.games()] == ["id 0", "id 2"]


def test_who_forfeits_too_often_in_an_open_batch_is_withdrawn_from_what_is_left(tmp_path):
    forfeit = SHORT._replace(reason="forfeit", fault="it gave up.", fault_kind="exit")
    with Store(tmp_path, write=True) as store:
        begin(store, *TASKS, forfeit_limit=2)
        for task in TASKS[:2]:
            assert all(store.is_wanted(task) for task in TASKS)
            store.add(task, forfeit, STANDARD, 7)
        assert on_disk(tmp_path) == 0
        assert not store.is_wanted(TASKS[2])
        assert not list(store.missing())
