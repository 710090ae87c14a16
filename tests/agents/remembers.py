"""Remembers where it has dropped its discs in this game, and builds upon the last of them, or else beside it."""

mine = []  # at Kaggle, and here, each game begins with an empty one


def drop(observation, configuration):
    assert len(mine) == observation.step // 2, "this is the memory of another game"
    start = mine[-1] if mine else configuration.columns // 2
    near = sorted(range(configuration.columns), key=lambda column: abs(column - start))
    mine.append(next(column for column in near if observation.board[column] == 0))
    return mine[-1]
