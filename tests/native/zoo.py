"""Kernels of every kind in a native bundle, each called with a few arguments; prints the results
bit by bit.

Flattened like a bot, then run as machine code, under numba and as plain Python: all must print the
same.
"""

import math
from typing import NamedTuple

import numpy as np

from shared.core.jit import (
    Floats,
    Ints,
    Numbers,
    buffer_of,
    float_buffer,
    inline,
    int_buffer,
    kernel,
    njit,
    of_numbers,
)
from shared.games.tic_tac_toe import game as tic_tac_toe
from shared.search.evaluation import make_output, n_weights
from shared.search.network import Network, Shape, make_game, make_refresh, new_network
from shared.search.second_layer import joined, make_second_layer
from tests.native import namesakes

DTYPES = ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64")
FLOATS = (-1e9, -2.5, -1.0, -0.3, -0.0, 0.0, 1e-300, 0.1, 0.5, 1.0, math.pi, 12345.678, 1e18)


class OutOfTurn(Exception):
    """An exception of the bot's own."""


@kernel(
    "int64(int8[::1], int16[::1], int32[::1], int64[::1], uint8[::1], uint16[::1], uint32[::1])"
)
def sum_integers(a, b, c, d, e, f, g):
    total = 0
    for i in range(len(a)):
        total += int(a[i]) + int(b[i]) + int(c[i]) + int(d[i]) + int(e[i]) + int(f[i]) + int(g[i])
    return total


@kernel("uint64(uint64[::1], uint64)")
def first_unsigned(a, other):
    return a[0] ^ other


@kernel("float64(float32[::1], float64[::1], bool[::1], float64)")
def sum_floats(a, b, chosen, scale):
    total = 0.0
    for i in range(len(a)):
        if chosen[i]:
            total += np.float64(a[i]) * float(b[i])
    return total / float(scale)


@kernel("int64(int64[:])")
def strided(a):
    total = 0
    for i in range(len(a)):
        total = total * 10 + int(a[i])
    return total


@kernel("float64(float64[:, ::1], int64[:, :, ::1], float64[::1, :], float64[:, :])")
def matrices(a, b, c, d):
    total = 0.0
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            total += float(a[i, j]) * int(b[i, j, 1]) - float(c[i, j]) + float(d[i, j])
            a[i, j] = -total
    return total


@kernel("float64(float64[:])")
def no_elements(a):
    return float(len(a))


@kernel("void(float64[::1], float64)")
def fill(a, value):
    for i in range(len(a)):
        a[i] = value


@kernel("int64(int8, int16, int32, int64, uint8, uint16, uint32, bool)")
def sum_scalars(a, b, c, d, e, f, g, negative):
    total = int(a) + int(b) + int(c) + int(d) + int(e) + int(f) + int(g)
    return -total if negative else total


@kernel("float64(float64)")
def narrowed(x):
    return x * 0.5


@kernel("bool(int64)")
def is_odd(n):
    return n % 2 == 1


@kernel("int8(int8)")
def small(n):
    return n


@kernel("Tuple((int64, float64, none, bool))(int64)")
def mixed_tuple(n):
    return n // 3, n / 3.0, None, n > 3


@kernel("UniTuple(float64, 2)(float64)")
def pair(x):
    return x + 1.0, x - 1.0


@kernel("Tuple((int64,))(int64)")
def single(n):
    return (n + 1,)


@kernel("int64(int64)")
def fibonacci(n):
    return n if n < 2 else fibonacci(n - 1) + fibonacci(n - 2)


@kernel("int64(int64)")
def successor(n):
    return n + 1


@kernel("int64(int64)")
def collatz(n):
    steps = 0
    while n != 1:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        steps += 1
        if steps > 1000:
            break
    return steps


@kernel("int64(int64)")
def twice(n):
    """Calls a kernel, and so inlines it."""
    return successor(n) * 2


