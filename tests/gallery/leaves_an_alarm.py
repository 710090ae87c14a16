"""Leaves an alarm behind that goes off soon, while the opponent thinks, and ends whichever process it is in."""

import signal

tried = []


def evaluate(board):
    if not tried:
        tried.append(True)
        print("TRIED an alarm")
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        signal.setitimer(signal.ITIMER_REAL, 3)
    return 0
