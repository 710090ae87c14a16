"""Says nothing."""


def agent(observation, configuration):
    pass
