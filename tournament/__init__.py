"""tourney: a tournament runner for evaluation functions of Connect Four and its relatives."""
