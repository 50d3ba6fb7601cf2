"""Kernels from public reports and from numba's documented deviations, each with its calls.

A row: (name, what the refusal says or "" for equal answers, calls, source). An equal kernel returns
in machine code, under numba and in plain Python the same, to the last bit.
"""

Row = tuple[str, str, str, str]

ROWS: list[Row] = []


def row(name: str, said: str, calls: str, source: str) -> None:
    ROWS.append((name, said, calls, source.strip("\n")))


# Integers

row(
    "a xorshift with a mask of 64 bits",
    "the number 18446744073709551615, of more than 63 bits",
    "f(37)",
    """
@kernel
def f(x: int) -> int:
    x ^= (x << 13) & 0xFFFFFFFFFFFFFFFF
    x ^= x >> 7
    return x & 0xFFFF
""",
)
row(
    "a captured constant of 64 bits",
    "the number 9223372036854775808, of more than 63 bits",
    "f(3)",
    """
TOP = 1 << 63
@kernel
def f(x: int) -> bool:
    return x & TOP != 0
""",
)
row(
    "a xorshift with a mask of 63 bits",
    "",
    "f(37), f(2**62)",
    """
@kernel
def f(x: int) -> int:
    x ^= (x << 1) & 0x7FFFFFFFFFFFFFFF
    x ^= x >> 7
    return x & 0xFFFF
""",
)
row(
    "bytes added to a sum",
    "",
    "f(Bs([200, 100, 7]), -400)",
    """
@kernel
def f(a: Bytes, n: int) -> int:
    total = a[0] + a[1] + n
    return int(total)
""",
)
row(
    "bytes subtracted",
    "sub of uint8, which wraps",
    "f(Bs([1, 2]))",
    """
@kernel
def f(a: Bytes) -> int:
    return a[0] - a[1]
""",
)
row(
    "bytes combined with an int",
    "",
    "f(Bs([1, 200, 255]))",
    """
@kernel
def f(a: Bytes) -> int:
    return (a[0] | 0) - (int(a[1]) | 0) + (a[2] | 0) * 3
""",
)
row(
    "narrow numbers multiplied",
    "",
    "f(I8([100, -128, 7])), f(I8([-1, -1, 0]))",
    """
@kernel
def f(a: Int8s) -> int:
    return a[0] * a[1] + (a[0] << 9) - a[2]
""",
)
row(
    "a product of narrow numbers without an int",
    "",
    "f(I8([100, -128]), I16([30000, 2]), I32([2**31 - 1, 2]))",
    """
@kernel
def f(a: Int8s, b: Int16s, c: Int32s) -> int:
    return a[0] * a[0] + a[1] * a[1] + b[0] * b[0] + c[0] * c[0] + a[1] * c[0]
""",
)
row(
    "a narrow number negated",
    "neg of int8, which wraps",
    "f(I8([-128]))",
    """
@kernel
def f(a: Int8s) -> int:
    return -a[0]
""",
)
row(
    "the size of a narrow number",
    "abs of int8, which wraps",
    "f(I8([-128]))",
    """
@kernel
def f(a: Int8s) -> int:
    return abs(a[0])
""",
)
row(
    "a narrow number inverted",
    "",
    "f(I8([-128, 5]))",
    """
@kernel
def f(a: Int8s) -> int:
    return ~a[0] + ~a[1]
""",
)
row(
    "a byte inverted",
    "invert of uint8, which wraps",
    "f(Bs([5]))",
    """
@kernel
def f(a: Bytes) -> int:
    return ~a[0]
""",
)
row(
    "bytes in all other operations",
    "",
    "f(Bs([250, 7, 3])), f(Bs([1, 2, 0]))",
    """
@kernel
def f(a: Bytes) -> int:
    x = 1000 * int(a[0] > a[1]) + (a[0] & a[1]) + (a[0] ^ a[1]) * 3
    return x + (a[0] // 3) + (a[0] % 7) + (a[0] << 9) + (a[0] >> 2) + a[0] * a[1]
""",
)
row(
    "a quotient of bytes",
    "",
    "f(Bs([250, 7]))",
    """
@kernel
def f(a: Bytes) -> float:
    return a[0] / a[1]
""",
)
row(
    "bytes divided without remainder",
    "",
    "f(Bs([250, 7]))",
    """
@kernel
def f(a: Bytes) -> int:
    return a[0] // a[1] * 10 + a[0] % a[1]
""",
)
row(
    "the larger of a byte and an int",
    "",
    "f(Bs([250]), -3), f(Bs([250]), 300)",
    """
@kernel
def f(a: Bytes, n: int) -> int:
    return max(a[0], n) * 1000 + min(a[0], n)
""",
)
row(
    "a byte compared with a negative int",
    "",
    "f(Bs([250]), -3), f(Bs([253]), 253)",
    """
@kernel
def f(a: Bytes, n: int) -> bool:
    return a[0] > n and n < a[0] and a[0] != n
""",
)
row(
    "bytes added compared with a negative int",
    "",
    "f(Bs([250, 3]), -3), f(Bs([0, 1]), 1)",
    """
@kernel
def f(a: Bytes, n: int) -> bool:
    return a[0] + a[1] > n
""",
)
row(
    "a variable of sums of bytes and of ints",
    "converted from int to float",
    "f(Bs([250, 3]))",
    """
@kernel
def f(a: Bytes) -> int:
    x = 3
    if a[0] > 4:
        x = a[0] + a[1]
    return int(x)
""",
)
row(
    "an int to the power of an int",
    "an int ** an int, which is a float below 0",
    "f(2, -1)",
    """
@kernel
def f(a: int, n: int) -> float:
    return a**n * 1.0
""",
)
row(
    "an int to a negative power",
    "an int ** an int",
    "f(10)",
    """
@kernel
def f(a: int) -> float:
    return a**-3 * 1.0
""",
)
row(
    "an int squared and cubed",
    "",
    "f(-7), f(3)",
    """
@kernel
def f(a: int) -> int:
    return a**2 + a**3 + pow(a, 4)
""",
)
row(
    "division and remainder of negative ints",
    "",
    "[f(a, b) for a in (7, -7, 0) for b in (3, -3, 7)]",
    """
@kernel
def f(a: int, b: int) -> int:
    q, r = divmod(a, b)
    return (a // b) * 10_000 + (a % b) * 100 + q * 10 + r
""",
)
row(
    "a shift by a constant of 64 bits",
    "a shift by 64 bits",
    "f(5)",
    """
@kernel
def f(a: int) -> int:
    return a >> 64
""",
)
row(
    "shifts of negative ints",
    "",
    "f(-5, 1), f(-1, 63), f(5, 3)",
    """
@kernel
def f(a: int, n: int) -> int:
    return (a >> n) * 100 + ((a << 2) >> 1)
""",
)
row(
    "true division of ints",
    "",
    "f(7, 2), f(-7, 3), f(6, 3)",
    """
@kernel
def f(a: int, b: int) -> float:
    return a / b
""",
)
row(
    "an int divided in place",
    "converted from int to float",
    "f(7)",
    """
@kernel
def f(a: int) -> float:
    x = a
    for i in range(a - 7):
        x /= 2
    return float(x)
""",
)
row(
    "bits counted by Kernighan's loop",
    "",
    "f(0), f(-1 & 0xFFFFFFFF), f(2**62 + 5)",
    """
@kernel
def f(x: int) -> int:
    n = 0
    while x:
        x &= x - 1
        n += 1
    return n
""",
)
row(
    "bit_length of an int",
    "Unknown attribute 'bit_length'",
    "f(9)",
    """
@kernel
def f(x: int) -> int:
    return x.bit_length()
""",
)
row(
    "an int from a text",
    "No implementation of function",
    "f(9)",
    """
@kernel
def f(x: int) -> int:
    return int("1" * 2) + x
""",
)

