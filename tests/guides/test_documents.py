"""README and the guides say what is so: their commands run, their configs are read, their samples come out."""

import re
import runpy
import shlex
import shutil
import tomllib
from dataclasses import replace
from functools import partial
from io import StringIO
from itertools import pairwise
from pathlib import Path

import pytest
import yaml
from documents import DOCUMENTS, LANGUAGES, README, Block, blocks, blocks_of, code, commands
from folders import REFERENCE, ROOT, rows, write
from starlette.testclient import TestClient
from typer.main import get_command

import tournament
from tournament.bench import against, game_rate, isolation_cost, page_latency, page_load, speed, truth_speed
from tournament.cli import app
from tournament.engine.jit.specialise import JIT_DISABLED
from tournament.games.connect4 import STANDARD
from tournament.plan.schema import Config
from tournament.plugins.compiled import warm_up
from tournament.plugins.evaluator import load_file
from tournament.web import server
from tournament.web.app import make_app
from tournament.web.thinker_pool import Thinkers

pytestmark = pytest.mark.skipif(JIT_DISABLED, reason="about what is written, not about the engine")

CONTRIBUTING = ROOT / "CONTRIBUTING.md"
PACKAGE = ROOT / "tournament"
COMMANDS = get_command(app).commands  # type: ignore[attr-defined]
OF_THE_SYSTEM = {"cd", "dask", "mkdir", "pip", "pytest", "python3", "sudo", "wsl"}
STANDS_FOR = {  # what a document writes in capitals
    "COMMAND": "run",
    "CONFIG": "configs/depths.yaml",
    "DIR": "reports/depths",
    "NAME": "windows",
    "NEW": "windows",
    "OLD": "runs",
    "POSITION": "4435",
    "PROGRAM": str(REFERENCE / "fake_limit.py"),
    "SUITE": "plies=1",
    "PLIES": "2",
}
NAMES = {"configs": "depths", "guide": "evidence", "new": "alice"}  # what NAME is to these commands
DEPTH, PLIES = 2, 3  # as deep as a command of a document goes here


def ours() -> list[str]:
    """Every command of ours, with something for what a document writes in capitals; each once."""
    return sorted({filled_in(command) for command in commands() if command.startswith("tourney")})


def filled_in(command: str) -> str:
    words = command.split(" ")
    stands_for = STANDS_FOR | {"NAME": NAMES.get(words[1] if len(words) > 1 else "", STANDS_FOR["NAME"])}
    return " ".join(stands_for.get(word, word) for word in words)


def small(config: dict) -> dict:
    """The same config, quickly played."""
    if "study" in config:
        studies = config["study"] if isinstance(config["study"], list) else [config["study"]]
        shorter = [study | {"depths": [1, 2]} | small_boards(study) for study in studies]
        return config | {"study": shorter}
    names_players = isinstance(config.get("pairings"), list)
    players = config["players"] if names_players else first_three(config["players"])
    return config | {"depths": [1, 2], "openings": "empty", "players": players}


def small_boards(study: dict) -> dict:
    return {"rules": study["rules"][:2]} if isinstance(study.get("rules"), list) else {}


def first_three(players: dict | list) -> dict | list:
    return dict(list(players.items())[:3]) if isinstance(players, dict) else players[:3]


def name_of(block: Block) -> str:
    """The file that a block is to be saved as: what its first comment says, or an evaluator's own name."""
    if named := re.match(r"# (\S+\.\w+)\n", block.text):
        return named[1]
    if evaluator := re.match(r'"""(\w+): .*^def evaluate', block.text, re.MULTILINE | re.DOTALL):
        return f"evaluators/{evaluator[1].lower()}.py"
    return ""


def fill(folder: Path) -> Path:
    """A folder like a checkout, with every file that a document tells one to write."""
    for name in ("configs", "evaluators", "tests/agents"):
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    for block in (*blocks_of("python"), *blocks_of("yaml")):
        if name := name_of(block):
            write(folder / name, block.text)
    (folder.parent / "my_heuristics").mkdir()
    return folder


@pytest.fixture(scope="module")
def checkout(tmp_path_factory) -> Path:
    return fill(tmp_path_factory.mktemp("whole") / "checkout")


@pytest.fixture(scope="module")
def small_checkout(tmp_path_factory) -> Path:
    """The same with small configs, one of them played."""
    warm_up(STANDARD)  # its evaluators lie in a folder of its own, and so are compiled anew
    folder = fill(tmp_path_factory.mktemp("small") / "checkout")
    for path in (*(folder / "configs").glob("*.yaml"), *folder.glob("*.yaml")):
        path.write_text(yaml.safe_dump(small(yaml.safe_load(path.read_text("utf-8")))))
    tournament.run(folder / "configs" / "depths.yaml", jobs=1, out=folder / "reports" / "depths")
    return folder


