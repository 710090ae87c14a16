"""A soak: `python tests/soak.py [ISOLATION] [--short | --ten-minutes]`. 20 honest evaluators, 10 broken ones, over
20,000 games, or some fifteen times as many.

It says how long that took, and fails where processes, open files or temporary files are left, or memory, files or
processes grow on the way. The short form is what `pytest` runs: a few seconds, in which memory would tell nothing.
`pytest --long` runs the whole.
"""

import os
import sys
import tempfile
import threading
import time
from collections import Counter
from contextlib import suppress
from pathlib import Path

from tournament.isolation.process import reaping_orphans
from tournament.isolation.procfs import descendants
from tournament.report import write
from tournament.runs.runner import NullObserver, run

GALLERY = Path(__file__).parent / "gallery"
BROKEN = (
    *("endless_in_python", "endless_compiled", "sleeps", "crashes", "kills_itself", "leaves_by_os_exit"),
    *("eats_memory", "raises_on_the_seventh_call", "returns_nan", "forks"),
)
HONEST = 20
LEAST_GAMES = 20_000
OPENINGS, MANY_OPENINGS = 60, 930
SHORT_HONEST, SHORT_LEAST_GAMES, SHORT_OPENINGS = 3, 100, 10
SHORT_BROKEN = ("endless_compiled", "crashes", "raises_on_the_seventh_call", "forks")
TEXT = '''"""Squares by the distance from the middle, to the power of {power}."""


def evaluate(board):
    score = 0.0
    for row in range(board.shape[0]):
        for column in range(board.shape[1]):
            score += board[row, column] * (4.0 - abs(column - 3)) ** {power} / (1 + row * {slope})
    return score
'''
MARK = "TOURNEY_SOAK"  # in the environment of every process that comes of this one, whoever its parent is by then
SPARE = 4  # files and processes that come and go with a worker
MOST_GROWTH = 1.15  # of the parent's memory from a quarter of the way to the end


def memory() -> int:
    """The parent's own resident memory in kB."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return int(next(line.split()[1] for line in lines if line.startswith("RssAnon")))


def processes_left() -> list[str]:
    """What runs still of all that this process has started, as it was called."""
    found = [f"{pid} (a child)" for pid in descendants(os.getpid())]
    for path in Path("/proc").glob("[0-9]*/environ"):
        with suppress(OSError):
            if int(path.parent.name) != os.getpid() and f"{MARK}={os.environ[MARK]}".encode() in path.read_bytes():
                found.append(f"{path.parent.name} {(path.parent / 'cmdline').read_bytes()!r}")
    return found


def open_files() -> Counter[str]:
    """What this process has open, by name."""
    found: Counter[str] = Counter()
    for path in Path("/proc/self/fd").iterdir():
        with suppress(OSError):
            if not (name := os.readlink(path)).endswith(".ttf"):  # matplotlib keeps its fonts open
                found[name] += 1
    return found


class Watch(NullObserver):
    """Notes the parent's memory as games come in, and how many files and processes there are."""

    def __init__(self) -> None:
        self.games = 0
        self.seen: list[int] = []
        self.files: list[int] = []
        self.processes: list[int] = []

    def finished(self, task: object, game: object) -> None:
        self.games += 1
        if self.games % 1000 == 0:
            self.seen.append(memory())
            self.files.append(open_files().total())
            self.processes.append(len(set(descendants(os.getpid()))))


def soak(folder: Path, isolation: str, *, short: bool = False, many: bool = False) -> list[str]:
    """What went wrong."""
    broken = SHORT_BROKEN if short else BROKEN
    if short:
        write.drawn = lambda _: []  # charts take longer to draw than these games to play
    evaluators = folder / "evaluators"
    evaluators.mkdir()
    for number in range(SHORT_HONEST if short else HONEST):
        text = TEXT.format(power=1 + number % 5, slope=0.1 * (number // 5))
        (evaluators / f"honest{number:02}.py").write_text(text)
    for name in broken:
        (evaluators / f"{name}.py").write_text((GALLERY / f"{name}.py").read_text())
    players = [path.stem for path in sorted(evaluators.glob("*.py"))]
    config = folder / "soak.yaml"
    config.write_text(
        f"players: [{', '.join(players)}]\nevaluators: [evaluators]\ndepths: [2]\n"
        f"openings: {{plies: 5, sample: {SHORT_OPENINGS if short else MANY_OPENINGS if many else OPENINGS}}}\n"
        f"limits: {{move_seconds: {3 if short else 2}, memory_mb: 300}}\nforfeit_limit: {2 if short else 5}\n"
    )
    temporary = folder / "temporary"
    temporary.mkdir()
    tempfile.tempdir = str(temporary)
    watch, start, files = Watch(), time.time(), open_files()
    with reaping_orphans():
        results = run(config, out=folder / "out", jobs=2, isolation=isolation, observer=watch)  # type: ignore[arg-type]
    print(
        f"{watch.games:,} games played, {results.withdrawn:,} withdrawn, in {time.time() - start:.0f} s ({isolation})"
    )
    print(f"parent's memory in MB, every 1,000 games: {[size // 1024 for size in watch.seen]}")
    print(f"its open files: {watch.files}; processes: {watch.processes}")
    wrong = []
    if left := processes_left():
        wrong.append(f"processes are left: {left}")
    if left_open := open_files() - files:
        wrong.append(f"files are left open: {left_open}")
    if os.listdir(temporary):
        wrong.append(f"temporary files are left: {os.listdir(temporary)}")
    if threading.active_count() > 1:
        wrong.append("threads are left")
    if watch.games < (SHORT_LEAST_GAMES if short else LEAST_GAMES):
        wrong.append("these were too few games")
    if not short and watch.seen[-1] > MOST_GROWTH * watch.seen[len(watch.seen) // 4]:
        wrong.append("memory grew")
    for what, counts in (("files", watch.files), ("processes", watch.processes)):
        quarter = len(counts) // 4
        if not short and max(counts[-quarter:]) > max(counts[:quarter]) + SPARE:
            wrong.append(f"more and more {what} are open")
    honest = {fault.player.name for fault in results.faults} - set(broken)
    if honest:
        wrong.append(f"honest players were blamed: {honest}")
    return wrong


if __name__ == "__main__":
    if MARK not in os.environ:
        os.execve(sys.executable, [sys.executable, *sys.argv], os.environ | {MARK: str(os.getpid())})
    named = [argument for argument in sys.argv[1:] if not argument.startswith("--")]
    with tempfile.TemporaryDirectory() as made:
        mistakes = soak(Path(made), *(named or ["game"]), short="--short" in sys.argv, many="--ten-minutes" in sys.argv)
    print("\n".join(mistakes) or "nothing is left behind, nobody honest was blamed")
    sys.exit(bool(mistakes))
