"""Names a column that is not there."""


def agent(observation, configuration):
    return configuration.columns
