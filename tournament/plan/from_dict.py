"""A config that is a dict of a program: written into a file, so that the same run can be made from it again."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml

from tournament.errors import EvaluatorError, TourneyError
from tournament.plugins.written import source_of, write_function

FILE, FOLDER = "config.yaml", "evaluators"


def write_config(config: Mapping[str, Any], out: Path) -> Path:
    """The config's file in that folder, and beside it a file for each evaluator that is a function.

    Files that it names are seen from where the program runs, and in the file from the config.
    """
    functions: dict[str, str] = {}  # the text of each

    def plain(value: Any) -> Any:
        if isinstance(value, Mapping):
            return {key: plain(inner) for key, inner in value.items()} | _files(value, out)
        if isinstance(value, list | tuple | range):
            return [plain(inner) for inner in value]
        if isinstance(value, Path):
            return str(value)
        if not callable(value):
            return value
        text = source_of(value)
        if functions.setdefault(value.__name__, text) != text:
            raise EvaluatorError(f"two functions are named `{value.__name__}`: rename one of them.")
        return write_function(value, out / FOLDER).stem

    written = plain(config)
    extra = [os.path.relpath(name, out) for name in config.get("evaluators", [])]
    if extra or functions:
        written["evaluators"] = [*extra, *([FOLDER] if functions else [])]
    try:
        text = yaml.safe_dump(written, sort_keys=False, allow_unicode=True)
    except yaml.YAMLError as error:
        raise TourneyError(f"a config has text, numbers, lists and mappings: {error.args[-1]!r} is none.") from error
    out.mkdir(parents=True, exist_ok=True)
    path = out / FILE
    path.write_text(text, "utf-8")
    return path


def _files(entry: Mapping[str, Any], out: Path) -> dict[str, str]:
    """The files that an entry names, of openings or of an agent, as seen from that folder."""
    named = {key: entry.get(key) for key in ("file", "connectx")}
    return {key: os.path.relpath(name, out) for key, name in named.items() if isinstance(name, str | Path)}
