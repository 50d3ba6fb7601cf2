"""Point location in a triangulation by a tree of decisions, for many points in one mesh.

The trapezoid tree (F. Preparata, "A New Approach to Planar Point Location", SIAM Journal on
Computing 10(3), 1981), with edges inserted in random order instead of by their middles: an inner
node asks on which side of a vertex a point lies, from left to right, or on which side of an edge. A
leaf is a trapezoid between two edges, in one triangle. An edge that crosses the vertical line of a
vertex goes into both parts. So the tree has O(n log n) nodes unless the edges are in a bad order; a
trapezoidal map would have O(n), for twice the code.

Points are ordered by x, then by y, as if the plane were sheared a little: so no edge is vertical.
All decisions are exact. A tree knows nothing of later changes of its mesh.

K the room for nodes:

    keys     int64[K]  4 times a vertex, plus AT_VERTEX; 4 times a half-edge to the right, plus
                       AT_EDGE; LEAF
    links    int64[K]  the node on the left or below, the next node being the other one; of a leaf
                       its half-edge, NONE outside of all triangles.
    edges    int64[E]  half-edges in random order.
    waiting  int64[V]  nodes at which an edge is to be inserted.
    rng      int64[1]  the random generator's state.
    counts   int64[1]  nodes in use, 0 for a tree that is not built
"""

from typing import NamedTuple

from ..core.jit import Ints, inline, int_buffer, kernel, njit
from ..core.rng import random_below, seed_rng
from ..mesh.geometry import NONE
from ..mesh.location import side_of
from ..mesh.predicates import LARGEST
from ..mesh.triangulation import (
    GHOST,
    TRIANGLE_END,
    Mesh,
    after,
    around,
    is_ghost,
    orient_at,
)
from ..path.statuses import FULL

AT_VERTEX, AT_EDGE, LEAF = range(3)


class LocationTree(NamedTuple):
    """A tree of decisions; see the module's docstring."""

    keys: Ints
    links: Ints
    edges: Ints
    waiting: Ints
    rng: Ints
    counts: Ints


def new_location_tree(mesh: Mesh, n_nodes: int = 0) -> LocationTree:
    """Returns an empty tree with room for `n_nodes` nodes, by default 128 for each point of the
    mesh; 1,000 to 100,000 points needed 50 to 110 each.
    """
    n = n_nodes or 128 * len(mesh.x)
    sizes = n, n, len(mesh.corners), len(mesh.x), 1, 1
    tree = LocationTree(*map(int_buffer, sizes))
    seed_rng(tree.rng, 1)
    return tree


@inline
def is_left(mesh, v, w):
    """Returns True for a vertex on the left of another one, or below it."""
    return mesh.x[v] < mesh.x[w] or (mesh.x[v] == mesh.x[w] and mesh.y[v] < mesh.y[w])


@inline
def outer_edge(mesh, e):
    """Returns e for a leaf beside e, NONE outside of all triangles."""
    return NONE if is_ghost(mesh, e) else e


@njit
def is_above(mesh, e, f):
    """Returns True if half-edge e lies above f at a common x, in the module's order."""
    a, b = mesh.corners[e], mesh.corners[after(e)]
    c, d = mesh.corners[f], mesh.corners[after(f)]
    side = orient_at(mesh, c, d, a) if is_left(mesh, c, a) else -orient_at(mesh, a, b, c)
    if side == 0:  # from one vertex
        side = orient_at(mesh, c, d, b) if is_left(mesh, b, d) else -orient_at(mesh, a, b, d)
    return side > 0


@njit
def split_leaf(tree, i, key, low, high):
    """Make a leaf an inner node above two leaves with the given half-edges. Returns the first
    leaf, NONE without room.
    """
    n = tree.counts[0]
    if n + 2 > len(tree.keys):
        return NONE
    tree.counts[0] = n + 2
    tree.keys[i] = key
    tree.links[i] = n
    tree.keys[n] = tree.keys[n + 1] = LEAF
    tree.links[n] = low
    tree.links[n + 1] = high
    return n


