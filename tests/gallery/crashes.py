"""Reads memory that is not there."""

import ctypes


def evaluate(board):
    return len(ctypes.string_at(0))
