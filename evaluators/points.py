"""Points: 4 for a line, 3 and 2 for one that lacks one or two discs, 1 for a block; mine minus theirs."""

from tournament.toolkit import blocked_windows, open_windows, swap


def evaluate(position):
    return points(position) - points(swap(position))


def points(position):
    line = position.rules.connect
    return (
        4 * open_windows(position, line)
        + 3 * open_windows(position, line - 1)
        + 2 * open_windows(position, line - 2)
        + blocked_windows(position)
    )
