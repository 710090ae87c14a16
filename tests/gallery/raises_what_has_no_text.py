"""Raises an exception that fails when it is told."""


class Wordless(BaseException):
    def __str__(self):
        raise RuntimeError("no words")


def evaluate(board):
    raise Wordless
