"""The guides on the page: Markdown as HTML that keeps to the page's policy, links, headings, and the list."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from folders import guides_in
from playwright.sync_api import Page
from starlette.testclient import TestClient

from tournament.bench.page_latency import serving
from tournament.web.app import make_app
from tournament.web.markdown import address, anchor, as_html

EVIDENCE = "# Evidence\n\nWhat `games` say.\n\n## Ratings\nSee [the duel](duel.md#why-so) and [above](#evidence).\n"
DUEL = "# Duel\n\nTwo <b>meet</b>.\n\n## Why so?\nTo know.\n"


@pytest.fixture
def client(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> TestClient:
    guides_in(tmp_path, monkeypatch, evidence=EVIDENCE, duel=DUEL)
    return TestClient(make_app(), base_url="http://localhost")


def test_the_list_links_to_every_guide_and_says_what_it_is_about(client):
    page = client.get("/guides")
    assert page.status_code == 200
    assert '<a href="/guides/duel">Duel</a></dt><dd>Two &lt;b&gt;meet&lt;/b&gt;.</dd>' in page.text
    assert '<a href="/guides/evidence">Evidence</a></dt><dd>What <code>games</code> say.</dd>' in page.text
    assert '<a href="/guides" aria-current="page">Guides</a>\n      \n    </nav>' in page.text, "the last of the links"


def test_a_guide_is_shown_with_its_headings_and_links(client):
    page = client.get("/guides/evidence")
    assert page.status_code == 200
    assert "<title>Evidence · tourney</title>" in page.text
    assert '<h1 id="evidence">Evidence</h1>' in page.text
    assert '<h2 id="ratings">Ratings</h2>' in page.text
    assert '<a href="/guides/duel#why-so">the duel</a> and <a href="#evidence">above</a>' in page.text
    assert '<h2 id="why-so">' in client.get("/guides/duel").text


@pytest.mark.parametrize("name", ["evidnce", "evidence.md", "..%2Fplay", "%3Cb%3E"])
def test_an_unknown_name_is_not_found_and_the_list_is_shown(client, name):
    page = client.get(f"/guides/{name}")
    assert page.status_code == 404
    assert "<b>" not in page.text
    if "%2F" not in name:  # which is another address, as every slash is
        assert "there is no guide" in page.text
        assert 'href="/guides/evidence"' in page.text
    assert ("did you mean `evidence`?" in page.text) == name.startswith("ev")


def test_a_page_leads_to_its_guide_where_there_is_one(tmp_path, monkeypatch):
    guides_in(tmp_path, monkeypatch, tournaments="# Tournaments & more\n\nWhat they are.\n\nText.\n")
    client = TestClient(make_app(), base_url="http://localhost")
    assert 'Guide: <a href="/guides/tournaments">Tournaments &amp; more</a>' in client.get("/tournaments").text
    assert "Guide:" not in client.get("/compare").text
    assert "Guide:" not in client.get("/guides").text


def test_html_is_shown_and_not_obeyed():
    html = as_html("# A <b>\n\n<script>alert(1)</script>\n\nText <img src=x onerror=y> [x](javascript:alert(1))\n")
    assert "<script" not in html
    assert "<img" not in html
    assert "&lt;script&gt;" in html
    assert 'href="javascript' not in html


def test_a_table_scrolls_by_itself_and_its_columns_are_aligned_without_styles():
    html = as_html("# Costs & times\n\n|a|b|c|\n|---|--:|:-:|\n|1|2|3|\n")
    assert '<div class="scroll" tabindex="0" role="region" aria-label="Table: Costs &amp; times">\n<table>' in html
    assert '<td>1</td>\n<td class="number">2</td>\n<td class="centre">3</td>' in html
    assert html.rstrip().endswith("</table>\n</div>")
    assert "style=" not in html


@pytest.mark.parametrize(
    ("heading", "name"),
    [
        ("Why so?", "why-so"),
        ("First move, fitted", "first-move-fitted"),
        ("α and β", "α-and-β"),
        ("x_y - z", "x_y---z"),
    ],
)
def test_a_heading_is_called_as_sites_that_show_code_call_it(heading, name):
    assert anchor(heading) == name


def test_headings_of_one_name_are_told_apart():
    html = as_html("# Same\n\n## Same\n\n## `Same`\n")
    assert ('id="same"' in html, 'id="same-1"' in html, 'id="same-2"' in html) == (True, True, True)


def test_only_a_link_to_a_guide_is_changed():
    assert address("duel.md") == "/guides/duel"
    for link in ("#why", "docs/duel.md", "https://example.org/duel.md", "duel.mdx"):
        assert address(link) == link


# ── in a browser ─────────────────────────────────────────────────────────────────────────────────


@pytest.fixture(scope="module")
def served() -> Iterator[str]:
    with serving([], []) as port:
        yield f"http://127.0.0.1:{port}"


@pytest.mark.parametrize("page", [{"viewport": {"width": 390, "height": 800}}], indirect=True)
def test_a_guide_is_reached_and_fits_a_phone(page: Page, served: str):
    page.goto(f"{served}/play")
    page.get_by_role("link", name="Guides").click()
    page.get_by_role("link", name="The page").click()
    page.wait_for_url("**/guides/page")
    page.get_by_role("link", name="play", exact=True).click()
    page.wait_for_url("**/guides/play")
    for each in ("/guides", "/guides/page", "/guides/play"):
        page.goto(served + each)
        assert page.evaluate("document.documentElement.scrollWidth") <= 390, each
    assert page.locator("pre").first.evaluate("block => block.scrollWidth > block.clientWidth"), (
        "code scrolls by itself"
    )
