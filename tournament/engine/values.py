"""What a search says of a position: a score, or a win or a loss and in how many plies."""

from __future__ import annotations

from tournament.text import in_plies

WIN = 1e9  # a win at once; each ply that it takes costs 1
MOST_DEPTH = 128  # no board has more cells


SCORE_LIMIT = WIN - 256  # no game lasts 256 plies, so every score below it is below every win


def shown_score(score: float) -> str:
    """A score for people: a number, or in how many plies, on average where discs drift, the game is won or lost."""
    if abs(score) < WIN - MOST_DEPTH:
        digits = ",.6g" if abs(score) < 1e6 else ",.0f"
        return f"{score + 0.0:{digits}}".replace("-", "−")  # and no negative zero
    return f"{'win' if score > 0 else 'loss'} in {in_plies(f'{WIN - abs(score):.3g}')}"


def shown_edge(value: float) -> str:
    """An edge of a search's window; one that no value reaches is infinite."""
    return shown_score(value) if abs(value) < WIN else "∞" if value > 0 else "−∞"
