"""Titles and headings are for people: rename every one, and charts, sentences, values, links and colours stay."""

import io
import json
import re
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from test_charts import rated
from test_results import by_hand, game, player, results
from test_study_tables import by_hand as study_by_hand
from test_study_tables import move, searches
from test_study_tables import results as study_results

from tournament.engine.settings import Settings
from tournament.report import formats, write
from tournament.report.charts import charts
from tournament.report.formats.html import page
from tournament.report.report import Report
from tournament.report.results import Results
from tournament.report.study import StudyResults
from tournament.report.study_charts import study_charts
from tournament.report.study_tables import every_search, study_tables
from tournament.report.summary import study_summary, summary
from tournament.report.table import Table
from tournament.report.tables import games_table, tables
from tournament.store import Cost, Store, StoredGame

STORES = Path(__file__).parent.parent / "stores"


def report_of(found: Results | StudyResults, *games: StoredGame) -> Report:
    if isinstance(found, StudyResults):
        made = [*study_tables(found), *every_search(found)]
        return Report(found, study_summary(found), made, partial(study_charts, found))
    games = tuple(one._replace(moves="1212121") for one in games)
    return Report(found, summary(found), tables(found), partial(charts, found), games_table(games, found.played), games)


def within_budgets() -> Report:
    cost = Cost(moves=4, depths=8, generated=800, expanded=100, evaluated=700, cutoffs=50, seconds=0.1)
    limits = [Settings(2), Settings(nodes=2000), Settings(seconds=0.05)]
    pairs = [[player(name, limit) for name in "ab"] for limit in limits]
    games = [game(*pair, "first", first_cost=cost, second_cost=cost) for pair in pairs]
    return report_of(results(*games, moves=[move(ply, ply % 2, 1.0) for ply in range(7)]), *games)


def with_a_disagreement() -> Report:
    pair = [searches("minimax", 2, move(score=1.0)), searches("alphabeta", 2, move(score=2.0))]
    return report_of(study_results(*pair))


MADE = {
    "by hand": lambda: report_of(by_hand()[1], *by_hand()[0]),
    "rated": lambda: report_of(rated()),
    "within budgets": within_budgets,
    "study": lambda: report_of(study_by_hand()),
    "study with a disagreement": with_a_disagreement,
}


def cells(html: str) -> list[str]:
    """The cells of a page below the headings: classes, values to sort by, links and text."""
    return re.findall(r'<(?:th scope="row"|td)[^>]*>.*?</t[hd]>', html)


def said(report: Report) -> dict[str, Any]:
    """All of a report but its titles and headings."""
    written = io.StringIO()
    formats.json.write(report, written)
    return {
        "sentences": report.sentences,
        "charts": report.charts,
        "notes": [table.note for table in report.all_tables],
        "values": [table["rows"] for title, table in json.loads(written.getvalue()).items() if title != "summary"],
        "cells": cells(page(report)),
    }


@pytest.mark.parametrize("name", MADE)
def test_titles_and_headings_are_read_by_nobody_but_people(name, monkeypatch):
    before = said(MADE[name]())
    assert all(before.values())
    init = Table.__init__

    def renamed(table: Table, title: str, columns: Any, rows: Any, note: str = "", fold: str = "") -> None:
        headings = tuple(column._replace(name=f"heading {number}") for number, column in enumerate(columns))
        init(table, f"renamed {title[::-1]}", headings, rows, note, fold)

    monkeypatch.setattr(Table, "__init__", renamed)
    report = MADE[name]()
    assert all(table.title.startswith("renamed ") for table in report.all_tables)
    assert said(report) == before


# ── names in cells ───────────────────────────────────────────────────────────────────────────────


def test_a_name_that_looks_like_another_with_its_depth_keeps_its_own_colour():
    strange = player("robert (8)", 2)
    games = [
        game(player("robert", 2), player("john", 8), "first"),
        game(player("robert", 8), player("john", 2), "first"),
        game(strange, player("john", 2), "first"),
    ]
    found = results(*games)
    robert, john, other = (found.styles.of(name).number for name in ("robert", "john", "robert (8)"))
    shown = cells(page(report_of(found, *games)))
    assert f'<th scope="row" class="look p{robert}">robert (2)</th>' in shown
    assert f'<th scope="row" class="look p{robert}">robert (8)</th>' in shown
    assert f'<th scope="row" class="look p{other}">robert (8)</th>' in shown
    assert f'<th scope="row" class="look p{john}">john</th>' in shown


def test_a_winner_has_its_colour_however_it_won_and_a_word_has_none():
    games = [
        game("draw", "b", "second", id="0" * 16, reason="forfeit", fault="…"),
        game("draw", "b", "draw", id="1" * 16),
    ]
    shown = cells(page(report_of(results(*games), *games)))
    assert '<td class="kept look p1">b (forfeit)</td>' in shown
    assert '<td class="kept">draw</td>' in shown, "the result, and not the player of that name"
    assert '<th scope="row"><a href="#game-00000000">00000000</a></th>' in shown


# ── formats ──────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("kind", ["tournament", "study"])
def test_one_more_format_is_one_more_row(kind, tmp_path, monkeypatch):
    def sentences(report: Report, file: Any) -> None:
        file.write("\n".join(report.sentences))

    (tmp_path / "games.db").write_bytes((STORES / "v3" / kind / "games.db").read_bytes())
    monkeypatch.setitem(formats.FORMATS, "report.txt", sentences)
    with Store(tmp_path) as store:
        found = write.write_reports(store, tmp_path)
    told = summary(found) if isinstance(found, Results) else study_summary(found)
    assert (tmp_path / "report.txt").read_text() == "\n".join(told)
    rows = {"tournament": {"games.csv", "openings.csv"}, "study": {"searches.csv", "grids.csv"}}[kind]
    assert {path.name for path in tmp_path.iterdir()} == {"games.db", "report.txt", *rows, *formats.FORMATS}
