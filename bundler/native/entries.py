"""The functions that Python calls, in LLVM's language: they check the arguments and call what numba
compiled.

An entry is a function of Python's C API (METH_FASTCALL). Its `self` is a function that raises an
exception, `fail` of loader.py. An array is read where numpy's C API puts its
fields:

    PyArrayObject   8 type   16 data   24 dimensions (32 bits)   32 shape   40 strides
                    56 descriptor   64 flags (32 bits)
    PyArray_Descr   26 byte order (8 bits)   28 number of the type (32 bits)

What the entry hands over, and in what order, is numba's calling convention (numba/core/callconv.py,
datamodel/models.py): room for the result, room for the exception, the arguments; an array as
(meminfo, parent, size, item size, data, shape, strides). The status that comes back is 0, or -2 for
None, or an exception's.
"""

import numpy as np
from numba.core import types

# numba's name: (LLVM's type, code of Py_BuildValue for it as 64 bits)
INTEGERS = {
    f"{sign}int{bits}": (f"i{bits}", code)
    for bits in (8, 16, 32, 64)
    for sign, code in (("", "L"), ("u", "K"))
}
FLOATS = {"float32": "float", "float64": "double"}
SCALARS = (*INTEGERS, *FLOATS, "bool")

# NPY_ARRAY_C_CONTIGUOUS, _F_CONTIGUOUS, _ALIGNED | _WRITEABLE
LAYOUT_FLAGS = {"C": 0x1, "F": 0x2, "A": 0x0}
ALIGNED, WRITEABLE = 0x100, 0x400

# The C types of one size have numbers of their own; numba takes them for the same.
SAME_TYPES = {"int64": "longlong", "uint64": "ulonglong"}

SCALAR, TUPLE = -1, -2  # for the dimensions of a scalar and of a tuple

# After the conversion of scalars, of which one may have raised
CONVERTED = (
    "%error = call ptr @PyErr_Occurred()",
    "%converted = icmp eq ptr %error, null",
    "br i1 %converted, label %run, label %unfit",
)


class UnsupportedType(Exception):
    """A type that cannot pass between Python and machine code; the text says which and what to use
    instead.
    """


def numpy_type(array):
    """The dtype of numba's type of an array. Raises UnsupportedType."""
    if str(array.dtype) not in SCALARS:
        raise UnsupportedType(f"an array of {array.dtype}; use one of {', '.join(SCALARS)}")
    return np.dtype(str(array.dtype))


def text_constant(name, text):
    """The definition of a zero-terminated text."""
    data = text.encode() + b"\0"
    escaped = "".join(f"\\{byte:02X}" for byte in data)
    return f'@{name} = internal constant [{len(data)} x i8] c"{escaped}"'


def entry_text(name, symbol, result_type, argument_types):
    """The definition of the entry `name` that calls numba's function `symbol`.

    Raises UnsupportedType.
    """
    parts = parts_of(argument_types)
    n = len(parts)
    kinds = ", ".join(f"[6 x i16] {kind_of(*part)}" for part in parts)
    lines, values = [], []
    for i, (type_, _, place) in enumerate(parts):
        if isinstance(type_, types.BaseTuple):
            continue
        lines += read(f"%a{i}", "%objects", 8 * i, "ptr")
        if isinstance(type_, types.Array):
            values += read_array(i, type_, lines)
        else:
            values += read_scalar(i, type_, place + 1, lines)
    if any(not isinstance(type_, (types.Array, types.BaseTuple)) for type_ in argument_types):
        lines += CONVERTED
    else:
        lines.append("br label %run")
    signature = ", ".join(["ptr", "ptr", *(kind for kind, _ in values)])
    passed = ", ".join(["ptr %room", "ptr %exception_at", *(" ".join(value) for value in values)])
    items = list(result_type) if isinstance(result_type, types.BaseTuple) else [result_type]
    room = ", ".join("ptr" if item == types.none else scalar_type(item, "result") for item in items)
    room = f"{{ {room} }}"
    built, build_format, build_lines = build_result(items, room)
    build = "\n  ".join(build_lines)
    if isinstance(result_type, types.BaseTuple):
        build_format = f"({build_format})"
    body = "\n  ".join(lines)
    return f"""
@{name}_kinds = internal constant [{n} x [6 x i16]] [{kinds}]
{text_constant(f"{name}_format", build_format)}
declare i32 @"{symbol}"({signature})

define ptr @{name}(ptr %self, ptr %arguments, i64 %count) #99 {{
  %room = alloca {room}
  %exception_at = alloca ptr
  %objects = alloca [{n} x ptr]
  %count_fits = icmp eq i64 %count, {len(argument_types)}
  %n = select i1 %count_fits, i64 {n}, i64 -1
  %fit = call i1 @fit(ptr %self, ptr %arguments, i64 %n, ptr @{name}_kinds, ptr %objects)
  br i1 %fit, label %convert, label %unfit
convert:
  {body}
unfit:
  ret ptr null
run:
  %status = call i32 @"{symbol}"({passed})
  switch i32 %status, label %failed [ i32 0, label %done i32 -2, label %done ]
failed:
  %exception = load ptr, ptr %exception_at
  call void @fail(ptr %self, ptr %exception, i32 0)
  ret ptr null
done:
  {build}
  %result = call ptr (ptr, ...) @Py_BuildValue(ptr @{name}_format{built})
  ret ptr %result
}}
"""


