"""Whole games: the four that were checked by an independent program, to the digit; and those in which discs drift."""

import random
import signal
from collections import Counter
from dataclasses import asdict

import pytest
from processes import call

from tournament.engine.algorithms import usual_algorithm
from tournament.engine.game import Game
from tournament.engine.result import COUNTERS, Counters, SearchResult
from tournament.engine.settings import Settings
from tournament.errors import PlayerFault, PositionError
from tournament.games.connect4 import STANDARD, Position, Rules, play_moves, read_position
from tournament.isolation.environment import ProcessState
from tournament.isolation.limits import NO_LIMITS, Limits
from tournament.match import referee
from tournament.match.luck import drifted
from tournament.match.referee import play
from tournament.match.side import LocalSide
from tournament.plugins.agent import TimeLeft
from tournament.plugins.catalogue import Catalogue
from tournament.plugins.player import Player

# depth, first, second, moves, result, then (generated, expanded, evaluated) of first and second (R5)
CHECKED = [
    (2, "windows", "squares", "444444222222315", "first", (219, 56, 169), (211, 51, 162)),
    (2, "squares", "windows", "222225355333563655636266114", "first", (433, 97, 343), (388, 94, 297)),
    (
        4,
        "windows",
        "squares",
        "44442333321467636662242311126777511",
        "first",
        (7_037, 1_972, 4_870),
        (8_782, 2_312, 6_031),
    ),
    (
        4,
        "squares",
        "windows",
        "4444433331346763666226211111222777555",
        "first",
        (5_960, 1_704, 4_071),
        (4_689, 1_474, 2_995),
    ),
]


def ready(name: str, depth: int, rules: Rules = STANDARD) -> LocalSide:
    return LocalSide(Player(name, Catalogue().load(name), Settings(depth, usual_algorithm(rules))), rules, seed=1)


def figures(counters: Counters) -> tuple[int, int, int]:
    return (counters.generated, counters.expanded, counters.evaluated)


@pytest.mark.parametrize(("depth", "first", "second", "moves", "result", "of_first", "of_second"), CHECKED)
def test_the_checked_games_come_out_to_the_digit(depth, first, second, moves, result, of_first, of_second):
    game = play(ready(first, depth), ready(second, depth))
    assert (game.moves, game.result, game.reason) == (moves, result, "line")
    assert (figures(game.counters("first")), figures(game.counters("second"))) == (of_first, of_second)


def test_an_opening_is_played_before_anybody_thinks():
    game = play(ready("windows", 2), ready("squares", 2), opening="445")
    assert game.moves.startswith("445")
    assert len(game.found) == len(game.moves) - 3
    searched = game.counters("first").expanded + game.counters("second").expanded
    assert searched == sum(found.counters.expanded for found in game.found)
    assert game.counters("second") != game.counters("first")


def test_the_side_after_an_odd_opening_is_the_second():
    game = play(ready("windows", 1), ready("squares", 1), opening="4")
    assert game.counters("second").expanded == (len(game.found) + 1) // 2  # depth 1 expands only the root
    for seat, own in (("second", game.found[::2]), ("first", game.found[1::2])):
        expected = {name: sum(getattr(found.counters, name) for found in own) for name in COUNTERS}
        assert asdict(game.counters(seat)) == expected
    assert game.counters("first") != game.counters("second")


def test_a_full_board_is_a_draw():
    rules = Rules(2, 3, 3)
    game = play(ready("windows", 6, rules), ready("windows", 6, rules), rules=rules)
    assert (game.result, game.reason, len(game.moves)) == ("draw", "full board", 6)


@pytest.mark.parametrize(
    ("opening", "told"),
    [("1212121", "the game is over"), ("8", "which does not exist"), ("12121214", "comes after the game has ended")],
)
def test_an_opening_that_can_not_be_played_on_is_refused(opening, told):
    with pytest.raises(PositionError, match=told):
        play(ready("windows", 1), ready("windows", 1), opening=opening)


