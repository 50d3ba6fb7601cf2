"""Paths over the waypoints of a decomposition of free space into convex pieces: plain, and not
optimal (M. Buro's lectures on planning in games, "Free-Space Decomposition").

Vertical cuts through all corners make trapezoids between two walls each (the vertical
decomposition, M. de Berg et al., "Computational Geometry", chapter 6); they meet at portals. The
waypoints are the middles of portals and pieces, and four more points of a portal; A* goes from the
start's piece to the goal's over them (`waypoints.py`).

C corners, P <= 4 C pieces, Q <= 4 C portals:

    counts       int64[2]     pieces, portals.
    low, high    int64[P]     the walls below and above a piece.
    left, right  float64[P]   the least and the greatest x of a piece.
    before, after             int64[Q]    the pieces on the left and on the right of a portal.
    x, bottom, top            float64[Q]  the place of a portal.
    first        int64[P + 1], members int64[2 Q]   the portals of a piece.
    order        int64[C]     corners from left to right.
    gaps         int64[3 C]   (low, high, piece) of the pieces of one cut, from below.
    last_gaps    int64[3 C]   of the cut before.
"""

import math
from typing import NamedTuple

from ..core.jit import Floats, Ints, float_buffer, inline, int_buffer, kernel, njit
from ..mesh.geometry import NONE
from ..mesh.walls import WALL_SLACK, Walls
from ..mesh.waypoints import (
    FIRST,
    GOAL,
    START,
    Waypoints,
    begin_waypoints,
    finish_path,
    new_waypoints,
    relax_step,
)
from ..path.open_lists import Heap, heap_is_empty, heap_pop
from ..path.statuses import NO_PATH

N_PIECES, N_PORTALS = range(2)


class Pieces(NamedTuple):
    """The convex pieces; see the module's docstring."""

    counts: Ints
    low: Ints
    high: Ints
    left: Floats
    right: Floats
    before: Ints
    after: Ints
    x: Floats
    bottom: Floats
    top: Floats
    first: Ints
    members: Ints
    order: Ints
    gaps: Ints
    last_gaps: Ints


N_PORTAL_POINTS = 5  # waypoints of a portal
BEND = 1.5  # radii between a corner and a waypoint to turn around it at


def new_pieces(n_corners: int) -> tuple[Pieces, Waypoints, Heap]:
    """Returns buffers for maps of this many corners."""
    n = 4 * n_corners
    pieces = Pieces(
        counts=int_buffer(2),
        low=int_buffer(n),
        high=int_buffer(n),
        left=float_buffer(n),
        right=float_buffer(n),
        before=int_buffer(n),
        after=int_buffer(n),
        x=float_buffer(n),
        bottom=float_buffer(n),
        top=float_buffer(n),
        first=int_buffer(n + 1),
        members=int_buffer(2 * n),
        order=int_buffer(n_corners),
        gaps=int_buffer(3 * n_corners),
        last_gaps=int_buffer(3 * n_corners),
    )
    return pieces, *new_waypoints((N_PORTAL_POINTS + 1) * n)


@inline
def height_at(walls, wall, x):
    """Returns the y at x of a wall that is not vertical."""
    other = walls.following[wall]
    part = (x - walls.x[wall]) / (walls.x[other] - walls.x[wall])
    return walls.y[wall] + part * (walls.y[other] - walls.y[wall])


@njit
def sort_corners(walls, order):
    """Sort the corners from left to right (D. Shell's sort)."""
    n = len(walls.x)
    for i in range(n):
        order[i] = i
    gap = n // 2
    while gap > 0:
        for i in range(gap, n):
            corner, j = order[i], i
            while j >= gap and walls.x[order[j - gap]] > walls.x[corner]:
                order[j] = order[j - gap]
                j -= gap
            order[j] = corner
        gap //= 2


