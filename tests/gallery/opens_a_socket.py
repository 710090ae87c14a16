"""Calls a server on this machine, and says whether it answered."""

import socket

called = []


def evaluate(board):
    if not called:
        called.append(True)
        try:
            socket.create_connection(("127.0.0.1", 47391), timeout=1).close()
            print("CONNECTED")
        except OSError as error:
            print("refused", error)
    return 0
