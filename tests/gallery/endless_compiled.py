"""Never returns, in compiled code, where no signal handler of Python's runs."""


def evaluate(board):
    number = board.sum() ** 2 + 2
    while number != 1:
        number = number * number % 1000003 + 2
    return number