def test_where_nothing_drifts_discs_land_where_they_were_meant_to():
    game = play(ready("windows", 2), ready("squares", 2), opening="44")
    assert game.landed == tuple(found.chosen for found in game.found)
    assert (game.begun, game.moves[:2]) == (2, "44")


# ── forfeits ─────────────────────────────────────────────────────────────────────────────────────


class Clock:
    """A clock that only moves when somebody thinks."""

    now = 0.0

    def perf_counter(self) -> float:
        return self.now


class Scripted:
    """A side that plays these columns in turn, or fails, and takes so many seconds for each by this clock."""

    def __init__(
        self,
        *script: int | PlayerFault,
        says: str = "",
        clock: Clock | None = None,
        takes: float = 0,
        is_agent: bool = False,
    ) -> None:
        self.is_agent, self.seen = is_agent, list[TimeLeft]()
        self._script = iter(script)
        self._says, self._clock, self._takes = says, clock or Clock(), takes
        self.output = "of the game before"

    def move(self, position: Position, time_left: TimeLeft) -> SearchResult:
        self.seen.append(time_left)
        self.output += self._says
        self._clock.now += self._takes
        step = next(self._script)
        if isinstance(step, PlayerFault):
            raise step
        return SearchResult(step, 0.0, Counters(), self._takes, self._takes, 0, 1, 1)


class Notes:
    """What the referee writes into the journal."""

    def __init__(self) -> None:
        self.waited_for: list[tuple[str, float, bool]] = []

    def thinks(self, seat: str, seconds: float, *, by_game: bool = False) -> None:
        self.waited_for.append((seat, seconds, by_game))

    def moved(self, found: SearchResult, landed: int) -> None:
        pass


def test_whoever_fails_has_lost_and_the_moves_before_are_kept():
    fault = PlayerFault("it gave up.", "raised", "line 1")
    game = play(Scripted(3, fault), Scripted(4), opening="12")
    assert (game.result, game.reason, game.moves) == ("second", "forfeit", "1245")
    assert (game.fault, game.fault_kind, game.traceback) == ("it gave up.", "raised", "line 1")
    assert play(Scripted(3), Scripted(fault)).result == "first"


@pytest.mark.parametrize("end", [0, PlayerFault("it gave up.")], ids=["line", "forfeit"])
def test_what_each_side_printed_in_this_game_is_kept_as_its_own(end):
    game = play(Scripted(0, 0, 0, end, says="a"), Scripted(1, 1, 1, says="b"))
    assert (game.reason, game.output) == ("line" if end == 0 else "forfeit", ("aaaa", "bbb"))


@pytest.mark.parametrize(
    ("column", "told"),
    [(0, "it chose column 1, which is full, in"), (7, "column 7 from 0, which is none"), (-1, "column -1 from 0")],
)
def test_a_column_that_is_not_open_loses_the_game_and_is_told_as_people_count(column, told):
    game = play(Scripted(column), Scripted(), opening="111111")
    assert (game.result, game.fault_kind, game.moves) == ("second", "illegal move", "111111")
    assert told in game.fault


def test_the_time_for_a_game_is_used_up_by_its_moves(monkeypatch):
    clock, notes = Clock(), Notes()
    monkeypatch.setattr(referee, "time", clock)
    first, second = Scripted(0, 0, 0, clock=clock, takes=6), Scripted(1, 1, 1, clock=clock, takes=1)
    game = play(first, second, limits=Limits(move_seconds=10, game_seconds=15), journal=notes)
    assert (game.result, game.fault_kind, game.moves) == ("second", "game time", "1212")
    assert game.fault == "it thought for more than 15 seconds in this game."
    assert game.forfeit_seconds == 6
    once, twice = [("first", 10, False), ("second", 10, False)], [("first", 9, True), ("second", 10, False)]
    assert notes.waited_for == [*once, *twice, ("first", 3, True)]


def test_an_illegal_move_costs_what_it_took(monkeypatch):
    clock = Clock()
    monkeypatch.setattr(referee, "time", clock)
    assert play(Scripted(0, -1, clock=clock, takes=3), Scripted(1, clock=clock)).forfeit_seconds == 3


KAGGLE = Limits(agent_seconds=2, overage_seconds=10)


