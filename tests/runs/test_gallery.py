"""A gallery of misbehaving evaluators and agents in one tournament with three honest ones, at every isolation."""

import os
import socket
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

import pytest
from folders import GALLERY, rows, without_seconds
from processes import adopt_orphans, leave_orphans

import tournament
from tournament.engine.jit.specialise import JIT_DISABLED
from tournament.isolation.bubblewrap import PROGRAM
from tournament.isolation.limits import Isolation
from tournament.isolation.namespaces import has_name_spaces
from tournament.store import Store

pytestmark = pytest.mark.skipif(JIT_DISABLED, reason="honest players would be too slow in plain Python")

HONEST = ("windows", "squares", "runs")
WAS_HERE = "tourney-gallery-was-here"

# What each forfeits by; None plays on, and does its harm besides.
KINDS = {
    "endless_in_python": "move time",
    "endless_compiled": "move time",
    "sleeps": "move time",
    "will_not_be_terminated": "move time",
    "raises_on_the_seventh_call": "raised",
    "raises_in_compiled_code": "raised",
    "raises_what_has_no_text": "raised",
    "raises_half_a_character": "raised",
    "recurses": "raised",
    "recurses_beyond_the_stack": "signal",
    "crashes": "signal",
    "kills_itself": "signal",
    "leaves_by_os_exit": "exit",
    "leaves_by_sys_exit": "exit",
    "eats_memory": "memory",
    "returns_nan": "score",
    "returns_none": "score",
    "returns_a_huge_integer": "score",
    "agent_that_raises": "raised",
    "agent_without_end": "move time",
    "agent_beyond_the_board": "illegal move",
    "agent_of_a_full_column": "illegal move",
    "agent_without_an_answer": "illegal move",
    "forks": None,
    "leaves_a_thread": None,
    "leaves_an_alarm": None,
    "prints_much": None,
    "changes_everything_around_it": None,
    "reads_the_opponent": None,
    "opens_a_socket": None,
    "writes_to_the_home_folder": None,
}
# Not for those who play in one process and trust each other.
AMONG_STRANGERS = {
    "writes_into_the_opponent": None,
    "hunts_other_processes": None,
    "looks_around_in_memory": None,
    "replaces_the_engine": "exit",  # it breaks its own search, and nothing else
    "kills_its_parent": None if has_name_spaces() else "any",  # which is out of its sight, or its own
    "boasts": "illegal move",
    "fails_to_load": "load",
    "ends_while_it_is_loaded": "load",
}


# Whoever moves for ever is ended by one line of code where players are apart: two that resist are enough there.
ONLY_IN_ONE_PROCESS = ("endless_in_python", "sleeps", "agent_without_end")

# Each sandbox takes half a second of CPU to start, and most faults are the same in one.
IN_A_SANDBOX = (
    *("endless_compiled", "eats_memory", "kills_its_parent", "prints_much", "raises_on_the_seventh_call"),
    *("reads_the_opponent", "opens_a_socket", "writes_to_the_home_folder", "agent_without_an_answer"),
    *("writes_into_the_opponent", "hunts_other_processes", "looks_around_in_memory"),
)


def config(names: Iterable[str], own: dict[str, Path]) -> str:
    """A tournament of the honest ones, each of whom also meets every one of the others that falls to it.

    `own` are the files of those who do not play from the gallery itself.
    """
    lines = ["players:", *(f"  {name}: {name}" for name in HONEST)]
    for name in names:
        agent = GALLERY / "agents" / f"{name}.py"
        lines.append(f"  {name}: {{connectx: {agent}}}" if agent.exists() else f"  {name}: {own.get(name, name)}")
    lines += [f"evaluators: [{GALLERY}]", "depths: [2]", "forfeit_limit: 1", "pairings:"]
    lines += ["  - [windows, squares]", "  - [windows, runs]", "  - [squares, runs]"]
    lines += [f"  - [{HONEST[number % 3]}, {name}]" for number, name in enumerate(names)]
    lines += ["limits: {move_seconds: 4, game_seconds: 60, memory_mb: 150}"]
    return "\n".join(lines)


JOBS: dict[Isolation, int] = {"game": 2, "player": 2, "sandbox": 2}


