"""Files beside an agent: which of them belong to it, how it comes by them, and that they are part of who it is."""

import ast
import os
import sys
from pathlib import Path

import pytest

from tournament.engine.settings import Settings
from tournament.errors import EvaluatorError, PlayerFault
from tournament.games.connect4 import Position
from tournament.plugins.agent import Agent, TimeLeft, read_agent
from tournament.plugins.player import Player

TIME = TimeLeft(2, 60, 1800)
USES_HELPER = "import helper\n\ndef agent(o, c):\n    return helper.column(o)\n"
HELPER = "def column(o):\n    return {}\n"


@pytest.fixture
def folder(tmp_path):
    """A folder with an agent and these files; the agent as it is read."""

    def make(text: str = USES_HELPER, name: str = "mine", **files: str) -> Agent:
        home = tmp_path / name
        for place, its in {"agent.py": text, **files}.items():
            path = home / place
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(its)
        return read_agent(home / "agent.py", name)

    return make


def chosen(agent: Agent) -> int:
    return agent.load().choose(Position(), TIME)


def key(agent: Agent) -> str:
    return Player("mine", agent, Settings(1)).key


FOUND = [
    ("import helper", ["helper.py"]),
    ("from helper import x", ["helper.py"]),
    ("def agent(o, c):\n    import helper", ["helper.py"]),
    ("try:\n    import helper\nexcept ImportError:\n    pass", ["helper.py"]),
    ("import importlib\nimportlib.import_module('helper')", ["helper.py"]),
    ("import further", ["further.py", "helper.py"]),
    ("import package.inner", ["helper.py", "package/__init__.py", "package/deep/more.py", "package/inner.py"]),
    ("from package import *", ["helper.py", "package/__init__.py", "package/deep/more.py", "package/inner.py"]),
    ("import spaces.one", ["spaces/one.py"]),
    ("import math, numpy, os.path", []),
    ("import agent", []),
    ("import no_such_module", []),
    ("from . import helper", []),
    ("import random", []),
    ("this is not Python", []),
]


@pytest.mark.parametrize(("text", "files"), FOUND, ids=[text for text, _ in FOUND])
def test_what_an_agent_imports_from_its_folder_belongs_to_it(folder, text, files):
    agent = folder(
        text,
        **{
            "helper.py": "x = 1\n",
            "further.py": "import helper\n",
            "package/__init__.py": "",
            "package/inner.py": "import helper\nfrom . import deep\n",
            "package/deep/more.py": "",
            "spaces/one.py": "",
            "random.py": "raise ValueError('what Python has by that name is meant')\n",
            "unused.py": "",
            "data.txt": "",
        },
    )
    assert [place for place, _ in agent.beside] == files


def test_a_link_that_leads_out_of_the_folder_is_not_followed(folder, tmp_path):
    (tmp_path / "secret.py").write_text("SECRET = 1\n")
    first = folder("import helper, secret\n", **{"helper.py": ""})
    os.symlink(tmp_path / "secret.py", first.path.with_name("secret.py"))
    assert [place for place, _ in read_agent(first.path, "mine").beside] == ["helper.py"]


def test_a_changed_file_beside_an_agent_makes_another_player_of_it_and_one_that_it_does_not_import_none(folder):
    files = {"helper.py": HELPER.format(1), "unused.py": ""}
    before = key(folder(**files))
    assert key(folder(**files | {"unused.py": "x = 1\n"})) == before
    assert key(folder(**files | {"helper.py": HELPER.format(2)})) != before
    assert key(folder(name="copied", **files)) == before, "wherever it lies"


def test_two_agents_in_one_process_have_each_their_own_file_of_the_same_name(folder):
    late = "def agent(o, c):\n    import helper as own\n    own.n = getattr(own, 'n', 0) + 1\n    return own.n\n"
    one = folder(name="one", **{"helper.py": HELPER.format(1)}).load()
    two = folder(name="two", **{"helper.py": HELPER.format(2)}).load()
    first, second = (folder(late, "late", **{"helper.py": ""}).load() for _ in range(2))
    for number in (1, 2, 3):
        assert [agent.choose(Position(), TIME) for agent in (one, two, first, second)] == [1, 2, number, number]
    assert "helper" not in sys.modules


MADE_UP = """
import importlib, os, sys

name = "made" + "_up"
sys.path.append(os.path.join(os.path.dirname(__file__), "below"))
deep = importlib.import_module("deep" + "er.still")

def agent(o, c):
    made_up, low = __import__(name), __import__("l" + "ow")
    made_up.n, low.n, deep.n = made_up.n + 1, low.n + 10, deep.n + 100
    return made_up.n + low.n + deep.n + helper.own()

import helper
helper.back()
"""


