"""A config that is a dict of a program: written into a file, so that the same run can be made from it again."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml

from tournament.plugins.written import write_function

FILE, FOLDER = "config.yaml", "evaluators"


def write_config(config: Mapping[str, Any], out: Path) -> Path:
    """The config's file in that folder, and beside it a file for each evaluator that is a function."""
    written = dict(config)
    functions = False

    def name_of(value: Any) -> Any:
        nonlocal functions
        if callable(value):
            functions = True
            return write_function(value, out / FOLDER).stem
        return {key: name_of(inner) for key, inner in value.items()} if isinstance(value, Mapping) else value

    players = config.get("players")
    if isinstance(players, Mapping):
        written["players"] = name_of(players)
    elif isinstance(players, list | tuple):
        written["players"] = [name_of(player) for player in players]
    if functions:
        written["evaluators"] = [*config.get("evaluators", []), FOLDER]
    out.mkdir(parents=True, exist_ok=True)
    path = out / FILE
    path.write_text(yaml.safe_dump(written, sort_keys=False, allow_unicode=True), "utf-8")
    return path
