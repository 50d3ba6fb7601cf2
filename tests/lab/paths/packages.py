"""Other packages, run by a Python that has them: optimal octile paths by tcod, scipy or networkx,
constrained Delaunay triangulations by J. R. Shewchuk's `triangle` or by CGAL.

    python packages.py tcod|scipy|networkx ROUNDS < WIDTH HEIGHT ROWS... N (X Y X Y)...
    python packages.py triangle|CGAL ROUNDS < [[[x, y], ..], ..]

prints of each query its length and the least CPU microseconds; a triangulation is one query of
length 0. `rivals.py` beside it writes the input. Flags of `triangle`: a graph of segments (p), the
whole convex hull kept (c), as in a mesh of ours. CGAL is called from Python for each point and each
segment.
"""

import itertools
import json
import math
import sys
import time

import numpy as np

# tcod takes whole costs: 29 / 41 for 1 / sqrt 2 is too inexact; these err by 3e-10.
STRAIGHT, DIAGONAL = 13860, 19601
STEPS = ((1, 0), (0, 1), (-1, 0), (0, -1), (1, 1), (-1, 1), (-1, -1), (1, -1))


def is_legal(free, x, y, dx, dy):
    height, width = free.shape
    if not (0 <= x + dx < width and 0 <= y + dy < height):
        return False
    return bool(free[y, x] and free[y + dy, x + dx] and free[y + dy, x] and free[y, x + dx])


def use_tcod(free):
    """CustomGraph with an edge map a direction, so that corners are not cut."""
    import tcod.path

    graph = tcod.path.CustomGraph(free.shape)
    padded = np.pad(free, 1)
    for dx, dy in STEPS:
        legal = free.copy()
        for u, v in {(dx, dy), (dx, 0), (0, dy)}:
            legal &= padded[1 + v : 1 + v + free.shape[0], 1 + u : 1 + u + free.shape[1]]
        cost = DIAGONAL if dx and dy else STRAIGHT
        graph.add_edge(
            (dy, dx), cost, cost=np.ones(free.shape, np.int32), condition=legal.astype(np.int8)
        )
    graph.set_heuristic(cardinal=STRAIGHT, diagonal=DIAGONAL)

    def find(x, y, to_x, to_y):
        finder = tcod.path.Pathfinder(graph)
        finder.add_root((y, x))
        return [(int(u), int(v)) for v, u in finder.path_to((to_y, to_x))]

    return find


def use_scipy(free):
    """Dijkstra's algorithm of scipy.sparse.csgraph, which goes on to all cells."""
    from scipy.sparse import coo_matrix
    from scipy.sparse.csgraph import dijkstra

    height, width = free.shape
    edges = [
        (y * width + x, (y + dy) * width + x + dx, math.hypot(dx, dy))
        for y in range(height)
        for x in range(width)
        for dx, dy in STEPS
        if is_legal(free, x, y, dx, dy)
    ]
    ends, others, costs = zip(*edges)
    graph = coo_matrix((costs, (ends, others)), (free.size, free.size)).tocsr()

    def find(x, y, to_x, to_y):
        before = dijkstra(graph, indices=y * width + x, return_predecessors=True)[1]
        cells = [to_y * width + to_x]
        while cells[-1] != y * width + x:
            cells.append(int(before[cells[-1]]))
        return [(cell % width, cell // width) for cell in reversed(cells)]

    return find


def use_networkx(free):
    import networkx

    graph = networkx.Graph()
    height, width = free.shape
    for y in range(height):
        for x in range(width):
            for dx, dy in STEPS[:2] + STEPS[4:6]:
                if is_legal(free, x, y, dx, dy):
                    weight = math.sqrt(2) if dx and dy else 1.0
                    graph.add_edge((x, y), (x + dx, y + dy), weight=weight)

    def octile(cell, other):
        dx, dy = abs(cell[0] - other[0]), abs(cell[1] - other[1])
        return max(dx, dy) + (math.sqrt(2) - 1) * min(dx, dy)

    return lambda x, y, u, v: networkx.astar_path(graph, (x, y), (u, v), octile)


def use_triangle(vertices, segments):
    """Returns a function that triangulates."""
    import triangle

    graph = {"vertices": np.array(vertices, float), "segments": np.array(segments)}
    return lambda: triangle.triangulate(graph, "pc")


def use_cgal(vertices, segments):
    from CGAL.CGAL_Kernel import Point_2
    from CGAL.CGAL_Triangulation_2 import Constrained_Delaunay_triangulation_2

    points = [Point_2(*place) for place in vertices]

    def triangulate():
        mesh = Constrained_Delaunay_triangulation_2()
        handles = [mesh.insert(point) for point in points]
        for i, j in segments:
            mesh.insert_constraint(handles[i], handles[j])

    return triangulate


ON_GRIDS = {"tcod": use_tcod, "scipy": use_scipy, "networkx": use_networkx}
OF_RINGS = {"triangle": use_triangle, "CGAL": use_cgal}


def timed(call, rounds):
    """(its result, the least CPU us) of a call."""
    best = math.inf
    for _ in range(rounds):
        began = time.process_time()
        result = call()
        best = min(best, time.process_time() - began)
    return result, best * 1e6


def main(package, rounds):
    if package in OF_RINGS:
        vertices, segments = [], []
        for ring in json.load(sys.stdin):
            n, first = len(ring), len(vertices)
            vertices += ring
            segments += [(first + i, first + (i + 1) % n) for i in range(n)]
        _, us = timed(OF_RINGS[package](vertices, segments), int(rounds))
        print(f"0 {us:.3f}")
        return
    words = sys.stdin.read().split()
    height = int(words[1])
    free = np.array([[letter == "." for letter in row] for row in words[2 : 2 + height]])
    numbers = [int(word) for word in words[3 + height :]]
    find = ON_GRIDS[package](free)
    for i in range(0, len(numbers), 4):
        ends = numbers[i : i + 4]
        path, us = timed(lambda: find(*ends), int(rounds))  # noqa: B023 (called at once)
        pairs = itertools.pairwise(path)
        length = sum(math.sqrt(2) if x != u and y != v else 1 for (x, y), (u, v) in pairs)
        print(f"{length:.6f} {us:.3f}", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
