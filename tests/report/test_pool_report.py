"""What a pool says: of simulated ones what is known of them, of random ones no more than their tables.

`pytest --long tests/report/test_pool_report.py` simulates many; the short form sees gross faults alone.
"""

from __future__ import annotations

import math
import re
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tables import records, tables_of
from test_evidence_tables import add, game, player

import tournament
from tournament.engine.settings import Settings
from tournament.evidence.pairs import Pairs
from tournament.evidence.ratings import ELO, elo_of_strength
from tournament.plan.pairings import meetings
from tournament.report.evidence import Estimate, Evidence, PairingVerdict, RatedGroup, Ratings, Step, Strength
from tournament.report.pair_evidence import evidence_of
from tournament.report.results import Results
from tournament.report.strength import ALIKE, priced
from tournament.report.strength_words import on_plies
from tournament.report.summary import summary
from tournament.store import Cost

pytestmark = pytest.mark.charts

# ── simulated pools ──────────────────────────────────────────────────────────────────────────────

OPENINGS, ADVANTAGE, DRAWS = 25, 60.0, 0.5
BY_DEPTH = (0, 250, 350, 350, 350)  # Elo: two plies pay, and then none does
BY_NAME = {"ann": -80, "bob": -30, "cyd": 30, "dee": 80}
PLAYERS = [player(name, depth) for name in BY_NAME for depth in range(1, len(BY_DEPTH) + 1)]
KNOWN = np.array([BY_NAME[one.name] + BY_DEPTH[one.settings.depth - 1] for one in PLAYERS], dtype=float)
TRUTH = dict(
    zip((one.key for one in PLAYERS), elo_of_strength(KNOWN - KNOWN.mean(), ADVANTAGE, DRAWS).tolist(), strict=True)
)


def simulated(seed: int, opponents: int | None = None) -> Evidence:
    """What a pool of players of known strengths shows."""
    random, pairs = np.random.default_rng(seed), Pairs()
    for one, other in meetings(range(len(PLAYERS)), opponents, seed):
        for opening in range(OPENINGS):
            results = []
            for first, second in ((one, other), (other, one)):
                d = (KNOWN[first] - KNOWN[second] + ADVANTAGE) / ELO
                weights = np.array([math.exp(d / 2), DRAWS, math.exp(-d / 2)])
                results.append(("first", "draw", "second")[random.choice(3, p=weights / weights.sum())])
            sides = PLAYERS[one], PLAYERS[other]
            add(pairs, game(*sides, f"{opening:02}", results[0]), game(*reversed(sides), f"{opening:02}", results[1]))
    found = evidence_of(pairs, seed, in_pool=True)
    assert found is not None
    return found


def worth(step: Step) -> float:
    """What a step is truly worth."""
    names = BY_NAME if step.name is None else [step.name]
    return float(np.mean([TRUTH[f"{name}{step.high}"] - TRUTH[f"{name}{step.low}"] for name in names]))


def test_a_pool_tells_which_plies_pay_and_who_plays_alike_and_no_more(long):
    covered, false, paying, wrong_alike, alike = [], 0, [], 0, 0
    pools = 100 if long else 1
    for seed in range(pools):
        found = simulated(seed, opponents=8)
        assert len(found.ratings.groups) == 1
        assert len(found.ratings.groups[0].ratings) == len(PLAYERS)
        rated = found.ratings.groups[0].ratings
        covered += [own.interval[0] <= TRUTH[key] <= own.interval[1] for key, own in rated.items()]
        steps = found.strength.steps
        assert {step.name for step in steps} == {None, *BY_NAME}
        covered += [step.gain.interval[0] <= worth(step) <= step.gain.interval[1] for step in steps]
        told = [step for step in steps if step.word != "can't tell"]
        false += any(abs(worth(step)) < 1e-6 or (step.word == "better") != (worth(step) > 0) for step in told)
        paying += [step.word == "better" for step in steps if step.name is None and worth(step) > 50]
        if found.strength.alike:
            alike += 1
            said = found.strength.alike[0]
            wrong_alike += abs(TRUTH[said.shallow] - TRUTH[said.deep]) > ALIKE
    print(
        f"{np.mean(covered):.1%} covered, {false / pools:.1%} false, {np.mean(paying):.1%} of steps that pay told, "
        f"{alike / pools:.1%} with players alike, {wrong_alike / pools:.1%} wrongly"
    )
    assert np.mean(covered) >= (0.92 if long else 0.8)
    assert np.mean(paying) >= 0.9
    assert false <= (0.1 * pools if long else 1)
    assert wrong_alike <= 0.1 * pools


