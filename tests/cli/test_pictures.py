"""Pictures as files: the boards of a game, and the trees of small searches."""

import pytest
from folders import rows, write

from tournament.cli.tree import drawn_node
from tournament.engine.settings import Settings
from tournament.engine.tree import explain
from tournament.games.connect4 import STANDARD, Position
from tournament.report.pictures import MOST_LEAVES, Drawn, _placed

BEGINNINGS = {"svg": b"<?xml", "pdf": b"%PDF", "png": b"\x89PNG"}


@pytest.mark.parametrize("ending", BEGINNINGS)
def test_a_game_is_drawn_as_boards_in_a_row(tourney, tmp_path, ending):
    write(tmp_path / "c.yaml", "players: [windows, runs]\ndepths: [1]\n")
    tourney("run", "c.yaml", "--quiet")
    id = rows(tmp_path / "reports" / "c")[0]["game"]
    code, out, _ = tourney("show", "reports/c", id, "--picture", f"g.{ending}", "--plies", "0,1,last")
    assert (code, out) == (0, f"g.{ending} has 3 boards\n")
    assert (tmp_path / f"g.{ending}").read_bytes().startswith(BEGINNINGS[ending])
    if ending == "svg":
        assert "after 0 plies" in (tmp_path / "g.svg").read_text()
        code, _, err = tourney("show", "reports/c", id, "--picture", "g.svg", "--plies", "1,99")
        assert (code, "`99` is no ply of this game" in err) == (2, True)
        code, _, err = tourney("show", "reports/c", id, "--picture", "g.gif")
        assert (code, err) == (
            2,
            "tourney: g.gif: no picture ends like this: name a file that ends in .svg, .pdf or .png.\n",
        )


def test_two_algorithms_are_drawn_beside_each_other(tourney, tmp_path):
    search = ("search", "empty", "--evaluator", "windows", "--depth", "2", "--tree-picture", "t.svg")
    assert tourney(*search, "--against", "minimax")[0] == 0
    text = (tmp_path / "t.svg").read_text()
    assert ">alphabeta<" in text
    assert ">minimax<" in text
    assert "✕" in text, "a branch that was pruned"
    assert tourney(*search[:5], "4", *search[6:])[0] == 2, "too many leaves to read"
    code, _, err = tourney("search", "empty", "--evaluator", "windows", "--depth", "1", "--against", "minimax")
    assert (code, err) == (2, "tourney: --against says what to draw beside the tree: add --tree-picture FILE.\n")


def leaves(node: Drawn) -> int:
    return sum(map(leaves, node.children)) or 1


def test_what_is_drawn_is_what_was_searched(bundled):
    scorer = bundled("windows", STANDARD)
    pruned, whole = (
        drawn_node(explain(Position(STANDARD), scorer, Settings(2, algorithm), 2, most=1000).tree)
        for algorithm in ("alphabeta", "minimax")
    )
    assert (pruned.text, pruned.move, pruned.pruned) == (whole.text, "", False)
    assert leaves(whole) == _placed(whole, 0) == 49 <= MOST_LEAVES
    assert not any(child.pruned for node in whole.children for child in node.children)
    assert any(child.pruned for node in pruned.children for child in node.children)
