"""Prints a hundred megabytes, and plays on."""

import os
import sys

calls = [0]


def evaluate(board):
    if not calls[0]:
        print("TRIED")
        for _ in range(100):
            print("noise " * 150_000)
        sys.stderr.write("a warning\n")
        os.write(1, b"raw " * 25_000_000)
    calls[0] = 1
    return 0
