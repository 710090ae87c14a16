"""A task comes out of the plan's table as it went in: a game as a game, a search of a study as a search."""

import pytest

from tournament.games.connect4 import STANDARD, Rules
from tournament.isolation.limits import Limits
from tournament.store import GameTask, Planned, SearchTask, Store
from tournament.store.tasks import COLUMNS, row_of, task_of

GAME = GameTask("g", "one", "two", "44", "depth 4")
SEARCH = SearchTask("s", "one", Rules(5, 6, 3, drift=0.5), "4435", "depth 2", "Part", "early")


@pytest.mark.parametrize("task", [GAME, SEARCH])
def test_a_task_is_made_from_its_row_again(task):
    assert len(row_of(task)) == len(COLUMNS)
    assert task_of(row_of(task)) == task


def test_who_is_needed_for_a_task():
    assert GAME.players == ("one", "two")
    assert SEARCH.players == ("one",)


def planned_in(folder, seats, *tasks) -> Store:
    store = Store(folder, write=True)
    store.begin_run(
        **dict.fromkeys(("started", "title", "config", "config_file", "command", "machine"), ""),
        seed=1,
        rules=STANDARD,
        jobs=1,
        versions={},
        seats=seats,
        limits=Limits(),
        isolation="game",
        players=[],
        tasks=[Planned(task, weight) for weight, task in enumerate(tasks, start=1)],
    )
    return store


@pytest.mark.parametrize(("seats", "task"), [("both", GAME), (None, SEARCH)])
def test_what_is_missing_is_what_was_planned_the_costly_first(tmp_path, seats, task):
    with planned_in(tmp_path, seats, task, task._replace(id="dearer")) as store:
        assert list(store.missing()) == [task._replace(id="dearer"), task]
        assert store.last_run().is_study == (seats is None)
