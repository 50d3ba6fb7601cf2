"""The functions that Python calls, in LLVM's language: they check the arguments and call what numba
compiled.

An entry is a function of Python's C API (METH_FASTCALL). Its `self` is a function that raises an
exception, called with the text that `exception_text` gives. An array is read where numpy's C API
puts its fields:

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
from numba.np.numpy_support import as_dtype

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

CHECK = """
@ndarray_type = external global i8
declare ptr @PyObject_CallFunction(ptr, ptr, ...)
declare ptr @PyErr_Occurred()
declare ptr @Py_BuildValue(ptr, ...)
declare ptr @PyBool_FromLong(i64)
declare i64 @PyLong_AsUnsignedLongLongMask(ptr)
declare double @PyFloat_AsDouble(ptr)
declare i32 @PyObject_IsTrue(ptr)

@text_format = internal constant [2 x i8] c"s\\00"

; An entry runs once where its kernel runs a million times: what counts is its size.
attributes #99 = { minsize optsize }

define internal void @fail(ptr %self, ptr %exception) #99 {
  %none = call ptr (ptr, ptr, ...)
      @PyObject_CallFunction(ptr %self, ptr @text_format, ptr %exception)
  ret void
}

; Whether an argument is an array of the kind that is wanted; fails with the exception otherwise.
define internal i1 @is_array(
    ptr %self, ptr %object, i32 %dimensions, i32 %number, i32 %same_number, i32 %flags,
    ptr %exception) #99 {
  %type_at = getelementptr i8, ptr %object, i64 8
  %type = load ptr, ptr %type_at
  %type_fits = icmp eq ptr %type, @ndarray_type
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
  br i1 %fit, label %yes, label %no

yes:
  ret i1 true

no:
  call void @fail(ptr %self, ptr %exception)
  ret i1 false
}
"""


class UnsupportedType(Exception):
    """A type that cannot pass between Python and machine code; the text says which and what to use
    instead.
    """


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


def exception_text(name, arguments):
    """An exception as `shared/core/machine_code.py` raises it: name of the class and arguments, as
    Python's literals.
    """
    return repr((name, arguments))


def text_constant(name, text):
    """The definition of a zero-terminated text."""
    data = text.encode() + b"\0"
    escaped = "".join(f"\\{byte:02X}" for byte in data)
    return f'@{name} = internal constant [{len(data)} x i8] c"{escaped}"'


def entry_text(name, kernel, symbol, result_type, argument_types):
    """The definition of the entry `name` that calls numba's function `symbol`.

    Raises UnsupportedType.

    kernel: what a TypeError calls it.
    """
    n = len(argument_types)
    count_error = exception_text("TypeError", (f"{kernel} takes {n} arguments, by position",))
    constants, lines, values = [text_constant(f"{name}_count", count_error)], [], []
    for i, type_ in enumerate(argument_types):
        lines += read(f"%a{i}", "%arguments", 8 * i, "ptr")
        if isinstance(type_, types.Array):
            wanted = f"{kernel}: argument {i + 1} must be a {type_text(type_)} array of numpy"
            error = exception_text("TypeError", (wanted,))
            constants.append(text_constant(f"{name}_wrong{i}", error))
            values += read_array(i, type_, lines, f"@{name}_wrong{i}")
        else:
            values += read_scalar(i, type_, lines)
    kinds = ", ".join(["ptr", "ptr", *(kind for kind, _ in values)])
    passed = ", ".join(
        ["ptr %room", "ptr %exception_at", *(f"{kind} {value}" for kind, value in values)]
    )
    items = list(result_type) if isinstance(result_type, types.BaseTuple) else [result_type]
    room = ", ".join("ptr" if item == types.none else scalar_type(item, "result") for item in items)
    room = f"{{ {room} }}"
    built, build_format, build_lines = build_result(items, room)
    build = "\n  ".join(build_lines)
    if isinstance(result_type, types.BaseTuple):
        build_format = f"({build_format})"
    constants.append(text_constant(f"{name}_format", build_format))
    body = "\n  ".join(lines)
    return "\n".join(constants) + f"""
declare i32 @"{symbol}"({kinds})

define ptr @{name}(ptr %self, ptr %arguments, i64 %count) #99 {{
  %room = alloca {room}
  %exception_at = alloca ptr
  %count_fits = icmp eq i64 %count, {n}
  br i1 %count_fits, label %counted, label %miscounted
miscounted:
  call void @fail(ptr %self, ptr @{name}_count)
  ret ptr null
counted:
  {body}
  %error = call ptr @PyErr_Occurred()
  %converted = icmp eq ptr %error, null
  br i1 %converted, label %run, label %unfit
unfit:
  ret ptr null
run:
  %status = call i32 @"{symbol}"({passed})
  switch i32 %status, label %failed [ i32 0, label %done i32 -2, label %done ]
failed:
  %exception = load ptr, ptr %exception_at
  call void @fail(ptr %self, ptr %exception)
  ret ptr null
done:
  {build}
  %result = call ptr (ptr, ...) @Py_BuildValue(ptr @{name}_format{built})
  ret ptr %result
}}
"""


def scalar_type(type_, role):
    """LLVM's type of a scalar in memory. Raises UnsupportedType."""
    text = str(type_)
    if text not in SCALARS:
        raise UnsupportedType(
            f"{role} {text}; arrays the caller owns and these: {', '.join(SCALARS)}"
        )
    return "i8" if text == "bool" else FLOATS.get(text) or INTEGERS[text][0]


def read_scalar(i, type_, lines):
    """Append to `lines` what converts argument i; returns the (type, value) pair to pass.

    Raises UnsupportedType.
    """
    kind, text = scalar_type(type_, "argument"), str(type_)
    if text in FLOATS:
        lines.append(f"%wide{i} = call double @PyFloat_AsDouble(ptr %a{i})")
        return [(kind, converted(f"%value{i}", f"%wide{i}", "fptrunc", "double", kind, lines))]
    if text == "bool":
        lines.append(f"%wide{i} = call i32 @PyObject_IsTrue(ptr %a{i})")
        return [(kind, converted(f"%value{i}", f"%wide{i}", "trunc", "i32", kind, lines))]
    lines.append(f"%wide{i} = call i64 @PyLong_AsUnsignedLongLongMask(ptr %a{i})")
    return [(kind, converted(f"%value{i}", f"%wide{i}", "trunc", "i64", kind, lines))]


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


def read_array(i, type_, lines, exception):
    """Append to `lines` what checks and reads argument i; returns the (type, value) pairs to pass
    to numba's function.

    exception: the constant to fail with.
    """
    dtype = as_dtype(type_.dtype)
    flags = LAYOUT_FLAGS[type_.layout] | ALIGNED | (WRITEABLE if type_.mutable else 0)
    same = np.dtype(SAME_TYPES.get(type_text(type_.dtype), dtype)).num
    checked = f"ptr %self, ptr %a{i}, i32 {type_.ndim}, i32 {dtype.num}, i32 {same}, i32 {flags}"
    lines.append(f"%fits{i} = call i1 @is_array({checked}, ptr {exception})")
    lines.append(f"br i1 %fits{i}, label %fit{i}, label %unfit")
    lines.append(f"fit{i}:")
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
