"""What a paper takes: LaTeX that compiles, every table as CSV, charts as PDF and PNG, charts in report.md."""

import csv
import json
import re
import shutil
import subprocess

import pytest
from folders import write
from played import SMALL

from tournament.report.formats import latex
from tournament.store import Store

pytestmark = pytest.mark.charts


@pytest.fixture
def paper(tourney, tmp_path):
    """A folder with everything that a paper takes."""
    write(tmp_path / "c.yaml", f"title: 100 % of A_1 & {{B}}\n{SMALL}")
    tourney("run", "c.yaml", "--quiet")
    code, _, err = tourney("report", "reports/c", "--format", "latex", "--format", "csv", "--charts", "pdf,png")
    assert code == 0, err
    return tmp_path / "reports" / "c"


def test_a_paper_gets_tables_and_charts_in_its_own_formats(paper):
    in_json = json.loads((paper / "results.json").read_text())
    text = (paper / "report.tex").read_text()
    assert "100 \\% of A\\_1 \\& \\{B\\}" in text
    for title, table in in_json.items():
        if title == "summary":
            continue
        name = re.sub("[^a-z0-9]+", "-", title.lower())
        with (paper / "tables" / f"{name}.csv").open() as file:
            headings, *rows = csv.reader(file)
        assert len(rows) == len(table["rows"])
        assert len(headings) >= len(table["columns"])
        assert not rows or f"\\label{{tab:{name}}}" in text
    with Store(paper) as store, (paper / "moves.csv").open() as file:
        took = [move.seconds for game in store.games() for move in store.game(game.id)[1]]
        assert sorted(float(row["seconds"]) for row in csv.DictReader(file)) == pytest.approx(sorted(took), abs=1e-9)
    for chart in (paper / "charts").glob("*.svg"):
        assert chart.with_suffix(".pdf").read_bytes().startswith(b"%PDF")
        assert chart.with_suffix(".png").read_bytes().startswith(b"\x89PNG")
    assert "![Who scored against whom](charts/crosstable.svg)" in (paper / "report.md").read_text()


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="LaTeX is not installed")
def test_the_latex_compiles_as_it_stands(paper):
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "report.tex"]
    done = subprocess.run(command, cwd=paper, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stdout[-2000:]
    assert (paper / "report.pdf").exists()


def test_what_latex_can_not_print_is_the_nearest_that_it_can():
    assert latex.escaped("a−b ~ 3×4 \u4e2d \u1e9e\\") == ("a$-$b \\textasciitilde{} 3$\\times$4 ? ?\\textbackslash{}")


def test_a_picture_that_nobody_knows_is_told(tourney, tmp_path):
    code, _, err = tourney("report", "reports/c", "--charts", "gif")
    assert (code, err) == (2, "tourney: --charts gif: there is no such picture: choose from pdf, png.\n")
