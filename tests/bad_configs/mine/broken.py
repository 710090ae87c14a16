def evaluate(board)
    return 0
