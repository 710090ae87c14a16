"""ConnectX agents: which function plays, what it is shown, what it may answer; how it stands in configs and tables."""

import re
import sys
from pathlib import Path
from textwrap import dedent

import numpy as np
import pytest
from folders import rows

import tournament
from tournament.cli import main
from tournament.engine.jit.specialise import when_compiling
from tournament.engine.result import Counters
from tournament.engine.settings import Settings
from tournament.errors import EvaluatorError, PlayerFault
from tournament.games.connect4 import STANDARD, Position, Rules, read_position
from tournament.match.referee import play
from tournament.match.side import LocalSide
from tournament.plugins.agent import Agent, TimeLeft, configuration, observation, played, read_agent
from tournament.plugins.player import Player

FIRST_OPEN = """
def agent(observation, configuration):
    return [c for c in range(configuration.columns) if observation.board[c] == 0][0]
"""
TIME = TimeLeft(2, 60, 1800)  # Kaggle's, at the beginning of a game
ONE_OPEN = FIRST_OPEN.replace("[0]\n", "[-1]\n")  # the last, rather than the first


@pytest.fixture
def agent(tmp_path):
    """An agent with this text."""

    def make(text: str, name: str = "mine") -> Agent:
        path = tmp_path / f"{name}.py"
        path.write_text(dedent(text).lstrip("\n"))
        return read_agent(path, name)

    return make


def chosen(agent: Agent, text: str = "empty", rules: Rules = STANDARD) -> int:
    return agent.load().choose(read_position(text, rules), TIME)


# ── which function plays ─────────────────────────────────────────────────────────────────────────

CHOICES = {
    "my_agent, though others stand after it": ("my_agent", "agent", "act", "other"),
    "agent before act": ("act", "agent", "other"),
    "agent, wherever it stands": ("agent", "other"),
    "act before one without a known name": ("act", "other"),
    "my_agent, though it comes last": ("act", "agent", "my_agent"),
}
WANTED = {name: names[0] if name.startswith(names[0]) else "agent" for name, names in CHOICES.items()} | {
    "my_agent, though it comes last": "my_agent"
}


@pytest.mark.parametrize("case", CHOICES)
def test_the_agent_is_the_function_with_a_known_name(agent, case):
    names = CHOICES[case]
    text = "\n".join(
        f"def {name}(observation, configuration):\n    return {number}" for number, name in enumerate(names)
    )
    assert names[chosen(agent(text))] == WANTED[case]


LAST = [
    ("the last of two", "def one(o, c): return 1\ndef two(o, c): return 2\n", 2),
    ("one that keeps its place", "def one(o, c): return 1\ndef two(o, c): return 2\ndef one(o, c): 0", 2),
    ("what is imported after it", "def one(o, c): return 1\nfrom operator import countOf\ndel one\n", 0),
    ("not a class or a value after it", "def one(o, c): return 1\nclass Act:\n    pass\nact = 5\n", 1),
    ("not one inside of another", "def one(o, c):\n    def two(): return 2\n    return two() - 1\n", 1),
    ("a lambda with a known name", "def two(o, c): return 2\nagent = lambda o, c: 4\ndef three(o, c): return 3\n", 4),
    ("an object that can be called", "def f(o): return 1\nclass Two:\n    def __call__(self, o): return 2\nx=Two()", 2),
    ("a partial", "import functools\ndef one(d, o, c): return d\nx = functools.partial(one, 5)", 5),
    ("a partial by keyword", "import functools\ndef one(o, c, d=0): return d\nx = functools.partial(one, d=5)", 5),
    ("a method", "class Two:\n    def play(self, o): return 3\nx = Two().play", 3),
    ("an object with a known name", "class Two:\n    def __call__(self, o): return 2\nact = Two()\ndef z(o): 1", 2),
    ("a class with a known name is none", "def one(o, c): return 1\nclass agent:\n    pass", 1),
    ("another name for one, by a known name", "def one(o, c): return 1\ndef two(o, c): return 2\nagent = one\n", 1),
]  # fmt: skip


