"""Truth in tournaments: what openings promised, the oracle as a player, and a book."""

import csv
import json
import sqlite3

import pytest
from folders import ROOT, rows, without_seconds
from played import moves_of, query

import tournament
from tournament.engine.settings import Settings
from tournament.evidence.sprt import Terms
from tournament.games.connect4 import STANDARD, Position, play_moves
from tournament.isolation.limits import Isolation
from tournament.plan.openings import make_suite
from tournament.plan.planning import make_plan
from tournament.plan.reading import read_config
from tournament.plugins.catalogue import Catalogue
from tournament.report.tables import tables
from tournament.report.write import write_reports
from tournament.runs.duel import duel
from tournament.store import Store
from tournament.truth.book import PLIES, book
from tournament.truth.oracle import Oracle, Question

SHARES = {"win": 1, "draw": 0.5, "loss": 0}


def table_of(folder, title):
    """A table of results.json, a dict a row."""
    table = json.loads((folder / "results.json").read_text("utf-8"))[title]
    return [dict(zip(table["columns"], row, strict=True)) for row in table["rows"]]


@pytest.fixture(scope="module")
def league(tmp_path_factory):
    """A folder of a league over openings of two plies, of which the empty board is none."""
    folder = tmp_path_factory.mktemp("league")
    (folder / "c.yaml").write_text(
        "players: [windows, squares, runs]\ndepths: [2]\nopenings: {plies: 2, sample: 12}\nseed: 3\n"
    )
    tournament.run(folder / "c.yaml", jobs=2, out=folder / "out")
    return folder / "out"


# ── what openings promised ───────────────────────────────────────────────────────────────────────


def test_the_report_says_of_every_opening_what_perfect_play_makes_of_it_and_what_was_scored(league):
    told, games = table_of(league, "Openings"), rows(league)
    *each, total = told
    assert [one["opening"] for one in each] == list(dict.fromkeys(game["opening"] for game in games))
    oracle = Oracle(Question())
    for one in each:
        value = oracle.solve(play_moves(Position(STANDARD), one["opening"])).value
        assert one["perfect play"] == value
        assert one["promised"] == SHARES[value] * one["games"]
        scored = {"first": 1, "draw": 0.5, "second": 0}
        distinct = [game for game in games if game["opening"] == one["opening"]]
        assert one["scored"] == sum(scored[game["result"]] for game in distinct)
        assert one["games"] == len(distinct)
    for name in ("games", "promised", "scored"):
        assert total[name] == sum(one[name] for one in each)
    assert total["opening"] == "all"
    assert total["share promised"] == pytest.approx(total["promised"] / total["games"])


def test_first_player_advantage_stands_beside_what_the_openings_promised(league):
    (of_all,) = [row for row in table_of(league, "First-player advantage") if row["games of"] == "all"]
    *_, total = table_of(league, "Openings")
    assert of_all["openings promised"] == pytest.approx(total["promised"] / total["games"])
    assert of_all["mover scored"] == pytest.approx(total["scored"] / total["games"])
    summary = json.loads((league / "results.json").read_text("utf-8"))["summary"]
    assert any(f"promised {100 * of_all['openings promised']:.1f} % to whoever moves first" in one for one in summary)


def test_the_openings_are_summed_up_by_what_perfect_play_makes_of_them(league):
    by_value, each = table_of(league, "Openings by perfect play"), table_of(league, "Openings")
    for row in by_value[:-1]:
        own = [one for one in each if one["perfect play"] == row["perfect play"]]
        assert row["openings"] == len(own)
        assert row["scored"] == sum(one["scored"] for one in own)
    with (league / "openings.csv").open(newline="") as text:
        written = list(csv.DictReader(text))
    assert [(one["opening"], one["value"]) for one in written] == [
        (one["opening"], one["perfect play"]) for one in each[:-1]
    ]


