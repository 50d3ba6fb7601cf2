"""The fallback of TA* for discs: a search over all tangents where funnels are inconclusive.

A wide enough channel is given up when its funnel closes, mostly because a disc has no room there,
or because another path reaches the turn sooner. But a wall right across the segment between two
turns does not determine on which side a path passes it. Also, a disc may meet corners in another
order than the channel's. So `counts[IS_INCONCLUSIVE]` records that a channel was given up. Then
this search tries all tangents from all known turns: A* on the tangent graph, as in
`tangent_graph.py`, but without a prepared graph. That takes a hundred times as long as a search by
channels, and relies only on the correctness of single turns.
"""

import math

from ..core.jit import inline, kernel, njit
from ..mesh.funnel import (
    BEST,
    BEST_TURN,
    EQUAL,
    GOAL,
    GOAL_X,
    GOAL_Y,
    IS_INCONCLUSIVE,
    N_TURNS,
    OPEN,
    WAS_FULL,
    FunnelSearch,
    add_turn,
    tangent,
    touch_point,
)
from ..mesh.geometry import KEY_PARTS, NONE
from ..mesh.triangulation import FREE, VERTEX_END, Mesh
from ..path.open_lists import Heap, heap_clear, heap_is_empty, heap_pop, heap_push
from ..path.statuses import FOUND, FULL, NO_PATH, SEARCHING

# Of counts[IS_INCONCLUSIVE]: the fallback has begun.
IN_FALLBACK = 2


@njit
def bound_by_tangent(mesh, search, turn, v, side, ux, uy):
    """Returns a lower bound of path lengths by a turn's tangent in direction u to v's circle."""
    x, y = touch_point(mesh, search, search.vertices[turn], search.sides[turn], ux, uy)
    to_x, to_y = touch_point(mesh, search, v, side, ux, uy)
    way = math.sqrt((to_x - x) * (to_x - x) + (to_y - y) * (to_y - y))
    dx, dy = search.place[GOAL_X] - to_x, search.place[GOAL_Y] - to_y
    return search.lengths[turn] + way + math.sqrt(dx * dx + dy * dy)


@inline
def length_bound(mesh, search, turn):
    """Returns a lower bound of lengths from a turn on."""
    v, side = search.vertices[turn], search.sides[turn]
    return bound_by_tangent(mesh, search, turn, v, side, search.ux[turn], search.uy[turn])


@inline
def push_turn(mesh, search, heap, turn):
    """Push a turn whose tangents are to be tried."""
    heap_push(heap, int(length_bound(mesh, search, turn) * KEY_PARTS), turn)


@njit
def try_tangent(mesh, search, heap, last, v, side):
    """Extend a turn by a tangent to a corner, or the goal, if that may be the shortest path."""
    dx, dy, exists = tangent(mesh, search, search.vertices[last], search.sides[last], v, side)
    across = search.sides[last] * (search.ux[last] * dy - search.uy[last] * dx)
    if not exists or across < 0.0:
        return
    long = math.sqrt(dx * dx + dy * dy)
    if (
        bound_by_tangent(mesh, search, last, v, side, dx / long, dy / long)
        >= search.place[BEST] - EQUAL
    ):
        return
    n = search.counts[N_TURNS]
    turn = add_turn(mesh, search, last, v, side)
    if turn == NONE:
        # Rejected turns are dropped, as there are many of them.
        if search.counts[N_TURNS] > n:
            search.counts[N_TURNS] = n
            if v >= 0:
                search.heads[2 * v + (1 if side > 0 else 0)] = search.following[n] + 1
    elif v == GOAL:
        if search.lengths[turn] < search.place[BEST]:
            search.place[BEST], search.counts[BEST_TURN] = search.lengths[turn], turn
    elif turn == n:
        push_turn(mesh, search, heap, turn)


@kernel
def search_all_tangents(mesh: Mesh, search: FunnelSearch, heap: Heap, n: int) -> int:
    """Continue where `continue_search` returned INCONCLUSIVE, for discs only: try all tangents from
    at most n turns. Returns the status.
    """
    if search.counts[IS_INCONCLUSIVE] != IN_FALLBACK:
        search.counts[IS_INCONCLUSIVE] = IN_FALLBACK
        heap_clear(heap)
        for turn in range(search.counts[N_TURNS]):
            if search.vertices[turn] != GOAL:
                push_turn(mesh, search, heap, turn)
    while n > 0 and not heap_is_empty(heap):
        last = heap_pop(heap)
        if length_bound(mesh, search, last) >= search.place[BEST] - EQUAL:
            heap_clear(heap)
        elif search.states[last] == OPEN:
            n -= 1
            try_tangent(mesh, search, heap, last, GOAL, 0)
            for v in range(1, mesh.counts[VERTEX_END]):
                if mesh.uses[v] != FREE and v != search.vertices[last]:
                    for side in range(-1, 2, 2):
                        try_tangent(mesh, search, heap, last, v, side)
    if not heap_is_empty(heap):
        return SEARCHING
    if search.counts[WAS_FULL]:
        return FULL
    return FOUND if search.counts[BEST_TURN] != NONE else NO_PATH
