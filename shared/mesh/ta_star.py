"""TA* and TRA*: shortest paths of a point or a disc among the constraints of a triangulation.

Source: D. Demyen, M. Buro, "Efficient Triangulation-Based Pathfinding" (AAAI 2006). A search node
is an edge by which a channel of triangles enters the next one. It carries its funnel along, so
that the length of the path to the apex is exact; a channel whose settled part is not the
shortest to its end is cut off (`funnel.py`). The rest is at least the straight way from there over
the edge to the goal. A channel that reaches the goal's triangle gives a path; the search can
continue until none can be shorter.

TRA* expands forks only: it enters no dead end but the goal's, and follows corridors to their ends
at once. A triangle that a path turns in has to be wide enough for the disc, and each settled turn
is compared with all walls near it: widths in a plain Delaunay triangulation pass discs that do not
fit.

Start and goal lie in free space, the radius or more from all constraints. The degrees are only for
TRA*, and have to be those of the mesh.

The status of a search is one of `statuses.py`; after INCONCLUSIVE `fallback.py` decides.
"""

from ..core.jit import Floats, inline, kernel, njit
from ..mesh.funnel import (
    APEX,
    BEST,
    BEST_TURN,
    DISC_SLACK,
    EQUAL,
    FIRST,
    GOAL,
    GOAL_X,
    GOAL_Y,
    IS_INCONCLUSIVE,
    IS_REDUCED,
    LAST,
    MAX_REPAIRS,
    N_CORNERS,
    N_EXPANDED,
    N_NODES,
    N_TURNS,
    QUERY,
    RADIUS,
    START,
    START_EDGE,
    TURN,
    WAS_FULL,
    FunnelSearch,
    add_turn_past,
    edge_ends,
    has_room,
    is_wide,
    narrow_funnel,
    point_of,
    touch_point,
)
from ..mesh.geometry import (
    KEY_PARTS,
    NONE,
    UNREACHED,
    arc_length,
    arc_step_in_room,
    length_via,
    reverse_points,
    write_arc,
)
from ..mesh.location import find_place, next_at, side_of
from ..mesh.reduction import TREE, Reduction
from ..mesh.triangulation import Mesh, after, before, is_corner, is_ghost
from ..path.open_lists import Heap, heap_clear, heap_is_empty, heap_pop, heap_push
from ..path.statuses import FOUND, FULL, INCONCLUSIVE, NO_PATH, SEARCHING


@inline
def is_passable(mesh, reduction, search, e):
    """Returns True if the search may leave a triangle by an edge."""
    other = mesh.twins[e]
    if mesh.owners[e] != 0 or is_ghost(mesh, other):
        return False
    if search.counts[IS_REDUCED] == 0 or reduction.degrees[other >> 2] != TREE:
        return True
    return reduction.up[e >> 2] == e or search.marks[other >> 2] >= search.counts[QUERY]


@inline
def save_funnel(search, i):
    """Save the current funnel for a node."""
    for k in range(4):
        search.funnels[4 * i + k] = search.counts[TURN + k]


@inline
def load_funnel(search, i):
    """Load the funnel of a node as the current one."""
    for k in range(4):
        search.counts[TURN + k] = search.funnels[4 * i + k]


@njit
def reach_goal(mesh, search):
    """Complete the path of the funnel to the goal, and keep it if it is the shortest."""
    n, spare = search.counts[N_CORNERS], len(search.edges) - 1
    save_funnel(search, spare)
    is_complete, n_repairs = narrow_funnel(mesh, search, GOAL, 1), 0
    turn, apex, last = search.counts[TURN], search.counts[APEX], search.counts[LAST]
    while is_complete and apex < last:
        v = search.corners[apex + 1]
        turn, is_passed = add_turn_past(mesh, search, turn, v, 1 if v >= 0 else 0)
        n_repairs += 1
        is_complete = turn != NONE and n_repairs < MAX_REPAIRS
        if is_passed:
            apex += 1
    search.counts[N_CORNERS] = n
    load_funnel(search, spare)
    if not is_complete:
        search.counts[IS_INCONCLUSIVE] = 1
    elif search.lengths[turn] < search.place[BEST]:
        search.place[BEST], search.counts[BEST_TURN] = search.lengths[turn], turn


