"""Charts that are drawn in a process of their own, which is forked before there is anything to draw."""

import os
import signal
from pathlib import Path

import pytest

from tournament.report import write
from tournament.report.write import write_reports
from tournament.runs.charting import Charting
from tournament.store import Store

pytestmark = pytest.mark.charts

STORES = Path(__file__).parent.parent / "stores" / "v3"


def written(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*.*") if path.suffix != ".db"}


@pytest.fixture(params=["tournament", "study"])
def store(request, tmp_path):
    (tmp_path / "store").mkdir()
    (tmp_path / "store" / "games.db").write_bytes((STORES / request.param / "games.db").read_bytes())
    with Store(tmp_path / "store") as store:
        yield store


@pytest.fixture
def expected(store, tmp_path):
    """The reports with charts that were drawn here."""
    (tmp_path / "here").mkdir()
    write_reports(store, tmp_path / "here")
    found = written(tmp_path / "here")
    assert any(name.endswith(".svg") for name in found)
    return found


def test_reports_are_the_same_wherever_their_charts_are_drawn(store, expected, tmp_path, monkeypatch):
    (tmp_path / "there").mkdir()
    with Charting() as draw:
        monkeypatch.setattr(write, "drawn", None)  # here nothing can be drawn
        write_reports(store, tmp_path / "there", draw=draw)
    assert written(tmp_path / "there") == expected


def test_charts_are_drawn_here_where_that_process_has_ended(store, expected, tmp_path):
    (tmp_path / "there").mkdir()
    with Charting() as draw:
        os.kill(draw._process.pid, signal.SIGKILL)
        write_reports(store, tmp_path / "there", draw=draw)
    assert written(tmp_path / "there") == expected


def test_nothing_is_drawn_for_formats_without_charts(store, tmp_path):
    def draw(results):
        return lambda: pytest.fail("nobody asked for charts")

    write_reports(store, tmp_path, ("json",), draw)
    assert (tmp_path / "results.json").exists()
