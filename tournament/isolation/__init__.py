"""Processes in which other people's code runs. Nothing here knows of games."""