@njit
def cross_triangle(mesh, search, exit_, side):
    """Narrow the funnel by an exit's triangle, entered on a side. Returns False if it closes."""
    room, opposite = search.place[RADIUS], after(exit_) if side > 0 else before(exit_)
    v, far = mesh.corners[exit_], mesh.corners[after(exit_)]
    if (
        room > 0.0
        and not is_wide(mesh, search, opposite, 2.0 * (room - DISC_SLACK))
        and is_corner(mesh, v)
        and is_corner(mesh, far)
        and is_corner(mesh, mesh.corners[before(exit_)])
    ):
        return False
    v = far if side > 0 else v
    if narrow_funnel(mesh, search, v, side):
        return True
    search.counts[IS_INCONCLUSIVE] = 1
    return False


@njit
def is_new_funnel(search, exit_):
    """Returns True if no other channel brought this funnel to an edge, and records it."""
    first, last = search.counts[FIRST], search.counts[LAST]
    hash_ = (exit_ << 20 ^ search.counts[TURN]) << 20 ^ (search.counts[APEX] - first)
    for i in range(first, last + 1):
        hash_ = (hash_ ^ search.corners[i]) * 0x2545F4914F6CDD1D & (1 << 62) - 1
        hash_ ^= hash_ >> 31
    mask = len(search.seen) - 1
    slot = hash_ & mask
    while search.seen[slot] != 0:
        if search.seen[slot] == hash_:
            return False
        slot = (slot + 1) & mask
    search.seen[slot] = hash_
    search.slots[search.counts[N_EXPANDED]] = slot
    search.counts[N_EXPANDED] += 1
    return True


@njit
def push_node(mesh, search, heap, exit_, side, key):
    """Push the current funnel, to leave a triangle over an exit."""
    turn, n = search.counts[TURN], search.counts[N_NODES]
    v, ux, uy = search.vertices[turn], search.ux[turn], search.uy[turn]
    x, y = touch_point(mesh, search, v, search.sides[turn], ux, uy)
    goal_x, goal_y = search.place[GOAL_X], search.place[GOAL_Y]
    long = length_via(*edge_ends(mesh, exit_), x, y, goal_x, goal_y)
    key = max(key, search.lengths[turn] + long)
    if key >= search.place[BEST] - EQUAL:
        return
    # `reach_goal` uses the last one.
    if n >= len(search.edges) - 1:
        search.counts[WAS_FULL] = 1
        return
    search.edges[n], search.keys[n] = 2 * exit_ + (1 if side > 0 else 0), key
    save_funnel(search, n)
    search.counts[N_NODES] = n + 1
    heap_push(heap, int(key * KEY_PARTS), n)


@njit
def follow_corridor(mesh, reduction, search, heap, exit_, key):
    """Leave a triangle over an exit, up to the next choice."""
    first = exit_
    while search.lengths[search.counts[TURN]] < search.place[BEST]:
        e = mesh.twins[exit_]
        if search.marks[e >> 2] > search.counts[QUERY]:
            reach_goal(mesh, search)
        left = is_passable(mesh, reduction, search, after(e))
        right = is_passable(mesh, reduction, search, before(e))
        if search.counts[IS_REDUCED] == 0 or left == right:
            if left:
                push_node(mesh, search, heap, after(e), 1, key)
            if right:
                push_node(mesh, search, heap, before(e), -1, key)
            return
        exit_ = after(e) if left else before(e)
        # No shortest path goes all around a ring.
        if exit_ == first or not cross_triangle(mesh, search, exit_, 1 if left else -1):
            return


@inline
def start_funnel(search):
    """Make the start alone the current funnel."""
    # `narrow_funnel` says FULL.
    n = min(search.counts[N_CORNERS], len(search.corners) - 1)
    search.corners[n] = START
    search.counts[N_CORNERS] = n + 1
    search.counts[TURN] = 0
    search.counts[FIRST] = search.counts[APEX] = search.counts[LAST] = n