# Bools

row(
    "bools added",
    "add of bools: write int(x)",
    "f(3, 4), f(4, 3)",
    """
@kernel
def f(a: int, b: int) -> int:
    return (a < b) + (a != b)
""",
)
row(
    "a bool inverted",
    "invert of a bool",
    "f(3), f(4)",
    """
@kernel
def f(a: int) -> int:
    return ~(a == 3) * 1
""",
)
row(
    "a bool negated",
    "neg of a bool",
    "f(3), f(4)",
    """
@kernel
def f(a: int) -> int:
    return -(a == 3) * 1
""",
)
row(
    "a bool and an int as one variable",
    "converted from bool to int",
    "f(3), f(1)",
    """
@kernel
def f(a: int) -> bool:
    x = a > 2
    if a == 1:
        x = 5
    return x == 1
""",
)
row(
    "a bool returned for an int",
    "a result of the type bool, converted to int",
    "f(3)",
    """
@kernel
def f(a: int) -> int:
    return a > 2
""",
)
row(
    "an int returned for a bool",
    "a result of the type int, converted to bool",
    "f(3)",
    """
@kernel
def f(a: int) -> bool:
    return a & 3
""",
)
row(
    "`and` of an int and a bool",
    "converted from",
    "f(3), f(0)",
    """
@kernel
def f(a: int) -> int:
    x = a and a > 2
    return x * 1
""",
)
row(
    "`or` of ints",
    "",
    "f(3), f(0)",
    """
@kernel
def f(a: int) -> int:
    return (a or 7) + (a and 9)
""",
)
row(
    "bools combined by bits",
    "",
    "[f(a, b) for a in (True, False) for b in (True, False)]",
    """
@kernel
def f(a: bool, b: bool) -> int:
    x = a ^ b
    y = a & b
    z = a | b
    return x * 4 + y * 2 + z
""",
)
row(
    "a chained comparison",
    "",
    "f(1), f(5), f(9)",
    """
@kernel
def f(a: int) -> bool:
    return 0 < a <= 5 != 3
""",
)
row(
    "a bool as an index",
    "",
    "f(Is([3, 4]), 1), f(Is([3, 4]), 5)",
    """
@kernel
def f(a: Ints, n: int) -> int:
    return a[int(n > 2)]
""",
)
row(
    "`is` of ints",
    "`is` of numbers",
    "f(1000)",
    """
@kernel
def f(a: int) -> bool:
    b = a + 1
    return b - 1 is a
""",
)
row(
    "the larger of a bool and an int",
    "max of numbers of several types",
    "f(0)",
    """
@kernel
def f(a: int) -> int:
    return max(a == 0, a) * 1
""",
)

# Floats

FLOATS = """\
[
        f(a, b)
        for a in (7.5, -7.5, 0.0, -0.0, 5.0, 1e300, -1e-300)
        for b in (3.0, -3.0, 0.1, 1e-5, inf, -inf)
    ]"""

