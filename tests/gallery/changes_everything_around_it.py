"""Leaves folder, environment, locale, luck, signals and limits other than they were."""

import locale
import os
import random
import signal
import sys

import numpy as np


def evaluate(board):
    os.chdir("/")
    os.environ.clear()
    os.umask(0o777)
    locale.setlocale(locale.LC_ALL, "C")
    random.seed(1)
    np.random.seed(1)
    np.seterr(all="ignore")
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    signal.signal(signal.SIGALRM, lambda *_: None)
    sys.setrecursionlimit(200)
    sys.path.clear()
    if sys.stdout is not None:
        print("TRIED", os.getcwd())
    sys.stdout = None
    return 0
