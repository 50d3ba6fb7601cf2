"""A tree in flat buffers, shared by Smitsimax, simultaneous UCT and UCT.

A node is a number 0..N-1. Its children are neighbours, and the arms of a bandit (`bandit.py`). A
`tree` here is a search's NamedTuple with these fields among others:

    nodes     int32[4 N]    first child, number of children, visits, action of each node; the upper
                            half of the number is the place of the child that was chosen next
    arms      float64[2 N]  mean score, 1 / sqrt(visits)
    counters  int64[*]      random state, nodes in use, then the search's own
    log_roots float64[*]    sqrt(ln(visits)), see `new_log_roots`

The layout of nodes is private to this module: compiled code reads them by `visits_of` and so on,
Python by `node_at`. 32 bits a number halve the time spent waiting for memory. Indices known not to
be negative (`& MOST`) are read without a check of the sign. Logarithms without a table took an
eighth of UCT's time. Halves are read and written as 16 bits: a load of 32 would wait for the store.

A subtree is copied as by Cheney's collector (Communications of the ACM 13(11), 1970).
"""

import math
from typing import TYPE_CHECKING, Any, NamedTuple, Optional

from ..core.jit import Floats, Function, Ints, float_buffer, inline, prefetch
from ..search.bandit import (
    INVERSE_ROOT,
    MEAN,
    UNPULLED,
    add_reward,
    best_bound,
    clear_arm,
    exploration_weight,
    is_fixed,
)

if TYPE_CHECKING:
    from typing import Protocol

    class Tree(Protocol):
        """The fields of a search's NamedTuple used here."""

        @property
        def nodes(self) -> Ints: ...
        @property
        def arms(self) -> Floats: ...
        @property
        def counters(self) -> Ints: ...
        @property
        def log_roots(self) -> Floats: ...


FIRST_CHILD, N_CHILDREN, VISITS, ACTION = range(4)
NODE_SIZE = 4
RNG, N_NODES = range(2)
NO_LIMIT = 1 << 62
N_LOG_ROOTS = 1 << 16
MOST = (1 << 31) - 1
HALF, LOW = 16, 0xFFFF


@inline
def first_child_of(nodes: Ints, node: int) -> int:
    return nodes[NODE_SIZE * node + FIRST_CHILD] & MOST


@inline
def n_children_of(nodes: Ints, node: int) -> int:
    return nodes[NODE_SIZE * node + N_CHILDREN] & LOW


@inline
def visits_of(nodes: Ints, node: int) -> int:
    return nodes[NODE_SIZE * node + VISITS] & MOST


@inline
def action_of(nodes: Ints, node: int) -> int:
    return nodes[NODE_SIZE * node + ACTION]


@inline
def choose(nodes: Ints, node: int, child: int) -> None:
    """Store the child that the next visit of `node` takes; it is the first child by default."""
    place = child - first_child_of(nodes, node)
    nodes[NODE_SIZE * node + N_CHILDREN] = n_children_of(nodes, node) | place << HALF


@inline
def chosen_child(nodes: Ints, node: int) -> int:
    """Returns the child that `choose` stored."""
    place = nodes[NODE_SIZE * node + N_CHILDREN] >> HALF & LOW
    return first_child_of(nodes, node) + place


@inline
def children_of(nodes: Ints, node: int) -> range:
    first = first_child_of(nodes, node)
    return range(first, first + n_children_of(nodes, node))


@inline
def prefetch_children(tree: "Tree", node: int) -> None:
    """Begin to load the arms and nodes of a node's children, up to eight."""
    first = first_child_of(tree.nodes, node)
    for i in range(0, 8, 4):
        prefetch(tree.arms, 2 * (first + i))
        prefetch(tree.nodes, NODE_SIZE * (first + i))


@inline
def clear_node(tree: "Tree", node: int, action: int) -> None:
    """Make `node` an unvisited leaf for `action`."""
    for field in range(ACTION):
        tree.nodes[NODE_SIZE * node + field] = 0
    tree.nodes[NODE_SIZE * node + ACTION] = action
    clear_arm(tree.arms, node)


@inline
def has_room(tree: "Tree", n: int) -> bool:
    """True if n more nodes fit."""
    return NODE_SIZE * (tree.counters[N_NODES] + n) <= len(tree.nodes)


@inline
def reserve(tree: "Tree", n: int) -> int:
    """Returns the first of n new nodes, 0 if there is no room."""
    if not has_room(tree, n):
        return 0
    tree.counters[N_NODES] += n
    return tree.counters[N_NODES] - n


@inline
def add_children(tree: "Tree", node: int, actions: Ints, n: int) -> int:
    """Give `node` a leaf for each of n actions; returns the first, 0 if there is no room."""
    first = reserve(tree, n)
    if first > 0:
        for i in range(n):
            clear_node(tree, first + i, actions[i])
        tree.nodes[NODE_SIZE * node + FIRST_CHILD] = first
        tree.nodes[NODE_SIZE * node + N_CHILDREN] = n
    return first


def new_log_roots() -> Floats:
    """Returns zeros for sqrt(ln(visits))."""
    return float_buffer(N_LOG_ROOTS)


