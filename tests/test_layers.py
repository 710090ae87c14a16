"""The rooms of the house, who may look into which, and who alone may import what is heavy."""

import ast
import subprocess
import sys
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parent.parent / "tournament"

# A room may import from these rooms, and every room from errors, options, text and system.
ROOMS = {
    "games": "",
    "engine": "games",
    "truth": "engine games",
    "isolation": "",
    "plugins": "engine games",
    "match": "plugins engine truth games isolation",
    "plan": "plugins engine truth games isolation",
    "store": "engine truth games isolation",
    "evidence": "",
    "guides": "",
    "report": "store evidence engine truth games",
    "runs": "plan match plugins engine truth games isolation store report evidence",
    "web": "report store plugins engine truth games isolation match guides",
    "bench": "runs match plan plugins engine truth games isolation store web",
    "cli": "truth bench web runs report evidence store plan match plugins isolation engine games guides",
}
GROUND = {"errors", "options", "text", "system"}
ENTRANCES = {
    "__init__": "runs errors truth games system",
    "__main__": "cli",
    "toolkit": "games",
    "errors": "text",
    "system": "errors",
}

# Of some rooms only a part may be seen: what needs no compiler, or is about one thing.
PLAIN_ENGINE = {"algorithms", "game", "layout", "measured", "packed", "result", "settings", "values"}
ONLY = {
    ("store", "engine"): PLAIN_ENGINE,
    ("report", "engine"): PLAIN_ENGINE,
    ("plan", "engine"): PLAIN_ENGINE,
    ("plan", "isolation"): {"limits"},
    ("store", "isolation"): {"limits"},
    ("web", "match"): {"luck", "oracle"},
    ("store", "truth"): {"verdict"},  # plain records
    ("report", "truth"): {"verdict"},
    ("truth", "engine"): {"clocks", "records", "specialise"},  # how functions are compiled, of `engine/jit`
}
# What is heavy, and the only rooms, or files, that may import it.
HEAVY = {
    "numba": {"engine", "plugins/compiled.py"},
    "llvmlite": {"engine"},
    "scipy": set(),  # a second opinion in tests
    "matplotlib": {"report"},
    "jinja2": {"report", "web"},
    "starlette": {"web"},
    "uvicorn": {"web"},
    "markdown_it": {"web"},
    "distributed": {"runs"},
    "sqlite3": {"store"},
    "pydantic": {"plan"},
    "yaml": {"plan", "report"},  # a report reads which slice the config that it is of has chosen
    "typer": {"cli"},
    "rich": {"cli"},
}

FILES = sorted(path for path in PACKAGE.rglob("*.py") if "bundled" not in path.parts)


def name_of(path: Path) -> str:
    return str(path.relative_to(PACKAGE))


