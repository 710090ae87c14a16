"""Room: lines that can still be completed, worth more the more of their cells can be filled next."""

# This one is written cell by cell, to show that style; the toolkit would make it shorter and faster.


def evaluate(board, rules):
    score = 0
    for row in range(rules.rows):
        for column in range(rules.columns):
            score += window(board, rules, row, column, 0, 1)  # to the right
            score += window(board, rules, row, column, 1, 0)  # upwards
            score += window(board, rules, row, column, 1, 1)  # up to the right
            score += window(board, rules, row, column, -1, 1)  # down to the right
    return score


def window(board, rules, row, column, up, right):
    """The worth of the window that begins here: its discs times the room around them, theirs negative."""
    last_row = row + up * (rules.connect - 1)
    last_column = column + right * (rules.connect - 1)
    if last_row < 0 or last_row >= rules.rows or last_column >= rules.columns:
        return 0
    mine = theirs = fillable = 0
    for _ in range(rules.connect):
        disc = board[row, column]
        if disc > 0:
            mine += 1
        elif disc < 0:
            theirs += 1
        elif row == 0 or board[row - 1, column] != 0:
            fillable += 1
        row += up
        column += right
    if mine > 0 and theirs > 0:
        return 0  # nobody can complete it
    return (mine - theirs) * (1 + fillable)
