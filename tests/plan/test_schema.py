"""The schema for editors: it accepts good configs, and rejects those of the bad ones that say so."""

import json

import pytest
import yaml
from folders import BAD_CONFIGS, CONFIGS
from jsonschema import Draft202012Validator
from typer.testing import CliRunner

from tournament.cli import app

SAYS_SO = "# The schema rejects it.\n"
FULL = """
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
GAUNTLET = "players: [windows, runs]\ndepths: [2]\npairings: {gauntlet: runs}\n"
GOOD = {"full": FULL, "gauntlet": GAUNTLET, **{path.stem: path.read_text("utf-8") for path in CONFIGS.glob("*.yaml")}}
BAD = {path.stem: path.read_text("utf-8") for path in BAD_CONFIGS.glob("*.yaml")}
READABLE = sorted(name for name, text in BAD.items() if "is not YAML" not in text)


@pytest.fixture(scope="module")
def schema():
    printed = CliRunner().invoke(app, ["schema"])
    assert printed.exit_code == 0
    schema = json.loads(printed.stdout)
    Draft202012Validator.check_schema(schema)
    return Draft202012Validator(schema)


def test_there_are_configs_of_every_kind():
    assert len(GOOD) >= 4
    assert {SAYS_SO in BAD[name] for name in READABLE} == {True, False}


@pytest.mark.parametrize("name", sorted(GOOD))
def test_the_schema_accepts_the_shipped_configs_and_the_one_in_the_issue(schema, name):
    assert [error.message for error in schema.iter_errors(yaml.safe_load(GOOD[name]))] == []


@pytest.mark.parametrize("name", READABLE)
def test_the_schema_rejects_mistakes_of_form_and_no_others(schema, name):
    assert schema.is_valid(yaml.safe_load(BAD[name])) == (SAYS_SO not in BAD[name])
