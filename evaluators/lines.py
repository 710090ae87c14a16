"""Lines: open windows, ten times as much for each further disc, mine minus theirs; and my centre discs."""

from tournament.toolkit import centre_discs, swap, weigh_windows

WEIGHTS = (0, 1, 10, 100, 100_000)  # by the number of discs in the window


def evaluate(position):
    # Only my own centre discs count: the published figures were made this way.
    return 3 * centre_discs(position) + weigh_windows(position, WEIGHTS) - weigh_windows(swap(position), WEIGHTS)