class Played:
    """A tournament with the gallery, and what was seen of it."""

    def __init__(self, folder: Path, isolation: Isolation, names: dict[str, str | None]) -> None:
        self.folder, self.names, self.isolation = folder, names, isolation
        (folder / "home").mkdir()
        (folder / "temporary").mkdir()
        self.home = folder / "home"
        cache = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
        own = {"HOME": str(self.home), "TMPDIR": str(folder / "temporary"), "XDG_CACHE_HOME": cache}
        config_name = f"gallery-{os.getpid()}-{folder.name}.yaml"  # which no other run on this machine is of
        command = [sys.executable, "-m", "tournament", "run", config_name, "--out", "out"]
        command += ["--isolation", isolation, "--jobs", str(JOBS[isolation])]
        left = adopt_orphans()
        with _Server() as server:
            filled = [
                fill_in(folder, "opens_a_socket", "PORT = 0 ", f"PORT = {server.port} "),
                fill_in(folder, "hunts_other_processes", 'PREY = b"" ', f"PREY = {config_name.encode()!r} "),
            ]
            (folder / config_name).write_text(config(names, {path.stem: path for path in filled}))
            done = subprocess.run(command, cwd=folder, env=os.environ | own, capture_output=True, text=True)
        self.code, self.said = done.returncode, done.stdout + done.stderr
        self.answered = server.answered
        self.left_processes = left()
        leave_orphans()
        self.left_files = os.listdir(folder / "temporary")
        assert (folder / "out" / "games.csv").exists(), f"the run itself has ended with {self.code}: {self.said}"
        self.rows = rows(folder / "out")
        with Store(folder / "out") as store:
            self.games = list(store.games())

    def of(self, name: str) -> list[dict[str, str]]:
        return [row for row in self.rows if name in (row["first"], row["second"])]

    def printed_by(self, name: str) -> str:
        sides = ((game.first.name, game.first_output) for game in self.games)
        others = ((game.second.name, game.second_output) for game in self.games)
        return "".join(output or "" for who, output in (*sides, *others) if who == name)


def fill_in(folder: Path, name: str, blank: str, filled: str) -> Path:
    """A copy of one of the gallery that knows something of this run: in a sandbox nothing else can tell it."""
    text = (GALLERY / f"{name}.py").read_text()
    assert text.count(blank) == 1
    copy = folder / f"{name}.py"
    copy.write_text(text.replace(blank, filled))
    return copy


class _Server:
    """Counts who calls."""

    def __enter__(self) -> "_Server":
        self.answered = 0
        self._socket = socket.create_server(("127.0.0.1", 0))  # whichever port is free
        self.port: int = self._socket.getsockname()[1]
        threading.Thread(target=self._answer, daemon=True).start()
        return self

    def _answer(self) -> None:
        while True:
            try:
                self._socket.accept()[0].close()
            except OSError:
                return
            self.answered += 1

    def __exit__(self, *_: object) -> None:
        self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()


@pytest.fixture(scope="module", params=JOBS)
def played(request, tmp_path_factory):
    """The whole gallery, once at each isolation."""
    if request.param == "sandbox":
        require_sandbox()
    names = KINDS if request.param == "game" else KINDS | AMONG_STRANGERS
    if request.param == "player":
        names = {name: kind for name, kind in names.items() if name not in ONLY_IN_ONE_PROCESS}
    if request.param == "sandbox":
        names = {name: names[name] for name in IN_A_SANDBOX}
    return Played(tmp_path_factory.mktemp(request.param), request.param, names)


def require_sandbox() -> None:
    """Skip where there is no bubblewrap, unless that is forbidden."""
    from shutil import which

    if which(PROGRAM) is None:
        assert "TOURNEY_REQUIRE_SANDBOX" not in os.environ, "bubblewrap is required here and not installed"
        pytest.skip("bubblewrap (bwrap) is not installed")


def test_the_tournament_ends_and_every_game_is_recorded(played):
    assert played.code == 0, played.said
    assert len(played.rows) == 2 * (3 + len(played.names))


