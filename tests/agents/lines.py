"""Lines on a board as Kaggle shows it: a flat list, row by row from the top. `imports.py` imports it."""


def completes(board, column, mark, configuration):
    """Whether a disc with this mark makes a line in an open column."""
    height, width = configuration.rows, configuration.columns
    row = max(row for row in range(height) if board[row * width + column] == 0)

    def discs(down, right):
        """How many of this mark follow each other from the new disc on."""
        length, y, x = 0, row + down, column + right
        while 0 <= y < height and 0 <= x < width and board[y * width + x] == mark:
            length, y, x = length + 1, y + down, x + right
        return length

    return any(
        1 + discs(down, right) + discs(-down, -right) >= configuration.inarow
        for down, right in ((0, 1), (1, 0), (1, 1), (1, -1))
    )
