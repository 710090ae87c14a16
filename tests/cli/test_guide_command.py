"""`tourney guide`: the list, a guide on a terminal of any width, in a pager, and as the file that it is."""

import io
import json
import os
import pty
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from folders import guides_in
from rich.console import Console

from tournament.cli.markdown import THEME, GuideMarkdown

LONG = "tourney search 4435 --evaluator windows --depth 8 --algorithm minimax --order centre"
EVIDENCE = f"""# Evidence

What `games` say – and what they don't.

Two games say [little](duel.md#why), see [below](#ratings) and `tourney duel`.

## Ratings
```
{LONG}
│ · ● · │
```
- One:
  ```
  {LONG}
  ```

| word | meaning |
|---|---|
| a pair | the same opening played twice with the seats swapped |
| a verdict | better |
"""
DUEL = "# Duel\n\nTwo meet.\n\n## Why\nTo know.\n"
PROGRAM = (
    "import sys; from pathlib import Path; from tournament import guides; from tournament.cli import main; "
    "guides.FOLDER = Path(sys.argv.pop(1)); main()"
)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two guides in a folder of their own."""
    folder = tmp_path / "guides"
    folder.mkdir()
    guides_in(folder, monkeypatch, evidence=EVIDENCE, duel=DUEL)
    return folder


@pytest.fixture
def on_a_terminal(folder: Path) -> Callable[..., tuple[int, str]]:
    """The command on a terminal of its own: its exit code and all that was shown, but for colours."""

    def call(*arguments: str, lines: int, columns: int = 60, **environment: str) -> tuple[int, str]:
        ours, theirs = pty.openpty()
        size = {"LINES": str(lines), "COLUMNS": str(columns), "TERM": "xterm"}
        with subprocess.Popen(
            [sys.executable, "-c", PROGRAM, str(folder), *arguments],
            **{"stdin": theirs, "stdout": theirs, "stderr": theirs},
            env=os.environ | size | environment,
        ) as process:
            os.close(theirs)
            shown = b""
            while True:
                try:
                    chunk = os.read(ours, 4096)
                except OSError:  # nobody is at the other end any more
                    break
                if not chunk:
                    break
                shown += chunk
        os.close(ours)
        return process.returncode, plain(shown.decode().replace("\r\n", "\n"))

    return call


def shown(text: str, width: int) -> str:
    """A guide as a terminal of this width shows it."""
    console = Console(theme=THEME, width=width, file=io.StringIO())
    console.print(GuideMarkdown(text), crop=False)
    assert isinstance(console.file, io.StringIO)
    return plain(console.file.getvalue())


def plain(text: str) -> str:
    """Without colours and spaces at the end of lines."""
    return "".join(line.rstrip() + "\n" for line in re.sub(r"\x1b\[[\d;]*m", "", text).splitlines())


# ── where nobody looks ───────────────────────────────────────────────────────────────────────────


def test_the_list_has_a_line_for_each_guide(tourney, folder):
    assert tourney("guide") == (0, "duel      Two meet.\nevidence  What `games` say – and what they don't.\n", "")


def test_the_list_as_json_has_names_titles_and_summaries_and_a_guide_its_text_too(tourney, folder):
    listed = json.loads(tourney("guide", "--json")[1])
    assert listed[0] == {"name": "duel", "title": "Duel", "summary": "Two meet."}
    assert json.loads(tourney("guide", "duel", "--json")[1]) == listed[0] | {"text": DUEL}


@pytest.mark.parametrize("text", [EVIDENCE, "# Odd\r\n\r\nEnds.\r\n\r\nNo end of line – here"])
def test_a_guide_that_is_piped_is_its_file_byte_for_byte(folder, text):
    (folder / "some.md").write_bytes(text.encode())
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(folder), "guide", "some"],
        env=os.environ | {"PYTHONIOENCODING": "ascii", "FORCE_COLOR": "1"},
        capture_output=True,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, text.encode(), b"")


def test_a_wrong_name_is_one_message_and_exit_code_2(tourney, folder):
    message = "tourney: there is no guide `evidense`; did you mean `evidence`? Known are duel, evidence.\n"
    assert tourney("guide", "evidense") == (2, "", message)


@pytest.mark.parametrize("arguments", [["guide"], ["guide", "evidence"], ["guide", "--json"]])
def test_a_reader_that_is_gone_ends_it_quietly(folder, arguments):
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(folder), *arguments], stdout=writing, stderr=subprocess.PIPE
    )
    os.close(writing)
    assert done.stderr == b""


def test_a_guide_is_shown_without_the_compiler(folder):
    program = (
        "import sys; from tournament.cli import main; sys.argv = ['tourney', 'guide', 'page']\n"
        "from tournament.cli import markdown, pager\n"
        "try: main()\nexcept SystemExit: print(sorted({'numba', 'numpy', 'starlette', 'jinja2'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.endswith("\n[]\n")


# ── on a terminal ────────────────────────────────────────────────────────────────────────────────


def test_a_link_to_a_guide_tells_the_command_that_shows_it():
    assert "Two games say little (tourney guide duel), see below and tourney duel." in shown(EVIDENCE, 100)


def test_code_is_not_wrapped_and_nothing_of_it_is_lost():
    lines = shown(EVIDENCE, 60).splitlines()
    assert f"  {LONG}" in lines
    assert "  │ · ● · │" in lines
    within = lines[lines.index(" • One:") + 1 :]
    assert " ".join(" ".join(within[:3]).split()) == LONG  # in a list, where it has to be wrapped


def test_rows_of_a_table_stand_apart_where_one_is_wrapped():
    _, wide = shown(EVIDENCE, 100).split("word")
    assert wide.splitlines()[2:] == [
        "a pair      the same opening played twice with the seats swapped",
        "a verdict   better",
    ]
    _, narrow = shown(EVIDENCE, 40).split("word")
    assert narrow.splitlines()[2:] == [
        "a pair      the same opening played",
        "            twice with the seats swapped",
        "",
        "a verdict   better",
    ]


def test_the_list_on_a_terminal_says_how_one_is_shown(on_a_terminal):
    code, out = on_a_terminal("guide", lines=40, columns=30)
    assert code == 0
    assert out.splitlines() == [
        *("duel      Two meet.", "evidence  What games say – and", "          what they don't."),
        *("", "tourney guide NAME shows one."),
    ]


def test_a_guide_that_fits_the_screen_is_shown_without_a_pager(on_a_terminal):
    code, out = on_a_terminal("guide", "duel", lines=40, PAGER="echo paged")
    assert (code, "paged" in out, "To know." in out, "##" in out) == (0, False, True, False)


def test_a_guide_that_is_longer_than_the_screen_goes_through_the_pager(on_a_terminal):
    code, out = on_a_terminal("guide", "evidence", lines=10, PAGER="echo LESS=$LESS; grep meet; grep -c .", LESS="-i")
    assert (code, out) == (0, "LESS=-i\n0\n")
    code, out = on_a_terminal("guide", "evidence", lines=10, PAGER="cat; false")
    assert (code, out.count("What games say")) == (0, 1)


def test_lines_that_the_terminal_wraps_count_as_often_as_they_are_shown(on_a_terminal):
    rows = sum(-(-len(line) // 60) or 1 for line in shown(EVIDENCE, 60).splitlines())
    for lines, paged in ((rows, True), (rows + 1, False)):
        _, out = on_a_terminal("guide", "evidence", lines=lines, PAGER="echo paged")
        assert (out == "paged\n") == paged


def test_colours_come_through_less_unless_the_user_has_set_it_up(on_a_terminal, monkeypatch):
    monkeypatch.delenv("LESS", raising=False)
    _, out = on_a_terminal("guide", "evidence", lines=5, PAGER="echo $LESS; grep -c '\x1b'")
    assert re.fullmatch(r"-R\n[1-9]\d*\n", out)


@pytest.mark.parametrize("pager", ["nonesuch", "/", ""])
def test_a_pager_that_cant_be_run_loses_nothing(on_a_terminal, pager):
    code, out = on_a_terminal("guide", "evidence", lines=5, PAGER=pager)
    assert code == 0
    assert out.endswith(shown(EVIDENCE, 60))


def test_a_pager_that_stops_reading_ends_it_quietly(on_a_terminal, folder):
    (folder / "evidence.md").write_text(EVIDENCE + "\nWord.\n" * 5_000)
    code, out = on_a_terminal("guide", "evidence", lines=5, PAGER="head -1")
    assert (code, out) == (0, "Evidence\n")
