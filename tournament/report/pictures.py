"""Pictures for a paper: boards in a row, and the trees of small searches."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tournament.errors import TourneyError
from tournament.games.connect4 import Position
from tournament.report.drawing import INK, drawing, new_figure, picture

if TYPE_CHECKING:
    from matplotlib.axes import Axes

ENDINGS = ("svg", "pdf", "png")
BOARD = 1.7  # inches
DISCS = {"X": ("#d64561", "X"), "O": ("#e8b92f", "O"), ".": ("#ffffff", "")}  # letters tell them apart in grey
LEAF, PLY = 0.28, 0.75  # inches between leaves, and between plies
MOST_BESIDE = 40  # leaves of trees beside each other; wider ones stand one below the other
MOST_LEAVES = 120  # of one picture


@dataclass
class Drawn:
    """A node of a tree: what stands in it and on the branch to it, and whether it was never searched."""

    text: str
    move: str
    pruned: bool
    children: list[Drawn]
    x: float = 0.0


def ending_of(path: Path) -> str:
    """The kind of picture that a file's name asks for."""
    ending = path.suffix.removeprefix(".").lower()
    if ending not in ENDINGS:
        raise TourneyError(f"{path}: no picture ends like this: name a file that ends in .svg, .pdf or .png.")
    return ending


def write_boards(boards: Sequence[tuple[str, Position]], path: Path) -> None:
    """Boards in a row, each with what stands above it."""
    from matplotlib.patches import Circle

    ending = ending_of(path)
    with drawing():
        figure = new_figure(BOARD + 0.3, BOARD * len(boards))
        for number, (title, position) in enumerate(boards):
            axes = figure.add_axes(((number + 0.05) / len(boards), 0.03, 0.9 / len(boards), 0.84))
            for row, discs in enumerate(reversed(position.rows_from_top())):
                for column, disc in enumerate(discs):
                    colour, letter = DISCS[disc]
                    axes.add_patch(Circle((column, row), 0.42, facecolor=colour, edgecolor=INK, linewidth=0.6))
                    axes.text(column, row, letter, ha="center", va="center", fontsize=6)
            axes.set_xlim(-0.6, position.rules.columns - 0.4)
            axes.set_ylim(-0.6, position.rules.rows - 0.4)
            axes.set_aspect("equal")
            axes.set_axis_off()
            axes.set_title(title)
        _write(path, picture(figure, ending))


def write_trees(trees: Sequence[tuple[str, Drawn]], path: Path) -> None:
    """Trees side by side, or one below the other where they are wide, each with its title.

    Branches that were pruned are dashed and crossed out.
    """
    ending = ending_of(path)
    leaves = [_placed(root, 0.0) for _, root in trees]
    if sum(leaves) > MOST_LEAVES:
        raise TourneyError(
            f"the trees have {sum(leaves):.0f} leaves, and {MOST_LEAVES} fit a picture: search fewer plies, or fewer "
            "columns, or draw less with --tree-depth."
        )
    deepest = max(_depth(root) for _, root in trees)
    with drawing():
        below = sum(leaves) > MOST_BESIDE
        total = (max(leaves) if below else sum(leaves)) + 2 * (1 if below else len(trees))
        rows = len(trees) if below else 1
        figure = new_figure(max(PLY, LEAF * total / 16) * (deepest + 1) * rows, LEAF * total)
        begun = 0.0
        for number, ((title, root), width) in enumerate(zip(trees, leaves, strict=True)):
            bottom = (rows - 1 - number) / rows if below else 0.0
            axes = figure.add_axes((0 if below else begun / total, bottom, (width + 2) / total, 0.88 / rows))
            begun += width + 2
            axes.set_xlim(-1.5, width + 0.5)
            axes.set_ylim(-deepest - 0.4, 0.4)
            axes.set_axis_off()
            axes.set_title(title)
            _draw(axes, root, 0)
        _write(path, picture(figure, ending))


def _placed(node: Drawn, left: float) -> float:
    """Give each node its place, a leaf beside the other; returns how many leaves there are."""
    width = 0.0
    for child in node.children:
        width += _placed(child, left + width)
    node.x = left + (max(width, 1.0) - 1) / 2
    return max(width, 1.0)


def _depth(node: Drawn) -> int:
    return 1 + max(map(_depth, node.children)) if node.children else 0


def _draw(axes: Axes, node: Drawn, ply: int) -> None:
    for child in node.children:
        style: dict[str, Any] = (
            {"linestyle": "--", "color": "#9aa1ab"} if child.pruned else {"linestyle": "-", "color": INK}
        )
        axes.plot((node.x, child.x), (-ply, -ply - 1), linewidth=0.8, zorder=1, **style)
        middle = ((node.x + child.x) / 2, -ply - 0.5)
        axes.text(*middle, child.move, fontsize=6, ha="center", va="center", zorder=2,
                  bbox={"facecolor": "white", "edgecolor": "none", "pad": 0.6})  # fmt: skip
        _draw(axes, child, ply + 1)
    box: dict[str, Any] = {
        "facecolor": "#eeeeee" if node.pruned else "white",
        "edgecolor": INK,
        "linewidth": 0.6,
        "pad": 1.5,
    }
    axes.text(node.x, -ply, "✕" if node.pruned else node.text, fontsize=6, ha="center", va="center", zorder=3, bbox=box)


def _write(path: Path, made: bytes) -> None:
    try:
        path.write_bytes(made)
    except OSError as error:
        raise TourneyError(
            f"{path}: can't be written ({error.strerror}): name a file in a folder that can be."
        ) from error