# ── the frontier ─────────────────────────────────────────────────────────────────────────────────


def evidence(elos: list[float], better: set[tuple[int, int]] = frozenset()) -> Evidence:
    """Players at one depth each, so rated, and some of them decided by their own pairs."""
    players = {one.key: one for one in (player(f"p{place}", Settings(depth=1)) for place in range(len(elos)))}
    keys = list(players)
    rated = sorted(zip(keys, elos, strict=True), key=lambda each: -each[1])
    group = RatedGroup(None, 99, {key: Estimate(elo, (elo - 9, elo + 9)) for key, elo in rated}, {})
    verdicts = [
        PairingVerdict(keys[one], keys[other], False, "better", 0.01, 1, None, None, None)  # type: ignore[arg-type]
        for one, other in better
    ]
    return Evidence(players, 99, 25, Ratings((group,), None, 99, 25), tuple(verdicts), in_pool=True)  # type: ignore[arg-type]


@given(st.data())
def test_the_frontier_holds_nobody_whom_another_beats_at_a_lower_price(data):
    number = data.draw(st.integers(2, 12))
    elos = data.draw(st.lists(st.integers(-9, 9).map(float), min_size=number, max_size=number))
    seconds = data.draw(st.lists(st.integers(1, 9).map(float), min_size=number, max_size=number))
    both = st.tuples(st.integers(0, number - 1), st.integers(0, number - 1)).filter(lambda two: two[0] < two[1])
    better = data.draw(st.sets(both, max_size=6))
    found = evidence(elos, better)
    keys = list(found.players)
    cost = {key: Cost(moves=2, cpu_seconds=2 * each) for key, each in zip(keys, seconds, strict=True)}
    prices = {one.key: one for one in priced(found, cost)}
    assert set(prices) == set(keys)
    for one in prices.values():
        beats = [
            other
            for other in prices.values()
            if other.seconds < one.seconds
            and (other.rating.elo >= one.rating.elo or (keys.index(other.key), keys.index(one.key)) in better)
        ]
        if one.on_frontier:
            assert not beats
        else:
            less = prices[one.as_good]
            assert less.seconds <= one.seconds
            assert less.rating.elo >= one.rating.elo or (keys.index(less.key), keys.index(one.key)) in better
    ratings = [one.rating.elo for one in prices.values() if one.on_frontier]
    assert all(low < high for low, high in pairwise(ratings))


def test_no_other_tournament_has_prices():
    found = evidence([1.0, 2.0])
    cost = {key: Cost(moves=1, cpu_seconds=1.0) for key in found.players}
    assert priced(found, cost)
    assert priced(None, cost) == ()
    assert priced(Evidence(found.players, 99, 25, found.ratings, ()), cost) == ()


# ── in words ─────────────────────────────────────────────────────────────────────────────────────


def step(low: int, high: int, elo: float, word: str, name: str | None = None) -> Step:
    return Step(name, low, high, 3, Estimate(elo, (elo - 10, elo + 10)), 0.01, word)  # type: ignore[arg-type]


