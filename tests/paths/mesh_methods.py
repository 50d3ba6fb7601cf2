"""Path searches among polygons against each other: optimal ones must agree, other ones must not be
shorter; the referee's scoring checks every path.

    python -m tests.paths.mesh_methods [N_MAPS] [N_QUERIES]

Maps are from seeds; compiled, or plain with `CG_JIT=0`.
"""

import math
import sys
from random import Random

import numpy as np

from shared.core.jit import float_buffer
from shared.games.wayfinder.clearance import are_free, distances, ends_of, path_clearance
from shared.games.wayfinder.maps import KINDS, new_map
from shared.mesh import decomposition, tangent_graph, visibility_graph
from shared.mesh.geometry import arc_step, n_arc_points, write_arc
from shared.mesh.walls import is_free_segment, new_walls
from shared.mesh.waypoints import N_POINTS
from shared.path.statuses import FULL, NO_PATH
from tests.paths.on_meshes import Map

TINY = 1e-4  # a disc this small is nearly a point
NEAR = 1e-6


class World:
    """A map with the buffers of all methods."""

    def __init__(self, rings):
        self.ends, self.walls = ends_of(rings), new_walls(rings)
        n = len(self.walls.x)
        self.bends, self.graph, self.route, self.queue = tangent_graph.new_tangents(n, 60 * n)
        self.pieces, self.ways, self.ways_queue = decomposition.new_pieces(n)
        decomposition.decompose(self.walls, self.pieces)
        self.points = float_buffer(400)

    def set_radius(self, r):
        assert tangent_graph.build(self.walls, self.bends, self.graph, r) != FULL
        self.r = r

    def optimum(self, places):
        length = tangent_graph.find(
            self.walls, self.bends, self.graph, self.route, self.queue, self.r, *places
        )
        return math.inf if length == NO_PATH else length

    def polyline(self, places, error):
        """The polyline of the last optimum found, None if it has too many points."""
        n = tangent_graph.write_path(
            self.walls, self.bends, self.graph, self.route, self.r, error, self.points
        )
        if n < 0:
            return None
        inner = [(self.points[2 * i], self.points[2 * i + 1]) for i in range(n)]
        return np.array([places[:2], *inner, places[2:]])

    def plain_way(self, places):
        """(length, points) of the path over waypoints."""
        ways = self.ways
        args = (self.walls, self.pieces, ways, self.ways_queue, self.r)
        length = decomposition.find(*args, *places)
        length = math.inf if length == NO_PATH else length
        points = [
            (ways.points[2 * i], ways.points[2 * i + 1]) for i in range(ways.counts[N_POINTS])
        ]
        return length, np.array(points)


def length_of(path):
    return float(np.sqrt(((path[1:] - path[:-1]) ** 2).sum(1)).sum())


def check_query(world, places):
    """Compare the methods' answers to a query; (the optimum, the plain way's length)."""
    best = world.optimum(places)
    straight = math.dist(places[:2], places[2:])
    assert best >= straight * (1 - 1e-12)
    assert (best <= straight * (1 + 1e-12)) == is_free_segment(world.walls, *places, world.r - NEAR)
    length, points = world.plain_way(places)
    if best == math.inf:
        assert length == math.inf
        return best, length
    error = 1e-3 * best
    path = world.polyline(places, error)
    assert path_clearance(path, *world.ends) >= world.r - NEAR
    assert best - NEAR <= length_of(path) <= best + error + NEAR
    if length < math.inf:
        assert length >= best - NEAR and abs(length_of(points) - length) < NEAR
        assert path_clearance(points, *world.ends) >= world.r - NEAR
    return best, length


def free_places(world, rng, r, n):
    """Pairs of whole places with room for a disc."""
    points = np.array([(rng.randrange(10_000), rng.randrange(10_000)) for _ in range(300)], float)
    room = np.where(are_free(points, *world.ends), distances(points, *world.ends).min(1), 0.0)
    wide = [tuple(map(float, point)) for point, free in zip(points, room) if free >= r + 1]
    return [(*rng.choice(wide), *rng.choice(wide)) for _ in range(n)] if wide else []


def check_map(rings, rng, n_queries):
    """Check all methods on a map; returns (queries, those with a path, those for which the plain
    method finds one, those on which TRA*, after its fallback, differs, in either direction).
    """
    world, n, n_paths, n_found, n_other, last = World(rings), 0, 0, 0, 0, {}
    mesh = Map(rings)
    for r in (TINY, rng.uniform(1, 100), rng.uniform(100, 400)):
        world.set_radius(r)
        asked = free_places(world, rng, r, n_queries)
        if r == TINY:
            corners = len(world.walls.x)
            sights, queue = visibility_graph.new_visibility(corners, corners * corners)
            assert visibility_graph.build(world.walls, sights) != FULL
        for places in asked:
            best, length = check_query(world, places)
            n, n_paths, n_found = n + 1, n_paths + (best < math.inf), n_found + (length < math.inf)
            if r == TINY:
                seen = visibility_graph.find(world.walls, sights, queue, *places)
                seen = math.inf if seen == NO_PATH else seen
                # At each bend the disc's path is a bit longer than the point's.
                assert seen <= best + NEAR and best <= seen + 100 * TINY
            else:
                last[places] = best
                for way in (places, (*places[2:], *places[:2])):
                    mine = mesh.length(tuple(map(int, way)), r, True)
                    n_other += not (mine == best or math.isclose(mine, best, rel_tol=NEAR))
    # A smaller disc's path is not longer.
    world.set_radius(0.5)
    for places, best in last.items():
        assert world.optimum(places) <= best + NEAR
    return n, n_paths, n_found, n_other


def check_arcs(rng):
    """Arcs as polylines: outside of the circle, longer by at most the permitted excess, and hardly
    less.
    """
    points = float_buffer(4000)
    for _ in range(50):
        r, radians, start = rng.uniform(1, 400), rng.uniform(-3, 3), rng.uniform(-4, 4)
        error = 10 ** rng.uniform(-4, 1)
        step = arc_step(r, abs(radians), error)
        normal = (math.cos(start), math.sin(start))
        n = write_arc(points, 3, 5.0, 7.0, r, *normal, radians, step)
        assert n == 3 + n_arc_points(radians, step) and list(points[:6]) == [0.0] * 6
        ends = [(5 + r * math.cos(t), 7 + r * math.sin(t)) for t in (start, start + radians)]
        inner = [(points[2 * i], points[2 * i + 1]) for i in range(3, n)]
        path = np.array([ends[0], *inner, ends[1]])
        assert distances(np.array([(5.0, 7.0)]), path[:-1], path[1:]).min() >= r - NEAR
        excess = length_of(path) - r * abs(radians)
        assert -NEAR <= excess <= error + NEAR
        assert n <= 5 or excess >= 0.25 * error


def main(maps=10, queries=20):
    """Check the methods against each other."""
    check_arcs(Random(1))
    sums = [0, 0, 0, 0]
    for seed in range(maps):
        rng = Random(f"methods {seed}")
        found = check_map(new_map(KINDS[seed % len(KINDS)], rng), rng, queries)
        sums = [a + b for a, b in zip(sums, found)]
    print(
        f"{sums[0]} queries, {sums[1]} with a path, {sums[2]} found over way points, {sums[3]}"
        " others by TRA*"
    )


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
