"""What perfect play says of a position: the solver, the book of the standard board, and what was solved before."""
