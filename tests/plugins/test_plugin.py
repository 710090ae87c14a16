"""Plug-ins: files of others that are read, named and sent about without being run."""

import hashlib
import os
import pickle
import signal
from pathlib import Path

import pytest
from processes import call

from tournament.errors import EvaluatorError
from tournament.plugins.beside import files_beside
from tournament.plugins.plugin import MOST_TRACEBACK, Plugin, read_text
from tournament.text import error_line

TEXT = '"""Says what it is.\n\nAnd more.\n"""\nVALUE = 1\n\n\ndef f(n):\n    return f(n - 1) if n else 1 // 0\n'


@pytest.fixture(autouse=True)
def own_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


@pytest.fixture
def plugin(tmp_path):
    """A plug-in with this text, in a file of its own."""

    def make(text: str = TEXT, name: str = "mine") -> Plugin:
        path = tmp_path / f"{name}.py"
        path.write_text(text)
        return Plugin(name, path, "test", read_text(path))

    return make


# ── without running it ───────────────────────────────────────────────────────────────────────────


def test_a_plugin_is_described_without_being_run(plugin, tmp_path):
    text = f'"""Leaves a trace."""\nopen({str(tmp_path / "trace")!r}, "w")\nraise SystemExit\n'
    mine = plugin(text)
    assert mine.description == "Leaves a trace."
    assert mine.source_hash == hashlib.sha256(text.encode()).hexdigest()
    assert mine.lines == 4
    assert mine.file == mine.path
    assert pickle.loads(pickle.dumps(mine)) == mine
    assert not (tmp_path / "trace").exists()


@pytest.mark.parametrize("text", ["", "x = 1\n", "def (\n", "\0", 10_000 * "(", "# -*- coding: nonsense -*-\n"])
def test_what_has_no_docstring_or_is_no_python_is_described_by_nothing(plugin, text):
    assert plugin(text).description == ""


def test_only_the_first_line_of_the_docstring_describes_it(plugin):
    assert plugin().description == "Says what it is."


DESCRIBED = [
    ("# a comment\n\n'''Says it.'''\n", "Says it."),
    ("\ufeff'Says it.'\n", "Says it."),
    ('r"""\n  Says it.  \n\nAnd more."""', "Says it."),
    ('"""Says "it"."""', 'Says "it".'),
    ('"""Never ends', "Never ends"),
    ('"""Turns \x1b[31m\u202earound."""', r"Turns \x1b[31m\u202earound."),
    (f'"""{"long " * 1000}"""', f"{'long ' * 39}long…"),
    ('f"""No docstring."""', ""),
    ('b"""No docstring."""', ""),
    ("import math\n'Too late.'\n", ""),
]


@pytest.mark.parametrize(("text", "told"), DESCRIBED, ids=[told for _, told in DESCRIBED])
def test_a_description_is_one_harmless_line_of_a_docstring(plugin, text, told):
    assert plugin(text).description == told


def test_no_text_of_a_stranger_is_parsed_where_it_is_only_read(plugin, monkeypatch):
    """Which takes thousands of times its size: 4 MB of `0` in lines took 3.2 GB."""
    monkeypatch.setattr("ast.parse", None)
    text = '"""Says what it is."""\n' + "0\n" * 500_000
    assert plugin(text).description == "Says what it is."
    assert files_beside(plugin().path, text.encode()) == ()


def test_a_file_that_is_too_large_is_told_so_and_not_read(tmp_path):
    with (tmp_path / "large.py").open("wb") as file:
        file.truncate(1 << 40)  # which takes no room on the disk
    with pytest.raises(EvaluatorError, match=r"large\.py: can't be read \(it is larger than 1 MB\)\.$"):
        read_text(tmp_path / "large.py")


def test_a_file_whose_name_can_not_be_a_players_is_refused(tmp_path):
    (tmp_path / "a|b.py").write_text("")
    with pytest.raises(EvaluatorError, match="can't be a name"):
        read_text(tmp_path / "a|b.py")


def test_a_file_that_is_not_there_is_an_error_that_names_it(tmp_path):
    with pytest.raises(EvaluatorError, match=r"gone\.py: can't be read \(No such file or directory\)"):
        read_text(tmp_path / "gone.py")


# ── travelling ───────────────────────────────────────────────────────────────────────────────────


def test_only_the_file_travels_and_not_what_running_it_has_made(plugin):
    mine = plugin()
    assert mine.module.VALUE == 1
    mine.module.VALUE = 2
    arrived = pickle.loads(pickle.dumps(mine))
    assert arrived == mine
    assert arrived.parts == mine.parts
    assert not {"module", "file", "source_hash"} & set(vars(arrived))
    assert arrived.module.VALUE == 1


