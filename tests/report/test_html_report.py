"""The report as a page: every table of report.md, the charts, games that replay, and nothing from elsewhere."""

import json
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest
from test_results import game, player, results

import tournament
from tournament.errors import StoreError
from tournament.games.connect4 import Position, play_moves
from tournament.report.competitors import level_of
from tournament.report.drawing import luminance
from tournament.report.formats.html import TEMPLATES, page
from tournament.report.report import Report
from tournament.report.results import Results
from tournament.report.study import StudyResults
from tournament.report.study_tables import every_search, study_tables
from tournament.report.summary import summary
from tournament.report.table import Table, shown_cell
from tournament.report.tables import games_table, tables
from tournament.report.write import write_reports
from tournament.store import Store

pytestmark = pytest.mark.charts

STRANGE = ["<script>alert(1)</script>", 'a "quoted" & $name$', "</title><b>bold</b>"]
TOURNAMENT = f"""\
title: '<i>Three</i> & "co" </script>'
players: {json.dumps(dict(zip(STRANGE, ("windows", "squares", "runs"), strict=True)))}
depths: [1, 2]
openings: {{plies: 2}}
"""
STUDY = """\
title: A small study
study:
  positions: {empty: empty, early: "4435"}
  evaluators: [windows]
  algorithms: [minimax, alphabeta]
  depths: [2, 3]
  rules: [{connect: 3}, {connect: 4}, {rows: 4, columns: 5, connect: 3}, {rows: 4, columns: 5, connect: 4}]
"""
SVG_NAMES = {"http://www.w3.org/2000/svg", "http://www.w3.org/1999/xlink"}  # names, which nobody fetches


