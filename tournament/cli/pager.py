"""Pages of text on a terminal: through the pager that the user has chosen, where it is longer than the screen."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from math import ceil

from rich.console import Console, RenderableType
from rich.pager import Pager
from rich.segment import Segment

WIDEST = 100  # cells: longer lines of text are hard to read
NOT_RUN = (126, 127)  # what a shell says where there is no such program, or it can't be run


def print_paged(page: RenderableType, console: Console) -> None:
    """Print it, through a pager where it does not fit the screen. Lines that may not be wrapped stay whole."""
    width = min(console.width, WIDEST)
    lines = Segment.split_lines(console.render(page, console.options.update(width=width)))
    rows = sum(ceil(Segment.get_line_length(line) / console.width) or 1 for line in lines)
    if rows < console.height or console.is_dumb_terminal or not _chosen():
        console.print(page, width=width, crop=False)
    else:
        with console.pager(ChosenPager(), styles=True):
            console.print(page, width=width, crop=False)


def _chosen() -> str:
    return os.environ.get("PAGER", "less").strip()


class ChosenPager(Pager):
    """$PAGER, or less. Where that can't be run, the text is printed."""

    def show(self, content: str) -> None:
        environment = {"LESS": "-R", **os.environ}  # which lets colours through
        process = subprocess.Popen(_chosen(), shell=True, stdin=subprocess.PIPE, env=environment)
        before = signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the pager's, which must not be left alone
        try:
            process.communicate(content.encode("utf-8", "backslashreplace"))
        finally:
            signal.signal(signal.SIGINT, before)
        if process.returncode in NOT_RUN:
            sys.stdout.write(content)
