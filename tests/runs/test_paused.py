"""A run whose processes all stand still for longer than a move may take: nobody loses a game by it."""

import os
import signal
import subprocess
import sys
import time
from contextlib import suppress

import pytest
from folders import rows, write
from processes import wait_until

import tournament
from tournament.isolation.procfs import descendants

SLOW = "import time\n\ndef evaluate(board):\n    time.sleep(0.02)\n    return board.sum()\n"
LIMIT, PAUSE = 0.8, 1.2
CONFIG = f"""\
players: [slow, windows]
evaluators: [slow.py]
depths: [1]
rules: {{rows: 4, columns: 4, connect: 3}}
limits: {{move_seconds: {LIMIT}}}
"""


def without_times(folder):
    return sorted(tuple((name, cell) for name, cell in row.items() if "seconds" not in name) for row in rows(folder))


@pytest.mark.parametrize("isolation", ["game", "player"])
def test_nobody_forfeits_a_game_while_all_processes_stand_still(tmp_path, isolation, long):
    if isolation == "player" and not long:
        pytest.skip("--long has it")
    write(tmp_path / "slow.py", SLOW)
    config = write(tmp_path / "c.yaml", CONFIG)
    command = [sys.executable, "-m", "tournament", "run", "c.yaml", "--isolation", isolation, "--jobs", "2"]
    process = subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert "played before" in process.stdout.readline()
    wait_until(lambda: len(set(descendants(process.pid))) >= 2)
    for _ in range(2):
        time.sleep(0.15)  # into the games, which take a second
        all_of_it = [process.pid, *descendants(process.pid)]
        for sign in (signal.SIGSTOP, signal.SIGCONT):
            for pid in all_of_it:
                with suppress(ProcessLookupError):  # some come and go
                    os.kill(pid, sign)
            time.sleep(PAUSE if sign == signal.SIGSTOP else 0)
    process.communicate(timeout=60)
    assert process.returncode == 0
    tournament.run(config, out=tmp_path / "undisturbed", isolation=isolation)
    assert without_times(tmp_path / "reports" / "c") == without_times(tmp_path / "undisturbed")
    assert {game["reason"] for game in rows(tmp_path / "undisturbed")} <= {"line", "full board"}