@pytest.fixture
def no_long_measurements(monkeypatch):
    timed, move_seconds = speed._timed, page_latency.move_seconds
    monkeypatch.setattr(speed, "PLAIN_DEPTH", DEPTH)
    monkeypatch.setattr(speed, "REPEATS", 1)
    monkeypatch.setattr(speed, "_timed", lambda one, rules, how: timed(one, rules, replace(how, depth=DEPTH)))
    searches = tuple((file, DEPTH, told) for file, _, told in against.SEARCHES)
    monkeypatch.setattr(against, "SEARCHES", searches)
    monkeypatch.setattr(isolation_cost, "DEPTHS", (1,))
    monkeypatch.setattr(isolation_cost, "OPENINGS", ("44",))
    monkeypatch.setattr(isolation_cost, "ROUNDS", 1)
    monkeypatch.setattr(game_rate, "PLAYERS", ("windows", "runs"))
    monkeypatch.setattr(game_rate, "OPENINGS", {1: 1})
    for name, value in {
        "EMPTY": ["4444443333"],
        "PLIES": range(16, 17),
        "POSITIONS": 1,
        "OPENINGS": ("1234567",),
    }.items():
        monkeypatch.setattr(truth_speed, name, value)
    monkeypatch.setattr(page_latency, "move_seconds", partial(move_seconds, depth=DEPTH, count=1))
    monkeypatch.setattr(page_load, "browser", lambda: "chromium")
    monkeypatch.setattr(page_load, "load_seconds", lambda program: [0.1])


@pytest.fixture
def no_server_that_stays(monkeypatch):
    def serve(folders, evaluators, port, *, open_browser):
        client = TestClient(make_app(folders, evaluators, thinkers=Thinkers([])), base_url="http://127.0.0.1:8765")
        assert client.get("/").status_code == 200

    monkeypatch.setattr(server, "serve", serve)


# ── commands ─────────────────────────────────────────────────────────────────────────────────────


def small_form(arguments: list[str], folder: Path) -> list[str]:
    """The same command with less to do: not as deep, not as many pairs."""
    for before, (number, argument) in pairwise(["", *enumerate(arguments)]):
        if before and before[1] == "--depth":
            arguments[number] = str(min(int(argument), DEPTH))
        elif before == (0, "perft"):
            arguments[number] = str(min(int(argument), PLIES))
    match arguments[0]:
        case "duel":
            return [*arguments, "--max-pairs", "2", "--jobs", "1"]
        case "run":
            return [*arguments, "--jobs", "1"]
        case "new":
            (folder / "evaluators" / f"{arguments[1]}.py").unlink(missing_ok=True)
    return arguments


def is_only_named(arguments: list[str]) -> bool:
    """Whether a sentence speaks of a command that can't be given like this: it lacks what it needs."""
    needed = [each for each in COMMANDS[arguments[0]].params if each.required]
    return len(arguments) == 1 and bool(needed)


@pytest.mark.parametrize("command", ours())
@pytest.mark.usefixtures("no_long_measurements", "no_server_that_stays")
def test_a_command_of_a_document_runs(command, tourney, small_checkout, monkeypatch, dask_scheduler):
    monkeypatch.chdir(small_checkout)
    monkeypatch.setattr("sys.stdin", StringIO("quit\n"))
    typed, _, redirected = command.partition(" > ")
    game = rows(small_checkout / "reports" / "depths")[0]["game"]
    arguments = [game if word == "GAME" else word for word in shlex.split(typed)[1:]]
    assert not [word for word in arguments if word.isupper() and word.isalpha() and word != "X"], "what does it mean?"
    if not arguments:
        arguments = ["--help"]
    elif arguments[0] in COMMANDS:
        arguments = [*arguments, "--help"] if is_only_named(arguments) else small_form(arguments, small_checkout)
    arguments = [word.replace("tcp://HOST:8786", dask_scheduler(word)) for word in arguments]
    code, out, err = tourney(*arguments)
    assert code == 0, out + err
    assert "Traceback" not in err
    assert out or arguments[0] == "serve"
    if redirected:
        write(small_checkout / redirected, out)


@pytest.fixture
def dask_scheduler(request):
    """The address of a scheduler, for a command that names one; it is started only then."""

    def address(word: str) -> str:
        if "tcp://HOST" not in word:
            return ""
        from distributed import LocalCluster

        local = LocalCluster(n_workers=1, threads_per_worker=1, dashboard_address=None, silence_logs=50)
        request.addfinalizer(local.close)
        return local.scheduler_address

    return address


@pytest.mark.parametrize("command", [each for each in commands() if not each.startswith("tourney")])
def test_a_command_that_is_not_ours_is_one_of_a_few(command):
    words = shlex.split(command)
    assert words[0] in OF_THE_SYSTEM
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    if words[0] == "pip":
        assert set(re.findall(r"\[(\w+)\]", command)) <= set(extras)


