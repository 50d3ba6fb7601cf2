"""Several hundred modules, star imports, lazy ones, decorators that write functions by exec."""

import pickle

import networkx as nx
from networkx.algorithms import bipartite

graph = nx.Graph()
for _ in range(int(input())):
    start, end, weight = input().split()
    graph.add_edge(start, end, weight=float(weight))
print(graph, nx.shortest_path(graph, "a", "d", weight="weight"), nx.density(graph))
print(nx.dijkstra_path_length(graph, "a", "d"), sorted(nx.connected_components(graph), key=min))
print(sorted(nx.minimum_spanning_edges(graph, data=False)), nx.is_connected(graph))
print(bipartite.is_bipartite(nx.cycle_graph(4)), nx.diameter(nx.grid_2d_graph(3, 4)))
digraph = nx.DiGraph([(1, 2), (2, 3), (1, 3)])
print(list(nx.topological_sort(digraph)), nx.dag_longest_path(digraph), nx.adjacency_data(digraph))
print(nx.betweenness_centrality(nx.path_graph(4)), pickle.loads(pickle.dumps(digraph)).edges)
print(
    list(nx.generate_gml(nx.path_graph(2))),
    nx.maximum_flow_value(nx.DiGraph([(0, 1, {"capacity": 3})]), 0, 1),
)
nx.shortest_path(graph, "a", "z")
