"""Calls a server on this machine, and says whether it answered."""

import socket

PORT = 0  # the test plays a copy of this file, with the number of its own server here

called = []


def evaluate(board):
    if not called:
        called.append(True)
        try:
            socket.create_connection(("127.0.0.1", PORT), timeout=1).close()
            print("CONNECTED")
        except OSError as error:
            print("refused", error)
        print("TRIED port", PORT)
    return 0
