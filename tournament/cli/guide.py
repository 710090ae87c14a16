from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from tournament.cli.options import Json, print_json

if TYPE_CHECKING:
    from tournament.guides import Guide


def command(
    name: Annotated[str | None, typer.Argument(metavar="NAME", help="Which one; without it they are listed.")] = None,
    as_json: Json = False,
) -> None:
    """List the guides to what tourney does, a subject each, or show one of them.

    Where the output is no terminal, a guide is printed as the Markdown that it is.
    """
    from tournament.guides import guide, guides

    chosen = None if name is None else guide(name)
    if as_json:
        print_json([_listed(each) for each in guides()] if chosen is None else _listed(chosen) | {"text": chosen.text})
    elif chosen is None:
        _print_list(guides())
    elif sys.stdout.isatty():
        _show(chosen)
    else:
        typer.echo(chosen.text.encode("utf-8"), nl=False)


def _listed(guide: Guide) -> dict[str, str]:
    return {"name": guide.name, "title": guide.title, "summary": guide.summary}


def _print_list(guides: list[Guide]) -> None:
    from rich.console import Console, Group
    from rich.table import Table
    from rich.text import Text

    from tournament.cli.markdown import THEME, GuideMarkdown
    from tournament.cli.pager import print_paged

    if not sys.stdout.isatty():  # for programs that read lines
        width = max((len(guide.name) for guide in guides), default=0)
        for guide in guides:
            print(f"{guide.name:{width}}  {guide.summary}")
        return
    table = Table.grid(padding=(0, 2, 0, 0))
    for guide in guides:
        table.add_row(Text(guide.name, "bold"), GuideMarkdown(guide.summary))
    print_paged(Group(table, "", GuideMarkdown("`tourney guide NAME` shows one.")), Console(theme=THEME))


def _show(guide: Guide) -> None:
    from rich.console import Console

    from tournament.cli.markdown import THEME, GuideMarkdown
    from tournament.cli.pager import print_paged

    print_paged(GuideMarkdown(guide.text), Console(theme=THEME))
