"""Never returns, in Python."""

seen = {}


def evaluate(board):
    seen["board"] = board.sum()
    while True:
        seen["again"] = True
