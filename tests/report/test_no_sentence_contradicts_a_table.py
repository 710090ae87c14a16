"""For random results of tournaments and studies: what a sentence claims stands in a table, and what a table has decided
is not called open.
"""

import re
from itertools import permutations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from tables import records, tables_of
from test_results import game, player, results
from test_study_tables import move, searches
from test_study_tables import results as study_results

from tournament.report.summary import study_summary, summary

NAMES = ("ann", "bob", "cyd", "dee")


def table(found, title: str) -> list[dict]:
    return [record for one in tables_of(found) if one.title == title for record in records(one)]


@settings(max_examples=15)
@given(st.integers(0, 10**6), st.integers(2, 4), st.integers(1, 14), st.floats(0, 3), st.booleans())
def test_of_tournaments(seed, players, openings, spread, both):
    random = np.random.default_rng(seed)
    strength = spread * random.standard_normal(players)
    pairings = list(permutations(range(players), 2)) if both else [(0, other) for other in range(1, players)]
    games = []
    for opening in range(openings):
        for one, other in pairings:
            first = random.random() < 1 / (1 + np.exp(strength[other] - strength[one]))
            seats = [player(NAMES[index]) for index in (one, other)]
            result = "draw" if random.random() < 0.1 else "first" if first else "second"
            games.append(game(*seats, result, opening=f"{opening // 7 + 1}{opening % 7 + 1}"))
    found = results(*games)
    said = summary(found)
    verdicts = {(row["player"], row["against"]): row["verdict"] for row in table(found, "Verdicts")}
    turned = {"above": "below", "below": "above", "better": "worse", "worse": "better"}
    verdicts |= {(other, one): turned.get(word, word) for (one, other), word in verdicts.items()}
    best = next((one for one in said if "rated highest" in one), "")
    if leader := re.search(r"(\w+) is rated highest", best):
        told, _, left_open = best.partition("; some ")[0].partition("whether")
        for name in NAMES[:players]:
            word = verdicts.get((leader[1], name))
            if name in told.partition("rated highest")[2]:
                assert word in ("above", "better", "below", "worse"), best
            if name in left_open:
                assert word == "can't tell", best
            if "everybody else" in told and word is not None:
                assert word in ("above", "better"), best
            if "anybody can't be told" in best:
                assert word in (None, "can't tell"), best
    overall = next((row for row in table(found, "First-player advantage") if row["games of"] == "all"), None)
    interval = overall and overall["95 % by opening"]
    for sentence in said:
        if sentence.startswith("Whoever") and "was an advantage" in sentence:
            assert interval is not None
            assert not interval[0] <= 0.5 <= interval[1]
            assert ("moving first was" in sentence) == (overall["mover scored"] > 0.5)
    assert both or not any("moved first" in sentence for sentence in said), "seats are not balanced"


@settings(max_examples=15)
@given(st.lists(st.tuples(st.integers(1, 2000), st.floats(0.001, 9)), min_size=2, max_size=3))
def test_of_studies(taken):
    algorithms = ("minimax", "alphabeta", "pvs")
    pairs = zip(algorithms, taken, strict=False)
    found = study_results(*(searches(name, 2, move(generated=n, seconds=s)) for name, (n, s) in pairs))
    first = study_summary(found)[0]
    rows = table(found, "What is saved against minimax")
    fastest = max(row["speed-up"] for row in rows)
    if shown := re.search(r"([\d.,]+) times as fast", first):
        assert float(shown[1].replace(",", "")) == float(f"{fastest:.2f}" if fastest < 100 else f"{fastest:.0f}")
