"""`shared/path/graph.py` against plain oracles."""

import itertools
import math
from random import Random

import pytest

from shared.core.jit import int_buffer
from shared.path import graph as graphs
from shared.path.grid import UNREACHED
from shared.path.statuses import NO_PATH


def random_edges(rng, n, weight=9):
    """Returns random edges (from, to, weight), some of them parallel, loops, or of weight 0."""
    return [
        (rng.randrange(n), rng.randrange(n), rng.randrange(weight + 1))
        for _ in range(rng.randrange(3 * n))
    ]


def least_costs(n, edges, sources):
    """Returns the least costs from the nearest source, inf without a path (R. Bellman, L. Ford)."""
    costs = [0 if v in sources else math.inf for v in range(n)]
    for _ in range(n):
        for v, w, weight in edges:
            costs[w] = min(costs[w], costs[v] + weight)
    return costs


def cost_of(nodes, edges):
    """Returns the cost of a path over the cheapest edges."""
    return sum(
        min(weight for v, w, weight in edges if (v, w) == pair)
        for pair in itertools.pairwise(nodes)
    )


@pytest.mark.parametrize("both_ways", [False, True])
def test_all_searches_agree_with_bellman_and_ford(both_ways):
    rng = Random(both_ways)
    for _ in range(40):
        n = rng.randrange(1, 12)
        edges = random_edges(rng, n)
        graph = graphs.new_graph(n, edges, both_ways)
        edges += [(w, v, weight) for v, w, weight in edges] * both_ways
        turned = graph if both_ways else graphs.reversed_graph(graph)
        assert sorted(graphs.edges_of(turned)) == sorted((w, v, c) for v, w, c in edges)
        (search, queue), (back, back_queue) = graphs.new_search(graph), graphs.new_search(graph)
        costs, following = int_buffer(n * n), int_buffer(n * n)
        graphs.find_all_pairs(graph, costs, following)
        for start, goal in [(rng.randrange(n), rng.randrange(n)) for _ in range(6)]:
            right = least_costs(n, edges, {start})
            both = (search, queue, back, back_queue)
            found = graphs.find_from_both_ends(graph, turned, *both, start, goal)
            ways = [(found, graphs.nodes_of(search))]
            for v, cost in enumerate(least_costs(n, [(w, v, c) for v, w, c in edges], {goal})):
                search.estimates[v] = rng.randint(0, min(cost, 50))
            ways.append((graphs.find(graph, search, queue, start, goal), graphs.nodes_of(search)))
            for cost, nodes in ways:
                if right[goal] == math.inf:
                    assert cost == NO_PATH and nodes == []
                else:
                    assert cost == cost_of(nodes, edges) == right[goal]
                    assert (nodes[0], nodes[-1]) == (start, goal)
            at = n * start + goal
            assert costs[at] == right[goal] or (costs[at] == UNREACHED and right[goal] == math.inf)
            assert (following[at] == graphs.NONE) == (right[goal] == math.inf)
            for v in range(n):
                search.estimates[v] = 0
            graphs.fill_costs(graph, search, queue, int_buffer([start, goal]), 2)
            right = least_costs(n, edges, {start, goal})
            assert [math.inf if c == UNREACHED else c for c in search.costs] == right
            right = least_costs(n, [(v, w, 1) for v, w, _ in edges], {start, goal})
            reached = graphs.count_steps(graph, search, int_buffer([start, goal]), 2, 2)
            assert reached == sum(steps <= 2 for steps in right)
            assert all(search.costs[v] == right[v] for v in search.path[:reached])


@pytest.mark.parametrize("both_ways", [False, True])
def test_the_greatest_flow_is_the_least_cut(both_ways):
    rng = Random(both_ways)
    for _ in range(60):
        n = rng.randrange(2, 7)
        edges = random_edges(rng, n)
        graph, flow = graphs.new_flow(n, edges, both_ways)
        arcs = edges + [(w, v, c) for v, w, c in edges] * both_ways
        source, sink = rng.sample(range(n), 2)
        sides = [
            {source, *side}
            for k in range(n - 1)
            for side in itertools.combinations(set(range(n)) - {source, sink}, k)
        ]
        least = min(sum(c for v, w, c in arcs if v in side and w not in side) for side in sides)
        for _ in range(2):
            assert graphs.find_flow(graph, flow, source, sink) == least
        assert graphs.find_flow(graph, flow, source, source) == 0
        assert graphs.find_flow(graph, flow, source, sink) == least
        cut = set(graphs.cut_of(graph, flow))
        assert sum(c for v, w, c in arcs if (v, w) in cut) == least
        uncut = [(v, w, c) for v, w, c in arcs if c > 0 and (v, w) not in cut]
        assert least_costs(n, uncut, {source})[sink] == math.inf


@pytest.mark.parametrize(
    ("edge", "said"),
    [
        ((0, 3), "0 to 2"),
        ((0, -1), "0 to 2"),
        ((0, 1, -1), "-1"),
        ((0, 1, 0.5), "0.5"),
        ((0, 1, 1 << 50), "most 375"),
    ],
)
def test_an_edge_that_is_none_is_refused(edge, said):
    with pytest.raises(ValueError, match=said):
        graphs.new_graph(3, [edge])
