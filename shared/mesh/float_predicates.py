"""Exact predicates for floats: the side of a line, the inside of a circle.

They are those of J. R. Shewchuk, "Adaptive Precision Floating-Point Arithmetic and Fast
Robust Geometric Predicates" (Discrete & Computational Geometry 18, 1997). First they compute the
determinant as usual, and return its sign if it exceeds the error bound. Otherwise they compute it
exactly, as an expansion: floats of growing magnitude that do not overlap, without zeros. The
determinant is their sum, so that the last one has its sign. Expansions are the shorter, the fewer
bits the differences of coordinates have.

An expansion is a part of the caller's buffer, from some index on: float64[ROOM], as
`float_buffer(ROOM)`. Every operation is rounded by itself, as in plain Python: a fused
multiplication and addition would break the bounds. numba does not fuse them.

Limits: the filter is right for any floats, but behind it no product may overflow or lose bits to
underflow. So a sign beyond the filter is OUT_OF_RANGE if a coordinate is infinite, NaN, or, unless
it is 0, outside of 2**-485 to 2**509 in magnitude for `orient_floats`, of 2**-216 to 2**252 for
`incircle_floats`.
"""

from shared.core.jit import inline, njit

# Returned by the float predicates without an answer; their signs are -1, 0 and 1.
OUT_OF_RANGE = 2
ROOM = 3644
EPSILON = 2.0**-53
ORIENT_ERROR = (3.0 + 16.0 * EPSILON) * EPSILON
INCIRCLE_ERROR = (10.0 + 96.0 * EPSILON) * EPSILON
# More than the underflow of a product
UNDERFLOW = 2.0**-1000
# Splits a float into halves of 26 bits.
SPLITTER = 2.0**27 + 1.0
# The least bit of a product of 2 or 4 differences is no less than 2**-1074, the greatest sum less
# than 2**1023.
LEAST_OF_2, MOST_OF_2 = 2.0**-485, 2.0**509
LEAST_OF_4, MOST_OF_4 = 2.0**-216, 2.0**252
# The buffer of `incircle_floats`: six differences; two products and their sum, twice; a product of
# these two; the sum of three such; spare room.
PARTS, MINOR, LIFT, PRODUCT, SUM, SPARE = 12, 28, 44, 60, 572, 2108


@inline
def two_sum(a, b):
    """Returns a + b rounded, and the rounding error."""
    x = a + b
    of_b = x - a
    of_a = x - of_b
    return x, (a - of_a) + (b - of_b)


@inline
def two_product(a, b):
    """Returns a b rounded, and the rounding error (T. J. Dekker)."""
    x = a * b
    c = SPLITTER * a
    high_a = c - (c - a)
    low_a = a - high_a
    c = SPLITTER * b
    high_b = c - (c - b)
    low_b = b - high_b
    error = x - high_a * high_b
    error = error - low_a * high_b
    error = error - high_a * low_b
    return x, low_a * low_b - error


@inline
def append_part(room, h, n, value):
    """Append a part to an expansion of n at h unless it is 0. Returns the new number of parts."""
    if value != 0.0:
        room[h + n] = value
        n += 1
    return n


@inline
def subtract_exactly(room, a, b, h):
    """Write a - b at h. Returns the number of parts, at most 2."""
    x, low = two_sum(a, -b)
    return append_part(room, h, append_part(room, h, 0, low), x)


@njit
def add_expansions(room, e, n, f, m, h):
    """Write the sum of expansions of n and m parts at h, elsewhere. Returns the number of parts, at
    most n + m.
    """
    i, j, count, total = 0, 0, 0, 0.0
    while i < n or j < m:
        if j == m or (i < n and abs(room[e + i]) <= abs(room[f + j])):
            part = room[e + i]
            i += 1
        else:
            part = room[f + j]
            j += 1
        total, low = two_sum(total, part)
        count = append_part(room, h, count, low)
    return append_part(room, h, count, total)


@njit
def scale_expansion(room, e, n, factor, h):
    """Write an expansion of n parts times a factor at h. Returns the number of parts, at
    most 2 n.
    """
    count, total = 0, 0.0
    for i in range(n):
        product, low_product = two_product(room[e + i], factor)
        middle, low = two_sum(total, low_product)
        count = append_part(room, h, count, low)
        total, low = two_sum(product, middle)
        count = append_part(room, h, count, low)
    return append_part(room, h, count, total)


@njit
def multiply_expansions(room, e, n, f, m, sign, h, spare):
    """Write the product of expansions of n and m parts, times a sign, at h. Returns the number of
    parts, at most 2 n m. `spare` has room for as many and 2 n.
    """
    count = 0
    for i in range(m):
        n_scaled = scale_expansion(room, e, n, sign * room[f + i], spare)
        count = add_expansions(room, h, count, spare, n_scaled, spare + 2 * n)
        for k in range(count):
            room[h + k] = room[spare + 2 * n + k]
    return count


@inline
def sign_of_expansion(room, h, n):
    """Returns the sign of an expansion of n parts."""
    return 0 if n == 0 else (1 if room[h + n - 1] > 0.0 else -1)


