"""Configs: mistakes are told all at once, each with its line, and change nothing on disk; good ones become plans."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import yaml
from folders import ROOT, contents

from tournament.engine.settings import Settings
from tournament.games.connect4 import Rules
from tournament.plan.planning import make_plan
from tournament.plan.reading import read_config

CONFIGS = ROOT / "configs"

# What most of the mistakes below are added to: two lines, so that they stand in line 3.
TWO = "players: [windows, runs]\ndepths: [2]\n"
# And those about studies: five lines, each with what belongs to it.
STUDY = """\
study:
  positions: {start: empty}
  evaluators: [windows]
  algorithms: [minimax, alphabeta]
  depths: [2]
"""


def study(**changed: str | None) -> str:
    """STUDY with other lines for these keys, or without them."""
    lines = [line for line in STUDY.splitlines() if line.split(":")[0].strip() not in changed]
    return "\n".join([*lines, *(f"  {key}: {value}" for key, value in changed.items() if value is not None)]) + "\n"


def player(settings: str, rest: str = "depths: [2]") -> str:
    """A config whose first player, in line 2, has these settings."""
    return f"players:\n  a: {{evaluator: windows, {settings}}}\n  b: runs\n{rest}\n"


RULES = "rows, columns, connect, objective, drift"
ALGORITHMS = "alphabeta or minimax or pvs or expectiminimax or star1 or star2"


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
        [f"bad.yaml:4: unknown key `row`; did you mean `rows`? Known here are {RULES}."],
    ),
    Bad(
        "an unknown key of a player",
        "players:\n  a: windows\n  b:\n    evaluator: runs\n    ordr: left\ndepths: [2]\n",
        [
            "bad.yaml:5: unknown key `ordr`; did you mean `order`? "
            "Known here are depth, budget, algorithm, order, table, iterative, aspiration, evaluator, connectx."
        ],
    ),
    Bad(
        "an unknown key of a pairing",
        f"{TWO}pairings:\n  - [windows, runs]\n  - {{first: windows, second: runs, depht: 3}}\n",
        ["bad.yaml:5: unknown key `depht`; did you mean `depth`? Known here are depth, budget, first, second."],
    ),
    Bad(
        "an unknown key of a side",
        f"{TWO}pairings:\n  - first: windows\n    second: {{player: runs, dept: 3}}\n",
        ["bad.yaml:5: unknown key `dept`; did you mean `depth`? Known here are depth, budget, player."],
    ),
    Bad(
        "an unknown key beside gauntlet",
        f"{TWO}pairings:\n  gauntlet: windows\n  gauntlets: runs\n",
        ["bad.yaml:5: unknown key `gauntlets`; did you mean `gauntlet`? Known here are gauntlet."],
    ),
    # Values of the wrong kind
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
        [
            "bad.yaml:3: player `b`: expected either `evaluator`, as in {evaluator: windows}, "
            "or `connectx`, as in {connectx: agent.py}."
        ],
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
        [
            "bad.yaml:2: `players` `a` `order` is 'center': expected left or centre or killers or history; did you "
            "mean `centre`?"
        ],
    ),
    Bad(
        "an algorithm misspelt",
        "players:\n  a: {evaluator: windows, algorithm: minmax}\n  b: runs\ndepths: [2]\n",
        [
            f"bad.yaml:2: `players` `a` `algorithm` is 'minmax': expected {ALGORITHMS}; did you mean `minimax`?",
        ],
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
    # Rules that vary
    Bad(
        "an unknown key of the drift",
        f"{TWO}rules:\n  drift:\n    chosen: 0.6\n    player: both\n",
        ["bad.yaml:6: unknown key `player`; did you mean `players`? Known here are chosen, players."],
    ),
    Bad(
        "an unknown objective",
        f"{TWO}rules:\n  rows: 6\n  objective: most-line\n",
        ["bad.yaml:5: `rules` `objective` is 'most-line': expected first-line or most-lines; did you mean"],
    ),
    Bad(
        "a drift that is text",
        f"{TWO}rules: {{drift: {{chosen: half}}}}\n",
        ["bad.yaml:3: `rules` `drift` `chosen` is 'half': expected a number."],
    ),
    Bad(
        "a drift that is true",
        f"{TWO}rules: {{drift: {{chosen: true}}}}\n",
        ["bad.yaml:3: `rules` `drift` `chosen` is True: expected a number."],
    ),
    Bad(
        "a drift that is a number",
        f"{TWO}rules: {{drift: 0.6}}\n",
        ["bad.yaml:3: `rules` `drift` is 0.6: expected a mapping."],
    ),
    Bad(
        "a drift without its probability",
        f"{TWO}rules: {{drift: {{players: first}}}}\n",
        ["bad.yaml:3: `chosen` is missing: expected it in `rules` `drift`."],
    ),
    Bad(
        "a drift of nobody",
        f"{TWO}rules: {{drift: {{chosen: 0.6, players: third}}}}\n",
        ["bad.yaml:3: `rules` `drift` `players` is 'third': expected both or first or second"],
    ),
    # Budgets and options of the search
    Bad(
        "an unknown option",
        player("tabel: 20"),
        ["bad.yaml:2: unknown key `tabel`; did you mean `table`? Known here are depth, budget, algorithm, order"],
    ),
    Bad("a table that is too large for any memory", player("table: 60"), ["bad.yaml:2: `players` `a` `table` is 60"]),
    Bad(
        "a table without a size", player("table: true"), ["bad.yaml:2: `players` `a` `table` is True: expected a whole"]
    ),
    Bad(
        "iterative as a number",
        player("iterative: 1"),
        ["bad.yaml:2: `players` `a` `iterative` is 1: expected true or false."],
    ),
    Bad(
        "aspiration as text",
        player("iterative: true, aspiration: narrow"),
        ["bad.yaml:2: `players` `a` `aspiration` is 'narrow': expected a number."],
    ),
    Bad(
        "an unknown kind of budget",
        "players: [windows, runs]\nbudget: {node: 100}\n",
        ["bad.yaml:2: unknown key `node`; did you mean `nodes`? Known here are nodes, seconds."],
    ),
    Bad(
        "an unknown kind of budget in a list of them",
        "players: [windows, runs]\nbudget:\n  - {nodes: 100}\n  - {second: 1}\n",
        ["bad.yaml:4: unknown key `second`; did you mean `seconds`? Known here are nodes, seconds."],
    ),
    Bad(
        "an unknown kind of budget of a side",
        f"{TWO}pairings:\n  - first: windows\n    second: {{player: runs, budget: {{node: 9}}}}\n",
        ["bad.yaml:5: unknown key `node`; did you mean `nodes`? Known here are nodes, seconds."],
    ),
    Bad(
        "a budget that is a number",
        "players: [windows, runs]\nbudget: 2000\n",
        ["bad.yaml:2: `budget` is 2000: expected a mapping."],
    ),
    Bad(
        "a budget of fewer nodes than one",
        "players: [windows, runs]\nbudget:\n  nodes: -5\n",
        ["bad.yaml:3: `budget` `nodes` is -5: expected 1 or more."],
    ),
    Bad(
        "a budget of seconds as text",
        "players: [windows, runs]\nbudget: {seconds: short}\n",
        ["bad.yaml:2: `budget` `seconds` is 'short': expected a number."],
    ),
    # Studies
    Bad("a study that is a word", "study: pruning\n", ["bad.yaml:1: `study` is 'pruning': expected a mapping."]),
    Bad("no study at all", "study: []\n", ["bad.yaml:1: `study` is empty: expected at least one entry."]),
    Bad(
        "a study without algorithms",
        study(algorithms=None),
        ["bad.yaml:1: `algorithms` is missing: expected it in `study`."],
    ),
    Bad(
        "a study with an empty list of algorithms",
        study(algorithms="[]"),
        ["bad.yaml:5: `study` `algorithms` is empty: expected at least one entry."],
    ),
    Bad("a study without depths", study(depths=None), ["bad.yaml:1: `depths` is missing: expected it in `study`."]),
    Bad(
        "a study of depth 0",
        study(depths="\n  - 2\n  - 0"),
        ["bad.yaml:7: `study` `depths` entry 2 is 0: expected 1 or more."],
    ),
    Bad(
        "an unknown key of a study",
        study(algorithm="[minimax]"),
        [
            "bad.yaml:6: unknown key `algorithm`; did you mean `algorithms`? Known here are title, positions, games, "
            "evaluators, algorithms, depths, rules."
        ],
    ),
    Bad(
        "an unknown key of the second of two studies",
        "study:\n  - games: {a: windows}\n    algorithms: [minimax]\n    depths: [2]\n"
        "  - games: {a: windows}\n    algorithms: [minimax]\n    depths: [2]\n    rule: {rows: 5}\n",
        ["bad.yaml:8: unknown key `rule`; did you mean `rules`? Known here are title, positions"],
    ),
    Bad(
        "an unknown key of a study's rules",
        study(rules="{row: 5}"),
        [f"bad.yaml:6: unknown key `row`; did you mean `rows`? Known here are {RULES}."],
    ),
    Bad(
        "an unknown key of one of a study's rules",
        study(rules="\n    - {rows: 5}\n    - {row: 5}"),
        [f"bad.yaml:8: unknown key `row`; did you mean `rows`? Known here are {RULES}."],
    ),
    Bad(
        "an unknown key of a study's drift",
        study(rules="\n    - {rows: 5}\n    - {drift: {chosen: 0.5, player: both}}"),
        ["bad.yaml:8: unknown key `player`; did you mean `players`? Known here are chosen, players."],
    ),
    Bad(
        "an unknown option of an algorithm",
        study(algorithms="\n    - minimax\n    - {algorithm: pvs, tabel: 20}"),
        [
            "bad.yaml:7: unknown key `tabel`; did you mean `table`? Known here are algorithm, order, table, iterative, "
            "aspiration."
        ],
    ),
    Bad(
        "an unknown algorithm",
        study(algorithms="\n    - minimax\n    - alfabeta"),
        [f"bad.yaml:7: `study` `algorithms` entry 2 is 'alfabeta': expected {ALGORITHMS}; did you mean `alphabeta`?"],
    ),
    Bad(
        "an unknown algorithm in the long form",
        study(algorithms="[{algorithm: star3}]"),
        [f"bad.yaml:5: `study` `algorithms` entry 1 `algorithm` is 'star3': expected {ALGORITHMS}; did you mean `star"],
    ),
    Bad(
        "an algorithm that is a list",
        study(algorithms="[[minimax, alphabeta]]"),
        ["bad.yaml:5: `study` `algorithms` entry 1 is ['minimax', 'alphabeta']: expected "],
    ),
    Bad(
        "positions without names",
        study(positions="[empty]"),
        ["bad.yaml:5: `study` `positions` is ['empty']: expected a mapping."],
    ),
    Bad("no board at all", study(rules="[]"), ["bad.yaml:6: `study` `rules` is empty: expected at least one entry."]),
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
    Bad("no players", "depths: [2]\n", ["bad.yaml:1: `players` is missing"]),
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
    *(
        Bad(
            f"a drift of {chosen}",
            f"{TWO}rules: {{drift: {{chosen: {chosen}}}}}\n",
            [
                f"bad.yaml:3: drift is {shown}: the probability that a disc lands in the chosen column is more than 0 "
                "and at most 1."
            ],
        )
        for chosen, shown in (("0", "0"), ("1.5", "1.5"), ("-0.2", "-0.2"), (".nan", "nan"), (".inf", "inf"))
    ),
    # Searches that can't be
    Bad(
        "a search without chance where discs drift",
        player("algorithm: alphabeta", "depths: [2]\nrules: {drift: {chosen: 0.6}}"),
        ["bad.yaml:2: alphabeta knows no chance, and discs drift on this board: use expectiminimax, star1, star2."],
    ),
    Bad(
        "a search with chance where no disc drifts",
        player("algorithm: expectiminimax"),
        [
            "bad.yaml:2: expectiminimax is for boards on which discs drift, and on this one none does: use alphabeta, "
            "minimax, pvs, or let discs drift."
        ],
    ),
    Bad(
        "a search with chance where there is no column beside",
        player("algorithm: star2", "depths: [2]\nrules: {rows: 5, columns: 1, drift: {chosen: 0.6}}"),
        ["bad.yaml:2: star2 is for boards on which discs drift, and on this one none does"],
    ),
    Bad(
        "aspiration without iterative",
        player("aspiration: 20"),
        ["bad.yaml:2: aspiration needs `iterative`: its window stands around the score of the depth before."],
    ),
    Bad(
        "aspiration without iterative, at a depth of the player's own",
        player("aspiration: 20, depth: 2", "budget: {nodes: 100}"),
        ["bad.yaml:2: aspiration needs `iterative`"],
    ),
    Bad(
        "aspiration without iterative, at a depth of a pairing",
        player("aspiration: 20", "budget: {nodes: 100}\npairings:\n  - {first: a, second: b, depth: 2}"),
        ["bad.yaml:2: aspiration needs `iterative`"],
    ),
    Bad(
        "aspiration without iterative, at a depth of a side that stands above the player's own budget",
        player(
            "aspiration: 20, budget: {nodes: 100}",
            "depths: [2]\npairings:\n  - {first: {player: a, depth: 2}, second: b}",
        ),
        ["bad.yaml:2: aspiration needs `iterative`"],
    ),
    Bad(
        "aspiration where nothing is pruned",
        player("algorithm: minimax, iterative: true, aspiration: 20"),
        ["bad.yaml:2: aspiration has no use in minimax, which prunes nothing."],
    ),
    Bad(
        "a negative aspiration",
        player("iterative: true, aspiration: -1"),
        ["bad.yaml:2: aspiration is -1.0: half the width of a window is a positive number."],
    ),
    # Budgets
    Bad(
        "a budget of nodes and seconds",
        "players: [windows, runs]\nbudget: {nodes: 100, seconds: 1}\n",
        [
            "bad.yaml:2: `budget`: nodes 100 and seconds 1.0 are given: a search has either a depth, or a budget of "
            "nodes or of seconds."
        ],
    ),
    Bad(
        "a budget of nothing",
        "players: [windows, runs]\nbudget: {}\n",
        ["bad.yaml:2: `budget`: no limit is given: a search has either a depth, or a budget of nodes or of seconds."],
    ),
    Bad(
        "a list of budgets of which one is nothing",
        "players: [windows, runs]\nbudget:\n  - {nodes: 100}\n  - {}\n",
        ["bad.yaml:4: `budget`: no limit is given"],
    ),
    *(
        Bad(
            f"a budget of {seconds} seconds",
            f"players: [windows, runs]\nbudget: {{seconds: {seconds}}}\n",
            [f"bad.yaml:2: `budget`: seconds is {shown}: a budget is a positive number of seconds."],
        )
        for seconds, shown in (("-0.5", "-0.5"), ("0", "0.0"), (".inf", "inf"), (".nan", "nan"))
    ),
    Bad(
        "a player's budget of nothing",
        player("budget: {}"),
        ["bad.yaml:2: `budget`: no limit is given"],
    ),
    Bad(
        "a depth and a budget of a player",
        player("depth: 2, budget: {nodes: 9}"),
        ["bad.yaml:2: has a `depth` and a `budget`: keep one of them."],
    ),
    Bad(
        "a depth and a budget of a pairing and of a side",
        f"{TWO}pairings:\n  - {{first: windows, second: runs, depth: 2, budget: {{nodes: 9}}}}\n"
        "  - first: windows\n    second: {player: runs, depth: 2, budget: {nodes: 9}}\n",
        ["bad.yaml:4: has a `depth` and a `budget`", "bad.yaml:6: has a `depth` and a `budget`"],
    ),
    # Studies
    Bad(
        "a study of nothing",
        study(positions=None),
        ['bad.yaml:1: a study needs `positions`, as in {early: "33"}, or `games`, as in {self-play: windows}.'],
    ),
    Bad(
        "a study without evaluators",
        study(evaluators=None),
        ["bad.yaml:1: `evaluators` is missing: expected a list of those that are to search."],
    ),
    Bad(
        "players beside a study",
        f"{STUDY}players: [windows, runs]\nrules: {{rows: 5}}\n",
        [
            "bad.yaml:6: `players` has no place beside `study`.",
            "bad.yaml:7: `rules` has no place beside `study`: a study says its rules under `study:`.",
        ],
    ),
    *(
        Bad(
            f"a study with {what}",
            study(positions="\n    good: empty\n    bad: " + f'"{text}"'),
            [f"bad.yaml:7: on 6×7: {told}"],
        )
        for what, text, told in (
            ("a column that is not there", "48", "move 2 of `48` is column `8`, which does not exist"),
            ("a decided position", "1212121", "the game is over here (X has a line): there is no move to choose."),
            ("a position after the end", "12121214", "move 8 of `12121214` comes after the game has ended"),
            ("too few rows", "..X./.... O", "the diagram has 2 rows and the board 6"),
            ("no position", "", "there is no position: write moves as digits, a diagram, or `empty`."),
        )
    ),
    Bad(
        "a position that fits one board and not another",
        study(positions='{start: "7"}', rules="[{rows: 4, columns: 5}, {rows: 6, columns: 7}]"),
        ["bad.yaml:5: on 4×5: move 1 of `7` is column `7`, which does not exist: the board has columns 1 to 5."],
    ),
    Bad(
        "a position that fits none of two boards of one size is told once",
        study(positions='{start: "8"}', rules="[{connect: 3}, {connect: 4}]"),
        ["bad.yaml:5: on 6×7: move 1 of `8` is column `8`"],
    ),
    Bad(
        "a position that is decided on a board with a shorter line",
        study(positions='{start: "12121"}', rules="[{connect: 3}, {connect: 4}]"),
        ["bad.yaml:5: on 6×7: the game is over here (X has a line)"],
    ),
    Bad(
        "an unknown evaluator of a study",
        study(evaluators="\n    - windows\n    - widows"),
        ["bad.yaml:7: there is no evaluator `widows`; did you mean `windows`? Known are balanced"],
    ),
    Bad(
        "an unknown evaluator of a study's games",
        study(positions=None, evaluators=None, games="{itself: widows}"),
        ["bad.yaml:4: there is no evaluator `widows`; did you mean `windows`? Known are balanced"],
    ),
    Bad(
        "a study without chance where discs drift",
        study(rules="{drift: {chosen: 0.6}}", algorithms="[expectiminimax, pvs]"),
        ["bad.yaml:6: pvs knows no chance, and discs drift on this board: use expectiminimax, star1, star2."],
    ),
    Bad(
        "a study with chance where no disc drifts",
        study(algorithms="\n    - minimax\n    - star1"),
        ["bad.yaml:7: star1 is for boards on which discs drift, and on this one none does"],
    ),
    Bad(
        "an algorithm that suits none of several boards is told once",
        study(rules="[{drift: {chosen: 0.6}}, {drift: {chosen: 0.7}}]", algorithms="[minimax]"),
        ["bad.yaml:6: minimax knows no chance"],
    ),
    Bad(
        "the usual algorithm on boards that need two",
        study(rules="[{}, {drift: {chosen: 0.6}}]", algorithms="[{order: centre}]"),
        ["bad.yaml:6: alphabeta knows no chance"],
    ),
    Bad(
        "aspiration without iterative in a study",
        study(algorithms="\n    - minimax\n    - {algorithm: pvs, aspiration: 20}"),
        ["bad.yaml:7: aspiration needs `iterative`"],
    ),
    Bad(
        "a board of a study that can't be",
        study(rules="\n    - {rows: 6}\n    - {rows: 4, columns: 5, connect: 6}\n    - {drift: {chosen: 0}}"),
        [
            "bad.yaml:8: connect is 6, but no line of a board of 4×5 is longer than 5",
            "bad.yaml:9: drift is 0: the probability",
        ],
    ),
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
        ["bad.yaml:1: mine/bits.py:1: evaluate asks for `mine`, and a board of 8×9 takes 81 bits"],
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
        "mistakes in several studies",
        "study:\n"
        "  - positions: {a: '8'}\n    evaluators: [windows]\n    algorithms: [minimax]\n    depths: [2]\n"
        "  - positions: {a: empty}\n    evaluators: [widows]\n    algorithms: [star1]\n    depths: [2]\n"
        "  - games: {a: rns}\n    algorithms: [minimax]\n    depths: [2]\n",
        [
            "bad.yaml:2: on 6×7: move 1 of `8`",
            "bad.yaml:7: there is no evaluator `widows`",
            "bad.yaml:8: star1 is for boards",
            "bad.yaml:10: there is no evaluator `rns`",
        ],
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


@pytest.mark.parametrize("bad", BAD, ids=lambda bad: bad.name)
def test_a_bad_config_is_told_line_by_line_and_leaves_the_disk_as_it_was(tmp_path, tourney, bad):
    write(tmp_path, bad)
    before = contents(tmp_path)
    code, out, err = tourney("run", "bad.yaml", "--quiet")
    assert (code, out) == (2, "")
    assert_is_told(err, bad.mistakes)
    assert contents(tmp_path) == before


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


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (player("table: 30"), 2),
        (study(algorithms="\n    - minimax\n    - {algorithm: pvs, table: 30}"), 7),
    ],
    ids=["a player", "a study"],
)
def test_a_table_that_does_not_fit_into_memory_is_told_with_the_largest_that_does(
    tmp_path, tourney, monkeypatch, text, line
):
    monkeypatch.setattr("tournament.engine.settings.memory_available", lambda: 3 << 30)
    (tmp_path / "bad.yaml").write_text(text)
    before = contents(tmp_path)
    code, out, err = tourney("run", "bad.yaml")
    assert (code, out) == (2, "")
    told = f"bad.yaml:{line}: a table of 2^30 positions takes 32.0 GB and 3.0 GB are free: use a table of at most 26."
    assert_is_told(err, [told])
    assert contents(tmp_path) == before


def test_a_table_that_fits_once_must_fit_into_every_process(tmp_path, tourney, monkeypatch):
    monkeypatch.setattr("tournament.engine.settings.memory_available", lambda: 40 << 10)
    (tmp_path / "c.yaml").write_text(player("table: 10"))
    before = contents(tmp_path)
    code, _, err = tourney("run", "c.yaml", "--jobs", "2", "--quiet")
    assert code == 2
    assert err.splitlines()[-1].startswith("tourney: a table of 2^10 positions in each of 2 processes takes")
    assert contents(tmp_path) == before
    assert tourney("run", "c.yaml", "--jobs", "1", "--quiet")[0] in (0, None)


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

Planned = tuple[str, int | str, str, int | str]


def planned(folder: Path, text: str) -> list[Planned]:
    """The games that a config plans: first, its depth or budget, second, its depth or budget."""
    path = folder / "good.yaml"
    path.write_text(text)
    plan = make_plan(read_config(path))
    games = list(plan.games())
    assert len({game.id for game in games}) == len(games), "games of a plan have ids of their own"
    seats = [(side.name, side.settings) for game in games for side in (game.first, game.second)]
    sides = [(name, settings.depth or settings.limit) for name, settings in seats]
    return [(*first, *second) for first, second in zip(sides[::2], sides[1::2], strict=True)]


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


def test_budgets_come_after_depths_one_or_several(tmp_path):
    text = "players: [windows, runs]\nseats: as-listed\nbudget: {}\n"
    assert planned(tmp_path, text.format("{nodes: 2000}")) == [("windows", "2,000 nodes", "runs", "2,000 nodes")]
    budgets = "[{seconds: 0.05}, {nodes: 100}]\ndepths: [3]"
    assert [game[1] for game in planned(tmp_path, text.format(budgets))] == [3, "0.05 s", "100 nodes"]


def test_a_budget_stands_wherever_a_depth_does(tmp_path):
    text = """
