"""The functions that Python calls, in LLVM's language: they check the arguments and call what numba compiled.

An entry takes an array as the Python object it is and reads its fields where numpy's C API puts them:

    PyArrayObject   8 type   16 data   24 dimensions (32 bits)   32 shape   40 strides   56 descriptor   64 flags (32 bits)
    PyArray_Descr   26 byte order (8 bits)   28 number of the type (32 bits)

What it hands over, and in what order, is numba's calling convention (numba/core/callconv.py, datamodel/models.py): room for
the result, room for the exception, the arguments; an array as (meminfo, parent, size, item size, data, shape, strides).
"""

import numpy as np
from numba.core import types
from numba.np.numpy_support import as_dtype

from shared.core.machine_code import EXCEPTION_WORD, RESULT_WORD, SCALARS, WRONG_ARRAY

LLVM_TYPES = {"bool": "i8", "float32": "float", "float64": "double"}

# NPY_ARRAY_C_CONTIGUOUS, _F_CONTIGUOUS, _ALIGNED | _WRITEABLE
LAYOUT_FLAGS = {"C": 0x1, "F": 0x2, "A": 0x0}
ALIGNED, WRITEABLE = 0x100, 0x400

# The C types of one size have numbers of their own; numba takes them for the same.
SAME_TYPES = {"int64": "longlong", "uint64": "ulonglong"}

CHECK = """
@context = external global [2 x ptr]

define internal i1 @is_array(ptr %object, i32 %dimensions, i32 %number, i32 %same_number, i32 %flags) {
  %type_at = getelementptr i8, ptr %object, i64 8
  %type = load ptr, ptr %type_at
  %array_type = load ptr, ptr @context
  %type_fits = icmp eq ptr %type, %array_type
  br i1 %type_fits, label %array, label %no

array:
  %dimensions_at = getelementptr i8, ptr %object, i64 24
  %dimensions_found = load i32, ptr %dimensions_at
  %dimensions_fit = icmp eq i32 %dimensions_found, %dimensions
  %descriptor_at = getelementptr i8, ptr %object, i64 56
  %descriptor = load ptr, ptr %descriptor_at
  %order_at = getelementptr i8, ptr %descriptor, i64 26
  %order = load i8, ptr %order_at
  %order_fits = icmp ne i8 %order, 62 ; ">"
  %number_at = getelementptr i8, ptr %descriptor, i64 28
  %number_found = load i32, ptr %number_at
  %is_number = icmp eq i32 %number_found, %number
  %is_same = icmp eq i32 %number_found, %same_number
  %number_fits = or i1 %is_number, %is_same
  %flags_at = getelementptr i8, ptr %object, i64 64
  %flags_found = load i32, ptr %flags_at
  %flags_kept = and i32 %flags_found, %flags
  %flags_fit = icmp eq i32 %flags_kept, %flags
  %fit_1 = and i1 %dimensions_fit, %order_fits
  %fit_2 = and i1 %number_fits, %flags_fit
  %fit = and i1 %fit_1, %fit_2
  ret i1 %fit

no:
  ret i1 false
}
"""


class UnsupportedType(Exception):
    """A type that cannot pass between Python and machine code; the text says which and what to use instead."""


def type_text(type_):
    """How a bundle writes the type of an argument or a result. Raises UnsupportedType."""
    if isinstance(type_, types.Array):
        if str(type_.dtype) not in SCALARS:
            raise UnsupportedType(f"an array of {type_.dtype}; use one of {', '.join(SCALARS)}")
        dimensions = [":"] * type_.ndim
        if dimensions and type_.layout in "CF":
            dimensions[-1 if type_.layout == "C" else 0] = "::1"
        return f"{type_.dtype}[{','.join(dimensions)}]"
    if str(type_) not in SCALARS:
        raise UnsupportedType(f"{type_}; pass arrays and scalars: {', '.join(SCALARS)}")
    return str(type_)


def result_text(type_):
    """How a bundle writes the type of a result. Raises UnsupportedType."""
    if isinstance(type_, types.NoneType):
        return "none"
    if isinstance(type_, types.BaseTuple):
        return f"({' '.join(result_text(item) for item in type_)})"
    if str(type_) not in SCALARS:
        raise UnsupportedType(f"a result of {type_}; return scalars, write arrays the caller owns")
    return str(type_)


def entry_text(name, symbol, argument_types):
    """The definition of the entry `name` that calls numba's function `symbol`. Raises UnsupportedType."""
    lines, passed, declared, parameters = [], [], [], []
    for i, type_ in enumerate(argument_types):
        if isinstance(type_, types.Array):
            parameters.append(f"ptr %a{i}")
            values = read_array(i, type_, lines)
        else:
            values = [(llvm_type(type_), f"%a{i}")]
            parameters.append(f"{values[0][0]} %a{i}")
        declared += [kind for kind, _ in values]
        passed += [f"{kind} {value}" for kind, value in values]
    room = [
        f"ptr getelementptr (i8, ptr @context, i64 {8 * word})"
        for word in (RESULT_WORD, EXCEPTION_WORD)
    ]
    body = "\n  ".join(lines)
    return f"""
declare i32 @"{symbol}"({", ".join(["ptr", "ptr", *declared])})

define i32 @"{name}"({", ".join(parameters)}) {{
  {body}
  %status = call i32 @"{symbol}"({", ".join(room + passed)})
  ret i32 %status
}}
"""


def llvm_type(type_):
    """LLVM's type for a scalar argument of numba's type."""
    text = type_text(type_)
    return LLVM_TYPES.get(text) or "i" + text.lstrip("uint")


def read_array(i, type_, lines):
    """Append to `lines` what checks and reads argument i; returns the (type, value) pairs to pass to numba's function."""
    dtype = as_dtype(type_.dtype)
    flags = LAYOUT_FLAGS[type_.layout] | ALIGNED | (WRITEABLE if type_.mutable else 0)
    same = np.dtype(SAME_TYPES.get(type_text(type_.dtype), dtype)).num
    lines += [
        f"%fits{i} = call i1 @is_array"
        f"(ptr %a{i}, i32 {type_.ndim}, i32 {dtype.num}, i32 {same}, i32 {flags})",
        f"br i1 %fits{i}, label %right{i}, label %wrong{i}",
        f"wrong{i}:",
        f"ret i32 {WRONG_ARRAY - i}",
        f"right{i}:",
    ]
    lines += read(f"%data{i}", f"%a{i}", 16, "ptr")
    lines += read(f"%shape{i}", f"%a{i}", 32, "ptr")
    lines += read(f"%strides{i}", f"%a{i}", 40, "ptr")
    shape = [f"%length{i}.{axis}" for axis in range(type_.ndim)]
    strides = [f"%stride{i}.{axis}" for axis in range(type_.ndim)]
    size = "1"
    for axis in range(type_.ndim):
        lines += read(shape[axis], f"%shape{i}", 8 * axis, "i64")
        lines += read(strides[axis], f"%strides{i}", 8 * axis, "i64")
        lines.append(f"%size{i}.{axis} = mul i64 {size}, {shape[axis]}")
        size = f"%size{i}.{axis}"
    head = [("ptr", "null"), ("ptr", "null"), ("i64", size), ("i64", str(dtype.itemsize))]
    return [*head, ("ptr", f"%data{i}"), *(("i64", value) for value in shape + strides)]


def read(name, base, offset, kind):
    """The lines that load a value of LLVM's type `kind` from an address."""
    return [
        f"{name}.at = getelementptr i8, ptr {base}, i64 {offset}",
        f"{name} = load {kind}, ptr {name}.at",
    ]