row(
    "an int returned for a float",
    "a result of the type int, converted to float",
    "f(3)",
    """
@kernel
def f(a: int) -> float:
    return a
""",
)
row(
    "a float returned for an int",
    "a result of the type float, converted to int",
    "f(3)",
    """
@kernel
def f(a: int) -> int:
    return a / 2
""",
)
row(
    "an int that becomes a float in a loop",
    "total, converted from int to float",
    "f(Fs([]))",
    """
@kernel
def f(a: Floats) -> float:
    total = 0
    for i in range(len(a)):
        total += a[i]
    return total
""",
)
row(
    "a conditional expression of an int and a float",
    "a value, converted from int to float",
    "f(3)",
    """
@kernel
def f(a: int) -> float:
    return (1 if a > 2 else 0.5) * 1
""",
)
row(
    "an int stored among floats",
    "a value stored in a buffer, converted from int to float",
    "f(Fs([1.5]))",
    """
@kernel
def f(a: Floats) -> float:
    a[0] = 3
    return a[0] * 1
""",
)
row(
    "a float stored among ints",
    "a value stored in a buffer, converted from float to int",
    "f(Is([1]))",
    """
@kernel
def f(a: Ints) -> int:
    a[0] *= 0.5
    return 1
""",
)
row(
    "an int passed to a kernel for a float",
    "an argument, converted from int to float",
    "f(3)",
    """
@kernel
def g(x: float) -> float:
    return x
@kernel
def f(a: int) -> float:
    return g(a)
""",
)
row(
    "the larger of an int and a float",
    "max of numbers of several types",
    "f(3)",
    """
@kernel
def f(a: int) -> float:
    return max(a, 0.5) * 1
""",
)
row(
    "a loop over numbers of several types",
    "Invalid use of getiter",
    "f(3)",
    """
@kernel
def f(a: int) -> float:
    last = 0.0
    for x in (1, 2.5):
        last = last * 10 + x * a
    return last
""",
)
row(
    "a loop over a tuple of ints",
    "",
    "f(3)",
    """
DELTAS = (1, -1, 9)
@kernel
def f(a: int) -> int:
    total = 0
    for d in DELTAS:
        total = total * 10 + d * a
    return total + DELTAS[a - 1] + len(DELTAS)
""",
)
row(
    "division and remainder of floats",
    "",
    FLOATS,
    """
@kernel
def f(a: float, b: float) -> float:
    return (a % b) * 16 + a % 3
""",
)
row(
    "floor division of floats",
    "",
    FLOATS,
    """
@kernel
def f(a: float, b: float) -> float:
    return a // b
""",
)
row(
    "divmod of floats",
    "",
    "[f(a, b) for a in (7.5, -7.5, 0.0, -0.0, 5.0) for b in (3.0, -3.0, 0.1, inf)]",
    """
@kernel
def f(a: float, b: float) -> float:
    q, r = divmod(a, b)
    return q * 1000 + r
""",
)
row(
    "rounding to an int",
    "",
    "[f(x) for x in (0.5, 1.5, 2.5, -0.5, -1.5, 2.4999999999999996, 0.49999999999999994, 1e15)]",
    """
@kernel
def f(x: float) -> int:
    return round(x) * 10 + int(x) + math.floor(x) + math.ceil(x) + math.trunc(x)
""",
)
row(
    "rounding to digits",
    "round to digits, whose last bits differ",
    "f(2.675), f(1.005)",
    """
@kernel
def f(x: float) -> float:
    return round(x, 2)
""",
)
row(
    "round of an int",
    "",
    "f(7)",
    """
@kernel
def f(x: int) -> int:
    return round(x)
""",
)
row(
    "the sign of zero",
    "",
    "f(0.0), f(-0.0), f(-1e-320)",
    """
@kernel
def f(x: float) -> float:
    y = math.copysign(1.0, -x) + math.copysign(2.0, x * 0.0) + math.copysign(4.0, abs(x))
    return y + math.copysign(8.0, 0.0 - x)
""",
)
row(
    "min and max of zeros and nan",
    "",
    "[f(a, b) for a in (0.0, -0.0, nan, 1.0) for b in (0.0, -0.0, nan, 1.0)]",
    """
@kernel
def f(a: float, b: float) -> int:
    x, y = max(a, b), min(a, b)
    signs = int(math.copysign(3.0, x)) * 10 + int(math.copysign(3.0, y))
    return int(x != x) * 1000 + int(y != y) * 100 + signs
""",
)
row(
    "min and max of three",
    "",
    "f(1.0, nan, 3.0), f(nan, 1.0, 2.0), f(2.0, 1.0, nan), f(5.0, 7.0, 6.0)",
    """
@kernel
def f(a: float, b: float, c: float) -> float:
    return min(a, b, c) * 100 + max(a, b, c)
""",
)
row(
    "comparisons of nan and infinity",
    "",
    "[f(a, b) for a in (0.0, nan, inf, -inf) for b in (0.0, nan, inf)]",
    """
@kernel
def f(a: float, b: float) -> int:
    x = 32 * int(a < b) + 16 * int(a == b) + 8 * int(a != b) + 4 * int(not a >= b)
    return x + 2 * int(math.isnan(a)) + int(math.isinf(b)) + 64 * int(bool(a))
""",
)
row(
    "an int compared with a float",
    "",
    "f(3, 3.0), f(3, 2.5), f(-3, inf), f(2**53, 9007199254740992.0)",
    """
@kernel
def f(a: int, x: float) -> int:
    return int(a < x) * 4 + int(a == x) * 2 + int(a >= x)
""",
)
row(
    "the functions of math of ints",
    "",
    "f(3), f(-3), f(0)",
    """
@kernel
def f(a: int) -> float:
    b = a * a + 1
    x = math.sqrt(b) + math.sin(a) + math.atan2(a, b) + math.exp(-b) + math.log(b) + math.fabs(a)
    return x + a % b + math.copysign(b, a) + math.radians(a) + math.floor(b) + math.degrees(a)
""",
)
row(
    "further functions of math",
    "",
    "f(0.3), f(2.5), f(17.0)",
    """
@kernel
def f(x: float) -> float:
    y = math.log2(x) + math.log10(x) + math.log1p(x) + math.expm1(x) + math.erf(x) + math.erfc(x)
    y += math.asinh(x) + math.tanh(x) + math.cosh(x) + math.sinh(x) + math.atan(x) + -x % 0.7
    y += math.exp(x * 0.1) ** 0.7 + math.acosh(x + 1)
    return y + math.acos(x / 20) + math.asin(x / 20) + math.atanh(x / 20)
""",
)
row(
    "the gamma function",
    "math.gamma, whose last bits differ",
    "f(2.3)",
    """
@kernel
def f(x: float) -> float:
    return math.gamma(x)
""",
)
row(
    "the logarithm of the gamma function",
    "math.lgamma, whose last bits differ",
    "f(2.3)",
    """
@kernel
def f(x: float) -> float:
    return math.lgamma(x)
""",
)
row(
    "math.gcd and isqrt of ints",
    "",
    "f(12, 18), f(-12, 18), f(0, 5)",
    """
@kernel
def f(a: int, b: int) -> int:
    return math.gcd(a, b)
""",
)
row(
    "a logarithm to a base",
    "",
    "f(8.0)",
    """
@kernel
def f(x: float) -> float:
    return math.log(x) / math.log(2.0)
""",
)
row(
    "a square by ** 2.0",
    "** 2.0, whose last bits differ: write x * x",
    "f(1.1)",
    """
@kernel
def f(x: float) -> float:
    return x**2.0
""",
)
row(
    "two to the power of a float",
    "2.0 ** a number, whose last bits differ",
    "f(1.1)",
    """
@kernel
def f(x: float) -> float:
    return 2.0**x
""",
)
row(
    "an int to the power of a float",
    "",
    "f(3, 0.7), f(2, 1.1), f(10, 0.3)",
    """
@kernel
def f(a: int, x: float) -> float:
    return a**x
""",
)
row(
    "a complex number",
    "a complex number, whose last bits differ",
    "f(1.1)",
    """
@kernel
def f(x: float) -> float:
    return abs((x + 1j) * (x - 2j))
""",
)
row(
    "a float32 in a sum",
    "add of a float32 and another number",
    "f(np.array([0.1], np.float32))",
    """
@kernel("float64(float32[::1])")
def f(a):
    return a[0] + 0.2
""",
)
row(
    "a float32 read by float()",
    "float of a float32, which stays one: write np.float64(x)",
    "f(np.array([0.1], np.float32))",
    """
@kernel("float64(float32[::1])")
def f(a):
    return float(a[0]) + 0.2
""",
)
row(
    "a result of float32",
    "a result of the type float64, converted to float32",
    "f(0.1)",
    """
@kernel("float32(float64)")
def f(x):
    return x * 0.3
""",
)
row(
    "a result of 8 bits",
    "a result of the type int64, converted to int8",
    "f(300)",
    """
@kernel("int8(int64)")
def f(n):
    return n
""",
)

