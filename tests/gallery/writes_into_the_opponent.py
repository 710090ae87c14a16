"""Makes every other evaluator of its process say zero."""

import sys

tried = []


def evaluate(board):
    for name, module in list(sys.modules.items()):
        if name.startswith("tourney_plugin") and name != __name__ and hasattr(module, "evaluate"):
            module.evaluate = lambda board: 0
            print("WRITTEN", module.__file__)
    if not tried:
        tried.append(True)
        print("TRIED every module")
    return 0
