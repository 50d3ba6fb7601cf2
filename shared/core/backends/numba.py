"""The backend that compiles with numba; without numba, plain Python."""

import math
import operator
import os
import sys
from collections.abc import MutableSequence
from functools import wraps
from typing import Annotated, Any, Callable, Optional, TypeVar, get_args, get_origin

import numpy as np

numba: Any = None
if os.environ.get("CG_JIT") != "0":
    try:
        import numba
    except ImportError as error:
        # By `python -m tests.lab.bench.plain_python`
        print(f"kernels run as plain Python, 100 to 1,000 times slower: {error}", file=sys.stderr)

COMPILED = numba is not None
# For tunable.py: of the bundler, while it compiles
open_number: Any = getattr(numba, "tunable_number", None)
Function = TypeVar("Function", bound=Callable[..., Any])


def njit(function: Function) -> Function:
    """Compile a function on its first call."""
    return compiled_for_kernels(function) if COMPILED else function


def inline(function: Function) -> Function:
    """Compile a function on its first call, merged into its callers."""
    return compiled_for_kernels(function, forceinline=True) if COMPILED else function


def compiled_for_kernels(function: Any, **options: Any) -> Any:
    """Compile a function for kernels without numba's wrapper for Python, which takes a third of
    the compile time. Python's rare calls compile a second function.
    """
    options |= {"error_model": "numpy"}
    without = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
    for_kernels = numba.njit(**options, **without)(function)

    @numba.njit(**options)
    def for_python(*arguments):
        return for_kernels(*arguments)

    @wraps(function)
    def call(*arguments):
        return for_python(*arguments)

    template_of, plain = for_kernels.get_call_template, numba.types.unliteral

    def get_call_template(arguments, named):
        """Give a literal the signature of any number of its type, which saves compiling it
        separately: a fifth of the compile time. A recursive function keeps numba's own lookup.
        """
        if for_kernels.typingctx.callstack.findfirst(function) is None:
            arguments = tuple(map(plain, arguments))
            named = {name: plain(one) for name, one in named.items()}
        return template_of(arguments, named)

    for_kernels.get_call_template = get_call_template
    call.for_kernels = for_kernels  # type: ignore[attr-defined]  # the type does not keep it alive
    call._numba_type_ = for_kernels._numba_type_  # type: ignore[attr-defined]
    return call


def kernel(signature: Any) -> Any:
    """Decorator of an entry point, compiled at once: plain, or with numba's signature. It raises
    the same errors for wrong arguments as machine code does.

    Other differences from plain Python are not checked. int64 wraps around, float32 stays float32,
    and division by zero raises nothing. A negative shift or an index beyond a buffer is undefined.
    Variables of modules and closures keep the values they have at compile time.
    """
    if not COMPILED:
        return with_check(signature) if callable(signature) else njit
    if callable(signature):
        types = signature_of(signature)
        # Counting references to the caller's buffers takes longer than most searches; without it,
        # Smitsimax is four times as fast.
        compiled = numba.njit(types, error_model="numpy", _nrt=False)(signature)
        return checked_kernel(compiled, types, "its annotation")
    compiled = numba.njit(signature, error_model="numpy")
    return lambda function: checked_kernel(compiled(function), signature, signature)


def signature_of(function: Any) -> Any:
    """Returns numba's signature of an annotated function. Raises TypeError."""
    signature = numba.core.utils.pysignature(function)
    annotations = {name: one.annotation for name, one in signature.parameters.items()}
    annotations["the result"] = signature.return_annotation
    missing = ", ".join(name for name, one in annotations.items() if one == signature.empty)
    if missing:
        raise TypeError(f"kernel {function.__qualname__} has no annotation of {missing}")
    *arguments, result = map(numba_type, annotations.values())
    return result(*arguments)


def with_check(function: Any) -> Any:
    """Returns a plain function that runs its `check_call` first, see `search/checks/calls.py`."""
    check = getattr(function, "check_call", None)
    if check is None:
        return function

    @wraps(function)
    def call(*arguments):
        check(*arguments)
        return function(*arguments)

    return call


SCALARS = (int, float, bool, np.int32, np.int16, np.int8, np.uint8)


