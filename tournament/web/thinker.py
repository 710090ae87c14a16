"""A thinker: a process of its own that loads evaluators and searches, so that none of it happens in the server.

What an evaluator prints goes nowhere, and when the server is gone the thinker ends, whatever it is doing.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from functools import cache
from pathlib import Path
from typing import IO

from tournament.engine.algorithms import usual_algorithm
from tournament.engine.branch import Branch, follow_branch
from tournament.engine.result import COUNTERS, SearchResult
from tournament.engine.searcher import Searcher
from tournament.engine.settings import Settings, check_memory
from tournament.engine.tree import MOST_NODES, Explained, Node, Recorder
from tournament.engine.values import WIN, shown_edge, shown_score
from tournament.errors import TourneyError
from tournament.games.connect4 import COLUMN_DIGITS, Position, Rules, board_text, undecided
from tournament.isolation.rlimits import limit_memory, size
from tournament.match.oracle import OracleSide
from tournament.plugins.compiled import Scorer
from tournament.plugins.evaluator import Evaluator
from tournament.plugins.player import scorer as ready
from tournament.truth.verdict import VALUE_OF_SIGN
from tournament.web.evaluators import catalogue
from tournament.web.streams import Answer, Question, serve, write

MOST_MEMORY = 3 << 30  # bytes that evaluators and tables may take; then allocating raises MemoryError
MOST_LOADED = 64  # versions of evaluators; then all are forgotten
MOST_READY = 256  # of them made ready for boards; likewise
TREE_PLIES = 3  # of the tree that comes with a move
TELL_SECONDS = 0.25  # between two words on how far a search has come
_loaded: dict[tuple[str, bytes | None], Evaluator] = {}
_searching: list[Searcher] = []  # the one that is under way


def main(extra: list[str]) -> None:
    """Answer questions until there are no more."""
    limit_memory(size() + MOST_MEMORY)
    serve(lambda question: answer(question, [Path(path) for path in extra]), _tell_progress)


def _tell_progress(answers: IO[str]) -> None:
    """Say every now and then how far the search under way has come. Compiled code lets this thread run."""
    while True:
        time.sleep(TELL_SECONDS)
        for searcher in _searching[:1]:
            state = searcher.state
            write(answers, {"progress": {"depth": int(state["depth"]), "generated": int(state["generated"])}})


@contextmanager
def _told(searcher: Searcher) -> Iterator[None]:
    """While it searches, its progress is told."""
    _searching.append(searcher)
    try:
        yield
    finally:
        _searching.clear()


def answer(question: Question, extra: list[Path]) -> Answer:
    """The answer to a question, or what is wrong with it."""
    try:
        rules = Rules(**question["rules"])
        if question["do"] == "play":
            return _play(Position(rules, *question["position"]))
        scorer = ready(_load(question["evaluator"], extra), rules)
        position = Position(rules, *question["position"])
        told = {"compiled": scorer.compiled, "reason": scorer.reason, "source_hash": scorer.evaluator.source_hash}
        return ANSWERS[question["do"]](position, scorer, question) | told
    except TourneyError as error:
        return {"error": str(error)}
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # an evaluator may raise anything, SystemExit too
        return {"error": f"the search of `{question.get('evaluator')}` failed: {type(error).__name__}: {error}."}


def _play(position: Position) -> Answer:
    """The oracle's move, as a search's is told."""
    chosen = OracleSide(position.rules).choose(undecided(position))
    score = chosen.sign * (WIN - (chosen.plies or 0))
    shown = VALUE_OF_SIGN[chosen.sign] if not chosen.sign or chosen.plies is None else shown_score(score)
    return {"column": chosen.column, "score": score, "shown": shown, "root_moves": []}


def _load(name: str, extra: list[Path]) -> Evaluator:
    """The evaluator as its file is now."""
    entry = catalogue(extra).find(name)
    source = entry.place.read_bytes() if isinstance(entry.place, Path) else None
    if len(_loaded) >= MOST_LOADED or ready.cache_info().currsize >= MOST_READY:
        _loaded.clear()
        ready.cache_clear()
    if (name, source) not in _loaded:
        _loaded[name, source] = entry.load()
    return _loaded[name, source]


def _settings(question: Question) -> Settings:
    settings = Settings(**question["settings"])
    if settings.table:
        _check_table(settings.table)
    return settings


@cache
def _check_table(size: int) -> None:
    """Raise where a table does not fit into memory; once it is there it fits."""
    check_memory(size)


def _search(position: Position, scorer: Scorer, question: Question) -> Answer:
    """The move, its score and cost, and what is known of the other moves; with its tree where that is wanted."""
    settings = _settings(question)
    if question.get("tree"):
        return _search_with_tree(position, scorer, settings)
    searcher = Searcher(scorer, settings)
    with _told(searcher):
        found = searcher.search(undecided(position))
    found = found._replace(root_moves=searcher.root_moves())
    return told_found(found, searcher.repeating())


def _search_with_tree(position: Position, scorer: Scorer, settings: Settings) -> Answer:
    """One search with all that is shown of it: the root's branch, the tree near it, and the line that it expects."""
    recorder = Recorder(position, scorer, settings, TREE_PLIES, MOST_NODES)
    with _told(recorder):
        explained = recorder.explained()
    earlier, unfinished = len(explained.earlier), len(explained.unfinished)
    branch = Branch(position, explained.settings, explained.found, [explained.tree], earlier, unfinished)
    return told_found(explained.found, explained.settings) | {
        "branch": _told_branch(branch) | {"drawn": _drawn(explained.tree, branch.best(explained.tree))},
        "line": _line(explained, scorer, settings),
    }