@kernel("int64(int64, int64)")
def floor_division(a, b):
    return (a // b) * 1000 + a % b


@kernel("void(float64, float64[::1])")
def functions(x, out):
    out[0] = math.sin(x)
    out[1] = math.cos(x)
    out[2] = math.tan(x)
    out[3] = math.atan(x)
    out[4] = math.atan2(x, 3.0)
    out[5] = math.degrees(x)
    out[6] = math.sqrt(abs(x))
    out[7] = math.floor(x)
    out[8] = math.ceil(x)
    out[9] = math.exp(-abs(x))
    out[10] = math.log(abs(x) + 1.0)
    out[11] = math.pow(abs(x), 0.7)
    out[12] = x % 3.0
    out[13] = math.sqrt(x * x + 1.0)
    out[14] = round(x % 1000.0)
    out[15] = math.asin(math.cos(x))
    out[16] = math.acos(math.sin(x))
    out[17] = math.copysign(1.0, x)
    out[18] = min(x, 0.5) + max(x, -0.5)
    out[19] = int(x % 1000.0)


@kernel("void(float64[::1], float64[::1], float64[::1])")
def headings(angles, xs, ys):
    """A loop that LLVM would vectorise, with the sine and the cosine of one angle."""
    for i in range(len(angles)):
        xs[i] = math.cos(angles[i]) * 100.0
        ys[i] = math.sin(angles[i]) * 100.0


@njit
def forbidden(n):
    if n == 4:
        raise IndexError('quotes " and a backslash \\5C survive LLVM')
    return n


@kernel("int64(int64)")
def careful(n):
    if n == 1:
        raise ValueError("one is not allowed")
    if n == 2:
        raise KeyError
    if n == 3:
        raise OutOfTurn("turn", 3)
    if n == 6:  # not 5: a table of these exceptions would have a hole
        raise ValueError
    return forbidden(n)


@kernel("float64(int64)")
def allocating(n):
    squares = np.zeros(n, np.float64)
    table = np.empty((n, 2), np.int64)
    for i in range(n):
        squares[i] = i * i
        table[i, 1] = i
    total = 0.0
    for i in range(n):
        total += squares[i] * table[i, 1]
    return total


def make_walk(step, stop):
    """A factory like those of the searches; two kernels made by it have one name."""

    @inline
    def advance(position):
        return step(position) + 1

    def walk(position, visited):
        n = 0
        while position < stop and n < len(visited):
            visited[n] = position
            position = advance(position)
            n += 1
        return n

    return walk


@njit
def double(position):
    return position * 2


@njit
def triple(position):
    return position * 3


walk_doubling = kernel("int64(int64, int64[::1])")(make_walk(double, 1000))
walk_tripling = kernel("int64(int64, int64[::1])")(make_walk(triple, 1000))


class Points(NamedTuple):
    """Buffers of one type."""

    xs: Floats
    ys: Floats


class Cells(NamedTuple):
    """Buffers of two types, one of them the caller's choice."""

    chosen: Ints
    values: Numbers
    __class_getitem__ = of_numbers


@kernel
def move(points: Points, dx: float, forth: bool, moved: Ints) -> float:
    total = 0.0
    for i in range(len(moved)):
        points.xs[i] += dx if forth else -dx
        points.ys[i] += points.xs[i]
        moved[i] += 1
        total += points.xs[i] * points.ys[i]
    return total


def make_add(numbers):
    """A factory whose kernels take states of either type."""

    @inline
    def add_chosen(cells, scale):
        for i in range(len(cells.chosen)):
            cells.values[cells.chosen[i]] += scale

    def add(root: numbers, cells: Cells[numbers], points: Points, n: int) -> None:
        for _ in range(n):
            add_chosen(cells, root[0])
        points.xs[0] = float(cells.values[0])

    return add


add_floats = kernel(make_add(Floats))
add_ints = kernel(make_add(Ints))


def shown(value):
    """A value without the differences between numpy's scalars and Python's."""
    if isinstance(value, tuple):
        return [shown(item) for item in value]
    if isinstance(value, (bool, np.bool_)):
        return bool(value)
    if isinstance(value, (float, np.floating)):
        return float(value).hex()
    return value if value is None else int(value)


def flat(arguments):
    """The arguments, with the fields of tuples in place of the tuples."""
    for argument in arguments:
        yield from argument if isinstance(argument, tuple) else [argument]


def attempt(function, *arguments):
    """Call and print the result or the exception, then the buffers."""
    try:
        result = shown(function(*arguments))
    except (ValueError, KeyError, IndexError, OutOfTurn, namesakes.OutOfTurn) as error:
        names = {OutOfTurn: "OutOfTurn", namesakes.OutOfTurn: "that of the namesakes"}
        result = f"{names.get(type(error), type(error).__name__)}{error.args}"
    buffers = [
        [shown(item) for item in np.ravel(argument)]
        for argument in flat(arguments)
        if isinstance(argument, (list, np.ndarray))
    ]
    print(function.__name__, result, buffers)


LAYERS = (3, 5, 4)
guess = make_output(LAYERS)


@kernel
def perceptron(weights: Ints, units: Ints) -> int:
    return guess(weights, units)


SHAPE = Shape(words=1, word_bits=18, hidden=8, actions=9, second=4)


@inline
def write_cells(tables, state, player, seen):
    crosses, noughts = state[player ^ state[2] & 1], state[1 - (player ^ state[2] & 1)]
    seen[0] = crosses | noughts << 9


TWO_LAYERS = make_game(
    tic_tac_toe.GAME,
    write_cells,
    inline(lambda action: action),
    SHAPE,
    deepen=make_second_layer(SHAPE),
)
evaluate, priors = TWO_LAYERS.evaluate, TWO_LAYERS.priors
refresh = kernel(make_refresh(write_cells, SHAPE))


@kernel
def two_layers(network: Network, state: Ints, actions: Ints, n: int, shares: Floats) -> int:
    priors(network, state, actions, n, shares)
    return evaluate(network, state)


def new_two_layers():
    sizes = {"rows": 18 * 8, "biases": 8, "middle": 4 * 8, "shifts": 4, "value": 4, "policy": 9 * 4}
    numbers = {name: [37 * i * i % 201 - 90 for i in range(size)] for name, size in sizes.items()}
    numbers["middle"] = [37 * i * i % 31 - 9 for i in range(4 * 8)]
    network = new_network(tic_tac_toe.new_setup(), joined(numbers | {"outputs": [0] * 10}), SHAPE)
    refresh(network, tic_tac_toe.new_state())
    return network


def main():
    integers = [np.array([1, 2, 100], dtype) for dtype in DTYPES]
    attempt(sum_integers, *integers[:7])
    attempt(first_unsigned, np.array([2**64 - 1], np.uint64), np.uint64(2**63 + 5))
    fractions = np.array([0.1, 0.2, 0.3])
    attempt(sum_floats, fractions.astype("f4"), fractions, np.array([True, False, True]), 0.1875)
    digits = np.arange(10)
    attempt(strided, digits[1:9:3])
    attempt(strided, digits[::-2])
    grid = np.linspace(0.0, 1.0, 6).reshape(2, 3)
    attempt(
        matrices,
        grid,
        np.arange(12).reshape(2, 3, 2),
        np.asfortranarray(grid * 0.7),
        grid.T.copy().T,
    )
    attempt(no_elements, np.zeros(0))
    attempt(fill, float_buffer(3), 2.5)
    attempt(sum_scalars, -128, -3000, 70000, -(2**40), 255, 65535, 2**32 - 1, True)
    attempt(sum_scalars, *(np.int64(n) for n in range(7)), False)
    for x in FLOATS:
        if abs(x) < 1e9:
            attempt(narrowed, np.float32(x))
        out = float_buffer(20)
        attempt(functions, x, out)
    for n in (-5, 0, 1, 7, np.int64(9)):
        attempt(is_odd, n)
        attempt(small, n)
        attempt(mixed_tuple, n)
        attempt(pair, float(n))
        attempt(single, n)
    attempt(fibonacci, 15)
    attempt(collatz, 27)
    attempt(twice, 20)
    for a, b in ((7, 3), (-7, 3), (7, -3), (-7, -3)):
        attempt(floor_division, a, b)
    angles = float_buffer([0.37 * i for i in range(33)])
    attempt(headings, angles, float_buffer(33), float_buffer(33))
    for n in range(7):
        attempt(careful, n)
    for n in range(2):
        attempt(namesakes.load_code, n)
        attempt(namesakes.decode_text, n)
    for n in (0, 1, 1000):
        attempt(allocating, n)
    attempt(walk_doubling, 1, int_buffer(20))
    attempt(walk_tripling, 1, int_buffer(20))
    points = Points(float_buffer([0.1, 0.2, 0.3]), float_buffer(3))
    for forth in (True, False):
        attempt(move, points, 0.7, forth, int_buffer(3))
    for add, numbers in ((add_floats, Floats), (add_ints, Ints)):
        cells = Cells(int_buffer([0, 2, 2]), buffer_of(numbers, 3))
        attempt(add, buffer_of(numbers, [7]), cells, points, 5)
    weights = int_buffer([997 * i * i % 2001 - 1000 for i in range(n_weights(LAYERS))])
    attempt(perceptron, weights, int_buffer([3, -1, 2, *[0] * 7]))
    network = new_two_layers()
    for cells in ((), (4, 0, 8)):
        state = tic_tac_toe.new_state(cells)
        attempt(two_layers, network, state, int_buffer([1, 3, 6]), 3, float_buffer(3))


if __name__ == "__main__":
    main()