@pytest.mark.parametrize(("text", "column"), [pytest.param(*rest, id=name) for name, *rest in LAST])
def test_without_a_known_name_it_is_the_last_function_defined(agent, text, column):
    assert chosen(agent(text)) == column


@pytest.mark.parametrize("text", ["", "x = 1\n", "class agent:\n    pass\n"])
def test_a_file_without_a_function_is_a_clear_error(agent, text):
    with pytest.raises(EvaluatorError, match=r"mine\.py:1: has no function: an agent is `def agent\("):
        agent(text).load()


def test_an_agent_is_read_without_being_run(agent, tmp_path):
    text = f'"""Takes the middle."""\nopen({str(tmp_path / "trace")!r}, "w")\ndef agent(o, c): return 3\n'
    read = agent(text)
    assert (read.name, read.description) == ("mine", "Takes the middle.")
    assert not (tmp_path / "trace").exists()
    read.load()
    assert (tmp_path / "trace").exists()


# ── what it is shown ─────────────────────────────────────────────────────────────────────────────


def test_the_board_is_shown_row_by_row_from_the_top():
    position = read_position("4431")
    assert observation(position, TIME).board == [
        *(0, 0, 0, 0, 0, 0, 0),
        *(0, 0, 0, 0, 0, 0, 0),
        *(0, 0, 0, 0, 0, 0, 0),
        *(0, 0, 0, 0, 0, 0, 0),
        *(0, 0, 0, 2, 0, 0, 0),
        *(2, 0, 1, 1, 0, 0, 0),
    ]


@pytest.mark.parametrize(("moves", "mark"), [("empty", 1), ("4", 2), ("44", 1), ("443", 2)])
def test_the_mark_is_1_for_who_moved_first_and_2_for_the_other(moves, mark):
    shown = observation(read_position(moves), TIME)
    assert (shown.mark, shown.step) == (mark, 0 if moves == "empty" else len(moves))


def test_the_configuration_says_the_rules_and_the_time():
    shown = configuration(Rules(5, 8, 3), TimeLeft(2.5, 0, 100))
    assert (shown.rows, shown.columns, shown.inarow, shown.actTimeout) == (5, 8, 3, 2.5)
    assert shown == {
        **{"rows": 5, "columns": 8, "inarow": 3, "actTimeout": 2.5, "timeout": 2.5},
        **{"episodeSteps": 1000, "agentTimeout": 60, "runTimeout": 100},
    }
    assert configuration(STANDARD, TIME)["runTimeout"] == configuration(STANDARD, TIME).runTimeout == 1200


@pytest.mark.parametrize(
    ("left", "act", "overage"), [(TIME, 2, 60), (TimeLeft(2, 12.5, 99), 2, 12.5), (TimeLeft(2, 60, 5), 2, 3)]
)
def test_the_clock_is_shown_as_kaggle_shows_it_and_never_longer_than_the_games_time(left, act, overage):
    shown = observation(Position(), left)
    assert (configuration(STANDARD, left).actTimeout, shown.remainingOverageTime) == (act, overage)
    assert sorted(shown) == ["board", "mark", "remainingOverageTime", "step"]
    assert configuration(STANDARD, TimeLeft(2, 60, 1.5)).actTimeout == 1.5


def test_both_are_read_by_attribute_and_by_key(agent):
    text = """
    def agent(observation, configuration):
        assert observation.board == observation["board"] and len(observation.board) == 42
        assert observation.mark == observation["mark"] == observation.get("mark") == 1
        assert configuration.inarow == configuration["inarow"] == 4
        assert "columns" in configuration and not hasattr(configuration, "no_such_thing")
        return configuration["columns"] - 1
    """
    assert chosen(agent(text)) == 6