def test_every_fault_is_the_right_players_and_of_the_right_kind(played):
    wrong = {}
    for name, kind in played.names.items():
        faults = [row for row in played.of(name) if row["fault"]]
        kinds = {row["fault"] for row in faults}
        if kind != "any" and kinds != ({kind} if kind else set()):
            wrong[name] = [(row["fault"], row["fault_message"]) for row in faults]
    assert not wrong
    honest = [
        row for row in played.rows if row["fault"] and row["second" if row["result"] == "first" else "first"] in HONEST
    ]
    assert not honest


def test_nobody_forfeits_more_often_than_the_limit_and_then_is_withdrawn(played):
    for name, kind in played.names.items():
        reasons = Counter(row["reason"] for row in played.of(name))
        if kind not in (None, "any"):
            assert (reasons["forfeit"], reasons["withdrawn"]) == (1, 1), name


@pytest.fixture(scope="module")
def alone(tmp_path_factory):
    """The games of the honest ones where nobody else plays."""
    folder = tmp_path_factory.mktemp("honest")
    (folder / "honest.yaml").write_text(config([], {}))
    tournament.run(folder / "honest.yaml", out=folder / "out", jobs=1)
    return rows(folder / "out")


def test_every_file_of_the_gallery_is_played():
    played = {*KINDS, *AMONG_STRANGERS}
    assert {path.stem for folder in (GALLERY, GALLERY / "agents") for path in folder.glob("*.py")} == played
    assert played >= {*ONLY_IN_ONE_PROCESS, *IN_A_SANDBOX}
    assert not {*ONLY_IN_ONE_PROCESS} & AMONG_STRANGERS.keys()


def test_the_honest_games_are_those_of_a_run_without_the_others(played, alone):
    among = [row for row in played.rows if row["first"] in HONEST and row["second"] in HONEST]
    assert len(alone) == 6
    assert without_seconds(among) == without_seconds(alone)


def test_those_who_play_on_have_tried_their_harm(played):
    """Without this, what the other tests say of it would hold of whoever never came to try."""
    tried = {name for name in played.names if "TRIED" in played.printed_by(name)}
    assert tried == {name for name, kind in played.names.items() if kind is None}


def test_nothing_is_left_behind(played):
    assert not played.left_processes
    assert not played.left_files


def test_what_players_print_is_kept_apart_and_cut(played):
    assert "noise" in played.printed_by("prints_much")
    assert "noise" not in played.said
    assert not any("\x1b" in (game.fault or "") + game.first_output + game.second_output for game in played.games)
    assert max(len(game.first_output) + len(game.second_output) for game in played.games) < 10_000


def test_the_faults_are_in_the_report_with_their_first_message(played):
    report = (played.folder / "out" / "report.md").read_text()
    assert "## Faults" in report
    assert "call number" in report
    assert f"| {played.isolation} (" in report


def test_where_players_are_apart_nobody_touches_the_opponent(played):
    if played.isolation == "game":
        pytest.skip("for those who trust each other")
    assert "WRITTEN" not in played.printed_by("writes_into_the_opponent")
    assert "KILLED" not in played.printed_by("hunts_other_processes")
    assert "FOUND" not in played.printed_by("looks_around_in_memory")


def test_these_attacks_work_where_players_share_a_process(tmp_path):
    """So that it means something that they don't where players are apart. Once in three tries is enough."""
    for number in range(3):
        (tmp_path / str(number)).mkdir()
        names = {"writes_into_the_opponent": None, "looks_around_in_memory": None}
        played = Played(tmp_path / str(number), "game", names)
        if "WRITTEN" in played.printed_by("writes_into_the_opponent"):
            break
    else:
        pytest.fail(str(played.of("writes_into_the_opponent")))
    found = played.printed_by("looks_around_in_memory")
    blamed = {row["fault"] for row in played.of("looks_around_in_memory") if row["fault"]}
    if blamed:
        assert blamed == {"move time"}, "by what it wrote into the journal"
    else:
        assert "FOUND the journal" in found


def test_in_a_sandbox_there_are_neither_network_nor_files(played):
    home = played.home
    if played.isolation != "sandbox":
        assert played.answered
        assert (home / WAS_HERE).exists()
        assert "READ" in played.printed_by("reads_the_opponent")
        return
    assert not played.answered
    assert "refused" in played.printed_by("opens_a_socket")
    assert not (home / WAS_HERE).exists()
    assert "READ" not in played.printed_by("reads_the_opponent")