@inline
def is_in_range(x, least, most):
    """Returns True for 0 and for magnitudes within limits, False for NaN."""
    return x == 0.0 or least <= abs(x) <= most


@njit
def orient_floats(room, ax, ay, bx, by, cx, cy):
    """Returns 1 for c on the left of a -> b, 0 on that line, -1 on the right; or OUT_OF_RANGE.

    room: float64[64 or more], for the exact computation.
    """
    left, right = (ax - cx) * (by - cy), (ay - cy) * (bx - cx)
    across = left - right
    if abs(across) > ORIENT_ERROR * (abs(left) + abs(right)) + UNDERFLOW:
        return 1 if across > 0.0 else -1
    for x in (ax, ay, bx, by, cx, cy):
        if not is_in_range(x, LEAST_OF_2, MOST_OF_2):
            return OUT_OF_RANGE
    n_ax, n_ay = subtract_exactly(room, ax, cx, 0), subtract_exactly(room, ay, cy, 2)
    n_bx, n_by = subtract_exactly(room, bx, cx, 4), subtract_exactly(room, by, cy, 6)
    n_left = multiply_expansions(room, 0, n_ax, 6, n_by, 1.0, 8, 40)
    n_right = multiply_expansions(room, 2, n_ay, 4, n_bx, -1.0, 16, 40)
    return sign_of_expansion(room, 24, add_expansions(room, 8, n_left, 16, n_right, 24))


@njit
def sum_of_products(room, e, n_e, f, n_f, sign, g, n_g, h, n_h, to):
    """Write e f + sign g h at `to`, expansions of at most 2 parts each. Returns the number of
    parts.
    """
    n = multiply_expansions(room, e, n_e, f, n_f, 1.0, PARTS, SPARE)
    m = multiply_expansions(room, g, n_g, h, n_h, sign, PARTS + 8, SPARE)
    return add_expansions(room, PARTS, n, PARTS + 8, m, to)


@njit
def add_lifted(room, p, n_px, n_py, q, n_qx, n_qy, s, n_sx, n_sy, n):
    """Add (p x p) (q cross s), of differences at p, q and s, to the n parts at SUM. Returns the new
    number of parts.
    """
    n_minor = sum_of_products(room, q, n_qx, s + 2, n_sy, -1.0, q + 2, n_qy, s, n_sx, MINOR)
    n_lift = sum_of_products(room, p, n_px, p, n_px, 1.0, p + 2, n_py, p + 2, n_py, LIFT)
    n_product = multiply_expansions(room, MINOR, n_minor, LIFT, n_lift, 1.0, PRODUCT, SPARE)
    n = add_expansions(room, SUM, n, PRODUCT, n_product, SPARE)
    for k in range(n):
        room[SUM + k] = room[SPARE + k]
    return n


@njit
def incircle_floats(room, ax, ay, bx, by, cx, cy, dx, dy):
    """Returns 1 for d inside the circle through the counterclockwise a, b, c, 0 on it, -1 outside;
    or OUT_OF_RANGE.

    room: float64[ROOM], for the exact computation.
    """
    adx, ady, bdx, bdy, cdx, cdy = ax - dx, ay - dy, bx - dx, by - dy, cx - dx, cy - dy
    a, b, c = adx * adx + ady * ady, bdx * bdx + bdy * bdy, cdx * cdx + cdy * cdy
    bxcy, bycx, cxay, cyax, axby, aybx = (
        bdx * cdy,
        bdy * cdx,
        cdx * ady,
        cdy * adx,
        adx * bdy,
        ady * bdx,
    )
    total = a * (bxcy - bycx) + b * (cxay - cyax) + c * (axby - aybx)
    of_a, of_b, of_c = abs(bxcy) + abs(bycx), abs(cxay) + abs(cyax), abs(axby) + abs(aybx)
    error = INCIRCLE_ERROR * (of_a * a + of_b * b + of_c * c)
    if abs(total) > error + UNDERFLOW * (a + b + c + of_a + of_b + of_c + 1.0):
        return 1 if total > 0.0 else -1
    for x in (ax, ay, bx, by, cx, cy, dx, dy):
        if not is_in_range(x, LEAST_OF_4, MOST_OF_4):
            return OUT_OF_RANGE
    n_ax, n_ay = subtract_exactly(room, ax, dx, 0), subtract_exactly(room, ay, dy, 2)
    n_bx, n_by = subtract_exactly(room, bx, dx, 4), subtract_exactly(room, by, dy, 6)
    n_cx, n_cy = subtract_exactly(room, cx, dx, 8), subtract_exactly(room, cy, dy, 10)
    n = add_lifted(room, 0, n_ax, n_ay, 4, n_bx, n_by, 8, n_cx, n_cy, 0)
    n = add_lifted(room, 4, n_bx, n_by, 8, n_cx, n_cy, 0, n_ax, n_ay, n)
    n = add_lifted(room, 8, n_cx, n_cy, 0, n_ax, n_ay, 4, n_bx, n_by, n)
    return sign_of_expansion(room, SUM, n)
