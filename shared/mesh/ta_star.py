"""TA* and TRA*: shortest paths of a point or a disc among the constraints of a triangulation.

Sources: D. Demyen, M. Buro, "Efficient Triangulation-Based Pathfinding" (AAAI 2006). A search node is an
edge by which a channel of triangles enters the next one. Its funnel goes along, so that how long the
way to its apex is, is known and not estimated, and channels are cut off whose settled part is not the
shortest to where it ends (`funnel.py`). What is left is at least the way from there over the edge to the goal as the crow flies.
Whenever the goal's triangle is reached there is a path; the search can go on until none can be shorter.

TRA* looks at forks only: it enters no dead end but the goal's, and follows corridors to their end at once.
A triangle that is turned in has to be wide enough for the disc, and what is settled is compared with all walls near it: widths in a plain Delaunay
triangulation let discs through that do not fit.

N nodes:

    edges   int64[N]    the half-edge by which a triangle is entered, on the triangle's side
    bends   int64[N]    the last bend that is settled
    firsts, apexes, lasts   int64[N]   its funnel in `funnels.corners`
    slots   int64[N]    where in `seen` it is
    seen    int64[H]    hashes of edges with their funnels, 0 for none
    marks   int64[T]    the query in which a triangle lay between the goal and the root of its dead end
    keys    float64[N]  the length that a path through it has at least
    best    float64[1]  the length of the best path
    counts  int64[N_COUNTS]
"""

import math
from typing import NamedTuple

from shared.core.jit import Floats, Ints, float_buffer, inline, int_buffer, kernel, njit
from shared.mesh.clearance import SLACK, Flood, corners_beyond, is_wide, new_flood
from shared.mesh.funnel import (
    EQUAL,
    GOAL,
    N_CORNERS,
    RADIUS,
    START,
    WAS_FULL,
    Funnels,
    begin_funnels,
    narrow_funnel,
    new_funnels,
    place_x,
    place_y,
    settle,
)
from shared.mesh.levels import TREE, Levels
from shared.mesh.locate import BEYOND, find_place
from shared.mesh.triangles import NONE, Mesh, after, before, is_ghostly
from shared.path.heap import Heap, heap_clear, heap_is_empty, heap_pop, heap_push, new_heap

N_NODES, N_EXPANDED, QUERY, GOAL_TRIANGLE, BEST_BEND, IS_REDUCED, N_COUNTS = range(7)
# What `search_on` says: there is more to look at; the best path is proved to be the shortest, or that there
# is none; the buffers are full.
SEARCHING, PROVED, FULL = range(3)
# Keys of the open list are whole numbers of such parts.
KEY_PARTS = float(1 << 20)
NO_PATH = math.inf


class Search(NamedTuple):
    """A search among channels; see the module's docstring."""

    edges: Ints
    bends: Ints
    firsts: Ints
    apexes: Ints
    lasts: Ints
    slots: Ints
    seen: Ints
    marks: Ints
    keys: Floats
    best: Floats
    counts: Ints


