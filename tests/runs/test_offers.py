"""What a run offers to add to its config, so that more can be told."""

import pytest
from folders import write

from tournament.plan.planning import make_plan
from tournament.plan.reading import read_config
from tournament.runs.offers import offers

TWO = "players: [windows, runs]\ndepths: [1, 2]\n"


@pytest.mark.parametrize(
    ("more", "lines", "openings", "games"),
    [
        ("", "`openings: {plies: 2}`", 25, 100),
        ("openings: {plies: 2}", "`openings: {plies: 3}`", 121, 484),
        ("seats: as-listed", "`seats: both` and `openings: {plies: 2}`", 25, 100),
        ("seats: random\nopenings: [44, 12]", "`seats: both`", 2, 8),
        ("openings: {plies: 4}", "`openings: {plies: 6, sample: 1000}`", 1000, 4000),
    ],
)
def test_the_first_offer_is_the_next_larger_suite(tmp_path, more, lines, openings, games):
    plan = make_plan(read_config(write(tmp_path / "c.yaml", f"{TWO}{more}\n")))
    first, *others = offers(plan)
    assert first == (lines, openings, games)
    assert [other.games for other in others] == sorted(other.games for other in others)


def test_a_small_board_has_no_samples(tmp_path):
    plan = make_plan(read_config(write(tmp_path / "c.yaml", f"{TWO}rules: {{rows: 4, columns: 4, connect: 3}}\n")))
    assert not [offer for offer in offers(plan) if "sample" in offer.lines]
