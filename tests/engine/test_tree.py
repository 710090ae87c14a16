"""A search explained: the tree counts what the search counts, says nothing untrue, and is readable."""

from __future__ import annotations

import io
import json
import math
from collections.abc import Callable, Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

import folders
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console
from strategies import DRIFTING, FULL_BOARD, NOISE, SMALL, SMALL_FULL, WIDE, Ready, depths, once_per_rules, positions

from tournament.cli.board import drawn
from tournament.cli.tree import check_writable, drawn_tree, legend, write_tree
from tournament.engine import tree as explain_module
from tournament.engine.jit.specialise import JIT_DISABLED
from tournament.engine.result import SearchResult
from tournament.engine.searcher import Searcher, search
from tournament.engine.settings import Settings
from tournament.engine.tree import Explained, Node, Recorder, explain
from tournament.engine.values import MOST_DEPTH
from tournament.errors import EvaluatorFault, TourneyError
from tournament.games.connect4 import STANDARD, Position, Rules, column_digit, read_position
from tournament.plugins.compiled import Scorer
from tournament.plugins.evaluator import Evaluator

GOLDEN = folders.GOLDEN / "trees.txt"
WHOLE = MOST_DEPTH
ALGORITHMS = {False: ("minimax", "alphabeta", "pvs"), True: ("expectiminimax", "star1", "star2")}
MARGIN = 1e-4  # of sums of values as large as a win

# R1 and R2 of the reference tables: columns are counted from 1 here.
R1 = """
.......
.......
..XO...
.XOXO..
XOXOXO.
OXOXOX. X
"""
R2 = """
.......
.......
.......
.......
...X...
..OOX.. X
"""
R2_RULES = Rules(objective="most-lines", drift=0.6, drift_players="first")

Bundled = Callable[[str, Rules], Scorer]
Command = Callable[..., tuple[int, str, str]]


def read(board: str, rules: Rules) -> Position:
    return read_position("/".join(board.split("\n")[1:-1]), rules)


@pytest.fixture(scope="module")
def noise(write_evaluator: Callable[[str], Evaluator]) -> Ready:
    return once_per_rules(write_evaluator(NOISE))


@st.composite
def searches(draw: st.DrawFn) -> tuple[Position, Settings]:
    """A position, and an algorithm and options that suit it, to a depth or with a budget."""
    position = draw(positions((SMALL, WIDE, FULL_BOARD, SMALL_FULL, *DRIFTING)))
    rules = position.rules
    algorithm = draw(st.sampled_from(ALGORITHMS[rules.drifts]))
    options: dict[str, Any] = {"algorithm": algorithm, "order": draw(st.sampled_from(["left", "history", "killers"]))}
    options["table"] = draw(st.sampled_from([0, 2, 12]))
    depth = draw(depths(rules, 60 if JIT_DISABLED else 700))
    limit = draw(st.sampled_from([{"depth": depth}, {"depth": depth, "iterative": True}, {"nodes": 40 * depth}]))
    if len(limit) == 2 and algorithm not in ("minimax", "expectiminimax"):
        options["aspiration"] = draw(st.sampled_from([0.0, 0.5, 2.0]))
    return position, Settings(**options, **limit)


def all_nodes(*roots: Node) -> Iterator[Node]:
    for root in roots:
        yield root
        yield from all_nodes(*root.children)


def positions_below(node: Node) -> int:
    """The positions that the tree shows, and what it says that it hides."""
    counted = node.hidden
    for child in node.children:
        counted += (child.kind not in ("CHANCE", "PRUNED")) + positions_below(child)
    return counted


def is_cut(node: Node) -> bool:
    """Whether the search left it early: the side to move has enough, or an outcome decides for all."""
    if node.value is None or node.from_table or node.kind in ("LEAF", "END"):
        return False
    if node.kind == "CHANCE":
        return node.bound != "exact"
    return node.value >= node.beta if node.kind == "MAX" else node.value <= node.alpha


# ── what the search did ──────────────────────────────────────────────────────────────────────────


