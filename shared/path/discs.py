"""Discs that move straight on for a while, and stop where they collide.

The earliest collision of all comes first: both discs stop there, only their neighbours' collisions
are found again, and so on. Where the discs are spread out, each has O(1) neighbours, found by hashing
the squares of a grid, and n of them take O(n log n) (M. Buro's lectures on planning in games). A disc
at rest stays in the way. Of collisions at the same time that of the lower numbers comes first.

    x, y, vx, vy, radius   float64[D]    of each disc: where it is, how fast it is, how large
    stopped                float64[D]    when it stopped, NEVER while it moves on
    times                  float64[D]    its next collision, NEVER for none
    partners               int64[D]      and with whom; whether that one was at rest then (+ D)
    heap, places           int64[D]      the discs with a collision ahead, as a binary heap by time;
                                         1 + where in it a disc is
    squares, following     int64[2^k], int64[D]   1 + the first disc of a hashed square; the next one
    columns, rows          int64[D]      the square of a disc
    counts                 int64[2]      discs in the heap, collisions
"""

import math
from collections.abc import Iterable
from typing import NamedTuple

from shared.core.jit import Floats, Ints, float_buffer, inline, int_buffer, kernel, njit

NEVER = 1e300
# A disc that grazes another goes on.
GRAZING = 1e-12
LARGEST = 1e70  # of which products of four are finite
TINY = 2.0**-40
N_AHEAD, N_COLLISIONS = range(2)


class Discs(NamedTuple):
    """Some discs; see the module's docstring."""

    x: Floats
    y: Floats
    vx: Floats
    vy: Floats
    radius: Floats
    stopped: Floats
    times: Floats
    partners: Ints
    heap: Ints
    places: Ints
    squares: Ints
    following: Ints
    columns: Ints
    rows: Ints
    counts: Ints


def new_discs(discs: Iterable[tuple[float, float, float, float, float]]) -> Discs:
    """Discs of (x, y, vx, vy, radius). Raises ValueError for a radius below 0, and numbers beyond
    +-LARGEST.
    """
    rows = list(discs)
    if any(row[4] < 0 for row in rows):
        raise ValueError("a disc has a radius of 0 or more")
    if not all(abs(number) <= LARGEST for row in rows for number in row):
        raise ValueError(f"the numbers of a disc are finite, at most {LARGEST}")
    n = len(rows)
    x, y, vx, vy, radius = (float_buffer([row[i] for row in rows]) for i in range(5))
    return Discs(
        x=x,
        y=y,
        vx=vx,
        vy=vy,
        radius=radius,
        stopped=float_buffer(n),
        times=float_buffer(n),
        partners=int_buffer(n),
        heap=int_buffer(n),
        places=int_buffer(n),
        squares=int_buffer(1 << (2 * n + 1).bit_length()),
        following=int_buffer(n),
        columns=int_buffer(n),
        rows=int_buffer(n),
        counts=int_buffer(2),
    )


@inline
def square_of(discs, column, row):
    """Where the table has the discs of a square."""
    return (column * 73856093 ^ row * 19349663) & len(discs.squares) - 1


@inline
def meeting(discs, i, j, now):
    """When two discs collide, from now on; NEVER if they do not. It does not depend on when it is
    asked, so that what is simultaneous stays so.
    """
    # A moving disc by where it was at 0, another by where it stopped.
    dx, dy, dvx, dvy = 0.0, 0.0, 0.0, 0.0
    for k in (i, j):
        sign = 1.0 if k == j else -1.0
        if discs.stopped[k] > now:
            dx += sign * discs.x[k]
            dy += sign * discs.y[k]
            dvx += sign * discs.vx[k]
            dvy += sign * discs.vy[k]
        else:
            dx += sign * (discs.x[k] + discs.vx[k] * discs.stopped[k])
            dy += sign * (discs.y[k] + discs.vy[k] * discs.stopped[k])
    reach = discs.radius[i] + discs.radius[j]
    # |(dx, dy) + t (dvx, dvy)| = reach, and they come closer now
    a = dvx * dvx + dvy * dvy
    b = dx * dvx + dy * dvy
    if b + a * now >= 0.0:
        return NEVER
    c = dx * dx + dy * dy - reach * reach
    if c + now * (2.0 * b + a * now) <= 0.0:
        return now
    under_root = b * b - a * c
    if under_root <= GRAZING:
        return NEVER
    return max(now, (-b - math.sqrt(under_root)) / a)


@inline
def comes_before(discs, i, j):
    """Whether the next collision of a disc comes before that of another."""
    if discs.times[i] != discs.times[j]:
        return discs.times[i] < discs.times[j]
    with_i, with_j = discs.partners[i] % len(discs.x), discs.partners[j] % len(discs.x)
    if min(i, with_i) != min(j, with_j):
        return min(i, with_i) < min(j, with_j)
    return max(i, with_i) < max(j, with_j)