def room_of(path: Path) -> str:
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def imported(path: Path) -> set[str]:
    """What a file imports, wherever in it, as dotted names; but for types only."""
    tree = ast.parse(path.read_text("utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            node.body = []
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: imports are absolute"
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
    return found


def files_imported(path: Path) -> set[Path]:
    """The files of ours that a file imports."""
    found = set()
    for name in imported(path):
        parts = name.split(".")
        if parts[0] != "tournament":
            continue
        for length in (len(parts), len(parts) - 1):
            at = PACKAGE.joinpath(*parts[1:length])
            if at.with_suffix(".py").is_file() and length > 1:
                found.add(at.with_suffix(".py"))
                break
            if (at / "__init__.py").is_file():
                found.add(at / "__init__.py")
                break
    return found - {path}


each_file = pytest.mark.parametrize("path", FILES, ids=name_of)


@each_file
def test_a_room_looks_only_into_the_rooms_below_it(path):
    room = room_of(path)
    allowed = [*ROOMS[room].split(), room, *GROUND] if room in ROOMS else ENTRANCES.get(room, "").split()
    for other in files_imported(path):
        seen = room_of(other)
        assert seen in allowed, f"{name_of(path)} imports {name_of(other)}: {room} may import {allowed}"
        part = ONLY.get((room, seen))
        assert part is None or other.stem in part, f"{name_of(path)} imports {name_of(other)}: only {sorted(part)}"


def test_no_two_files_import_each_other_in_a_circle():
    graph = {name_of(path): {name_of(other) for other in files_imported(path)} for path in FILES}
    assert any(graph.values())
    list(TopologicalSorter(graph).static_order())  # which names the circle where there is one


@each_file
def test_what_is_heavy_is_imported_where_it_belongs_alone(path):
    for name in {name.split(".")[0] for name in imported(path)} & set(HEAVY):
        assert {room_of(path), name_of(path)} & HEAVY[name], f"{name_of(path)} imports {name}"


@each_file
def test_a_game_is_asked_only_for_what_its_list_offers(path):
    """The search, the page, the terminal and the report take from `games/connect4` what its `__init__` lists."""
    if room_of(path) in ("engine", "web", "cli", "report"):
        inner = {other.stem for other in files_imported(path) if other.parent == PACKAGE / "games" / "connect4"}
        allowed = {"__init__"}
        if path.parent == PACKAGE / "engine" / "jit":
            allowed |= {"bitboard", "features"}  # whose functions it registers with numba, all of them
        assert inner <= allowed


def test_every_room_is_on_the_list_and_few_files_lie_loose():
    rooms = {path.name for path in PACKAGE.iterdir() if (path / "__init__.py").is_file()}
    assert rooms == set(ROOMS)
    assert len(list(PACKAGE.glob("*.py"))) <= 9


def run_python(program: str) -> str:
    return subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout.strip()


def test_help_imports_nothing_heavy():
    program = (
        "import sys; from typer.testing import CliRunner; from tournament.cli import app; "
        "result = CliRunner().invoke(app, ['--help']); assert result.exit_code == 0, result.output; "
        "print(sorted({'numba', 'numpy', 'pydantic', 'yaml', 'matplotlib', 'jinja2'} & set(sys.modules)))"
    )
    assert run_python(program) == "[]"


def test_a_store_is_read_reported_and_watched_without_the_compiler():
    program = (
        "import sys\n"
        "for module in ('store', 'report.write', 'web.app'):\n"
        "    __import__(f'tournament.{module}')\n"
        "    print(module, *sorted({'numba', 'llvmlite'} & set(sys.modules)))"
    )
    assert run_python(program).splitlines() == ["store", "report.write", "web.app"]


def test_a_game_is_shown_and_reported_without_the_compiler(tmp_path):
    stores = Path(__file__).parent / "stores" / "v3" / "tournament"
    (tmp_path / "games.db").write_bytes((stores / "games.db").read_bytes())
    program = (
        "import sys; from tournament.store import Store; from pathlib import Path; from tournament.cli import main\n"
        f"folder = {str(tmp_path)!r}\n"
        "with Store(Path(folder)) as store: game = next(iter(store.games())).id\n"
        "for arguments in (['show', folder, game], ['report', folder]):\n"
        "    sys.argv = ['tourney', *arguments]\n"
        "    try: main()\n"
        "    except SystemExit as ended: assert not ended.code\n"
        "print(sorted({'numba', 'llvmlite'} & set(sys.modules)))"
    )
    assert run_python(program).endswith("[]")
    assert (tmp_path / "report.md").is_file()


def test_a_report_with_ratings_is_written_without_scipy(tmp_path):
    store = Path(__file__).parent / "stores" / "v3" / "tournament" / "games.db"
    (tmp_path / "games.db").write_bytes(store.read_bytes())
    program = (
        "import sys; from pathlib import Path; from tournament.store import Store\n"
        "from tournament.report.write import write_reports\n"
        f"folder = Path({str(tmp_path)!r})\n"
        "with Store(folder) as store: results = write_reports(store, folder)\n"
        "assert results.evidence is not None and results.evidence.ratings is not None\n"
        "print('scipy' in sys.modules)"
    )
    assert run_python(program) == "False"
