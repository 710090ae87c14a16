"""The tables of a tournament: pure functions of its results. Nothing here prints or reads a file."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime

from tournament.report.books import book_tables
from tournament.report.competitors import Competitor, level_of
from tournament.report.duel import duel_table
from tournament.report.evidence_tables import evidence_tables
from tournament.report.first_player import FirstPlayer
from tournament.report.like_tables import like_tables
from tournament.report.openings import openings_tables, promised_share
from tournament.report.results import ALL, Results, per_move, seconds_inside
from tournament.report.scores import Score, Scores, Seats, SeatScore, best_first
from tournament.report.strength_tables import strength_tables
from tournament.report.study import StudyResults
from tournament.report.table import Cell, Column, Name, Table, shown_cell
from tournament.store import Cost, StoredGame, StoredPlayer
from tournament.text import counted, listed
from tournament.truth.verdict import Value


def tables(results: Results) -> list[Table]:
    """Every table of a tournament but that of its games, in the order of the report."""
    if not results.played and not results.withdrawn:
        return [provenance_table(results)]
    return [
        *standings_tables(results.scores),
        crosstable(results.scores),
        *(evidence_tables(results.evidence) if results.duel is None else [duel_table(results.duel)]),
        *strength_tables(results),
        *like_tables(results.like),
        *cost_tables(results),
        *book_tables(results),
        *first_player_tables(results),
        *openings_tables(results.truths, results.first_player),
        *fault_tables(results),
        provenance_table(results),
    ]


def named(competitor: Competitor) -> Name:
    """A competitor in a cell, in the style of its player."""
    return Name(competitor.text, competitor.name)


# ── games ────────────────────────────────────────────────────────────────────────────────────────

GAMES_COLUMNS = (
    Column("game", "game"),
    Column("depth", stacked="depth\nopening"),
    Column("opening", under="depth"),
    Column("first", stacked="first\nsecond"),
    Column("first generated", "count", stacked="generated"),
    Column("first expanded", "count", stacked="expanded"),
    Column("first evaluated", "count", stacked="evaluated"),
    Column("first seconds", "seconds", stacked="seconds"),
    Column("first CPU seconds", "seconds", stacked="CPU\nseconds"),
    Column("second", under="first"),
    Column("second generated", "count", "first generated"),
    Column("second expanded", "count", "first expanded"),
    Column("second evaluated", "count", "first evaluated"),
    Column("second seconds", "seconds", "first seconds"),
    Column("second CPU seconds", "seconds", "first CPU seconds"),
    Column("winner", stacked="winner\nplies", kept=True),
    Column("plies", "count", under="winner"),
)


def on_the_rest(more: int) -> str:
    """Where games are that a table has no room for."""
    return f"{counted(more, 'more game')} {'is' if more == 1 else 'are'} in games.csv"


def games_table(games: Iterable[StoredGame], played: int) -> Table:
    """These games with what each side's searches took, out of so many that were played."""
    rows = [_game_row(game) for game in games]
    note = f"{on_the_rest(played - len(rows))}." if played > len(rows) else ""
    return Table("Games", GAMES_COLUMNS, rows, note)


def _game_row(game: StoredGame) -> tuple[Cell, ...]:
    first, second = game.first_cost, game.second_cost
    return (
        *(game.id[:8], level_of(game).text, game.opening or "empty"),
        *(Name(game.first.name, game.first.name), *counts_of(game.first, first), first.seconds, first.cpu_seconds),
        *(
            Name(game.second.name, game.second.name),
            *counts_of(game.second, second),
            second.seconds,
            second.cpu_seconds,
        ),
        winner(game),
        game.plies,
    )


def winner(game: StoredGame) -> Cell:
    """Who won, by its seat where both have one name, and how if it was not by play."""
    how = f" ({game.reason})" if game.reason in ("forfeit", "withdrawn") else ""
    if game.result == "draw":
        return f"{'nobody' if game.reason == 'withdrawn' else 'draw'}{how}"
    if game.first.name == game.second.name:
        return f"{game.result}{how}"
    winner = game.first.name if game.result == "first" else game.second.name
    return Name(f"{winner}{how}", winner)