def numba_type(annotation: Any, numbers: Any = None) -> Any:
    """Returns numba's type of an annotation. numbers: for a NamedTuple's type variable. Raises
    TypeError.
    """
    if hasattr(annotation, "__constraints__"):  # a type variable
        annotation = numbers
    origin, arguments = get_origin(annotation) or annotation, get_args(annotation)
    if origin is None:
        return numba.types.void
    if origin in SCALARS:
        return numba.from_dtype(np.dtype(origin))
    if origin in (MutableSequence, Annotated):
        return numba.types.Array(numba_type(arguments[-1]), 1, "C")
    if hasattr(origin, "_fields"):
        fields = numba.core.utils.pysignature(origin).parameters.values()
        fields = [numba_type(field.annotation, *arguments) for field in fields]
        if all(isinstance(field, numba.types.Array) for field in fields):
            return numba.types.BaseTuple.from_types(fields, origin)
    raise TypeError(
        f"no kernel takes {annotation!r}: int, float, bool, a buffer (Ints, Floats and so on)"
        " or a NamedTuple of buffers"
    )


# Numba's name of a parameter's type -> the function that converts an argument to it
READERS = {"Boolean": bool, "Float": lambda value: math.ldexp(value, 0), "Integer": operator.index}
# Numba treats a subclass, such as a masked array, as an array.
KNOWN = {np.ndarray, int, float, bool, np.int64, np.float64}


def are_behaved(values: tuple[Any, ...]) -> bool:
    """Returns True if all arrays in some values and their fields are aligned and writable. For
    other arrays, numba reuses the code of the first such array.
    """
    for value in values:
        if type(value) is np.ndarray:
            if not value.flags.behaved:
                return False
        elif isinstance(value, tuple) and not are_behaved(value):
            return False
    return True


def checked_kernel(compiled: Any, signature: Any, shown: Any) -> Any:
    """Wrap a compiled kernel so that it refuses the same arguments as machine code; `shown`: the
    signature for the error message.
    """
    types = numba.core.sigutils.normalize_signature(signature)[0]
    names = list(numba.core.utils.pysignature(compiled.py_func).parameters)
    known = {getattr(type_, "instance_class", int) for type_ in types} | KNOWN
    exact = numba.njit(compiled.py_func)
    if compiled.overloads:  # the bundler also imports without compiling
        exact.add_overload(compiled.overloads[types])
    exact._compile_for_args = lambda *arguments: convert_and_call
    check = getattr(compiled.py_func, "check_call", None)

    def convert_and_call(*arguments):
        return compiled(*converted(arguments, types, names))

    def converted(arguments, types, names, is_refused=False):
        values = []
        for value, type_, name in zip(arguments, types, names):
            kind, fits, error = type(type_).__name__, True, TypeError
            if kind == "Array":
                fits = type(value) is np.ndarray
                if fits and is_refused:
                    found = exact.typeof_pyval(value)
                    fits = value.flags.aligned and found.can_convert_to(None, type_)
            elif hasattr(type_, "instance_class"):
                fits = isinstance(value, tuple) and len(value) == len(type_)
                if fits:
                    fields = [f"{name}.{field}" for field in type_.fields]
                    value = type_.instance_class(*converted(value, type_, fields, is_refused))
            elif kind in READERS:
                value, error = READERS[kind](value), OverflowError
                fits = kind != "Integer" or type_.minval <= value <= type_.maxval
            if not fits:
                raise error(f"{call.__name__}: argument {name} does not fit {shown}")
            values.append(value)
        return values

    @wraps(compiled.py_func)
    def call(*arguments, **named):
        if named:
            raise TypeError(f"{call.__name__}() takes no keyword arguments")
        if len(arguments) != len(types):
            raise TypeError(f"{call.__name__} takes {len(types)} arguments, by position")
        if check is not None:
            check(*arguments)
        try:
            for value in arguments:
                if type(value) not in known:
                    return convert_and_call(*arguments)
            if not are_behaved(arguments):
                converted(arguments, types, names, is_refused=True)
            return exact(*arguments)  # a compiled signature converts no arguments
        except Exception:
            converted(arguments, types, names, is_refused=True)
            raise

    call._numba_type_ = compiled._numba_type_  # type: ignore[attr-defined]  # for kernels that call it
    return call


