"""Prints forty megabytes, and plays on."""

import os
import sys

calls = []


def evaluate(board):
    if not calls:
        print("TRIED")
        for _ in range(20):
            print("noise " * 150_000)
        sys.stderr.write("a warning\n")
        os.write(1, b"raw " * 5_000_000)
    calls.append(1)
    return 0
