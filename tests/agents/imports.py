"""Wins where it can, else keeps the opponent from it, else plays near the middle; a file beside it knows lines."""

from lines import completes


def my_agent(observation, configuration):
    board, width = observation["board"], configuration["columns"]
    middle_first = sorted(range(width), key=lambda column: abs(2 * column - width + 1))
    columns = [column for column in middle_first if board[column] == 0]
    for mark in (observation["mark"], 3 - observation["mark"]):
        for column in columns:
            if completes(board, column, mark, configuration):
                return column
    return columns[0]