def _drawn(node: Node, best: Node | None) -> Answer:
    """The tree as it is drawn: what each node is worth, and which child has given it that."""
    with_its_value = (child for child in node.children if child.value == node.value is not None)
    chosen = best or (None if node.kind == "CHANCE" else next(with_its_value, None))
    return {
        "move": node.move,
        "kind": node.kind,
        "value": None if node.value is None else shown_score(node.value),
        "bound": node.bound,
        "generated": node.generated,
        "best": next((place for place, child in enumerate(node.children) if child is chosen), None),
        "children": [_drawn(child, None) for child in node.children],
    }


def _line(explained: Explained, scorer: Scorer, settings: Settings) -> str:
    """The moves that the search expects, to the end of its depth: what lies beyond its tree by shallower searches."""
    moves, depth = "", explained.found.depth
    position = explained.position
    while True:
        known = [node for node in explained.line()[1:] if node.kind != "CHANCE"]
        more = "".join(node.move or "" for node in known)
        if depth <= TREE_PLIES or len(more) < 2 or position.rules.drifts:
            return moves + more
        for digit in more[:2]:  # then the same side is to move, whose view a score is from
            position = position.play(COLUMN_DIGITS.index(digit))
        moves, depth = moves + more[:2], depth - 2
        if position.result is not None:
            return moves
        plain = Settings(depth, settings.algorithm, settings.order)
        explained = Recorder(position, scorer, plain, TREE_PLIES, MOST_NODES).explained()


def told_found(found: SearchResult, repeated: Settings) -> Answer:
    return {
        "column": found.chosen,
        "score": found.score,
        "shown": shown_score(found.score),
        **asdict(found.counters),
        "counted": COUNTERS,
        "seconds": found.seconds,
        "depth": found.depth,
        "deepest": found.deepest,
        "saved": found.saved,
        "algorithm": repeated.algorithm,
        "settings": repeated.non_defaults(),
        "described": repeated.described,
        "root_moves": [
            {"column": move.column, "shown": shown_score(move.value), "exact": move.exact}
            for move in sorted(found.root_moves)
        ],
    }


def _scores(position: Position, scorer: Scorer, question: Question) -> Answer:
    """What the evaluator says of the position as it stands, for each side."""
    scores = {"first": scorer.score(position, "first"), "second": scorer.score(position, "second")}
    return {"scores": scores, "shown": {seat: shown_score(score) for seat, score in scores.items()}}


def _branch(position: Position, scorer: Scorer, question: Question) -> Answer:
    """A node of the search's tree with its children, and the nodes above it."""
    return _told_branch(follow_branch(position, scorer, _settings(question), question["path"]))


def _told_branch(branch: Branch) -> Answer:
    positions = [branch.position]
    for parent, child in zip(branch.nodes, branch.nodes[1:], strict=False):
        positions.append(_after(positions[-1], parent, child))
    last = branch.nodes[-1]
    best = branch.best(last)
    told = [told_node(node, at) for node, at in zip(branch.nodes, positions, strict=True)]
    children = [
        told_node(child, _after(positions[-1], last, child)) | {"best": child is best} for child in last.children
    ]
    return {
        "found": told_found(branch.found, branch.settings),
        "earlier": branch.earlier,
        "unfinished": branch.unfinished,
        "whole": branch.whole,
        "not_in_the_tree": branch.not_in_the_tree,
        "nodes": told,
        "on_line": _on_line(branch),
        "children": children,
    }


def _on_line(branch: Branch) -> bool:
    """Whether the node asked for is on the line that both sides choose."""
    return all(
        parent.kind != "CHANCE" and branch.best(parent) is child
        for parent, child in zip(branch.nodes, branch.nodes[1:], strict=False)
    )


def _after(position: Position, parent: Node, child: Node) -> Position:
    """The position at a child: the same one where a column is chosen from which the disc may still drift."""
    assert child.move is not None
    rules = position.rules
    if rules.drifts and parent.kind != "CHANCE" and rules.drift_players in ("both", position.to_move):
        return position
    return position.play(COLUMN_DIGITS.index(child.move))


def told_node(node: Node, position: Position) -> Answer:
    """A node as the page shows it."""
    marks = {"from the table": node.from_table, "scout": node.scout, "probe": node.probe}
    return {
        "kind": node.kind,
        "move": node.move,
        "probability": node.probability,
        "value": None if node.value is None else shown_score(node.value),
        "bound": node.bound,
        "alpha": shown_edge(node.alpha),
        "beta": shown_edge(node.beta),
        "generated": node.generated,
        "marks": [mark for mark, holds in marks.items() if holds],
        "board": board_text(position),
        "to_move": position.to_move,
    }


def _warm(position: Position, scorer: Scorer, question: Question) -> Answer:
    """Nothing, once the usual searches have been compiled."""
    algorithm = usual_algorithm(position.rules)
    follow_branch(position, scorer, Settings(1, algorithm))
    follow_branch(position, scorer, Settings(1, algorithm, table=4))
    return {}


ANSWERS: dict[str, Callable[[Position, Scorer, Question], Answer]] = {
    "search": _search,
    "scores": _scores,
    "branch": _branch,
    "warm": _warm,
}


if __name__ == "__main__":
    main(sys.argv[1:])
