"""What in a kernel needs more than the C library has: the statement, what it uses and what to do
instead.
"""

import operator
import re
from types import ModuleType

import numpy as np
from numba.core import ir, types

from bundler.native.recording import KernelError, shown

LOOP = "write the loop"
BUFFER = "use a buffer and a count"
OUTSIDE = "do it outside of kernels"
RANDOM = "use shared/core/rng.py"
ARGUMENT = "pass it as an argument"

# Types of values: what they are called and what to use instead
TYPES = (
    (types.Set, "a set", "use a buffer of flags, or the bits of a number"),
    (types.DictType, "a dict", "use an array"),
    ((types.List, types.ListType), "a list", BUFFER),
    (types.UnicodeType, "a string", OUTSIDE),
)

# Functions of numpy and methods of arrays that need nothing
HARMLESS = set("""
    all any arange argmax argmin array bincount concatenate copy empty empty_like fill full
    astype full_like item mean ones ones_like searchsorted sum zeros zeros_like
    """.split())

FROZEN_BYTES = 10**6  # numba puts no larger array into the code

# Where no statement tells: the first pattern that fits a name which the code refers to.
NAMES = (
    (
        r"\.numba\.unresolved",
        "recursion with arguments of other types",
        "pass variables of the signature's types, no literals",
    ),
    ("numba_dict|numba_typeddict", "a dict", "use an array"),
    ("NRT_MemInfo_.*varsize|numba_list", "a list", BUFFER),
    ("numba_.*random|numba_rnd|numba_get_.*state", "np.random", RANDOM),
    ("numba_gil", "print, or another use of Python's objects", OUTSIDE),
    ("PyTuple_Pack", "an exception with computed arguments", "raise one with constants"),
    (r"numba\.dynamic", "an address of this process", ARGUMENT),
    (r"\.const\.", "an object of Python", OUTSIDE),
    ("NRT_", "memory of numba's runtime", "let the caller own every buffer"),
    ("", "a function outside of the C library", "use the functions of math"),
)


def unsupported(kernel, needs, names):
    """A KernelError for the statement of a Kernel, or of what it calls, that needs too much.

    needs: says of one of numba's compiled functions whether it does. names: what is needed.
    """
    overload = culprit(kernel.dispatcher.overloads[kernel.types], needs)
    function = overload.type_annotation.func_id.func
    code = function.__code__
    where = f"kernel {shown(kernel.function)}"
    if function is not kernel.function:
        where += f", in {shown(function)}"
    found = min(statements(overload.type_annotation), default=None, key=lambda found: found[0])
    if found:
        _, line, feature, advice = found
    else:
        line = code.co_firstlineno
        rules = ((rule, name) for rule in NAMES for name in sorted(names))
        rule, name = next((rule, name) for rule, name in rules if re.match(rule[0], name))
        feature, advice = f"{rule[1]} ({name})", rule[2]
    return KernelError((code.co_filename, line), f"{where}: {feature}", advice)


def culprit(overload, needs):
    """The function farthest down among those called that still needs too much."""
    seen = set()
    while overload.fndesc.mangled_name not in seen:
        seen.add(overload.fndesc.mangled_name)
        overload = next(filter(needs, called(overload)), overload)
    return overload


def called(overload):
    """What numba compiled of the bundle's own functions that one calls, in the order of calls."""
    annotation = overload.type_annotation
    for call, signature in annotation.calltypes.items():
        if isinstance(call, ir.Expr) and call.op == "call" and signature:
            function = annotation.typemap.get(call.func.name)
            if isinstance(function, types.Dispatcher):
                found = function.dispatcher.overloads.get(signature.args)
                if found is not None:
                    yield found


def statements(annotation):
    """(rank, line, feature, advice) of what may need too much in a function; the lower the rank,
    the likelier.
    """
    for _, block in sorted(annotation.blocks.items()):
        for statement in block.body:
            found = judged(statement, annotation.typemap)
            if found:
                yield found[0], statement.loc.line, *found[1:]


def judged(statement, typemap):
    """(rank, feature, advice) of a statement; None if it is harmless."""
    match statement:
        case ir.Print():
            return 0, "print", OUTSIDE
        case ir.DynamicRaise() | ir.DynamicTryRaise():
            return 0, "an exception with computed arguments", "raise one with constants"
        case ir.Assign(value=ir.Global(value=value) | ir.FreeVar(value=value)):
            return judged_constant(statement.value.name, value, typemap[statement.target.name])
        case ir.Assign(value=ir.Expr(op="call")):
            return judged_call(statement, typemap)
        case ir.Assign(value=ir.Expr(op="binop")) if statement.value.fn is operator.matmul:
            return 1, "a product of matrices", LOOP
        case ir.Assign(value=ir.Expr(op=op)):
            if op in ("getitem", "static_getitem"):
                index = statement.value.index
                return judged_index(index, typemap, "read")
            return judged_type(typemap.get(statement.target.name))
        case ir.SetItem(index=index):
            return judged_index(index, typemap, "written")
        case ir.StaticSetItem(index=slice()):
            return 2, "an assignment to a slice", LOOP
    return None


def judged_constant(name, value, type_):
    """The same of a variable of a module or a closure."""
    if isinstance(type_, types.ExternalFunctionPointer):
        return 0, f"the foreign function {name}", OUTSIDE
    if isinstance(value, np.ndarray):
        if value.nbytes > FROZEN_BYTES:
            return 0, f"{name}, an array of more than a million bytes", ARGUMENT
        if not (value.flags.c_contiguous or value.flags.f_contiguous):
            return 0, f"{name}, an array that is not contiguous", ARGUMENT
    return None


def judged_call(statement, typemap):
    """The same of a call."""
    function = typemap[statement.value.func.name]
    if isinstance(function, types.BoundFunction):
        if not isinstance(function.this, types.Array):
            return judged_type(function.this)
        # Some methods are known by a text, others by a pair
        key = function.typing_key
        name = "array." + (key.rpartition(".")[2] if isinstance(key, str) else key[-1])
    elif isinstance(function, types.Function):
        key = function.typing_key
        module = getattr(key, "__module__", None) or ""
        owner = getattr(key, "__self__", None)
        if "RandomState" in type(owner).__name__ or module.startswith(("random", "numpy.random")):
            return 0, "np.random", RANDOM
        if isinstance(owner, ModuleType) and owner.__name__ == "math":
            return None
        if not (module.startswith("numpy") or key is sorted) or isinstance(key, np.ufunc):
            return judged_type(typemap.get(statement.target.name))
        name = "sorted" if key is sorted else f"{module.replace('numpy', 'np')}.{key.__name__}"
    else:
        return None
    return None if name.rpartition(".")[2] in HARMLESS else (1, name, LOOP)


def judged_type(type_):
    """The same of an expression whose value has this type."""
    for kind, feature, advice in TYPES:
        if isinstance(type_, kind):
            return 0, feature, advice
    return None


def judged_index(index, typemap, what):
    """The same of an index that is a variable."""
    type_ = typemap.get(getattr(index, "name", None))
    if isinstance(type_, types.Array):
        feature = "a mask of bools" if type_.dtype == types.bool_ else "an array as an index"
        return 2, feature, LOOP
    if isinstance(type_, types.SliceType) and what == "written":
        return 2, "an assignment to a slice", LOOP
    return None
