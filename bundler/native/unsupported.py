"""Errors for features of a kernel that need more than the C library: statement, feature and
advice.
"""

import re
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
from numba.core import ir, types

from bundler.native.equality import called
from bundler.native.recording import Kernel, KernelError, Overload

LOOP = "write the loop"
BUFFER = "use a buffer and a count"
OUTSIDE = "do it outside of kernels"
ARGUMENT = "pass it as an argument"
CONSTANTS = "raise one with constants"

FROZEN_BYTES = 10**6  # numba puts no larger array into the code

# (what `describe` says of a statement, what that is called, what to do instead), and of what the
# code refers to the same by its name; the higher, the likelier it is what needs numba's runtime
FEATURES = (
    ("print", "print", OUTSIDE),
    ("raise", "an exception with computed arguments", CONSTANTS),
    ("foreign (.*)", "the foreign function {}", OUTSIDE),
    ("large (.*)", "{}, an array of more than a million bytes", ARGUMENT),
    ("strided (.*)", "{}, an array that is not contiguous", ARGUMENT),
    (r"(?:reflected )?set\(", "a set", "use a buffer of flags, or the bits of a number"),
    ("DictType", "a dict", "use an array"),
    (r"reflected list|list\(|ListType", "a list", BUFFER),
    ("unicode_type", "a string", OUTSIDE),
    ("index (?:array|slice)", "an array or a slice as an index", LOOP),
    (
        r"needs \.numba\.unresolved\$_ZN\d+[A-Za-z_]+\d+([A-Za-z_]\w*?)B\d",
        "recursion of {} through others, or with arguments of other types",
        "write one of them as a loop, or pass variables of the signature's types",
    ),
    (r"needs (NRT_\S*)", "memory of numba's runtime ({})", "let the caller own every buffer"),
    ("needs (.*)", "something beside the C library's mathematics ({})", OUTSIDE),
)


def unsupported(
    kernel: Kernel, needs: Callable[[Overload], bool], names: Iterable[str]
) -> KernelError:
    """Returns the KernelError for the statement of a kernel that needs more than the C library.
    needs: returns True for a compiled function with this need. names: the needed symbols.
    """
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
    """Returns the most deeply called function for which `needs` returns True."""
    seen = set()
    while overload.fndesc.mangled_name not in seen:
        seen.add(overload.fndesc.mangled_name)
        overload = next(filter(needs, called(overload)), overload)
    return overload


def describe(statement: ir.Stmt, typemap: dict[str, Any]) -> str:
    """Returns the text by which FEATURES recognises a statement, "" for a harmless statement."""
    value: Any = getattr(statement, "value", None)
    match statement:
        case ir.Print():
            return "print"
        case ir.DynamicRaise() | ir.DynamicTryRaise():
            return "raise"
        case ir.StaticSetItem(index=slice()):
            return "index slice"
        case ir.SetItem(index=ir.Var(name=name)):
            return f"index {typemap[name]}"
        case ir.Assign(value=ir.Expr(op="getitem")):
            return f"index {typemap[value.index.name]}"
        case ir.Assign(value=ir.Expr(), target=ir.Var(name=name)):
            return str(typemap[name])
        case ir.Assign(value=ir.Global(name=name) | ir.FreeVar(name=name)):
            value = value.value
            if isinstance(typemap[statement.target.name], types.ExternalFunctionPointer):
                return f"foreign {name}"
            if isinstance(value, np.ndarray) and value.nbytes > FROZEN_BYTES:
                return f"large {name}"
            if isinstance(value, np.ndarray) and not value.flags.forc:
                return f"strided {name}"
    return ""