def times_of(cost: Cost) -> tuple[Cell, ...]:
    return cost.seconds, cost.cpu_seconds


def counts_of(player: StoredPlayer, cost: Cost) -> tuple[Cell, ...]:
    """What a player's searches did, as far as anybody counts."""
    return (None, None, None) if player.is_agent else (cost.generated, cost.expanded, cost.evaluated)


# ── scores ───────────────────────────────────────────────────────────────────────────────────────


def standings_tables(scores: Scores) -> list[Table]:
    """Who stands where, over all and then at each level."""
    if scores.in_pool:
        return [_standings_table("the whole pool", scores.overall)]
    if len(scores.levels) < 2:  # over all levels it would be the same again
        return [_standings_table(level.sentence, scores.by_level[level]) for level in scores.levels]
    by_level = [_standings_table(level.sentence, scores.by_level[level], BY_LEVEL) for level in scores.levels]
    return [_standings_table("all depths", scores.overall), *by_level]


BY_LEVEL = "Standings by depth"


def _standings_table(where: str, scores: dict[Competitor, Score], fold: str = "") -> Table:
    columns = (
        Column("player"),
        *(Column(name, "count") for name in ("played", "won", "drawn", "lost")),
        Column("points", "points", kept=True),
        *(Column(name, "count") for name in ("won as first", "won as second")),
    )
    rows: list[tuple[Cell, ...]] = [
        (named(one), s.played, s.won, s.drawn, s.lost, s.points, s.won_first, s.won_second)
        for one, s in ((one, scores[one]) for one in best_first(scores))
    ]
    return Table(f"Standings, {where}", columns, rows, fold=fold)


def crosstable(scores: Scores) -> Table:
    """Points of each against each, over all levels."""
    ranked = best_first(scores.overall)
    columns = (
        Column("points of"),
        *(Column(f"against {one.text}") for one in ranked),
        Column("in all", "points", kept=True),
    )
    rows: list[tuple[Cell, ...]] = []
    for one in ranked:
        cells: list[Cell] = []
        for other in ranked:
            score = scores.against.get((one, other))
            cells.append(f"{shown_cell(score.points, 'points')} of {score.played:,}" if score else None)
        rows.append((named(one), *cells, scores.overall[one].points))
    return Table("Crosstable", columns, rows)


# ── cost, seats and faults ───────────────────────────────────────────────────────────────────────


TIMES = (Column("seconds", "seconds"), Column("CPU seconds", "seconds"))
INSIDE = (Column("in the evaluator", "seconds"), Column("of CPU seconds", "percent"))
ON_TIMES = "Seconds are wall time, and more where other programs run; CPU seconds are those that the searches worked."
ON_INSIDE = (
    "In the evaluator: the time of one call, timed before the run on 64 random positions, times the calls, and "
    "the share of the CPU seconds that this is."
)