def test_messages_show_the_path_as_it_was_seen_where_it_was_read(plugin, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    mine = plugin("raise ValueError('no')\n")
    monkeypatch.chdir("/")
    with pytest.raises(EvaluatorError, match=r"^mine\.py:1: raised ValueError while being loaded: no\."):
        assert pickle.loads(pickle.dumps(mine)).module


@pytest.mark.parametrize("happens", ["edited", "deleted"])
def test_a_copy_is_made_where_the_file_was_edited_or_deleted_meanwhile(plugin, happens):
    mine = plugin()
    if happens == "edited":
        mine.path.write_text("VALUE = 2\n")
    else:
        mine.path.unlink()
    arrived = pickle.loads(pickle.dumps(mine))
    assert arrived.module.VALUE == 1
    assert arrived.file != arrived.path
    assert arrived.file.read_bytes() == TEXT.encode()
    assert arrived.file.name == "mine.py"
    assert arrived.module.__file__ == str(arrived.file)


def test_the_copy_is_the_same_each_time_and_leaves_nothing_beside_it(plugin):
    mine = plugin()
    mine.path.unlink()
    first = mine.file
    was = first.stat().st_mtime
    again = pickle.loads(pickle.dumps(mine)).file
    assert (again, again.stat().st_mtime) == (first, was), "machine code is known by both"
    assert list(first.parent.iterdir()) == [first]


def test_without_a_place_for_the_copy_it_runs_all_the_same(plugin, tmp_path, monkeypatch):
    (tmp_path / "a file").touch()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "a file"))
    mine = plugin()
    mine.path.unlink()
    assert mine.file == mine.path
    assert mine.module.VALUE == 1


# ── running it ───────────────────────────────────────────────────────────────────────────────────


def test_it_is_run_once_in_a_process(plugin, tmp_path):
    mine = plugin(f'open({str(tmp_path / "runs")!r}, "a").write("x")\n')
    assert mine.module is mine.module
    assert (tmp_path / "runs").read_text() == "x"


def test_two_files_of_one_name_do_not_meet(plugin, tmp_path):
    one = plugin("VALUE = 1\n")
    assert one.module.VALUE == 1
    (tmp_path / "other").mkdir()
    path = tmp_path / "other" / "mine.py"
    path.write_text("VALUE = 2\n")
    other = Plugin("mine", path, "test", read_text(path))
    assert (one.module.VALUE, other.module.VALUE) == (1, 2)


LOADS = [
    ("x = 1\nraise ValueError('a [b]')\n", r"mine\.py:2: raised ValueError while being loaded: a \[b\]\."),
    ("import sys\nsys.exit('enough')\n", r"mine\.py:2: raised SystemExit while being loaded: enough\."),
    ("x = 1\ndef (\n", r"mine\.py:2: is not Python: "),
    ("import nothing_like_it\n", r"mine\.py:1: raised ModuleNotFoundError"),
    (
        "class Bad(Exception):\n    def __str__(self):\n        raise Bad\nraise Bad\n",
        r"mine\.py:4: raised Bad while being loaded: \.",
    ),
]


@pytest.mark.parametrize(("text", "message"), LOADS)
def test_what_goes_wrong_while_it_is_loaded_is_told_with_its_line(plugin, text, message):
    with pytest.raises(EvaluatorError, match=message):
        assert plugin(text).module


def test_ctrl_c_while_it_is_loaded_is_a_persons_but_not_where_nobody_can_press_it(plugin):
    mine = plugin("raise KeyboardInterrupt\n")
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # a command may have been here
    try:
        with pytest.raises(KeyboardInterrupt):
            assert mine.module
    finally:
        signal.signal(signal.SIGINT, before)

    def load() -> str:
        try:
            return str(mine.module)
        except EvaluatorError as error:
            return str(error)

    assert "raised KeyboardInterrupt while being loaded" in call(load, 30)


# ── tracebacks ───────────────────────────────────────────────────────────────────────────────────


def fault(plugin: Plugin, depth: int) -> Exception:
    with pytest.raises(ArithmeticError) as raised:
        plugin.module.f(depth)
    return raised.value


def test_a_traceback_begins_in_the_file_and_ends_with_what_was_raised(plugin):
    mine = plugin()
    error = fault(mine, 2)
    kept = mine.traceback_of(error)
    assert kept.startswith(f'  File "{mine.path}", line 9, in f')
    assert kept.count("in f") == 3
    assert kept.endswith("ZeroDivisionError: integer division or modulo by zero")
    assert os.path.basename(__file__) not in kept
    assert mine.line_in(error) == 9


def test_a_long_traceback_is_cut_in_its_middle(plugin):
    text = "\n".join(f"def f{n}(n):\n    return f{n + 1}(n)\n" for n in range(200))
    mine = plugin(f"{text}\ndef f200(n):\n    return 1 // 0\n\ndef f(n):\n    return f0(n)\n")
    kept = mine.traceback_of(fault(mine, 0))
    assert len(kept) <= MOST_TRACEBACK + 3
    assert "\n…\n" in kept
    assert kept.startswith(f'  File "{mine.path}"')
    assert kept.endswith("ZeroDivisionError: integer division or modulo by zero")


def test_an_exception_from_elsewhere_has_no_line_in_the_file(plugin):
    with pytest.raises(ValueError, match="elsewhere") as raised:
        raise ValueError("elsewhere")
    assert plugin().line_in(raised.value) is None
    assert Path(__file__).name in plugin().traceback_of(raised.value)


def test_an_exception_is_told_in_one_short_line():
    assert error_line(ValueError("a\n  b")) == "ValueError: a b"
    assert error_line(ValueError()) == "ValueError"
    assert len(error_line(ValueError(10_000 * "x"))) < 600
