"""A game comes out of the store as it went in: with what each side did, printed and took."""

from tournament.engine.game import Game
from tournament.engine.result import Counters, SearchResult
from tournament.engine.settings import Settings
from tournament.games.connect4 import STANDARD
from tournament.isolation.limits import Limits
from tournament.store import GameTask, Planned, Store, StoredPlayer

PLAYERS = [StoredPlayer(f"key of {name}", name, Settings(2), name, "", "hash", True, None) for name in ("one", "two")]
TASK = GameTask("id", "key of one", "key of two", "4", "depth 2")


def found(column: int, count: int) -> SearchResult:
    return SearchResult(
        column, 1.5, Counters(count, 2 * count, 3 * count, 4 * count), 0.5 * count, 0.25 * count, 0, 2, 2
    )


def test_a_game_comes_out_as_it_went_in(tmp_path):
    played = Game(
        *("4", (found(0, 1), found(1, 10), found(2, 100)), (0, 1, 2), "first", "forfeit", "it gave up.", 1),
        *("exit", "line 1", ("one says", "two says")),
    )
    with Store(tmp_path, write=True) as store:
        store.begin_run(
            **dict.fromkeys(("started", "title", "config", "config_file", "command", "machine"), ""),
            **{"seed": 7, "rules": STANDARD, "jobs": 1, "versions": {}, "seats": "both", "limits": Limits()},
            **{"isolation": "game", "players": PLAYERS, "tasks": [Planned(TASK, 1)]},
        )
        store.add(TASK, played, STANDARD, 7)
        (game,) = store.games()
        _, moves = store.game("i")
    assert (game.first.name, game.second.name, game.opening, game.seed) == ("one", "two", "4", 7)
    assert (game.result, game.reason, game.plies, game.moves, game.distinct) == ("first", "forfeit", 4, "4123", True)
    assert (game.fault, game.fault_kind, game.traceback) == ("it gave up.", "exit", "line 1")
    assert (game.first_output, game.second_output) == ("one says", "two says")
    costs = [(cost.moves, cost.generated, cost.cutoffs, cost.seconds) for cost in (game.first_cost, game.second_cost)]
    assert costs == [(1, 10, 40, 5.0), (2, 101, 404, 50.5)]  # after one move of the opening the second begins
    assert [(move.ply, move.chosen, move.generated) for move in moves] == [(1, 0, 1), (2, 1, 10), (3, 2, 100)]
