"""Looks for the files of others, and for what the referee shares, in its own memory."""

import gc

from tournament.journal import Journal
from tournament.plugin import Plugin

looked = []


def evaluate(board):
    if not looked:
        looked.append(True)
        gc.unfreeze()
        for thing in gc.get_objects():
            if isinstance(thing, Plugin) and thing.name != "looks_around_in_memory" and b"def" in thing.text:
                print("FOUND", thing.name)
            if isinstance(thing, Journal):
                try:
                    thing.thinks("first", -1.0)
                    print("FOUND the journal")
                except ValueError:
                    pass
    return 0
