"""Insertion and removal of points, polylines and polygons in a triangulation.

All are chains, identified by their first segment. The state is the constrained Delaunay
triangulation of the present chains, whatever the order of changes; but a wall that crosses another
stays bent at their rounded crossing, even if the other wall is removed.

Removal of a vertex: flips lead edges away from it as long as they leave a triangle (O. Devillers,
"On Deletion in Delaunay Triangulations", 2002). Then an edge collapses into a neighbour: any of the
last three, or the ghost for a vertex on the hull.

Insertion of a segment: flips remove the edges across it (S. Sloan, "A Fast Algorithm for Generating
Constrained Delaunay Triangulations", 1993). Two segments that cross are split at the nearest whole
point, and continue as pieces that may be bent there.
"""

from collections.abc import Sequence

from ..core.jit import Ints, inline, int_buffer, kernel, njit
from ..mesh.geometry import NONE
from ..mesh.location import BEYOND, ON_EDGE, ON_VERTEX, locate_exactly
from ..mesh.predicates import LARGEST
from ..mesh.triangulation import (
    FREE,
    FREE_CELL,
    FREE_SEGMENT,
    GHOST,
    IS_FULL,
    N_STACK,
    N_TOUCHED,
    N_VERTICES,
    VERTEX_END,
    Mesh,
    after,
    around,
    before,
    bucket_at,
    collapse_edge,
    find_edge,
    flip_edge,
    free_triangle,
    free_vertex,
    is_ghost,
    legalise,
    legalise_star,
    link,
    new_triangle,
    new_vertex,
    orient_at,
    split_triangle,
    stack_edge,
    stack_edges,
)
from ..path.statuses import FULL


@njit
def insert_first_edge(mesh, v, w):
    """Insert the first two vertices: an edge between two ghost triangles."""
    t, u = new_triangle(mesh, v, w, GHOST), new_triangle(mesh, w, v, GHOST)
    link(mesh, t, u)
    link(mesh, t + 1, u + 2)
    link(mesh, t + 2, u + 1)
    mesh.starts[v], mesh.starts[w], mesh.starts[GHOST] = t, u, t + 2


@njit
def extend_line(mesh, e, v):
    """Insert a vertex into a mesh of collinear vertices, beyond the last of them, w; e leads from w
    to the ghost.
    """
    f, w = mesh.twins[e], mesh.corners[e]
    t, u = new_triangle(mesh, w, v, GHOST), new_triangle(mesh, v, w, GHOST)
    link(mesh, t, u)
    link(mesh, t + 1, u + 2)
    link(mesh, t + 2, e)
    link(mesh, u + 1, f)
    mesh.starts[v], mesh.starts[w] = u, t


@inline
def set_owners(mesh, e, cell):
    """Set the owners of an edge."""
    mesh.owners[e] = mesh.owners[mesh.twins[e]] = cell


@inline
def new_list_cell(mesh, segment, following):
    """Returns a new cell of a list of owners."""
    cell = mesh.counts[FREE_CELL]
    mesh.counts[FREE_CELL] = mesh.list_next[cell]
    mesh.list_segments[cell] = segment
    mesh.list_next[cell] = following
    return cell


@inline
def free_list_cell(mesh, cell):
    """Release a cell of a list of owners. Returns the next cell."""
    following = mesh.list_next[cell]
    mesh.list_next[cell] = mesh.counts[FREE_CELL]
    mesh.counts[FREE_CELL] = cell
    return following


@njit
def copy_owners(mesh, cell):
    """Returns a copy of a list of owners."""
    copied = 0
    while cell != 0:
        copied = new_list_cell(mesh, mesh.list_segments[cell], copied)
        cell = mesh.list_next[cell]
    return copied


@njit
def split_edge(mesh, e, v):
    """Insert a vertex on an edge; its pieces stay constraints."""
    owners = mesh.owners[e]
    f = mesh.twins[e]
    split_triangle(mesh, e, v)
    flip_edge(mesh, e)
    # Before the flip, e was opposite the vertex; now e and the edge before f are.
    n = mesh.counts[N_STACK]
    mesh.stack[n] = before(f)
    mesh.counts[N_STACK] = n + 1
    piece = before(e)
    set_owners(mesh, piece, owners)
    set_owners(mesh, f, copy_owners(mesh, owners))


