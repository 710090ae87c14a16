"""Players compared like with like: at equal depth, nodes and time, in one table, one chart and in words."""

import re

import pytest
from tables import records, tables_of
from test_evidence_tables import LOST, SPLIT, WON, add, game, player

import tournament
from tournament.engine.settings import Effort, Settings
from tournament.evidence.pairs import Pairs
from tournament.report.like import like_with_like, on_like
from tournament.report.like_tables import like_tables
from tournament.report.pair_evidence import evidence_of
from tournament.report.results import Results

pytestmark = pytest.mark.charts

DEPTH, NODES, TIME = Settings(4), Settings(nodes=500), Settings(seconds=0.5)
GOOD, BAD, EVEN = [WON] * 20, [LOST] * 20, [SPLIT] * 20


def found(*played: tuple[Settings, list], names: tuple[str, str] = ("ann", "bob")):
    """What these pairs of games at these efforts say of two players."""
    pairs = Pairs()
    for settings, results in played:
        one, other = (player(name, settings) for name in names)
        for number, (began, followed) in enumerate(results):
            add(pairs, game(one, other, f"{number:02}", began), game(other, one, f"{number:02}", followed))
    return like_with_like(evidence_of(pairs, 1))


def test_who_is_better_at_equal_depth_and_who_at_equal_time():
    like = found((DEPTH, GOOD), (NODES, EVEN), (TIME, BAD))
    assert on_like(like) == [
        "At equal depth (4) ann is better than bob; at equal time (0.5 s) bob is better than ann; "
        "at equal nodes (500 nodes) it can't be told."
    ]
    (table,) = like_tables(like)
    (row,) = records(table)
    assert [row[f"verdict at {where}"] for where in ("depth 4", "500 nodes", "0.5 s")] == [
        *("better", "can't tell", "worse")
    ]
    assert [row[f"scored at {where}"] for where in ("depth 4", "500 nodes", "0.5 s")] == [1.0, 0.5, 0.0]
    low, high = row["95 % at 500 nodes"]
    assert low < 0.5 < high


def test_the_same_answer_at_several_efforts_is_said_once():
    like = found((DEPTH, GOOD), (Settings(6), GOOD), (NODES, GOOD))
    assert on_like(like) == ["At equal depth (4 and 6) and nodes (500 nodes) ann is better than bob."]
    assert like.efforts == (Effort("depth", 4), Effort("depth", 6), Effort("nodes", 500))


def test_what_can_not_be_told_anywhere_is_said_so():
    assert on_like(found((DEPTH, EVEN), (TIME, EVEN), (NODES, [WON, LOST] * 9))) == [
        "Whether ann or bob is better can't be told at equal depth (4), nodes (500 nodes) and time (0.5 s)."
    ]


def test_efforts_of_one_kind_are_compared_with_nothing():
    assert found((DEPTH, GOOD), (Settings(6), BAD)) is None
    assert like_with_like(None) is None
    assert on_like(None) == []
    assert like_tables(None) == []


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    made = tmp_path_factory.mktemp("like")
    (made / "c.yaml").write_text(
        "players: [windows, runs, squares]\ndepths: [1, 2]\nbudget: {nodes: 60}\nopenings: {plies: 2}\n"
    )
    return made


@pytest.fixture(scope="module")
def played(folder) -> Results:
    return tournament.run(folder / "c.yaml", out=folder / "out", jobs=1)


def test_one_config_has_all_of_it_in_one_table_and_one_chart(folder, played):
    (rows,) = (records(one) for one in tables_of(played) if one.title == "Compared like with like")
    assert {(row["player"], row["against"]) for row in rows} == {
        *(("windows", "runs"), ("windows", "squares"), ("runs", "squares"))
    }
    verdicts = {
        (row["player"], row["against"]): row["verdict"]
        for one in tables_of(played)
        if one.title == "Verdicts"
        for row in records(one)
    }
    for row in rows:
        for where, limit in (("depth 1", "1"), ("depth 2", "2"), ("60 nodes", "60 nodes")):
            pairing = tuple(f"{row[name]} ({limit})" for name in ("player", "against"))
            assert row[f"verdict at {where}"] == verdicts[pairing]
    svg = (folder / "out" / "charts" / "like-with-like.svg").read_text()
    assert re.findall(r"equal (\w+)", svg.partition("</desc>")[2]) == ["depth", "nodes"]
    assert "## Compared like with like" in (folder / "out" / "report.md").read_text()


def test_a_pool_compares_like_with_like_too(folder):
    (folder / "pool.yaml").write_text(
        "players: [windows, runs]\ndepths: [2]\nbudget: {nodes: 60}\nopenings: {plies: 2}\npool: true\n"
    )
    pool = tournament.run(folder / "pool.yaml", out=folder / "pool", jobs=1)
    (own,) = pool.like.pairs.values()
    assert [effort.text for effort in own] == ["2", "60 nodes"]
