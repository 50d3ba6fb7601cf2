"""The functions that Python calls, in LLVM's language: they check the arguments and call what numba
compiled.

An entry is a function of Python's C API (METH_FASTCALL). Its `self` is a function that raises an
exception, `fail` of loader.py. An array is read where numpy's C API puts its
fields:

    PyArrayObject   8 type   16 data   24 dimensions (32 bits)   32 shape   40 strides
                    56 descriptor   64 flags (32 bits)
    PyArray_Descr   26 byte order (8 bits)   28 number of the type (32 bits)

An entry calls the compiled function by numba's calling convention (numba/core/callconv.py,
datamodel/models.py). It passes room for the result, room for the exception, and the arguments; an
array as (meminfo, parent, size, item size, data, shape, strides). The compiled function returns a
status: 0, -2 for None, or the status of an exception.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numba.core import types


class Scalar(NamedTuple):
    """A type of numbers in LLVM's language. kind: its type in memory; wide: its type in calls of
    Python's C functions; narrow, widen: the instructions that convert between both; code: its
    letter for Py_BuildValue.
    """

    kind: str
    wide: str
    narrow: str
    widen: str
    code: str


SCALARS = {  # by numba's name
    **{f"int{bits}": Scalar(f"i{bits}", "i64", "trunc", "sext", "L") for bits in (8, 16, 32)},
    "int64": Scalar("i64", "i64", "bitcast", "bitcast", "L"),
    **{f"uint{bits}": Scalar(f"i{bits}", "i64", "trunc", "zext", "K") for bits in (8, 16, 32)},
    "uint64": Scalar("i64", "i64", "bitcast", "bitcast", "K"),
    "float32": Scalar("float", "double", "fptrunc", "fpext", "d"),
    "float64": Scalar("double", "double", "bitcast", "bitcast", "d"),
    "bool": Scalar("i8", "i64", "trunc", "zext", "N"),
}

# NPY_ARRAY_C_CONTIGUOUS, _F_CONTIGUOUS, _ALIGNED | _WRITEABLE
LAYOUT_FLAGS = {"C": 0x1, "F": 0x2, "A": 0x0}
ALIGNED, WRITEABLE = 0x100, 0x400

# The C types of one size have numbers of their own; numba takes them for the same.
SAME_TYPES = {"int64": "longlong", "uint64": "ulonglong"}

TUPLES = types.Tuple | types.UniTuple | types.NamedTuple | types.NamedUniTuple
SCALAR, TUPLE = -1, -2  # for the dimensions of a scalar and of a tuple

# After the conversion of scalars, of which one may have raised
CONVERTED = (
    "%error = call ptr @PyErr_Occurred()",
    "%converted = icmp eq ptr %error, null",
    "br i1 %converted, label %run, label %unfit",
)

Part = tuple[types.Type, int, int, int]  # see `parts_of`


class UnsupportedType(Exception):
    """A type that cannot pass between Python and machine code; the text names another one."""


def attributes_for(parts: Sequence[Part]) -> str:
    """Returns the attributes of an entry, which functions merged into it share: the attributes of
    checks.ll, for size, or "" if the entry takes arrays of 8-bit numbers, as networks have. LLVM
    vectorises their loops for speed.
    """
    is_int8 = [isinstance(type_, types.Array) and type_.dtype == types.int8 for type_, *_ in parts]
    return "" if any(is_int8) else "#99 "


def text_constant(name: str, text: str) -> str:
    """Returns the definition of a zero-terminated text, in LLVM's language."""
    data = text.encode() + b"\0"
    escaped = "".join(f"\\{byte:02X}" for byte in data)
    return f'@{name} = internal constant [{len(data)} x i8] c"{escaped}"'


def entry_text(
    name: str, symbol: str, result_type: types.Type, argument_types: Sequence[types.Type]
) -> str:
    """Returns the definition of the entry `name`, which calls numba's function `symbol`. Raises
    UnsupportedType.
    """
    parts = parts_of(argument_types)
    n = len(parts)
    kinds = ", ".join(f"[7 x i32] {kind_of(*leaf)}" for leaf in parts)
    lines, values = [], []
    for i, (type_, _, place, _) in enumerate(parts):
        lines += read(f"%a{i}", "%objects", 8 * i, "ptr")
        if isinstance(type_, types.Array):
            values += read_array(i, type_, lines)
        elif not isinstance(type_, types.BaseTuple):
            values += read_scalar(i, type_, place + 1, lines)
    lines += CONVERTED
    room, (*build, passed_on), build_format = build_result(result_type)
    body, end = "\n  ".join(lines), "\n  ".join(build)
    signature = ", ".join(["ptr", "ptr", *(kind for kind, _ in values)])
    passed = ", ".join(["ptr %room", "ptr %exception_at", *map(" ".join, values)])
    return f"""
@{name}_kinds = internal constant [{n} x [7 x i32]] [{kinds}]
{text_constant(f"{name}_format", build_format)}
declare i32 @"{symbol}"({signature})

define ptr @{name}(ptr %self, ptr %arguments, i64 %count) {attributes_for(parts)}{{
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
  {end}
  %result = call ptr (ptr, ...) @Py_BuildValue(ptr @{name}_format{passed_on})
  ret ptr %result
}}
"""


def parts_of(argument_types: Sequence[types.Type]) -> list[Part]:
    """Returns [(type, tuple, place, told)] of the arguments. A NamedTuple of arrays is followed by
    its fields.

    tuple: for a field the index of its NamedTuple in the result, -1 for an argument. place: the
    index among the arguments or fields. told: the code that `fail` gets if a value does not fit:
    the argument's number from 1, plus 256 times the field's. Raises UnsupportedType.
    """
    parts = []
    for place, type_ in enumerate(argument_types):
        parts.append((type_, -1, place, place + 1))
        if isinstance(type_, types.BaseTuple):
            if not isinstance(type_, types.NamedTuple | types.NamedUniTuple):
                raise UnsupportedType(f"argument {type_}; make it a NamedTuple of arrays")
            parent = len(parts) - 1
            parts += [
                (field, parent, i, 256 * (i + 1) + place + 1) for i, field in enumerate(type_)
            ]
    return parts


