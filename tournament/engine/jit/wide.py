"""A 128-bit integer for compiled code, so that one text of the engine serves boards of one word and of two.

Compiled functions take a `Wide` as they take an int: the operators below become single operations on
LLVM's own 128-bit integers. In plain Python a `Wide` is an int and nothing else. The highest bit of a
board is always a spare one (`rules` draws the layout), so a board is never negative.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba import types
from numba.core.typeconv import Conversion
from numba.extending import (
    NativeValue,
    box,
    intrinsic,
    lower_builtin,
    lower_cast,
    models,
    overload,
    register_model,
    type_callable,
    typeof_impl,
    unbox,
)

from tournament.engine.jit import lanes
from tournament.games.connect4 import bitboard

BITS = 2 * bitboard.WORD
LLVM_WORD = ir.IntType(bitboard.WORD)
LLVM_WIDE = ir.IntType(BITS)


class Wide(int):
    """A Python int that compiled code receives as a 128-bit integer."""


class WideType(types.Type):
    def __init__(self) -> None:
        super().__init__(name="wide")

    def can_convert_from(self, typingctx: Any, other: Any) -> Any:
        return Conversion.safe if isinstance(other, types.Integer) else None


wide = WideType()


@register_model(WideType)
class WideModel(models.PrimitiveModel):
    def __init__(self, manager: Any, kind: Any) -> None:
        super().__init__(manager, kind, LLVM_WIDE)


@typeof_impl.register(Wide)
def _type_of_wide(value: Wide, context: Any) -> WideType:
    return wide


def _join(builder: Any, low: Any, high: Any) -> Any:
    shifted = builder.shl(builder.zext(high, LLVM_WIDE), ir.Constant(LLVM_WIDE, bitboard.WORD))
    return builder.or_(builder.zext(low, LLVM_WIDE), shifted)


@unbox(WideType)
def _from_python(kind: WideType, value: Any, c: Any) -> NativeValue:
    mask = c.pyapi.unserialize(c.pyapi.serialize_object(bitboard.WORD_MASK))
    shift = c.pyapi.unserialize(c.pyapi.serialize_object(bitboard.WORD))
    low, high = c.pyapi.number_and(value, mask), c.pyapi.number_rshift(value, shift)
    joined = _join(c.builder, c.pyapi.long_as_ulonglong(low), c.pyapi.long_as_longlong(high))
    for reference in (mask, shift, low, high):
        c.pyapi.decref(reference)
    return NativeValue(joined)


@box(WideType)
def _to_python(kind: WideType, value: Any, c: Any) -> Any:
    shift = c.pyapi.unserialize(c.pyapi.serialize_object(bitboard.WORD))
    upper = c.builder.trunc(c.builder.ashr(value, ir.Constant(LLVM_WIDE, bitboard.WORD)), LLVM_WORD)
    low = c.pyapi.long_from_ulonglong(c.builder.trunc(value, LLVM_WORD))
    high = c.pyapi.long_from_longlong(upper)
    shifted = c.pyapi.number_lshift(high, shift)
    result = c.pyapi.number_or(shifted, low)
    for reference in (shift, low, high, shifted):
        c.pyapi.decref(reference)
    return result


@lower_cast(types.Integer, WideType)
def _widen(context: Any, builder: Any, source: Any, target: Any, value: Any) -> Any:
    return builder.sext(value, LLVM_WIDE) if source.signed else builder.zext(value, LLVM_WIDE)


@lower_cast(WideType, types.Boolean)
def _truth(context: Any, builder: Any, source: Any, target: Any, value: Any) -> Any:
    return builder.icmp_signed("!=", value, ir.Constant(LLVM_WIDE, 0))


PAIRS = ((wide, wide), (wide, types.Integer), (types.Integer, wide))


def _define(op: Any, result: Any, emit: Callable[[Any, Any, Any], Any]) -> None:
    """Teach numba a binary operator on a wide integer and another, of any width."""

    @type_callable(op)
    def typed(context: Any) -> Any:
        def of(left: Any, right: Any) -> Any:
            known = all(kind == wide or isinstance(kind, types.Integer) for kind in (left, right))
            return result if known and wide in (left, right) else None

        return of

    def lowered(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        left, right = (context.cast(builder, v, t, wide) for v, t in zip(args, sig.args, strict=True))
        return emit(builder, left, right)

    for pair in PAIRS:
        lower_builtin(op, *pair)(lowered)


def _instruction(method: str, *first: str) -> Callable[[Any, Any, Any], Any]:
    return lambda builder, left, right: getattr(builder, method)(*first, left, right)


for _ops, _method in (
    ((operator.and_, operator.iand), "and_"),
    ((operator.or_, operator.ior), "or_"),
    ((operator.xor, operator.ixor), "xor"),
    ((operator.add, operator.iadd), "add"),
    ((operator.sub, operator.isub), "sub"),
    ((operator.lshift, operator.ilshift), "shl"),
    ((operator.rshift, operator.irshift), "ashr"),
):
    for _op in _ops:
        _define(_op, wide, _instruction(_method))

for _op, _sign in ((operator.eq, "=="), (operator.ne, "!="), (operator.lt, "<"), (operator.gt, ">")):
    _define(_op, types.boolean, _instruction("icmp_signed", _sign))


def _define_unary(op: Any, result: Any, emit: Callable[[Any, Any], Any]) -> None:
    @type_callable(op)
    def typed(context: Any) -> Any:
        return lambda value: result if value == wide else None

    lower_builtin(op, wide)(lambda context, builder, sig, args: emit(builder, args[0]))


_define_unary(operator.invert, wide, lambda builder, value: builder.not_(value))
_define_unary(operator.neg, wide, lambda builder, value: builder.neg(value))
_define_unary(bool, types.boolean, lambda builder, value: _truth(None, builder, None, None, value))


@intrinsic
def join(typingctx: Any, low: Any, high: Any) -> Any:
    """The wide integer made of two words."""
    return wide(types.int64, types.int64), lambda context, builder, sig, args: _join(builder, *args)


@intrinsic
def low_word(typingctx: Any, bits: Any) -> Any:
    """The lower of a wide integer's two words."""
    return types.int64(wide), lambda context, builder, sig, args: builder.trunc(args[0], LLVM_WORD)