@given(drawn_search=searches(), tree_depth=st.sampled_from([1, 2, 3, WHOLE]))
def test_the_counts_of_the_tree_are_those_of_the_search(
    noise: Ready, drawn_search: tuple[Position, Settings], tree_depth: int
) -> None:
    position, settings = drawn_search
    scorer = noise(position.rules)
    found, explained = search(position, scorer, settings), explain(position, scorer, settings, tree_depth)
    assert told(explained.found) == told(found)
    roots = (*explained.earlier, explained.tree, *explained.unfinished)
    assert sum(map(positions_below, roots)) == sum(root.generated for root in roots) == found.counters.generated
    assert explained.tree.value == found.score
    assert explained.tree.bound == "exact"
    if tree_depth == WHOLE:
        nodes = list(all_nodes(*roots))
        searched = [n for n in nodes if n.kind in ("MAX", "MIN") and n.value is not None and not n.from_table]
        assert not [node for node in nodes if node.hidden]
        assert len(searched) == found.counters.expanded
        assert sum(node.kind == "LEAF" for node in nodes) == found.counters.evaluated
        assert sum(map(is_cut, searched)) == found.counters.cutoffs


def told(found: SearchResult) -> Any:
    """What two searches have in common, whatever time they took."""
    return found._replace(seconds=0, cpu_seconds=0)


@pytest.mark.needs_jit
def test_a_deep_search_is_explained_by_a_shallow_tree(bundled: Bundled) -> None:
    scorer = bundled("windows", STANDARD)
    found = Searcher(scorer, Settings(10)).search(Position())
    explained = explain(Position(), scorer, Settings(10), 2)
    assert explained.found.counters == found.counters
    assert found.counters.generated == 1843660
    assert sum(1 for _ in all_nodes(explained.tree)) <= 1 + 7 + 49


def test_a_budget_of_seconds_is_explained_by_the_nodes_that_it_was_enough_for(
    noise: Ready, monkeypatch: pytest.MonkeyPatch
) -> None:
    searched = []

    class Watched(Searcher):
        def search(self, position: Position) -> SearchResult:
            searched.append(super().search(position))
            return searched[-1]

    monkeypatch.setattr(explain_module, "Searcher", Watched)
    explained = explain(Position(), noise(STANDARD), Settings(seconds=0.05), 2)
    assert told(explained.found) == told(searched[0])._replace(root_moves=explained.found.root_moves)
    assert explained.found.seconds == searched[0].seconds
    assert explained.settings == Settings(seconds=0.05)


# ── what the tree says ───────────────────────────────────────────────────────────────────────────


@given(drawn_search=searches())
def test_what_the_tree_says_of_a_position_is_so(noise: Ready, drawn_search: tuple[Position, Settings]) -> None:
    position, settings = drawn_search
    scorer = noise(position.rules)
    explained = explain(position, scorer, settings, WHOLE)
    unpruned = Settings(explained.found.depth, ALGORITHMS[position.rules.drifts][0])
    holds_against(explained.tree, explain(position, scorer, unpruned, WHOLE).tree)


def holds_against(node: Node, true: Node) -> None:
    """A node and all below it are as in the tree in which nothing was left out."""
    assert node.kind == true.kind
    assert node.probability == true.probability
    assert node.value is not None
    assert true.value is not None
    if node.bound != "at least":
        assert true.value <= node.value + MARGIN
    if node.bound != "at most":
        assert true.value >= node.value - MARGIN
    if node.from_table:
        assert not node.children
        return
    below = {child.move: child for child in true.children}
    if not node.probe:
        assert {child.move for child in node.children} == set(below)
    for child in node.children:
        if child.pruned:
            assert is_cut(node)
            assert (child.value, child.children) == (None, [])
            assert child.probability == below[child.move].probability
        else:
            holds_against(child, below[child.move])


@given(drawn_search=searches())
def test_values_obey_minimax_on_the_way_up(noise: Ready, drawn_search: tuple[Position, Settings]) -> None:
    position, settings = drawn_search
    explained = explain(position, noise(position.rules), settings, WHOLE)
    for node in all_nodes(*explained.earlier, explained.tree):
        outcomes = [child for child in node.children if not child.probe]
        last = {child.move: child.value for child in outcomes if child.value is not None}.values()  # not the scouts
        if node.kind == "CHANCE":
            assert math.isclose(sum(child.probability or 0 for child in outcomes), 1)
            if node.bound == "exact":
                average = sum((child.probability or 0) * (child.value or 0) for child in outcomes)
                assert node.value == pytest.approx(average, abs=MARGIN)
        elif last:
            assert node.value == (max(last) if node.kind == "MAX" else min(last))