@inline
def cached_weight(tree: "Tree", exploration: float, visits: int) -> float:
    """Look up `exploration_weight`."""
    if visits < N_LOG_ROOTS:
        root = tree.log_roots[visits]
        if root == 0.0:
            root = tree.log_roots[visits] = math.sqrt(math.log(visits))
        return exploration * root
    return exploration_weight(exploration, visits)


@inline
def best_bound_child(tree: "Tree", node: int, scale: float, exploration: float, visits: int) -> int:
    """Select the first child of greatest mean * scale + C sqrt(ln(visits) / its visits)."""
    first, n = first_child_of(tree.nodes, node), n_children_of(tree.nodes, node)
    return best_bound(tree.arms, first, n, scale, cached_weight(tree, exploration, visits))


@inline
def add_visit(tree: "Tree", node: int, prior_visits: float, score: float) -> None:
    """Count a visit and score of a node, after its `prior_visits`."""
    visits = visits_of(tree.nodes, node) + 1
    tree.nodes[NODE_SIZE * node + VISITS] = visits
    add_reward(tree.arms, node, visits + prior_visits, score)


@inline
def copy_node(tree: "Tree", node: int, other: "Tree", other_node: int) -> None:
    """Copy a node to another tree, without its children."""
    for i in range(NODE_SIZE):
        other.nodes[NODE_SIZE * other_node + i] = tree.nodes[NODE_SIZE * node + i]
    for i in range(2):
        other.arms[2 * other_node + i] = tree.arms[2 * node + i]


@inline
def copy_below(
    tree: "Tree", other: "Tree", root: int, n_nodes: int, limit: int, copy: Function
) -> int:
    """Copy the descendants of `root`, a node already in `other`, behind the n_nodes that are there.

    Returns the new number of nodes, at most `limit`: the deepest ones lose their children. A node
    is copied with its old first child; when the scan reaches it the children follow.
    copy: `copy_node`, or an extension of it.
    """
    begin = n_nodes
    node = root
    while node >= 0:
        first, n = first_child_of(other.nodes, node), n_children_of(other.nodes, node)
        if n_nodes + n > limit:
            n = 0
        other.nodes[NODE_SIZE * node + FIRST_CHILD] = n_nodes
        if n == 0:
            other.nodes[NODE_SIZE * node + N_CHILDREN] = 0
        for child in range(first, first + n):
            copy(tree, child, other, n_nodes)
            n_nodes += 1
        # The root is scanned first, then the stretch its descendants were copied to.
        node = begin if node == root else node + 1
        if node == n_nodes:
            node = -1
    return n_nodes


def children(tree: "Tree", node: int) -> range:
    """Returns the children of a node."""
    first = int(tree.nodes[NODE_SIZE * node + FIRST_CHILD])
    return range(first, first + int(n_children_of(tree.nodes, node)))


def node_action(tree: "Tree", node: int) -> int:
    return int(tree.nodes[NODE_SIZE * node + ACTION])


def child_of(tree: "Tree", node: int, action: int) -> Optional[int]:
    """Returns the child of an action, or None."""
    for child in children(tree, node):
        if node_action(tree, child) == action:
            return child
    return None


def best_child(tree: "Tree", node: int, by: str = "visits") -> Optional[int]:
    """Returns the child of most visits or best mean (`by`), None before any. An exact mean ranks
    first above 0, and below 0 behind children without visits.
    """

    def rank(child: int) -> Any:
        visits = int(tree.nodes[NODE_SIZE * child + VISITS])
        mean = float(tree.arms[2 * child]) if visits else -UNPULLED
        known = mean if is_fixed(tree.arms, child) else 0.0
        return (known, visits, mean) if by == "visits" else (known, mean, visits)

    below = children(tree, node)
    visited = any(tree.nodes[NODE_SIZE * child + VISITS] for child in below)
    return max(below, key=rank) if visited else None


def best_line(tree: "Tree", node: int, by: str = "visits") -> list[int]:
    """Returns the actions of the best children from a node down to a leaf."""
    line = []
    while (child := best_child(tree, node, by)) is not None:
        node = child
        line.append(node_action(tree, node))
    return line


class Node(NamedTuple):
    """A node's fields, for Python."""

    first_child: int
    n_children: int
    visits: int
    action: int
    mean: float


def node_at(tree: "Tree", node: int) -> Node:
    """Returns a Node."""
    first_child, _, visits, action = tree.nodes[NODE_SIZE * node : NODE_SIZE * (node + 1)]
    n_children = int(n_children_of(tree.nodes, node))
    mean = float(tree.arms[2 * node + MEAN])
    return Node(int(first_child), n_children, int(visits), int(action), mean)


def rows_below(tree: "Tree", node: int, exploration: float) -> "list[dict[str, Any]]":
    """Returns a node's children as rows for `explore`, with bounds of UCB1."""
    weight = exploration * math.sqrt(math.log(max(node_at(tree, node).visits, 1)))
    rows = []
    for child in children(tree, node):
        fields = node_at(tree, child)
        row: dict[str, Any] = {"node": child, "action": fields.action, "visits": fields.visits}
        if fields.visits:
            row["value"] = fields.mean
            row["bound"] = fields.mean + weight * float(tree.arms[2 * child + INVERSE_ROOT])
        rows.append(row)
    return rows
