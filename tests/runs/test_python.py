"""tourney from Python: configs that are dicts, evaluators that are functions, and results as a notebook shows them."""

import tempfile
from functools import cache, partial, wraps

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

    def uses_it_within(board):
        return sum([DEPTHS[0] for _ in range(2)])

    def usual(board, depth=DEPTHS[0]):
        return depth

    def annotated(board: tempfile.SpooledTemporaryFile):
        return 0

    @cache
    def remembers(board):
        return 0

    @wraps(middle)
    def wrapped(board):
        return -middle(board)

    for function, why in (
        (lambda board: 0, "a lambda has no name"),
        (closure, "uses `factor` from outside"),
        (uses_a_global, "uses `DEPTHS` from outside"),
        (uses_it_within, "uses `DEPTHS` from outside"),
        (usual, "uses `DEPTHS` from outside"),
        (annotated, "uses `tempfile` from outside"),
        (remembers, "no function with a text of its own"),
        (wrapped, "is decorated"),
        (len, "no function with a text of its own"),
        (partial(middle), "no function with a text of its own"),
    ):
        with pytest.raises(tournament.EvaluatorError, match=why):
            tournament.run({"players": [function, "runs"], "depths": [1]})
        with pytest.raises(tournament.TourneyError, match=why):
            tournament.search("empty", function, depth=1)


shape = (6, 7)


def rows_and_columns(board):
    """Says "rows" and \\ columns."""
    rows, columns = board.shape
    return rows - columns


def test_names_of_attributes_and_signs_in_a_docstring_are_no_reason_to_refuse(here):
    assert tournament.search("empty", rows_and_columns, depth=1).score == -1


def test_two_functions_of_one_name_are_told_apart_or_refused(here):
    def other():
        def middle(board):
            return -board[0, 3]

        return middle

    with pytest.raises(tournament.EvaluatorError, match="two functions are named `middle`"):
        tournament.run({"players": {"a": middle, "b": other()}, "depths": [1]}, jobs=1)
    same = tournament.run({"players": {"a": middle, "b": middle}, "depths": range(1, 2)}, jobs=1)
    assert same.played == 2


def test_a_study_takes_functions_too(here):
    study = {"positions": {"empty": "empty"}, "evaluators": [middle], "algorithms": ["minimax"], "depths": [2]}
    assert len(tournament.run({"study": study}, jobs=1).found) == 1


def test_files_that_a_dict_names_are_seen_from_where_the_program_runs(here):
    write(here / "more" / "mine.py", "def evaluate(board):\n    return board[0, 3]\n")
    write(here / "openings.txt", "44\n45\n")
    config = {"players": ["mine", middle], "depths": [1], "evaluators": ["more"], "openings": {"file": "openings.txt"}}
    assert tournament.run(config, jobs=1, out="some/where").played == 4
    with pytest.raises(tournament.TourneyError, match="a config has text, numbers, lists and mappings: 1j is none"):
        tournament.run(config | {"seed": 1j})


def test_an_unknown_setting_is_told(here):
    with pytest.raises(tournament.TourneyError, match="a search has no `algoritm`; did you mean `algorithm`"):
        tournament.search("empty", "windows", depth=1, algoritm="minimax")


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