@njit
def sift(discs, i):
    """Move a disc to its place in the heap, in which it is."""
    heap, places, n = discs.heap, discs.places, discs.counts[N_AHEAD]
    place = places[i] - 1
    while place > 0 and comes_before(discs, i, heap[place - 1 >> 1]):
        heap[place] = heap[place - 1 >> 1]
        places[heap[place]] = place + 1
        place = place - 1 >> 1
    while 2 * place + 1 < n:
        child = 2 * place + 1
        if child + 1 < n and comes_before(discs, heap[child + 1], heap[child]):
            child += 1
        if not comes_before(discs, heap[child], i):
            break
        heap[place] = heap[child]
        places[heap[place]] = place + 1
        place = child
    heap[place] = i
    places[i] = place + 1


@inline
def take_out(discs, i):
    """Take a disc out of the heap if it is in it."""
    if discs.places[i] == 0:
        return
    n = discs.counts[N_AHEAD] - 1
    discs.counts[N_AHEAD] = n
    last = discs.heap[n]
    if last != i:
        discs.heap[discs.places[i] - 1] = last
        discs.places[last] = discs.places[i]
        sift(discs, last)
    discs.places[i] = 0


@njit
def look_around(discs, i, now, end):
    """Find the next collision of a moving disc; or let the neighbours of one that has just stopped know."""
    n = len(discs.x)
    moves = discs.stopped[i] > now
    best, partner = NEVER, 0
    for column in range(discs.columns[i] - 1, discs.columns[i] + 2):
        for row in range(discs.rows[i] - 1, discs.rows[i] + 2):
            j = discs.squares[square_of(discs, column, row)] - 1
            while j >= 0:
                if j != i and discs.columns[j] == column and discs.rows[j] == row:
                    time = meeting(discs, i, j, now)
                    if moves:
                        if time < best or (time == best and j < partner % n):
                            best = time
                            partner = j if discs.stopped[j] > now else j + n
                    elif time <= end and discs.stopped[j] > now:
                        known = discs.partners[j] % n
                        if time < discs.times[j] or (time == discs.times[j] and i < known):
                            announce(discs, j, time, i + n)
                j = discs.following[j] - 1
    if moves:
        if best <= end:
            announce(discs, i, best, partner)
        else:
            take_out(discs, i)
            discs.times[i] = NEVER


@inline
def announce(discs, i, time, partner):
    """Set the next collision of a disc."""
    discs.times[i] = time
    discs.partners[i] = partner
    if discs.places[i] == 0:
        discs.heap[discs.counts[N_AHEAD]] = i
        discs.counts[N_AHEAD] += 1
        discs.places[i] = discs.counts[N_AHEAD]
    sift(discs, i)


@njit
def sort_into_squares(discs, duration):
    """Hash the discs by squares so large that only those of neighbouring ones can meet."""
    largest, fastest, furthest = 0.0, 0.0, 0.0
    for i in range(len(discs.x)):
        largest = max(largest, discs.radius[i])
        fastest = max(fastest, discs.vx[i] * discs.vx[i] + discs.vy[i] * discs.vy[i])
        furthest = max(furthest, abs(discs.x[i]), abs(discs.y[i]))
    side = 2.0 * (largest + math.sqrt(fastest) * duration) * 1.000001
    # Columns and rows are whole numbers of 64 bits.
    side = max(side, furthest * TINY)
    if side <= 0.0:
        side = 1.0
    for i in range(len(discs.squares)):
        discs.squares[i] = 0
    for i in range(len(discs.x)):
        discs.columns[i] = math.floor(discs.x[i] / side)
        discs.rows[i] = math.floor(discs.y[i] / side)
        square = square_of(discs, discs.columns[i], discs.rows[i])
        discs.following[i] = discs.squares[square]
        discs.squares[square] = i + 1


@kernel
def move(discs: Discs, duration: float) -> int:
    """Move all discs on for a while, a finite duration of 0 or more; returns how many stopped. Those have
    the velocity 0 then, and `stopped` says when.
    """
    n = len(discs.x)
    discs.counts[N_AHEAD] = 0
    for i in range(n):
        discs.stopped[i] = discs.times[i] = NEVER
        discs.places[i] = discs.partners[i] = 0
    sort_into_squares(discs, duration)
    for i in range(n):
        look_around(discs, i, 0.0, duration)
    n_stopped = 0
    while discs.counts[N_AHEAD] > 0:
        i = discs.heap[0]
        now, j = discs.times[i], discs.partners[i] % n
        if (discs.stopped[j] <= now) != (discs.partners[i] >= n):
            # That one stopped elsewhere.
            look_around(discs, i, now, duration)
            continue
        for stopping in (i, j):
            if discs.stopped[stopping] > now:
                discs.stopped[stopping] = now
                take_out(discs, stopping)
                n_stopped += 1
        look_around(discs, i, now, duration)
        if discs.partners[i] < n:
            look_around(discs, j, now, duration)
    for i in range(n):
        time = min(duration, discs.stopped[i])
        discs.x[i] += discs.vx[i] * time
        discs.y[i] += discs.vy[i] * time
        if discs.stopped[i] < NEVER:
            discs.vx[i] = discs.vy[i] = 0.0
    return n_stopped
