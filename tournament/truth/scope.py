"""Which games the solver knows; needs no compiler."""

from __future__ import annotations

from tournament.errors import TourneyError
from tournament.games.connect4 import WORD, Rules


def check_rules(rules: Rules) -> None:
    """Raise where the solver does not know a game."""
    if rules.objective != "first-line" or rules.drifts:
        raise TourneyError(
            f"perfect play is not known here ({rules.described}): the solver knows games that the first line wins, "
            "without drift."
        )
    if rules.bits > WORD:
        raise TourneyError(
            f"perfect play is not known on a board of {rules}: it takes {rules.bits} bits, and the solver knows boards "
            f"whose (rows + 1) × columns is at most {WORD}."
        )


def is_known(rules: Rules) -> bool:
    """Whether the solver knows this game."""
    try:
        check_rules(rules)
    except TourneyError:
        return False
    return True
