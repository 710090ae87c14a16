"""The tables of a tournament: pure functions of its results. Nothing here prints or reads a file."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from tournament.evidence.intervals import branching_factor, wilson
from tournament.report.evidence_tables import evidence_tables
from tournament.report.results import ALL, Results, shown_depth
from tournament.report.table import Cell, Column, Table
from tournament.store import Cost, StoredGame, StoredPlayer, StoredRun


def _by_depth(results: Results) -> Callable[[str], tuple[bool, list[tuple[int, float]]]]:
    """Sorts limits by size, and all of them together last."""
    ranks = {player.settings.limit: player.settings.rank for player in results.players.values()}
    return lambda depth: (depth == ALL, [ranks[part] for part in depth.split(" v ")] if depth != ALL else [])


def _shown_level(depth: str) -> str:
    """`depth 4` for a depth; a budget speaks for itself."""
    return depth if depth.endswith((" nodes", " s")) else f"depth {depth}"


# ── tables ───────────────────────────────────────────────────────────────────────────────────────

GAMES_COLUMNS = (
    Column("game"),
    Column("depth"),
    Column("opening", under="depth"),
    Column("first"),
    Column("first generated", "count"),
    Column("first expanded", "count"),
    Column("first evaluated", "count"),
    Column("first seconds", "seconds"),
    Column("second", under="first"),
    Column("second generated", "count", "first generated"),
    Column("second expanded", "count", "first expanded"),
    Column("second evaluated", "count", "first evaluated"),
    Column("second seconds", "seconds", "first seconds"),
    Column("winner"),
    Column("plies", "count"),
)


def games_table(games: Iterable[StoredGame], played: int) -> Table:
    """These games with what each side's searches took, out of so many that were played."""
    rows = [_game_row(game) for game in games]
    note = f"{played - len(rows):,} more games are in games.csv." if played > len(rows) else ""
    return Table("Games", GAMES_COLUMNS, rows, note)


def _game_row(game: StoredGame) -> tuple[Cell, ...]:
    first, second = game.first_cost, game.second_cost
    winner = "draw" if game.result == "draw" else game.first.name if game.result == "first" else game.second.name
    if game.first.name == game.second.name and game.result != "draw":
        winner = game.result
    if game.reason == "withdrawn" and game.result == "draw":
        winner = "nobody"
    return (
        *(game.id[:8], shown_depth(game), game.opening or "empty"),
        *(game.first.name, *counted(game.first, first), first.seconds),
        *(game.second.name, *counted(game.second, second), second.seconds),
        f"{winner} ({game.reason})" if game.reason in ("forfeit", "withdrawn") else winner,
        game.plies,
    )


def counted(player: StoredPlayer, cost: Cost) -> tuple[Cell, ...]:
    """What a player's searches did, as far as anybody counts."""
    return (None, None, None) if player.is_agent else (cost.generated, cost.expanded, cost.evaluated)


def standings_tables(results: Results) -> list[Table]:
    """Who stands where, at each depth and over all."""
    columns = (
        Column("player"),
        *(Column(name, "count") for name in ("played", "won", "drawn", "lost")),
        Column("points", "points"),
        *(Column(name, "count") for name in ("won as first", "won as second")),
    )
    tables = []
    for depth in sorted(results.standings, key=_by_depth(results)):
        if depth == ALL and len(results.standings) == 2:
            continue  # one depth: the same table again
        scores = results.standings[depth]
        ranked = sorted(scores.items(), key=lambda item: (-item[1].points, item[0]))
        rows: list[tuple[Cell, ...]] = [
            (name, s.played, s.won, s.drawn, s.lost, s.points, s.won_first, s.won_second) for name, s in ranked
        ]
        tables.append(Table(f"Standings, {'all depths' if depth == ALL else _shown_level(depth)}", columns, rows))
    return tables


def crosstable(results: Results) -> Table:
    """Points of each against each, over all depths."""
    scores = results.standings[ALL]
    names = sorted(scores, key=lambda name: (-scores[name].points, name))
    columns = (Column("points of"), *(Column(f"against {name}") for name in names), Column("in all", "points"))
    rows: list[tuple[Cell, ...]] = []
    for name in names:
        cells: list[Cell] = []
        for other in names:
            score = results.against.get((name, other))
            cells.append(f"{score.points:g} of {score.played}" if score else None)
        rows.append((name, *cells, scores[name].points))
    return Table("Crosstable", columns, rows)


def cost_tables(results: Results) -> list[Table]:
    """What each player's searches took, in all and per move."""
    players = sorted(
        (results.players[key] for key in results.cost), key=lambda player: (player.settings.rank, player.name)
    )
    budgets = any(player.settings.depth is None for player in players)
    who = (Column("depth", "text" if budgets else "count"), Column("player"))
    named = [(player.settings.limit if budgets else player.settings.depth, player.name) for player in players]
    costs = [results.cost[player.key] for player in players]
    names = ("moves", "generated", "expanded", "evaluated", "cutoffs")
    in_all = Table(
        "Cost in all",
        (*who, *(Column(n, "count") for n in names), Column("seconds", "seconds")),
        [
            (*name, cost.moves, *counted(player, cost), None if player.is_agent else cost.cutoffs, cost.seconds)
            for name, player, cost in zip(named, players, costs, strict=True)
        ],
    )
    columns = (
        *who,
        *((Column("reached", "ratio"),) if budgets else ()),
        *(Column(name, "ratio") for name in ("generated", "expanded", "evaluated")),
        *(Column("ms", "millis"), Column("EBF", "ratio")),
        *(Column("µs per call", "micros"), Column("cutoffs", "percent")),
    )
    rows = [
        (*name, *((cost.depths / cost.moves,) if budgets else ()), *_per_move(cost))
        for name, player, cost in zip(named, players, costs, strict=True)
        if cost.moves and not player.is_agent
    ]
    note = (
        "EBF, the effective branching factor, is the b for which b + b² + … + b^depth = generated. µs per call of the "
        "evaluator, the search around it included. Cutoffs: the share of expanded nodes that ended in one."
    )
    if budgets:
        note += " Reached: the depth that was finished within the budget, on average."
    return [in_all, Table("Cost per move", columns, rows, note)]