@kernel
def begin_search(
    mesh: Mesh,
    reduction: Reduction,
    search: FunnelSearch,
    heap: Heap,
    start_x: int,
    start_y: int,
    goal_x: int,
    goal_y: int,
    r: float,
    is_reduced: bool,
) -> None:
    """Begin to search for paths of a disc of radius r, 0 for a point: TRA* if reduced, else TA*."""
    for i in range(search.counts[N_EXPANDED]):
        search.seen[search.slots[i]] = 0
    for i in range(search.counts[N_TURNS]):
        v = search.vertices[i]
        if v >= 0:
            search.heads[2 * v] = search.heads[2 * v + 1] = 0
    heap_clear(heap)
    search.counts[N_NODES] = search.counts[N_EXPANDED] = search.counts[N_CORNERS] = 0
    search.counts[WAS_FULL] = search.counts[IS_INCONCLUSIVE] = 0
    search.counts[QUERY] += 2
    start, goal = find_place(mesh, start_x, start_y), find_place(mesh, goal_x, goal_y)
    # The rest of turn 0 stays 0.
    search.vertices[0], search.counts[N_TURNS], search.counts[START_EDGE] = START, 1, start >> 2
    search.place[0], search.place[1], search.place[RADIUS] = float(start_x), float(start_y), r
    search.place[GOAL_X], search.place[GOAL_Y] = float(goal_x), float(goal_y)
    search.place[BEST], search.counts[BEST_TURN] = UNREACHED, NONE
    search.counts[IS_REDUCED] = 1 if is_reduced else 0
    if start == NONE or goal == NONE:
        return
    if start_x == goal_x and start_y == goal_y:  # no tangent leads there
        if has_room(mesh, search, 0, 1.0, 0.0, 0.0):
            search.place[BEST], search.counts[BEST_TURN] = 0.0, 0
        return
    mark, e = search.counts[QUERY], goal >> 2
    while search.marks[e >> 2] <= mark:
        u = e >> 2
        search.marks[u] = mark + 1
        while is_reduced and u != NONE and reduction.degrees[u] == TREE:
            search.marks[u] = max(search.marks[u], mark)
            u = NONE if reduction.up[u] == NONE else mesh.twins[reduction.up[u]] >> 2
        e = next_at(mesh, goal, e)
    first, e = NONE, start >> 2
    while e != first:
        first = start >> 2
        if not is_ghost(mesh, e):
            if search.marks[e >> 2] > mark:
                start_funnel(search)
                reach_goal(mesh, search)
            for f in range(e & ~3, (e & ~3) + 3):
                if side_of(mesh, f, start_x, start_y) > 0 and is_passable(
                    mesh, reduction, search, f
                ):
                    start_funnel(search)
                    v, w = mesh.corners[f], mesh.corners[after(f)]
                    if narrow_funnel(mesh, search, v, -1) and narrow_funnel(mesh, search, w, 1):
                        follow_corridor(mesh, reduction, search, heap, f, 0.0)
                    else:
                        search.counts[IS_INCONCLUSIVE] = 1
        e = next_at(mesh, start, e)


@kernel
def continue_search(
    mesh: Mesh, reduction: Reduction, search: FunnelSearch, heap: Heap, n: int
) -> int:
    """Expand at most n nodes. Returns the status; `search.place[BEST]` is the best length."""
    while n > 0 and not heap_is_empty(heap):
        i = heap_pop(heap)
        if search.keys[i] >= search.place[BEST] - EQUAL:
            heap_clear(heap)
            break
        n -= 1
        load_funnel(search, i)
        exit_ = search.edges[i] >> 1
        if is_new_funnel(search, exit_) and cross_triangle(
            mesh, search, exit_, 2 * (search.edges[i] & 1) - 1
        ):
            follow_corridor(mesh, reduction, search, heap, exit_, search.keys[i])
    if not heap_is_empty(heap):
        return SEARCHING
    if search.counts[WAS_FULL]:
        return FULL
    if search.counts[IS_INCONCLUSIVE] and search.place[RADIUS] > 0.0:
        return INCONCLUSIVE
    return FOUND if search.counts[BEST_TURN] != NONE else NO_PATH


@kernel
def write_path(mesh: Mesh, search: FunnelSearch, error: float, points: Floats) -> int:
    """Write the inner points of a polyline along the best path. Returns their number; NONE without
    a path or room.
    """
    if search.counts[BEST_TURN] == NONE:
        return NONE
    r, total, step, n = search.place[RADIUS], 0.0, 0.0, 0
    # Twice from the goal to the start: for the step of arcs, then to write them
    for k in range(2):
        last = search.counts[BEST_TURN]
        turn = search.previous[last]
        while turn > 0:
            side = search.sides[turn]
            ux, uy, wx, wy = search.ux[turn], search.uy[turn], search.ux[last], search.uy[last]
            radians = arc_length(1.0, side, ux, uy, wx, wy)
            if k == 0:
                total, n = total + radians, n + 1
            else:
                x, y = point_of(mesh, search, search.vertices[turn])
                n = write_arc(points, n, x, y, r, side * wy, -side * wx, -side * radians, step)
            last, turn = turn, search.previous[turn]
        if k == 0:
            step, n = arc_step_in_room(r, total, error, n, len(points) >> 1), 0
            if step == 0.0:
                return NONE
    reverse_points(points, n)
    return n
