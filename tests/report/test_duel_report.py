"""What is said of a duel: sentence and JSON from one value, and what to do where one can't tell."""

from __future__ import annotations

import json
import math
from dataclasses import replace

import pytest
from duels import DECIDED, UNDECIDED

from tournament.engine.settings import Effort
from tournament.evidence.elo import Margin
from tournament.evidence.sprt import Claim, Terms
from tournament.report.duel import DuelTerms, declared_duel, duel_table


def test_a_duel_is_told_in_a_sentence_on_the_verdict_and_two_on_what_it_rests_on():
    assert DECIDED.sentences == [
        "At depth 3 a is better than b.",
        "It scored 75.0 % over 12 pairs, 8 of them won by one side.",
        "Elo +191 (95 % interval +80 to +330), likelihood of superiority 99.8 %; LLR +2.75, bounds -2.50 and +2.50.",
    ]


def test_a_budget_is_searched_within():
    assert replace(DECIDED, effort=Effort("nodes", 20_000)).sentences[0] == "Within 20,000 nodes a is better than b."


@pytest.mark.parametrize(
    ("played", "told"),
    [(13, " (1 more met another and counts with it)."), (15, " (3 more met others and count with them).")],
)
def test_pairs_that_repeat_others_are_told(played, told):
    assert replace(DECIDED, played=played).sentences[1].endswith(told)


@pytest.mark.parametrize(
    ("terms", "asked"),
    [
        (Terms(0, 30), "whether a is better than b."),
        (Terms(10, 30), "whether a is better than b by more than 10 normalized Elo."),
        (Terms(-30, 0), "whether a is worse than b by 30 normalized Elo or more."),
    ],
)
def test_what_one_can_not_tell_follows_the_hypotheses(terms, asked):
    even = replace(UNDECIDED, terms=terms, margin=Margin(10.0, (-40.0, 60.0), 0.65))
    assert even.sentences[0] == f"At depth 3 one can't tell {asked}"


@pytest.mark.parametrize(
    ("interval", "seems"),
    [
        ((5.0, 90.0), "so far a looks better, its 95 % interval is above 0."),
        ((-90.0, -5.0), "so far a looks worse, its 95 % interval is below 0."),
    ],
)
def test_an_interval_that_leaves_0_out_is_told_beside_a_test_that_has_not_decided(interval, seems):
    shown = replace(UNDECIDED, margin=Margin(sum(interval) / 2, interval, 0.98))
    assert shown.sentences[0] == f"At depth 3 the test has not decided whether a is better than b; {seems}"


@pytest.mark.parametrize(
    ("shown", "next_step"),
    [
        (
            replace(UNDECIDED, played=568),
            "All 568 openings are played: `--openings plies=6,sample=3000` has more.",
        ),
        (
            replace(UNDECIDED, played=3000, openings=3000),
            "All 3,000 openings are played: `--openings plies=8,sample=12000` has more.",
        ),
        (
            replace(UNDECIDED, played=1, openings=1),
            "The one opening is played: `--openings plies=6,sample=3000` has more.",
        ),
        (
            replace(UNDECIDED, most_pairs=12),
            "It stopped at --max-pairs 12: the same command with more of them goes on from there.",
        ),
        (
            replace(UNDECIDED, most_pairs=700, played=568),
            "All 568 openings are played: `--openings plies=6,sample=3000` has more.",
        ),
        (
            replace(UNDECIDED, plays_the_same=True, played=30),
            "Another effort, or openings of more plies, may tell them apart.",
        ),
    ],
)
def test_where_one_can_not_tell_it_says_what_to_do(shown, next_step):
    assert shown.sentences[3:] == [next_step]
    assert replace(shown, decision=DECIDED.decision).sentences[3:] == []


def test_an_unfinished_duel_says_nothing_of_what_is_next():
    assert len(UNDECIDED.sentences) == 3


@pytest.mark.parametrize(
    ("shown", "verdict"),
    [
        (DECIDED, "better"),
        (replace(DECIDED, decision=DECIDED.decision._replace(claim=Claim("not worse", 30))), "not worse by 30 or more"),
        (UNDECIDED, "can't tell"),
        (replace(UNDECIDED, plays_the_same=True), "same games"),
    ],
)
def test_json_has_the_verdict_of_the_sentence_and_the_sentence(shown, verdict):
    told = json.loads(json.dumps(shown.as_json(), allow_nan=False))
    assert told["verdict"] == shown.verdict == verdict
    assert told["sentences"] == shown.sentences
    assert told["accepted"] == shown.decision.accepted
    assert (told["score"], told["pairs"], told["decisive"], told["llr"]) == (0.75, 12, 8, 2.75)
    assert (told["elo"], told["interval"], told["superiority"]) == (190.8, [80.2, 330.4], 0.998)
    assert verdict in dict(duel_table(shown).rows)["verdict"]


def test_what_is_infinite_is_null_for_programs():
    told = replace(DECIDED, margin=Margin(math.inf, (80.0, math.inf), 0.999)).as_json()
    assert (told["elo"], told["interval"]) == (None, [80.0, None])
    json.dumps(told, allow_nan=False)


def test_what_declares_a_duel_is_read_as_it_was_written_and_a_config_is_none():
    declared = DuelTerms("key", "other", Terms(-30, 0, 0.01, 0.02), 568, None)
    assert declared_duel(declared.text) == declared
    assert declared_duel("") is None
    assert declared_duel("players: [room]\n") is None
