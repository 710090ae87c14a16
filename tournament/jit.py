"""All numba policy: what is compiled, how, and where the machine code is kept.

Machine code is cached in the user's cache folder, in a folder named after a hash of our own sources,
since numba notices an edit only in the file a function stands in and not in the files it calls into.
"""

from __future__ import annotations

import dis
import gc
import hashlib
import inspect
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from itertools import count
from pathlib import Path
from types import FunctionType, MappingProxyType, ModuleType
from typing import Any, TypeVar
from weakref import WeakValueDictionary

import numba
import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.dispatcher import Dispatcher
from numba.extending import intrinsic, overload, register_jitable
from numpy.typing import NDArray

from tournament.games.connect4 import bitboard, features
from tournament.machine import cache_home
from tournament.wide import OVERLOADED, Wide, wide

T = TypeVar("T")

DISABLED = bool(numba.config.DISABLE_JIT)
ONE_WORD_BITS = bitboard.WORD
KNOWN_MODULES = {*sys.stdlib_module_names, "numpy", "numba", "tournament"}  # ours are in the name of the cache folder
UNUSED_SECONDS = 30 * 24 * 3600
UNCHECKED = {
    "flat",
    "nditer",
    "as_strided",
    "sliding_window_view",
    "take_along_axis",
    "fill_diagonal",
    "carray",
    "ctypes",
}

for _function in {f for m in (bitboard, features) for f in vars(m).values() if inspect.isfunction(f)}:
    if _function not in OVERLOADED:
        register_jitable(forceinline=True, boundscheck=True)(_function)


@cache
def cache_folder() -> Path | None:
    """The folder for machine code of this version of the engine, or None where none can be written."""
    sources = hashlib.sha256()
    for path in sorted([*Path(__file__).parent.glob("*.py"), *(Path(__file__).parent / "games").rglob("*.py")]):
        sources.update(path.read_bytes())
    try:
        folder = cache_home() / f"{sources.hexdigest()[:16]}-py{sys.version_info[0]}{sys.version_info[1]}"
        if not folder.exists():
            folder.mkdir(parents=True)
            _remove_unused(folder.parent)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except (OSError, RuntimeError):  # nothing can be written there, or there is no home
        return None
    numba.config.CACHE_DIR = str(folder)
    return folder


def _remove_unused(folder: Path) -> None:
    """Remove the machine code of other versions that nobody has used for a month."""
    for other in folder.iterdir():
        if time.time() - other.stat().st_mtime > UNUSED_SECONDS:
            shutil.rmtree(other, ignore_errors=True)


def bits_type(bits: int) -> Any:
    """The numba type of a board of so many bits."""
    return types.int64 if bits <= ONE_WORD_BITS else wide


def as_bits(board: int, bits: int) -> int:
    """A board as compiled code of that many bits takes it."""
    return board if bits <= ONE_WORD_BITS else Wide(board)


def njit(function: Callable[..., Any], *, nogil: bool = True) -> Any:
    """A function of the engine's, to be compiled with our options and kept on disk."""
    return numba.njit(cache=cache_folder() is not None, nogil=nogil)(function)


def rebind(functions: dict[str, Callable[..., Any]], namespace: dict[str, Any], **options: Any) -> dict[str, Any]:
    """`namespace` with compilable copies of functions, which find each other and all else in it."""
    for name, function in functions.items():
        namespace[name] = numba.njit(**options)(copy_into(namespace, function))
    return namespace


def copy_into(namespace: dict[str, Any], function: Callable[..., Any]) -> FunctionType:
    """The same function with other globals."""
    assert isinstance(function, FunctionType)
    copy = FunctionType(function.__code__, namespace, function.__name__, function.__defaults__, function.__closure__)
    copy.__kwdefaults__ = function.__kwdefaults__
    copy.__qualname__ = function.__qualname__
    copy.__module__ = __name__  # numba wants a module that it can import
    return copy


def specialise(
    function: Callable[..., T],
    signature: Any,
    variant: str,
    using: Mapping[str, Any] = MappingProxyType({}),
    parts: Sequence[Callable[..., Any]] = (),
    *,
    nogil: bool = True,
) -> Callable[..., T]:
    """A function of the engine, compiled for one signature and with the globals that `using` gives it.

    It may call itself. Its `parts` become part of its body, so that they too may call it. The cache knows it by its
    name and variant.
    """
    namespace = {**function.__globals__, **using}
    for part in parts:
        copy = copy_into(namespace, part)
        namespace[part.__name__] = copy if DISABLED else numba.njit(copy, inline="always")
    copy = copy_into(namespace, function)
    copy.__qualname__ = f"{function.__name__}_{variant}"
    if DISABLED:
        namespace[function.__name__] = copy
        return copy
    compiled: Callable[..., T] = njit(copy, nogil=nogil)
    namespace[function.__name__] = _itself(copy, signature)
    compile_for(compiled, signature)
    return compiled


