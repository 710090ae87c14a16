"""Imports point one way, as DESIGN draws it; nothing imports the command line, or an evaluator by name."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parent.parent / "tournament"

# From the top down: a module may import what stands in a lower line, or beside it.
LAYERS = [
    ["cli", "__main__", "__init__"],
    ["web"],
    ["estimate", "duel"],
    ["runner", "check", "bench", "overhead"],
    ["report", "cluster", "rehearsal"],
    ["html_report", "playing"],
    ["charts", "study_charts", "summary", "workers"],
    ["study_results"],
    ["results", "planning"],
    ["evidence"],
    ["rating_tables"],
    ["pairs"],
    ["ratings", "verdicts", "sprt", "store", "config"],
    ["entries"],
    ["table", "chart", "looks"],
    ["study", "friendly"],
    ["entrant", "sandbox"],
    ["referee", "new"],
    ["sides", "journal"],
    ["schedule"],
    ["players", "catalogue", "openings"],
    ["timing", "perft", "yardstick"],
    ["branch"],
    ["explain"],
    ["agent"],
    ["search"],
    ["nodes"],
    ["scorer", "samples", "transpositions"],
    ["evaluator"],
    ["jit"],
    ["wide", "toolkit"],
    ["position"],
    ["settings"],
    ["bitboard", "rules"],
    ["surroundings"],
    ["guard", "limits"],
    ["plugin"],
    ["errors", "template", "machine"],
]
LEVEL = {module: level for level, modules in enumerate(LAYERS) for module in modules}


def module_of(path: Path) -> str:
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def imports(path: Path) -> set[str]:
    """The modules of ours that a file imports, wherever in it, but for types only."""
    tree = ast.parse(path.read_text())
    for node in ast.walk(tree):
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            node.body = []
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        else:
            continue
        found |= {name.split(".")[1] for name in names if name.startswith("tournament.")}
    return found


FILES = sorted(PACKAGE.rglob("*.py"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_imports_point_downwards(path):
    own = module_of(path)
    assert own in LEVEL, f"say in LAYERS where {own} belongs"
    upwards = {name for name in imports(path) - {own} if LEVEL[name] < LEVEL[own]}
    assert not upwards


def test_nothing_imports_the_command_line():
    assert {module_of(path) for path in FILES if "cli" in imports(path)} <= {"cli", "__main__"}


def test_help_imports_nothing_heavy():
    program = (
        "import sys; from typer.testing import CliRunner; from tournament.cli import app; "
        "result = CliRunner().invoke(app, ['--help']); assert result.exit_code == 0, result.output; "
        "print(sorted({'numba', 'numpy', 'pydantic', 'yaml', 'matplotlib', 'jinja2'} & set(sys.modules)))"
    )
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert result.stdout.strip() == "[]"