PAYS, OPEN, COSTS = "better", "can't tell", "worse"
WORDS = [
    (
        [step(1, 2, 100, PAYS), step(2, 3, 50, PAYS), step(1, 3, 150, PAYS)],
        [
            "From depth 1 to 3 a ply is worth +75 Elo (95 % interval +70 to +80), on average over 3 players.",
            "The last step, from 2 to 3, still pays, +50 Elo (95 % interval +40 to +60).",
        ],
    ),
    (
        [step(1, 2, 100, PAYS), step(2, 3, 5, OPEN), step(3, 4, 5, OPEN), step(1, 4, 110, PAYS)],
        [
            "From depth 1 to 4 a ply is worth +37 Elo (95 % interval +33 to +40), on average over 3 players.",
            "Beyond depth 2 no ply is told to pay: from 2 to 4 it is +10 Elo.",
        ],
    ),
    (
        [step(1, 2, 100, PAYS), step(2, 3, -40, COSTS), step(1, 3, 60, PAYS)],
        [
            "From depth 1 to 3 a ply is worth +30 Elo (95 % interval +25 to +35), on average over 3 players.",
            "Beyond depth 2 no ply is told to pay: from 2 to 3 it costs, -40 Elo.",
        ],
    ),
    (
        [step(1, 2, 5, OPEN), step(2, 3, -40, COSTS), step(3, 4, 150, PAYS), step(1, 4, 115, PAYS)],
        [
            "From depth 1 to 4 a ply is worth +38 Elo (95 % interval +35 to +42), on average over 3 players.",
            "The last step, from 3 to 4, still pays, +150 Elo (95 % interval +140 to +160); whether that from 1 to 2 "
            "does can't be told; that from 2 to 3 costs.",
        ],
    ),
    (
        [step(1, 2, 5, OPEN), step(2, 3, 5, OPEN), step(1, 3, 10, OPEN)],
        ["Whether searching deeper than 1 is worth anything by depth 3 can't be told, on average over 3 players."],
    ),
    (
        [step(1, 2, 30, OPEN), step(2, 3, 30, OPEN), step(1, 3, 60, PAYS)],
        [
            "From depth 1 to 3 a ply is worth +30 Elo (95 % interval +25 to +35), on average over 3 players.",
            "Of no single step can it be told that it pays.",
        ],
    ),
    ([step(2, 4, 90, PAYS, "ann")], ["From depth 2 to 4 a ply is worth +45 Elo (95 % interval +40 to +50), for ann."]),
    (
        [step(2, 3, -90, COSTS, "ann")],
        ["From depth 2 to 3 a ply is worth -90 Elo (95 % interval -100 to -80), for ann."],
    ),
    ([step(2, 3, 9, PAYS, "ann"), step(3, 4, 9, PAYS, "bob")], []),
]


@pytest.mark.parametrize(("steps", "told"), WORDS)
def test_what_a_ply_is_worth_is_said_as_far_as_it_is_told(steps, told):
    assert on_plies(Strength(tuple(steps), ())) == told


@pytest.mark.parametrize("in_turn", [(1, 4), (4, 1)])
def test_one_player_at_two_depths_is_told_what_a_ply_is_worth_as_its_pairing_says(in_turn):
    pairs, sides = Pairs(), [player("ann", depth) for depth in in_turn]
    deep = in_turn.index(4)
    for opening in range(25):
        ends = ("first", "second") if (opening > 3) == (deep == 0) else ("second", "first")
        add(pairs, game(*sides, f"{opening:02}", ends[0]), game(*reversed(sides), f"{opening:02}", ends[1]))
    found = evidence_of(pairs, 1, in_pool=True)
    (verdict,), (one,) = found.verdicts, found.strength.steps
    assert (one.name, one.low, one.high, one.word, one.p) == ("ann", 1, 4, "better", verdict.p)
    assert found.players[verdict.better[0]].settings.depth == 4
    assert re.match(r"From depth 1 to 4 a ply is worth \+\d+ Elo .*, for ann\.$", on_plies(found.strength)[0])
    assert evidence_of(pairs, 1).strength is None


# ── a pool, played ───────────────────────────────────────────────────────────────────────────────

CONFIG = "title: Small pool\nplayers: [windows, runs]\ndepths: [1, 2, 3]\npool: true\nopenings: {plies: 2}\n"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    made = tmp_path_factory.mktemp("pool")
    (made / "c.yaml").write_text(CONFIG)
    return made