def make_prefetch() -> Any:
    """Make `prefetch` of `jit.py`, an intrinsic."""
    if not COMPILED:
        return lambda buffer, at: None
    types, cgutils = numba.types, numba.core.cgutils
    ir = cgutils.ir

    @numba.extending.intrinsic
    def prefetch(typing: Any, buffer: Any, at: Any) -> Any:
        def generate(context, builder, signature, arguments):
            array = context.make_array(signature.args[0])(context, builder, arguments[0])
            address, bits_32 = cgutils.voidptr_t, ir.IntType(32)
            taking = ir.FunctionType(ir.VoidType(), [address, bits_32, bits_32, bits_32])
            load = cgutils.get_or_insert_function(builder.module, taking, "llvm.prefetch.p0i8")
            place = builder.bitcast(builder.gep(array.data, [arguments[1]]), address)
            # To be read, kept in all caches, data
            builder.call(load, [place, bits_32(0), bits_32(3), bits_32(1)])
            return context.get_dummy_value()

        return types.void(buffer, types.int64), generate

    return prefetch


prefetch = make_prefetch()


def checked_unsigned(i: int) -> int:
    """Returns i. Raises IndexError for a negative i."""
    if i < 0:
        raise IndexError(f"unsigned({i}): the index is negative")
    return i


def make_unsigned() -> Any:
    """Make `unsigned` of `jit.py`, an intrinsic."""
    if not COMPILED:
        return checked_unsigned
    types, cgutils = numba.types, numba.core.cgutils
    ir = cgutils.ir

    @numba.extending.intrinsic
    def unsigned(typing: Any, i: Any) -> Any:
        def generate(context, builder, signature, arguments):
            index = context.cast(builder, arguments[0], signature.args[0], types.int64)
            taking = ir.FunctionType(ir.VoidType(), [ir.IntType(1)])
            assume = cgutils.get_or_insert_function(builder.module, taking, "llvm.assume")
            # So that LLVM knows as well that 4 * i + 3 is not negative
            builder.call(assume, [builder.icmp_unsigned("<", index, index.type(1 << 48))])
            return index

        return types.int64(i), generate

    return unsigned


unsigned = make_unsigned()


@inline
def copy_one_by_one(source: Any, first: int, target: Any, start: int, n: int) -> None:
    """Copy n numbers in compiled functions: LLVM makes blocks of the loop."""
    for i in range(n):
        target[unsigned(start + i)] = source[unsigned(first + i)]


def copy_slice(source: Any, first: int, target: Any, start: int, n: int) -> None:
    """Copy n numbers in plain Python."""
    target[start : start + n] = source[first : first + n]


copy_numbers = copy_one_by_one if COMPILED else copy_slice


def make_local_ints() -> Any:
    """Make `local_ints` of `jit.py`, an intrinsic."""
    if not COMPILED:
        return lambda n: [0] * n
    types, cgutils = numba.types, numba.core.cgutils
    ir = cgutils.ir

    @numba.extending.intrinsic
    def local_ints(typing: Any, n: Any) -> Any:
        if not isinstance(n, types.IntegerLiteral):
            return None  # numba tries a literal again
        buffer = types.Array(types.int64, 1, "C")

        def generate(context, builder, signature, arguments):
            size, word = n.literal_value, ir.IntType(64)
            with builder.goto_entry_block():
                room = builder.alloca(ir.ArrayType(word, size))
            builder.store(ir.Constant(ir.ArrayType(word, size), None), room)
            array = context.make_array(buffer)(context, builder)
            context.populate_array(
                array,
                data=builder.bitcast(room, word.as_pointer()),
                shape=cgutils.pack_array(builder, [word(size)]),
                strides=cgutils.pack_array(builder, [word(8)]),
                itemsize=word(8),
                meminfo=None,
            )
            return array._getvalue()

        return buffer(n), generate

    return local_ints


local_ints = make_local_ints()


Type: Any = numba.types.Type if COMPILED else object


class Vector(Type):
    """numba's type of n numbers."""

    def __init__(self, n: int):
        self.n = n
        super().__init__(name=f"{n} lanes")


