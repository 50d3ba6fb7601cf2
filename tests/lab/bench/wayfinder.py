"""Path searches among polygons on maps of Wayfinder: their costs and the quality of their paths.

Least CPU times of ROUNDS; medians over maps, with the least and the greatest. Lengths are compared
with the optimum if both have a path.
"""

import math
import statistics
import time
from random import Random

from shared.games.wayfinder.maps import KINDS, new_map
from shared.mesh import midpoints, visibility_graph
from shared.mesh.constraints import insert_ring
from shared.mesh.decomposition import decompose
from shared.mesh.tangent_graph import build
from shared.mesh.triangulation import new_mesh
from tests.lab.measure import spread
from tests.lab.paths.mesh_methods import TINY, World, free_places

N_MAPS, N_QUERIES, ROUNDS = 10, 40, 3
RADII = (TINY, 50.0, 200.0)


def least_ms(action):
    """The least CPU time of some calls."""
    times = []
    for _ in range(ROUNDS):
        start = time.process_time()
        action()
        times.append((time.process_time() - start) * 1000.0)
    return min(times)


def triangulated(rings):
    """A triangulation of rings."""
    mesh = new_mesh(1000)
    for ring in rings:
        insert_ring(mesh, ring)
    return mesh


def methods(rings, world, r):
    """Returns {name: (preparation for a map and radius, path search)}."""
    mesh, n = triangulated(rings), len(world.walls.x)
    ways, queue = midpoints.new_midpoints(mesh)
    found = {
        "tangent graph": (
            lambda: build(world.walls, world.bends, world.graph, r),
            world.optimum,
        ),
        "convex pieces": (
            lambda: decompose(world.walls, world.pieces),
            lambda places: world.plain_way(places)[0],
        ),
        "midpoints of edges": (
            lambda: triangulated(rings),
            lambda places: midpoints.find(mesh, world.walls, ways, queue, r, *map(int, places)),
        ),
    }
    if r == TINY:
        sights, line = visibility_graph.new_visibility(n, n * n)
        found["visibility graph"] = (
            lambda: visibility_graph.build(world.walls, sights),
            lambda places: visibility_graph.find(world.walls, sights, line, *places),
        )
    return found


def measure(prepare, find, asked, optima):
    """Returns (ms to prepare, us a query, share of the paths found and their relative excess, in
    %).
    """
    prepare_ms = least_ms(prepare)
    lengths = [find(places) for places in asked]
    query_us = 1000 * least_ms(lambda: [find(places) for places in asked]) / len(asked)
    pairs = [(a, b) for a, b in zip(lengths, optima) if b < math.inf]
    ratios = [a / b if b else 1.0 for a, b in pairs if a < math.inf]
    share = 100 * len(ratios) / len(pairs) if pairs else 100.0
    return prepare_ms, query_us, share, 100 * (statistics.mean(ratios) - 1) if ratios else 0.0


def path_methods():
    """(title, columns, rows) of a table."""
    results: dict = {}
    for seed in range(N_MAPS):
        rng = Random(f"bench {seed}")
        rings = new_map(KINDS[seed % len(KINDS)], rng)
        world = World(rings)
        for r in RADII:
            world.set_radius(r)
            asked = free_places(world, rng, r, N_QUERIES)
            if not asked:
                continue
            optima = [world.optimum(places) for places in asked]
            for name, (prepare, find) in methods(rings, world, r).items():
                row = measure(prepare, find, asked, optima)
                results.setdefault((RADII.index(r), name), []).append(row)
    rows = []
    for (i, name), measured in sorted(results.items()):
        prepare_ms, query_us, shares, excess = zip(*measured)
        radius = "a point" if RADII[i] == TINY else f"{RADII[i]:g}"
        rows.append(
            (
                name,
                radius,
                spread(prepare_ms, digits=2),
                spread(query_us),
                f"{statistics.mean(shares):.1f}",
                f"{statistics.mean(excess):.2f}",
            )
        )
    columns = ("method", "radius", "prepared in ms", "query in us", "found, %", "longer by %")
    return f"Paths among polygons: {N_MAPS} maps, {N_QUERIES} queries each", columns, rows
