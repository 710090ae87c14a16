"""Many games with broken evaluators among them leave nothing behind: `tests/soak.py`, short, or whole with `--long`."""

import subprocess
import sys

import pytest
from folders import TESTS

pytestmark = pytest.mark.needs_jit  # in plain Python these games would take hours


def test_a_soak_leaves_nothing_behind_and_blames_nobody_honest(tmp_path, long):
    command = [sys.executable, str(TESTS / "soak.py"), *([] if long else ["--short"])]
    with (tmp_path / "said").open("w") as said:  # no pipe: whoever is left would hold it open
        code = subprocess.run(command, stdout=said, stderr=said).returncode
    told = (tmp_path / "said").read_text()
    assert code == 0, told
    assert told.endswith("nothing is left behind, nobody honest was blamed\n"), told