def cost_tables(results: Results) -> list[Table]:
    """What each player's searches took, in all and per move."""
    players = [results.players[key] for key in results.cost]
    budgets = any(not player.settings.effort.is_depth for player in players)
    who = (Column("depth", "text" if budgets else "count"), Column("player"))
    in_all: list[tuple[Cell, ...]] = []
    on_average: list[tuple[Cell, ...]] = []
    for player, cost in zip(players, results.cost.values(), strict=True):
        effort = player.settings.effort.text if budgets else player.settings.depth
        name = Name(player.name, player.name)
        cutoffs = None if player.is_agent else cost.cutoffs
        inside = seconds_inside(player, cost)
        share = None if inside is None or not cost.cpu_seconds else inside / cost.cpu_seconds
        took = (cost.seconds, cost.cpu_seconds, inside, share)
        in_all.append((effort, name, cost.moves, *counts_of(player, cost), cutoffs, *took))
        if cost.moves and not player.is_agent:
            reached = (cost.depths / cost.moves,) if budgets else ()
            each = per_move(cost, to_a_depth=player.settings.effort.is_depth)
            on_average.append((effort, name, *reached, *each, None if inside is None else inside / cost.moves, share))
    names = ("moves", "generated", "expanded", "evaluated", "cutoffs")
    columns = (
        *who,
        *((Column("reached", "ratio"),) if budgets else ()),
        *(Column(name, "ratio") for name in ("generated", "expanded", "evaluated")),
        *(Column("ms", "millis"), Column("CPU ms", "millis"), Column("EBF", "ratio")),
        *(Column("µs per call", "micros"), Column("cutoffs", "percent")),
        *(Column("ms in the evaluator", "millis"), Column("of CPU ms", "percent")),
    )
    note = (
        "EBF, the effective branching factor, is the b for which b + b² + … + b^depth = generated. µs per call of the "
        "evaluator, the search around it included. Cutoffs: the share of expanded nodes that ended in one."
    )
    if budgets:
        note += (
            " Within a budget there is none, since nodes of every depth tried are counted, the unfinished one too. "
            "Reached: the depth that was finished within the budget, on average."
        )
    if late := [text for key, cost in results.cost.items() if (text := _late(results.players[key], cost))]:
        note += f" Stopped late, as on a busy machine, on average after {listed(late)}."
    return [
        Table(
            "Cost in all",
            (*who, *(Column(n, "count") for n in names), *TIMES, *INSIDE),
            in_all,
            f"{ON_TIMES} {ON_INSIDE}",
        ),
        Table("Cost per move", columns, on_average, note),
    ]


def _late(player: StoredPlayer, cost: Cost) -> str | None:
    """What a move took of a player whose searches were stopped after twice their time and more."""
    allowed = player.settings.seconds
    if allowed is None or player.is_agent or not cost.moves:
        return None
    taken = per_move(cost).seconds
    if taken < 2 * allowed:
        return None
    return f"{shown_cell(taken, 'millis')} ms by {player.name} within {player.settings.effort.text}"


def first_player_tables(results: Results) -> list[Table]:
    """What moving first was worth, by level, over all, and by player; the same from the empty board beside it."""
    found = results.first_player
    if found is None:
        return []
    truths = results.truths
    told = [_seats_table("First-player advantage", found.seats, _on_seats(found, truths), truths)]
    if found.when_empty is not None:
        note = "One opening, in which every pairing has one pair: there is no interval, and nothing is decided by it."
        told.append(_seats_table("First-player advantage, empty board", found.when_empty, note, truths))
    return told


def _seats_table(title: str, seats: Seats, note: str, truths: Mapping[str, Value]) -> Table:
    columns = (
        Column("games of"),
        *(Column(name, "count") for name in ("mover won", "drawn", "mover lost")),
        *(Column("mover scored", "percent"), Column("95 % by opening", "interval")),
        Column("openings promised", "percent"),
        *(Column(name, "count") for name in ("pairs by seat", "by player", "other")),
    )
    groups: list[tuple[Cell, SeatScore]] = [(level.sentence, seats.by_level[level]) for level in seats.levels]
    groups += [(ALL, seats.overall)]
    groups += [(named(one), seats.by_player[one]) for one in sorted(seats.by_player, key=lambda one: one.text)]
    rows: list[tuple[Cell, ...]] = [
        (
            *(name, s.first_won, s.drawn, s.second_won, s.score, s.interval if seats.are_balanced else None),
            promised_share(s, truths),
            *(s.by_seat, s.by_player, s.otherwise),
        )
        for name, s in groups
    ]
    return Table(title, columns, rows, note)


def _on_seats(found: FirstPlayer, truths: Mapping[str, Value]) -> str:
    """How the table of seats is to be read."""
    note = (
        "The mover is who moves first from the opening. A pair is the same opening with the seats swapped; it is left "
        "out where one of its games comes to the board of an earlier one, since both players have to begin as often. "
    )
    if not found.can_be_said:
        note += (
            "Not every pairing was played as often in both seats: what looks like the seat may be the players, so "
            "nothing is said of it. "
        )
    elif found.openings < 2:
        note += "One opening has no interval, and can't tell the seat from the opening. "
    else:
        note += f"Intervals are over {found.openings:,} openings, since games of one opening resemble each other. "
        if found.by_player:
            note += "Each is of its row alone; in whose games the seat is resolved is adjusted for how many they are. "
    if truths:
        note += "Openings promised: what the mover would have scored, had nobody erred. "
    return note + (
        "A pair is decided by the seat where the mover won both games, by the player where one player won both; other "
        "pairs have a draw, or the mover lost both."
    )


