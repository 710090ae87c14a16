"""The four directions of a line as lanes of one vector, in compiled code for boards of one word.

`bitboard.together` gives the text of a feature four distances one after the other, as integers: in plain Python, and in
compiled code for boards of two words or where lanes do not pay. On boards of one word it gives them all at once, as a
value of the type below, and the same text then works on four directions with each instruction. A board beside lanes
stands in each of them. As with Python's integers, what is shifted by more bits than there are is gone; what is shifted
is never negative.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from llvmlite import binding, ir
from numba import config, types
from numba.core import cgutils
from numba.core.typeconv import Conversion
from numba.extending import intrinsic, lower_builtin, lower_cast, models, overload, register_model, type_callable

from tournament.games.connect4 import bitboard

COUNT = 4
LLVM_WORD = ir.IntType(bitboard.WORD)
LLVM_LANES = ir.VectorType(LLVM_WORD, COUNT)
LLVM_INDEX = ir.IntType(32)


def _pay() -> bool:
    """Whether lanes pay on this processor: an x86 without AVX2 shifts them one by one, and is slower with them."""
    if config.CPU_NAME:  # compiled for another one; machine code of either is kept apart from the other's
        return True
    try:
        return bool(binding.get_host_cpu_features().get("avx2", True))
    except RuntimeError:  # LLVM does not know
        return True


PAY = _pay()


class LanesType(types.Type):
    def __init__(self) -> None:
        super().__init__(name="lanes")

    def can_convert_from(self, typingctx: Any, other: Any) -> Any:
        return Conversion.safe if isinstance(other, types.Integer) else None


lanes = LanesType()


@register_model(LanesType)
class LanesModel(models.PrimitiveModel):
    def __init__(self, manager: Any, kind: Any) -> None:
        super().__init__(manager, kind, LLVM_LANES)


def _each(word: int) -> Any:
    """A constant that stands in each lane."""
    return ir.Constant(LLVM_LANES, [word] * COUNT)


@lower_cast(types.Integer, LanesType)
def _in_each(context: Any, builder: Any, source: Any, target: Any, value: Any) -> Any:
    word = context.cast(builder, value, source, types.int64)
    unset = ir.Constant(LLVM_LANES, ir.Undefined)
    first = builder.insert_element(unset, word, ir.Constant(LLVM_INDEX, 0))
    return builder.shuffle_vector(first, unset, ir.Constant(ir.VectorType(LLVM_INDEX, COUNT), [0] * COUNT))


PAIRS = ((lanes, lanes), (lanes, types.Integer), (types.Integer, lanes))


def _define(op: Any, result: Any, emit: Callable[[Any, Any, Any], Any]) -> None:
    """Teach numba a binary operator on lanes and lanes, or an integer that stands in each of them."""

    @type_callable(op)
    def typed(context: Any) -> Any:
        def of(left: Any, right: Any) -> Any:
            known = all(kind == lanes or isinstance(kind, types.Integer) for kind in (left, right))
            return result if known and lanes in (left, right) else None

        return of

    def lowered(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        left, right = (context.cast(builder, v, t, lanes) for v, t in zip(args, sig.args, strict=True))
        return emit(builder, left, right)

    for pair in PAIRS:
        lower_builtin(op, *pair)(lowered)


def _instruction(method: str) -> Callable[[Any, Any, Any], Any]:
    return lambda builder, left, right: getattr(builder, method)(left, right)


def _shift(method: str) -> Callable[[Any, Any, Any], Any]:
    """A shift that leaves nothing where LLVM's own is undefined; vector units do the same, and need no test."""

    def emit(builder: Any, left: Any, right: Any) -> Any:
        within = builder.icmp_unsigned("<", right, _each(bitboard.WORD))
        return builder.select(within, getattr(builder, method)(left, right), _each(0))

    return emit


