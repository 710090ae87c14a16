"""Every option searches exactly as many nodes as it always has: what no comparison of values can see."""

import pytest
from folders import STORES

from tournament.engine.result import Counters
from tournament.engine.searcher import search
from tournament.engine.settings import Settings
from tournament.games.connect4 import STANDARD, read_position
from tournament.plugins.compiled import Scorer
from tournament.plugins.evaluator import load_file

COUNTED = [  # generated, expanded, evaluated, cutoffs as before the engine was a package, and untried
    ({}, (35477, 8102, 26568, 4866, 21153)),
    ({"algorithm": "minimax"}, (18934, 2705, 15450, 0, 0)),
    ({"algorithm": "pvs"}, (25098, 6467, 18042, 4726, 20637)),
    ({"order": "centre"}, (37184, 7235, 25606, 4886, 13149)),
    ({"order": "killers"}, (6324, 1854, 4119, 1138, 6491)),
    ({"order": "history"}, (5314, 1641, 3375, 1055, 6079)),
    ({"table": 12}, (21678, 5181, 15596, 3305, 14518)),
    ({"iterative": True}, (44769, 10528, 33280, 6509, 28832)),
    ({"iterative": True, "aspiration": 4.0}, (54215, 13283, 39559, 8596, 38667)),
    ({"algorithm": "pvs", "order": "killers", "table": 12, "iterative": True}, (5471, 2228, 2627, 1726, 10021)),
    ({"order": "history", "table": 12}, (3310, 1019, 1926, 658, 3732)),
]


@pytest.fixture(scope="module")
def near():
    return Scorer(load_file(STORES / "evaluators" / "near.py", "test"), STANDARD)


@pytest.mark.needs_jit
@pytest.mark.parametrize(("options", "counters"), COUNTED, ids=lambda value: ", ".join(map(str, value)) or "plain")
def test_the_counters_of_a_search_are_what_they_were(near, options, counters):
    depth = 5 if options.get("algorithm") == "minimax" else 7
    assert search(read_position("4435"), near, Settings(depth, **options)).counters == Counters(*counters)
