"""Configs: mistakes are told all at once, each with its line, and change nothing on disk; good ones become plans."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import yaml

from tournament.cli import main
from tournament.config import read_config
from tournament.planning import make_plan

CONFIGS = Path(__file__).parent.parent / "configs"

# What most of the mistakes below are added to: two lines, so that they stand in line 3.
TWO = "players: [windows, runs]\ndepths: [2]\n"


class Bad(NamedTuple):
    """A config that is wrong: what it is, its text, and how each line of the message begins."""

    name: str
    text: str
    mistakes: list[str]
    files: dict[str, str] = {}  # noqa: RUF012, never written to


NOT_A_CONFIG = [
    Bad("an empty file", "", ["bad.yaml:1: is not a config: expected keys such as `players:` and `depths:`."]),
    Bad("nothing but a comment", "# later\n", ["bad.yaml:1: is not a config"]),
    Bad("a list at the top", "- windows\n- runs\n", ["bad.yaml:1: is not a config"]),
    Bad("a word at the top", "windows\n", ["bad.yaml:1: is not a config"]),
    Bad("a tab", "players:\n\t- windows\n", ["bad.yaml:2: is not YAML: found character '\\t'"]),
    Bad(
        "an unclosed bracket",
        "players: [windows, runs\ndepths: [2]\n",
        ["bad.yaml:2: is not YAML: expected ',' or ']'"],
    ),
    Bad(
        "an alias of nothing", "players: *everybody\n", ["bad.yaml:1: is not YAML: found undefined alias 'everybody'."]
    ),
    Bad("a tag of Python's", "players: !!python/name:os.system\n", ["bad.yaml:1: is not YAML: could not determine"]),
    Bad("a list within itself", "players: &all [windows, *all]\ndepths: [2]\n", ["bad.yaml:1: "]),
    Bad("two documents", f"{TWO}---\n{TWO}", ["bad.yaml:3: is not YAML: but found another document."]),
    Bad("a key twice", f"{TWO}depths: [4]\n", ["bad.yaml:3: the key `depths` stands here twice"]),
    Bad(
        "a player's key twice",
        "players:\n  a: windows\n  b: runs\n  a: lines\ndepths: [2]\n",
        ["bad.yaml:4: the key `a` stands here twice"],
    ),
]

OF_FORM = [  # what the schema for editors knows, too
    # Unknown keys
    Bad(
        "an unknown key", f"{TWO}seat: both\n", ["bad.yaml:3: unknown key `seat`; did you mean `seats`? Known here are"]
    ),
    Bad(
        "`depth` for `depths`",
        "players: [windows, runs]\ndepths: [2]\ndepth: 4\n",
        ["bad.yaml:3: unknown key `depth`; did you mean `depths`?"],
    ),
    Bad(
        "an unknown key of the rules",
        f"{TWO}rules:\n  row: 6\n",
        ["bad.yaml:4: unknown key `row`; did you mean `rows`? Known here are rows, columns, connect."],
    ),
    Bad(
        "an unknown key of a player",
        "players:\n  a: windows\n  b:\n    evaluator: runs\n    ordr: left\ndepths: [2]\n",
        ["bad.yaml:5: unknown key `ordr`; did you mean `order`? Known here are evaluator, depth, algorithm, order."],
    ),
    Bad(
        "an unknown key of a pairing",
        f"{TWO}pairings:\n  - [windows, runs]\n  - {{first: windows, second: runs, depht: 3}}\n",
        ["bad.yaml:5: unknown key `depht`; did you mean `depth`? Known here are first, second, depth."],
    ),
    Bad(
        "an unknown key of a side",
        f"{TWO}pairings:\n  - first: windows\n    second: {{player: runs, dept: 3}}\n",
        ["bad.yaml:5: unknown key `dept`; did you mean `depth`? Known here are player, depth."],
    ),
    Bad(
        "an unknown key beside gauntlet",
        f"{TWO}pairings:\n  gauntlet: windows\n  gauntlets: runs\n",
        ["bad.yaml:5: unknown key `gauntlets`; did you mean `gauntlet`? Known here are gauntlet."],
    ),
    # Values of the wrong kind
    Bad("no players", "depths: [2]\n", ["bad.yaml:1: `players` is missing"]),
    Bad("players without a value", "depths: [2]\nplayers:\n", ["bad.yaml:2: `players` is None: expected a list"]),
    Bad(
        "players that are a word",
        "players: windows\ndepths: [2]\n",
        ["bad.yaml:1: `players` is 'windows': expected a list"],
    ),
    Bad(
        "players that are numbers",
        "players:\n  - windows\n  - 3\ndepths: [2]\n",
        ["bad.yaml:3: `players` entry 2 is 3: expected text."],
    ),
    Bad(
        "a player that is a list",
        "players:\n  a: windows\n  b: [runs]\ndepths: [2]\n",
        ["bad.yaml:3: `players` `b` is ['runs']: expected text."],
    ),
    Bad(
        "a player without an evaluator",
        "players:\n  a: windows\n  b: {order: centre}\ndepths: [2]\n",
        ["bad.yaml:3: `evaluator` is missing: expected it in `players` `b`."],
    ),
    Bad("a player without a name", "players: [windows, '']\ndepths: [2]\n", ["bad.yaml:1: `players` entry 2 is empty"]),
    Bad("a title that is a number", f"{TWO}title: 4\n", ["bad.yaml:3: `title` is 4: expected text."]),
    Bad("a seed that is a word", f"{TWO}seed: one\n", ["bad.yaml:3: `seed` is 'one': expected a whole number."]),
    Bad(
        "evaluators that are no list",
        f"{TWO}evaluators: mine\n",
        ["bad.yaml:3: `evaluators` is 'mine': expected a list."],
    ),
    Bad(
        "an order misspelt",
        "players:\n  a: {evaluator: windows, order: center}\n  b: runs\ndepths: [2]\n",
        ["bad.yaml:2: `players` `a` `order` is 'center': expected left or centre; did you mean `centre`?"],
    ),
    Bad(
        "an algorithm misspelt",
        "players:\n  a: {evaluator: windows, algorithm: minmax}\n  b: runs\ndepths: [2]\n",
        ["bad.yaml:2: `players` `a` `algorithm` is 'minmax': expected alphabeta or minimax; did you mean `minimax`?"],
    ),
    Bad("a seed of 30 digits", f"{TWO}seed: {10**29}\n", ["bad.yaml:3: `seed` is 1"]),
    # Depths
    Bad(
        "depth 0",
        "players: [windows, runs]\ndepths: [2, 0]\n",
        ["bad.yaml:2: `depths` entry 2 is 0: expected 1 or more."],
    ),
    Bad(
        "a negative depth, in the line where it stands",
        "players: [windows, runs]\ndepths:\n  - 2\n  - -3\n",
        ["bad.yaml:4: `depths` entry 2 is -3: expected 1 or more."],
    ),
    Bad(
        "a depth that is true",
        "players: [windows, runs]\ndepths: [true]\n",
        ["bad.yaml:2: `depths` entry 1 is True: expected a whole number."],
    ),
    Bad(
        "a depth with a fraction",
        "players: [windows, runs]\ndepths: [2.5]\n",
        ["bad.yaml:2: `depths` entry 1 is 2.5: expected a whole number."],
    ),
    Bad(
        "a depth as text",
        "players: [windows, runs]\ndepths: ['4']\n",
        ["bad.yaml:2: `depths` entry 1 is '4': expected a whole number."],
    ),
    Bad(
        "depths that are no list",
        "players: [windows, runs]\ndepths: 4\n",
        ["bad.yaml:2: `depths` is 4: expected a list."],
    ),
    Bad(
        "a depth of 30 digits",
        f"players: [windows, runs]\ndepths: [{10**29}]\n",
        ["bad.yaml:2: `depths` entry 1 is 1"],
    ),
    Bad(
        "depth 0 of a player",
        "players:\n  a: {evaluator: windows, depth: 0}\n  b: runs\ndepths: [2]\n",
        ["bad.yaml:2: `players` `a` `depth` is 0: expected 1 or more."],
    ),
    # Pairings, seats and rules
    Bad(
        "a pairing of one",
        f"{TWO}pairings:\n  - [windows]\n",
        ["bad.yaml:4: `pairings` entry 1 has 1 entr"],
    ),
    Bad(
        "a pairing of three",
        f"{TWO}pairings:\n  - [windows, runs, windows]\n",
        ["bad.yaml:4: `pairings` entry 1 has 3 entries: expected two players, as in [robert, john]."],
    ),
    Bad("a pairing that is a word", f"{TWO}pairings:\n  - windows\n", ["bad.yaml:4: `pairings` entry 1 is 'windows'"]),
    Bad(
        "pairings misspelt",
        f"{TWO}pairings: round robin\n",
        ["bad.yaml:3: `pairings` is 'round robin': expected round-robin; did you mean `round-robin`?"],
    ),
    Bad(
        "seats misspelt",
        f"{TWO}seats: bth\n",
        ["bad.yaml:3: `seats` is 'bth': expected both or as-listed or random; did you mean `both`?"],
    ),
    Bad("rules that are a list", f"{TWO}rules: [6, 7, 4]\n", ["bad.yaml:3: `rules` is [6, 7, 4]: expected a mapping."]),
    Bad(
        "several mistakes of form",
        "title: 4\nplayers:\n  - windows\n  - 3\ndepths: [2, 0, x]\nseats: bth\nruls: {rows: 6}\n",
        [
            "bad.yaml:1: `title` is 4",
            "bad.yaml:4: `players` entry 2 is 3",
            "bad.yaml:5: `depths` entry 2 is 0",
            "bad.yaml:5: `depths` entry 3 is 'x'",
            "bad.yaml:6: `seats` is 'bth'",
            "bad.yaml:7: unknown key `ruls`; did you mean `rules`?",
        ],
    ),
]

OF_SENSE = [  # what only a reader of the whole file sees
    Bad("no depths", "players: [windows, runs]\n", ["bad.yaml:1: `depths` is missing: expected a list such as"]),
    Bad(
        "no depth for one of two",
        "players:\n  a: {evaluator: windows, depth: 2}\n  b: runs\npairings:\n  - [a, b]\n",
        ["bad.yaml:5: no depth for `b`: expected `depths: [2, 4, 8]`, or a depth here."],
    ),
    # Players and pairings
    Bad(
        "one player",
        "players: [windows]\ndepths: [2]\n",
        ["bad.yaml:1: there is 1 player: a tournament has at least 2."],
    ),
    Bad(
        "players whose names are numbers",
        "players:\n  1: windows\n  2: runs\ndepths: [2]\n",
        ["bad.yaml:2: ", "bad.yaml:3: "],
    ),
    Bad("an empty list of players", "depths: [2]\nplayers: []\n", ["bad.yaml:2: there"]),
    Bad(
        "a player listed twice",
        "players:\n  - windows\n  - runs\n  - windows\ndepths: [2]\n",
        ["bad.yaml:4: player `windows` is listed twice"],
    ),
    Bad(
        "a name that would break the tables",
        "players:\n  a: windows\n  b|c: runs\ndepths: [2]\n",
        ["bad.yaml:3: player 'b|c' has a character that tables can't show."],
    ),
    Bad(
        "a gauntlet of nobody",
        f"{TWO}pairings: {{gauntlet: window}}\n",
        ["bad.yaml:3: there is no player `window`; did you mean `windows`? Players are windows, runs."],
    ),
    Bad(
        "a pairing with nobody",
        f"{TWO}pairings:\n  - [windows, runs]\n  - [windows, run]\n",
        ["bad.yaml:5: there is no player `run`; did you mean `runs`? Players are windows, runs."],
    ),
    Bad(
        "a long pairing with nobody",
        f"{TWO}pairings:\n  - first: windows\n    second: {{player: run, depth: 3}}\n",
        ["bad.yaml:5: there is no player `run`; did you mean `runs`?"],
    ),
    Bad(
        "a pairing of a player with itself",
        f"{TWO}pairings:\n  - [windows, windows]\n",
        ["bad.yaml:4: `windows` is to play itself at one depth: choose another player, or two depths."],
    ),
    Bad(
        "a player with itself at one depth, in the long form",
        f"{TWO}pairings:\n  - {{first: windows, second: windows, depth: 3}}\n",
        ["bad.yaml:4: `windows` is to play itself at one depth"],
    ),
    Bad(
        "a player with itself at one depth, of which one stands in `depths`",
        f"{TWO}pairings:\n  - {{first: {{player: windows, depth: 2}}, second: windows}}\n",
        ["bad.yaml:4: `windows` is to play itself at one depth"],
    ),
    Bad("no pairings", f"{TWO}pairings: []\n", ["bad.yaml:3: the list of pairings is empty: expected at least one."]),
    # The board
    Bad(
        "a board that is too large",
        f"{TWO}rules: {{rows: 20, columns: 20}}\n",
        ["bad.yaml:3: a board of 20×20 needs 420 bits: (rows + 1) × columns must be at most 128."],
    ),
    Bad(
        "a line longer than the board",
        f"{TWO}rules: {{rows: 4, columns: 5, connect: 6}}\n",
        ["bad.yaml:3: connect is 6, but no line of a board of 4×5 is longer than 5"],
    ),
    Bad("a board without rows", f"{TWO}rules: {{rows: 0}}\n", ["bad.yaml:3: a board of 0×7 has no cells"]),
    # Evaluators
    Bad(
        "an unknown evaluator in a list",
        "players:\n  - runs\n  - widows\ndepths: [2]\n",
        ["bad.yaml:3: there is no evaluator `widows`; did you mean `windows`? Known are balanced"],
    ),
    Bad(
        "an unknown evaluator of a player",
        "depths: [2]\nplayers:\n  robert: windows\n  john: {evaluator: square}\n",
        ["bad.yaml:4: there is no evaluator `square`; did you mean `squares`?"],
    ),
    Bad(
        "evaluators that are not there", f"{TWO}evaluators: [../nowhere]\n", ["bad.yaml:3: `../nowhere` does not exist"]
    ),
    Bad(
        "two evaluators of one name",
        f"{TWO}evaluators: [mine]\n",
        ["bad.yaml:1: two evaluators are named `windows`: "],
        {"mine/windows.py": "def evaluate(board):\n    return 0\n"},
    ),
    Bad(
        "an evaluator that is not Python",
        "players:\n  a: windows\n  b: broken\ndepths: [2]\nevaluators: [mine]\n",
        ["bad.yaml:3: mine/broken.py:1: is not Python: expected ':'."],
        {"mine/broken.py": "def evaluate(board)\n    return 0\n"},
    ),
    Bad(
        "an evaluator that asks for what there is not",
        "players: [windows, curious]\ndepths: [2]\nevaluators: [mine/curious.py]\n",
        ["bad.yaml:1: mine/curious.py:3: evaluate asks for `bord`, which is not known; did you mean `board`?"],
        {"mine/curious.py": "\n\ndef evaluate(bord):\n    return 0\n"},
    ),
    Bad(
        "bitboards on a board that has too many bits for them",
        "players: [windows, bits]\ndepths: [2]\nrules: {rows: 8, columns: 9}\nevaluators: [mine]\n",
        ["mine/bits.py:1: evaluate asks for `mine`, and a board of 8×9 takes 81 bits"],
        {"mine/bits.py": "def evaluate(mine, theirs):\n    return 0\n"},
    ),
    # Several
    Bad(
        "several mistakes of sense",
        "players: [windows, runs, runs]\npairings:\n  - [windows, run]\n  - [runs, runs]\nrules: {rows: 99}\n"
        "depths: [2]\n",
        [
            "bad.yaml:1: player `runs` is listed twice",
            "bad.yaml:3: there is no player `run`",
            "bad.yaml:4: `runs` is to play itself",
            "bad.yaml:5: a board of 99×7 needs 700 bits",
        ],
    ),
    Bad(
        "mistakes of form, of sense and of evaluators",
        "title: 4\nplayers: [widows, runs]\ndepths: [2]\npairings: {gauntlet: run}\n",
        ["bad.yaml:1: `title`", "bad.yaml:2: there is no evaluator `widows`", "bad.yaml:4: there is no player `run`"],
    ),
    Bad(
        "several evaluators that can't be had",
        "players:\n  - widows\n  - rns\n  - windows\ndepths: [2]\nevaluators: [nowhere]\n",
        [
            "bad.yaml:2: there is no evaluator `widows`; did you mean `windows`?",
            "bad.yaml:3: there is no evaluator `rns`; did you mean `runs`?",
            "bad.yaml:6: `nowhere` does not exist",
        ],
    ),
]

BAD = NOT_A_CONFIG + OF_FORM + OF_SENSE


def contents(folder: Path) -> dict[str, bytes | None]:
    """Everything in a folder, with the bytes of its files."""
    return {str(path.relative_to(folder)): path.read_bytes() if path.is_file() else None for path in folder.rglob("*")}


def write(folder: Path, bad: Bad) -> None:
    for name, text in {"bad.yaml": bad.text, **bad.files}.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text)


def assert_is_told(stderr: str, mistakes: list[str]) -> None:
    """One line for each mistake, and no more."""
    assert stderr.startswith("tourney: ")
    lines = stderr.removeprefix("tourney: ").splitlines()
    assert len(lines) == len(mistakes), stderr
    for mistake in mistakes:
        assert any(line.startswith(mistake) for line in lines), f"{mistake!r} is not in\n{stderr}"
    assert all(line.endswith((".", "?")) for line in lines), stderr


@pytest.fixture
def tourney(tmp_path, monkeypatch, capfd):
    """The command in this process and a folder of its own: its exit code, standard output and standard error."""
    monkeypatch.chdir(tmp_path)

    def call(*arguments: str) -> tuple[Any, str, str]:
        monkeypatch.setattr(sys, "argv", ["tourney", *arguments])
        with pytest.raises(SystemExit) as ended:
            main()
        return ended.value.code, *capfd.readouterr()

    return call


@pytest.mark.parametrize("bad", BAD, ids=lambda bad: bad.name)
def test_a_bad_config_is_told_line_by_line_and_leaves_the_disk_as_it_was(tmp_path, tourney, bad):
    write(tmp_path, bad)
    before = contents(tmp_path)
    code, out, err = tourney("run", "bad.yaml", "--quiet")
    assert (code, out) == (2, "")
    assert_is_told(err, bad.mistakes)
    assert contents(tmp_path) == before


def test_the_table_of_bad_configs_is_long_enough_and_names_each_once():
    assert len({bad.name for bad in BAD}) == len(BAD) >= 30


@pytest.mark.parametrize(
    "name", ["a tab", "several mistakes of form", "a pairing with nobody", "an evaluator that is not Python"]
)
def test_the_same_holds_for_the_command_as_typed(tmp_path, name):
    bad = next(bad for bad in BAD if bad.name == name)
    write(tmp_path, bad)
    before = contents(tmp_path)
    command = [sys.executable, "-m", "tournament", "run", "bad.yaml"]
    result = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=120)
    assert (result.returncode, result.stdout) == (2, "")
    assert "Traceback" not in result.stderr
    assert_is_told(result.stderr, bad.mistakes)
    assert contents(tmp_path) == before


def test_a_dry_run_tells_the_same(tmp_path, tourney):
    (tmp_path / "bad.yaml").write_text(f"{TWO}seats: bth\n")
    code, out, err = tourney("run", "bad.yaml", "--dry-run")
    assert (code, out) == (2, "")
    assert_is_told(err, ["bad.yaml:3: `seats` is 'bth'"])


def test_a_file_that_is_not_there_is_told_with_the_nearest(tmp_path, tourney):
    (tmp_path / "depths.yaml").write_text(TWO)
    code, _, err = tourney("run", "dephts.yaml")
    assert code == 2
    assert_is_told(err, ["dephts.yaml: can't be read (No such file or directory); did you mean `depths.yaml`?"])


def test_a_folder_is_no_config(tmp_path, tourney):
    (tmp_path / "configs").mkdir()
    code, _, err = tourney("run", "configs")
    assert code == 2
    assert_is_told(err, ["configs: can't be read (Is a directory)."])


def test_a_file_that_is_not_utf_8_is_told(tmp_path, tourney):
    (tmp_path / "bad.yaml").write_bytes(b"title: K\xf6ln\n" + TWO.encode())
    code, _, err = tourney("run", "bad.yaml")
    assert code == 2
    assert_is_told(err, ["bad.yaml: is not text in UTF-8."])


def test_zero_bytes_are_told(tmp_path, tourney):
    (tmp_path / "bad.yaml").write_bytes(TWO.encode() + b"\x00")
    code, _, err = tourney("run", "bad.yaml")
    assert code == 2
    assert_is_told(err, ["bad.yaml:1: is not YAML: unacceptable character #x0000"])


def test_the_path_in_a_message_is_the_one_that_was_typed(tmp_path, tourney):
    (tmp_path / "configs").mkdir()
    (tmp_path / "configs" / "bad.yaml").write_text(f"{TWO}seats: bth\n")
    assert_is_told(tourney("run", "configs/bad.yaml")[2], ["configs/bad.yaml:3: `seats`"])


# ── good ones ────────────────────────────────────────────────────────────────────────────────────

Planned = tuple[str, int, str, int]


def planned(folder: Path, text: str) -> list[Planned]:
    """The games that a config plans: first, its depth, second, its depth."""
    path = folder / "good.yaml"
    path.write_text(text)
    plan = make_plan(read_config(path))
    games = list(plan.games())
    assert len({game.id for game in games}) == len(games), "games of a plan have ids of their own"
    return [
        (game.first.name, game.first.settings.depth, game.second.name, game.second.settings.depth) for game in games
    ]


def test_a_list_of_evaluators_plays_everybody_against_everybody_in_both_seats(tmp_path):
    assert planned(tmp_path, "players: [windows, squares, runs]\ndepths: [2, 4]\n") == [
        (first, depth, second, depth)
        for depth in (2, 4)
        for pair in (("windows", "squares"), ("windows", "runs"), ("squares", "runs"))
        for first, second in (pair, pair[::-1])
    ]


def test_the_mapping_gives_players_names_and_the_long_form_their_settings(tmp_path):
    text = """
