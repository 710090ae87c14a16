"""How functions of the engine are compiled: for one signature, with constants, able to call themselves.

numba would infer the types of a function that calls itself, and of all it inlines, once more for each call; and to
inline a function into one that calls it back never ends. So `specialise` does it by hand:
- the function is copied with other globals, in which the constants of one kind of search stand (`using`);
- its `parts` are pasted into its body before anything is compiled (`inline="always"`), so that what they call in turn
  is, in machine code, a call from the function itself;
- under its own name stands `_itself`, which emits a call to the LLVM function that is being built, with a signature
  that is told and not inferred. That this is the function itself holds only because the parts have become part of it.
- the copy is known to the cache by its qualified name, which is made from its name and variant: two specialisations
  with one variant would share machine code.
"""

from __future__ import annotations

import gc
import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from types import FunctionType, MappingProxyType
from typing import Any, TypeVar

import numba
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.dispatcher import Dispatcher
from numba.core.registry import cpu_target
from numba.extending import intrinsic, register_jitable

from tournament.engine.jit.cache import ENGINE, KeptCode, cache_folder
from tournament.engine.jit.wide import OVERLOADED, Wide, wide
from tournament.games.connect4 import bitboard, features

T = TypeVar("T")

JIT_DISABLED = bool(numba.config.DISABLE_JIT)
ONE_WORD_BITS = bitboard.WORD

for _function in {f for m in (bitboard, features) for f in vars(m).values() if inspect.isfunction(f)}:
    if _function not in OVERLOADED:
        register_jitable(forceinline=True, boundscheck=True)(_function)


def bits_type(bits: int) -> Any:
    """The numba type of a board of so many bits."""
    return types.int64 if bits <= ONE_WORD_BITS else wide


def as_bits(board: int, bits: int) -> int:
    """A board as compiled code of that many bits takes it."""
    return board if bits <= ONE_WORD_BITS else Wide(board)


def of_words(count: int) -> Any:
    """The signature of a function that takes so many words and gives one."""
    return types.int64(*[types.int64] * count)


def njit(function: Callable[..., Any], *, nogil: bool = True, kept_in: str = ENGINE) -> Any:
    """A function to be compiled with our options, and kept on disk under its qualified name."""
    dispatcher = numba.njit(nogil=nogil, no_cfunc_wrapper=True)(function)  # not for C
    folder = cache_folder()
    if folder is not None and not JIT_DISABLED:
        dispatcher._cache = KeptCode(folder / kept_in, function)
    return dispatcher


def rebind(functions: dict[str, Callable[..., Any]], namespace: dict[str, Any], **options: Any) -> dict[str, Any]:
    """`namespace` with compilable copies of functions, which find each other and all else in it.

    Compiled code alone may call them: what Python would need for that takes a tenth of the time that they do.
    """
    for name, function in functions.items():
        inner = numba.njit(**options, no_cpython_wrapper=True, no_cfunc_wrapper=True)
        namespace[name] = inner(copy_into(namespace, function))
    return namespace


def copy_into(namespace: dict[str, Any], function: Callable[..., Any]) -> FunctionType:
    """The same function with other globals."""
    assert isinstance(function, FunctionType)
    copy = FunctionType(function.__code__, namespace, function.__name__, function.__defaults__, function.__closure__)
    copy.__kwdefaults__ = function.__kwdefaults__
    copy.__qualname__ = function.__qualname__
    copy.__module__ = __name__  # numba wants a module that it can import; machine code is bound to its path
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
        namespace[part.__name__] = copy if JIT_DISABLED else numba.njit(copy, inline="always")
    copy = copy_into(namespace, function)
    copy.__module__ = function.__module__  # where `objmode` finds what is called in Python
    copy.__qualname__ = f"{function.__name__}_{variant}"  # what the cache knows it by
    if JIT_DISABLED:
        namespace[function.__name__] = copy
        return copy
    compiled: Callable[..., T] = njit(copy, nogil=nogil)
    namespace[function.__name__] = _itself(copy, signature)
    compile_for(compiled, signature)
    return compiled


def _itself(function: FunctionType, signature: Any) -> Any:
    """The intrinsic under a function's own name while it is compiled: it emits a call to the function itself.

    Its signature is told, so numba need not infer that of a call by inferring the whole function once more for each.
    """

    def target(context: Any, builder: Any, args: Any) -> Any:
        assert function.__name__ in builder.function.name, (
            "a part has not become part of the function that calls itself"
        )
        return builder.function

    return _calling(target, function, signature)


def by_address(function: Callable[..., T], signature: Any, field: str) -> Any:
    """What calls, in compiled code, a function whose address stands in that field of its first argument, a record.

    Who calls it so is compiled without it, and once for all functions of that signature.
    """

    def target(context: Any, builder: Any, args: Any) -> Any:
        kind = context.call_conv.get_function_type(signature.return_type, signature.args)
        start = builder.bitcast(args[0], ir.IntType(8).as_pointer())
        place = cgutils.gep(builder, start, signature.args[0].offset(field))
        address = builder.load(builder.bitcast(place, ir.IntType(64).as_pointer()))
        return builder.inttoptr(address, kind.as_pointer())

    return _calling(target, function, signature)


def _calling(target: Callable[[Any, Any, Any], Any], function: Callable[..., Any], signature: Any) -> Any:
    """An intrinsic with the parameters of a function, which emits a call of what `target` gives it."""

    def call(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        convention = context.call_conv
        callee = target(context, builder, args)
        status, result = convention.call_function(builder, callee, sig.return_type, sig.args, args)
        with cgutils.if_unlikely(builder, status.is_error):
            convention.return_status_propagate(builder, status)
        return result

    def calling(typing: Any, *args: Any) -> Any:
        return signature, call

    parameters = inspect.signature(function).parameters.values()
    calling.__signature__ = inspect.Signature(  # type: ignore[attr-defined]
        [inspect.Parameter("typing", inspect.Parameter.POSITIONAL_OR_KEYWORD), *parameters]
    )
    return intrinsic(calling)


when_compiling: list[Callable[[], None]] = []  # called before a compilation that the cache can't answer


def compile_for(dispatcher: Any, signature: Any) -> bool:
    """Compile for one signature and no other, from the cache where it is there; whether it was not."""
    is_new = not is_kept(dispatcher, signature)
    if is_new:
        for announce in when_compiling:
            announce()
    with _without_collecting():
        dispatcher.compile(signature)
    dispatcher.disable_compile()
    return is_new


def load_compiler() -> None:
    """Have numba import all that it compiles with, as it does by itself before it compiles."""
    if not JIT_DISABLED:
        cpu_target.target_context.refresh()


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


def is_kept(dispatcher: Any, signature: Any) -> bool:
    """Whether machine code of this function is on disk."""
    kept = dispatcher._cache
    return isinstance(kept, KeptCode) and kept.path(signature, dispatcher.targetctx.codegen()).exists()


def helper(function: Callable[..., T]) -> Callable[..., T]:
    """A small function of the engine's that compiled code may call, as part of the function that calls it."""
    inlined: Callable[..., T] = register_jitable(forceinline=True)(function)
    return inlined


def is_dispatcher(value: object) -> bool:
    """Whether it is a function that numba has compiled, or will."""
    return isinstance(value, Dispatcher)
