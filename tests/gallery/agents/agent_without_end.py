"""Thinks for ever."""


def act(observation):
    while True:
        pass
