"""Signs for float coordinates compared with fractions, and compiled code compared with plain Python
to the last bit.
"""

import itertools
import math
from fractions import Fraction
from random import Random

import pytest

from shared.core.jit import float_buffer
from shared.mesh.float_predicates import OUT_OF_RANGE, ROOM, incircle_floats, orient_floats
from tests.conftest import run_plain

pytestmark = pytest.mark.slow("draws many positions, beside golden games")

N_CASES = 3000


def sign(number):
    return (number > 0) - (number < 0)


def exact_orient(ax, ay, bx, by, cx, cy):
    ax, ay, bx, by, cx, cy = map(Fraction, (ax, ay, bx, by, cx, cy))
    return sign((ax - cx) * (by - cy) - (ay - cy) * (bx - cx))


def exact_incircle(*places):
    ax, ay, bx, by, cx, cy, dx, dy = map(Fraction, places)
    (ax, ay), (bx, by), (cx, cy) = (ax - dx, ay - dy), (bx - dx, by - dy), (cx - dx, cy - dy)
    total = (ax * ax + ay * ay) * (bx * cy - by * cx)
    total += (bx * bx + by * by) * (cx * ay - cy * ax)
    return sign(total + (cx * cx + cy * cy) * (ax * by - ay * bx))


def moved(rng, x):
    """A float, or one of its neighbours; neighbours of 0 are too small."""
    is_moved = x != 0.0 and rng.random() < 0.4
    return math.nextafter(x, rng.choice((-math.inf, math.inf))) if is_moved else x


def collinear(rng):
    """Three points on a line or nearly so."""
    ax, ay, bx, by = (rng.uniform(-1, 1) * 10.0 ** rng.randint(-3, 6) for _ in range(4))
    part = rng.choice((0.5, 2.0, -1.0, rng.uniform(-3, 3)))
    return [ax, ay, bx, by, *(moved(rng, p + part * (q - p)) for p, q in ((ax, bx), (ay, by)))]


def nearly_doubled(rng):
    """Three points on a line or nearly so, and a (nearly) identical copy of one of them."""
    places = collinear(rng)
    i = rng.choice((0, 2, 4))
    return places + [moved(rng, x) for x in places[i : i + 2]]


def cocircular(rng):
    """Four points on a circle or nearly so."""
    r, x, y = (rng.uniform(-1, 1) * 10.0 ** rng.randint(-3, 6) for _ in range(3))
    places = []
    if rng.random() < 0.5:
        for angle in sorted(rng.uniform(0, 2 * math.pi) for _ in range(4)):
            places += [moved(rng, x + r * math.cos(angle)), moved(rng, y + r * math.sin(angle))]
        return places
    # Exactly, except for moved ones
    scale, x, y = 2.0 ** rng.randint(-40, 40), rng.randint(-(2**20), 2**20), rng.randint(-99, 99)
    around = [
        (u * a, v * b) for a, b in ((7, 24), (24, 7), (15, 20)) for u in (1, -1) for v in (1, -1)
    ]
    for a, b in rng.sample(around, 4):
        places += [moved(rng, scale * (x + a)), moved(rng, scale * (y + b))]
    return places


def of_any_size(rng, n, least, most):
    """Coordinates of all permitted magnitudes, some 0 and some repeated."""
    numbers = [0.0]
    while len(numbers) <= n:
        number = math.ldexp(rng.choice((0.5, rng.uniform(0.5, 1.0))), rng.randint(least + 1, most))
        again = moved(rng, rng.choice(numbers))
        again = again if abs(again) >= 2.0**least else 0.0
        numbers.append(rng.choice((number, -number, again, again)))
    return numbers[1:]


CASES = {
    "orient, collinear": (orient_floats, exact_orient, collinear),
    "orient, any": (orient_floats, exact_orient, lambda rng: of_any_size(rng, 6, -485, 509)),
    "incircle, collinear": (incircle_floats, exact_incircle, nearly_doubled),
    "incircle, cocircular": (incircle_floats, exact_incircle, cocircular),
    "incircle, any": (incircle_floats, exact_incircle, lambda rng: of_any_size(rng, 8, -216, 252)),
}


@pytest.mark.parametrize("name", CASES)
def test_signs_are_those_of_fractions(name):
    """In any order of the points."""
    sign_by, exact, draw = CASES[name]
    rng, room, signs = Random(name), float_buffer(ROOM), set()
    for _ in range(N_CASES):
        places = draw(rng)
        points = list(zip(places[::2], places[1::2]))
        rng.shuffle(points)
        places = [x for point in points for x in point]
        expected = exact(*places)
        assert sign_by(room, *places) == expected, places
        signs.add(expected)
    assert signs == {-1, 0, 1}


def test_points_about_a_diagonal():
    """Plain float arithmetic gives many of these wrong signs (L. Kettner and others, "Classroom
    Examples of Robustness Problems in Geometric Computations", 2008).
    """
    room, n_wrong = float_buffer(ROOM), 0
    for i, j in itertools.product(range(40), range(40)):
        places = (0.5 + i * 2.0**-53, 0.5 + j * 2.0**-53, 12.0, 12.0, 24.0, 24.0)
        ax, ay, bx, by, cx, cy = places
        expected = exact_orient(*places)
        assert orient_floats(room, *places) == expected
        n_wrong += sign((bx - ax) * (cy - ay) - (by - ay) * (cx - ax)) != expected
    assert n_wrong > 100


@pytest.mark.parametrize("strange", [math.inf, -math.inf, math.nan, 5e-324, 1e300])
def test_coordinates_out_of_range(strange):
    """The result is OUT_OF_RANGE unless the filter decides, as for 1e300."""
    room, rng = float_buffer(ROOM), Random(4)
    n_out = 0
    for sign_by, exact, n in (
        (orient_floats, exact_orient, 6),
        (incircle_floats, exact_incircle, 8),
    ):
        for _ in range(300):
            places = [rng.choice((strange, 0.0, 1.0, -strange, 0.5)) for _ in range(n)]
            found = sign_by(room, *places)
            n_out += found == OUT_OF_RANGE
            if all(map(math.isfinite, places)) and found != OUT_OF_RANGE:
                assert found == exact(*places)
            elif not all(map(math.isfinite, places)):
                assert found == OUT_OF_RANGE
    assert n_out


def trace():
    """Every sign, with all numbers written into the buffer."""
    for name, (sign_by, _, draw) in CASES.items():
        rng, room = Random(name), float_buffer(ROOM)
        for i in range(60):
            found = int(sign_by(room, *draw(rng)))
            yield f"{name} {i}: {found} {hash(tuple(map(float, room)))}"


def test_compiled_and_plain_give_the_same_bits():
    assert list(trace()) == run_plain("tests.property.test_float_predicates").splitlines()


if __name__ == "__main__":
    print(*trace(), sep="\n")
