"""The configs that come with tourney and can be played from any folder: the folder is the list."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import yaml

from tournament.errors import ConfigError
from tournament.system import bundled
from tournament.text import nearest

CONFIGS = bundled("configs")


@dataclass(frozen=True)
class BundledConfig:
    """A config by its name, with its title and what it shows, which is the comment that it begins with."""

    name: str
    title: str
    shows: str


def bundled_configs() -> list[BundledConfig]:
    """All of them, by name. They are read, and nothing that they name is looked at."""
    return [_described(path) for path in _files()]


def bundled_config(name: str) -> bytes:
    """The file of that name as it is."""
    names = [path.stem for path in _files()]
    if name not in names:
        raise ConfigError([f"there is no config `{name}`{nearest(name, names)} Known are {', '.join(names)}."])
    return (CONFIGS / f"{name}.yaml").read_bytes()


def _files() -> list[Path]:
    """Without the one whose agents are files of a clone: they are named as seen from its own folder."""
    return [path for path in sorted(CONFIGS.glob("*.yaml")) if b"connectx:" not in path.read_bytes()]


def _described(path: Path) -> BundledConfig:
    text = path.read_text("utf-8")
    return BundledConfig(path.stem, yaml.safe_load(text)["title"], text.splitlines()[0].removeprefix("# "))