@njit
def insert_vertex(mesh, x, y):
    """Returns the vertex at a point, inserted if it is new; NONE without room."""
    place = locate_exactly(mesh, x, y)
    if place == NONE:
        for v in range(1, mesh.counts[VERTEX_END]):
            if mesh.uses[v] != FREE:
                if mesh.x[v] == x and mesh.y[v] == y:
                    return v
                w = new_vertex(mesh, x, y)
                if w != NONE:
                    insert_first_edge(mesh, v, w)
                return w
        return new_vertex(mesh, x, y)
    e = place >> 2
    if place & 3 == ON_VERTEX:
        mesh.buckets[bucket_at(mesh, x, y)] = mesh.corners[e]
        return mesh.corners[e]
    v = new_vertex(mesh, x, y)
    if v == NONE:
        return NONE
    if place & 3 == BEYOND:
        extend_line(mesh, e, v)
        return v
    if place & 3 == ON_EDGE:
        split_edge(mesh, e, v)
    else:
        split_triangle(mesh, e, v)
    legalise_star(mesh)
    return v


@njit
def cut_ears(mesh, v):
    """Flip edges away from a vertex down to degree 3, on the hull all that can be flipped."""
    degree, is_on_hull = 0, False
    e = mesh.starts[v]
    while True:
        degree += 1
        is_on_hull |= mesh.corners[after(e)] == GHOST
        e = around(mesh, e)
        if e == mesh.starts[v]:
            break
    # Collinear corners with the vertex between them count only if no others are left.
    flat, n_tried = 0, 0
    while flat < 2 and (degree > 3 or is_on_hull):
        b = mesh.corners[after(e)]
        c, d = mesh.corners[before(e)], mesh.corners[before(mesh.twins[e])]
        is_ear = b != GHOST and c != GHOST and d != GHOST and orient_at(mesh, d, b, c) > 0
        if is_ear and orient_at(mesh, d, c, v) >= 1 - flat:
            stack_edges(mesh, mesh.twins[e])
            flip_edge(mesh, e)
            degree -= 1
            flat = n_tried = 0
        else:
            e = around(mesh, e)
            n_tried += 1
            if n_tried > degree:
                flat, n_tried = flat + 1, 0


@njit
def is_collinear(mesh, v):
    """Returns True if a vertex has only ghost triangles."""
    e = mesh.starts[v]
    while is_ghost(mesh, e):
        e = around(mesh, e)
        if e == mesh.starts[v]:
            return True
    return False


@njit
def remove_vertex(mesh, v):
    """Remove a vertex without constraints."""
    if mesh.counts[N_VERTICES] <= 2:
        e = mesh.starts[v]
        if e != NONE:
            mesh.starts[mesh.corners[after(e)]] = mesh.starts[mesh.corners[before(e)]] = NONE
            free_triangle(mesh, mesh.twins[e])
            free_triangle(mesh, e)
        free_vertex(mesh, v)
        return
    is_line = is_collinear(mesh, v)
    if not is_line:
        cut_ears(mesh, v)
    # Collapse into another vertex of a line if there are two neighbours, on the hull into the
    # ghost.
    e, target, n_real = mesh.starts[v], NONE, 0
    first = e
    while True:
        if mesh.corners[after(e)] == GHOST:
            if target == NONE:
                target = e
        else:
            n_real += 1
            if is_line and n_real == 2:
                target = e
        stack_edges(mesh, e)
        e = around(mesh, e)
        if e == first:
            break
    collapse_edge(mesh, e if target == NONE else target)
    free_vertex(mesh, v)
    legalise(mesh)


@inline
def add_owner(mesh, e, segment):
    """Make a segment an owner of an edge."""
    set_owners(mesh, e, new_list_cell(mesh, segment, mesh.owners[e]))
    if mesh.counts[FREE_CELL] == 0:
        mesh.counts[IS_FULL] = 1


@njit
def remove_owner(mesh, e, segment):
    """End a segment's ownership of an edge. Returns True if it was an owner."""
    last, cell, found = 0, mesh.owners[e], False
    while cell != 0:
        following = mesh.list_next[cell]
        if mesh.list_segments[cell] == segment:
            found = True
            if last == 0:
                set_owners(mesh, e, following)
            else:
                mesh.list_next[last] = following
            free_list_cell(mesh, cell)
        else:
            last = cell
        cell = following
    return found


@njit
def first_edge_along(mesh, a, b):
    """Returns the first edge of segment a -> b: 2 e for an edge e along it, or 2 e + 1 for e across
    it, which has a on its right.
    """
    e = mesh.starts[a]
    while True:
        u, w = mesh.corners[after(e)], mesh.corners[before(e)]
        if u != GHOST:
            beside = orient_at(mesh, a, b, u)
            if beside == 0:
                along = (mesh.x[u] - mesh.x[a]) * (mesh.x[b] - mesh.x[a])
                along += (mesh.y[u] - mesh.y[a]) * (mesh.y[b] - mesh.y[a])
                if along > 0:
                    return 2 * e
            elif beside < 0 and w != GHOST and orient_at(mesh, a, b, w) > 0:
                return 2 * after(e) + 1
        e = around(mesh, e)


@njit
def queue_edge(mesh, i, v, w):
    """Write an edge v, w into place i of the queue."""
    n = len(mesh.queue) >> 1
    mesh.queue[2 * (i % n)] = v
    mesh.queue[2 * (i % n) + 1] = w


