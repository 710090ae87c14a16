"""Fast features for evaluators, under the name by which evaluators import them: see `games/connect4/features.py`."""

from tournament.games.connect4.features import *  # noqa: F403  # all that its `__all__` names
