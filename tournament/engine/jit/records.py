"""Records at an address: what compiled code reads and writes in an array that Python made."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from weakref import WeakValueDictionary

import numba
import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic, overload
from numpy.typing import NDArray

ARRAYS: WeakValueDictionary[int, Any] = WeakValueDictionary()  # by address, for Python


def address_of_array(array: NDArray[Any]) -> int:
    """The address of an array's first element, valid as long as the array lives."""
    address: int = array.ctypes.data
    ARRAYS[address] = array
    return address


def records(dtype: np.dtype[Any]) -> Callable[[int, int], Any]:
    """A function that gives the record with this index in the array at this address, in Python and compiled."""
    kind = numba.from_dtype(dtype)

    def record_at(address: int, index: int) -> Any:
        return ARRAYS[int(address)].view(np.recarray)[index]

    @intrinsic
    def at(typingctx: Any, address: Any, index: Any) -> Any:
        def emit(context: Any, builder: Any, sig: Any, args: Any) -> Any:
            offset = builder.mul(args[1], ir.Constant(ir.IntType(64), dtype.itemsize))
            return builder.inttoptr(builder.add(args[0], offset), context.get_value_type(kind))

        return kind(types.int64, types.int64), emit

    @overload(record_at, strict=False, jit_options={"forceinline": True})
    def _overload_record_at(address: Any, index: Any) -> Any:
        return lambda address, index: at(address, index)

    return record_at


def prefetch(address: int) -> None:
    """Have the processor begin to read what stands at an address that is needed soon; in Python, nothing."""


@intrinsic
def _prefetch(typingctx: Any, address: Any) -> Any:
    def emit(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        place, number = ir.IntType(8).as_pointer(), ir.IntType(32)
        kind = ir.FunctionType(ir.VoidType(), [place, number, number, number])
        function = cgutils.get_or_insert_function(builder.module, kind, "llvm.prefetch.p0i8")
        told = [ir.Constant(number, value) for value in (1, 3, 1)]  # to be written, to be kept, no instructions
        builder.call(function, [builder.inttoptr(args[0], place), *told])
        return context.get_dummy_value()

    return types.void(types.int64), emit


@overload(prefetch, strict=False, jit_options={"forceinline": True})
def _overload_prefetch(address: Any) -> Any:
    return lambda address: _prefetch(address)
