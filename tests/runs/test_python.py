"""tourney from Python: configs that are dicts, evaluators that are functions, and results as a notebook shows them."""

import tempfile

import pytest
from folders import write

import tournament

DEPTHS = [1]


def middle(board):
    """Middle: the disc at the bottom of the middle column."""
    return board[0, 3]


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def results(here):
    config = {"title": "In a notebook", "players": {"mine": middle, "windows": "windows"}, "depths": [1, 2]}
    return tournament.run(config, jobs=1)


def test_a_config_may_be_a_dict_and_an_evaluator_a_function(here, results):
    assert results.played == 4
    assert {player.description for player in results.players.values()} > {
        "Middle: the disc at the bottom of the middle column."
    }
    folder = here / "reports" / "in-a-notebook"
    again = tournament.run(folder / "config.yaml", out=folder, jobs=1)
    assert (again.played, again.superseded) == (4, 0), "the same run can be made again from the file"
    listed = tournament.run({"players": [middle, "runs"], "depths": [1]}, jobs=1)
    assert set(listed.standings["1"]) == {"middle", "runs"}


def test_results_print_in_three_lines_and_as_a_table(results):
    first, second, third = repr(results).splitlines()
    assert first.startswith("In a notebook: 4 games in ")
    assert "scored most" in second
    assert third.startswith("to_frame(title): Standings, all depths, ")
    page = results._repr_html_()
    assert "<td>mine</td>" in page
    assert "To tell more: add `openings: {plies: 2}`" in page


def test_a_table_is_a_frame_where_pandas_is_installed(results):
    try:
        import pandas  # noqa: F401
    except ImportError:
        with pytest.raises(tournament.TourneyError, match="pip install pandas"):
            results.to_frame("Crosstable")
    else:
        assert "points of" in results.to_frame("Crosstable").columns


def test_what_a_text_does_not_say_is_refused(here):
    factor = 2

    def closure(board):
        return factor

    def uses_a_global(board):
        return DEPTHS[0]

    for function, why in (
        (lambda board: 0, "a lambda has no name"),
        (closure, "uses `factor` from outside"),
        (uses_a_global, "uses `DEPTHS` from outside"),
    ):
        with pytest.raises(tournament.EvaluatorError, match=why):
            tournament.run({"players": [function, "runs"], "depths": [1]})
        with pytest.raises(tournament.TourneyError, match=why):
            tournament.search("empty", function, depth=1)


def test_a_position_is_searched(here):
    assert tournament.search("121212", middle, depth=2).chosen == 0, "four in the first column"
    assert tournament.search("empty", "windows", depth=8).counters.generated == 134_622
    file = write(here / "some.py", "def evaluate(board):\n    return 0\n")
    assert tournament.search("44", file, depth=1).depth == 1
    with pytest.raises(tournament.PositionError):
        tournament.search("9", middle, depth=1)


def test_a_duel_is_told(here):
    shown = tournament.duel("windows", middle, depth=1, openings="plies=1", jobs=1)
    assert {shown.new, shown.old} == {"windows", "middle"}
    assert shown.played > 0
    assert repr(shown).splitlines() == [*shown.sentences]


def test_nothing_is_left_in_the_folder_for_temporary_files(here, monkeypatch):
    (here / "temporary").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(here / "temporary"))
    tournament.search("44", middle, depth=1)
    tournament.duel("windows", middle, depth=1, openings="empty", jobs=1)
    assert not [*(here / "temporary").iterdir()]
