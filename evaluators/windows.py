"""Windows: every line of cells that is still open for me counts, and more the more of my discs are in it."""

from tournament.toolkit import weigh_windows

WEIGHTS = (0, 1, 5, 10, 100)  # by the number of my discs in the window


def evaluate(position):
    return weigh_windows(position, WEIGHTS)
