"""An object that can be called: it prefers columns with the fewest discs."""


class Lowest:
    def __init__(self, first):
        self.first = first  # of columns that are equally low

    def __call__(self, observation, configuration):
        width = configuration.columns
        open_columns = [column for column in range(width) if observation.board[column] == 0]
        return min(open_columns, key=lambda column: (self.height(observation.board[column::width]), self.order(column)))

    def height(self, cells):
        return sum(cell != 0 for cell in cells)

    def order(self, column):
        return abs(column - self.first)


lowest = Lowest(first=3)
