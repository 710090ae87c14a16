"""The guides: what a file must be like, whatever is in the folder, and how they are found by name."""

import re

import pytest
from folders import guides_in
from markdown_it import MarkdownIt
from starlette.testclient import TestClient

from tournament.errors import TourneyError
from tournament.guides import Guide, guide, guides
from tournament.web.app import make_app
from tournament.web.markdown import as_html

MOST_SUMMARY = 100  # characters: a line of a list
GUIDES = guides()
PARSER = MarkdownIt("commonmark").enable("table")

each_guide = pytest.mark.parametrize("each", GUIDES, ids=lambda each: each.name)


def inline(text: str, *kinds: str):
    """What a text holds of these kinds, wherever in it."""
    tokens = PARSER.parse(text)
    return [each for token in tokens for each in (token, *(token.children or ())) if each.type in kinds]


def anchors(text: str) -> list[str]:
    return re.findall(r'<h\d id="([^"]+)">', as_html(text))


@each_guide
def test_a_guide_begins_with_a_title_and_one_sentence_and_then_says_something(each):
    first, second, third, fourth, *rest = each.text.split("\n")
    assert re.fullmatch(r"# \S.*", first), "the title"
    assert re.fullmatch(r"[a-z]+", each.name), "one plain word, which a command and an address can name"
    assert (second, fourth) == ("", ""), "empty lines around the sentence"
    assert third.endswith("."), "one sentence on one line"
    assert len(third) <= MOST_SUMMARY
    assert "".join(rest).strip()
    assert each.text.endswith("\n")
    assert len(inline(each.text, "heading_open")) == len(anchors(each.text)) >= 1
    assert [token.tag for token in inline(each.text, "heading_open")].count("h1") == 1


@each_guide
def test_a_link_of_a_guide_leads_to_a_guide_and_a_heading_that_are_there(each):
    for token in inline(each.text, "link_open"):
        link = token.attrs["href"]
        found = re.fullmatch(r"(?:([a-z]+)\.md)?(?:#(.+))?", link)
        assert link, "a link that leads nowhere"
        assert found, f"{link}: a guide links to guides alone"
        there = guide(found[1] or each.name)
        assert found[2] is None or found[2] in anchors(there.text), f"{link}: there is no such heading"


@each_guide
def test_a_guide_has_no_images_and_no_html(each):
    assert not inline(each.text, "image", "html_inline", "html_block")


@each_guide
def test_a_guide_is_shown_by_the_command_and_by_the_page(each, tourney):
    assert tourney("guide", each.name) == (0, each.text, "")
    assert each.summary in tourney("guide")[1]
    client = TestClient(make_app(), base_url="http://localhost")
    shown = client.get(f"/guides/{each.name}")
    assert shown.status_code == 200
    assert as_html(each.text) in shown.text
    assert f'href="/guides/{each.name}"' in client.get("/guides").text


def test_there_are_guides():
    assert {"page", "play"} <= {each.name for each in GUIDES}


def test_the_folder_is_the_list_sorted_by_name(tmp_path, monkeypatch):
    guides_in(tmp_path, monkeypatch, zoo="# The zoo\n\nWho lives there.\n\nMany.\n", ant="# Ants\n\nSmall.\n\nVery.\n")
    (tmp_path / "notes.txt").write_text("no guide")
    assert [(each.name, each.title, each.summary) for each in guides()] == [
        ("ant", "Ants", "Small."),
        ("zoo", "The zoo", "Who lives there."),
    ]
    assert guide("zoo") == Guide("zoo", "The zoo", "Who lives there.", "# The zoo\n\nWho lives there.\n\nMany.\n")


@pytest.mark.parametrize("name", ["evidnce", "", "../guides/evidence", "evidence.md"])
def test_a_wrong_name_is_an_error_that_lists_the_right_ones(tmp_path, monkeypatch, name):
    guides_in(
        tmp_path, monkeypatch, evidence="# Evidence\n\nWhat is known.\n\nLittle.\n", duel="# D\n\nTwo.\n\nText.\n"
    )
    with pytest.raises(TourneyError, match=r"there is no guide `.*Known are duel, evidence\.$") as told:
        guide(name)
    assert ("did you mean `evidence`?" in str(told.value)) == (name != "")
