"""ConnectX agents in a tournament: the same games wherever and with however many others they play."""

from pathlib import Path

import pytest
from folders import ROOT, TESTS, rows, without_seconds
from test_gallery import require_sandbox

import tournament
from tournament.isolation.limits import LOAD_SECONDS, Isolation
from tournament.plan.reading import read_config
from tournament.plugins.agent import AGENT_TIMEOUT

AGENTS = TESTS / "agents"
# What it keeps beyond its own file, a fresh module of that file would still find.
KEEPS = """
import math, helper
import os, sys, warnings
import numpy as np

sys.setrecursionlimit(4321)
os.environ["TOURNEY_KEEPS"] = "1"
warnings.simplefilter("error", BytesWarning)
np.seterr(divide="raise")

math.tourney_games = getattr(math, "tourney_games", 0) + 1
helper.games += 1

class Keeps:
    moves = 0

    def __call__(self, observation, configuration):
        assert (sys.getrecursionlimit(), os.environ["TOURNEY_KEEPS"], np.geterr()["divide"]) == (4321, "1", "raise")
        assert warnings.filters[0][0] == "error", "what its file has set is there in its game"
        self.moves += 1
        open_columns = [c for c in range(configuration.columns) if observation.board[c] == 0]
        return open_columns[(self.moves + 3 * helper.games + 5 * math.tourney_games) % len(open_columns)]

keeps = Keeps()
"""


def played(folder: Path, config: str, isolation: Isolation, jobs: int) -> list[dict[str, str]]:
    (folder / "c.yaml").write_text(config)
    out = folder / f"{isolation}-{jobs}"
    tournament.run(folder / "c.yaml", jobs=jobs, out=out, isolation=isolation)
    return without_seconds(rows(out))


@pytest.fixture(scope="module")
def match(tmp_path_factory):
    """Agents with state of every kind, among them two with a file `helper.py` each, and their games by one process."""
    root = tmp_path_factory.mktemp("agents")
    in_its_own = KEEPS.replace("import math, helper", "import helper\nmath = helper")  # which no opponent sees
    for name, games, text in (("one", 0, KEEPS), ("two", 2, in_its_own)):
        (root / name).mkdir()
        (root / name / "agent.py").write_text(text)
        (root / name / "helper.py").write_text(f"games = {games}\n")
    config = f"""
players:
  one: {{connectx: one/agent.py}}
  two: {{connectx: two/agent.py}}
  remembers: {{connectx: {AGENTS / "remembers.py"}}}
  windows: windows
pairings: [[one, two], [one, windows], [remembers, windows], [remembers, two]]
depths: [2]
rules: {{rows: 5, columns: 6, connect: 4}}
"""
    return root, config, played(root, config, "game", 1)


@pytest.mark.parametrize(("isolation", "jobs"), [("game", 2), ("player", 1), ("player", 2), ("sandbox", 2)])
def test_agents_play_the_same_games_at_each_isolation_and_for_any_number_of_jobs(match, isolation, jobs):
    if isolation == "sandbox":
        require_sandbox()
    root, config, alone = match
    if isolation == "sandbox":  # each of which takes a second to start
        config = config.replace(", [one, windows], [remembers, windows], [remembers, two]", "")
        alone = [row for row in alone if {row["first"], row["second"]} == {"one", "two"}]
        assert len(alone) == 2
    assert played(root, config, isolation, jobs) == alone


def test_no_agent_of_the_match_forfeits(match):
    assert {row["reason"] for row in match[2]} <= {"line", "full board"}
    assert len(match[2]) == 8


def test_in_a_sandbox_an_agent_sees_its_own_python_files_and_nothing_else_of_the_operator(tmp_path):
    require_sandbox()
    text = f"""
import os, helper

def agent(o, c):
    here = os.path.dirname(__file__)
    seen = [name for name in ("agent.py", "helper.py", "opponent.py", "secret.txt") if name in os.listdir(here)]
    assert seen == ["agent.py", "helper.py"] and not os.path.exists({str(tmp_path)!r}), (seen, os.listdir(here))
    return helper.column
"""
    files = {
        "agent.py": text,
        "helper.py": "column = 9\n",
        "opponent.py": "def agent(o, c): return 0\n",
        "secret.txt": "",
    }
    for name, its in files.items():
        (tmp_path / name).write_text(its)
    config = "players: {a: {connectx: agent.py}, b: {connectx: opponent.py}}\ndepths: [1]\nseats: as-listed\n"
    (row,) = played(tmp_path, config, "sandbox", 1)
    assert (row["first"], row["fault"]) == ("a", "illegal move"), row["fault_message"]
    assert "column 9 from 0, which is none" in row["fault_message"]


CLOCKS = [
    ("", (2.0, 60.0)),
    ("limits: {game_seconds: 100}\n", (2.0, 60.0)),
    ("limits: {move_seconds: 5}\n", (5.0, 0.0)),
    ("limits: {move_seconds: 60}\n", (60.0, 0.0)),
]


@pytest.mark.parametrize(("limits", "clock"), CLOCKS)
def test_an_agent_has_kaggles_clock_where_the_config_sets_no_time_for_a_move(tmp_path, limits, clock):
    path = tmp_path / "c.yaml"
    path.write_text(f"players: {{w: windows, a: {{connectx: a.py}}}}\ndepths: [1]\n{limits}")
    made = read_config(path).config.player_limits()
    assert made.for_move(agent=True) == clock
    assert made.for_move(agent=False) == (clock[0] if "move" in limits else 60.0, 0.0)
    assert ("agents 2 s a move and 60 s beyond that in a game" in made.described()) == (clock[1] > 0)
    path.write_text("players: [windows, squares]\ndepths: [1]\n")
    assert "agents" not in read_config(path).config.player_limits().described()


SLOW = "import time\ndef agent(o, c):\n    time.sleep({})\n    return 0\n"


@pytest.mark.parametrize("isolation", ["game", "player"])
def test_an_agent_that_has_used_up_its_time_forfeits(tmp_path, isolation, monkeypatch):
    monkeypatch.setattr("tournament.plan.schema.KAGGLE_SECONDS", 0.2)
    monkeypatch.setattr("tournament.plan.schema.KAGGLE_OVERAGE", 0.3)
    (tmp_path / "slow.py").write_text(SLOW.format("9 if o.remainingOverageTime < 0.29 else 0.25"))
    config = "players: {a: {connectx: slow.py}, w: windows}\ndepths: [1]\nseats: as-listed\n"
    (row,) = played(tmp_path, config, isolation, 1)
    assert (row["fault"], len(row["moves"])) == ("move time", 2), row["fault_message"]
    assert "0.2 seconds about one move, and had used up the 0.3 that" in row["fault_message"]


def test_the_time_to_load_an_agent_is_what_it_is_told():
    assert AGENT_TIMEOUT == LOAD_SECONDS


def test_the_config_of_agents_is_played_from_a_clone_without_a_forfeit(tmp_path):
    results = tournament.run(ROOT / "configs" / "agents.yaml", jobs=2, out=tmp_path)
    assert (results.forfeits, len(rows(tmp_path))) == (0, 36)
