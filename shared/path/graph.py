"""Searches on a graph (V, E): steps, costs, paths, all pairs, and the greatest flow.

Sources: breadth-first search (E. Moore, "The Shortest Path Through a Maze", 1959); Dijkstra's
algorithm (E. Dijkstra, "A Note on Two Problems in Connexion with Graphs", 1959), which is A* with
estimates of 0; the search from both ends (I. Pohl, "Bi-directional Search", Machine Intelligence 6,
1971); all pairs (R. Floyd, "Algorithm 97", CACM 5(6), 1962); flows and cuts (E. Dinic, "Algorithm
for Solution of a Problem of Maximum Flow in Networks", 1970).

Nodes are the numbers 0..N-1, weights whole numbers from 0 on. N nodes, E edges, each in one
direction:

    first    int64[N + 1]  the first edge of a node: its edges follow each other.
    ends     int64[E]      the node to which an edge leads.
    weights  int64[E]      its cost, or its capacity.

The state of a search:

    costs      int64[N]  the steps or the cost from the start, UNREACHED.
    parents    int64[N]  the node before, NONE.
    estimates  int64[N]  for A*: at most the cost from a node to the goal, 0 by default.
    path       int64[N]  the nodes of the path found last, start and goal included.
    counts     int64[1]  nodes in `path`.

The state of a flow:

    backs   int64[E]  the reverse edge.
    rests   int64[E]  the residual capacity.
    levels  int64[N]  steps from the source by residual edges, NONE on the sink's side of a cut.
    nexts   int64[N]  the edge of a node to be tried next.
    trail   int64[N]  the edges of a path from the source.
"""

from collections.abc import Iterable
from typing import NamedTuple

from ..core.jit import Ints, inline, int_buffer, kernel, njit
from ..path.grid import UNREACHED
from ..path.open_lists import (
    Heap,
    heap_clear,
    heap_is_empty,
    heap_least_key,
    heap_pop,
    heap_push,
    new_heap,
)
from ..path.statuses import NO_PATH

NONE = -1


class Graph(NamedTuple):
    """A graph; see the module's docstring."""

    first: Ints
    ends: Ints
    weights: Ints


class Search(NamedTuple):
    """The state of searches on a graph; see the module's docstring."""

    costs: Ints
    parents: Ints
    estimates: Ints
    path: Ints
    counts: Ints


class Flow(NamedTuple):
    """The state of a flow; see the module's docstring."""

    backs: Ints
    rests: Ints
    levels: Ints
    nexts: Ints
    trail: Ints


def new_graph(n_nodes: int, edges: Iterable[tuple], both_ways: bool = True) -> Graph:
    """Returns the graph of edges (from, to), of weight 1, or (from, to, weight).

    Raises ValueError for other nodes than 0..n_nodes - 1, for weights that are not whole, below
    0, or so large that a path might cost UNREACHED.
    """
    largest = (UNREACHED - 1) // max(n_nodes, 1)
    leaving: list[list[tuple[int, int]]] = [[] for _ in range(n_nodes)]
    for v, w, *rest in edges:
        weight = rest[0] if rest else 1
        if not (0 <= v < n_nodes and 0 <= w < n_nodes):
            raise ValueError(f"edge {v} to {w}: the nodes are 0 to {n_nodes - 1}")
        if weight != int(weight) or weight < 0:
            raise ValueError(f"edge {v} to {w}: weights are whole and not below 0, not {weight}")
        if weight > largest:
            raise ValueError(f"edge {v} to {w}: here weights are at most {largest}, not {weight}")
        leaving[v].append((w, int(weight)))
        if both_ways:
            leaving[w].append((v, int(weight)))
    sums = [0]
    for edges_of_node in leaving:
        sums.append(sums[-1] + len(edges_of_node))
    flat = [edge for edges_of_node in leaving for edge in edges_of_node]
    return Graph(int_buffer(sums), *(int_buffer([edge[k] for edge in flat]) for k in range(2)))


def edges_of(graph: Graph) -> list[tuple[int, int, int]]:
    """Returns the edges as (from, to, weight), in their order."""
    return [
        (v, int(graph.ends[edge]), int(graph.weights[edge]))
        for v in range(len(graph.first) - 1)
        for edge in range(int(graph.first[v]), int(graph.first[v + 1]))
    ]


def reversed_graph(graph: Graph) -> Graph:
    """Returns the graph with each edge reversed."""
    turned = [(w, v, weight) for v, w, weight in edges_of(graph)]
    return new_graph(len(graph.first) - 1, turned, False)


def new_search(graph: Graph) -> tuple[Search, Heap]:
    """Returns buffers for consecutive searches on a graph, and their open list."""
    n = len(graph.first) - 1
    return Search(*map(int_buffer, (n, n, n, n, 1))), new_heap(n)


