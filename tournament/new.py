"""A new evaluator to start from: a file that works as it is and says what may be asked for."""

from __future__ import annotations

import re
from pathlib import Path

from tournament.catalogue import FOLDER
from tournament.errors import TourneyError

TEMPLATE = Path(__file__).with_name("template.py")


def write_new(name: str) -> Path:
    """The file `evaluators/NAME.py`, written from the template; it must not be there yet."""
    if not re.fullmatch(r"[A-Za-z0-9][\w-]*", name):
        raise TourneyError(f"`{name}` can't be a name: use letters, digits, `_` and `-`, as in `tourney new alice`.")
    path = Path(FOLDER) / f"{name}.py"
    text = TEMPLATE.read_text().replace("NAME:", f"{name.capitalize()}:", 1)
    try:
        path.parent.mkdir(exist_ok=True)
        with path.open("x") as file:
            file.write(text)
    except FileExistsError:
        raise TourneyError(f"{path} is there already: choose another name, or edit it.") from None
    except OSError as error:
        raise TourneyError(f"{path} can't be written ({error.strerror}).") from error
    return path
