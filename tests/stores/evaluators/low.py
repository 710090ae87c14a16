"""Low: a disc is worth more the lower it lies."""


def evaluate(board):
    rows, columns = board.shape
    score = 0
    for row in range(rows):
        for column in range(columns):
            score += board[row, column] * (rows - row)
    return score
