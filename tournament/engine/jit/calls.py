"""Calling an evaluator by its address.

numba's own first-class functions carry three addresses through every call and take about 70 µs to be passed in from
Python. The search needs one address, kept in its state.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from typing import Any
from weakref import WeakValueDictionary

import numba
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic, overload

from tournament.engine.jit.specialise import JIT_DISABLED, specialise
from tournament.games.connect4 import bitboard

Score = Callable[[int, int, bool], float]  # mine, theirs, my turn
IN_PYTHON: WeakValueDictionary[int, Score] = WeakValueDictionary()  # by their id, as if that were an address
KEY = 0  # of a function in IN_PYTHON; replaced when `through_python` is compiled


def address_of(dispatcher: Any, signature: Any) -> int:
    """The address of a compiled function, valid as long as `dispatcher` lives."""
    if JIT_DISABLED:
        return id(dispatcher)
    compiled = dispatcher.get_compile_result(signature)
    return int(compiled.library.get_pointer_to_function(compiled.fndesc.llvm_func_name))


def callable_from_search(score: Score, signature: Any) -> Any:
    """A function in Python, so wrapped that the compiled search can call it. Keep a reference to it."""
    if JIT_DISABLED:
        IN_PYTHON[id(score)] = score
        return score
    key = next(number for number in count() if number not in IN_PYTHON)
    IN_PYTHON[key] = score
    return specialise(through_python, signature, f"{key}_{signature.args[0]}", {"KEY": key}, nogil=False)


def through_python(mine: int, theirs: int, my_turn: bool) -> float:
    """The score by the function in Python that KEY names."""
    key = KEY
    with numba.objmode(score="float64"):
        score = call_in_python(key, mine, theirs, my_turn)
    return score


def call_in_python(key: int, mine: int, theirs: int, my_turn: bool) -> float:
    return IN_PYTHON[key](mine, theirs, my_turn)


def call_evaluator(state: Any, mine: int, theirs: int, my_turn: bool) -> float:
    """The score of the evaluator at `state.evaluator`. Where it raises, `state.fault` keeps the position."""
    try:
        return IN_PYTHON[int(state.evaluator)](mine, theirs, my_turn)
    except Exception:
        state.fault[0:2] = bitboard.words(mine)
        state.fault[2:4] = bitboard.words(theirs)
        state.fault[4] = my_turn
        raise


@intrinsic
def _call(typingctx: Any, state: Any, mine: Any, theirs: Any, my_turn: Any) -> Any:
    address, fault = state.offset("evaluator"), state.offset("fault")
    parameters = (mine, theirs, types.boolean)

    def emit(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        record, mine_bits, theirs_bits, turn = args
        start = builder.bitcast(record, ir.IntType(8).as_pointer())

        def field(offset: int, kind: Any) -> Any:
            return builder.bitcast(cgutils.gep(builder, start, offset), kind.as_pointer())

        function = context.call_conv.get_function_type(types.float64, parameters).as_pointer()
        target = builder.inttoptr(builder.load(field(address, ir.IntType(64))), function)
        status, result = context.call_conv.call_function(
            builder, target, types.float64, parameters, (mine_bits, theirs_bits, turn)
        )
        with cgutils.if_unlikely(builder, status.is_error):
            # As `STATE["fault"]` is laid out: two words of mine, two of theirs, and whose turn it is.
            for offset, value in ((0, mine_bits), (16, theirs_bits), (32, builder.zext(turn, ir.IntType(64)))):
                builder.store(value, field(fault + offset, value.type), align=8)
            context.call_conv.return_status_propagate(builder, status)
        return result

    return types.float64(state, mine, theirs, types.boolean), emit


@overload(call_evaluator, strict=False, jit_options={"forceinline": True})
def _overload_call(state: Any, mine: Any, theirs: Any, my_turn: Any) -> Any:
    return lambda state, mine, theirs, my_turn: _call(state, mine, theirs, my_turn)
