"""What may be said of who is better: from whole pairs only, and nothing where there is too little."""

from pathlib import Path

import pytest
from tables import tables_of

import tournament
from tournament.engine.settings import Effort, Settings
from tournament.evidence.pairs import Half, Pairs
from tournament.report.competitors import Competitor, Level
from tournament.report.evidence_tables import evidence_tables
from tournament.report.pair_evidence import evidence_of
from tournament.report.table import Table
from tournament.report.tally import Tally
from tournament.store import Cost, StoredGame, StoredPlayer


def player(name: str, limit: int | Settings = 4) -> StoredPlayer:
    settings = Settings(limit) if isinstance(limit, int) else limit
    return StoredPlayer(f"{name}{settings.limit}", name, settings, name, "", "0" * 64, True, None)


def game(first: StoredPlayer, second: StoredPlayer, opening: str, result: str) -> StoredGame:
    return StoredGame("id", first, second, opening, 1, result, "line", None, 9, opening, True, Cost(), Cost())


def pairs_of(results: list[tuple[str, str]], one: StoredPlayer, other: StoredPlayer) -> Pairs:
    """A pair for each (result of the game that `one` began, result of the one that `other` began)."""
    pairs = Pairs()
    for number, (began, followed) in enumerate(results):
        opening = str(number)
        add(pairs, game(one, other, opening, began), game(other, one, opening, followed))
    return pairs


def add(pairs: Pairs, one: StoredGame, other: StoredGame) -> None:
    """Add a pair of games that meet no others."""
    pairs.add(*(Half(half, hash((half.first.key, half.opening))) for half in (one, other)))


ALICE, BOB = player("alice"), player("bob")
WON, LOST, SPLIT, DRAWN = ("first", "second"), ("second", "first"), ("first", "first"), ("draw", "draw")
HALF = ("first", "draw")  # a win and a draw: decisive too


def told_of(pairs: Pairs, seed: int = 1) -> dict[str, Table]:
    """The tables of what these pairs say, by title."""
    return {table.title: table for table in evidence_tables(evidence_of(pairs, seed))}


def test_pairs_are_counted_as_won_lost_and_split():
    pairs = pairs_of([WON, WON, LOST, SPLIT, DRAWN, HALF], ALICE, BOB)
    ((keys, found),) = pairs.pairings.items()
    assert keys == ("alice4", "bob4")
    assert (found.pairs, found.won, found.lost, found.split) == (6, 3, 1, 2)
    assert found.margins == [0.5, 0.5, -0.5, 0.0, 0.0, 0.25]


def test_twenty_pairs_that_all_split_give_no_rating_and_no_verdict():
    tables = told_of(pairs_of([SPLIT] * 20, ALICE, BOB))
    assert tables["Ratings"].values == []
    assert "one player won 0 of the pairs, and 10 such pairs are needed" in tables["Ratings"].note
    assert tables["Verdicts"].values == [("alice", "bob", 20, 0, 0, 20, 1.0, "can't tell", None)]


def test_enough_pairs_give_ratings_about_zero_with_intervals_and_a_verdict():
    tables = told_of(pairs_of([WON] * 18 + [LOST] * 2 + [SPLIT] * 10, ALICE, BOB))
    (first, alice, (low, high)), (second, bob, _) = tables["Ratings, depth 4"].values
    assert (first, second) == ("alice", "bob")
    assert alice == pytest.approx(-bob)
    assert 0 < low < alice < high
    assert tables["Verdicts"].values[0][-2] == "better"
    chance = {row[0]: row[1:] for row in tables["Who beats whom, depth 4"].values}
    assert chance["alice"][1].endswith("%*")
    assert chance["alice"][0] is None


def test_the_same_seed_gives_the_same_tables():
    pairs = pairs_of([WON] * 9 + [LOST] * 5 + [SPLIT] * 10, ALICE, BOB)
    assert told_of(pairs, seed=1) == told_of(pairs, seed=1)
    assert told_of(pairs, seed=1) != told_of(pairs, seed=2)


def test_players_that_never_met_are_rated_apart():
    pairs = pairs_of([WON] * 12 + [LOST] * 3, ALICE, BOB)
    deeper = player("alice", 8), player("bob", 8)
    for number in range(4):
        opening = str(number)
        add(pairs, game(*deeper, opening, "first"), game(*reversed(deeper), opening, "second"))
    tables = told_of(pairs)
    assert [row[0] for row in tables["Ratings, depth 4"].values] == ["alice (4)", "bob (4)"]
    assert tables["Ratings, depth 8"].values == []
    assert "4 of the pairs" in tables["Ratings, depth 8"].note
    assert [row[0] for row in tables["First move, fitted"].values][:3] == ["all games", "depth 4", "depth 8"]


def test_a_player_withdrawn_after_two_openings_hides_no_verdict_on_the_others():
    names = [player(name) for name in ("alice", "bob", "carol", "dora")]
    alice, bob, carol, dora = names
    pairs = Pairs()
    for number in range(25):
        won = WON if number % 3 else SPLIT
        meetings = [(alice, bob, won), (alice, carol, won), (bob, carol, SPLIT), *([(bob, dora, WON)] * (number < 2))]
        for one, other, (began, followed) in meetings:
            add(pairs, game(one, other, str(number), began), game(other, one, str(number), followed))
    found = {(one.player, one.other): one for one in evidence_of(pairs, 1).verdicts}
    assert {both: (one.by_ratings, one.word) for both, one in found.items()} == {
        ("alice4", "bob4"): (True, "better"),
        ("alice4", "carol4"): (True, "better"),
        ("bob4", "carol4"): (True, "can't tell"),
        ("bob4", "dora4"): (False, "can't tell"),
    }