players:
  john: squares
  brittany: {evaluator: runs, order: centre, algorithm: minimax}
depths: [2]
"""
    assert planned(tmp_path, text) == [("john", 2, "brittany", 2), ("brittany", 2, "john", 2)]
    john, brittany = make_plan(read_config(tmp_path / "good.yaml")).players().values()
    assert (john.evaluator.name, john.settings.algorithm, john.settings.order) == ("squares", "alphabeta", "left")
    assert (brittany.evaluator.name, brittany.settings.algorithm, brittany.settings.order) == (
        "runs",
        "minimax",
        "centre",
    )


def test_a_gauntlet_is_one_against_all_others(tmp_path):
    text = "players: [windows, squares, runs]\ndepths: [3]\npairings: {gauntlet: squares}\nseats: as-listed\n"
    assert planned(tmp_path, text) == [("squares", 3, "windows", 3), ("squares", 3, "runs", 3)]


def test_an_explicit_list_takes_all_forms(tmp_path):
    text = """
players: {robert: windows, john: squares, brittany: runs}
depths: [2, 4]
seats: as-listed
pairings:
  - [robert, john]
  - {first: john, second: brittany, depth: 5}
  - {first: {player: john, depth: 1}, second: {player: robert, depth: 8}}
  - {first: brittany, second: {player: robert, depth: 3}}
  - {first: {player: john, depth: 6}, second: brittany, depth: 7}