def parts_of(argument_types):
    """(type, 0, its number) of each argument; behind a tuple of buffers its fields, each with the
    number of the tuple among all parts, from 1, and its own within.

    Raises UnsupportedType.
    """
    parts = []
    for number, type_ in enumerate(argument_types):
        parts.append((type_, 0, number))
        if isinstance(type_, types.BaseTuple):
            if not isinstance(type_, types.BaseNamedTuple):
                raise UnsupportedType(f"argument {type_}; make it a NamedTuple of arrays")
            tuple_number = len(parts)
            parts += [(field, tuple_number, i) for i, field in enumerate(type_)]
    return parts


def kind_of(type_, tuple_number, number):
    """What the check compares a part of the arguments with, as LLVM writes an array of numbers:
    dimensions, number of the type, its other number, flags; of a tuple its length for a type. Then
    where it is, see `parts_of`.

    Raises UnsupportedType.
    """
    place = f"i16 {tuple_number}, i16 {number}"
    if isinstance(type_, types.BaseTuple):
        return f"[i16 {TUPLE}, i16 {len(type_)}, i16 0, i16 0, {place}]"
    if not isinstance(type_, types.Array):
        return f"[i16 {SCALAR}, i16 0, i16 0, i16 0, {place}]"
    dtype = numpy_type(type_)
    flags = LAYOUT_FLAGS[type_.layout] | ALIGNED | (WRITEABLE if type_.mutable else 0)
    same = np.dtype(SAME_TYPES.get(str(type_.dtype), dtype)).num
    return f"[i16 {type_.ndim}, i16 {dtype.num}, i16 {same}, i16 {flags}, {place}]"


def scalar_type(type_, role):
    """LLVM's type of a scalar in memory. Raises UnsupportedType."""
    text = str(type_)
    if text not in SCALARS:
        raise UnsupportedType(
            f"{role} {text}; arrays the caller owns and these: {', '.join(SCALARS)}"
        )
    return "i8" if text == "bool" else FLOATS.get(text) or INTEGERS[text][0]


def read_scalar(i, type_, number, lines):
    """Append to `lines` what converts part i, argument `number` from 1; returns the (type, value)
    pair to pass.

    Raises UnsupportedType.
    """
    kind, text, value = scalar_type(type_, "argument"), str(type_), f"%value{i}"
    if text in FLOATS:
        lines.append(f"%wide{i} = call double @PyFloat_AsDouble(ptr %a{i})")
        return [(kind, converted(value, f"%wide{i}", "fptrunc", "double", kind, lines))]
    if text == "bool":
        lines.append(f"%wide{i} = call i32 @PyObject_IsTrue(ptr %a{i})")
        return [(kind, converted(value, f"%wide{i}", "trunc", "i32", kind, lines))]
    called = f"ptr %self, ptr %a{i}"
    if text == "uint64":
        lines.append(f"{value} = call i64 @unsigned({called}, i32 {number})")
        return [(kind, value)]
    limits = f"i64 {type_.minval}, i64 {type_.maxval - type_.minval}"
    lines.append(f"%wide{i} = call i64 @integer({called}, {limits}, i32 {number})")
    return [(kind, converted(value, f"%wide{i}", "trunc", "i64", kind, lines))]


def converted(name, value, how, from_kind, to_kind, lines):
    """The value in another type, by a line appended to `lines` under that name; itself where the
    types are one.
    """
    if from_kind == to_kind:
        return value
    lines.append(f"{name} = {how} {from_kind} {value} to {to_kind}")
    return name


def build_result(items, room):
    """(values, format, lines): the arguments of Py_BuildValue for results in `%room`, and the lines
    that compute them.
    """
    values, codes, lines = "", "", []
    for i, type_ in enumerate(items):
        if type_ == types.none:
            values, codes = f"{values}, ptr null", codes + "z"
            continue
        kind, text = scalar_type(type_, "result"), str(type_)
        lines.append(f"%item{i}_at = getelementptr {room}, ptr %room, i32 0, i32 {i}")
        lines.append(f"%item{i} = load {kind}, ptr %item{i}_at")
        if text in FLOATS:
            value = converted(f"%built{i}", f"%item{i}", "fpext", kind, "double", lines)
            values, codes = f"{values}, double {value}", codes + "d"
        elif text == "bool":
            lines.append(f"%long{i} = zext i8 %item{i} to i64")
            lines.append(f"%built{i} = call ptr @PyBool_FromLong(i64 %long{i})")
            values, codes = f"{values}, ptr %built{i}", codes + "N"
        else:
            extend = "zext" if text.startswith("u") else "sext"
            value = converted(f"%built{i}", f"%item{i}", extend, kind, "i64", lines)
            values, codes = f"{values}, i64 {value}", codes + INTEGERS[text][1]
    return values, codes, lines


def read_array(i, type_, lines):
    """Append to `lines` what reads part i; returns the (type, value) pairs to pass to numba's
    function.
    """
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
    item_size = numpy_type(type_).itemsize
    head = [("ptr", "null"), ("ptr", "null"), ("i64", size), ("i64", str(item_size))]
    return [*head, ("ptr", f"%data{i}"), *(("i64", value) for value in shape + strides)]


def read(name, base, offset, kind):
    """The lines that load a value of LLVM's type `kind` from an address."""
    return [
        f"{name}.at = getelementptr i8, ptr {base}, i64 {offset}",
        f"{name} = load {kind}, ptr {name}.at",
    ]
