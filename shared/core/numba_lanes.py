"""Lanes (`lanes.py`) for numba: values that are vectors of LLVM's, which makes of each operation those
of the processor, in as many registers as it takes.
"""

from functools import cache
from typing import Any

from shared.core.numba_kernels import COMPILED, numba
from shared.core.plain_lanes import Lanes, plain_lanes_of

Type: Any = numba.types.Type if COMPILED else object


class Vector(Type):
    """numba's type of n numbers."""

    def __init__(self, n: int):
        self.n = n
        super().__init__(name=f"{n} lanes")


def lanes_of(n: int) -> Lanes:
    """The operations on n numbers at once."""
    return vectors_of(n) if COMPILED else plain_lanes_of(n)


@cache
def vectors_of(n: int) -> Lanes:
    """The operations as numba's intrinsics; one type for each n."""
    types, cgutils, extending = numba.types, numba.core.cgutils, numba.extending
    ir, intrinsic = cgutils.ir, extending.intrinsic
    bits_16, bits_32, bits_64 = (ir.IntType(bits) for bits in (16, 32, 64))
    vector = Vector(n)

    def model_of(manager, type_):
        return extending.models.PrimitiveModel(manager, type_, ir.VectorType(bits_16, type_.n))

    numba.core.datamodel.default_manager.register(Vector, model_of)

    def address(context, builder, type_, array, at):
        """Where n numbers of an array begin, as the address of a vector."""
        first = builder.gep(context.make_array(type_)(context, builder, array).data, [at])
        numbers = ir.VectorType(ir.IntType(type_.dtype.bitwidth), n)
        return builder.bitcast(first, numbers.as_pointer())

    def read(context, builder, type_, array, at):
        """n numbers of an array, in 16 bits each."""
        size = type_.dtype.bitwidth // 8
        found = builder.load(address(context, builder, type_, array, at), align=size)
        return found if size == 2 else builder.sext(found, ir.VectorType(bits_16, n))

    @intrinsic
    def take(typing: Any, buffer: Any, at: Any) -> Any:
        def generate(context, builder, signature, arguments):
            return read(context, builder, signature.args[0], *arguments)

        return vector(buffer, types.int64), generate

    def adding(operation):
        @intrinsic
        def add(typing: Any, sums: Any, buffer: Any, at: Any) -> Any:
            def generate(context, builder, signature, arguments):
                numbers = read(context, builder, signature.args[1], *arguments[1:])
                return getattr(builder, operation)(arguments[0], numbers)

            return vector(vector, buffer, types.int64), generate

        return add

    @intrinsic
    def clip(typing: Any, sums: Any, least: Any, most: Any) -> Any:
        def generate(context, builder, signature, arguments):
            numbers, *bounds = arguments
            for bound, order in zip(bounds, "<>"):
                bound = builder.trunc(bound, bits_16)
                undefined = ir.Constant(numbers.type, ir.Undefined)
                one = builder.insert_element(undefined, bound, bits_32(0))
                places = ir.Constant(ir.VectorType(bits_32, n), [0] * n)
                everywhere = builder.shuffle_vector(one, undefined, places)
                is_beyond = builder.icmp_signed(order, numbers, everywhere)
                numbers = builder.select(is_beyond, everywhere, numbers)
            return numbers

        return vector(vector, types.int64, types.int64), generate

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
    def put(typing: Any, buffer: Any, at: Any, sums: Any) -> Any:
        def generate(context, builder, signature, arguments):
            numbers, place = arguments[2], arguments[:2]
            builder.store(numbers, address(context, builder, signature.args[0], *place), align=2)
            return context.get_dummy_value()

        return types.void(buffer, types.int64, vector), generate

    return Lanes(take, adding("add"), adding("sub"), clip, dot, put)