"""
    assert planned(tmp_path, text) == [
        ("robert", 2, "john", 2),
        ("john", 5, "brittany", 5),
        ("john", 1, "robert", 8),
        ("brittany", 2, "robert", 3),
        ("john", 6, "brittany", 7),
        # at the second of the depths, those that leave it open
        ("robert", 4, "john", 4),
        ("brittany", 4, "robert", 3),
    ]


def test_pairings_that_say_how_deep_need_no_depths(tmp_path):
    text = "players: [windows, runs]\npairings:\n  - {first: windows, second: runs, depth: 3}\n"
    assert planned(tmp_path, text) == [("windows", 3, "runs", 3), ("runs", 3, "windows", 3)]


def test_a_depth_of_a_player_stands_above_the_depths_of_all(tmp_path):
    text = "players:\n  deep: {evaluator: windows, depth: 6}\n  john: squares\ndepths: [2, 4]\nseats: as-listed\n"
    assert planned(tmp_path, text) == [("deep", 6, "john", 2), ("deep", 6, "john", 4)]


def test_players_that_all_have_a_depth_play_once_and_need_no_depths(tmp_path):
    players = (
        "players:\n  deep: {evaluator: windows, depth: 6}\n  flat: {evaluator: windows, depth: 1}\nseats: as-listed\n"
    )
    assert planned(tmp_path, players) == [("deep", 6, "flat", 1)]
    assert planned(tmp_path, f"{players}depths: [2, 4]\n") == [("deep", 6, "flat", 1)]


def test_a_player_may_play_itself_at_another_depth(tmp_path):
    text = """
