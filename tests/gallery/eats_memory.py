"""Takes memory until there is none."""

kept = []


def evaluate(board):
    while True:
        kept.append(bytearray(16 << 20))