def test_an_agents_moves_use_up_what_they_may_take_beyond_their_time(monkeypatch):
    clock, notes = Clock(), Notes()
    monkeypatch.setattr(referee, "time", clock)
    first = Scripted(0, 0, 0, clock=clock, takes=7, is_agent=True)
    game = play(first, Scripted(1, 1, 1, clock=clock, takes=50), limits=KAGGLE, journal=notes)
    assert first.seen == [(2, 10, 1800), (2, 5, 1793), (2, 0, 1786)]
    assert [seconds for seat, seconds, _ in notes.waited_for if seat == "first"] == [12, 7, 2]
    assert [seconds for seat, seconds, _ in notes.waited_for if seat == "second"] == [60, 60]
    assert (game.result, game.fault_kind, game.moves) == ("second", "move time", "1212")
    told = "it thought for more than 2 seconds about one move, and had used up the 10 that its moves may take"
    assert game.fault == f"{told} beyond that in a game."


def test_an_agents_moves_within_their_time_use_up_nothing_beyond_it(monkeypatch):
    clock = Clock()
    monkeypatch.setattr(referee, "time", clock)
    first = Scripted(0, 0, 0, 0, clock=clock, takes=2, is_agent=True)
    assert play(first, Scripted(1, 1, 1), limits=KAGGLE).reason == "line"
    assert [left.overage for left in first.seen] == [10, 10, 10, 10]


def test_the_games_time_ends_an_agents_overage_too(monkeypatch):
    clock = Clock()
    monkeypatch.setattr(referee, "time", clock)
    limits = Limits(game_seconds=5, agent_seconds=2, overage_seconds=10)
    game = play(Scripted(0, clock=clock, takes=6, is_agent=True), Scripted(), limits=limits)
    assert (game.fault_kind, game.fault) == ("game time", "it thought for more than 5 seconds in this game.")


def test_one_move_that_takes_too_long_loses_the_game_of_whoever_made_it(monkeypatch):
    clock = Clock()
    monkeypatch.setattr(referee, "time", clock)
    limits = Limits(move_seconds=10, game_seconds=15)
    game = play(Scripted(0, clock=clock, takes=10), Scripted(1, clock=clock, takes=10.5), limits=limits)
    assert (game.result, game.fault_kind, game.moves) == ("first", "move time", "1")
    assert game.fault == "it thought for more than 10 seconds about one move."
    assert game.forfeit_seconds == 10.5
    assert play(Scripted(0, 0, 0, 0, clock=clock, takes=1e9), Scripted(1, 1, 1), limits=NO_LIMITS).reason == "line"


# ── the most lines ───────────────────────────────────────────────────────────────────────────────


def test_by_most_lines_the_board_is_played_full_and_the_lines_decide():
    rules = Rules(4, 5, 3, "most-lines")
    game = play(ready("windows", 2, rules), ready("runs", 2, rules), rules=rules)
    end = play_moves(Position(rules), game.moves)
    assert len(game.moves) == 20
    assert (game.result, game.reason) == (end.result, "most lines")
    assert end.lines(game.result) > min(end.lines("first"), end.lines("second"))


def test_as_many_lines_as_the_other_are_a_draw_by_a_full_board():
    rules = Rules(1, 4, 2, "most-lines")  # X O O X and the like: nobody has more
    game = play(ready("windows", 4, rules), ready("windows", 4, rules), rules=rules)
    assert (game.result, game.reason, len(game.moves)) == ("draw", "full board", 4)


# ── drift ────────────────────────────────────────────────────────────────────────────────────────

DRIFT = Rules(drift=0.6)


def drifting(seed: int = 1, opening: str = "", swapped: bool = False, rules: Rules = DRIFT) -> Game:
    players = [ready("windows", 2, rules), ready("runs", 2, rules)]
    return play(*(players[::-1] if swapped else players), opening=opening, seed=seed, rules=rules)


