"""What searches of paths in a triangulation know: `turns.py`, `funnel.py` and `ta_star.py` say what for.

B turns, N nodes, T triangles, V vertices, H hashes, F corners of funnels:

    vertices   int64[B]    of a turn: the corner; START for the first
    sides      int64[B]    1 with the corner on the left, -1 on the right, 0 for the start and the goal
    previous   int64[B]    the turn before
    following  int64[B]    the next one round the same corner on the same side, NONE
    states     int64[B]    OPEN, CLOSED for one that nothing may go on from
    hits       int64[B]    the constraint that is in the way there, NONE if none is
    lengths    float64[B]  the way to where the turn begins
    ux, uy     float64[B]  in which direction it is reached
    heads      int64[2 V]  1 + the last turn made round a vertex, on the right and on the left; 0 for none
    edges      int64[N]    of a node: 2 times the half-edge by which a triangle is left, 1 more if it
                           is entered on the right of that
    funnels    int64[4 N]  its funnel: the last turn; in `corners` the first, the apex, the last
    slots      int64[N]    of a node that was expanded: where in `seen` it is
    keys       float64[N]  the length that a path through it has at least
    corners    int64[F]    of all funnels: those on the right, the nearest last; the apex; those on the left
    seen       int64[H]    hashes of edges with their funnels, 0 for none
    marks      int64[T]    the query in which a triangle lay between the goal and the root of its dead end
    stamps     int64[T]    the last look round in which a triangle was seen
    stack      int64[2 T]  half-edges that are still to be looked at
    place      float64[6]  start, goal, radius; the length of the best path
    counts     int64[N_COUNTS]
"""

import math
from typing import Any, NamedTuple

from shared.core.jit import Floats, Ints, float_buffer, int_buffer
from shared.mesh.triangles import Mesh
from shared.path.heap import Heap, new_heap

START, GOAL = -1, -2
OPEN, CLOSED = range(2)
GOAL_X, GOAL_Y, RADIUS, BEST = range(2, 6)
# Used: turns, nodes, corners of funnels. What was in the way last, whether room was missing, how many looks
# round and queries there were; a half-edge of the start's triangle, the goal's triangle; the best path's last turn;
# whether dead ends are left out, how many nodes were expanded, whether a funnel could not tell something.
N_TURNS, N_NODES, N_CORNERS, BLOCKER, WAS_FULL, VISIT, QUERY = range(7)
START_EDGE, GOAL_TRIANGLE, BEST_TURN, IS_REDUCED, N_EXPANDED, IS_INCONCLUSIVE = range(7, 13)
# The funnel at hand, as that of a node
TURN, FIRST, APEX, LAST, N_COUNTS = range(13, 18)
NO_PATH = math.inf


class FunnelSearch(NamedTuple):
    """A search; see the module's docstring."""

    vertices: Ints
    sides: Ints
    previous: Ints
    following: Ints
    states: Ints
    hits: Ints
    lengths: Floats
    ux: Floats
    uy: Floats
    heads: Ints
    edges: Ints
    funnels: Ints
    slots: Ints
    keys: Floats
    corners: Ints
    seen: Ints
    marks: Ints
    stamps: Ints
    stack: Ints
    place: Floats
    counts: Ints


def new_funnel_search(mesh: Mesh, n_nodes: int = 1 << 13) -> tuple[FunnelSearch, Heap]:
    """Buffers for any number of searches on a mesh, one after the other, and their open list."""
    n, n_triangles = n_nodes, len(mesh.corners) // 4
    buffers: list[Any] = [
        *(int_buffer(n) for _ in range(6)),
        *(float_buffer(n) for _ in range(3)),
        *map(int_buffer, (2 * len(mesh.x), n, 4 * n, n)),
        float_buffer(n),
        *map(int_buffer, (32 * n, 1 << (4 * n - 1).bit_length())),
        *map(int_buffer, (n_triangles, n_triangles, 2 * n_triangles)),
        float_buffer(6),
        int_buffer(N_COUNTS),
    ]
    return FunnelSearch(*buffers), new_heap(n)
