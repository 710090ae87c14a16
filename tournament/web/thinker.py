"""A thinker: a process of its own that loads evaluators and searches, so that none of it happens in the server.

It reads questions and writes answers, one line of JSON each. What an evaluator prints goes nowhere, and when the server
is gone the thinker ends, whatever it is doing.
"""

from __future__ import annotations

import json
import os
import queue
import sys
import threading
from collections.abc import Callable
from dataclasses import asdict
from functools import cache
from pathlib import Path
from typing import IO, Any

from tournament.engine.algorithms import usual_algorithm
from tournament.engine.branch import Branch, follow_branch
from tournament.engine.result import COUNTERS, SearchResult
from tournament.engine.searcher import Searcher
from tournament.engine.settings import Settings, check_memory
from tournament.engine.tree import Node
from tournament.engine.values import shown_edge, shown_score
from tournament.errors import TourneyError
from tournament.games.connect4 import COLUMN_DIGITS, Position, Rules, board_text, undecided
from tournament.isolation.rlimits import limit_memory, size
from tournament.plugins.compiled import Scorer
from tournament.plugins.evaluator import Evaluator
from tournament.plugins.player import scorer as ready
from tournament.web.evaluators import catalogue

Question = dict[str, Any]
Answer = dict[str, Any]

MOST_MEMORY = 3 << 30  # bytes that evaluators and tables may take; then allocating raises MemoryError
MOST_LOADED = 64  # versions of evaluators; then all are forgotten
MOST_READY = 256  # of them made ready for boards; likewise
_loaded: dict[tuple[str, bytes | None], Evaluator] = {}


def main(extra: list[str]) -> None:
    """Answer questions until there are no more."""
    questions, answers = _own_streams()
    limit_memory(size() + MOST_MEMORY)
    waiting: queue.SimpleQueue[str] = queue.SimpleQueue()
    threading.Thread(target=_read, args=(questions, waiting), daemon=True).start()
    _write(answers, {"ready": os.getpid()})
    while True:
        question = json.loads(waiting.get())
        _write(answers, answer(question, [Path(path) for path in extra]))


def _own_streams() -> tuple[IO[str], IO[str]]:
    """The pipes to the server, moved to where no evaluator reads or prints."""
    questions = os.fdopen(os.dup(0), encoding="utf-8")
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(nowhere, stream)
    return questions, answers


def _read(questions: IO[str], waiting: queue.SimpleQueue[str]) -> None:
    for line in questions:
        waiting.put(line)
    os._exit(0)  # the server has gone, and the main thread may be in an endless loop


def _write(answers: IO[str], answer: Answer) -> None:
    answers.write(json.dumps(answer) + "\n")
    answers.flush()


def answer(question: Question, extra: list[Path]) -> Answer:
    """The answer to a question, or what is wrong with it."""
    try:
        rules = Rules(**question["rules"])
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
    """The move, its score and cost, and what is known of the other moves."""
    settings = _settings(question)
    searcher = Searcher(scorer, settings)
    found = searcher.search(undecided(position))
    found = found._replace(root_moves=searcher.root_moves())
    return told_found(found, searcher.repeating())


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
    branch = follow_branch(position, scorer, _settings(question), question["path"])
    positions = [position]
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