def test_ratings_name_a_budget_as_they_name_a_depth():
    settings = Settings(nodes=2000), Settings(seconds=0.05), Settings(4)
    pairs = Pairs()
    for limit in settings:
        one, other = player("alice", limit), player("bob", limit)
        for number, (began, followed) in enumerate([WON] * 12 + [LOST] * 3):
            add(pairs, game(one, other, str(number), began), game(other, one, str(number), followed))
    tables = told_of(pairs)
    for level, limit in (("depth 4", "4"), ("2,000 nodes", "2,000 nodes"), ("0.05 s", "0.05 s")):
        assert [row[0] for row in tables[f"Ratings, {level}"].values] == [f"alice ({limit})", f"bob ({limit})"]
        assert f"Who beats whom, {level}" in tables
    told = [row[0] for row in tables["First move, fitted"].values]
    assert told[:4] == ["all games", "depth 4", "2,000 nodes", "0.05 s"]
    assert [row[0] for row in tables["Verdicts"].values] == ["alice (4)", "alice (2,000 nodes)", "alice (0.05 s)"]


def test_a_depth_against_a_budget_is_rated_without_a_level():
    tables = told_of(pairs_of([WON] * 18 + [LOST] * 2, ALICE, player("bob", Settings(nodes=9))))
    assert [row[0] for row in tables["Ratings"].values] == ["alice (4)", "bob (9 nodes)"]


CONFIG = "players: [windows, squares, runs]\ndepths: [2]\nopenings: {plies: 2}\n"


def test_a_run_over_a_suite_has_the_evidence_in_its_report_for_any_number_of_jobs(tmp_path: Path):
    (tmp_path / "c.yaml").write_text(CONFIG)
    one = tournament.run(tmp_path / "c.yaml", out=tmp_path / "one", jobs=1)
    two = tournament.run(tmp_path / "c.yaml", out=tmp_path / "two", jobs=2)
    assert (one.played, one.distinct, one.evidence.ratings.openings) == (150, 131, 25)
    tables, again = tables_of(one), tables_of(two)
    titles = [table.title for table in tables]
    for title in ("Ratings, depth 2", "Who beats whom, depth 2", "First move, fitted", "Verdicts"):
        assert title in titles
        assert tables[titles.index(title)] == again[titles.index(title)]
        assert f"## {title}" in (tmp_path / "one" / "report.md").read_text()


def test_a_half_played_pair_does_not_count_until_its_other_half_is_done():
    tally = Tally("both")
    tally.add(game(ALICE, BOB, "44", "first"))
    assert (tally.played, tally.scores.overall) == (1, {})
    tally.add(game(BOB, ALICE, "44", "first"))
    scores = tally.scores.by_level[Level((Effort("depth", 4),))]
    assert scores[Competitor("alice")].points == scores[Competitor("bob")].points == 1
    assert tally.pairs.pairings["alice4", "bob4"].split == 1


def test_asking_for_repeats_is_refused_with_the_reason(tmp_path: Path):
    from tournament.errors import ConfigError
    from tournament.plan.planning import make_plan
    from tournament.plan.reading import read_config

    (tmp_path / "c.yaml").write_text("players: [windows, runs]\ndepths: [2]\nrepeats: 100\n")
    with pytest.raises(
        ConfigError, match=r"c\.yaml:3: `repeats`: the players are deterministic.*more openings instead"
    ):
        make_plan(read_config(tmp_path / "c.yaml"))


BAD_OPENINGS = [
    ("openings: {plies: 2, file: x}\n", "expected either `plies` or `file`"),
    ("openings: {sample: 5}\n", "expected either `plies` or `file`"),
    ("openings: {file: o.txt, sample: 5}\n", "`sample` goes with `plies`"),
    ("openings: {plies: -1}\n", "expected 0 or more"),
    ("openings: {plis: 2}\n", "did you mean `plies`?"),
    ("openings: []\n", "the list of openings is empty"),
    ("openings: [44, 48]\n", "move 2 of `48` is column `8`"),
    ("openings: ['1212121']\n", "opening `1212121` ends the game"),
    ("openings: all\n", "expected `empty`"),
    ("openings: {file: nowhere.txt}\n", "can't be read"),
    ("openings: {plies: 1, sample: 9}\n", "only 4 different openings"),
]


@pytest.mark.parametrize(("text", "message"), BAD_OPENINGS)
def test_openings_that_can_not_be_are_told_with_their_line(tmp_path: Path, text: str, message: str):
    from tournament.errors import ConfigError
    from tournament.plan.planning import make_plan
    from tournament.plan.reading import read_config

    (tmp_path / "c.yaml").write_text(f"players: [windows, runs]\ndepths: [2]\n{text}")
    with pytest.raises(ConfigError) as error:
        make_plan(read_config(tmp_path / "c.yaml"))
    assert "c.yaml:3: " in str(error.value)
    assert message in str(error.value)
