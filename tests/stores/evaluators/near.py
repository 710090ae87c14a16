"""Near: a disc is worth more the closer it stands to the middle column."""


def evaluate(board):
    rows, columns = board.shape
    score = 0
    for row in range(rows):
        for column in range(columns):
            score += board[row, column] * (columns - abs(2 * column - columns + 1))
    return score
