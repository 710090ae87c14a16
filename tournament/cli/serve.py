from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from tournament.cli.options import Evaluators

PORT = 8765


def command(
    folders: Annotated[
        list[Path] | None, typer.Argument(metavar="DIR", help="Folders of tournaments to watch and replay.")
    ] = None,
    port: Annotated[int, typer.Option(min=0, max=65535, help="Where it listens; 0 is any free port.")] = PORT,
    open_browser: Annotated[bool, typer.Option("--open", help="Open it in a browser.")] = False,
    extra: Evaluators = None,
) -> None:
    """Open a page on this machine: play, walk through decision trees, replay and watch tournaments, compare."""
    from tournament.plugins.catalogue import Catalogue
    from tournament.web.server import serve

    Catalogue(extra or ())  # a mistake is named before anything starts
    for folder in folders or []:
        if not folder.is_dir():
            typer.echo(f"{folder}: there is no such folder yet; it is shown once a run has begun there.", err=True)
    serve(folders or [], extra or [], port, open_browser=open_browser)
