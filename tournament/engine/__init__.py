"""The search: one position in, a move, its score and what it took out."""