@pytest.mark.needs_jit  # about luck, in many games
def test_the_seed_and_the_opening_decide_where_discs_drift():
    assert drifting().moves == drifting().moves
    assert len({drifting(seed).moves for seed in range(6)}) == 6
    strayed = {
        opening: [found.chosen != column for found, column in zip(game.found, game.landed, strict=True)][:6]
        for opening in ("", "4", "44")
        for game in [drifting(opening=opening)]
    }
    assert len(set(map(tuple, strayed.values()))) == 3


@pytest.mark.needs_jit  # about luck, in many games
def test_a_pair_has_the_same_luck_whoever_sits_where():
    for seed in range(5):
        one, other = drifting(seed), drifting(seed, swapped=True)
        plies = min(len(one.found), len(other.found), DRIFT.rows)  # before any column can be full
        assert [one.found[p].chosen != one.landed[p] for p in range(plies)] == [
            other.found[p].chosen != other.landed[p] for p in range(plies)
        ]
        twins = ready("windows", 2, DRIFT), ready("windows", 2, DRIFT)
        assert play(*twins, seed=seed, rules=DRIFT).moves == play(*reversed(twins), seed=seed, rules=DRIFT).moves


def test_the_moves_of_a_drifted_game_are_those_that_were_played():
    game = drifting(3, "4")
    assert game.landed != tuple(found.chosen for found in game.found)
    assert play_moves(Position(DRIFT), game.moves).result == game.result
    assert len(game.landed) == len(game.found) == len(game.moves) - 1


@pytest.mark.parametrize(("players", "plies"), [("first", 0), ("second", 1)])
def test_only_the_discs_of_those_who_drift_do(players, plies):
    game = drifting(rules=Rules(drift=0.3, drift_players=players), seed=2)
    strayed = [p for p, found in enumerate(game.found) if found.chosen != game.landed[p]]
    assert strayed
    assert {ply % 2 for ply in strayed} == {plies}


# Chosen column, position, then how likely the disc lands where (columns from 0)
LANDINGS = [
    (3, "empty", {3: 0.6, 2: 0.2, 4: 0.2}),
    (0, "empty", {0: 0.6, 1: 0.4}),
    (1, "111111", {1: 0.6, 2: 0.4}),
    (0, "222222", {0: 1.0}),
    (1, "111111333333", {1: 1.0}),
]


@pytest.mark.parametrize(("column", "text", "likely"), LANDINGS)
def test_a_disc_drifts_to_open_neighbours_as_often_as_the_rules_say(column, text, likely):
    position, luck, draws = read_position(text, DRIFT), random.Random(1), 4000
    landed = Counter(drifted(position, column, luck) for _ in range(draws))
    assert set(landed) == set(likely)
    for where, share in likely.items():
        assert landed[where] / draws == pytest.approx(share, abs=0.03)


@pytest.mark.parametrize(("column", "text", "likely"), LANDINGS)
def test_every_ply_takes_one_draw_whether_a_disc_can_drift_or_not(column, text, likely):
    """So that luck depends on the ply alone, and a pair has the same."""
    luck, counted = random.Random(1), random.Random(1)
    drifted(read_position(text, DRIFT), column, luck)
    counted.random()
    assert luck.random() == counted.random()


LEAVES_AN_ALARM = """
    '''Leaves an alarm behind, and its own hands on what happens then.'''
    import signal

    def evaluate(board):
        signal.signal(signal.SIGALRM, lambda number, frame: 1 / 0)
        signal.setitimer(signal.ITIMER_REAL, 600)
        signal.setitimer(signal.ITIMER_PROF, 600)
        return 0
"""


def test_no_alarm_outlives_the_move_of_whoever_set_it(write_evaluator):
    before = signal.getsignal(signal.SIGALRM)

    def left() -> list[bool]:
        side = LocalSide(Player("a", write_evaluator(LEAVES_AN_ALARM), Settings(1)), STANDARD, 1, ProcessState(1))
        side.move(Position(), TimeLeft(60, 60, 1800))
        timers = [signal.getitimer(timer)[0] == 0 for timer in (signal.ITIMER_REAL, signal.ITIMER_PROF)]
        return [side.in_python, signal.getsignal(signal.SIGALRM) is before, *timers]

    assert call(left, 60) == [True] * 4
