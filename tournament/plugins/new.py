"""A new evaluator to start from: a file that works as it is and says what may be asked for."""

from __future__ import annotations

from pathlib import Path

from tournament.errors import TourneyError
from tournament.plugins.catalogue import FOLDER, Catalogue
from tournament.plugins.plugin import valid_name

TEMPLATE = Path(__file__).with_name("template.py")


def write_new(name: str) -> Path:
    """The file `evaluators/NAME.py`, written from the template; it must not be there yet."""
    path = Path(FOLDER) / f"{valid_name(name)}.py"
    taken = Catalogue().entries.get(name)
    if taken is not None:
        raise TourneyError(f"there is an evaluator `{name}` already, {taken}: choose another name, or edit it.")
    text = TEMPLATE.read_text().replace("NAME:", f"{name.capitalize()}:", 1)
    try:
        path.parent.mkdir(exist_ok=True)
        with path.open("x") as file:
            file.write(text)
    except OSError as error:
        raise TourneyError(f"{path} can't be written ({error.strerror}).") from error
    return path