def _per_move(cost: Cost) -> Iterator[Cell]:
    for value in (cost.generated, cost.expanded, cost.evaluated):
        yield value / cost.moves
    yield cost.seconds / cost.moves
    yield branching_factor(cost.generated / cost.moves, cost.depths / cost.moves)
    yield cost.seconds / cost.evaluated if cost.evaluated else None
    yield cost.cutoffs / cost.expanded if cost.expanded else None


def first_player_table(results: Results) -> Table:
    """What moving first was worth: by depth, by player, and over all."""
    columns = (
        Column("games of"),
        *(Column(name, "count") for name in ("first won", "drawn", "second won")),
        *(Column("first scored", "percent"), Column("95 % interval", "interval")),
        *(Column(name, "count") for name in ("pairs by seat", "by player", "other")),
    )
    groups = [
        (ALL if depth == ALL else _shown_level(depth), results.seats_by_depth[depth])
        for depth in sorted(results.seats_by_depth, key=_by_depth(results))
    ]
    groups += sorted(results.seats_by_player.items())
    rows: list[tuple[Cell, ...]] = [
        (
            name,
            s.first_won,
            s.drawn,
            s.second_won,
            s.score,
            wilson(s.score, s.games),
            s.by_seat,
            s.by_player,
            s.otherwise,
        )
        for name, s in groups
    ]
    note = (
        "A pair is the same opening with the seats swapped: decided by the seat where the first player won both games, "
        "by the player where one player won both."
    )
    return Table("First-player advantage", columns, rows, note)


def fault_tables(results: Results) -> list[Table]:
    """Who forfeited games, how many, and what happened the first time; nothing where nobody did."""
    by_depth = sorted(results.faults.items(), key=lambda item: (item[0][0], item[1].player.settings.rank, item[0][2]))
    rows: list[tuple[Cell, ...]] = [
        (name, f.player.settings.limit, kind, f.times, results.withdrawn_of.get(key, 0) or None, f.first_message)
        for (name, key, kind), f in by_depth
    ]
    columns = (
        *(Column("player"), Column("depth"), Column("kind"), Column("how often", "count")),
        *(Column("games withdrawn from", "count"), Column("first message")),
    )
    note = "`tourney show DIR GAME` has the traceback of each, and what the players have printed."
    return [Table("Faults", columns, rows, note)] if rows else []


def provenance_table(results: Results) -> Table:
    """How it was made: what a reader needs to trust the tables and to make them again."""
    players = {player.name: player for player in results.players.values()}
    played = f"{results.played:,} of {results.planned:,} played, {results.distinct:,} distinct"
    if results.withdrawn:
        played += f", {results.withdrawn:,} not played: a player was withdrawn"
    rows = made_on(results.run, ("games", played), ("rules", results.run.rules.described), players, results.superseded)
    if results.forfeits:
        rows.append(("forfeits", f"{results.forfeits:,}"))
    rows.append(("isolation", f"{results.run.isolation} ({ISOLATIONS[results.run.isolation]})"))
    rows.append(("limits", results.run.limits.described))
    return Table("How it was made", (Column("what"), Column("value")), rows)


ISOLATIONS = {
    "game": "both players of a game in one process, for those who trust each other",
    "player": "each player in a process of its own, which can signal no other",
    "player without name spaces": "each player in a process of its own, which this system lets signal others",
    "sandbox": "each player in a process of its own, without network, files or other processes",
}


def made_on(
    run: StoredRun, done: tuple[str, str], board: tuple[str, str], players: dict[str, StoredPlayer], superseded: int
) -> list[tuple[Cell, ...]]:
    """What every report says of how it was made."""
    rows: list[tuple[Cell, ...]] = [
        ("title", run.title),
        ("config", run.config_file),
        ("to repeat it", run.command),
        ("date", run.started),
        done,
        board,
        ("seed", str(run.seed)),
        ("machine", run.machine),
        ("versions", ", ".join(f"{name} {version}" for name, version in run.versions.items())),
    ]
    for name, player in players.items():
        how = "compiled" if player.compiled else f"interpreted ({player.reason})"
        search = "" if run.seats is None else f"{player.settings.described}, "
        if player.is_agent:
            how, search = "plays by itself", "ConnectX agent, "
        rows.append((name, f"{player.evaluator}, {search}{how}, source {player.source_hash[:12]}"))
    if superseded:
        rows.append(("not counted", f"{superseded:,} {done[0]} of earlier plans or of evaluators since edited"))
    return rows


def summary_tables(results: Results) -> list[Table]:
    """Every table but that of the games, in the order of the report."""
    if not results.played and not results.withdrawn:
        return [provenance_table(results)]
    return [
        *standings_tables(results),
        crosstable(results),
        *evidence_tables(results.pairs, results.run.seed),
        *cost_tables(results),
        first_player_table(results),
        *fault_tables(results),
        provenance_table(results),
    ]