def fault_tables(results: Results) -> list[Table]:
    """Who forfeited games, how many, and what happened the first time; nothing where nobody did."""
    rows: list[tuple[Cell, ...]] = [
        (
            *(Name(fault.player.name, fault.player.name), fault.player.settings.effort.text, fault.kind),
            *(fault.times, fault.withdrawn or None, fault.first_message),
        )
        for fault in results.faults
    ]
    columns = (
        *(Column("player"), Column("depth"), Column("kind"), Column("how often", "count")),
        *(Column("games withdrawn from", "count"), Column("first message")),
    )
    note = "`tourney show DIR GAME` has the traceback of each, and what the players have printed."
    return [Table("Faults", columns, rows, note)] if rows else []


# ── how it was made ──────────────────────────────────────────────────────────────────────────────


def provenance_table(results: Results) -> Table:
    """How it was made: what a reader needs to trust the tables and to make them again."""
    players = {player.name: player for player in results.players.values()}
    played = f"{results.played:,} of {results.planned:,} played, {results.distinct:,} distinct"
    if results.withdrawn:
        played += f", {results.withdrawn:,} not played: a player was withdrawn"
    rows = made_on(results, ("games", played), ("rules", results.run.rules.described), players)
    if results.forfeits:
        rows.append(("forfeits", f"{results.forfeits:,}"))
    level = results.run.isolation
    rows.append(("isolation", f"{level} ({ISOLATIONS[level]})"))
    rows.append(("limits", results.run.limits.described(memory=level not in WITHOUT_MEMORY_LIMIT)))
    return Table("How it was made", (Column("what"), Column("value")), rows)


TOGETHER = "both players of a game in one process, for those who trust each other"
APART = "each player in a process of its own, which this system lets signal others"
WITHOUT_MEMORY_LIMIT = {  # as it is on macOS
    "game without a memory limit": TOGETHER,
    "player without name spaces or a memory limit": APART,
}
ISOLATIONS = {
    "game": TOGETHER,
    "player": "each player in a process of its own, which can signal no other",
    "player without name spaces": APART,
    "sandbox": "each player in a process of its own, without network, files or other processes",
    **WITHOUT_MEMORY_LIMIT,
}


MOST_NAMED = 5  # ids in a cell


def made_on(
    results: Results | StudyResults, done: tuple[str, str], board: tuple[str, str], players: dict[str, StoredPlayer]
) -> list[tuple[Cell, ...]]:
    """What every report says of how it was made."""
    run = results.run
    rows: list[tuple[Cell, ...]] = [
        ("title", run.title),
        ("config", run.config_file),
        ("to repeat it", run.command),
        ("date", datetime.fromisoformat(run.started).isoformat(sep=" ", timespec="seconds")),
        done,
        board,
        ("seed", str(run.seed)),
        ("machine", run.machine),
        ("versions", ", ".join(f"{name} {version}" for name, version in run.versions.items())),
    ]
    for name, player in players.items():
        how = "compiled" if player.compiled else f"interpreted ({player.reason})"
        search = "" if run.is_study else f"{player.described}, "
        if player.is_oracle:
            how, search = "perfect play by solver and book", ""
        elif player.is_agent:
            how, search = "plays by itself", "ConnectX agent, "
        rows.append((name, f"{player.evaluator}, {search}{how}, source {player.source_hash[:12]}"))
    kind = "search" if run.is_study else "game"
    if results.damaged:
        which = ", ".join(results.damaged[:MOST_NAMED]) + (", …" if len(results.damaged) > MOST_NAMED else "")
        what = f"{counted(len(results.damaged), kind)}, not counted, which the next run plays again: {which}"
        rows.append(("damaged in the store", what))
    if results.superseded:
        what = f"{counted(results.superseded, kind)} of earlier plans or of evaluators since edited"
        rows.append(("not counted", what))
    return rows