def test_what_a_store_does_not_know_is_a_dash_and_what_was_not_proven_is_called_so(league, tmp_path):
    (tmp_path / "games.db").write_bytes((league / "games.db").read_bytes())
    with sqlite3.connect(tmp_path / "games.db") as connection:
        connection.execute("DELETE FROM openings")
    connection.close()
    with Store(tmp_path) as store, pytest.MonkeyPatch.context() as patch:
        patch.setattr(store, "check", lambda: None)
        results = write_reports(store, tmp_path, ["json"])
        told = {table.title: table.values for table in tables(results)}
        assert not {"Openings", "Openings by perfect play"} & set(told)
        assert {row[6] for row in told["First-player advantage"]} == {None}
        patch.setattr(store, "truths", lambda: dict.fromkeys(store.openings(), "unknown"))
        results = write_reports(store, tmp_path, ["json"])
    told = {table.title: table for table in tables(results)}
    assert {row[1] for row in told["Openings"].values[:-1]} == {"not proven"}
    assert [row[3] for row in told["Openings by perfect play"].values] == [None, None]
    place = [column.name for column in told["First-player advantage"].columns].index("openings promised")
    assert {row[place] for row in told["First-player advantage"].values} == {None}


def test_the_truth_of_openings_is_under_the_check_of_the_plan(league, tmp_path):
    (tmp_path / "games.db").write_bytes((league / "games.db").read_bytes())
    with sqlite3.connect(tmp_path / "games.db") as connection:
        connection.execute("UPDATE openings SET value = 'draw' WHERE value = 'win'")
    connection.close()
    with Store(tmp_path) as store, pytest.raises(tournament.StoreError, match="the plan is not what was written"):
        store.check()


def test_another_plan_in_the_same_folder_has_its_own_openings(tmp_path):
    config = tmp_path / "c.yaml"
    for value in ("draw", "loss"):
        config.write_text(f"players: [windows, runs]\ndepths: [1]\nopenings: {{plies: 2, value: {value}}}\n")
        results = tournament.run(config, jobs=1, out=tmp_path / "out")
        assert dict(results.truths) == dict.fromkeys(make_suite(STANDARD, 2, None, 1, value), value)
        assert results.first_player is not None
        counted = len(results.first_player.overall.by_opening)  # without those whose games repeat another's
        assert f"Perfect play finds all {counted} openings" in (tmp_path / "out" / "report.md").read_text()


@pytest.mark.needs_jit
def test_openings_of_another_board_are_solved_too(tmp_path):
    (tmp_path / "c.yaml").write_text(
        "players: [windows, runs]\ndepths: [1]\nrules: {rows: 4, columns: 4, connect: 3}\nopenings: {plies: 2}\n"
    )
    results = tournament.run(tmp_path / "c.yaml", jobs=1, out=tmp_path / "out")
    oracle = Oracle(Question(results.run.rules, use_book=False))
    assert results.truths
    for opening, value in results.truths.items():
        assert oracle.solve(play_moves(Position(results.run.rules), opening)).value == value


def test_where_discs_drift_nothing_is_promised(tmp_path):
    (tmp_path / "c.yaml").write_text(
        "players: [windows, runs]\ndepths: [1]\nrules: {drift: {chosen: 0.8}}\nopenings: {plies: 1}\n"
    )
    results = tournament.run(tmp_path / "c.yaml", jobs=1, out=tmp_path / "out")
    assert not results.truths
    assert {row["openings promised"] for row in table_of(tmp_path / "out", "First-player advantage")} == {None}


def test_a_duel_of_drawn_openings_says_so(tmp_path):
    catalogue = Catalogue()
    suite = make_suite(STANDARD, 2, None, 1, "draw")
    shown = duel(
        catalogue.read("windows"), catalogue.read("runs"), settings=Settings(1), suite=suite,
        terms=Terms(0, 30, 0.05, 0.05), out=tmp_path, jobs=1,
    )  # fmt: skip
    assert query(tmp_path, "SELECT DISTINCT value FROM openings") == [("draw",)]
    assert shown.sentences[-1] == "All 6 openings are played: `--openings plies=6,value=draw` has more."
    assert {row["perfect play"] for row in table_of(tmp_path, "Openings by perfect play")} == {"draw", "all"}


