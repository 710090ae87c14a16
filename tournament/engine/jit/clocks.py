"""Clocks that compiled code reads, and the order in which another process sees what it writes."""

from __future__ import annotations

import sys
import time
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic, register_jitable

CLOCK_UPTIME_RAW = 8  # of macOS: what `time.monotonic` reads there
WALL = CLOCK_UPTIME_RAW if sys.platform == "darwin" else getattr(time, "CLOCK_MONOTONIC", 0)
CPU = getattr(time, "CLOCK_THREAD_CPUTIME_ID", 0)

_WORD = ir.IntType(64)
_TIMESPEC = ir.LiteralStructType([_WORD, _WORD])  # seconds, nanoseconds


@intrinsic
def _read(typingctx: Any, clock: Any) -> Any:
    def emit(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        kind = ir.FunctionType(ir.IntType(32), [ir.IntType(32), _TIMESPEC.as_pointer()])
        function = cgutils.get_or_insert_function(builder.module, kind, "clock_gettime")
        time = cgutils.alloca_once(builder, _TIMESPEC)
        builder.call(function, [builder.trunc(args[0], ir.IntType(32)), time])
        seconds, nanoseconds = (
            builder.sitofp(builder.load(cgutils.gep_inbounds(builder, time, 0, part)), ir.DoubleType())
            for part in range(2)
        )
        return builder.fadd(seconds, builder.fmul(nanoseconds, ir.Constant(ir.DoubleType(), 1e-9)))

    return types.float64(types.int64), emit


@register_jitable(forceinline=True)
def wall_clock() -> float:
    """What `time.monotonic` says, in compiled code."""
    return _read(WALL)  # type: ignore[no-any-return]


@register_jitable(forceinline=True)
def cpu_clock() -> float:
    """What `time.thread_time` says, in compiled code. It is a system call, and costs ten times as much."""
    return _read(CPU)  # type: ignore[no-any-return]


@intrinsic
def barrier(typingctx: Any) -> Any:
    """What is written before it is seen before what is written after it."""

    def emit(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        builder.fence("release")
        return context.get_dummy_value()

    return types.void(), emit
