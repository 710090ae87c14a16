"""Where evaluators are found: the folder is the list.

Bundled with the package, in `./evaluators/`, in files and folders named by the user, and in installed
packages through the entry-point group `tourney.evaluators`. Nothing is imported before it is asked for.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Iterable
from dataclasses import dataclass
from importlib.metadata import entry_points
from pathlib import Path
from typing import TYPE_CHECKING

from tournament.errors import EvaluatorError
from tournament.plugins.plugin import valid_name
from tournament.system import bundled
from tournament.text import nearest, shown

if TYPE_CHECKING:
    from tournament.plugins.evaluator import Evaluator

GROUP = "tourney.evaluators"
FOLDER = "evaluators"
BUNDLED = bundled(FOLDER)


@dataclass(frozen=True)
class Listing:
    """The place of an evaluator that has not been loaded yet: a file, or a module of an installed package."""

    name: str
    origin: str
    place: Path | str

    def read(self) -> Evaluator:
        """The evaluator, without running it."""
        from tournament.plugins.evaluator import Evaluator, read_file

        if isinstance(self.place, Path):
            return read_file(self.place, self.origin)
        valid_name(self.name, f"{self.origin}: ")
        try:
            spec = importlib.util.find_spec(self.place)
            if spec is None or spec.origin is None:
                raise ModuleNotFoundError(f"No module named {self.place!r}")
            path = Path(spec.origin)
            return Evaluator(self.name, path, self.origin, path.read_bytes(), self.place)
        except (Exception, SystemExit) as error:
            raise EvaluatorError(
                f"{self.origin}: evaluator `{self.name}` raised {type(error).__name__} while being imported: {error}."
            ) from error

    def load(self) -> Evaluator:
        return self.read().load()

    def is_same_as(self, other: Listing) -> bool:
        """Whether both are one evaluator, seen twice or copied."""
        if isinstance(self.place, Path) and isinstance(other.place, Path):
            return self.place == other.place or self.place.read_bytes() == other.place.read_bytes()
        return self == other

    def __str__(self) -> str:
        return shown(self.place) if isinstance(self.place, Path) else f"{self.place} ({self.origin})"


class Catalogue:
    """Every evaluator that can be named."""

    def __init__(self, extra: Iterable[Path] = ()) -> None:
        self.entries: dict[str, Listing] = {}
        self._clashes: dict[str, str] = {}  # names that mean two evaluators, with what is told of them
        here = Path.cwd() / FOLDER  # in a checkout, the folder of the bundled ones too
        for entry in _files(here, f"./{FOLDER}"):
            self._add(entry)
        for entry in _files(BUNDLED, "bundled"):
            self._add(entry)
        for path in extra:
            if not path.exists():
                raise EvaluatorError(f"{path}: does not exist: name a file or a folder of evaluators.")
            for entry in [_file(path, str(path))] if path.is_file() else _files(path, str(path)):
                self._add(entry)
        for point in entry_points(group=GROUP):
            distribution = point.dist.name if point.dist else point.module
            self._add(Listing(point.name, f"package {distribution}", point.module))  # which has `evaluate`

    def _add(self, entry: Listing) -> None:
        known = self.entries.setdefault(entry.name, entry)
        if not known.is_same_as(entry):  # a mistake of whoever means one of them, and of nobody else
            self._clashes[entry.name] = (
                f"two evaluators are named `{entry.name}`: {known} and {entry}: rename one of them."
            )

    def names(self) -> list[str]:
        return sorted(self.entries)

    def find(self, name: str) -> Listing:
        """The place of the evaluator of that name, or in the file of that path."""
        if name in self._clashes:
            raise EvaluatorError(self._clashes[name])
        if name in self.entries:
            return self.entries[name]
        path = Path(name)
        if path.suffix == ".py" and path.is_file():
            return _file(path, name)
        if path.suffix == ".py" or "/" in name:
            raise EvaluatorError(f"{name}: there is no such file.")
        raise EvaluatorError(
            f"there is no evaluator `{name}`{nearest(name, self.entries)} Known are {', '.join(self.names())}."
        )

    def read(self, name: str) -> Evaluator:
        """The evaluator of that name, without running it."""
        return self.find(name).read()

    def load(self, name: str) -> Evaluator:
        return self.find(name).load()


def _file(path: Path, origin: str) -> Listing:
    return Listing(path.stem, origin, path.absolute())


def _files(folder: Path, origin: str) -> list[Listing]:
    files = [path for path in sorted(folder.glob("*.py")) if path.is_file()]
    return [_file(path, origin) for path in files if not path.name.startswith(("_", "."))]