@pytest.fixture(scope="module")
def found(folder) -> Results:
    return tournament.run(folder / "c.yaml", out=folder / "out", jobs=1)


def table(found: Results, title: str) -> list[dict]:
    return next(records(one) for one in tables_of(found) if one.title == title)


def test_a_played_pool_has_one_scale_and_each_player_once_at_each_depth(found):
    assert found.played == 15 * 2 * 25
    everybody = {f"{name} ({depth})" for name in ("windows", "runs") for depth in (1, 2, 3)}
    for title in ("Standings, the whole pool", "Ratings", "Elo and price"):
        assert {row["player"] for row in table(found, title)} == everybody
    assert len(table(found, "Verdicts")) == 15
    assert set(found.standings) == {"all"}
    assert {row["games of"] for row in table(found, "First-player advantage")} == {
        *("depth 1", "depth 2", "depth 3", "all", "runs", "windows")
    }


def test_a_step_that_two_have_played_has_the_verdict_of_their_pairing(found):
    verdicts = {(row["player"], row["against"]): row for row in table(found, "Verdicts")}
    words = {"pays": "above", "costs": "below", "can't tell": "can't tell"}
    for row in table(found, "What a ply is worth"):
        if row["player"] != "all on average":
            shallow, deep = (f"{row['player']} ({depth})" for depth in (row["from depth"], row["to"]))
            own = verdicts.get((deep, shallow))
            if own is None:
                own = {**verdicts[shallow, deep]}
                own["verdict"] = {"above": "below", "below": "above"}.get(own["verdict"], own["verdict"])
            assert (own["verdict"], own["p, adj."]) == (words[row["verdict"]], pytest.approx(row["p, adj."]))


def test_what_is_said_stands_in_the_tables(found):
    said = " ".join(summary(found))
    (whole,) = [r for r in table(found, "What a ply is worth") if r["player"] == "all on average" and r["to"] == 3][-1:]
    assert f"From depth 1 to 3 a ply is worth {whole['a ply']:+.0f} Elo" in said
    frontier = [row["player"] for row in table(found, "Elo and price") if row["as good for less"] == "frontier"]
    named = re.search(r"Rated highest at their price: (.+) a move\.", said)
    assert named or len(frontier) < 2
    assert set(re.findall(r"\w+ \(\d\)", named[1]) if named else ()) <= set(frontier)


def test_the_report_draws_elo_against_depth_and_price(folder, found):
    svg = (folder / "out" / "charts" / "strength.svg").read_text()
    assert "Elo by depth" in svg
    assert "Elo by price" in svg
    assert (folder / "out" / "report.html").read_text().count("What a ply and a millisecond buy")


def test_the_terminal_has_everybody_on_one_screen_with_what_a_move_takes(folder, found, tourney):
    code, out, _ = tourney("report", str(folder / "out"))
    assert code == 0
    lines = [line for line in out.splitlines() if re.match(r"(windows|runs) \(\d\)  ", line)]
    assert len(lines) == 6
    assert "a move" in out


def test_a_pool_of_few_openings_says_that_they_are_too_few_to_tell_what_a_ply_is_worth(tmp_path):
    (tmp_path / "c.yaml").write_text(CONFIG.replace("{plies: 2}", "{plies: 2, sample: 7}"))
    few = summary(tournament.run(tmp_path / "c.yaml", out=tmp_path / "out", jobs=1))
    assert "What a ply is worth can't be told from 7 openings: expected 8 or more." in few


def test_a_pool_in_which_nobody_has_two_depths_does_not_speak_of_plies(tmp_path):
    text = CONFIG.replace("[1, 2, 3]", "[1]\nbudget: [{nodes: 50}, {nodes: 100}]")
    (tmp_path / "c.yaml").write_text(text.replace("{plies: 2}", "{plies: 2, sample: 7}"))
    assert "ply" not in " ".join(summary(tournament.run(tmp_path / "c.yaml", out=tmp_path / "out", jobs=1)))