def nodes_of(search: Search) -> list[int]:
    """Returns the nodes of the last path found, start and goal included; none without a path."""
    return [int(node) for node in search.path[: int(search.counts[0])]]


@inline
def begin(search):
    """Discard the results of the last search."""
    search.counts[0] = 0
    for v in range(len(search.costs)):
        search.costs[v], search.parents[v] = UNREACHED, NONE


@kernel
def count_steps(graph: Graph, search: Search, sources: Ints, n_sources: int, most: int) -> int:
    """Fill in the steps from the nearest of sources[:n_sources], up to `most` steps. Returns the
    number of reached nodes, which are the first in `path`.
    """
    begin(search)
    n, i = 0, 0
    for k in range(n_sources):
        if search.costs[sources[k]] == UNREACHED:
            search.costs[sources[k]] = 0
            search.path[n] = sources[k]
            n += 1
    while i < n and search.costs[search.path[i]] < most:
        v = search.path[i]
        i += 1
        for edge in range(graph.first[v], graph.first[v + 1]):
            w = graph.ends[edge]
            if search.costs[w] == UNREACHED:
                search.costs[w], search.parents[w] = search.costs[v] + 1, v
                search.path[n] = w
                n += 1
    return n


@njit
def expand(graph, search, queue, v):
    """Relax the edges of a node."""
    for edge in range(graph.first[v], graph.first[v + 1]):
        w, cost = graph.ends[edge], search.costs[v] + graph.weights[edge]
        if cost < search.costs[w]:
            search.costs[w], search.parents[w] = cost, v
            heap_push(queue, cost + search.estimates[w], w)


@njit
def write_nodes(search, goal):
    """Write the nodes of the path to a reached node. Returns their number."""
    n, v = 0, goal
    while v != NONE:
        n, v = n + 1, search.parents[v]
    v = goal
    for i in range(n - 1, -1, -1):
        search.path[i] = v
        v = search.parents[v]
    return n


@kernel
def fill_costs(graph: Graph, search: Search, queue: Heap, sources: Ints, n_sources: int) -> None:
    """Fill in the least costs from the first n sources to all nodes, and the parents."""
    begin(search)
    heap_clear(queue)
    for k in range(n_sources):
        search.costs[sources[k]] = 0
        heap_push(queue, 0, sources[k])
    while not heap_is_empty(queue):
        expand(graph, search, queue, heap_pop(queue))


@kernel
def find(graph: Graph, search: Search, queue: Heap, start: int, goal: int) -> int:
    """Returns the cost of an optimal path, or NO_PATH; `nodes_of` has its nodes.

    This is A*, or Dijkstra's algorithm if all `estimates` are 0. Estimates may be inconsistent, but
    exceed no cost.
    """
    begin(search)
    heap_clear(queue)
    search.costs[start] = 0
    heap_push(queue, search.estimates[start], start)
    while not heap_is_empty(queue):
        v = heap_pop(queue)
        if v == goal:
            search.counts[0] = write_nodes(search, goal)
            return search.costs[goal]
        expand(graph, search, queue, v)
    return NO_PATH


@kernel
def find_from_both_ends(
    graph: Graph,
    turned: Graph,
    search: Search,
    queue: Heap,
    back: Search,
    back_queue: Heap,
    start: int,
    goal: int,
) -> int:
    """Returns the cost of an optimal path, or NO_PATH, as `find` without estimates.

    turned: the reversed graph, or the graph itself if all its edges go both ways. back, back_queue:
    the search from the goal.
    """
    begin(search)
    begin(back)
    heap_clear(queue)
    heap_clear(back_queue)
    search.costs[start] = back.costs[goal] = 0
    heap_push(queue, 0, start)
    heap_push(back_queue, 0, goal)
    best, middle = UNREACHED, NONE
    if start == goal:
        best, middle = 0, start
    while not heap_is_empty(queue) and not heap_is_empty(back_queue):
        least, back_least = heap_least_key(queue), heap_least_key(back_queue)
        if least + back_least >= best:
            break
        v = heap_pop(queue) if least <= back_least else heap_pop(back_queue)
        if least <= back_least:
            expand(graph, search, queue, v)
        else:
            expand(turned, back, back_queue, v)
        # A best path has an edge between the nodes expanded from either end.
        edges = graph if least <= back_least else turned
        for edge in range(edges.first[v], edges.first[v + 1]):
            w = edges.ends[edge]
            cost = search.costs[w] + back.costs[w]
            if cost < best:
                best, middle = cost, w
    if middle == NONE:
        return NO_PATH
    n = write_nodes(search, middle)
    while back.parents[middle] != NONE:
        middle = back.parents[middle]
        search.path[n] = middle
        n += 1
    search.counts[0] = n
    return best