# Functions of numpy

row(
    "np.fmod of ints",
    "np.fmod of numbers, whose result differs: use the function of math",
    "f(-4)",
    """
@kernel
def f(a: int) -> int:
    return int(np.fmod(a, 10))
""",
)
row(
    "np.sqrt of an int",
    "np.sqrt of numbers",
    "f(4)",
    """
@kernel
def f(a: int) -> float:
    return np.sqrt(a)
""",
)
row(
    "np.floor of an int",
    "np.floor of numbers",
    "f(4)",
    """
@kernel
def f(a: int) -> float:
    return np.floor(a)
""",
)
row(
    "np.sign of nan",
    "np.sign of numbers",
    "f(nan)",
    """
@kernel
def f(x: float) -> float:
    return np.sign(x)
""",
)
row(
    "np.round of a float",
    "whose result differs",
    "f(2.675)",
    """
@kernel
def f(x: float) -> float:
    return np.round(x, 2)
""",
)
row(
    "np.int8 of an int",
    "int8(x), which wraps otherwise than Python's int",
    "f(300)",
    """
@kernel
def f(n: int) -> int:
    return np.int8(n) + 1
""",
)
row(
    "np.uint64 of an int",
    "uint64(x), which wraps",
    "f(300)",
    """
@kernel
def f(n: int) -> int:
    return int(np.uint64(n) >> np.uint64(3))
""",
)
row(
    "np.float32 of a float",
    "float32(x), which",
    "f(0.1)",
    """
@kernel
def f(x: float) -> float:
    return np.float32(x) * 3.0
""",
)
row(
    "the sum of an array of floats",
    "np.sum, whose result differs: write the loop",
    "f(np.arange(100) / 7)",
    """
@kernel("float64(float64[::1])")
def f(a):
    return np.sum(a)
""",
)
row(
    "the mean of an array of floats",
    "array.mean, whose result differs",
    "f(np.arange(100) / 7)",
    """
@kernel("float64(float64[::1])")
def f(a):
    return a.mean()
""",
)
row(
    "the sum and the places of the extremes of an array of ints",
    "",
    "f(np.array([5, 3, 9, -2]))",
    """
@kernel("int64(int64[::1])")
def f(a):
    return int(np.sum(a)) * 10_000 + int(np.argmax(a)) * 100 + int(a.argmin())
""",
)
row(
    "a product of vectors",
    "np.dot, whose result differs",
    "f(np.arange(9) / 7)",
    """
@kernel("float64(float64[::1])")
def f(a):
    return np.dot(a, a)
""",
)
row(
    "np.arange of floats",
    "np.arange of numbers, whose result differs",
    "f(0.1)",
    """
@kernel("float64(float64)")
def f(x):
    return np.arange(0.0, 1.0, x)[7]
""",
)
row(
    "arrays that are made and copied",
    "",
    "f(5)",
    """
@kernel("int64(int64)")
def f(n):
    a = np.zeros(n, np.int64)
    b = np.ones_like(a)
    c = np.arange(n)
    for i in range(n):
        a[i] = int(b[i]) + int(c[i]) * int(c[i])
    d = a.copy()
    d[0] = 99
    return int(a[0]) * 1000 + int(d[0]) + int(d[n - 1]) + int(np.sum(d))
""",
)
row(
    "an array of floats argmaxed with equal values and nan",
    "",
    "f(np.array([1.0, 3.0, 3.0])), f(np.array([1.0, nan, 3.0])), f(np.array([0.0, -0.0]))",
    """
@kernel("int64(float64[::1])")
def f(a):
    return int(np.argmax(a)) * 10 + int(np.argmin(a))
""",
)

# Buffers