def test_readme_names_every_command():
    named = set(re.findall(r"tourney (\w+)", README.read_text("utf-8")))
    assert named >= set(COMMANDS)


# ── configs, programs ────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("block", blocks_of("yaml"), ids=lambda block: block.place)
def test_a_config_of_a_document_can_be_planned(block, tourney, checkout, monkeypatch):
    monkeypatch.chdir(checkout)
    write(checkout / "from_a_document.yaml", block.text)
    code, out, err = tourney("run", "from_a_document.yaml", "--dry-run")
    assert code == 0, out + err
    assert out


@pytest.mark.parametrize("block", blocks_of("python"), ids=lambda block: block.place)
def test_a_program_of_a_document_runs(block, small_checkout, monkeypatch):
    monkeypatch.chdir(small_checkout)
    if "def evaluate" in block.text:
        evaluator = load_file(small_checkout / name_of(block), "document")
        assert evaluator.description.endswith(".")
    else:
        runpy.run_path(str(write(small_checkout / (name_of(block) or "program.py"), block.text)))


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_a_block_says_what_it_is(document):
    assert {block.language for block in blocks(document)} <= LANGUAGES


def keys(schema: object) -> set[str]:
    """Every key that a config may have, wherever."""
    if isinstance(schema, list):
        return set().union(*map(keys, schema))
    if not isinstance(schema, dict):
        return set()
    return set(schema.get("properties", ())).union(*map(keys, schema.values()))


@pytest.mark.parametrize("key", sorted(keys(Config.model_json_schema())))
def test_every_key_of_a_config_stands_in_a_guide(key):
    assert [path for path in DOCUMENTS[1:] if re.search(rf"\b{key}\b", code(path))]


# ── CONTRIBUTING ─────────────────────────────────────────────────────────────────────────────────


def test_contributing_names_files_that_are_there():
    named = re.findall(r"`([\w/]+(?:\.py|\.md|/))`", CONTRIBUTING.read_text("utf-8"))
    there = [path.as_posix() for path in (*ROOT.glob("*"), *(ROOT / "tests").rglob("*"), *PACKAGE.rglob("*"))]
    missing = [name for name in named if not any(f"{path}/".endswith(f"/{name.rstrip('/')}/") for path in there)]
    assert len(named) > 20
    assert not [name for name in missing if "alice" not in name]


def test_contributing_says_why_each_package_is_there():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    needed = [
        *project["dependencies"],
        *(each for extra in project["optional-dependencies"].values() for each in extra),
    ]
    names = {re.split(r"[>=\[]", each)[0] for each in needed}
    said = set(re.split(r"[ ,|]+", CONTRIBUTING.read_text("utf-8").partition("## What it stands on")[2]))
    assert names <= said


# ── samples of output ────────────────────────────────────────────────────────────────────────────


def squeezed(text: str) -> str:
    """As wide as need be: how wide a column is depends on the seconds in it."""
    return re.sub(r" +$", "", re.sub(r"([ ━─])\1+", r"\1", text), flags=re.MULTILINE)


# Times, as they stand in an escaped line.
TIME = re.compile(r"\d+\\\.\d{3,}\b|(?<=about\\ )\d+\b|(?<=games\\ in\\ )\d+(?:\\\.\d+)?\b")


def pattern(sample: list[str]) -> str:
    """What the output has to match: seconds are as they are, and … stands for anything, a line of its own for lines."""
    lines = []
    for line in map(squeezed, sample):
        if line == "…":
            lines.append(r"(?:.*\n)*?")
            continue
        told = "…".join(TIME.sub(r"[\\d.,]+", re.escape(part)) for part in line.split("…"))
        lines.append(told.replace("…", ".*") + r"\n")
    return "".join(lines)


@pytest.mark.parametrize("block", blocks_of("console"), ids=lambda block: block.place)
def test_a_sample_is_what_the_command_prints(block, tourney, checkout, monkeypatch):
    command, *sample = block.text.splitlines()
    monkeypatch.chdir(checkout)
    monkeypatch.setenv("COLUMNS", "80")
    if "|" in command:
        piped, _, command = command.partition(" | ")
        typed = piped.removeprefix("$ printf ").strip("'").replace("\\n", "\n")
        monkeypatch.setattr("sys.stdin", StringIO(typed))
    code, out, err = tourney(*shlex.split(command.removeprefix("$ "))[1:])
    assert code == 0, out + err
    assert re.fullmatch(pattern(sample), squeezed(out)), out


def test_a_sample_with_another_figure_does_not_match():
    sample = ["…", " 2  robert  219  0.000  a", "…"]
    assert re.fullmatch(pattern(sample), squeezed("Games\n 2  robert  219  1.234  a   \n\n"))
    assert not re.fullmatch(pattern(sample), squeezed("Games\n 2  robert  218  1.234  a\n\n"))
    assert not re.fullmatch(pattern(sample[1:]), squeezed("Games\n 2  robert  219  1.234  a\n\n"))
