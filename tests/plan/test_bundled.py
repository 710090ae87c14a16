"""The configs that come with tourney: listed, printed as they are, and played from a folder that has nothing else."""

import json
import re

import pytest
from folders import CONFIGS, contents

from tournament.plan.bundled import bundled_config, bundled_configs
from tournament.plan.planning import make_plan
from tournament.plan.reading import read_config
from tournament.runs.runner import planned_tasks

NAMES = sorted({path.stem for path in CONFIGS.glob("*.yaml")} - {"agents"})  # whose agents lie in a clone
each_config = pytest.mark.parametrize("name", NAMES)


def test_all_are_listed_with_what_they_show(tourney):
    code, out, _ = tourney("configs")
    assert (code, re.findall(r"^\w+", out, re.MULTILINE)) == (0, NAMES)
    words = " ".join(out.split())
    assert "Three evaluators, each against each, at three depths and in both seats: 18 games." in words


def test_the_list_is_json_too(tourney):
    code, out, _ = tourney("configs", "--json")
    listed = {row["name"]: row for row in json.loads(out)}
    assert (code, sorted(listed), listed["league"]["title"]) == (0, NAMES, "League of the bundled evaluators")
    assert {frozenset(row) for row in listed.values()} == {frozenset({"name", "title", "shows"})}


@each_config
def test_a_config_is_printed_byte_for_byte(tourney, name):
    code, out, _ = tourney("configs", name)
    assert (code, out.encode()) == (0, (CONFIGS / f"{name}.yaml").read_bytes())


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["dephts"], "there is no config `dephts`; did you mean `depths`? Known are ablation, board_size, "),
        (["agents"], "there is no config `agents`; did you mean `"),
        (["../configs/depths"], "there is no config `../configs/depths`; did you mean `depths`? Known are "),
        (["depths", "--json"], "--json is for the list: a config is YAML."),
    ],
)
def test_a_mistake_is_one_message(tourney, tmp_path, arguments, told):
    code, out, err = tourney("configs", *arguments)
    assert (code, out) == (2, "")
    assert err.startswith(f"tourney: {told}")
    assert not contents(tmp_path)


@each_config
def test_from_an_empty_folder_it_plans_as_many_games_or_searches_as_it_says(tmp_path, monkeypatch, name):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.yaml").write_bytes(bundled_config(name))
    plan = make_plan(read_config(tmp_path / "mine.yaml"))
    shows = next(config.shows for config in bundled_configs() if config.name == name)
    assert re.search(rf": {len(list(planned_tasks(plan))):,} (games|searches)\.$", shows)


def test_one_is_had_and_played_in_an_empty_folder(tourney, tmp_path):
    (tmp_path / "depths.yaml").write_bytes(bundled_config("depths"))
    code, _, err = tourney("run", "depths.yaml", "--quiet")
    assert code == 0, err
    assert sorted(path.name for path in tmp_path.iterdir()) == ["depths.yaml", "reports"]
    assert "18 of 18 played" in (tmp_path / "reports" / "depths" / "report.md").read_text()
