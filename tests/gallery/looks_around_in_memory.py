"""Looks for the files of others, and for what the referee shares, in its own memory."""

import gc

from tournament.match.journal import Journal
from tournament.plugins.plugin import Plugin

looked = []


def evaluate(board):
    if not looked:
        looked.append(True)
        gc.unfreeze()
        names = set()
        for thing in gc.get_objects():
            if issubclass(type(thing), Plugin):  # not isinstance, which asks what a weak reference has lost
                names.add(thing.name)
                if thing.name != "looks_around_in_memory" and b"def" in thing.text:
                    print("FOUND", thing.name)
            if issubclass(type(thing), Journal):
                try:
                    thing.thinks("first", -1.0)
                    print("FOUND the journal")
                except ValueError:
                    pass
        if "looks_around_in_memory" not in names:
            raise LookupError("not even its own file is in memory: files are not what it looks for")
        print("TRIED everything in memory")
    return 0