players:
  rich: {evaluator: windows, budget: {nodes: 5000}}
  john: squares
  runs: runs
depths: [2]
budget: {nodes: 100}
seats: as-listed
pairings:
  - [rich, john]
  - {first: john, second: runs, budget: {seconds: 1}}
  - {first: {player: rich, depth: 3}, second: {player: john, budget: {nodes: 7}}}
  - {first: {player: john, depth: 6}, second: runs, budget: {nodes: 8}}
"""
    assert planned(tmp_path, text) == [
        ("rich", "5,000 nodes", "john", 2),
        ("john", "1 s", "runs", "1 s"),
        ("rich", 3, "john", "7 nodes"),
        ("john", 6, "runs", "8 nodes"),
        ("rich", "5,000 nodes", "john", "100 nodes"),
    ]


def test_a_player_may_play_itself_at_a_depth_and_within_a_budget(tmp_path):
    one, other = "{player: windows, depth: 2}", "{player: windows, budget: {nodes: 9}}"
    text = f"players: [windows]\npairings:\n  - {{first: {one}, second: {other}}}\n"
    assert planned(tmp_path, text) == [("windows", 2, "windows", "9 nodes"), ("windows", "9 nodes", "windows", 2)]


def test_options_reach_the_players(tmp_path):
    options = "algorithm: pvs, order: history, table: 12, iterative: true, aspiration: 7.5"
    (tmp_path / "good.yaml").write_text(player(options))
    a, b = make_plan(read_config(tmp_path / "good.yaml")).players().values()
    assert a.settings == Settings(2, "pvs", "history", table=12, iterative=True, aspiration=7.5)
    assert b.settings == Settings(2)


@pytest.mark.parametrize("budget", ["budget: {nodes: 200}", "budget: {seconds: 0.1}"])
def test_aspiration_goes_with_a_budget_which_deepens_by_itself(tmp_path, budget):
    assert planned(tmp_path, player("aspiration: 20", budget))
    assert planned(tmp_path, player(f"aspiration: 20, {budget}"))
    pairing = f"pairings:\n  - {{first: a, second: b, {budget}}}"
    assert planned(tmp_path, player("aspiration: 20", pairing))


def test_the_algorithm_is_star1_where_discs_drift_unless_told_otherwise(tmp_path):
    rules = "depths: [2]\nrules: {drift: {chosen: 0.6, players: second}, objective: most-lines}"
    (tmp_path / "good.yaml").write_text(player("algorithm: star2", rules))
    plan = make_plan(read_config(tmp_path / "good.yaml"))
    assert plan.rules == Rules(objective="most-lines", drift=0.6, drift_players="second")
    assert [each.settings.algorithm for each in plan.players().values()] == ["star2", "star1"]


def test_a_drift_of_1_is_none(tmp_path):
    (tmp_path / "good.yaml").write_text(f"{TWO}rules: {{drift: {{chosen: 1}}}}\n")
    plan = make_plan(read_config(tmp_path / "good.yaml"))
    assert {each.settings.algorithm for each in plan.players().values()} == {"alphabeta"}


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
    variants = ("{objective: most-lines}", "{drift: {chosen: 0.6}}", "{drift: {chosen: 0.6, players: first}}")
    for rules in ("{}", "{rows: 5}", "{columns: 6}", *variants, "{connect: 3}"):
        (tmp_path / "good.yaml").write_text(f"{TWO}rules: {rules}\nseats: as-listed\n")
        plan = make_plan(read_config(tmp_path / "good.yaml"))
        ids |= {game.id for game in plan.games()}
    assert (plan.rules.rows, plan.rules.columns, plan.rules.connect) == (6, 7, 3)
    assert len(ids) == 7


ID_CHANGES = {
    "the seed": f"{TWO}seed: 2\n",
    "the name of a player": "players: {windows: windows, rolf: runs}\ndepths: [2]\n",
    "the evaluator": "players: {windows: windows, runs: lines}\ndepths: [2]\n",
    "the depth": "players: [windows, runs]\ndepths: [3]\n",
    "the order": "players: {windows: windows, runs: {evaluator: runs, order: centre}}\ndepths: [2]\n",
    "the algorithm": "players: {windows: windows, runs: {evaluator: runs, algorithm: minimax}}\ndepths: [2]\n",
    "the table": "players: {windows: windows, runs: {evaluator: runs, table: 8}}\ndepths: [2]\n",
    "iterative": "players: {windows: windows, runs: {evaluator: runs, iterative: true}}\ndepths: [2]\n",
    "a budget": "players: [windows, runs]\nbudget: {nodes: 2}\n",
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
        "type": lambda kind: (
            isinstance(value, KIND[kind]) and not (kind in ("integer", "number") and isinstance(value, bool))
        ),
        "oneOf": lambda forms: sum(accepts(form, value, root) for form in forms) == 1,
        "anyOf": lambda forms: any(accepts(form, value, root) for form in forms),
        "enum": lambda values: value in values,
        "const": lambda only: value == only,
        "minimum": lambda least: value >= least,
        "maximum": lambda most: value <= most,
        "exclusiveMaximum": lambda most: value < most,
        "minLength": lambda least: len(value) >= least,
        "not": lambda inner: not accepts(inner, value, root),
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


KIND = {
    **{"string": str, "integer": int, "number": int | float, "boolean": bool},
    **{"array": list, "object": dict, "null": type(None)},
}


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
