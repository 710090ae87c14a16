"""NAME: lines of cells that hold only my discs, worth more the more there are."""  # shown in every table

WORTH = 1, 5, 10, 100  # of a line with 1, 2, 3, 4 or more of my discs


def evaluate(board, rules):
    """How good the position is for me: any number, higher is better. Wins are seen by the search itself.

    Ask for what you need by name, in any order; leave out the rest:
      board     the grid: board[row, column] is 1 (mine), -1 (theirs) or 0 (empty); row 0 is the bottom
      rules     rules.rows, rules.columns, rules.connect (how many in a line win)
      my_turn   True where I move next, False where my opponent does
      mine      my discs as the bits of an integer, on boards of up to 63 bits
      theirs    the opponent's discs likewise
      position  all of it in one, for the fast features of `tournament.toolkit`:
                    from tournament.toolkit import threats, swap
                    threats(position) - threats(swap(position))
    Helpers go into this file, beside `evaluate`. Plain loops and arithmetic run at compiled speed.
    """
    score = 0
    for row in range(rules.rows):
        for column in range(rules.columns):
            score += line(board, rules, row, column, 0, 1)  # to the right
            score += line(board, rules, row, column, 1, 0)  # upwards
            score += line(board, rules, row, column, 1, 1)  # up to the right
            score += line(board, rules, row, column, -1, 1)  # down to the right
    return score


def line(board, rules, row, column, up, right):
    """What the line that begins here is worth to me: nothing where it leaves the board or holds their disc."""
    last_row = row + up * (rules.connect - 1)
    last_column = column + right * (rules.connect - 1)
    if last_row < 0 or last_row >= rules.rows or last_column >= rules.columns:
        return 0
    discs = 0
    for step in range(rules.connect):
        disc = board[row + step * up, column + step * right]
        if disc < 0:
            return 0
        discs += disc
    return WORTH[min(discs, 4) - 1] if discs > 0 else 0