def vector_operations(n: int) -> Optional[tuple[Any, ...]]:
    """Returns the operations of `simd.py`, in order, as intrinsics; None without numba.

    Values are LLVM's vectors of n numbers, of one type for each n.

    LLVM translates each operation to the processor's own, in as many registers as needed.
    """
    if not COMPILED:
        return None
    types, cgutils, extending = numba.types, numba.core.cgutils, numba.extending
    ir, intrinsic = cgutils.ir, extending.intrinsic
    bits_16, bits_32, bits_64 = (ir.IntType(bits) for bits in (16, 32, 64))
    vector = Vector(n)

    def model_of(manager, type_):
        return extending.models.PrimitiveModel(manager, type_, ir.VectorType(bits_16, type_.n))

    numba.core.datamodel.default_manager.register(Vector, model_of)

    def address(context, builder, type_, array, at):
        """Returns a vector pointer to n numbers of an array."""
        first = builder.gep(context.make_array(type_)(context, builder, array).data, [at])
        numbers = ir.VectorType(ir.IntType(type_.dtype.bitwidth), n)
        return builder.bitcast(first, numbers.as_pointer())

    def read(context, builder, type_, array, at):
        """Load n numbers of an array, as 16-bit numbers."""
        size = type_.dtype.bitwidth // 8
        found = builder.load(address(context, builder, type_, array, at), align=size)
        return found if size == 2 else builder.sext(found, ir.VectorType(bits_16, n))

    @intrinsic
    def load(typing: Any, buffer: Any, at: Any) -> Any:
        def generate(context, builder, signature, arguments):
            return read(context, builder, signature.args[0], *arguments)

        return vector(buffer, types.int64), generate

    def make_sum(operation):
        @intrinsic
        def apply(typing: Any, sums: Any, buffer: Any, at: Any) -> Any:
            def generate(context, builder, signature, arguments):
                numbers = read(context, builder, signature.args[1], *arguments[1:])
                return operation(builder)(arguments[0], numbers)

            return vector(vector, buffer, types.int64), generate

        return apply

    def spread(builder, number, type_):
        """Copy a number n times."""
        number, undefined = builder.trunc(number, bits_16), ir.Constant(type_, ir.Undefined)
        one = builder.insert_element(undefined, number, bits_32(0))
        places = ir.Constant(ir.VectorType(bits_32, n), [0] * n)
        return builder.shuffle_vector(one, undefined, places)

    @intrinsic
    def clip(typing: Any, sums: Any, least: Any, most: Any) -> Any:
        def generate(context, builder, signature, arguments):
            numbers, *bounds = arguments
            for bound, order in zip(bounds, "<>"):
                everywhere = spread(builder, bound, numbers.type)
                is_beyond = builder.icmp_signed(order, numbers, everywhere)
                numbers = builder.select(is_beyond, everywhere, numbers)
            return numbers

        return vector(vector, types.int64, types.int64), generate

    @intrinsic
    def square(typing: Any, sums: Any, shift: Any) -> Any:
        def generate(context, builder, signature, arguments):
            numbers, places = arguments
            squares = builder.mul(numbers, numbers)
            return builder.ashr(squares, spread(builder, places, numbers.type))

        return vector(vector, types.int64), generate

    @intrinsic
    def dot(typing: Any, sums: Any, buffer: Any, at: Any) -> Any:
        def generate(context, builder, signature, arguments):
            numbers = read(context, builder, signature.args[1], *arguments[1:])
            wide = ir.VectorType(bits_32, n)
            factors = builder.sext(arguments[0], wide), builder.sext(numbers, wide)
            name, taking = f"llvm.vector.reduce.add.v{n}i32", ir.FunctionType(bits_32, [wide])
            add_all = cgutils.get_or_insert_function(builder.module, taking, name)
            return builder.sext(builder.call(add_all, [builder.mul(*factors)]), bits_64)

        return types.int64(vector, buffer, types.int64), generate

    @intrinsic
    def store(typing: Any, buffer: Any, at: Any, sums: Any) -> Any:
        def generate(context, builder, signature, arguments):
            numbers, place = arguments[2], arguments[:2]
            builder.store(numbers, address(context, builder, signature.args[0], *place), align=2)
            return context.get_dummy_value()

        return types.void(buffer, types.int64, vector), generate

    add, subtract = make_sum(lambda one: one.add), make_sum(lambda one: one.sub)
    return (load, add, subtract, clip, square, dot, store)