@given(drawn_search=searches())
def test_the_chosen_line_begins_with_the_move_and_keeps_its_value(
    noise: Ready, drawn_search: tuple[Position, Settings]
) -> None:
    position, settings = drawn_search
    explained = explain(position, noise(position.rules), settings, WHOLE)
    root, chosen, *_ = line = explained.line()
    assert (root, chosen.move) == (explained.tree, column_digit(explained.found.chosen))
    assert {node.value for node in line} == {explained.found.score}
    assert {node.bound for node in line} == {"exact"}
    assert line[-1].kind in ("CHANCE", "LEAF", "END") or line[-1].from_table


def test_the_pruned_moves_of_the_reference_board_are_those_behind_a_refutation(bundled: Bundled) -> None:
    position = read(R1, FULL_BOARD)
    tree = explain(position, bundled("lines", FULL_BOARD), Settings(2), 2).tree
    pruned = {
        reply.move: "".join(child.move or "" for child in reply.children if child.pruned) for reply in tree.children
    }
    # Columns 3, 6 and 7 leave O a line in column 2, which is worse for X than what it has by then.
    assert pruned == {"1": "", "2": "", "3": "34567", "4": "", "5": "", "6": "34567", "7": "34567"}
    third = tree.children[2]
    assert [(leaf.move, leaf.value) for leaf in third.children[:2]] == [("1", 17), ("2", -99972)]
    assert (third.kind, third.value, third.bound, third.alpha, third.beta) == (
        "MIN",
        -99972,
        "at most",
        -99968,
        math.inf,
    )
    assert (tree.kind, tree.value, tree.generated) == ("MAX", -85, 41)


def test_a_scout_and_the_search_that_it_asks_for_are_two_children(bundled: Bundled) -> None:
    explained = explain(Position(), bundled("windows", STANDARD), Settings(4, "pvs"), WHOLE)
    asked_for = 0
    for node in all_nodes(explained.tree):
        for before, child in zip([None, *node.children], node.children, strict=False):
            again = before is not None and before.move == child.move
            assert child.scout == (not child.pruned and before is not None and not again)
            if child.scout:
                assert child.beta == math.nextafter(child.alpha, math.inf)
            if again:
                asked_for += 1
                assert before.scout
                bound = "at least" if node.kind == "MAX" else "at most"
                assert before.bound == ("exact" if before.kind in ("LEAF", "END") else bound)
    assert asked_for > 0


def test_a_probe_tries_one_reply_to_each_outcome(bundled: Bundled) -> None:
    explained = explain(read(R2, R2_RULES), bundled("lines", R2_RULES), Settings(3, "star2"), WHOLE)
    probes = [node for node in all_nodes(explained.tree) if node.probe]
    assert probes
    for probe in probes:
        assert probe.kind == "MIN"
        assert len([child for child in probe.children if not child.pruned]) == 1
        assert probe.bound == "at most"


def test_a_value_from_the_table_is_marked(bundled: Bundled) -> None:
    explained = explain(Position(), bundled("windows", STANDARD), Settings(5, table=16), WHOLE)
    known = [node for node in all_nodes(explained.tree) if node.from_table]
    assert known
    assert {node.generated for node in known} == {0}


@pytest.mark.parametrize("tree_depth", [1, WHOLE])
@pytest.mark.parametrize("rules", [SMALL, WIDE], ids=str)
def test_a_fault_of_the_evaluator_is_told_as_in_every_search(
    write_evaluator: Callable[[str], Evaluator], rules: Rules, tree_depth: int
) -> None:
    scorer = Scorer(write_evaluator("def evaluate(board):\n    return 1 // (3 - abs(board).sum())\n"), rules)
    recorder = Recorder(Position(rules), scorer, Settings(3), tree_depth, most=1000)
    with pytest.raises(EvaluatorFault, match=r"mine.py:2: evaluate raised .*Its discs are X in `"):
        recorder.search(Position(rules))


@pytest.mark.parametrize("tree_depth", [3, WHOLE])
def test_a_tree_too_large_to_keep_is_refused(bundled: Bundled, tree_depth: int) -> None:
    with pytest.raises(TourneyError, match="more than 100 nodes: choose a smaller tree depth"):
        explain(Position(), bundled("windows", STANDARD), Settings(5), tree_depth, most=100)