def test_what_an_agent_does_to_what_it_is_shown_changes_nothing(agent):
    text = "def agent(o, c):\n    o.board[:] = [1] * 42\n    c['columns'] = 1\n    return 2\n"
    position, playing = read_position("44"), agent(text).load()
    assert [playing.choose(position, TIME) for _ in range(2)] == [2, 2]
    assert position == read_position("44")


PARAMETERS = [
    ("def agent(observation): return observation.mark\n", 1),
    ("def agent(observation, configuration): return configuration.rows\n", 6),
    ("def agent(observation, configuration=None): return configuration.rows\n", 6),
    ("def agent(*shown): return len(shown)\n", 2),
]


@pytest.mark.parametrize(("text", "column"), PARAMETERS)
def test_an_agent_is_given_as_much_as_it_takes(agent, text, column):
    assert chosen(agent(text)) == column


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (
            "class Bot:\n    def __call__(self, o, c):\n        return 1 // 0\nbot = Bot()\n",
            "mine.py:3: Bot raised Zero",
        ),
        (
            "class Bot:\n    def __call__(self, o, c):\n        return 'no'\nbot = Bot()\n",
            "mine.py:2: Bot returned 'no'",
        ),
        ("import functools\ndef f(d, o):\n    return d\np = functools.partial(f, 1.5)\n", "mine.py:2: f returned 1.5"),
        ("import math\nplay = math.sqrt\n", "mine.py:1: sqrt raised TypeError"),
        (
            "class No:\n    def __repr__(self): raise ValueError('x')\ndef f(o): return No()\n",
            "mine.py:2: f raised Value",
        ),
    ],
)
def test_a_fault_is_told_of_what_was_called_and_where_it_stands(agent, text, told):
    with pytest.raises(PlayerFault, match=re.escape(told)):
        chosen(agent(text))


@pytest.mark.parametrize("text", ["return (c for _ in [])", "return object()", "raise ValueError(object())"])
def test_a_fault_is_told_in_the_same_words_in_every_process(agent, text):
    with pytest.raises(PlayerFault, match=r"generator object|object object") as raised:
        chosen(agent(f"def agent(o, c):\n    {text}\n"))
    assert " at 0x" not in f"{raised.value} {raised.value.traceback}"


def test_each_time_it_is_loaded_an_agent_has_forgotten_what_it_kept(agent):
    mine = agent("calls = []\ndef agent(o, c):\n    calls.append(o.step)\n    return len(calls)\n")
    one, two = mine.load(), mine.load()
    assert [who.choose(Position(), TIME) for who in (one, one, two, one)] == [1, 2, 1, 3]


def test_what_it_sets_on_what_it_is_shown_is_there_by_attribute_and_by_key(agent):
    assert chosen(agent("def agent(o, c):\n    o.own = 3\n    c['mine'] = o['own']\n    return c.mine\n")) == 3


# ── what it may answer ───────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("kind", ["int", "np.int64", "np.int8", "np.uint8", "bool", "Own"])
def test_whole_numbers_of_any_kind_are_columns(agent, kind):
    own = "class Own(int):\n    def __add__(self, other): raise ValueError\n"
    column = chosen(agent(f"import numpy as np\n{own}def agent(o, c): return {kind}(1)\n"))
    assert (column, type(column)) == (1, int)