@kernel
def find_all_pairs(graph: Graph, costs: Ints, following: Ints) -> None:
    """Fill in the least costs of all pairs of a small graph, in time N^3.

    costs, following int64[N N]: at N v + w the cost from v to w, or UNREACHED, and the node after v
    on the path, or NONE.
    """
    n = len(graph.first) - 1
    for i in range(n * n):
        costs[i], following[i] = UNREACHED, NONE
    for v in range(n):
        for edge in range(graph.first[v], graph.first[v + 1]):
            i = n * v + graph.ends[edge]
            if graph.weights[edge] < costs[i]:
                costs[i], following[i] = graph.weights[edge], graph.ends[edge]
        costs[n * v + v], following[n * v + v] = 0, v
    for k in range(n):
        for v in range(n):
            to_k = costs[n * v + k]
            if to_k < UNREACHED:
                for w in range(n):
                    cost = to_k + costs[n * k + w]
                    if cost < costs[n * v + w]:
                        costs[n * v + w], following[n * v + w] = cost, following[n * v + k]


# Flows


def new_flow(n_nodes: int, edges: Iterable[tuple], both_ways: bool = False) -> tuple[Graph, Flow]:
    """Returns the graph of edges (from, to, capacity), 1 by default, and buffers for its flows.

    Each edge has a reverse edge, of capacity 0, or of equal capacity with `both_ways`. Raises
    ValueError as `new_graph`.
    """
    listed = [(v, w, rest[0] if rest else 1) for v, w, *rest in edges]
    both = [one for v, w, c in listed for one in ((v, w, c), (w, v, c if both_ways else 0))]
    graph = new_graph(n_nodes, both, False)
    # The edges of a node keep their order, so that counting finds each one's place.
    filled = [int(place) for place in graph.first]
    places = []
    for v, _, _ in both:
        places.append(filled[v])
        filled[v] += 1
    backs = [0] * len(both)
    for i in range(0, len(both), 2):
        backs[places[i]], backs[places[i + 1]] = places[i + 1], places[i]
    n = n_nodes
    return graph, Flow(int_buffer(backs), int_buffer(len(backs)), *map(int_buffer, (n, n, n)))


@njit
def find_levels(graph, flow, source, sink, waiting):
    """Find levels of nodes. Returns True if the sink has a level."""
    for v in range(len(flow.levels)):
        flow.levels[v], flow.nexts[v] = NONE, graph.first[v]
    flow.levels[source] = 0
    waiting[0] = source
    n, i = 1, 0
    while i < n:
        v = waiting[i]
        i += 1
        for edge in range(graph.first[v], graph.first[v + 1]):
            w = graph.ends[edge]
            if flow.rests[edge] > 0 and flow.levels[w] == NONE:
                flow.levels[w] = flow.levels[v] + 1
                waiting[n] = w
                n += 1
    return flow.levels[sink] != NONE


@njit
def push_flow(graph, flow, source, sink):
    """Add a blocking flow: by paths that rise a level with each edge. Returns its amount."""
    total, n, v = 0, 0, source
    while True:
        if v == sink:
            least = flow.rests[flow.trail[0]]
            for i in range(1, n):
                least = min(least, flow.rests[flow.trail[i]])
            total += least
            # Back to the first edge that is full
            for i in range(n - 1, -1, -1):
                edge = flow.trail[i]
                flow.rests[edge] -= least
                flow.rests[flow.backs[edge]] += least
                if flow.rests[edge] == 0:
                    n, v = i, graph.ends[flow.backs[edge]]
        edge = flow.nexts[v]
        if edge == graph.first[v + 1]:
            if n == 0:
                return total
            # A dead end: its edge is passed.
            n -= 1
            v = graph.ends[flow.backs[flow.trail[n]]]
            flow.nexts[v] += 1
        elif flow.rests[edge] > 0 and flow.levels[graph.ends[edge]] == flow.levels[v] + 1:
            flow.trail[n] = edge
            n, v = n + 1, graph.ends[edge]
        else:
            flow.nexts[v] += 1


@kernel
def find_flow(graph: Graph, flow: Flow, source: int, sink: int) -> int:
    """Returns the greatest flow from a source to a sink, 0 if they are equal; a least cut, returned
    by `cut_of`, has the same capacity.
    """
    for edge in range(len(flow.rests)):
        flow.rests[edge] = graph.weights[edge]
    total = 0
    while source != sink and find_levels(graph, flow, source, sink, flow.trail):
        total += push_flow(graph, flow, source, sink)
    return total


def cut_of(graph: Graph, flow: Flow) -> list[tuple[int, int]]:
    """Returns the edges of the least cut that `find_flow` left, as (from, to)."""
    return [
        (v, w)
        for v, w, capacity in edges_of(graph)
        if capacity > 0 and flow.levels[v] != NONE and flow.levels[w] == NONE
    ]
