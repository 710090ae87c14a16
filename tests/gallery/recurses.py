"""Calls itself for ever."""


def deeper(number):
    return deeper(number + 1)


def evaluate(board):
    return deeper(0)
