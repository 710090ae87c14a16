"""An agent: the leftmost column that is open."""


def agent(observation, configuration):
    return next(column for column in range(configuration.columns) if observation.board[column] == 0)
