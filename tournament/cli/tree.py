"""The tree of a search: drawn for people, and written to a file for programs."""

from __future__ import annotations

import json
import os
import tempfile
from itertools import groupby
from pathlib import Path

from rich.text import Text
from rich.tree import Tree

from tournament.engine.tree import Explained, Kind, Node
from tournament.engine.values import shown_edge, shown_score
from tournament.errors import TourneyError
from tournament.games.connect4 import DISC
from tournament.report.pictures import Drawn
from tournament.text import counted, shown

COLOURS: dict[Kind, str] = {"MAX": "cyan", "MIN": "magenta", "CHANCE": "yellow", "LEAF": "", "END": "bold"}
CHOSEN = "bold green"
ASIDE = "bright_black"
MOST_DRAWN = 50_000  # nodes: more lines than anybody reads; a file may hold more


def drawn_tree(explained: Explained) -> Tree:
    """The tree with a node a line: move, kind, value, the window on entry; the chosen line in green."""
    chosen = {id(node) for node in explained.line()}
    label = _label(explained.tree, is_chosen=True)
    label.append(f"  {DISC[explained.position.to_move]} to move", ASIDE)
    tree = Tree(label, guide_style=ASIDE)
    _add_children(tree, explained.tree, chosen)
    return tree


def drawn_node(node: Node) -> Drawn:
    """A node and all below it, as a picture has them: its value with its bound, and the move that led to it."""
    bound = "" if node.bound == "exact" else f"{node.bound} "
    text = "" if node.value is None else f"{bound}{shown_score(node.value)}"
    return Drawn(text, node.move or "", node.pruned, [drawn_node(child) for child in node.children])


def legend(explained: Explained) -> Text:
    """What the tree shows, and what was searched besides."""
    told = f"Values are for {DISC[explained.position.to_move]}, α and β on entry. Green is the line both sides choose."
    before, after = (sum(root.generated for root in roots) for roots in (explained.earlier, explained.unfinished))
    told += _on_what_was_left_out(explained)
    if before or after:
        told += f" The tree is that of depth {explained.found.depth}."
    if before:
        was = "was" if before == 1 else "were"
        searches = counted(len(explained.earlier), "search")
        told += f" {counted(before, 'position')} {was} generated before, in {searches}."
    if after:
        told += f" {after:,} were generated after it, until the budget ran out."
    return Text(told, ASIDE)


def _on_what_was_left_out(explained: Explained) -> str:
    """The totals of the whole search, in two figures that are not the same."""
    counters, whole, missing = explained.found.counters, explained.whole, explained.not_in_the_tree
    told = f" {counters.generated:,} positions were made"
    if counters.untried is not None:
        told += f", and {counted(counters.untried, 'legal move')} left untried"
    if whole is None:
        return f"{told}."
    told += f". Without pruning the tree has {whole:,} positions"
    if missing is None:
        return f"{told}; how many were never made can't be told of a search that comes back to a position."
    return f"{told}: {missing:,} of them ({100 * missing / whole:.1f} %) are not in the tree that was searched."


def _add_children(tree: Tree, node: Node, chosen: set[int]) -> None:
    for pruned, children in groupby(node.children, lambda child: child.pruned):
        if pruned:
            tree.add(Text(f"pruned: {' '.join(child.move or '' for child in children)}", ASIDE))
            continue
        for child in children:
            _add_children(tree.add(_label(child, is_chosen=id(child) in chosen)), child, chosen)


def _label(node: Node, *, is_chosen: bool) -> Text:
    text = Text(style=CHOSEN if is_chosen else "")
    if node.move is not None:
        text.append(f"{node.move} ", "" if is_chosen else "bold")
    if node.probability is not None:
        text.append(f"({node.probability:.3g}) ", ASIDE)
    kind = node.kind if node.kind in ("MAX", "MIN", "CHANCE") else node.kind.lower()
    text.append(kind, "" if is_chosen else COLOURS[node.kind])
    if node.value is not None:
        text.append(f" {'' if node.bound == 'exact' else f'{node.bound} '}{shown_score(node.value)}")
    marks = {
        "from table": node.from_table,
        "scout": node.scout,
        "probe": node.probe,
        "not finished": node.value is None,
    }
    aside = [
        f"  α {shown_edge(node.alpha)} β {shown_edge(node.beta)}",
        *(mark for mark, holds in marks.items() if holds),
    ]
    text.append(", ".join(aside), "not bold bright_black")
    if node.hidden:
        text.append(f"  … {counted(node.hidden, 'more position')}", "not bold italic bright_black")
    return text


def check_writable(path: Path) -> None:
    """Raise where no file can be written, before it takes time to find out what to write."""
    try:
        if path.is_dir():
            raise IsADirectoryError(None, "Is a directory")
        if not is_stream(path):
            with tempfile.TemporaryFile(dir=path.resolve().parent):
                pass
    except OSError as error:
        raise _not_written(path, error) from error


def write_tree(explained: Explained, path: Path) -> None:
    """Write the tree as JSON: whole or not at all."""
    target = path if is_stream(path) else path.resolve()
    part = target if is_stream(path) else target.with_name(f".{target.name}.{os.getpid()}")
    try:
        with part.open("w", encoding="utf-8") as file:
            file.write(json.dumps(explained.to_json(), default=Node.to_json, ensure_ascii=False, allow_nan=False))
            file.write("\n")
        if part != target:
            part.replace(target)
    except OSError as error:
        raise _not_written(path, error) from error
    finally:
        if part != target:
            part.unlink(missing_ok=True)


def is_stream(path: Path) -> bool:
    """Whether it is a pipe or a device, which is written to and not replaced."""
    return path.exists() and not path.is_file()


def _not_written(path: Path, error: OSError) -> TourneyError:
    return TourneyError(f"{shown(path)}: can't be written ({error.strerror}): name a file in a folder that can be.")