players: [windows]
pairings:
  - {first: {player: windows, depth: 1}, second: {player: windows, depth: 3}}
"""
    assert planned(tmp_path, text) == [("windows", 1, "windows", 3), ("windows", 3, "windows", 1)]


def test_seats_as_listed_are_one_game_a_pairing(tmp_path):
    text = "players: [windows, runs]\ndepths: [2]\nseats: as-listed\n"
    assert planned(tmp_path, text) == [("windows", 2, "runs", 2)]


def test_random_seats_follow_the_seed(tmp_path):
    text = "players: [balanced, lines, points, room, runs, squares, windows]\ndepths: [2, 4]\nseats: random\nseed: {}\n"
    once, again, other = (planned(tmp_path, text.format(seed)) for seed in (1, 1, 2))
    listed = planned(tmp_path, text.format(1).replace("random", "as-listed"))
    assert once == again
    assert once != other
    assert len(once) == len(listed) == 42
    swapped = [drawn != given for drawn, given in zip(once, listed, strict=True)]
    assert 0 < sum(swapped) < 42
    assert [
        drawn if not swap else (*drawn[2:], *drawn[:2]) for drawn, swap in zip(once, swapped, strict=True)
    ] == listed


def test_random_seats_of_a_pairing_do_not_depend_on_who_else_plays(tmp_path):
    text = "players: [{}]\ndepths: [2]\nseats: random\n"
    few = planned(tmp_path, text.format("lines, points, room, runs"))
    more = planned(tmp_path, text.format("balanced, lines, points, room, runs, squares"))
    assert set(few) < set(more)


def test_evaluators_are_found_beside_the_config_wherever_one_stands(tmp_path, monkeypatch):
    (tmp_path / "configs").mkdir()
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "alice.py").write_text("def evaluate(board):\n    return 0\n")
    (tmp_path / "bob.py").write_text("def evaluate(board):\n    return 1\n")
    monkeypatch.chdir("/")
    text = "players: [alice, bob]\ndepths: [1]\nseats: as-listed\nevaluators: [../mine, ../bob.py]\n"
    assert planned(tmp_path / "configs", text) == [("alice", 1, "bob", 1)]


def test_other_rules_reach_the_plan_and_the_ids(tmp_path):
    ids = set()
    for rules in ("{}", "{rows: 5}", "{columns: 6}", "{connect: 3}"):
        (tmp_path / "good.yaml").write_text(f"{TWO}rules: {rules}\nseats: as-listed\n")
        plan = make_plan(read_config(tmp_path / "good.yaml"))
        ids |= {game.id for game in plan.games()}
    assert (plan.rules.rows, plan.rules.columns, plan.rules.connect) == (6, 7, 3)
    assert len(ids) == 4


ID_CHANGES = {
    "the seed": f"{TWO}seed: 2\n",
    "the name of a player": "players: {windows: windows, rolf: runs}\ndepths: [2]\n",
    "the evaluator": "players: {windows: windows, runs: lines}\ndepths: [2]\n",
    "the depth": "players: [windows, runs]\ndepths: [3]\n",
    "the order": "players: {windows: windows, runs: {evaluator: runs, order: centre}}\ndepths: [2]\n",
    "the algorithm": "players: {windows: windows, runs: {evaluator: runs, algorithm: minimax}}\ndepths: [2]\n",
}
ID_STAYS = {
    "the title": f"{TWO}title: x\n",
    "the form": "players: {windows: windows, runs: {evaluator: runs}}\npairings: {gauntlet: runs}\ndepths: [2]\n",
    "more players and depths": "players: [lines, windows, runs]\ndepths: [1, 2]\n",
}


def ids(folder: Path, text: str) -> set[str]:
    (folder / "good.yaml").write_text(text)
    return {game.id for game in make_plan(read_config(folder / "good.yaml")).games()}


@pytest.mark.parametrize("changed", ID_CHANGES)
def test_what_decides_a_game_changes_its_id(tmp_path, changed):
    assert not ids(tmp_path, TWO) & ids(tmp_path, ID_CHANGES[changed])


@pytest.mark.parametrize("changed", ID_STAYS)
def test_what_does_not_decide_a_game_leaves_its_id(tmp_path, changed):
    assert ids(tmp_path, TWO) <= ids(tmp_path, ID_STAYS[changed])


def test_the_shipped_configs_plan_what_they_say():
    depths = make_plan(read_config(CONFIGS / "depths.yaml"))
    first_player = make_plan(read_config(CONFIGS / "first_player.yaml"))
    assert sum(1 for _ in depths.games()) == 18
    assert {player.name for player in depths.players().values()} == {"robert", "john", "brittany"}
    assert {player.settings.depth for player in depths.players().values()} == {2, 4, 8}
    entrants = {player.evaluator.name for player in first_player.players().values()}
    assert entrants == {path.stem for path in CONFIGS.with_name("evaluators").glob("*.py")}
    assert {player.settings.depth for player in first_player.players().values()} == {2, 4, 6}
    assert sum(1 for _ in first_player.games()) == len(entrants) * (len(entrants) - 1) * 3 * 25  # openings


# ── the schema for editors ───────────────────────────────────────────────────────────────────────


def accepts(schema: Any, value: Any, root: Any) -> bool:
    """Whether a JSON Schema accepts a value: the few keywords that ours is made of, and no others."""
    checks = {
        "$ref": lambda ref: accepts(root["$defs"][ref.removeprefix("#/$defs/")], value, root),
        "type": lambda kind: isinstance(value, KIND[kind]) and not (kind == "integer" and isinstance(value, bool)),
        "oneOf": lambda forms: sum(accepts(form, value, root) for form in forms) == 1,
        "anyOf": lambda forms: any(accepts(form, value, root) for form in forms),
        "enum": lambda values: value in values,
        "const": lambda only: value == only,
        "minimum": lambda least: value >= least,
        "maximum": lambda most: value <= most,
        "exclusiveMaximum": lambda most: value < most,
        "minLength": lambda least: len(value) >= least,
        "minItems": lambda least: len(value) >= least,
        "maxItems": lambda most: len(value) <= most,
        "items": lambda inner: all(accepts(inner, item, root) for item in value),
        "required": lambda keys: set(keys) <= set(value),
        "properties": lambda inner: all(accepts(inner[key], value[key], root) for key in set(inner) & set(value)),
        "propertyNames": lambda inner: all(accepts(inner, key, root) for key in value),
        "additionalProperties": lambda inner: all(
            inner is not False and accepts(inner, value[key], root)
            for key in set(value) - set(schema.get("properties", ()))
        ),
    }
    told = {"title", "description", "default", "$schema", "$defs"}
    assert set(schema) <= set(checks) | told, f"teach this function {set(schema) - set(checks) - told}"
    keywords = sorted((key for key in schema if key in checks), key=lambda key: key != "type")
    return all(checks[key](schema[key]) for key in keywords)


KIND = {"string": str, "integer": int, "array": list, "object": dict, "null": type(None)}


@pytest.fixture
def schema(tourney):
    code, out, _ = tourney("schema")
    assert code == 0
    return json.loads(out)


def test_the_schema_accepts_the_shipped_configs_and_the_one_in_the_issue(schema):
    full = """
