"""On Windows every command that plays says where it runs instead, and what only prints works."""

import json
import subprocess
import sys

import pytest
from typer.main import get_command

from tournament.cli import ANYWHERE, app

SENTENCE = (
    "this runs on Linux and macOS; on Windows, run it inside WSL: `tourney guide machines` says how, step by step."
)
ARGUMENTS = {
    "run": ["c.yaml"],
    "duel": ["windows", "runs"],
    "report": ["."],
    "show": [".", "game"],
    "search": ["44", "--evaluator", "windows", "--depth", "2"],
    "solve": ["44"],
    "play": [],
    "serve": [],
    "evaluators": [],
    "new": ["alice"],
    "check": ["windows"],
    "openings": ["plies=2"],
    "schema": [],
    "perft": ["2"],
    "bench": [],
}
# Others' packages come first: they would take their own ways on Windows, which are not there.
WINDOWS = """
import importlib.abc, importlib.metadata, io, json, os, platform, rich.console, rich.table, signal, sys
import sysconfig, typer, yaml
from contextlib import redirect_stderr, redirect_stdout

sysconfig.get_config_vars()  # a file that is named after the platform
LACKING = {"fcntl", "grp", "pwd", "resource", "termios", "tty", "pty", "readline", "_posixsubprocess", "posix"}

class Windows(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path, target=None):
        if name in LACKING:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

for name in LACKING:
    sys.modules.pop(name, None)
sys.meta_path.insert(0, Windows())
for name in ("fork", "getuid", "getgid", "setsid", "getsid", "killpg", "waitid", "sysconf", "memfd_create", "pread"):
    delattr(os, name)
for name in ("SIGKILL", "SIGSTOP", "SIGCONT", "SIGALRM", "SIGCHLD", "SIGXCPU", "setitimer", "pthread_sigmask"):
    delattr(signal, name)
sys.platform = "win32"

def answer(call):
    out, err = io.TextIOWrapper(io.BytesIO(), "utf-8"), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        try:
            code = call()
        except SystemExit as ended:
            code = ended.code or 0
        except BaseException as error:
            code = f"{type(error).__name__}: {error}"
    out.flush()
    return [code, out.buffer.getvalue().decode(), err.getvalue()]

def typed(*arguments):
    from tournament.cli import main
    sys.argv = ["tourney", *arguments]
    return answer(main)

def run():
    import tournament
    return tournament.run("c.yaml")

print(json.dumps([*(typed(*arguments) for arguments in json.load(sys.stdin)), answer(run)]))
"""


@pytest.fixture(scope="module")
def told(tmp_path_factory):
    """What is answered on a Windows of ours: exit code, standard output, standard error, by what was typed."""
    typed = [[name, *arguments] for name, arguments in ARGUMENTS.items()]
    typed += [[name, "--help"] for name in ARGUMENTS]
    typed += [[option] for option in ("--version", "--help")]
    typed += [["configs", *rest] for rest in ([], ["--json"], ["depths"], ["depth"])]
    folder = tmp_path_factory.mktemp("windows")
    command = [sys.executable, "-c", WINDOWS]
    ended = subprocess.run(command, cwd=folder, input=json.dumps(typed), capture_output=True, text=True, timeout=120)
    assert ended.returncode == 0, ended.stderr
    assert not list(folder.iterdir())
    return dict(zip([*map(" ".join, typed), "from Python"], json.loads(ended.stdout), strict=True))


def test_every_command_is_tried():
    commands = set(get_command(app).commands)  # type: ignore[attr-defined]
    assert set(ARGUMENTS) == commands - set(ANYWHERE)


@pytest.mark.parametrize("name", ARGUMENTS)
def test_a_command_that_plays_says_where_it_runs_and_its_help_is_there(told, name):
    assert told[" ".join([name, *ARGUMENTS[name]])] == [2, "", f"tourney: {SENTENCE}\n"]
    code, out, err = told[f"{name} --help"]
    assert (code, err) == (0, "")
    assert f"{name} [OPTIONS]" in out


def test_what_only_prints_works(told):
    codes = {what: told[what][0] for what in ("--version", "--help", "configs", "configs --json", "configs depths")}
    assert set(codes.values()) == {0}, codes
    assert told["--version"][1].startswith("tourney ")
    assert told["configs depths"][1].startswith("# Three evaluators")
    code, out, err = told["configs depth"]
    assert (code, out) == (2, "")
    assert "did you mean `depths`?" in err


def test_a_run_from_python_says_the_same(told):
    assert told["from Python"][0] == f"TourneyError: {SENTENCE}"