row(
    "a slice of a buffer",
    "a slice, which is a copy of a list, and a view of an array",
    "f(Is([1, 2, 3]))",
    """
@kernel
def f(a: Ints) -> int:
    b = a[1:]
    b[0] = 9
    return a[1]
""",
)
row(
    "a buffer multiplied",
    "imul of whole buffers",
    "f(Is([1, 2, 3]))",
    """
@kernel
def f(a: Ints) -> int:
    a *= 2
    return len(a)
""",
)
row(
    "a buffer that has two names",
    "",
    "f(Is([1, 2, 3]))",
    """
@kernel
def f(a: Ints) -> int:
    b = a
    b[0] += 9
    return a[0] + int(b is a)
""",
)
row(
    "a negative index",
    "",
    "f(Is([1, 2, 3]), 1), f(Is([1, 2, 3]), 3)",
    """
@kernel
def f(a: Ints, n: int) -> int:
    return a[-1] * 10 + a[-n]
""",
)
row(
    "a negative index of a tuple",
    "",
    "f(1), f(3)",
    """
TABLE = (4, 5, 6)
@kernel
def f(n: int) -> int:
    return TABLE[-n]
""",
)
row(
    "an element swapped and changed in place",
    "",
    "f(Is([1, 2, 3]))",
    """
@kernel
def f(a: Ints) -> int:
    i = 0
    a[i], a[i + 1] = a[i + 1], a[i]
    i, a[i] = 2, 7
    a[i] <<= 3
    return a[0] * 10_000 + a[1] * 100 + a[2]
""",
)
row(
    "a membership test",
    "",
    "f(3), f(4)",
    """
@kernel
def f(n: int) -> int:
    return int(n in (1, 2, 3)) + 2 * int(n not in (4, 5))
""",
)
row(
    "the truth of a buffer",
    "",
    "f(Is([])), f(Is([0])), f(Is([0, 0]))",
    """
@kernel
def f(a: Ints) -> int:
    return 1 if len(a) else 2
""",
)
row(
    "a buffer as a condition",
    "No implementation of function",
    "f(Is([0]))",
    """
@kernel
def f(a: Ints) -> int:
    return 1 if a else 2
""",
)
row(
    "the elements in a loop, enumerated and zipped",
    "",
    "f(Is([4, 5]), Is([7, 8, 9]))",
    """
@kernel
def f(a: Ints, b: Ints) -> int:
    total = 0
    for x in a:
        total = total * 10 + x
    for i, x in enumerate(b):
        total = total * 10 + i * x
    for x, y in zip(a, b):
        total = total * 10 + x * y
    return total
""",
)
row(
    "a 2-dimensional captured table",
    "",
    "f(1, 2), f(0, -1)",
    """
TABLE = np.arange(12).reshape(3, 4)
@kernel
def f(i: int, j: int) -> int:
    return int(TABLE[i, j]) * 100 + int(TABLE[i][j]) + len(TABLE) + TABLE.shape[1]
""",
)

# Control flow and names

row(
    "a variable without a value on a path",
    "x, which has no value on a path: give it a value first",
    "f(5), f(1)",
    """
@kernel
def f(n: int) -> int:
    if n > 3:
        x = n
    return x
""",
)
row(
    "the variable of a loop that may be empty",
    "i, which has no value on a path",
    "f(5), f(0)",
    """
@kernel
def f(n: int) -> int:
    for i in range(n):
        pass
    return i
""",
)
row(
    "a variable of the body of a loop that may be empty",
    "best, which has no value on a path",
    "f(Is([5])), f(Is([]))",
    """
@kernel
def f(a: Ints) -> int:
    for x in a:
        best = x
    return best
""",
)
row(
    "a variable deleted",
    "Illegal IR, del found",
    "f(5)",
    """
@kernel
def f(n: int) -> int:
    x = n
    del x
    return n
""",
)
row(
    "a variable bound on every path",
    "",
    "f(5), f(1), f(-4)",
    """
@kernel
def f(n: int) -> int:
    if n > 3:
        x = n
    elif n < 0:
        return -1
    else:
        x = 2
    while True:
        y = x * 2
        if y > 3:
            break
        x += 1
    return x + y
""",
)
row(
    "else of loops",
    "",
    "f(5), f(2), f(0)",
    """
@kernel
def f(n: int) -> int:
    for i in range(n):
        if i == 3:
            break
    else:
        return 100
    while n > 0:
        n -= 2
        if n == 1:
            break
    else:
        n = 50
    return n
""",
)
row(
    "the variable and the end of a range changed in the loop",
    "",
    "f(5)",
    """
@kernel
def f(n: int) -> int:
    total = 0
    for i in range(n):
        i *= 2
        n -= 1
        total = total * 10 + i
    for j in range(9, -1, -4):
        total = total * 10 + j
    return total * 10 + n
""",
)
row(
    "a captured variable assigned",
    "STORE_GLOBAL",
    "f(5)",
    """
SCORE = 0
@kernel
def f(n: int) -> int:
    global SCORE
    SCORE += n
    return SCORE
""",
)
row(
    "a default of a kernel",
    "the default of b, which machine code does not fill in: pass every argument",
    "f(4)",
    """
@kernel
def f(a: int, b: int = 3) -> int:
    return a * 10 + b
""",
)
row(
    "a parameter of a kernel by keyword alone",
    "the parameter b, which has no fixed position",
    "f(4, b=3)",
    """
@kernel
def f(a: int, *, b: int) -> int:
    return a * 10 + b
""",
)
row(
    "defaults and keywords of a function called by a kernel",
    "",
    "f(4)",
    """
@njit
def g(a, b=3, c=5):
    return a * 100 + b * 10 + c
@kernel
def f(a: int) -> int:
    return g(a) + g(a, c=7) + g(b=1, a=2) + g(a, 1, 2)
""",
)
row(
    "a kernel that calls another one",
    "",
    "f(4)",
    """
@kernel
def g(a: int, x: float) -> float:
    return a * x
@kernel
def f(a: int) -> float:
    return g(a, 0.5) + g(x=1.5, a=a)
""",
)
row(
    "recursion",
    "",
    "f(7, 3)",
    """
@kernel
def f(n: int, k: int) -> int:
    if n == 0:
        return k
    return f(n - 1, k * 2 + 1) + n
""",
)
row(
    "closures made in a loop",
    "",
    "[f(5) for f in FS]",
    """
def make(k):
    def f(n: int) -> int:
        return n * k
    return kernel(f)
FS = [make(k) for k in range(3)]
""",
)
row(
    "tuples compared, unpacked and joined",
    "",
    "f(1, 2), f(2, 1), f(2, 2)",
    """
@kernel
def f(a: int, b: int) -> int:
    pair = (a, b) + (3,)
    x, y, z = pair
    n = 4 * int((a, b) < (b, a)) + 2 * int((a, b) == (b, a)) + int((a, b) >= (2, 2))
    return n * 100 + x - y + z + len(pair)
""",
)
row(
    "an assertion and an exception",
    "",
    "f(5), f(0), f(-1)",
    """
@kernel
def f(n: int) -> int:
    assert n, "no number"
    if n < 0:
        raise ValueError("below", 0)
    return 10 // n
""",
)
row(
    "a try statement",
    "a try statement",
    "f(0)",
    """
@kernel
def f(n: int) -> int:
    try:
        return 10 // n
    except Exception:
        return -1
""",
)
row(
    "hash",
    "let the caller own a buffer",
    "f(5)",
    """
@kernel
def f(n: int) -> int:
    return hash((n, n + 1))
""",
)
row(
    "None or a number",
    "",
    "f(5), f(-5)",
    """
@kernel
def f(n: int) -> int:
    x = None
    if n > 0:
        x = n
    if x is None:
        return 0
    return x + 1
""",
)
row(
    "short-circuited conditions",
    "",
    "f(Is([1, 2]), 1), f(Is([1, 2]), 5)",
    """
@kernel
def f(a: Ints, i: int) -> int:
    if i < len(a) and a[i] > 1 or i == 5:
        return 1
    return 0 if not i else 3
""",
)
row(
    "a conditional expression in a call",
    "",
    "f(3), f(-3)",
    """
@kernel
def f(n: int) -> int:
    return abs(n if n > 0 else n * 2) + (1 if n > 0 and n < 9 else 5)
""",
)
row(
    "an assignment expression",
    "cannot be determined",
    "f(3), f(7)",
    """
@kernel
def f(n: int) -> int:
    total = 0
    while (m := n * 2) > 6:
        total += m
        n -= 1
    return total + m
""",
)

