"""The load of a report page: it is the page itself that says when it was there."""

import pytest
from browser import chromium

from tournament.bench.page_load import opened
from tournament.errors import TourneyError

PAGE = "<!DOCTYPE html><html><body><p>a report</p></body></html>"


def test_a_page_says_when_it_was_loaded(tmp_path):
    program = chromium()
    if program is None:
        pytest.skip("no Chromium is installed")
    report = tmp_path / "report.html"
    report.write_text(PAGE)
    assert opened(program, report) > 0
    assert report.read_text() == PAGE, "a copy was measured"


def test_a_browser_that_opens_nothing_is_told(tmp_path):
    report = tmp_path / "report.html"
    report.write_text(PAGE)
    with pytest.raises(TourneyError, match="true did not open the page"):
        opened("true", report)