class Page(HTMLParser):
    """A page taken apart: its tables by title, its games, every tag with its attributes, and the text."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.tables: dict[str, list[list[str]]] = {}
        self.notes: list[str] = []
        self.games: list[dict[str, str]] = []
        self.said: list[str] = []
        self._open: list[str] = []
        self._title = ""
        self._text = ""
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        given = dict(attrs)
        if tag in ("h2", "h3", "th", "td", "pre", "p", "summary", "title"):
            self._text = ""
        if tag == "table":
            self.tables[self._title] = []
        elif tag == "tr":
            self.tables[self._title].append([])
        elif tag == "details" and given["class"] == "game":
            self.games.append({name: value or "" for name, value in given.items()})
        self._open.append(f"{tag}.{given.get('class') or ''}")

    def handle_endtag(self, tag: str) -> None:
        if tag in ("h2", "h3"):
            self._title = self._text
        elif tag in ("th", "td"):
            self.tables[self._title][-1].append(self._text)
        elif tag == "pre":
            self.games[-1]["final"] = self._text
        elif tag == "summary":
            self.games[-1]["summary"] = self._text
        elif tag == "p":
            (self.notes if self._open[-1] == "p.note" else self.said).append(self._text)
        while self._open and self._open.pop().partition(".")[0] != tag:
            pass

    def handle_data(self, data: str) -> None:
        self._text += data.replace("\N{NO-BREAK SPACE}", " ")  # which keeps a number beside its unit


@pytest.fixture(scope="module")
def played(tmp_path_factory) -> tuple[Path, Results]:
    """The folder and the results of a small tournament of players with strange names."""
    folder = tmp_path_factory.mktemp("played")
    (folder / "c.yaml").write_text(TOURNAMENT)
    found = tournament.run(folder / "c.yaml", out=folder / "out", jobs=1)
    assert isinstance(found, Results)
    return folder / "out", found


@pytest.fixture(scope="module")
def studied(tmp_path_factory) -> tuple[Path, StudyResults]:
    folder = tmp_path_factory.mktemp("studied")
    (folder / "c.yaml").write_text(STUDY)
    found = tournament.run(folder / "c.yaml", out=folder / "out", jobs=1)
    assert isinstance(found, StudyResults)
    return folder / "out", found


def text_of(folder: Path) -> str:
    return (folder / "report.html").read_text("utf-8")


def written(folder: Path) -> dict[str, bytes]:
    """The page and the charts."""
    return {path.name: path.read_bytes() for path in [folder / "report.html", *(folder / "charts").iterdir()]}


def shown(table: Table) -> list[list[str]]:
    """A table as every form of the report shows it, headings first."""
    rows = [
        [shown_cell(cell, column.kind) for cell, column in zip(row, table.columns, strict=True)] for row in table.rows
    ]
    return [[column.name for column in table.columns], *rows]


# ── tables ───────────────────────────────────────────────────────────────────────────────────────


def test_the_page_has_every_table_of_the_report_with_the_same_cells(played):
    folder, found = played
    with Store(folder) as store:
        games = games_table(list(store.games()), found.played)
    page = Page(text_of(folder))
    told = {table.title: table for table in [games, *tables(found)]}
    assert set(told) == set(json.loads((folder / "results.json").read_text())) - {"summary"}
    for title, table in told.items():
        if table.rows:
            assert page.tables[title] == shown(table)
        if table.note:
            assert table.note in page.notes
    assert set(page.tables) == {title for title, table in told.items() if table.rows}


def test_the_page_of_a_study_has_every_table_too(studied):
    folder, found = studied
    page = Page(text_of(folder))
    made = [*study_tables(found), *every_search(found)]
    assert {table.title for table in made} == set(json.loads((folder / "results.json").read_text())) - {"summary"}
    assert page.tables == {table.title: shown(table) for table in made}
    assert page.games == []


def test_numbers_that_can_not_be_read_from_the_text_have_their_value_beside_them(played):
    folder, found = played
    table = next(table for table in tables(found) if table.title == "First-player advantage")
    low = table.rows[0][5][0]
    assert f'data-value="{low:.9g}"' in text_of(folder)


def test_every_look_is_on_the_page_in_the_colour_of_the_charts(played):
    folder, found = played
    text = text_of(folder)
    for look in found.styles:
        assert f'.p{look.number}{{--own:{look.colour};--mark:"{look.character}"}}' in text
        assert look.colour in (folder / "charts" / "cost.svg").read_text()
    names = {name for tag, given in Page(text).tags for name in (given.get("class") or "").split() if tag != "g"}
    assert {"p0", "p1", "p2"} <= names


# ── one file, from nowhere else ──────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("which", ["played", "studied"])
def test_the_page_fetches_nothing(which, request):
    folder, _ = request.getfixturevalue(which)
    text = text_of(folder)
    assert set(re.findall(r"\w+://[^\s\"'<>)]+", text)) <= SVG_NAMES
    assert not re.search(r"@import|url\((?!#)|fetch\(|XMLHttpRequest|import\(", text)
    for tag, given in Page(text).tags:
        assert tag not in ("img", "iframe", "object", "embed", "video", "audio", "base", "form")
        assert "src" not in given
        for name in ("href", "xlink:href"):
            place = given.get(name) or "#"
            assert place.startswith("#") or place == "data:," or (folder / place).is_file()


@pytest.mark.parametrize("which", ["played", "studied"])
def test_ids_are_unique_and_every_label_is_there(which, request):
    folder, _ = request.getfixturevalue(which)
    tags = Page(text_of(folder)).tags
    ids = [given["id"] for _, given in tags if "id" in given]
    assert len(ids) == len(set(ids))
    labels = {id for _, given in tags for id in (given.get("aria-labelledby") or "").split()}
    places = {(given["href"] or "")[1:] for tag, given in tags if tag == "a" and (given["href"] or "").startswith("#")}
    assert set() < labels <= set(ids)
    assert set() < places <= set(ids)


def colours(scheme: str) -> dict[str, str]:
    """The colours of the page by name, light ones or dark ones."""
    css = (TEMPLATES / "look.css").read_text()
    light, dark = re.findall(r":root \{[^}]+\}", css)[:2]
    chosen = light if scheme == "light" else dark
    return dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6})", chosen))


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_stands_out_from_what_is_behind_it(scheme):
    colour = colours(scheme)
    for ink in ("ink", "quiet", "accent"):
        for behind in ("page", "card", "soft"):
            darker, lighter = sorted(map(luminance, (colour[ink], colour[behind])))
            assert (lighter + 0.05) / (darker + 0.05) >= 4.5, (ink, behind)


def test_names_and_titles_are_text_whatever_they_hold(played):
    folder, _ = played
    text = text_of(folder)
    page = Page(text)
    assert [tag for tag, _ in page.tags].count("script") == 1
    assert not {"b", "i"} & {tag for tag, given in page.tags if "class" not in given}
    assert sorted(row[0] for row in page.tables["Standings, depth 1"][1:]) == sorted(STRANGE)
    said = " ".join(page.said)
    assert [name for name in STRANGE if name not in said] == [], "the summary tells of all of them, as they are called"
    assert text.count("</title>") - text.count("<title id=") == 1


def test_the_charts_are_on_the_page_and_linked_from_the_markdown(played):
    folder, _ = played
    text, markdown = text_of(folder), (folder / "report.md").read_text()
    names = sorted(path.stem for path in (folder / "charts").iterdir())
    assert names == ["cost", "crosstable", "first-player", "game", "ratings"]
    assert re.findall(r'<figure class="panel" id="chart-([^"]+)">', text) == [
        "crosstable",
        "ratings",
        "first-player",
        "cost",
        "game",
    ]
    assert all(f"](charts/{name}.svg)" in markdown for name in names)
    assert "[As a page](report.html)" in markdown
    assert markdown.startswith('# &#60;i>Three&#60;/i> & "co" &#60;/script>\n'), "it is no HTML there either"


# ── games ────────────────────────────────────────────────────────────────────────────────────────


def test_every_game_replays_to_its_result_and_its_last_board(played):
    folder, found = played
    with Store(folder) as store:
        games = {game.id[:8]: game for game in store.games()}
    page = Page(text_of(folder))
    assert len(page.games) == found.played == 300
    for told in page.games:
        one = games[told["id"].removeprefix("game-")]
        position = play_moves(Position(found.run.rules), told["data-moves"])
        assert position.result == told["data-result"] == one.result
        assert told["final"].split("\n") == position.rows_from_top()
        assert told["data-moves"].startswith(one.opening)
        assert told["data-opening"] == "2"
        words = " ".join(told["summary"].split())
        winner = {"first": one.first.name, "second": one.second.name}.get(one.result)
        how = f"{f'{winner} won' if winner else 'draw'}, {one.plies} plies"
        assert (
            words.partition(" ")[2]
            == f"{one.first.name} – {one.second.name} {how} {level_of(one).sentence} {one.moves}"
        )


def page_of(found: Results, *games) -> Page:
    return Page(page(Report(found, summary(found), tables(found), list, games_table(games, found.played), games)))


WON = "1212121"  # four in the first column


def test_games_beyond_those_listed_are_pointed_to():
    games = [game("a", "b", "first", moves=WON, id=f"{number:016d}", opening=str(number)) for number in (1, 2, 3)]
    page = page_of(results(*games), games[0])
    assert len(page.games) == 1
    (note,) = [note for note in page.notes if note.startswith("Open a game")]
    assert note.endswith("X moved first. 2 more games are in games.csv; tourney show replays any game.")


def test_a_forfeit_is_told_with_what_happened():
    lost = game("a", "b", "second", moves="12", plies=2, reason="forfeit", fault="a.py:3: evaluate raised <Oops>.")
    page = page_of(results(lost), lost)
    assert "b won (forfeit), 2 plies depth 2 12" in page.games[0]["summary"]
    assert "a.py:3: evaluate raised <Oops>." in page.notes


def test_a_game_without_a_move_has_an_empty_board():
    never = game("a", "b", "second", moves="", plies=0, reason="withdrawn")
    page = page_of(results(never), never)
    assert page.games[0]["summary"].endswith("b won (withdrawn), 0 plies depth 2 no moves")
    assert page.games[0]["final"] == "\n".join(["......."] * 6)


def test_players_at_different_depths_are_named_with_them():
    mixed = game(player("a", 2), player("a", 8), "first", moves=WON)
    page = page_of(results(mixed), mixed)
    assert "a (2) – a (8) a (2) won, 7 plies depth 2 v 8" in page.games[0]["summary"]


def test_before_a_game_is_played_the_page_says_so():
    page = page_of(results(planned=12))
    assert page.said[-1] == "No games have been played yet, of 12 that are planned."
    assert list(page.tables) == ["How it was made"]


# ── files ────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("which", ["played", "studied"])
def test_the_same_store_gives_the_same_bytes(which, request):
    folder, _ = request.getfixturevalue(which)
    before = written(folder)
    with Store(folder) as store:
        write_reports(store, folder)
    assert written(folder) == before
    assert not list(folder.rglob("*.part"))


def test_charts_of_an_earlier_report_are_deleted_and_other_files_left_alone(played):
    folder, _ = played
    charts = folder / "charts"
    ours = (charts / "cost.svg").read_text()
    (charts / "grid-n-size.svg").write_text(ours)
    (charts / "drawn-by-hand.svg").write_text("<svg xmlns='http://www.w3.org/2000/svg'/>")
    (charts / "notes.txt").write_text("mine")
    with Store(folder) as store:
        write_reports(store, folder)
    names = {path.name for path in charts.iterdir()}
    assert "grid-n-size.svg" not in names
    assert {"drawn-by-hand.svg", "notes.txt", "cost.svg"} <= names
    (charts / "drawn-by-hand.svg").unlink()
    (charts / "notes.txt").unlink()


def test_charts_that_can_not_be_written_are_told(tmp_path, played):
    folder, _ = played
    (tmp_path / "charts").write_text("a file")
    with Store(folder) as store, pytest.raises(StoreError, match=r"charts: can't be made \(File exists\)\."):
        write_reports(store, tmp_path)
    assert (tmp_path / "charts").read_text() == "a file"
