"""What can be seen from inside a sandbox."""

import os
import subprocess
import sys

import pytest

from tournament.isolation.bubblewrap import is_there, wrapped

EVERY_ENVIRONMENT = """
import glob
for path in glob.glob("/proc/[0-9]*/environ"):
    print(path, open(path, "rb").read())
"""


@pytest.fixture(autouse=True)
def _needs_bubblewrap():
    if not is_there():
        assert "TOURNEY_REQUIRE_SANDBOX" not in os.environ, "bubblewrap is required here and not installed"
        pytest.skip("bubblewrap (bwrap) is not installed")


def test_no_process_inside_shows_the_environment_outside(monkeypatch):
    monkeypatch.setenv("TOKEN_OF_SOMEBODY", "very-secret")
    told = subprocess.run([*wrapped([]), sys.executable, "-c", EVERY_ENVIRONMENT], capture_output=True, text=True)
    assert told.returncode == 0, told.stderr
    assert "/proc/1/environ" in told.stdout
    assert "very-secret" not in told.stdout
