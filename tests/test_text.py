"""Texts of others made harmless, for every place where they are shown."""

import csv
import io
from pathlib import Path

import pytest

from tournament.errors import TourneyError
from tournament.report.formats.csv import _Writer
from tournament.report.formats.markdown import escaped
from tournament.store import Store
from tournament.text import shown, storable

STEERING = "\x1b[31m\x9b\u202e\u2066\u200f\u2028"


def test_what_steers_a_terminal_or_turns_a_text_around_is_shown_as_its_escape():
    assert storable(f"a{STEERING}b\tc\nd") == r"a\x1b[31m\x9b\u202e\u2066\u200f\u2028b" + "\tc\nd"
    assert storable("half \ud800") == r"half \ud800"
    assert storable("Größe, ₂, 漢字, 🙂") == "Größe, ₂, 漢字, 🙂"
    assert str(TourneyError(f"x{STEERING}.yaml: is none")) == r"x\x1b[31m\x9b\u202e\u2066\u200f\u2028.yaml: is none"
    assert shown(Path("a\u202eb.py")) == r"a\u202eb.py"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("=cmd|' /C calc'!A0", "'=cmd|' /C calc'!A0"),
        ("@SUM(A1)", "'@SUM(A1)"),
        ("+1+cmd", "'+1+cmd"),
        ("-a", "'-a"),
        ("\t=1", "'\t=1"),
        ("-0.000001", "-0.000001"),
        ("1e-9", "1e-9"),
        ("file:3: raised", "file:3: raised"),
        ("a\x1bb", r"a\x1bb"),
    ],
)
def test_no_cell_of_a_csv_file_is_a_formula(text, told):
    file = io.StringIO()
    _Writer(file).writerows([[text, -3, None]])
    assert next(csv.reader(io.StringIO(file.getvalue(), newline=""))) == [told, "-3", ""]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("<script>alert(1)</script>", "&#60;script>alert(1)&#60;/script>"),
        ("p < 0.0001, < 4, <-", "p < 0.0001, < 4, <-"),
        ("![x](http://e.org/x.png)", "![x]&#40;http&#58;//e.org/x.png)"),
        ("[x][y] [y]: z", "[x]&#91;y] [y]&#58; z"),
        ("www.e.org HTTPS://e.org", "www&#46;e.org HTTPS&#58;//e.org"),
        ("<!-- no -->", "&#60;!-- no -->"),
        ("`openings: {plies: 2}` [1, 2]", "`openings: {plies: 2}` [1, 2]"),
    ],
)
def test_in_markdown_nothing_of_others_becomes_html_a_link_or_a_picture(text, told):
    assert escaped(text) == told


def test_what_a_stranger_says_is_harmless_in_every_file_and_on_the_terminal(tmp_path, tourney):
    (tmp_path / "evil.py").write_text(
        f'"""Does{STEERING} <script>alert(1)</script>{"x" * 10_000}"""\n\ndef evaluate(board):\n'
        f'    raise ValueError("{STEERING} <script>alert(1)</script> ![x](http://e.org/x.png) | =1")\n',
        "utf-8",
    )
    (tmp_path / "c.yaml").write_text(
        'title: "T \\u202e\\e[31m<script>alert(1)</script>"\nplayers: [windows, evil]\nevaluators: [.]\ndepths: [1]\n'
    )
    code, out, err = tourney("run", "c.yaml", "--full", "--jobs", "1")
    assert code == 0
    assert "ValueError" in out
    for name in ("report.md", "report.html", "games.csv"):
        text = (tmp_path / "reports" / "c" / name).read_bytes().decode()
        assert not set(text) & set(STEERING.replace("[31m", "")), name
        if name != "games.csv":
            assert "<script>alert" not in text
            assert "](http" not in text or name == "report.html"  # where it is plain text
    code, listed, _ = tourney("evaluators", "--evaluators", "evil.py")
    assert r"Does\x1b[31m\x9b\u202e" in "".join(listed.split("\n  "))
    for text in (out, err, listed):
        assert not set(text) & set(STEERING.replace("[31m", ""))
    assert len(listed) < 10_000
    with Store(tmp_path / "reports" / "c") as store:
        assert store.last_run().title == r"T \u202e\x1b[31m<script>alert(1)</script>"
