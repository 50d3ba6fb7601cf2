"""A shortcut through numba's own Python, which takes most of the time of a compilation.

It changes no result, only its time (`docs/explanation/native-bundles.md` has figures). It belongs
to the versions of numba that were tried with it; any other one runs as it is.
"""

from typing import Any

import numba
from numba.core import types
from numba.core.types.functions import BaseFunction

TRIED = "0.68."

Call = tuple[Any, tuple[Any, ...]]  # numba's type of a function, those of the arguments

known: dict[Call, Any] = {}
resolve: Any = BaseFunction.get_call_type


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
        without_blas()
