"""The searches of a study, timed and weighed."""

from __future__ import annotations

import random

from tournament.engine.measured import Measured
from tournament.engine.result import SearchResult
from tournament.engine.searcher import Searcher
from tournament.engine.settings import Settings
from tournament.engine.stack import stack_bytes
from tournament.engine.state import STATE
from tournament.engine.transpositions import Transpositions
from tournament.errors import EvaluatorFault
from tournament.games.connect4 import Position, read_position
from tournament.match.luck import drifted
from tournament.plan.studies import PlannedSearch
from tournament.plugins.player import Player, scorer
from tournament.system import forget_peak, memory_of_process

ENOUGH_SECONDS = 0.05  # a search that takes less is timed again, and the best time counts
REPEATS = 3


def measure(planned: PlannedSearch, seed: int) -> Measured:
    """The searches of one entry, timed and weighed. An evaluator that fails ends them."""
    position = read_position(planned.start, planned.rules)
    begun = position.occupied.bit_count()
    luck = random.Random(f"{seed} {planned.place}")
    driver = planned.driver.ready(planned.rules) if planned.driver else None
    found: list[SearchResult] = []
    landed: list[int] = []
    try:
        while position.result is None:
            found.append(_measured(planned.player, position))
            chosen = driver.search(position).chosen if driver else found[-1].chosen
            landed.append(drifted(position, chosen, luck) if driver else chosen)
            if driver is None:
                break
            position = position.play(landed[-1])
    except EvaluatorFault as fault:
        del found[len(landed) :]
        return Measured(tuple(found), tuple(landed), begun).blamed(fault)
    return Measured(tuple(found), tuple(landed), begun)


def _measured(player: Player, position: Position) -> SearchResult:
    """One search with its peak memory; what takes little time is timed again, since it is soon disturbed."""
    settings = player.settings
    ready = scorer(player.evaluator, position.rules)
    Searcher(ready, Settings(1, settings.algorithm)).search(
        position
    )  # warm up: later searches find everything allocated
    forget_peak()
    before = memory_of_process("VmRSS")
    table = (
        Transpositions(settings.table) if settings.table else None
    )  # not the shared one, whose memory was taken before
    searcher = Searcher(ready, settings, table)
    found = searcher.search(position)
    peak = memory_of_process("VmHWM")
    moves = searcher.root_moves()
    memory = max(0, peak - before) if peak is not None and before is not None else None
    if found.seconds < ENOUGH_SECONDS or table is not None:  # the first search with a table also pays for its memory
        again = [searcher.search(position) for _ in range(REPEATS - 1)]
        best = min([found, *again], key=lambda one: one.seconds)
        found = found._replace(seconds=best.seconds, cpu_seconds=best.cpu_seconds)
    stack = stack_bytes(position.rules, settings)
    return found._replace(memory=memory, stack=stack, state=STATE.itemsize, root_moves=moves)
