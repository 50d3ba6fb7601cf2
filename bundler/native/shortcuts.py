"""Shortcuts through numba's own Python, which takes most of the time of a compilation.

They change no result, only its time (`docs/explanation/native-bundles.md` has figures). They belong
to the versions of numba that were tried with them; any other one runs as it is.
"""

import sys
from types import ModuleType
from typing import Any

import numba
from numba.core import ir, types
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


def variables_in(self: Any, value: Any) -> list[ir.Var]:
    """Replaces `Inst._rec_list_vars`, the recursion with the most calls, by a loop."""
    found: list[ir.Var] = []
    waiting = [value]
    while waiting:
        value = waiting.pop()
        if isinstance(value, ir.Var):
            found.append(value)
        elif isinstance(value, ir.Inst):
            found += value.list_vars()
        elif isinstance(value, (list, tuple)):
            waiting += reversed(value)
        elif isinstance(value, dict):
            waiting += reversed(value.values())
    return found


def import_without_scipy() -> None:
    """Import numba's functions of arrays as if scipy had been imported, which they only look for;
    a kernel with linear algebra imports it then.
    """
    from numba.np import linalg

    names = "scipy", "scipy.linalg", "scipy.linalg.cython_blas"
    absent = [name for name in names if name not in sys.modules]
    check_width = linalg._check_lapack_int_width
    linalg._check_lapack_int_width = lambda: None
    sys.modules.update({name: ModuleType(name) for name in absent})
    try:
        import numba.np.arraymath  # noqa: F401
    finally:
        for name in absent:
            del sys.modules[name]
        linalg._check_lapack_int_width = check_width


def install() -> None:
    """Let numba take the shortcuts in this process."""
    if numba.__version__.startswith(TRIED):
        setattr(BaseFunction, resolve.__name__, known_call_type)
        ir.Inst._rec_list_vars = variables_in  # type: ignore[method-assign]
        import_without_scipy()