def _counting(emit_count: Callable[[Any, Any], Any]) -> Any:
    """An LLVM bit-counting instruction on integers of either width, as an int64."""

    @intrinsic
    def counted(typingctx: Any, bits: Any) -> Any:
        def emit(context: Any, builder: Any, sig: Any, args: Any) -> Any:
            result = emit_count(builder, args[0])
            return builder.trunc(result, LLVM_WORD) if result.type.width > bitboard.WORD else result

        return types.int64(bits), emit

    return counted


# What bitboard says in Python and the instructions below say in compiled code.
OVERLOADED = (bitboard.popcount, bitboard.lowest, bitboard.word, bitboard.words, *lanes.OVERLOADED)

_popcount = _counting(lambda builder, bits: builder.ctpop(bits))
_trailing_zeros = _counting(lambda builder, bits: builder.cttz(bits, ir.Constant(ir.IntType(1), 1)))


@overload(bitboard.popcount, strict=False)
def _overload_popcount(bits: Any) -> Any:
    if bits == lanes.lanes:
        return lambda bits: lanes.popcount(bits)
    return lambda bits: _popcount(bits)


@overload(bitboard.lowest, strict=False)
def _overload_lowest(bits: Any) -> Any:
    return lambda bits: _trailing_zeros(bits)


@overload(bitboard.word, strict=False)
def _overload_word(like: Any, low: Any, high: Any) -> Any:
    if like == wide:
        return lambda like, low, high: join(low, high)
    return lambda like, low, high: low


@overload(bitboard.words, strict=False)
def _overload_words(bits: Any) -> Any:
    if bits == wide:
        return lambda bits: (low_word(bits), low_word(bits >> bitboard.WORD))
    return lambda bits: (bits, 0)