# ── the oracle as a player ───────────────────────────────────────────────────────────────────────

WITH_ORACLE = """
players:
  perfect: {oracle: true}
  balanced: balanced
  windows: windows
pairings: {gauntlet: perfect}
depths: [3]
openings: ["4321136616311", "1164253531632", "5255675226356", "5137355634165"]  # won, won, drawn and lost
"""


def keys_of(folder, text):
    """The keys of a config's players, by name and depth."""
    (folder / "c.yaml").write_text(text)
    players = make_plan(read_config(folder / "c.yaml")).players()
    return {(player.name, player.settings.depth): key for key, player in players.items()}


def played(folder, text, jobs=1, isolation: Isolation = "game"):
    folder.mkdir(exist_ok=True)
    (folder / "c.yaml").write_text(text)
    out = folder / f"{isolation}-{jobs}"
    tournament.run(folder / "c.yaml", jobs=jobs, out=out, isolation=isolation)
    return out


@pytest.fixture(scope="module")
def perfect(tmp_path_factory):
    """A folder of the oracle's games."""
    return played(tmp_path_factory.mktemp("oracle"), WITH_ORACLE)


@pytest.mark.needs_jit
@pytest.mark.parametrize(("jobs", "isolation"), [(2, "game"), (1, "player")])
def test_the_oracles_games_are_the_same_for_any_number_of_jobs_and_wherever_others_play(
    perfect, tmp_path, jobs, isolation
):
    again = played(tmp_path, WITH_ORACLE, jobs, isolation)
    assert without_seconds(rows(again)) == without_seconds(rows(perfect))
    scores = {id: [move.score for move in moves] for id, moves in moves_of(perfect).items()}
    assert {id: [move.score for move in moves] for id, moves in moves_of(again).items()} == scores


def assert_never_loses_what_is_not_lost(games):
    oracle = Oracle(Question())
    for game in games:
        seat = "first" if game["first"] == "perfect" else "second"
        position = play_moves(Position(STANDARD), "" if game["opening"] == "empty" else game["opening"])
        value = oracle.solve(position).value
        mine = value if position.to_move == seat else {"win": "loss", "loss": "win", "draw": "draw"}[value]
        if mine == "win":
            assert game["result"] == seat
        if mine == "draw":
            assert game["result"] in (seat, "draw")
    assert {game["reason"] for game in games} <= {"line", "full board"}


@pytest.mark.needs_jit
def test_the_oracle_never_loses_from_what_is_not_lost(perfect):
    games = rows(perfect)
    assert len(games) == 16
    assert_never_loses_what_is_not_lost(games)


@pytest.mark.needs_jit
def test_the_oracle_never_loses_to_any_bundled_evaluator(tmp_path, long):
    names = [path.stem for path in sorted((ROOT / "evaluators").glob("*.py"))]
    suites = ('["4321136616311", "5255675226356"]',)  # won and drawn
    if long:
        suites = tuple(f"{{plies: 4, value: {value}, sample: 3}}" for value in ("win", "draw"))
    for number, openings in enumerate(suites):
        config = f"players: {{{', '.join(f'{name}: {name}' for name in names)}, perfect: {{oracle: true}}}}\n"
        config += f"pairings: {{gauntlet: perfect}}\ndepths: [2]\nopenings: {openings}\n"
        games = rows(played(tmp_path / f"{number}", config))
        assert len(games) == 2 * len(names) * (3 if long else 2)
        assert_never_loses_what_is_not_lost(games)


@pytest.mark.needs_jit
def test_a_game_of_the_oracle_is_shown(perfect, tourney):
    game = next(game for game in rows(perfect) if game["first"] == "perfect")
    code, out, _ = tourney("show", str(perfect), game["game"])
    assert (code, "X  perfect, perfect play" in out) == (0, True)