@njit
def cut_gaps(walls, gaps, left, right):
    """Find the free gaps between two neighbouring verticals. Returns their number."""
    n, middle = 0, 0.5 * (left + right)
    for wall in range(len(walls.x)):
        other = walls.following[wall]
        if (
            min(walls.x[wall], walls.x[other]) <= left
            and max(walls.x[wall], walls.x[other]) >= right
        ):
            # Sort the walls by height: they are `low` and `high` of gaps in turns.
            height, i = height_at(walls, wall, middle), n
            while i > 0:
                last = gaps[3 * ((i - 1) // 2) + (i - 1) % 2]
                if height_at(walls, last, middle) <= height:
                    break
                gaps[3 * (i // 2) + i % 2] = last
                i -= 1
            gaps[3 * (i // 2) + i % 2] = wall
            n += 1
    return n // 2


@njit
def add_portals(walls, pieces, x, n_last, n_gaps):
    """Add the portals at x between pieces on its left and pieces on its right."""
    for i in range(n_last):
        before = pieces.last_gaps[3 * i + 2]
        for j in range(n_gaps):
            after = pieces.gaps[3 * j + 2]
            if after == before:
                continue
            bottom = max(
                height_at(walls, pieces.low[before], x), height_at(walls, pieces.low[after], x)
            )
            top = min(
                height_at(walls, pieces.high[before], x), height_at(walls, pieces.high[after], x)
            )
            if top - bottom > WALL_SLACK:
                n = pieces.counts[N_PORTALS]
                pieces.before[n], pieces.after[n] = before, after
                pieces.x[n], pieces.bottom[n], pieces.top[n] = x, bottom, top
                pieces.counts[N_PORTALS] = n + 1


@njit
def index_portals(pieces):
    """List the portals of each piece, by counting."""
    n_pieces, n_portals = pieces.counts[N_PIECES], pieces.counts[N_PORTALS]
    for piece in range(n_pieces + 1):
        pieces.first[piece] = 0
    for portal in range(n_portals):
        pieces.first[pieces.before[portal]] += 1
        pieces.first[pieces.after[portal]] += 1
    for piece in range(n_pieces):
        pieces.first[piece + 1] += pieces.first[piece]
    for portal in range(n_portals - 1, -1, -1):
        for side in range(2):
            piece = pieces.before[portal] if side == 0 else pieces.after[portal]
            pieces.first[piece] -= 1
            pieces.members[pieces.first[piece]] = portal


@kernel
def decompose(walls: Walls, pieces: Pieces) -> None:
    """Cut free space into pieces."""
    sort_corners(walls, pieces.order)
    pieces.counts[N_PIECES] = pieces.counts[N_PORTALS] = 0
    n_last = 0
    for i in range(len(walls.x) - 1):
        left, right = walls.x[pieces.order[i]], walls.x[pieces.order[i + 1]]
        if left == right:
            continue
        n_gaps = cut_gaps(walls, pieces.gaps, left, right)
        for j in range(n_gaps):
            low, high, piece = pieces.gaps[3 * j], pieces.gaps[3 * j + 1], NONE
            for k in range(n_last):
                if pieces.last_gaps[3 * k] == low and pieces.last_gaps[3 * k + 1] == high:
                    piece = pieces.last_gaps[3 * k + 2]
            if piece == NONE:
                piece = pieces.counts[N_PIECES]
                pieces.counts[N_PIECES] = piece + 1
                pieces.low[piece], pieces.high[piece] = low, high
                pieces.left[piece] = left
            pieces.right[piece] = right
            pieces.gaps[3 * j + 2] = piece
        add_portals(walls, pieces, left, n_last, n_gaps)
        for j in range(3 * n_gaps):
            pieces.last_gaps[j] = pieces.gaps[j]
        n_last = n_gaps
    index_portals(pieces)


@njit
def piece_at(walls, pieces, x, y):
    """Returns the piece of a point, or NONE."""
    for piece in range(pieces.counts[N_PIECES]):
        if pieces.left[piece] <= x <= pieces.right[piece]:
            low = height_at(walls, pieces.low[piece], x)
            if low - WALL_SLACK <= y <= height_at(walls, pieces.high[piece], x) + WALL_SLACK:
                return piece
    return NONE


@inline
def room_beside(walls, wall, other, r):
    """Returns the vertical distance that a disc needs from the steeper of two walls."""
    steepest = 1.0
    for k in range(2):
        one = wall if k == 0 else other
        end = walls.following[one]
        dx, dy = walls.x[end] - walls.x[one], walls.y[end] - walls.y[one]
        steepest = max(steepest, math.sqrt(dx * dx + dy * dy) / abs(dx))
    return r * steepest


@njit
def set_waypoints(walls, pieces, ways, r):
    """Put waypoints in the middle of pieces and portals, near portal ends and half way to them."""
    first_piece = FIRST + N_PORTAL_POINTS * pieces.counts[N_PORTALS]
    for portal in range(pieces.counts[N_PORTALS]):
        before, after = pieces.before[portal], pieces.after[portal]
        bottom, top = pieces.bottom[portal], pieces.top[portal]
        middle = 0.5 * (bottom + top)
        node = FIRST + N_PORTAL_POINTS * portal
        for k in range(N_PORTAL_POINTS):
            ways.x[node + k] = pieces.x[portal]
        above = room_beside(walls, pieces.low[before], pieces.low[after], BEND * r)
        below = room_beside(walls, pieces.high[before], pieces.high[after], BEND * r)
        ways.y[node] = middle
        ways.y[node + 1] = min(middle, bottom + above)
        ways.y[node + 2] = max(middle, top - below)
        ways.y[node + 3] = 0.5 * (ways.y[node + 1] + middle)
        ways.y[node + 4] = 0.5 * (ways.y[node + 2] + middle)
    for piece in range(pieces.counts[N_PIECES]):
        x = 0.5 * (pieces.left[piece] + pieces.right[piece])
        low, high = height_at(walls, pieces.low[piece], x), height_at(walls, pieces.high[piece], x)
        ways.x[first_piece + piece] = x
        ways.y[first_piece + piece] = 0.5 * (low + high)


@njit
def expand_piece(walls, pieces, ways, queue, piece, node, goal_piece, r):
    """Relax the steps from a waypoint to all waypoints of its piece."""
    first_piece = FIRST + N_PORTAL_POINTS * pieces.counts[N_PORTALS]
    for i in range(
        N_PORTAL_POINTS * pieces.first[piece], N_PORTAL_POINTS * pieces.first[piece + 1]
    ):
        portal = pieces.members[i // N_PORTAL_POINTS]
        relax_step(
            walls, ways, queue, FIRST + N_PORTAL_POINTS * portal + i % N_PORTAL_POINTS, node, r
        )
    relax_step(walls, ways, queue, first_piece + piece, node, r)
    if piece == goal_piece:
        relax_step(walls, ways, queue, GOAL, node, r)


@kernel
def find(
    walls: Walls,
    pieces: Pieces,
    ways: Waypoints,
    queue: Heap,
    r: float,
    start_x: float,
    start_y: float,
    goal_x: float,
    goal_y: float,
) -> float:
    """Returns the length of a path that keeps r > 0 from all walls, NO_PATH if none was found;
    `ways` has its points.
    """
    n_places = N_PORTAL_POINTS * pieces.counts[N_PORTALS]
    n_nodes = FIRST + n_places + pieces.counts[N_PIECES]
    set_waypoints(walls, pieces, ways, r)
    begin_waypoints(ways, queue, n_nodes, start_x, start_y, goal_x, goal_y)
    first_piece = piece_at(walls, pieces, start_x, start_y)
    goal_piece = piece_at(walls, pieces, goal_x, goal_y)
    if first_piece == NONE or goal_piece == NONE:
        return NO_PATH
    expand_piece(walls, pieces, ways, queue, first_piece, START, goal_piece, r)
    while not heap_is_empty(queue):
        node = heap_pop(queue)
        if node == GOAL:
            break
        for side in range(2):
            piece = node - FIRST - n_places
            if piece < 0:
                portal = (node - FIRST) // N_PORTAL_POINTS
                piece = pieces.before[portal] if side == 0 else pieces.after[portal]
            elif side == 1:
                break
            expand_piece(walls, pieces, ways, queue, piece, node, goal_piece, r)
    return finish_path(walls, ways, r)
