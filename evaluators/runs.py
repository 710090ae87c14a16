"""Runs: runs of two and of three discs that end at an empty cell; mine minus theirs."""

from tournament.toolkit import open_ends, swap


def evaluate(position):
    return 6 * (runs(position) - runs(swap(position)))


def runs(position):
    return open_ends(position, 2) + open_ends(position, 3)  # a run of three counts in both
