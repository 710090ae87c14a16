"""An evaluator that is a function of a program: known by its source text, and written into a file as it stands."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from pathlib import Path
from textwrap import dedent
from typing import Any

from tournament.errors import EvaluatorError

Function = Callable[..., Any]


def write_function(function: Function, folder: Path) -> Path:
    """The file of an evaluator with the text of a function, which is called `evaluate` there."""
    path = folder / f"{function.__name__}.py"
    text = source_of(function)
    folder.mkdir(parents=True, exist_ok=True)
    if not path.exists() or path.read_text("utf-8") != text:
        path.write_text(text, "utf-8")
    return path


def source_of(function: Function) -> str:
    """The text of a file with that function; EvaluatorError where its text alone does not say what it does."""
    name = function.__name__
    if name == "<lambda>":
        raise EvaluatorError("a lambda has no name to play under: write `def name(board): …`.")
    outside = inspect.getclosurevars(function)
    if used := sorted({*outside.nonlocals, *outside.globals}):
        raise EvaluatorError(
            f"`{name}` uses `{used[0]}` from outside, and an evaluator is known by its own text: import or define it "
            "within the function, or write a file."
        )
    try:
        text = dedent(inspect.getsource(function))
    except (OSError, TypeError) as error:
        raise EvaluatorError(f"the text of `{name}` can't be found: write it into a file or a cell.") from error
    text = re.sub(rf"\bdef {name}\b", "def evaluate", text[text.index("def ") :], count=1)
    first = (inspect.getdoc(function) or "").partition("\n")[0]
    docstring = f'"""{first}"""\n\n\n' if first else ""
    return f"{docstring}{text}"
