"""The journal: what a worker is doing, read from outside, also when it has died or wrote nonsense."""

import math
import os
import time

import pytest

from tournament.engine.result import Counters, SearchResult
from tournament.isolation.process import Process
from tournament.match.journal import HEADER, IDLE, LOADING, MOST_MOVES, REFEREEING, THINKING, Journal

FOUND = SearchResult(3, -12.5, Counters(10, 20, 30, 40), 0.5, 0.25, 7, 4, 9)


@pytest.fixture
def journal():
    made = Journal()
    yield made
    made.close()


def state(journal):
    """What it says, but for when that began."""
    entry = journal.entry()
    return entry.doing, entry.task, entry.seat, entry.deadline, entry.by_game


def test_before_anything_has_begun_nobody_is_waited_for(journal):
    assert state(journal) == (IDLE, 0, None, math.inf, False)
    assert journal.moves() == []
    assert not journal.retiring


def test_a_task_that_is_begun_is_nobodys_yet(journal):
    journal.begins(5)
    assert state(journal) == (REFEREEING, 5, None, math.inf, False)


@pytest.mark.parametrize("seat", ["first", "second"])
def test_who_is_loaded_or_thinks_is_known_with_the_time_by_which_it_must_be_done(journal, seat):
    journal.begins(2)
    for doing, tell in ((LOADING, journal.loads), (THINKING, journal.thinks)):
        before = time.monotonic()
        tell(seat, 1000)
        entry = journal.entry()
        assert (entry.doing, entry.task, entry.seat, entry.by_game) == (doing, 2, seat, False)
        assert before <= entry.began <= time.monotonic()
        assert entry.deadline == entry.began + 1000
    journal.thinks(seat, math.inf, by_game=True)
    assert state(journal) == (THINKING, 2, seat, math.inf, True)


def test_moves_are_kept_in_order_and_whole(journal):
    journal.begins(0)
    other = SearchResult(6, math.inf, Counters(0, 0, 0, 0), 0.0, 0.0, 0, 1, 1)
    for found, landed in ((FOUND, 4), (other, 6)):
        journal.thinks("first", 10)
        journal.moved(found, landed)
    assert journal.moves() == [(FOUND, 4), (other, 6)]
    assert journal.entry().doing == REFEREEING
    assert journal.entry().deadline == math.inf, "the referee is not on the clock"


def test_a_move_without_a_score_is_kept_without_one(journal):
    journal.begins(0)
    journal.moved(FOUND._replace(score=math.nan), 3)
    ((found, _),) = journal.moves()
    assert math.isnan(found.score)


def test_the_next_task_begins_without_the_moves_of_the_last(journal):
    journal.begins(0)
    journal.thinks("second", 10)
    journal.moved(FOUND, 3)
    journal.begins(1)
    assert journal.moves() == []
    assert state(journal) == (REFEREEING, 1, None, math.inf, False)


def test_who_rests_is_waited_for_by_nobody(journal):
    journal.begins(0)
    journal.thinks("first", 0)
    journal.rests()
    assert (journal.entry().doing, journal.entry().deadline) == (IDLE, math.inf)


def test_it_holds_every_move_of_the_longest_game(journal):
    journal.begins(0)
    for landed in range(MOST_MOVES):
        journal.moved(FOUND, landed)
    assert [landed for _, landed in journal.moves()] == list(range(MOST_MOVES))


def test_what_a_process_wrote_before_it_died_can_be_read(journal):
    def main(connection):
        journal.begins(3)
        journal.thinks("first", math.inf)
        journal.moved(FOUND, 5)
        journal.thinks("second", math.inf)
        os.kill(os.getpid(), 9)

    process = Process(main)
    assert process.connection.poll(20)
    process.close()
    assert state(journal) == (THINKING, 3, "second", math.inf, False)
    assert journal.moves() == [(FOUND, 5)]


@pytest.mark.parametrize("count", [-5, MOST_MOVES + 1, 1 << 60])
def test_nonsense_in_it_is_read_without_harm(journal, count):
    """An evaluator in the same process can write anything."""
    journal._memory[: HEADER.size] = HEADER.pack(99, -7, 42, math.nan, math.nan, 1, count)
    assert journal.entry().seat is None
    assert len(journal.moves()) == min(max(0, count), MOST_MOVES)
