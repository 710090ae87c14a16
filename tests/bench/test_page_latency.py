"""The speed of the page: which moves are asked for, and which answers count."""

import json
from contextlib import nullcontext
from types import SimpleNamespace

from tournament.bench import page_latency
from tournament.bench.page_latency import move_seconds


def test_the_machine_plays_on_from_its_answer_and_begins_anew_when_the_game_is_over(monkeypatch):
    asked = []
    states = iter([("4", None), ("44", "draw"), ("4", None)])

    class Connection:
        """Answers with the states above."""

        def __init__(self, *_):
            pass

        def request(self, method, path, body, headers):
            asked.append((method, path, json.loads(body)))

        def getresponse(self):
            moves, result = next(states)
            return SimpleNamespace(read=lambda: json.dumps({"state": {"moves": moves, "result": result}}))

        def close(self):
            pass

    monkeypatch.setattr(page_latency, "serving", lambda *_: nullcontext(1))
    monkeypatch.setattr(page_latency, "http", SimpleNamespace(client=SimpleNamespace(HTTPConnection=Connection)))
    assert len(move_seconds("runs", depth=3, count=2)) == 2  # the first one has woken the page
    search = {"evaluator": "runs", "depth": 3}
    assert asked == [("POST", "/api/move", {"moves": moves} | search) for moves in ("", "4", "")]