title: Three evaluators at three depths
players: {john: squares, robert: windows, brittany: {evaluator: runs, order: centre}}
depths: [2, 4, 8]
pairings: [[robert, john], {first: john, second: brittany, depth: 4},
           {first: {player: john, depth: 2}, second: {player: robert, depth: 8}}]
seats: both
seed: 1
rules: {rows: 6, columns: 7, connect: 4}
evaluators: [../my_heuristics]
"""
    texts = [path.read_text() for path in CONFIGS.glob("*.yaml")] + [full, f"{TWO}pairings: {{gauntlet: runs}}\n"]
    assert len(texts) >= 4
    for text in texts:
        assert accepts(schema, yaml.safe_load(text), schema), text


@pytest.mark.parametrize("bad", OF_FORM, ids=lambda bad: bad.name)
def test_the_schema_rejects_mistakes_of_form(schema, bad):
    assert not accepts(schema, yaml.safe_load(bad.text), schema)


def test_a_mistake_in_one_entry_brings_no_false_ones_about_others(tmp_path, tourney):
    bad = Bad(
        "a folder that is no list",
        "players: [windows, alice]\ndepths: [2]\nevaluators: mine\n",
        ["bad.yaml:3: `evaluators` is 'mine': expected a list."],
        {"mine/alice.py": "def evaluate(board):\n    return 0\n"},
    )
    write(tmp_path, bad)
    assert_is_told(tourney("run", "bad.yaml")[2], bad.mistakes)