# ── for people ───────────────────────────────────────────────────────────────────────────────────


def rendered(explained: Explained) -> str:
    page = io.StringIO()
    console = Console(file=page, width=100, force_terminal=False, color_system=None)
    for part in (drawn(explained.position), "", drawn_tree(explained), "", legend(explained)):
        console.print(part)
    return "".join(f"{line.rstrip()}\n" for line in page.getvalue().splitlines())


def test_trees_on_a_terminal_are_the_golden_ones(request: pytest.FixtureRequest, bundled: Bundled) -> None:
    searched = [
        (read(R1, FULL_BOARD), "lines", Settings(2), 2),
        (read(R2, R2_RULES), "lines", Settings(3, "star2", order="centre"), 1),
        (read_position("4435"), "windows", Settings(nodes=3000, algorithm="pvs", table=12, aspiration=3), 2),
    ]
    pages = []
    for position, evaluator, settings, tree_depth in searched:
        explained = explain(position, bundled(evaluator, position.rules), settings, tree_depth)
        title = f"{position.rules.described}\n{settings.described}, {settings.level}, tree depth {tree_depth}"
        pages.append(f"{title}\n\n{rendered(explained)}")
    text = "\n\n".join(pages)
    assert max(map(len, text.splitlines())) <= 100
    if request.config.getoption("--update-golden"):
        GOLDEN.write_text(text, encoding="utf-8")
    assert text == GOLDEN.read_text("utf-8"), "if that is as it should be: pytest --update-golden"


def test_the_chosen_line_is_green_and_pruned_moves_are_grey(bundled: Bundled) -> None:
    explained = explain(read(R1, FULL_BOARD), bundled("lines", FULL_BOARD), Settings(2), 2)
    page = io.StringIO()
    Console(file=page, width=100, force_terminal=True, color_system="standard").print(drawn_tree(explained))
    lines = page.getvalue().splitlines()
    green = [line for line in lines if "\x1b[1;32m" in line]
    assert len(green) == 3
    assert ["MAX −85" in green[0], "5 MIN −85" in green[1], "3 leaf −85" in green[2]] == [True] * 3
    assert sum("\x1b[90mpruned: 3 4 5 6 7" in line for line in lines) == 3


def test_a_board_on_which_most_lines_win_shows_the_lines_so_far() -> None:
    assert drawn(read(R1, FULL_BOARD)).plain.endswith("1 2 3 4 5 6 7\nlines  X 1  O 1")
    assert "lines" not in drawn(Position()).plain


# ── for programs ─────────────────────────────────────────────────────────────────────────────────

MARKS = ("from_table", "scout", "probe")


def node_of(told: dict[str, Any]) -> Node:
    """A node from JSON, as another program would read it."""
    edges = {"alpha": -math.inf, "beta": math.inf}
    known = {name: edge if told[name] is None else told[name] for name, edge in edges.items()}
    known |= {name: told[name] for name in ("kind", "move", "probability", "value", "generated")}
    known |= {name: told.get(name, False) for name in MARKS} | {"bound": told["bound"] or "exact"}
    node = Node(**known, children=[node_of(child) for child in told["children"]])
    assert node.pruned == told["pruned"]
    return node


@pytest.mark.parametrize(
    ("rules", "settings"),
    [(STANDARD, Settings(nodes=500, algorithm="pvs", table=8)), (R2_RULES, Settings(3, "star2"))],
    ids=["pvs", "star2"],
)
def test_a_tree_is_read_from_json_as_it_was_written(
    bundled: Bundled, tmp_path: Path, rules: Rules, settings: Settings
) -> None:
    explained = explain(Position(rules), bundled("lines", rules), settings, WHOLE)
    path = tmp_path / "tree.json"
    write_tree(explained, path)
    written = json.loads(path.read_text("utf-8"))
    assert node_of(written["tree"]) == explained.tree
    assert [node_of(told) for told in written["earlier"]] == list(explained.earlier)
    assert [node_of(told) for told in written["unfinished"]] == list(explained.unfinished)
    assert written["counters"] == asdict(explained.found.counters)
    assert read_position(written["position"], Rules(**written["rules"])) == explained.position
    assert Settings(**written["settings"]) == settings
    promised = {"kind", "move", "probability", "value", "alpha", "beta", "pruned", "children"}
    assert promised <= set(written["tree"])
    assert [file.name for file in tmp_path.iterdir()] == ["tree.json"]