@njit
def flip_crossings(mesh, a, b, n):
    """Flip away the edges that cross segment a -> b, the first n pairs of the queue."""
    first, last = 0, n
    room = len(mesh.queue) >> 1
    while first < last:
        v, w = mesh.queue[2 * (first % room)], mesh.queue[2 * (first % room) + 1]
        first += 1
        e = find_edge(mesh, v, w)
        f = mesh.twins[e]
        c, d = mesh.corners[before(e)], mesh.corners[before(f)]
        if orient_at(mesh, d, w, c) <= 0 or orient_at(mesh, c, v, d) <= 0:
            queue_edge(mesh, last, v, w)
            last += 1
            continue
        stack_edges(mesh, e)
        stack_edges(mesh, f)
        flip_edge(mesh, e)
        sign_c, sign_d = orient_at(mesh, a, b, c), orient_at(mesh, a, b, d)
        if (sign_c > 0 and sign_d < 0) or (sign_c < 0 and sign_d > 0):
            queue_edge(mesh, last, c, d)
            last += 1


@njit
def insert_crossing(mesh, a, b, u, w):
    """Returns the vertex nearest to the crossing of a -> b and u -> w; NONE without room."""
    area_u, area_w = orient_at(mesh, a, b, u), orient_at(mesh, a, b, w)
    share = area_u / (area_u - area_w)
    x = mesh.x[u] + round(share * (mesh.x[w] - mesh.x[u]))
    y = mesh.y[u] + round(share * (mesh.y[w] - mesh.y[u]))
    return insert_vertex(mesh, x, y)


@njit
def push_piece(mesh, n, a, b, owner):
    """Push a piece above n others. Returns the new number."""
    if 3 * n + 3 > len(mesh.pieces):
        mesh.counts[IS_FULL] = 1
        return n
    mesh.pieces[3 * n] = a
    mesh.pieces[3 * n + 1] = b
    mesh.pieces[3 * n + 2] = owner
    return n + 1


@njit
def split_crossing(mesh, n, e, a, b, owner):
    """Split a piece and the constraint that it crosses. Returns the new number of pieces."""
    u, w = mesh.corners[e], mesh.corners[after(e)]
    cell = mesh.owners[e]
    set_owners(mesh, e, 0)
    v = insert_crossing(mesh, a, b, u, w)
    if v == NONE:
        v = w
    e = find_edge(mesh, u, w)
    if e != NONE and mesh.owners[e] == 0:
        stack_edge(mesh, e)
        legalise(mesh)
    n = push_piece(mesh, n, v, b, owner)
    n = push_piece(mesh, n, a, v, owner)
    while cell != 0:
        n = push_piece(mesh, n, u, v, mesh.list_segments[cell])
        n = push_piece(mesh, n, v, w, mesh.list_segments[cell])
        cell = free_list_cell(mesh, cell)
    return n


@njit
def insert_segment(mesh, a, b, owner):
    """Insert a segment as edges of the mesh."""
    n = push_piece(mesh, 0, a, b, owner)
    while n > 0 and mesh.counts[IS_FULL] == 0:
        n -= 1
        a, b, owner = mesh.pieces[3 * n], mesh.pieces[3 * n + 1], mesh.pieces[3 * n + 2]
        while a != b:
            found = first_edge_along(mesh, a, b)
            e = found >> 1
            if found & 1 == 0:
                add_owner(mesh, e, owner)
                a = mesh.corners[after(e)]
                continue
            n_crossed, beside, far = 0, 1, b
            while mesh.owners[e] == 0:
                queue_edge(mesh, n_crossed, mesh.corners[e], mesh.corners[after(e)])
                n_crossed += 1
                e = mesh.twins[e]
                far = mesh.corners[before(e)]
                beside = orient_at(mesh, a, b, far)
                if beside == 0:
                    break
                e = before(e) if beside < 0 else after(e)
            if beside != 0:
                n = split_crossing(mesh, n, e, a, b, owner)
                break
            flip_crossings(mesh, a, far, n_crossed)
            e = find_edge(mesh, a, far)
            add_owner(mesh, e, owner)
            legalise(mesh)
            a = far


@njit
def mark_touched(mesh, v):
    """Record that a vertex may have to be removed."""
    for i in range(mesh.counts[N_TOUCHED]):
        if mesh.touched[i] == v:
            return
    mesh.touched[mesh.counts[N_TOUCHED]] = v
    mesh.counts[N_TOUCHED] += 1


