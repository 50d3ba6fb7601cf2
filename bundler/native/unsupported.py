"""Features of a kernel that need more than the C library: the statement, the feature, advice."""

import operator
import re
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
from numba.core import ir, types

from bundler.native.equality import called
from bundler.native.recording import Kernel, KernelError, Overload

LOOP = "write the loop"
BUFFER = "use a buffer and a count"
FLAGS = "use a buffer of flags, or the bits of a number"
OUTSIDE = "do it outside of kernels"
RANDOM = "use shared/core/rng.py"
ARGUMENT = "pass it as an argument"
CONSTANTS = "raise one with constants"

# Functions of numpy and methods of arrays that need nothing
HARMLESS = """
    all any arange argmax argmin array bincount concatenate copy empty empty_like fill full
    astype full_like item mean ones ones_like searchsorted sum zeros zeros_like
    """.split()

FROZEN_BYTES = 10**6  # numba puts no larger array into the code

# (what `describe` says of a statement, what that is called, what to do instead), and of what the
# code refers to the same by its name; the higher, the likelier it is what needs numba's runtime
FEATURES = (
    ("print", "print", OUTSIDE),
    ("raise", "an exception with computed arguments", CONSTANTS),
    ("call np.random", "np.random", RANDOM),
    ("foreign (.*)", "the foreign function {}", OUTSIDE),
    ("large (.*)", "{}, an array of more than a million bytes", ARGUMENT),
    ("strided (.*)", "{}, an array that is not contiguous", ARGUMENT),
    (r"(?!call (?:np|sorted)).*-> (?:reflected )?set\(", "a set", FLAGS),
    ("(?!call np).*-> DictType", "a dict", "use an array"),
    (r"(?!call (?:np|sorted)).*-> (?:reflected list|list\(|ListType)", "a list", BUFFER),
    ("(?!call np).*-> unicode_type", "a string", OUTSIDE),
    (rf"call ((?:np\S*|array)\.(?!(?:{'|'.join(HARMLESS)}) )\S+|sorted)", "{}", LOOP),
    ("matmul", "a product of matrices", LOOP),
    (r"(?:read|written) by array\(bool", "a mask of bools", LOOP),
    ("(?:read|written) by array", "an array as an index", LOOP),
    ("written by slice", "an assignment to a slice", LOOP),
    (
        r"needs \.numba\.unresolved\$_ZN\d+[A-Za-z_]+\d+([A-Za-z_]\w*?)B\d",
        "recursion of {} through others, or with arguments of other types",
        "write one of them as a loop, or pass variables of the signature's types",
    ),
    (r"needs (numba_dict\S*|numba_typeddict\S*)", "a dict ({})", "use an array"),
    (r"needs (NRT_MemInfo_\S*varsize\S*|numba_list\S*)", "a list ({})", BUFFER),
    (r"needs (numba_\S*random\S*|numba_rnd\S*|numba_get_\S*state\S*)", "np.random ({})", RANDOM),
    (r"needs (numba_gil\S*)", "print, or another use of Python's objects ({})", OUTSIDE),
    (r"needs (PyTuple_Pack)", "an exception with computed arguments ({})", CONSTANTS),
    (r"needs (numba\.dynamic\S*)", "an address of this process ({})", ARGUMENT),
    (r"needs (\.const\.\S*)", "an object of Python ({})", OUTSIDE),
    (r"needs (NRT_\S*)", "memory of numba's runtime ({})", "let the caller own every buffer"),
    (
        "needs (.*)",
        "a function outside of the C library's mathematics ({})",
        "use the functions of math",
    ),
)


def unsupported(
    kernel: Kernel, needs: Callable[[Overload], bool], names: Iterable[str]
) -> KernelError:
    """Returns a KernelError for the statement that `needs` too much; names: the needed symbols."""
    annotation = culprit(kernel.overload, needs).type_annotation
    function = annotation.func_id.func
    code = function.__code__
    texts = [
        (statement.loc.line, describe(statement, annotation.typemap))
        for _, block in sorted(annotation.blocks.items())
        for statement in block.body
    ]
    texts += [(code.co_firstlineno, f"needs {name}") for name in sorted(names)]
    for pattern, feature, advice in FEATURES:
        for line, text in texts:
            if match := re.match(pattern, text):
                construct = f"{kernel.shown(function)}: {feature.format(*match.groups())}"
                return KernelError((code.co_filename, line), construct, advice)
    raise AssertionError("the last of FEATURES fits whatever is needed")


def culprit(overload: Overload, needs: Callable[[Overload], bool]) -> Overload:
    """The function farthest down among those called that still needs too much."""
    seen = set()
    while overload.fndesc.mangled_name not in seen:
        seen.add(overload.fndesc.mangled_name)
        overload = next(filter(needs, called(overload)), overload)
    return overload


def describe(statement: ir.Stmt, typemap: dict[str, Any]) -> str:
    """Returns the effect of a statement, as FEATURES has it; "" for harmless ones."""
    type_ = isinstance(statement, ir.Assign) and typemap.get(statement.target.name)
    value: Any = getattr(statement, "value", None)
    match statement:
        case ir.Print():
            return "print"
        case ir.DynamicRaise() | ir.DynamicTryRaise():
            return "raise"
        case ir.StaticSetItem(index=slice()):
            return "written by slice"
        case ir.SetItem(index=ir.Var(name=name)):
            return f"written by {typemap[name]}"
        case ir.Assign(value=ir.Expr(op="getitem")):
            return f"read by {typemap[value.index.name]}"
        case ir.Assign(value=ir.Expr(op="binop")) if value.fn is operator.matmul:
            return "matmul"
        case ir.Assign(value=ir.Expr(op="call")):
            return f"call {called_name(typemap[value.func.name])} -> {type_}"
        case ir.Assign(value=ir.Expr(op=op)) if "getitem" not in op:
            return f"{op} -> {type_}"
        case ir.Assign(value=ir.Global(name=name) | ir.FreeVar(name=name)):
            value = value.value
            if isinstance(type_, types.ExternalFunctionPointer):
                return f"foreign {name}"
            if isinstance(value, np.ndarray) and value.nbytes > FROZEN_BYTES:
                return f"large {name}"
            if isinstance(value, np.ndarray) and not value.flags.forc:
                return f"strided {name}"
    return ""


def called_name(function: types.Type) -> str:
    """Returns the name of a called function, by the type that numba has for it."""
    key: Any = getattr(function, "typing_key", None)
    if isinstance(function, types.BoundFunction):
        if not isinstance(function.this, types.Array):
            return f"-> {function.this}"
        # Some methods are known by a text, others by a pair
        return "array." + (key.rpartition(".")[2] if isinstance(key, str) else key[-1])
    module = getattr(key, "__module__", None) or ""
    owner = type(getattr(key, "__self__", None)).__name__
    if "RandomState" in owner or module.startswith(("random", "numpy.random")):
        return "np.random"
    name = getattr(key, "__name__", "")
    is_numpy = module.startswith("numpy") and not isinstance(key, np.ufunc)
    return f"{module.replace('numpy', 'np')}.{name}" if is_numpy else name
