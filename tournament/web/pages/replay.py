"""Replay: the games of a tournament folder, and one of them move by move."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from tournament.engine.result import COUNTERS
from tournament.engine.values import shown_score
from tournament.games.connect4 import SEATS, Position, Rules, column_digit, play_moves
from tournament.store import ListedGame, StoredMove, StoredPlayer
from tournament.web.evaluators import source_hash
from tournament.web.pages.play import told
from tournament.web.query import Query, rules_told, settings_told
from tournament.web.site import NotFound, Site, looked_into, query, site

ON_A_PAGE = 50
COUNTED = ("depth", *COUNTERS)  # of a move
RESULTS = {
    "first": "the first player won",
    "second": "the second player won",
    "draw": "a draw",
    "forfeit": "a forfeit",
    "won": "the chosen player won",
    "lost": "the chosen player lost",
}


async def games_page(request: Request) -> Response:
    """The games of a folder, some at a time, as the filter says."""
    return await run_in_threadpool(_games, site(request), request.path_params["name"], query(request))


def _games(here: Site, name: str, given: Query) -> Response:
    given.only(["player", "depth", "result", "page"])
    chosen = {key: given.text(key) for key in ("player", "depth", "result")}
    if chosen["result"] not in ("", *RESULTS):
        raise NotFound(f"there is no result `{chosen['result']}`: known are {', '.join(RESULTS)}.")
    number = max(1, given.whole("page", 1))
    with looked_into(here.folder(name)) as store:
        run = store.last_run()
        total, games = store.listed(
            player=chosen["player"],
            level=chosen["depth"],
            result=chosen["result"],
            most=ON_A_PAGE,
            after=min(ON_A_PAGE * (number - 1), 1 << 40),
        )
        players = list(dict.fromkeys(player.name for player in store.everybody().values()))
        levels = list(store.planned())
    filters = {key: value for key, value in chosen.items() if value}
    return here.render(
        "games.html",
        here="tournaments",
        title=f"Games of {run.title}",
        name=name,
        run=run,
        is_study=run.is_study,
        total=total,
        rows=[_row(game) for game in games],
        players=players,
        levels=levels,
        results=RESULTS,
        chosen=chosen,
        page=number,
        pages=max(1, -(-total // ON_A_PAGE)),
        address=lambda page: "?" + urlencode(filters | {"page": page}),
    )


def limit_of(player: StoredPlayer) -> str:
    """How far a player may search; a dash where that is its own affair."""
    if player.is_oracle:
        return "perfect play"
    return "–" if player.is_agent else player.settings.level + (", book" if player.has_book else "")


def _row(game: ListedGame) -> dict[str, Any]:
    return {
        "id": game.id,
        "first": game.first.name,
        "second": game.second.name,
        "level": game.level,
        "opening": game.opening or "empty",
        "winner": winner(game),
        "reason": game.reason,
        "plies": game.plies,
    }


def winner(game: ListedGame) -> str:
    if game.result == "draw":
        return "draw"
    return game.first.name if game.result == "first" else game.second.name if game.result == "second" else "–"


async def game_page(request: Request) -> Response:
    """One game: the board, and every move with its score and what it took."""
    params = request.path_params
    return await run_in_threadpool(_game, site(request), params["name"], params["id"], query(request))


def _game(here: Site, name: str, id: str, given: Query) -> Response:
    given.only(["ply"])
    with looked_into(here.folder(name)) as store:
        run, found = store.last_run(), store.one(id)
    if found is None:
        raise NotFound(f"there is no game `{id[:40]}` in this tournament: its list of games has every game's id.")
    game, rules, moves = found
    players = {"first": game.first, "second": game.second}
    notes = {seat: _note(here, players[seat]) for seat in SEATS}
    ply = min(max(0, given.whole("ply", len(game.moves))), len(game.moves))
    states = [
        told(play_moves(Position(rules), game.moves[:end]), game.moves[:end]) for end in range(len(game.moves) + 1)
    ]
    address = f"/t/{name}/games/{id}"
    return here.render(
        "game.html",
        here="tournaments",
        title=f"{game.first.name} – {game.second.name}",
        name=name,
        run=run,
        game=game,
        rules=rules,
        winner=winner(game),
        players=players,
        limits={seat: limit_of(players[seat]) for seat in SEATS},
        notes=notes,
        ply=ply,
        position=play_moves(Position(rules), game.moves[:ply]),
        states=states,
        counted=COUNTED,
        moves=[_move(here, game, rules, move, players, address) for move in moves],
        play_on=f"/play?{urlencode(rules_told(rules) | {'moves': ''})}",
    )


def _note(here: Site, player: StoredPlayer) -> str:
    """What a reader must know of a player's evaluator, as it is now."""
    if player.is_oracle:
        return f"{player.name} plays perfectly, so its moves have no search to be explained."
    if player.is_agent:
        return f"{player.name} is an agent that plays by itself, so its moves can't be explained."
    entry = here.entries().get(player.evaluator)
    if entry is None:
        return f"There is no evaluator {player.evaluator} here, so its moves can't be explained."
    now = source_hash(entry)
    if now is not None and now != player.source_hash:
        return f"The file of {player.evaluator} has been edited since: an explanation is of the file as it is now."
    return ""


def _move(
    here: Site, game: ListedGame, rules: Rules, move: StoredMove, players: dict[str, StoredPlayer], address: str
) -> dict[str, Any]:
    seat = SEATS[move.ply % 2]
    player = players[seat]
    settings = None if player.is_agent else player.settings  # which an agent has only to be grouped by
    row: dict[str, Any] = {name: None if player.is_agent else getattr(move, name) for name in COUNTED}
    row |= {
        "ply": move.ply + 1,
        "seat": seat,
        "player": player.name,
        "landed": column_digit(move.landed),
        "chosen": None if move.chosen == move.landed else column_digit(move.chosen),
        "score": None if move.score is None else shown_score(move.score),
        "ms": None if move.seconds is None else f"{1e3 * move.seconds:.2f}",
        "explain": None,
    }
    if player.has_book and not move.generated:
        row["score"] = "book"  # nothing was searched that could be explained
    elif settings is not None and player.evaluator in here.entries():
        how = settings_told(settings, rules)
        if how.pop("seconds", None):  # the clock can't be repeated, but the positions that it was enough for can
            how["nodes"] = str(move.generated + 1)
        row["explain"] = "/explain?" + urlencode(
            {
                **rules_told(rules),
                "moves": game.moves[: move.ply],
                "evaluator": player.evaluator,
                **how,
                "source": player.source_hash[:12],
                "back": f"{address}?ply={move.ply + 1}",
            }
        )
    return row


ROUTES = [
    Route("/t/{name}/games", games_page),
    Route("/t/{name}/games/{id}", game_page),
]
