"""What is said of the system that we run on."""

import re
import subprocess
import sys

from tournament.system import about, jit_disabled

VALUES = ["", "0", "1", "2", "yes", " 1 "]  # of NUMBA_DISABLE_JIT


def test_the_version_is_one_line_about_all_that_matters(tourney, monkeypatch):
    monkeypatch.delenv("NUMBA_DISABLE_JIT", raising=False)
    code, out, _ = tourney("--version")
    assert (code, out) == (0, f"{about()}\n")
    python = ".".join(map(str, sys.version_info[:3]))
    assert re.fullmatch(rf"tourney [\w.]+, Python {re.escape(python)}\S*, numba [\w.]+, compiled\n", out)
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    assert tourney("--version")[1] == out.replace("compiled", "not compiled (NUMBA_DISABLE_JIT is set)")


def test_the_version_imports_no_numba():
    program = (
        "import sys; from typer.testing import CliRunner; from tournament.cli import app; "
        "assert CliRunner().invoke(app, ['--version']).exit_code == 0; print('numba' in sys.modules)"
    )
    told = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout
    assert told == "False\n"


def test_numba_is_known_to_be_switched_off_exactly_where_it_is(monkeypatch):
    program = (
        "import os, sys, warnings; from numba.core import config; warnings.simplefilter('ignore')\n"
        "for value in sys.argv[1:]:\n"
        "    os.environ['NUMBA_DISABLE_JIT'] = value; config.reload_config(); print(bool(config.DISABLE_JIT))"
    )
    command = [sys.executable, "-c", program, *VALUES]
    numbas = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
    ours = []
    for value in VALUES:
        monkeypatch.setenv("NUMBA_DISABLE_JIT", value)
        ours.append(str(jit_disabled()))
    assert ours == numbas
