from __future__ import annotations

from tournament.cli.options import print_json


def command() -> None:
    """Print the JSON Schema of configs, for editors that check while you type."""
    from tournament.plan.schema import Config

    print_json({"$schema": "https://json-schema.org/draft/2020-12/schema", **Config.model_json_schema()})
