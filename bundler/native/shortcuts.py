"""Shortcuts through numba's own Python, which takes most of the time of a compilation.

They change no result, only its time (`docs/explanation/native-bundles.md` has figures). They are
installed only for the versions of numba that were tried with them; any other version runs
unchanged.
"""

from collections.abc import Callable
from typing import Any

import numba
from numba.core import event, ir, types
from numba.core.base import BaseContext
from numba.core.codegen import CPUCodeLibrary
from numba.core.types.functions import BaseFunction
from numba.core.typing.context import BaseContext as TypingContext

TRIED = "0.68."

Call = tuple[Any, tuple[Any, ...]]  # numba's type of a function, those of the arguments

known: dict[Call, Any] = {}
resolve: Any = BaseFunction.get_call_type
list_variables: Any = ir.Inst._rec_list_vars
optimise_functions: Any = CPUCodeLibrary._optimize_functions
broadcast: Any = event.broadcast
PLAIN = {str, int, float, bool, type(None), ir.Loc}


def known_call_type(self: Any, context: Any, args: tuple[Any, ...], kws: dict[str, Any]) -> Any:
    """Replaces `BaseFunction.get_call_type`: tries the dozens of templates of an operator once for
    the same types of numbers and arrays.
    """
    simple = types.Number, types.Boolean, types.Array
    if kws or type(self) is not types.Function or not all(isinstance(a, simple) for a in args):
        return resolve(self, context, args, kws)
    call = self, args
    if call not in known:
        known[call] = resolve(self, context, args, kws)
    return known[call]


def listed_variables(self: Any, value: Any) -> Any:
    """Replaces `Inst._rec_list_vars`, which asks a plain value for its type four times."""
    return [] if type(value) in PLAIN else list_variables(self, value)


def optimise_counting(self: Any, module: Any) -> None:
    """Replaces `CPUCodeLibrary._optimize_functions`, which removes reference counting: skips
    modules that count no references, as most do.
    """
    module.data_layout = self._codegen._data_layout
    if any(function.name.startswith("NRT_") for function in module.functions):
        optimise_functions(self, module)


def broadcast_compilations(happened: event.Event) -> None:
    """Replaces `event.broadcast`: of the thousands of events only compilations are recorded."""
    if happened.kind == "numba:compile":
        broadcast(happened)


def refreshed_if_grown(refresh: Any) -> Callable[[Any], None]:
    """Returns the replacement for `refresh` of a context, which each compilation calls: it looks
    for functions to be added only where a registry has grown.
    """
    sizes: dict[Any, int] = {}

    def refresh_if_grown(self: Any) -> None:
        contexts = {self, getattr(self, "typing_context", self)}
        registries = [vars(registry) for one in contexts for registry in one._registries]
        n = sum(
            len(items) for lists in registries for items in lists.values() if type(items) is list
        )
        if sizes.get(self) != n:
            refresh(self)
            sizes[self] = n

    return refresh_if_grown


def without_blas() -> None:
    """Import numba's functions of arrays without scipy's linear algebra, which no kernel can call;
    a function that needs it still imports it.
    """
    from numba.np import linalg

    ensure, linalg.ensure_blas = linalg.ensure_blas, lambda: None
    try:
        import numba.np.arraymath  # noqa: F401
    finally:
        linalg.ensure_blas = ensure


def install() -> None:
    """Let numba take the shortcuts in this process."""
    if numba.__version__.startswith(TRIED):
        setattr(BaseFunction, resolve.__name__, known_call_type)
        setattr(ir.Inst, list_variables.__name__, listed_variables)
        setattr(CPUCodeLibrary, optimise_functions.__name__, optimise_counting)
        setattr(event, broadcast.__name__, broadcast_compilations)
        for context in (BaseContext, TypingContext):
            context.refresh = refreshed_if_grown(context.refresh)  # type: ignore[method-assign]
        without_blas()