@kernel
def insert_chain(mesh: Mesh, xs: Ints, ys: Ints, n: int, is_closed: bool) -> int:
    """Insert a chain of n points joined by segments, also last to first if closed.

    Returns the chain's number, for `remove_chain`; FULL without room: the mesh is invalid.
    """
    n_segments = n if is_closed or n == 1 else n - 1
    first = last = NONE
    v = start = insert_vertex(mesh, xs[0], ys[0])
    for i in range(n_segments):
        w = start if i + 1 == n else insert_vertex(mesh, xs[i + 1], ys[i + 1])
        segment = mesh.counts[FREE_SEGMENT]
        if v == NONE or w == NONE or segment == NONE:
            mesh.counts[IS_FULL] = 1
            return FULL
        mesh.counts[FREE_SEGMENT] = mesh.following[segment]
        mesh.following[segment] = NONE
        if last == NONE:
            first = segment
        else:
            mesh.following[last] = segment
        last = segment
        mesh.ends[2 * segment] = v
        mesh.ends[2 * segment + 1] = w
        mesh.uses[v] += 1
        mesh.uses[w] += 1
        insert_segment(mesh, v, w, segment)
        v = w
    return FULL if mesh.counts[IS_FULL] else first


def insert_ring(mesh: Mesh, places: Sequence[tuple[int, int]], is_closed: bool = True) -> int:
    """Insert points as `insert_chain`, from a list of (x, y).

    Raises ValueError for no points, and for coordinates that are not whole or exceed LARGEST.
    """
    for place in places:
        for coordinate in place:
            if coordinate != int(coordinate) or abs(coordinate) > LARGEST:
                raise ValueError(
                    f"{place}: coordinates in a mesh are whole numbers of at most {LARGEST:,}; "
                    "scale and shift them"
                )
    if not places:
        raise ValueError("a chain has at least one point")
    xs, ys = (int_buffer([int(place[k]) for place in places]) for k in range(2))
    return int(insert_chain(mesh, xs, ys, len(places), is_closed))


@njit
def remove_segment(mesh, segment):
    """End a segment's ownership of all its edges."""
    n = push_piece(mesh, 0, mesh.ends[2 * segment], NONE, NONE)
    while n > 0:
        n -= 1
        v = mesh.pieces[3 * n]
        mark_touched(mesh, v)
        first = mesh.starts[v]
        if first == NONE:
            continue
        e = first
        while True:
            if mesh.owners[e] != 0 and remove_owner(mesh, e, segment):
                n = push_piece(mesh, n, mesh.corners[after(e)], NONE, NONE)
                if mesh.owners[e] == 0:
                    stack_edge(mesh, e)
            e = around(mesh, e)
            if e == first:
                break
    for k in range(2):
        v = mesh.ends[2 * segment + k]
        mesh.uses[v] -= 1
        mark_touched(mesh, v)


@njit
def have_same_owners(mesh, e, f):
    """Returns True if two constraints belong to the same segments, each of which owns an edge at
    most once.
    """
    difference, cell = 0, mesh.owners[e]
    while cell != 0:
        difference += 1
        other = mesh.owners[f]
        while other != 0 and mesh.list_segments[other] != mesh.list_segments[cell]:
            other = mesh.list_next[other]
        if other == 0:
            return False
        cell = mesh.list_next[cell]
    cell = mesh.owners[f]
    while cell != 0:
        difference -= 1
        cell = mesh.list_next[cell]
    return difference == 0


@njit
def remove_unused_vertex(mesh, v):
    """Remove a vertex at which no segment ends, unless two segments cross there."""
    e = f = NONE
    first = mesh.starts[v]
    if first != NONE:
        g = first
        while True:
            if mesh.owners[g] != 0:
                if f != NONE:
                    return
                e, f = g, e
            g = around(mesh, g)
            if g == first:
                break
    if f == NONE:
        if e == NONE:
            remove_vertex(mesh, v)
        return
    if not have_same_owners(mesh, e, f):
        return
    a, b = mesh.corners[after(e)], mesh.corners[after(f)]
    cell, other = mesh.owners[e], mesh.owners[f]
    set_owners(mesh, e, 0)
    set_owners(mesh, f, 0)
    remove_vertex(mesh, v)
    while other != 0:
        other = free_list_cell(mesh, other)
    while cell != 0:
        segment, following = mesh.list_segments[cell], free_list_cell(mesh, cell)
        insert_segment(mesh, a, b, segment)
        cell = following


@kernel
def remove_chain(mesh: Mesh, chain: int) -> None:
    """Remove a chain by its number."""
    mesh.counts[N_TOUCHED] = 0
    segment = chain
    while segment != NONE:
        following = mesh.following[segment]
        remove_segment(mesh, segment)
        mesh.following[segment] = mesh.counts[FREE_SEGMENT]
        mesh.counts[FREE_SEGMENT] = segment
        segment = following
    legalise(mesh)
    for i in range(mesh.counts[N_TOUCHED]):
        v = mesh.touched[i]
        if mesh.uses[v] == 0:
            remove_unused_vertex(mesh, v)