for _ops, _emit in (
    ((operator.and_, operator.iand), _instruction("and_")),
    ((operator.or_, operator.ior), _instruction("or_")),
    ((operator.xor, operator.ixor), _instruction("xor")),
    ((operator.add, operator.iadd), _instruction("add")),
    ((operator.mul, operator.imul), _instruction("mul")),
    ((operator.lshift, operator.ilshift), _shift("shl")),
    ((operator.rshift, operator.irshift), _shift("lshr")),
):
    for _op in _ops:
        _define(_op, lanes, _emit)


@type_callable(operator.invert)
def _type_of_invert(context: Any) -> Any:
    return lambda value: lanes if value == lanes else None


@lower_builtin(operator.invert, lanes)
def _invert(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    return builder.not_(args[0])


def _call(builder: Any, name: str, result: Any, *args: Any) -> Any:
    """A call of one of LLVM's functions on vectors, which llvmlite does not know by name."""
    kind = ir.FunctionType(result, [arg.type for arg in args])
    function = cgutils.get_or_insert_function(builder.module, kind, f"llvm.{name}.v{COUNT}i{bitboard.WORD}")
    return builder.call(function, args)


def _reduce(builder: Any, how: str, value: Any) -> Any:
    return _call(builder, f"vector.reduce.{how}", LLVM_WORD, value)


def _differ(builder: Any, left: Any, right: Any) -> Any:
    """Whether any lane differs: as one long integer, which takes a single test."""
    long = ir.IntType(COUNT * bitboard.WORD)
    return builder.icmp_unsigned("!=", builder.bitcast(left, long), builder.bitcast(right, long))


_define(operator.ne, types.boolean, _differ)


def _of_lanes(result: Any, emit: Callable[[Any, Any], Any]) -> Any:
    """A function of lanes alone."""

    @intrinsic
    def function(typingctx: Any, value: Any) -> Any:
        return result(lanes), lambda context, builder, sig, args: emit(builder, args[0])

    return function


popcount = _of_lanes(lanes, lambda builder, value: _call(builder, "ctpop", LLVM_LANES, value))
_summed = _of_lanes(types.int64, lambda builder, value: _reduce(builder, "add", value))
_united = _of_lanes(types.int64, lambda builder, value: _reduce(builder, "or", value))
_least = _of_lanes(types.int64, lambda builder, value: _reduce(builder, "umin", value))


# As `bitboard.directions` has them: 1, and what is added to the stride.
_WITH_STRIDE = ir.Constant(LLVM_LANES, [0, -1, -1, -1])
_ADDED = ir.Constant(LLVM_LANES, [1, -1, 0, 1])


@intrinsic
def _directions(typingctx: Any, stride: Any) -> Any:
    """The four directions, a lane each."""

    def emit(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        strides = context.cast(builder, args[0], sig.args[0], lanes)
        return builder.add(builder.and_(strides, _WITH_STRIDE), _ADDED)

    return lanes(stride), emit


def _by_lanes(in_lanes: Any) -> Callable[[Any], Any]:
    """Which function it is for lanes; of one direction alone it is what was given."""

    def chosen(found: Any) -> Any:
        if found == lanes:
            return lambda found: in_lanes(found)
        return lambda found: found

    return chosen


# What bitboard says in Python and the instructions above say in compiled code.
OVERLOADED = (bitboard.together, bitboard.summed, bitboard.united, bitboard.least)

overload(bitboard.summed, strict=False)(_by_lanes(_summed))
overload(bitboard.united, strict=False)(_by_lanes(_united))
overload(bitboard.least, strict=False)(_by_lanes(_least))


@overload(bitboard.together, strict=False)
def _overload_together(bits: Any, stride: Any, factor: Any = 1) -> Any:
    whole = isinstance(factor, int) or (isinstance(factor, types.Integer) and factor.signed)
    if PAY and isinstance(bits, types.Integer) and whole:
        return lambda bits, stride, factor=1: (_directions(stride),)
    return lambda bits, stride, factor=1: bitboard.directions(stride)
