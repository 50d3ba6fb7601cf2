"""Discs in straight motion that stop at their first collision.

The earliest collision of all comes first: both discs stop there, the collisions of their neighbours
are recomputed, and so on. Widely spread discs have O(1) neighbours each, found by hashing the
squares of a grid: n discs take O(n log n) (M. Buro's lectures on planning in games). A disc at rest
stays in the way. Of simultaneous collisions the collision of lower numbers comes first.

    x, y, vx, vy, radius   float64[D]    of each disc: place, velocity, radius.
    stopped                float64[D]    the time when it stopped, NEVER while it moves.
    times                  float64[D]    the time of its next collision, or NEVER.
    partners               int64[D]      the other disc then, + D if it was at rest.
    heap, places           int64[D]      the discs with a collision ahead, as a binary heap by time;
                                         1 + the place of a disc in it.
    squares                int64[2^k]    1 + the first disc of a hashed square.
    following              int64[D]      1 + the next disc there.
    columns, rows          int64[D]      the square of a disc.
    counts                 int64[2]      discs in the heap, collisions.
"""

import math
from collections.abc import Iterable
from typing import NamedTuple

from ..core.jit import Floats, Ints, float_buffer, inline, int_buffer, kernel, njit

NEVER = 1e300
# A disc that grazes another one continues.
GRAZING = 1e-12
LARGEST = 1e70  # products of four coordinates are finite
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
    """Returns discs of (x, y, vx, vy, radius). Raises ValueError for a radius below 0, and for
    numbers beyond +-LARGEST.
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
def bucket_of(discs, column, row):
    """Returns the bucket of a square in the hash table."""
    return (column * 73856093 ^ row * 19349663) & len(discs.squares) - 1


@inline
def collision_time(discs, i, j, now):
    """Returns the time at which two discs collide, from now on; NEVER if they do not.

    The result does not depend on the time of the call, so that simultaneous collisions stay
    simultaneous.
    """
    # A moving disc is given by its place at time 0, one at rest by its present place.
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
    # |(dx, dy) + t (dvx, dvy)| = reach, and the distance falls now.
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
    """Returns True if disc i's next collision precedes disc j's next collision."""
    if discs.times[i] != discs.times[j]:
        return discs.times[i] < discs.times[j]
    with_i, with_j = discs.partners[i] % len(discs.x), discs.partners[j] % len(discs.x)
    if min(i, with_i) != min(j, with_j):
        return min(i, with_i) < min(j, with_j)
    return max(i, with_i) < max(j, with_j)


@njit
def sift_disc(discs, i):
    """Move a disc in the heap to its place."""
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
def unschedule(discs, i):
    """Remove a disc from the heap, if present."""
    if discs.places[i] == 0:
        return
    n = discs.counts[N_AHEAD] - 1
    discs.counts[N_AHEAD] = n
    last = discs.heap[n]
    if last != i:
        discs.heap[discs.places[i] - 1] = last
        discs.places[last] = discs.places[i]
        sift_disc(discs, last)
    discs.places[i] = 0


@njit
def update_collisions(discs, i, now, end):
    """Find the next collision of a moving disc; or update the neighbours of a disc that has just
    stopped.
    """
    n = len(discs.x)
    moves = discs.stopped[i] > now
    best, partner = NEVER, 0
    for column in range(discs.columns[i] - 1, discs.columns[i] + 2):
        for row in range(discs.rows[i] - 1, discs.rows[i] + 2):
            j = discs.squares[bucket_of(discs, column, row)] - 1
            while j >= 0:
                if j != i and discs.columns[j] == column and discs.rows[j] == row:
                    time = collision_time(discs, i, j, now)
                    if moves:
                        if time < best or (time == best and j < partner % n):
                            best = time
                            partner = j if discs.stopped[j] > now else j + n
                    elif time <= end and discs.stopped[j] > now:
                        known = discs.partners[j] % n
                        if time < discs.times[j] or (time == discs.times[j] and i < known):
                            schedule(discs, j, time, i + n)
                j = discs.following[j] - 1
    if moves:
        if best <= end:
            schedule(discs, i, best, partner)
        else:
            unschedule(discs, i)
            discs.times[i] = NEVER


@inline
def schedule(discs, i, time, partner):
    """Set the next collision of a disc."""
    discs.times[i] = time
    discs.partners[i] = partner
    if discs.places[i] == 0:
        discs.heap[discs.counts[N_AHEAD]] = i
        discs.counts[N_AHEAD] += 1
        discs.places[i] = discs.counts[N_AHEAD]
    sift_disc(discs, i)


@njit
def hash_discs(discs, duration):
    """Hash the discs by squares so large that only discs in neighbouring squares can meet."""
    largest, fastest, furthest = 0.0, 0.0, 0.0
    for i in range(len(discs.x)):
        largest = max(largest, discs.radius[i])
        fastest = max(fastest, discs.vx[i] * discs.vx[i] + discs.vy[i] * discs.vy[i])
        furthest = max(furthest, abs(discs.x[i]), abs(discs.y[i]))
    side = 2.0 * (largest + math.sqrt(fastest) * duration) * 1.000001
    # Columns and rows are 64-bit integers.
    side = max(side, furthest * TINY)
    if side <= 0.0:
        side = 1.0
    for i in range(len(discs.squares)):
        discs.squares[i] = 0
    for i in range(len(discs.x)):
        discs.columns[i] = math.floor(discs.x[i] / side)
        discs.rows[i] = math.floor(discs.y[i] / side)
        square = bucket_of(discs, discs.columns[i], discs.rows[i])
        discs.following[i] = discs.squares[square]
        discs.squares[square] = i + 1


@kernel
def move(discs: Discs, duration: float) -> int:
    """Move all discs for a finite duration of 0 or more. Returns the number of stopped discs.

    Stopped discs have velocity 0, their times are in `stopped`.
    """
    n = len(discs.x)
    discs.counts[N_AHEAD] = 0
    for i in range(n):
        discs.stopped[i] = discs.times[i] = NEVER
        discs.places[i] = discs.partners[i] = 0
    hash_discs(discs, duration)
    for i in range(n):
        update_collisions(discs, i, 0.0, duration)
    n_stopped = 0
    while discs.counts[N_AHEAD] > 0:
        i = discs.heap[0]
        now, j = discs.times[i], discs.partners[i] % n
        if (discs.stopped[j] <= now) != (discs.partners[i] >= n):
            # The partner has stopped at another collision.
            update_collisions(discs, i, now, duration)
            continue
        for stopping in (i, j):
            if discs.stopped[stopping] > now:
                discs.stopped[stopping] = now
                unschedule(discs, stopping)
                n_stopped += 1
        update_collisions(discs, i, now, duration)
        if discs.partners[i] < n:
            update_collisions(discs, j, now, duration)
    for i in range(n):
        time = min(duration, discs.stopped[i])
        discs.x[i] += discs.vx[i] * time
        discs.y[i] += discs.vy[i] * time
        if discs.stopped[i] < NEVER:
            discs.vx[i] = discs.vy[i] = 0.0
    return n_stopped