@pytest.mark.parametrize(
    "answer",
    ["10**5000", "-(10**15)", "None", "2.0", "'3'", "[3]", "float('nan')", "np.float64(3)", "np.array([3, 4])"],
)
def test_what_is_no_whole_number_forfeits(agent, answer):
    with pytest.raises(PlayerFault, match=r"mine\.py:2: agent returned .*a column is a whole number") as raised:
        chosen(agent(f"import numpy as np\ndef agent(o, c): return {answer}\n"))
    assert raised.value.kind == "illegal move"


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("raise ValueError('no [opinion]')", "raised"),
        ("raise SystemExit", "exit"),
        ("raise MemoryError", "memory"),
        ("agent(o, c)", "raised"),
    ],
)
def test_what_an_agent_raises_is_its_fault_with_line_and_traceback(agent, text, kind):
    mine = agent(f"def agent(o, c):\n    {text}\n")
    with pytest.raises(PlayerFault, match=r"mine\.py:2: agent raised .* It was to move in `") as raised:
        chosen(mine)
    assert raised.value.kind == kind
    assert raised.value.traceback.startswith(f'  File "{mine.path}", line 2, in agent')


def test_an_agents_move_has_no_score_and_counts_nothing(agent):
    found = played(agent(FIRST_OPEN).load(), read_position("1111"), TIME)
    assert (found.chosen, found.counters, found.depth) == (0, Counters(), 0)
    assert np.isnan(found.score)


def side(agent: Agent) -> LocalSide:
    return LocalSide(Player(agent.name, agent, Settings(1)), STANDARD, seed=1)


@pytest.mark.parametrize(
    ("column", "told"), [(-1, "column -1 from 0, which is none"), (7, "column 7 from 0, which is none")]
)
def test_a_column_that_is_none_forfeits(agent, column, told):
    game = play(side(agent(f"def agent(o, c): return {column}\n")), side(agent(FIRST_OPEN, "other")))
    assert (game.result, game.reason, game.fault_kind) == ("second", "forfeit", "illegal move")
    assert told in game.fault


def test_a_column_that_is_full_forfeits(agent):
    zero = agent("def agent(o, c): return 0\n")
    game = play(side(zero), side(zero))
    assert (game.moves, game.result, game.fault_kind) == ("111111", "second", "illegal move")
    assert "chose column 1, which is full" in game.fault


def test_two_agents_play_a_game(agent):
    game = play(side(agent(FIRST_OPEN)), side(agent(ONE_OPEN, "other")))
    assert (game.moves, game.result, game.reason) == ("1717171", "first", "line")


# ── in a tournament ──────────────────────────────────────────────────────────────────────────────


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """What a tournament leaves of one agent against two evaluators at two depths."""
    root = tmp_path_factory.mktemp("agents")
    (root / "bots").mkdir()
    (root / "bots" / "left.py").write_text(f'"""Takes the first open column."""\n{FIRST_OPEN}')
    config = root / "c.yaml"
    config.write_text("players: {w: windows, s: squares, a: {connectx: bots/left.py}}\ndepths: [1, 2]\n")
    tournament.run(config, jobs=1, out=root / "out")
    return root / "out"


def test_an_agent_in_a_config_meets_everybody_at_every_depth(folder):
    games = rows(folder)
    assert len(games) == 12
    assert {game["reason"] for game in games} <= {"line", "full board"}
    met = {
        (game["first"], game["second"], game["first_depth"]) for game in games if "a" in (game["first"], game["second"])
    }
    assert len(met) == 8


def test_an_agents_counters_are_empty_in_the_table_of_games(folder):
    counters = ("generated", "expanded", "evaluated", "cutoffs")
    for game in rows(folder):
        for seat in ("first", "second"):
            for name in counters:
                assert (game[f"{seat}_{name}"] == "") == (game[seat] == "a")
            assert float(game[f"{seat}_seconds"]) >= 0


def test_an_agents_counters_are_dashes_in_the_report(folder):
    report = (folder / "report.md").read_text()
    cost = report.partition("Cost in all")[2].partition("\n## ")[0]
    lines = {cells[2]: cells for cells in (re.split(r" *\| *", line) for line in cost.splitlines()) if len(cells) > 3}
    assert lines["a"].count("–") == 6  # four counters and the time inside the evaluator, with its share
    assert lines["w"].count("–") == 0
    assert re.search(r"^\| a +\| left, ConnectX agent, plays by itself, source [0-9a-f]{12} +\|$", report, re.MULTILINE)