def _itself(function: FunctionType, signature: Any) -> Any:
    """What a function calls to call itself.

    Its signature is told, so numba need not infer that of a call by inferring the whole function once more for each.
    """

    def call(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        convention = context.call_conv
        status, result = convention.call_function(builder, builder.function, sig.return_type, sig.args, args)
        with cgutils.if_unlikely(builder, status.is_error):
            convention.return_status_propagate(builder, status)
        return result

    def itself(typing: Any, *args: Any) -> Any:
        return signature, call

    parameters = inspect.signature(function).parameters.values()
    itself.__signature__ = inspect.Signature(  # type: ignore[attr-defined]
        [inspect.Parameter("typing", inspect.Parameter.POSITIONAL_OR_KEYWORD), *parameters]
    )
    return intrinsic(itself)


when_compiling: list[Callable[[], None]] = []  # called before a compilation that the cache can't answer


def compile_for(dispatcher: Any, signature: Any) -> None:
    """Compile for one signature and no other, from the cache where it is there."""
    if not is_cached(dispatcher):
        for announce in when_compiling:
            announce()
    with _without_collecting():
        dispatcher.compile(signature)
    dispatcher.disable_compile()


@contextmanager
def _without_collecting() -> Iterator[None]:
    """Compile in four fifths of the time: it makes millions of objects, and Python would look through all it has."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def is_cached(dispatcher: Any) -> bool:
    """Whether machine code of this function is on disk."""
    cache_file = getattr(dispatcher._cache, "_cache_file", None)
    return cache_file is not None and os.path.exists(cache_file._index_path)


def own_functions(module: ModuleType) -> dict[str, Callable[..., Any]]:
    """The plain functions that a module defines itself, those it has compiled with numba included."""
    found: dict[str, Callable[..., Any]] = {}
    for name, value in vars(module).items():
        function = getattr(value, "py_func", value)
        if inspect.isfunction(function) and function.__globals__ is vars(module):
            found[name] = function
    return found


def globals_used(functions: dict[str, Callable[..., Any]]) -> dict[str, set[str]]:
    """The global names that each function looks up."""
    return {
        name: {part.argval for part in dis.get_instructions(function) if part.opname == "LOAD_GLOBAL"}
        for name, function in functions.items()
    }


def digest_of_globals(functions: dict[str, Callable[..., Any]], namespace: dict[str, Any]) -> str:
    """A hash of the values that compiling makes constants of, and of the files of what else is called.

    Something whose text differs from process to process is never found in the cache, which is safe.
    """
    told = hashlib.sha256()
    for name in sorted(set().union(*globals_used(functions).values())):
        value = namespace.get(name)
        home = inspect.getmodule(value)
        told.update(name.encode())
        if isinstance(value, np.ndarray):
            told.update(f"{value.dtype} {value.shape}".encode() + value.tobytes())
        elif home is None:
            told.update(repr(value).encode())
        elif home.__name__.partition(".")[0] not in KNOWN_MODULES and getattr(home, "__file__", None):
            told.update(Path(str(home.__file__)).read_bytes())
    return told.hexdigest()


def refuse_unsafe(functions: dict[str, Callable[..., Any]], namespace: dict[str, Any]) -> None:
    """Raise for what could bring the interpreter down when compiled: it is left to Python.

    That is what numba does not check the bounds of, and a recursion, which only Python stops if it has no end.
    """
    used = globals_used(functions)
    for name, function in functions.items():
        file, line = Path(function.__code__.co_filename).name, function.__code__.co_firstlineno
        for unchecked in UNCHECKED.intersection(function.__code__.co_names):
            raise TypeError(f"`{unchecked}` is not checked for its bounds when compiled ({file} ({line}))")
        for other in used[name] - set(functions):
            if isinstance(namespace.get(other), Dispatcher):
                raise TypeError(f"`{other}` was compiled elsewhere, without checks of its bounds ({file} ({line}))")
    calls = {name: names & set(functions) for name, names in used.items()}
    for name, function in functions.items():
        reached, new = set[str](), calls[name]
        while new:
            reached |= new
            new = set().union(*(calls[other] for other in new)) - reached
        if name in reached:
            line = function.__code__.co_firstlineno
            path = Path(function.__code__.co_filename).name
            raise TypeError(f"{name} calls itself, which is left to Python ({path} ({line}))")


def helper(function: Callable[..., T]) -> Callable[..., T]:
    """A small function of the engine's that compiled code may call, as part of the function that calls it."""
    inlined: Callable[..., T] = register_jitable(forceinline=True)(function)
    return inlined


# ── records at an address ────────────────────────────────────────────────────────────────────────

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


# ── calling an evaluator by its address ──────────────────────────────────────────────────────────
# numba's own first-class functions carry three addresses through every call and take about 70 µs to
# be passed in from Python. The search needs one address, kept in its state.

Score = Callable[[int, int, bool], float]  # mine, theirs, my turn
IN_PYTHON: WeakValueDictionary[int, Score] = WeakValueDictionary()  # by their id, as if that were an address
KEY = 0  # of a function in IN_PYTHON; replaced when `through_python` is compiled


def address_of(dispatcher: Any, signature: Any) -> int:
    """The address of a compiled function, valid as long as `dispatcher` lives."""
    if DISABLED:
        return id(dispatcher)
    compiled = dispatcher.get_compile_result(signature)
    return int(compiled.library.get_pointer_to_function(compiled.fndesc.llvm_func_name))


def callable_from_search(score: Score, signature: Any) -> Any:
    """A function in Python, so wrapped that the compiled search can call it. Keep a reference to it."""
    if DISABLED:
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
            for offset, value in ((0, mine_bits), (16, theirs_bits), (32, builder.zext(turn, ir.IntType(64)))):
                builder.store(value, field(fault + offset, value.type), align=8)
            context.call_conv.return_status_propagate(builder, status)
        return result

    return types.float64(state, mine, theirs, types.boolean), emit


@overload(call_evaluator, strict=False, jit_options={"forceinline": True})
def _overload_call(state: Any, mine: Any, theirs: Any, my_turn: Any) -> Any:
    return lambda state, mine, theirs, my_turn: _call(state, mine, theirs, my_turn)
