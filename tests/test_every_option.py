"""Options are said once: what is in the table can be chosen in a config, by a command, in an address and on a form."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import make_dataclass
from typing import Any, Literal

import pytest
import yaml
from documents import DOCUMENTS, code
from starlette.testclient import TestClient
from typer.main import get_command

from tournament.cli import app
from tournament.engine.settings import LIMITS, Settings, settings_for
from tournament.games.connect4 import STANDARD, Rules
from tournament.options import Option, for_all, option, options
from tournament.plan.schema import Config
from tournament.web.app import make_app
from tournament.web.query import Query
from tournament.web.thinker_pool import Thinkers

COMMANDS = get_command(app).commands  # type: ignore[attr-defined]
each_rule = pytest.mark.parametrize("rule", options(Rules), ids=lambda each: each.name)
each_setting_for_all = pytest.mark.parametrize("setting", for_all(Settings), ids=lambda each: each.name)
each_setting = pytest.mark.parametrize("setting", options(Settings), ids=lambda each: each.name)
Page = Callable[[str], str]

# What a config has in a form of its own: the keys that lead there.
DEEPER = {
    "drift": ("drift", "chosen"),
    "drift_players": ("drift", "players"),
    "nodes": ("budget", "nodes"),
    "seconds": ("budget", "seconds"),
}
NEEDED = {"order_seed": {"order": "random"}, "aspiration": {"iterative": True}, "drift_players": {"drift": 0.5}}


def another(option: Option) -> Any:
    """A value that is not the usual one."""
    if option.choices:
        return next(choice for choice in option.choices[1:] if choice != option.default)
    return {bool: True, int: (option.default or 2) + 1, float: 0.5}[option.kind]


def chosen(option: Option) -> dict[str, Any]:
    return {option.name: another(option), **NEEDED.get(option.name, {})}


def written(values: dict[str, Any]) -> dict[str, Any]:
    """The values under the keys of a config."""
    found: dict[str, Any] = {}
    for name, value in values.items():
        *way, last = DEEPER.get(name, (name,))
        place = found
        for key in way:
            place = place.setdefault(key, {})
        place[last] = value
    return found


def with_a_limit(values: dict[str, Any]) -> dict[str, Any]:
    return values if values.keys() & set(LIMITS) else {"depth": 2, **values}


# ── the table ────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("option", [*options(Rules), *options(Settings)], ids=lambda each: each.name)
def test_an_option_says_all_there_is_to_say(option):
    assert option.kind in (int, float, bool, str)
    assert bool(option.choices) == (option.kind is str), "a form would not know what to offer"
    assert option.help.endswith(".")
    assert option.label
    assert set(option.choice_labels) <= set(option.choices)
    assert all(choice in option.help for choice in option.choices), "help names every choice"


def test_a_field_of_a_record_becomes_an_option():
    record = make_dataclass(
        "Made",
        [
            ("word", Literal["a", "b"], option("a", help="a or b.", label="Word")),
            ("size", int | None, option(None, help="How large.", label="Size", least=1)),
        ],
    )
    assert options(record) == (
        Option("size", int, None, (), "How large.", "Size", least=1),
        Option("word", str, "a", ("a", "b"), "a or b.", "Word"),
    )


@pytest.mark.parametrize("option", [*options(Rules), *options(Settings)], ids=lambda each: each.name)
def test_the_guides_name_every_option_and_choice(option):
    words = set(re.findall(r"[\w-]+", "\n".join(map(code, DOCUMENTS))))
    assert {DEEPER.get(option.name, (option.name,))[-1], *option.choices} <= words


def test_no_two_options_have_one_name():
    names = [each.name for each in (*options(Rules), *options(Settings))]
    assert len(names) == len(set(names))


def test_what_is_usual_depends_on_the_rules_and_a_value_that_is_none_is_usual():
    assert settings_for(STANDARD, {"depth": 2, "algorithm": None, "table": None}) == Settings(2)
    assert settings_for(Rules(drift=0.5), {"depth": 2}) == Settings(2, "star1")
    assert settings_for(STANDARD, {"nodes": None}, usual_depth=5) == Settings(5)
    assert settings_for(STANDARD, {"nodes": 9}, usual_depth=5) == Settings(nodes=9)


# ── a config ─────────────────────────────────────────────────────────────────────────────────────


@each_rule
def test_a_rule_can_be_chosen_in_a_config(rule):
    config = Config.model_validate(yaml.safe_load(yaml.safe_dump({"rules": written({"drift": 1.0} | chosen(rule))})))
    assert config.rules.rules() == Rules(**chosen(rule))


@each_setting
def test_a_setting_can_be_chosen_in_a_config(setting):
    values = with_a_limit(chosen(setting))
    config = Config.model_validate({"players": {"robert": {"evaluator": "windows", **written(values)}}})
    entry = config.player_entries()["robert"]
    assert entry.settings(entry.limit() or {}, STANDARD) == Settings(**values)


def test_what_a_config_leaves_out_is_as_usual():
    config = Config.model_validate({"players": ["robert"]})
    assert config.rules.rules() == STANDARD
    assert config.player_entries()["robert"].settings({"depth": 2}, STANDARD) == Settings(2)


# ── commands ─────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("command", ["search", "play"])
@pytest.mark.parametrize("option", [*options(Rules), *options(Settings)], ids=lambda each: each.name)
def test_an_option_can_be_chosen_by_a_command(command, option):
    (parameter,) = (each for each in COMMANDS[command].params if each.name == option.name)
    assert parameter.opts[0] == f"--{option.name.replace('_', '-')}"
    assert parameter.opts[1:] == ([f"--{option.also}"] if option.also and command == "search" else [])
    assert (parameter.default, parameter.help, parameter.required) == (option.default, option.help, False)


@pytest.mark.parametrize("command", ["perft", "openings"])
def test_a_command_that_counts_boards_takes_what_a_board_is(command):
    names = {each.name for each in COMMANDS[command].params}
    assert {"rows", "columns", "connect"} <= names
    assert "objective" not in names


# ── the page ─────────────────────────────────────────────────────────────────────────────────────


@each_rule
def test_a_rule_can_be_chosen_in_an_address(rule):
    assert Query(chosen(rule).items()).rules() == Rules(**chosen(rule))


@each_setting_for_all
def test_a_setting_can_be_chosen_in_an_address_for_both_players_and_for_one(setting):
    values = with_a_limit(chosen(setting))
    for_first = {f"first_{name}": value for name, value in values.items()}
    assert Query(values.items()).settings(STANDARD) == Settings(**values)
    assert Query(for_first.items()).settings(STANDARD, "first") == Settings(**values)
    assert Query(for_first.items()).settings(STANDARD, "second") == Settings(8)


@pytest.fixture(scope="module")
def html() -> Page:
    client = TestClient(make_app([], [], thinkers=Thinkers([])), base_url="http://127.0.0.1:8765")
    return lambda address: client.get(address).text


def field(text: str, name: str) -> str:
    """The field of that name and all that it offers."""
    found = re.search(rf'<(input|select)[^>]* name="{name}".*?(?=</label>)', text, re.DOTALL)
    assert found, f"the form has no field {name}"
    return found[0]


def assert_shows(shown: str, option: Option, value: Any) -> None:
    if option.kind is bool:
        assert "checked" in shown
    elif option.choices:
        assert re.findall(r'<option value="([^"]*)"[^>]*selected', shown) == [value]
        assert set(option.choices) <= set(re.findall(r'<option value="([^"]*)"', shown))
    else:
        assert f'value="{value:g}"' in shown


@each_rule
@pytest.mark.parametrize("address", ["/play", "/compare"])
def test_a_rule_can_be_chosen_on_a_form_which_shows_what_is_chosen(html, rule, address):
    query = "&".join(f"{name}={value}" for name, value in chosen(rule).items())
    assert_shows(field(html(f"{address}?{query}"), rule.name), rule, another(rule))


@each_setting_for_all
def test_a_setting_can_be_chosen_on_a_form_which_shows_what_is_chosen(html, setting):
    query = "&".join(f"second_{name}={value}" for name, value in chosen(setting).items())
    text = html(f"/play?{query}")
    assert_shows(field(text, f"second_{setting.name}"), setting, another(setting))
    assert f'<option value="{setting.name}"' in text or setting.name not in LIMITS


def test_the_form_says_which_algorithms_are_for_boards_on_which_discs_drift(html):
    shown = field(html("/play"), "first_algorithm")
    marked = dict(re.findall(r'<option value="(\w+)"[^>]*data-chance="(\d)"', shown))
    assert marked == dict(alphabeta="0", minimax="0", pvs="0", expectiminimax="1", star1="1", star2="1")


def test_the_usual_algorithm_is_none_of_the_form_choices(html):
    for address in ("/play?first_algorithm=alphabeta", "/play?first_algorithm=star1&drift=0.5&seed=1"):
        assert "selected" not in field(html(address), "first_algorithm")