def test_every_move_of_the_agent_is_the_one_it_was_asked_for(folder):
    moves = [
        (game["moves"][:ply], int(digit))
        for game in rows(folder)
        for ply, digit in enumerate(game["moves"])
        if game["first" if ply % 2 == 0 else "second"] == "a"
    ]
    assert moves
    for before, column in moves:
        assert column == next(column for column in range(1, 8) if before.count(str(column)) < 6)


@pytest.mark.parametrize("isolation", ["game", "player"])
def test_an_agent_that_fails_forfeits_and_the_run_goes_on(tmp_path, isolation):
    (tmp_path / "bad.py").write_text("def agent(o, c):\n    return 9\n")
    config = tmp_path / "c.yaml"
    config.write_text("players: {w: windows, a: {connectx: bad.py}}\ndepths: [1]\n")
    results = tournament.run(config, jobs=1, out=tmp_path / "out", isolation=isolation)
    assert results.forfeits == 2
    assert {(game["reason"], game["fault"]) for game in rows(tmp_path / "out")} == {("forfeit", "illegal move")}


# ── mistakes in the config ───────────────────────────────────────────────────────────────────────

MISTAKES = [
    (
        "no such file",
        "players:\n  w: windows\n  a: {connectx: bots/lefd.py}\ndepths: [1]\n",
        "bad.yaml:3: `bots/lefd.py` does not exist: expected an agent's file, as seen from this config; "
        "did you mean `left.py`?",
    ),
    (
        "a depth of its own",
        "players:\n  w: windows\n  a:\n    connectx: bots/left.py\n    depth: 3\ndepths: [1]\n",
        "bad.yaml:5: `depth` has no use: an agent plays by itself, as it likes.",
    ),
    (
        "both an evaluator and an agent",
        "players:\n  w: windows\n  a: {evaluator: runs, connectx: bots/left.py}\ndepths: [1]\n",
        "bad.yaml:3: player `a`: expected one of `evaluator`, as in {evaluator: windows}, `connectx`, as in "
        "{connectx: agent.py}, or {oracle: true}.",
    ),
    (
        "a file without a function",
        "players:\n  w: windows\n  a: {connectx: bots/empty.py}\ndepths: [1]\n",
        "bad.yaml:3: bots/empty.py:1: has no function: an agent is `def agent(observation, configuration)`, which "
        "returns a column from 0.",
    ),
    (
        "a file that raises",
        "players:\n  w: windows\n  a: {connectx: bots/raises.py}\ndepths: [1]\n",
        "bad.yaml:3: bots/raises.py:1: raised ValueError while being loaded: no",
    ),
]


@pytest.mark.parametrize(("text", "told"), [pytest.param(*rest, id=name) for name, *rest in MISTAKES])
def test_a_mistake_about_an_agent_is_told_with_its_line(tmp_path, monkeypatch, capfd, text, told):
    monkeypatch.chdir(tmp_path)
    Path("bots").mkdir()
    for name, source in {"left": FIRST_OPEN, "empty": "", "raises": "raise ValueError('no')\n"}.items():
        Path(f"bots/{name}.py").write_text(source)
    Path("bad.yaml").write_text(text)
    monkeypatch.setattr(sys, "argv", ["tourney", "run", "bad.yaml"])
    when_compiling.clear()
    with pytest.raises(SystemExit) as ended:
        main()
    out, err = capfd.readouterr()
    assert (ended.value.code, out) == (2, "")
    assert err.startswith(f"tourney: {told}")
    assert len(err.splitlines()) == 1
    assert not Path("reports").exists()


def test_a_position_on_another_board_is_shown_whole(agent):
    rules = Rules(4, 5, 3)
    assert len(observation(Position(rules), TIME).board) == 20
    assert chosen(agent("def agent(o, c): return c.columns - 1\n"), rules=rules) == 4