def new_search(mesh: Mesh, n_nodes: int = 1 << 13) -> tuple[Flood, Funnels, Search, Heap]:
    """Buffers for any number of searches on a mesh, one after the other."""
    flood, funnels = new_flood(mesh), new_funnels(mesh, n_nodes, 16 * n_nodes)
    ints = (int_buffer(n_nodes) for _ in range(6))
    n_slots = 1 << (4 * n_nodes - 1).bit_length()
    search = Search(
        *ints,
        int_buffer(n_slots),
        int_buffer(len(mesh.corners) // 4),
        float_buffer(n_nodes),
        float_buffer([NO_PATH]),
        int_buffer(N_COUNTS),
    )
    return flood, funnels, search, new_heap(n_nodes)


@njit
def length_over(ax, ay, bx, by, px, py, qx, qy):
    """The length of the shortest way from p to q that touches segment ab."""
    dx, dy = bx - ax, by - ay
    side_p, side_q = dx * (py - ay) - dy * (px - ax), dx * (qy - ay) - dy * (qx - ax)
    far_p, far_q = abs(side_p), abs(side_q)
    along_p = (px - ax) * dx + (py - ay) * dy
    along_q = (qx - ax) * dx + (qy - ay) * dy
    length2 = dx * dx + dy * dy
    along = along_p
    # Where q lies on p's side its mirror image counts, which is as far along.
    if far_p + far_q > 0.0:
        along = (along_p * far_q + along_q * far_p) / (far_p + far_q)
    part = min(1.0, max(0.0, along / length2))
    x, y = ax + part * dx, ay + part * dy
    return math.sqrt((x - px) * (x - px) + (y - py) * (y - py)) + math.sqrt(
        (x - qx) * (x - qx) + (y - qy) * (y - qy)
    )


@inline
def may_leave(mesh, levels, search, e):
    """Whether the search goes over an edge, out of a half-edge's triangle."""
    other = mesh.twins[e]
    if mesh.owners[e] != 0 or is_ghostly(mesh, other):
        return False
    if search.counts[IS_REDUCED] == 0 or levels.levels[other >> 2] != TREE:
        return True
    return levels.up[e >> 2] == e or search.marks[other >> 2] == search.counts[QUERY]


@njit
def narrow_beyond(mesh, flood, funnels, bend, span, e, pivot, origin, target, side):
    """Add the corners to one side of a funnel that keep a disc away from an edge of a triangle, where
    its way turns round the pivot from one place to another. Returns (bend, first, apex, last).
    """
    first, apex, last = span
    r = funnels.place[RADIUS] - SLACK
    if r <= 0.0 or mesh.owners[e] != 0:
        return bend, first, apex, last
    x, y = place_x(mesh, funnels, pivot), place_y(mesh, funnels, pivot)
    from_x, from_y = place_x(mesh, funnels, origin), place_y(mesh, funnels, origin)
    to_x, to_y = place_x(mesh, funnels, target), place_y(mesh, funnels, target)
    n = corners_beyond(mesh, flood, e, r, x, y, from_x, from_y, to_x, to_y, side)
    for i in range(n):
        if bend != NONE:
            # What is settled looks round again, but keeps what was found.
            v = flood.found[i]
            bend, first, apex, last = narrow_funnel(
                mesh, flood, funnels, bend, (first, apex, last), v, side
            )
    return bend, first, apex, last


@njit
def reach_goal(mesh, flood, funnels, search, e, bend, span):
    """Complete the way of a funnel in the goal's triangle, entered by e; it counts if it is the shortest so
    far.
    """
    n = funnels.counts[N_CORNERS]
    if e != NONE:
        a, b = mesh.corners[e], mesh.corners[after(e)]
        bend, first, apex, last = narrow_beyond(
            mesh, flood, funnels, bend, span, before(e), b, a, GOAL, 1
        )
        if bend == NONE:
            return
        bend, first, apex, last = narrow_beyond(
            mesh, flood, funnels, bend, (first, apex, last), after(e), a, b, GOAL, -1
        )
        if bend == NONE:
            return
        span = first, apex, last
    bend, _, apex, last = narrow_funnel(mesh, flood, funnels, bend, span, GOAL, 1)
    while bend != NONE and apex < last:
        apex += 1
        v = funnels.corners[apex]
        bend = settle(mesh, flood, funnels, bend, v, 1 if v >= 0 else 0)
    funnels.counts[N_CORNERS] = n
    if bend != NONE and funnels.lengths[bend] < search.best[0]:
        search.best[0] = funnels.lengths[bend]
        search.counts[BEST_BEND] = bend


@njit
def is_new(funnels, search, e, bend, span):
    """Whether no other channel has brought this funnel to an edge; remembers that one has."""
    first, apex, last = span
    hash_ = (e * 0x9E3779B1 ^ bend * 0x85EBCA77 ^ (apex - first) * 0x27D4EB2F) & 0xFFFFFFFF
    other = hash_ ^ 0x5BD1E995
    for i in range(first, last + 1):
        v = funnels.corners[i] + 3
        hash_ = (hash_ * 31 + v) * 0x01000193 & 0xFFFFFFFF
        other = (other ^ v) * 0x2C1B3C6D & 0xFFFFFFFF
        other ^= other >> 15
    mask = len(search.seen) - 1
    value = (hash_ << 30 ^ other) | 1
    slot = (hash_ ^ hash_ >> 16) & mask
    while search.seen[slot] != 0:
        if search.seen[slot] == value:
            return False
        slot = (slot + 1) & mask
    search.seen[slot] = value
    search.slots[search.counts[N_NODES]] = slot
    return True


@njit
def follow(mesh, levels, flood, funnels, search, heap, e, exit_, bend, span, key):
    """Leave a triangle, entered by e, over an exit, and go on as far as there is no choice."""
    goal_triangle = search.counts[GOAL_TRIANGLE]
    goal_x, goal_y = funnels.place[2], funnels.place[3]
    diameter = 2.0 * (funnels.place[RADIUS] - SLACK)
    while True:
        if e != NONE:
            beyond = before(e) if exit_ == after(e) else after(e)
            if diameter > 0.0 and not is_wide(mesh, flood, beyond, diameter):
                return
            side = 1 if exit_ == after(e) else -1
            v, a, b = mesh.corners[before(e)], mesh.corners[e], mesh.corners[after(e)]
            if side < 0:
                a, b = b, a
            bend, first, apex, last = narrow_beyond(
                mesh, flood, funnels, bend, span, beyond, b, a, v, side
            )
            if bend == NONE:
                return
            span = first, apex, last
            bend, first, apex, last = narrow_funnel(mesh, flood, funnels, bend, span, v, side)
            if bend == NONE:
                return
            span = first, apex, last
        e = mesh.twins[exit_]
        if e >> 2 == goal_triangle:
            reach_goal(mesh, flood, funnels, search, e, bend, span)
        a, b = mesh.corners[e], mesh.corners[after(e)]
        ax, ay = float(mesh.x[a]), float(mesh.y[a])
        bx, by = float(mesh.x[b]), float(mesh.y[b])
        x, y = funnels.x[bend], funnels.y[bend]
        key = max(key, funnels.lengths[bend] + length_over(ax, ay, bx, by, x, y, goal_x, goal_y))
        if key >= search.best[0] - EQUAL:
            return
        left = may_leave(mesh, levels, search, after(e))
        right = may_leave(mesh, levels, search, before(e))
        if not left and not right:
            return
        if search.counts[IS_REDUCED] == 0 or (left and right):
            break
        exit_ = after(e) if left else before(e)
    n = search.counts[N_NODES]
    if n >= len(search.edges):
        funnels.counts[WAS_FULL] = 1
        return
    if is_new(funnels, search, e, bend, span):
        search.edges[n], search.bends[n], search.keys[n] = e, bend, key
        search.firsts[n], search.apexes[n], search.lasts[n] = span
        search.counts[N_NODES] = n + 1
        heap_push(heap, int(key * KEY_PARTS), n)


@njit
def triangle_at(mesh, x, y):
    """A triangle that has a point, four times its number; NONE outside of all."""
    place = find_place(mesh, x, y)
    if place == NONE or place & 3 == BEYOND or is_ghostly(mesh, place >> 2):
        return NONE
    return (place >> 2) & ~3


@njit
def first_funnel(mesh, flood, funnels, e):
    """The funnel from the start over an edge of its triangle: (bend, first, apex, last)."""
    n = funnels.counts[N_CORNERS]
    funnels.corners[n] = START
    funnels.counts[N_CORNERS] = n + 1
    bend, first, apex, last = 0, n, n, n
    for k in range(2):
        side = 1 - 2 * k
        v, pivot = mesh.corners[after(e)], mesh.corners[e]
        beyond = after(e)
        if side < 0:
            v, pivot, beyond = pivot, v, before(e)
        if bend != NONE:
            bend, first, apex, last = narrow_beyond(
                mesh, flood, funnels, bend, (first, apex, last), beyond, pivot, START, v, side
            )
        if bend != NONE:
            bend, first, apex, last = narrow_funnel(
                mesh, flood, funnels, bend, (first, apex, last), v, side
            )
    return bend, first, apex, last


@kernel
def begin_search(
    mesh: Mesh,
    levels: Levels,
    flood: Flood,
    funnels: Funnels,
    search: Search,
    heap: Heap,
    start_x: int,
    start_y: int,
    goal_x: int,
    goal_y: int,
    r: float,
    is_reduced: bool,
) -> None:
    """Begin to search for paths of a disc of radius r, 0 for a point: TRA* if it is reduced, else TA*.

    Start and goal lie in free space, r or more away from all constraints. For TRA* the levels have to be those of the mesh.
    """
    for i in range(search.counts[N_NODES]):
        search.seen[search.slots[i]] = 0
    heap_clear(heap)
    t, goal_triangle = triangle_at(mesh, start_x, start_y), triangle_at(mesh, goal_x, goal_y)
    begin_funnels(funnels, t, float(start_x), float(start_y), float(goal_x), float(goal_y), r)
    search.counts[N_NODES] = search.counts[N_EXPANDED] = 0
    search.counts[QUERY] += 1
    search.counts[GOAL_TRIANGLE] = goal_triangle >> 2
    search.counts[IS_REDUCED] = 1 if is_reduced else 0
    search.counts[BEST_BEND] = NONE
    search.best[0] = NO_PATH
    if t == NONE or goal_triangle == NONE:
        return
    if is_reduced:
        u = goal_triangle >> 2
        while levels.levels[u] == TREE:
            search.marks[u] = search.counts[QUERY]
            if levels.up[u] == NONE:
                break
            u = mesh.twins[levels.up[u]] >> 2
    funnels.corners[0] = START
    if t == goal_triangle:
        funnels.counts[N_CORNERS] = 1
        reach_goal(mesh, flood, funnels, search, NONE, 0, (0, 0, 0))
    for e in range(t, t + 3):
        if may_leave(mesh, levels, search, e):
            bend, first, apex, last = first_funnel(mesh, flood, funnels, e)
            if bend != NONE:
                span = first, apex, last
                follow(mesh, levels, flood, funnels, search, heap, NONE, e, bend, span, 0.0)


@kernel
def search_on(
    mesh: Mesh,
    levels: Levels,
    flood: Flood,
    funnels: Funnels,
    search: Search,
    heap: Heap,
    n: int,
) -> int:
    """Expand at most n nodes; SEARCHING, PROVED or FULL. `search.best[0]` is the best length so far."""
    while n > 0 and not heap_is_empty(heap):
        i = heap_pop(heap)
        if search.keys[i] >= search.best[0] - EQUAL:
            heap_clear(heap)
            break
        n -= 1
        search.counts[N_EXPANDED] += 1
        e = search.edges[i]
        span = search.firsts[i], search.apexes[i], search.lasts[i]
        bend, key = search.bends[i], search.keys[i]
        for k in range(2):
            exit_ = after(e) if k == 0 else before(e)
            if may_leave(mesh, levels, search, exit_):
                follow(mesh, levels, flood, funnels, search, heap, e, exit_, bend, span, key)
    if not heap_is_empty(heap):
        return SEARCHING
    return FULL if funnels.counts[WAS_FULL] else PROVED
