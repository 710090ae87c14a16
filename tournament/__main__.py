"""`python -m tournament` is `tourney`."""

from tournament.cli import main

main()
