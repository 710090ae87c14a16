"""How many bytes of the stack a level of a search takes, measured."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from tournament.engine import nodes
from tournament.engine.algorithms import Order
from tournament.engine.jit.calls import address_of
from tournament.engine.jit.specialise import JIT_DISABLED, as_bits, bits_type, specialise
from tournament.engine.searcher import state_for
from tournament.engine.settings import Settings
from tournament.games.connect4 import Rules, words

PLIES = (1, 3)  # two searches whose deepest positions are so many levels down


@intrinsic
def _here(typing: Any) -> Any:
    """Where on the stack the function that asks has its frame."""

    def emit(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.ptrtoint(builder.alloca(ir.IntType(64)), ir.IntType(64))

    return types.int64(), emit


def frame_of(mine: int, theirs: int, my_turn: bool) -> float:
    """In place of an evaluator: where on the stack it was called, as a score."""
    return float(_here())


def stack_bytes(rules: Rules, settings: Settings) -> int | None:
    """Bytes a level, of the compiled search that these settings lead to; None where there is none to measure."""
    if JIT_DISABLED or rules.rows <= max(PLIES):
        return None
    order: Order = "killers" if settings.extended else "left"
    plain = replace(settings, depth=1, nodes=None, seconds=None, order="left", order_seed=1, table=0, aspiration=0.0)
    return _measured(rules, replace(plain, iterative=False, order=order), settings.extended)


@cache
def _measured(rules: Rules, settings: Settings, extended: bool) -> int:
    """How far apart the deepest positions of two searches are, on a board of which one column alone is open.

    In one column colours alternate, so nobody ever has a line, and a search of n plies is n positions one below the
    other. The compiled function is that of the whole board.
    """
    bits = bits_type(rules.bits)
    signature = types.float64(bits, bits, types.boolean)
    evaluator = specialise(frame_of, signature, str(bits))
    kernel = nodes.kernel(rules, extended)
    found = []
    for depth in PLIES:
        state = state_for(rules, replace(settings, depth=depth), [0])
        state["evaluator"], state["visit"] = address_of(evaluator, signature), kernel.address
        state["columns"] = 1
        state["full"], state["bottom"] = words(rules.column(0)), words(rules.column(0) & rules.bottom)
        kernel.choose(state, as_bits(0, rules.bits), as_bits(0, rules.bits))
        found.append(float(state["answer"][0]))
    return int(abs(found[1] - found[0])) // (PLIES[1] - PLIES[0])
