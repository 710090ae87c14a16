"""Two-sided: open windows by the number of discs in them, weighed as by `windows`; mine minus theirs."""

from tournament.games.connect4.features import swap, weigh_windows

WEIGHTS = (0, 1, 5, 10, 100)  # by the number of discs in the window


def evaluate(position):  # type: ignore[no-untyped-def]  # as an evaluator is written
    return weigh_windows(position, WEIGHTS) - weigh_windows(swap(position), WEIGHTS)