@njit
def cut_leaf(mesh, tree, i, e):
    """Insert an edge into the leaf of entry i: split it at the edge's ends inside of it, then along
    the edge. Returns False without room.
    """
    node = i >> 2
    face = tree.links[node]
    if i & 1:
        n = split_leaf(tree, node, mesh.corners[e] << 2 | AT_VERTEX, face, face)
        if n == NONE:
            return False
        node = n + 1
    if i & 2:
        n = split_leaf(tree, node, mesh.corners[after(e)] << 2 | AT_VERTEX, face, face)
        if n == NONE:
            return False
        node = n
    below, above = outer_edge(mesh, mesh.twins[e]), outer_edge(mesh, e)
    return split_leaf(tree, node, e << 2 | AT_EDGE, below, above) != NONE


@njit
def insert_edge(mesh, tree, e):
    """Insert an edge, given by its half-edge to the right. Returns False without room."""
    a, b = mesh.corners[e], mesh.corners[after(e)]
    # Entries: 4 times a node, plus 1 if the left end lies between its walls, 2 for the right end
    tree.waiting[0], n = 3, 1
    while n > 0:
        n -= 1
        i = tree.waiting[n]
        key, link = tree.keys[i >> 2], tree.links[i >> 2]
        if key == LEAF:
            if not cut_leaf(mesh, tree, i, e):
                return False
        elif key & 3 == AT_EDGE:
            above = is_above(mesh, e, key >> 2)
            tree.waiting[n] = (link + above) << 2 | i & 3
            n += 1
        else:
            v = key >> 2
            # Without that bit the edge comes from the wall, or goes to it.
            if i & 1 == 0 or is_left(mesh, a, v):
                inside = i & 2 if is_left(mesh, b, v) else 0
                tree.waiting[n] = link << 2 | i & 1 | inside
                n += 1
            if i & 2 == 0 or is_left(mesh, v, b):
                inside = i & 1 if is_left(mesh, v, a) else 0
                tree.waiting[n] = (link + 1) << 2 | i & 2 | inside
                n += 1
    return True


@kernel
def build(mesh: Mesh, tree: LocationTree) -> int:
    """Build the tree of a mesh's triangles. Returns the number of nodes; FULL without room, which
    leaves no tree.
    """
    n = 0
    for e in range(mesh.counts[TRIANGLE_END]):
        if e & 3 < 3 and mesh.corners[e & ~3] >= 0:
            a, b = mesh.corners[e], mesh.corners[after(e)]
            if a != GHOST and b != GHOST and is_left(mesh, a, b):
                # In front of the edges behind a place drawn by lot
                j = random_below(tree.rng, n + 1)
                tree.edges[n] = tree.edges[j]
                tree.edges[j] = e
                n += 1
    tree.keys[0], tree.links[0] = LEAF, NONE
    tree.counts[0] = 1
    for i in range(n):
        if not insert_edge(mesh, tree, tree.edges[i]):
            tree.counts[0] = 0
            return FULL
    return tree.counts[0]


@njit
def inner_edge(mesh, e, at_vertex):
    """Returns a half-edge of a triangle inside the hull, among those from the origin of e if
    `at_vertex`, else e or its twin; NONE if there is none.
    """
    f = e
    while is_ghost(mesh, f):
        f = around(mesh, f) if at_vertex else mesh.twins[f]
        if f == e:
            return NONE
    return f


@kernel
def locate_by_tree(mesh: Mesh, tree: LocationTree, x: int, y: int) -> int:
    """Returns the half-edge of a point, as `location.locate`: a half-edge that begins at the point
    or passes through it if there is one, else a half-edge of its triangle; NONE outside of all
    triangles, and before the tree is built.
    """
    if tree.counts[0] == 0 or max(abs(x), abs(y)) > LARGEST:
        return NONE
    i = 0
    while tree.keys[i] != LEAF:
        key = tree.keys[i]
        at, kind = key >> 2, key & 3
        if kind == AT_VERTEX:
            if mesh.x[at] == x and mesh.y[at] == y:
                return inner_edge(mesh, mesh.starts[at], True)
            is_beyond = mesh.x[at] < x or (mesh.x[at] == x and mesh.y[at] < y)
        else:
            side = side_of(mesh, at, x, y)
            if side == 0:
                return inner_edge(mesh, at, False)
            is_beyond = side > 0
        i = tree.links[i] + is_beyond
    return tree.links[i]