@pytest.mark.needs_jit
def test_the_oracles_counters_are_dashes_and_it_is_called_what_it_is(perfect):
    (own,) = [row for row in table_of(perfect, "Cost in all") if row["player"] == "perfect"]
    assert {own[name] for name in ("generated", "expanded", "evaluated", "cutoffs")} == {None}
    assert own["moves"] > 0
    assert "perfect" not in {row["player"] for row in table_of(perfect, "Cost per move")}
    made = {row["what"]: row["value"] for row in table_of(perfect, "How it was made")}
    assert made["perfect"].startswith("oracle, perfect play by solver and book, source ")
    for game in rows(perfect):
        seat = "first" if game["first"] == "perfect" else "second"
        assert game[f"{seat}_generated"] == ""


def test_the_oracles_key_is_that_under_which_its_games_are_stored(tmp_path):
    assert keys_of(tmp_path, WITH_ORACLE)["perfect", 3] == "aa5099c1892ad3fb"


# ── a book ───────────────────────────────────────────────────────────────────────────────────────

WITH_BOOK = """
players:
  plain: windows
  booked: {evaluator: windows, book: true}
depths: [2, 3]
openings: {plies: 2, sample: 6}
"""


@pytest.fixture(scope="module")
def booked(tmp_path_factory):
    return played(tmp_path_factory.mktemp("book"), WITH_BOOK)


def worth(after):
    """What a move is worth that leads here, by the book; where it knows nothing, the other side wins at once."""
    if after.result is not None:
        return 1
    value = book().value(after)
    return -1 if value is None else -value


def test_a_player_with_a_book_never_gives_away_value_and_searches_nothing_while_it_lasts(booked):
    moves = moves_of(booked)
    from_the_book = 0
    for game in rows(booked):
        seat = "first" if game["first"] == "booked" else "second"
        position = play_moves(Position(STANDARD), game["opening"])
        for move in moves[query(booked, f"SELECT id FROM games WHERE id LIKE '{game['game']}%'")[0][0]]:
            if position.to_move == seat:
                in_book = position.occupied.bit_count() < PLIES
                assert (move.generated == 0) == in_book
                if in_book:
                    from_the_book += 1
                    assert (move.evaluated, move.expanded, move.depth) == (0, 0, 0)
                    before = book().value(position)
                    kept = [column for column in position.open_columns() if worth(position.play(column)) == before]
                    assert move.chosen == kept[0]
            position = position.play(move.landed)
    assert from_the_book > 24


def test_cost_and_score_stand_beside_the_same_player_without_its_book(booked):
    told = table_of(booked, "With and without the book")
    assert [(row["depth"], row["player"], row["book"]) for row in told] == [
        (depth, *of) for depth in ("2", "3") for of in (("plain", "without"), ("booked", "with"))
    ]
    games = rows(booked)
    for row in told:
        points = generated = 0
        for game in games:
            seat = "first" if game["first"] == row["player"] else "second"
            if game["first_depth"] == row["depth"]:
                points += {seat: 1, "draw": 0.5}.get(game["result"], 0)
                generated += int(game[f"{seat}_generated"])
        assert (row["points"], row["of"], row["generated"]) == (points, 12, generated)
    made = {row["what"]: row["value"] for row in table_of(booked, "How it was made")}
    assert made["booked"].startswith("windows, alphabeta, book, ")
    assert ", book" not in made["plain"]


def test_a_game_with_a_book_is_shown(booked, tourney):
    code, out, _ = tourney("show", str(booked), next(row["game"] for row in rows(booked) if row["first"] == "booked"))
    assert (code, "X  booked, depth 2, book" in out) == (0, True)


def test_a_book_is_part_of_the_key_and_of_no_other_players(tmp_path):
    keys, without = keys_of(tmp_path, WITH_BOOK), keys_of(tmp_path, WITH_BOOK.replace(", book: true", ""))
    assert {of for of in keys if keys[of] == without[of]} == {("plain", 2), ("plain", 3)}
    assert len({*keys.values(), *without.values()}) == 6


@pytest.mark.needs_jit
def test_a_book_is_the_same_wherever_its_player_searches(booked, tmp_path):
    again = played(tmp_path, WITH_BOOK, 1, "player")
    assert without_seconds(rows(again)) == without_seconds(rows(booked))
