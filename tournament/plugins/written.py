"""An evaluator that is a function of a program: known by its source text, and written into a file as it stands."""

from __future__ import annotations

import ast
import builtins
import dis
import inspect
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from textwrap import dedent
from types import CodeType, FunctionType
from typing import Any

from tournament.errors import EvaluatorError

Function = Callable[..., Any]
FROM_OUTSIDE = ("LOAD_NAME", "LOAD_GLOBAL")  # also defaults and annotations, which are read where it is defined


def write_function(function: Function, folder: Path) -> Path:
    """The file of an evaluator with the text of a function, which is called `evaluate` there."""
    text = source_of(function)
    path = folder / f"{function.__name__}.py"
    folder.mkdir(parents=True, exist_ok=True)
    if not path.exists() or path.read_text("utf-8") != text:
        path.write_text(text, "utf-8")
    return path


def source_of(function: Function) -> str:
    """The text of a file with that function; EvaluatorError where its text alone does not say what it does."""
    if not isinstance(function, FunctionType):
        raise EvaluatorError(f"{function!r} is no function with a text of its own: write `def name(board): …`.")
    name = function.__name__
    if name == "<lambda>":
        raise EvaluatorError("a lambda has no name to play under: write `def name(board): …`.")
    try:
        text = dedent(inspect.getsource(function))
        defined = ast.parse(text).body[0]
    except (OSError, TypeError, SyntaxError) as error:
        raise EvaluatorError(f"the text of `{name}` can't be found: write it into a file or a cell.") from error
    if not isinstance(defined, ast.FunctionDef) or defined.decorator_list or hasattr(function, "__wrapped__"):
        raise EvaluatorError(f"`{name}` is decorated, so that its own text is not all it does: write a plain function.")
    if used := sorted(set(_read_outside(compile(text, name, "exec", dont_inherit=True))) - {*dir(builtins)}):
        raise EvaluatorError(
            f"`{name}` uses `{used[0]}` from outside, and an evaluator is known by its own text: import or define it "
            "within the function, or write a file."
        )
    text = re.sub(rf"\b{name}\b", "evaluate", text, count=1)
    first = (inspect.getdoc(function) or "").partition("\n")[0]
    plain = not {'"', "\\"} & set(first)
    docstring = (f'"""{first}"""' if plain else repr(first)) + "\n\n\n" if first else ""
    return f"{docstring}{text}"


def _read_outside(code: CodeType) -> Iterator[str]:
    """The names that are read and not defined within, also in functions within it."""
    yield from (each.argval for each in dis.get_instructions(code) if each.opname in FROM_OUTSIDE)
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            yield from _read_outside(inner)
