"""The guide of commands is made from the commands: every one, with every option and what its help says."""

from typing import Any

import pytest
from documents import GUIDES
from typer.main import get_command

from tournament.cli import app

PAGE = GUIDES / "commands.md"
TOP = """\
# Commands

Every command with its arguments and options, as `--help` shows them.

`tourney --version` says the version, the Python it runs on, the numba it compiles with, and whether it compiles.
`tourney COMMAND --help` shows what follows for one command. Exit code 0: done; 1: done, and something is not as it
should be (a check that failed, algorithms that disagree); 2: a mistake in what was given; 3: can't tell
(a duel, with `--exit-code` alone); 130: stopped.
"""


def made() -> str:
    """What the guide has to say."""
    commands = get_command(app).commands  # type: ignore[attr-defined]
    return TOP + "".join(section(name, command) for name, command in sorted(commands.items()))


def section(name: str, command: Any) -> str:
    rows = [
        (f"`{(each.metavar or each.name).upper()}`" if is_argument(each) else f"`{', '.join(each.opts)}`", told(each))
        for each in sorted(command.params, key=is_argument, reverse=True)
        if not getattr(each, "hidden", False)
    ]
    lines = [f"\n## tourney {name}", " ".join(command.help.split())]
    if rows:
        lines += ["", "| | |", "|---|---|", *(f"| {what} | {says} |" for what, says in rows)]
    return "\n".join(lines) + "\n"


def is_argument(parameter: Any) -> bool:
    return bool(parameter.param_type_name == "argument")


def told(parameter: Any) -> str:
    default = getattr(parameter, "show_default", None)
    usual = default if isinstance(default, str) else parameter.default
    is_worth_saying = default and usual not in (None, False, "", []) and not callable(usual)
    return (parameter.help or "") + (f" Default: {usual}." if is_worth_saying else "")


def test_the_guide_of_commands_says_what_they_say_themselves(request: pytest.FixtureRequest):
    if request.config.getoption("--update-golden"):
        PAGE.write_text(made(), "utf-8")
    assert PAGE.read_text("utf-8") == made()