def test_a_file_that_can_not_be_written_is_one_message_and_leaves_nothing(bundled: Bundled, tmp_path: Path) -> None:
    explained = explain(Position(), bundled("lines", STANDARD), Settings(1), 1)
    for path, why in ((tmp_path / "nowhere" / "tree.json", "No such file or directory"), (tmp_path, "Is a directory")):
        for write in (check_writable, lambda path: write_tree(explained, path)):
            with pytest.raises(TourneyError, match=rf"can't be written \({why}\): name a file"):
                write(path)
    assert not list(tmp_path.iterdir())


# ── the command ──────────────────────────────────────────────────────────────────────────────────


def test_the_command_draws_the_tree_and_writes_it(tourney: Command, tmp_path: Path) -> None:
    options = "--evaluator lines --objective most-lines --depth 2 --tree --tree-json tree.json"
    board = "/".join(R1.split("\n")[1:-1])
    code, out, err = tourney("search", board, *options.split())
    assert code == 0, err
    assert "lines  X 1  O 1" in out
    assert "├── 3 MIN at most −99,972  α −99,968 β ∞\n" in out
    assert out.count("pruned: 3 4 5 6 7") == 3
    assert json.loads((tmp_path / "tree.json").read_text("utf-8"))["tree"]["generated"] == 41


def test_the_command_takes_rule_variants_and_options_and_tells_them(tourney: Command) -> None:
    board = "/".join(R2.split("\n")[1:-1])
    options = "--evaluator lines --objective most-lines --drift 0.6 --drift-players first --depth 3 --order centre"
    code, out, err = tourney("search", board, *options.split(), "--iterative", "--table", "12", "--json")
    assert code == 0, err
    found = json.loads(out)
    assert (found["move"], found["score"]) == (3, pytest.approx(57.56))
    assert (found["reached"], found["deepest"], found["depth"]) == (3, 3, 3)
    assert found["lines"] == {"X": 0, "O": 0}
    told = {"objective": "most-lines", "drift": 0.6, "drift_players": "first", "rows": 6, "columns": 7, "connect": 4}
    assert found["rules"] == told
    assert Settings(**found["settings"]) == Settings(3, "star1", "centre", table=12, iterative=True)


def test_a_budget_is_used_instead_of_a_depth(tourney: Command) -> None:
    code, out, err = tourney("search", "44", "--evaluator", "windows", "--nodes", "5000", "--json")
    assert code == 0, err
    found = json.loads(out)
    assert (found["depth"], found["lines"]) == (None, None)
    assert found["reached"] >= 4
    assert found["generated"] <= 5000


MISTAKES = {
    "": "no limit is given: a search has either a depth, or a budget",
    "--depth 2 --nodes 9": "a search has either a depth, or a budget",
    "--depth 2 --algorithm star1": "star1 is for boards on which discs drift",
    "--depth 2 --drift 0.5 --algorithm pvs": "pvs knows no chance",
    "--depth 2 --drift 1.5": "drift is 1.5",
    "--depth 2 --objective most-line": "did you mean `most-lines`?",
    "--depth 2 --table 36": "use a table of at most",
    "--depth 2 --tree --json": "--tree draws for people and --json prints for programs",
    "--depth 2 --tree-depth 2": "add --tree, or --tree-json FILE",
    "--depth 2 --tree-json nowhere/tree.json": "nowhere/tree.json: can't be written (No such file or directory)",
}


@pytest.mark.parametrize("options", MISTAKES)
def test_a_mistake_in_an_option_is_one_message_before_anything_is_compiled(
    tourney: Command, tmp_path: Path, options: str
) -> None:
    (tmp_path / "new.py").write_text(f"def evaluate(board):\n    return {abs(hash(tmp_path)) % 1000}\n")
    code, _, err = tourney("search", "44", "--evaluator", "new.py", *options.split())
    assert code == 2
    assert err.startswith("tourney: ")
    assert MISTAKES[options] in err
    assert len(err.splitlines()) == 1
    assert [file.name for file in tmp_path.iterdir()] == ["new.py"]