def kind_of(type_: types.Type, *where: int) -> str:
    """Returns the numbers that the check compares a part with, as an array in LLVM's language:
    dimensions (or SCALAR, TUPLE), number of the type or length of the tuple, the type's other
    number, flags; where: see `parts_of`. Raises UnsupportedType.
    """
    numbers = SCALAR, 0, 0, 0
    if isinstance(type_, types.BaseTuple):
        numbers = TUPLE, len(type_), 0, 0
    elif isinstance(type_, types.Array):
        name = str(type_.dtype)
        if name not in SCALARS:
            raise UnsupportedType(f"an array of {name}; use one of {', '.join(SCALARS)}")
        number, same = np.dtype(name).num, np.dtype(SAME_TYPES.get(name, name)).num
        flags = LAYOUT_FLAGS[type_.layout] | ALIGNED | (WRITEABLE if type_.mutable else 0)
        numbers = type_.ndim, number, same, flags
    return f"[{', '.join(f'i32 {number}' for number in (*numbers, *where))}]"


def scalar(type_: types.Type, role: str) -> Scalar:
    """Returns the Scalar of numba's type. role: the use of the type, for the error. Raises
    UnsupportedType.
    """
    if str(type_) not in SCALARS:
        allowed = ", ".join(SCALARS)
        raise UnsupportedType(f"{role} {type_}; arrays the caller owns and these: {allowed}")
    return SCALARS[str(type_)]


def read_scalar(i: int, type_: types.Type, number: int, lines: list[str]) -> list[tuple[str, str]]:
    """Append to `lines` the conversion of part i. Returns [(type, value)] to pass to numba's
    function. number: the code that `fail` gets if the value does not fit. Raises UnsupportedType.
    """
    kind, wide, narrow, _, code = scalar(type_, "argument")
    called = f"ptr %self, ptr %a{i}, i32 {number}"
    call = f"@truth(ptr %a{i})"
    if code == "d":
        call = f"@PyFloat_AsDouble(ptr %a{i})"
    elif str(type_) == "uint64":
        call = f"@unsigned({called})"
    elif isinstance(type_, types.Integer):
        call = f"@integer({called}, i64 {type_.minval}, i64 {type_.maxval - type_.minval})"
    lines.append(f"%wide{i} = call {wide} {call}")
    lines.append(f"%value{i} = {narrow} {wide} %wide{i} to {kind}")
    return [(kind, f"%value{i}")]


def build_result(result_type: types.Type) -> tuple[str, list[str], str]:
    """Returns (LLVM's type of `%room`, lines, format of Py_BuildValue) for a result. The lines
    compute the arguments of Py_BuildValue from `%room`; the last line lists them. Raises
    UnsupportedType.
    """
    items = [*result_type] if isinstance(result_type, TUPLES) else [result_type]
    kinds = ["ptr" if type_ == types.none else scalar(type_, "result").kind for type_ in items]
    room, lines, values, codes = f"{{ {', '.join(kinds)} }}", [], "", ""
    for i, type_ in enumerate(items):
        if type_ == types.none:
            values, codes = f"{values}, ptr null", codes + "z"
            continue
        kind, wide, _, widen, code = SCALARS[str(type_)]
        lines.append(f"%item{i}_at = getelementptr {room}, ptr %room, i32 0, i32 {i}")
        lines.append(f"%item{i} = load {kind}, ptr %item{i}_at")
        lines.append(f"%wide_item{i} = {widen} {kind} %item{i} to {wide}")
        value = f"{wide} %wide_item{i}"
        if code == "N":
            lines.append(f"%built{i} = call ptr @PyBool_FromLong({value})")
            value = f"ptr %built{i}"
        values, codes = f"{values}, {value}", codes + code
    return room, [*lines, values], f"({codes})" if isinstance(result_type, TUPLES) else codes


def read_array(i: int, type_: types.Array, lines: list[str]) -> list[tuple[str, str]]:
    """Append to `lines` the reading of an array, part i. Returns the (type, value) pairs to pass to
    numba's function.
    """
    for name, offset in (("data", 16), ("shape", 32), ("strides", 40)):
        lines += read(f"%{name}{i}", f"%a{i}", offset, "ptr")
    shape = [f"%length{i}.{axis}" for axis in range(type_.ndim)]
    strides = [f"%stride{i}.{axis}" for axis in range(type_.ndim)]
    size = "1"
    for axis in range(type_.ndim):
        lines += read(shape[axis], f"%shape{i}", 8 * axis, "i64")
        lines += read(strides[axis], f"%strides{i}", 8 * axis, "i64")
        lines.append(f"%size{i}.{axis} = mul i64 {size}, {shape[axis]}")
        size = f"%size{i}.{axis}"
    item_size = np.dtype(str(type_.dtype)).itemsize
    head = [("ptr", "null"), ("ptr", "null"), ("i64", size), ("i64", str(item_size))]
    return [*head, ("ptr", f"%data{i}"), *(("i64", value) for value in shape + strides)]


def read(name: str, base: str, offset: int, kind: str) -> list[str]:
    """Returns the lines that load a value of LLVM's type `kind` from an address."""
    return [
        f"{name}.at = getelementptr i8, ptr {base}, i64 {offset}",
        f"{name} = load {kind}, ptr {name}.at",
    ]