def test_so_they_have_of_names_that_are_made_up_while_they_run(folder):
    def bot(name: str, number: int) -> Agent:
        its = f"n = {number}\n"
        back = f"def back():\n    import agent\n\ndef own():\n    import agent\n    return agent.{name}\n"
        files = {"made_up.py": its, "deeper/still.py": its, "below/low.py": its, "helper.py": back}
        return folder(f"{name} = {1000 * number}\n{MADE_UP}", name, **files)

    before = set(sys.modules)
    one, two = bot("one", 1).load(), bot("two", 2).load()
    for number in (1, 2, 3):
        told = [agent.choose(Position(), TIME) for agent in (one, two)]
        assert told == [1003 + 111 * number, 2006 + 111 * number]
    assert not {"made_up", "low", "deeper", "deeper.still", "agent", "helper"} & set(sys.modules) - before


def test_an_agent_finds_its_own_file_first_and_leaves_others_of_that_name_as_they_are(folder, tmp_path, monkeypatch):
    (tmp_path / "helper.py").write_text(HELPER.format(5))
    monkeypatch.syspath_prepend(str(tmp_path))
    other, path = __import__("helper"), list(sys.path)
    adds = "import sys, os\nsys.path.insert(0, os.path.dirname(__file__))\n" + USES_HELPER
    assert chosen(folder(adds, **{"helper.py": HELPER.format(3)})) == 3
    assert (sys.modules.pop("helper"), sys.path) == (other, path)


def test_nothing_is_written_into_the_folder_of_an_agent(folder):
    agent = folder(**{"helper.py": HELPER.format(4)})
    assert chosen(agent) == 4
    assert sorted(path.name for path in agent.path.parent.iterdir()) == ["agent.py", "helper.py"]


def test_where_its_folder_is_not_to_be_seen_an_agent_has_copies_of_its_own_files_alone(folder):
    text = f"import os\n{USES_HELPER}    # and\nprint(sorted(os.listdir(os.path.dirname(__file__))))\n"
    agent = folder(text, **{"helper.py": HELPER.format(4), "unused.py": "", "secret.txt": ""})
    elsewhere = Agent(*agent.parts)
    for path in agent.path.parent.iterdir():
        path.unlink()
    assert chosen(elsewhere) == 4
    assert sorted(path.name for path in elsewhere.file.parent.iterdir()) == ["agent.py", "helper.py"]


def test_a_fault_in_a_file_beside_an_agent_is_told_with_that_file_and_its_own_traceback(folder):
    agent = folder(**{"helper.py": "def column(o):\n    return 1 // 0\n"})
    with pytest.raises(PlayerFault, match=r"mine/helper\.py:2: agent raised ZeroDivisionError") as raised:
        chosen(agent)
    lines = (raised.value.traceback or "").splitlines()
    assert lines[0] == f'  File "{agent.path}", line 4, in agent'
    assert f'  File "{agent.path.with_name("helper.py")}", line 2, in column' in lines
    assert "tournament" not in (raised.value.traceback or "").replace(str(agent.path.parent), "")


LOAD_FAULTS = [
    ("raise ValueError('no')\n", r"mine/helper\.py:1: raised ValueError while being loaded: no\.$"),
    ("def (\n", r"mine/agent\.py:1: raised SyntaxError while being loaded: .*helper\.py, line 1\)\.$"),
    (
        "import kaggle_environments\n",
        r"mine/helper\.py:1: raised ModuleNotFoundError while being loaded: No module named 'kaggle_environments'\. "
        r"An agent can import what is installed here, and Python files of its own folder\.$",
    ),
]


@pytest.mark.parametrize(("helper", "told"), LOAD_FAULTS)
def test_what_keeps_a_file_beside_it_from_being_imported_is_told(folder, helper, told):
    with pytest.raises(EvaluatorError, match=told):
        folder(**{"helper.py": helper}).load()


def test_our_own_agents_import_what_they_say():
    agents = Path(__file__).parent.parent / "agents"
    beside = {path.name: [place for place, _ in read_agent(path, "").beside] for path in sorted(agents.glob("*.py"))}
    assert beside == {"imports.py": ["lines.py"], "instance.py": [], "lines.py": [], "remembers.py": []}
    assert all(ast.get_docstring(ast.parse(path.read_text())) for path in agents.glob("*.py"))