row(
    "a float32 read by np.float64",
    "",
    "f(np.array([0.1, 0.7], np.float32))",
    """
@kernel("float64(float32[::1])")
def f(a):
    return float(np.float64(a[0]) * np.float64(a[1])) + 0.2
""",
)
row(
    "float32 numbers multiplied",
    "",
    "f(np.array([0.1, 0.7], np.float32))",
    """
@kernel("float64(float32[::1])")
def f(a):
    return np.float64(a[0] * a[1])
""",
)
row(
    "an argument of float32",
    "the argument x of float32",
    "f(0.1)",
    """
@kernel("float64(float32)")
def f(x):
    return np.float64(x)
""",
)
row(
    "a byte minus a number",
    "",
    "f(Bs([0, 3])), f(Bs([255, 3]))",
    """
@kernel
def f(a: Bytes) -> int:
    return a[0] - 1
""",
)
row(
    "a sum of bytes minus a number",
    "",
    "f(Bs([0, 3])), f(Bs([255, 3]))",
    """
@kernel
def f(a: Bytes) -> bool:
    return a[0] + a[1] - 300 < 0
""",
)
row(
    "a range to a byte",
    "",
    "f(Bs([5])), f(Bs([0]))",
    """
@kernel
def f(a: Bytes) -> int:
    total = 0
    for i in range(a[0]):
        total += i - 3
    return total
""",
)
row(
    "a shift by a byte",
    "",
    "f(Bs([5]), -7), f(Bs([0]), 9)",
    """
@kernel
def f(a: Bytes, n: int) -> int:
    return (1 << a[0]) + (n >> a[0]) + (n << a[0])
""",
)
row(
    "an index computed of bytes",
    "",
    "f(Bs([2, 1]), Is([3, 4, 5, 6]))",
    """
@kernel
def f(a: Bytes, b: Ints) -> int:
    return b[a[0] + a[1]] * 100 + b[a[0]] * 10 + b[a[0] - 1]
""",
)
row(
    "narrow numbers subtracted, and their size",
    "",
    "f(I8([-128, 127]), I16([-32768, 32767]))",
    """
@kernel
def f(a: Int8s, b: Int16s) -> int:
    return abs(a[0] - a[1]) + abs(b[0] - b[1]) + max(a[0], a[1]) + abs(int(a[0]) | 0) - int(b[0])
""",
)
row(
    "a narrow number and an int as one variable",
    "",
    "f(I8([-128]), 1000), f(I8([-128]), 2)",
    """
@kernel
def f(a: Int8s, n: int) -> int:
    x = a[0]
    if n > 100:
        x = n
    return x * 100
""",
)
row(
    "arithmetic with elements of 8 bits of an array of numpy",
    "mul of int8, which wraps in numpy",
    "f(np.array([100], np.int8))",
    """
@kernel("int64(int8[::1])")
def f(a):
    return a[0] * 2
""",
)
row(
    "arithmetic with elements of 8 bits of a captured array",
    "add of int8, which wraps in numpy",
    "f(0)",
    """
TABLE = np.array([100], np.int8)
@kernel
def f(i: int) -> int:
    x = TABLE[i]
    return x + x
""",
)
row(
    "elements of few bits of arrays of numpy read by int()",
    "",
    "f(np.array([100, -128], np.int8), np.array([3, 200], np.uint8))",
    """
TABLE = np.array([100, 7], np.int16)
@kernel("int64(int8[::1], uint8[::1])")
def f(a, b):
    return int(a[0]) * 300 - int(a[1]) + (int(b[0]) | 0) - (int(b[1]) | 0) + int(TABLE[0]) * 1000
""",
)
row(
    "a captured number of 8 bits",
    "a captured int8",
    "f(2)",
    """
K = np.int8(100)
@kernel
def f(n: int) -> int:
    return K * n
""",
)
row(
    "captured numbers",
    "",
    "f(2)",
    """
ZERO, BEST, BIG, FLAG = -0.0, -inf, 2**62, True
@kernel
def f(n: int) -> float:
    x = math.copysign(1.0, ZERO) + (BIG >> 60)
    return x if FLAG and BEST < n else 0.0
""",
)
row(
    "an IntEnum",
    "",
    "f(2), f(1)",
    """
import enum
class Cell(enum.IntEnum):
    WALL = 1
    FOOD = 2
@kernel
def f(n: int) -> int:
    return int(n == Cell.FOOD) * 10 + int(n != Cell.WALL)
""",
)
row(
    "arithmetic with an IntEnum",
    "",
    "f(2), f(1)",
    """
import enum
class Cell(enum.IntEnum):
    WALL = 1
    FOOD = 2
@kernel
def f(n: int) -> int:
    return Cell.FOOD * 10 + n
""",
)
row(
    "the members of a captured NamedTuple",
    "",
    "f(2)",
    """
from typing import NamedTuple
class Options(NamedTuple):
    depth: int
    weight: float
OPTIONS = Options(3, 0.25)
@kernel
def f(n: int) -> float:
    return OPTIONS.depth * n + OPTIONS.weight
""",
)
row(
    "a captured list",
    "a captured list; make it a tuple or an array",
    "f(1)",
    """
TABLE = [1, 2, 3]
@kernel
def f(n: int) -> int:
    return TABLE[n]
""",
)
row(
    "a captured array that the kernel writes",
    "Cannot",
    "f(1)",
    """
TABLE = np.zeros(3)
@kernel
def f(n: int) -> int:
    TABLE[n] = 1.0
    return n
""",
)
row(
    "a bool multiplied by a float",
    "",
    "f(3), f(1)",
    """
@kernel
def f(a: int) -> float:
    return (a > 2) * 1.5 + (a > 0) / 2
""",
)
row(
    "a bool in the arithmetic of ints",
    "",
    "f(3), f(1)",
    """
@kernel
def f(a: int) -> int:
    b = a > 2
    n = b * 5 + (b + 1) * 10 - b * 7 + (b - 3) + b % 3 + (b << 2) + b // 2
    return n + (b | 4) + (b ^ 3) + (b & 1)
""",
)
row(
    "bools compared",
    "",
    "f(3, 1), f(1, 5), f(3, 3)",
    """
@kernel
def f(a: int, b: int) -> int:
    p, q = a > 2, b > 2
    return int(p == q) + 2 * int(p < q) + 4 * int(p == 1) + 8 * int(p >= q) + 16 * int(not p)
""",
)
row(
    "comparisons of elements of an array added",
    "add of bools",
    "f(np.array([5, 6]))",
    """
@kernel("int64(int64[::1])")
def f(a):
    return (a[0] > 3) + (a[1] > 3)
""",
)
row(
    "the size of a bool",
    "",
    "f(5)",
    """
@kernel
def f(n: int) -> int:
    return abs(n > 3)
""",
)
row(
    "the sum of a tuple of ints",
    "",
    "f(5)",
    """
@kernel
def f(n: int) -> int:
    return sum((n, 2, 3)) + max((n, 2)) + min((n, 7))
""",
)
row(
    "the sum of a tuple of floats",
    "sum of floats",
    "f(0.1)",
    """
@kernel
def f(x: float) -> float:
    return sum((x, 0.2, 0.3))
""",
)
row(
    "the sum of a buffer",
    "sum",
    "f(Fs([0.1, 0.2, 0.3]))",
    """
@kernel
def f(a: Floats) -> float:
    return sum(a)
""",
)
row(
    "the sum of a buffer of ints",
    "",
    "f(Is([1, 2, 3]))",
    """
@kernel
def f(a: Ints) -> int:
    return sum(a)
""",
)
row(
    "the largest of a buffer",
    "",
    "f(Fs([1.0, 2.0, 3.0])), f(Fs([nan, 2.0, 3.0])), f(Fs([1.0, nan, 3.0])), f(Fs([0.0, -0.0]))",
    """
@kernel
def f(a: Floats) -> float:
    return max(a) * 100 + math.copysign(3.0, min(a))
""",
)
row(
    "the largest of a tuple of several types",
    "max of numbers of several types",
    "f(3)",
    """
@kernel
def f(n: int) -> float:
    return max((n, 0.5)) * 1
""",
)
row(
    "a sum over a generator",
    "The use of yield in a closure",
    "f(3)",
    """
@kernel
def f(n: int) -> int:
    return sum(i for i in range(n))
""",
)
row(
    "any and all of a buffer",
    "Untyped global name 'any'",
    "f(Is([1, 0, 3])), f(Is([]))",
    """
@kernel
def f(a: Ints) -> bool:
    return any(a) and not all(a)
""",
)
row(
    "an index by count in a buffer",
    "",
    "f(Is([1, 0, 3]), 3), f(Is([1, 0, 3]), 4)",
    """
@kernel
def f(a: Ints, n: int) -> bool:
    return n in a
""",
)
row(
    "a local list",
    "let the caller own a buffer",
    "f(3)",
    """
@kernel
def f(n: int) -> int:
    return len([i for i in range(n)])
""",
)
row(
    "an inner function and a variable changed after it",
    "",
    "f(3)",
    """
@kernel
def f(n: int) -> int:
    k = 1
    def g(x):
        return x * k
    k = 2
    return g(n)
""",
)
row(
    "an inner function",
    "",
    "f(3)",
    """
@kernel
def f(n: int) -> int:
    def square(x):
        return x * x
    return square(n) + square(n + 1)
""",
)
row(
    "the infinity of a text",
    "",
    "f(3.0)",
    """
@kernel
def f(x: float) -> float:
    best = float("inf")
    return min(best, x)
""",
)
row(
    "an int with a type test",
    "isinstance, which differs",
    "f(3)",
    """
@kernel
def f(n: int) -> int:
    return 1 if isinstance(n > 2, int) else 2
""",
)
row(
    "a result for no result",
    "No conversion from int64 to none",
    "f(3)",
    """
@kernel
def f(n: int) -> None:
    return n
""",
)
row(
    "a path without a result",
    "No conversion from none to int64",
    "f(5), f(3)",
    """
@kernel
def f(n: int) -> int:
    if n > 3:
        return 1
""",
)
row(
    "a tuple of results of other types",
    "a result of the type int, converted to float",
    "f(5)",
    """
@kernel("Tuple((int64, float64))(int64)")
def f(n):
    return n, n
""",
)
row(
    "a tuple of results",
    "",
    "f(5)",
    """
@kernel("Tuple((int64, float64, bool))(int64)")
def f(n):
    return n, n / 4, n > 3
""",
)
row(
    "a match statement",
    "",
    "[f(n) for n in range(5)]",
    """
@kernel
def f(n: int) -> int:
    if n == 1:
        x = 5
    elif n in (2, 3):
        x = 6
    else:
        x = 7
    return x
""",
)
row(
    "ranges reversed, indexed and searched",
    "",
    "f(7)",
    """
@kernel
def f(n: int) -> int:
    total = len(range(0, n, 3)) * 100 + int(4 in range(0, n, 2)) * 1000
    for i, j in enumerate(range(n, 0, -2), 5):
        total += i * j
    return total
""",
)
row(
    "a range with the step 0",
    "",
    "f(0)",
    """
@kernel
def f(n: int) -> int:
    total = 0
    for i in range(0, 5, n):
        total += i
    return total
""",
)
row(
    "a range to a float",
    "a range to a float: write int(x)",
    "f(3.0)",
    """
@kernel
def f(x: float) -> int:
    total = 0
    for i in range(x):
        total += i
    return total
""",
)
row(
    "several targets and a greatest common divisor",
    "",
    "f(12, 18)",
    """
@kernel
def f(a: int, b: int) -> int:
    x = y = 0
    while b:
        a, b = b, a % b
        x += 1
        y -= x
    return a * 100 + x * 10 + y
""",
)
row(
    "a float power of helper's arguments",
    "",
    "f(1.1), f(7.3), f(0.3)",
    """
@njit
def power(x, y):
    return x**y
@kernel
def f(x: float) -> float:
    return power(x, x)
""",
)
row(
    "math.frexp",
    "the C library's mathematics (numba_frexp)",
    "f(10.3), f(-0.7)",
    """
@kernel
def f(x: float) -> float:
    m, e = math.frexp(x)
    return m * 100 + e
""",
)
row(
    "the arguments of numpy's functions on arrays of ints",
    "np.sqrt of arrays of int64, whose result differs",
    "f(np.arange(5))",
    """
@kernel("float64(int64[::1])")
def f(a):
    return np.sqrt(a)[3]
""",
)
row(
    "whole arrays in numpy's signature",
    "",
    "f(np.arange(5), np.arange(5) * 2)",
    """
@kernel("int64(int64[::1], int64[::1])")
def f(a, b):
    c = a * 2 + b
    d = c[1:4]
    d[0] = 50
    return int(c[1]) + int(np.sum(c)) + int(np.any(c == 50))
""",
)
row(
    "random numbers of the module random",
    "np.random",
    "f(5)",
    """
import random
@kernel
def f(n: int) -> int:
    return random.randrange(n)
""",
)
row(
    "a set of numbers",
    "let the caller own a buffer",
    "f(5)",
    """
@kernel
def f(n: int) -> int:
    return len({n, 2, 3})
""",
)
row(
    "a text compared",
    "",
    "f(5)",
    """
@kernel
def f(n: int) -> int:
    side = "left" if n > 3 else "right"
    return int(side == "left")
""",
)
row(
    "a formatted float",
    "a string",
    "f(5.0)",
    """
@kernel
def f(x: float) -> int:
    return len(f"{x}")
""",
)
row(
    "a mutable default",
    "the default of b",
    "f(5)",
    """
@kernel
def f(a: int, b: Ints = None) -> int:
    return a
""",
)
row(
    "an unbound name in one branch that raises otherwise",
    "",
    "f(5), f(1)",
    """
@kernel
def f(n: int) -> int:
    if n > 3:
        x = n
    else:
        raise ValueError("small")
    return x
""",
)
row(
    "a variable bound in the first round of a loop",
    "x, which has no value on a path",
    "f(5)",
    """
@kernel
def f(n: int) -> int:
    total = 0
    for i in range(n):
        if i == 0:
            x = n
        total += x
    return total
""",
)
row(
    "a variable bound by `while True`",
    "",
    "f(5)",
    """
@kernel
def f(n: int) -> int:
    while True:
        n += 1
        if n % 7 == 0:
            found = n
            break
    return found
""",
)
row(
    "a variable bound after a chain of conditions",
    "move, which has no value on a path",
    "f(5)",
    """
@kernel
def f(n: int) -> int:
    is_found = False
    for i in range(n):
        if i * i > n:
            is_found, move = True, i
    if is_found:
        return move
    return -1
""",
)

row(
    "whole arrays of 8 bits",
    "np.mul of arrays of int8, whose result differs",
    "f(np.array([100, 5], np.int8))",
    """
@kernel("int64(int8[::1])")
def f(a):
    return int((a * 2)[0])
""",
)
row(
    "the sum of an array of 8 bits, and of bools",
    "",
    "f(np.array([100, 100], np.int8), np.array([True, True]))",
    """
@kernel("int64(int8[::1], bool[::1])")
def f(a, b):
    return int(np.sum(a)) * 10 + int(np.sum(b))
""",
)
row(
    "a text of a float in a kernel with a signature",
    "a string: do it outside of kernels",
    "f(5.0)",
    """
@kernel("int64(float64)")
def f(x):
    return len(str(x))
""",
)

row(
    "math.ldexp",
    "the C library's mathematics (numba_ldexp)",
    "f(1.5)",
    """
@kernel
def f(x: float) -> float:
    return math.ldexp(x, 3)
""",
)
row(
    "signs and kinds of floats",
    "",
    "f(1.5), f(-0.0), f(nan), f(-inf)",
    """
@kernel
def f(x: float) -> float:
    kind = int(math.isfinite(x)) + int(math.isnan(x)) * 2 + int(math.isinf(x)) * 4
    return math.copysign(1.0, x) + kind
""",
)
row(
    "the largest element of an array by numpy",
    "array.max: write the loop",
    "f(np.arange(4))",
    """
@kernel("int64(int64[::1])")
def f(a):
    return int(a.max())
""",
)
