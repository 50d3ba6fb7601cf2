"""Two laws of triangulations: the cost of point location, and the size of the reduced graph.

    python -m tests.lab.paths.mesh_laws

prints the first.
"""

import math
import statistics
import time
from random import Random

import numba
import numpy as np

from shared.mesh.constraints import insert_ring
from shared.mesh.location import locate, locate_by_sampling
from shared.mesh.location_tree import build, locate_by_tree, new_location_tree
from shared.mesh.reduction import TREE, degree_sizes, find_degrees, new_reduction
from shared.mesh.triangulation import N_STEPS, N_VERTICES, new_mesh

SIZES = (1_000, 3_000, 10_000, 30_000, 100_000)
SIDE = 1_000_000  # of the square with the points
N_PLACES = 2_000
OBSTACLES, CORNERS = (5, 20, 80), (3, 10, 40)
ROUNDS = 5


@numba.njit(error_model="numpy")
def walk_often(find, before, xs, ys):
    """Locate all places."""
    total = 0
    for i in range(len(xs)):
        total += find(*(before + (xs[i], ys[i])))  # noqa: RUF005 (numba)
    return total


def random_places(n, is_clustered, rng):
    """N places at random in a square, or near ten places in it."""
    if not is_clustered:
        return [(rng.randrange(SIDE), rng.randrange(SIDE)) for _ in range(n)]
    middles = [(37 * SIDE // 100 * k % SIDE, 61 * SIDE // 100 * k % SIDE) for k in range(10)]
    return [tuple(round(rng.gauss(u, SIDE / 200)) for u in rng.choice(middles)) for _ in range(n)]


def mesh_of(places):
    """The triangulation of places."""
    mesh = new_mesh(len(places), (0, 0, SIDE, SIDE))
    for place in places:
        insert_ring(mesh, [place])
    return mesh


def walked(mesh, n_samples, xs, ys):
    """(triangles walked through, median us) for a place; by the grid of buckets if no vertices are
    sampled.
    """
    find, before = (locate_by_sampling, (mesh, n_samples)) if n_samples else (locate, (mesh,))
    mesh.counts[N_STEPS] = 0
    us = us_each(find, before, xs, ys)
    return int(mesh.counts[N_STEPS]) / len(xs) / (ROUNDS + 1), us


def us_each(find, before, xs, ys):
    """Median us for a place, after a first round."""
    times = []
    for _ in range(ROUNDS + 1):
        began = time.process_time_ns()
        walk_often(find, before, xs, ys)
        times.append((time.process_time_ns() - began) / 1e3 / len(xs))
    return statistics.median(times[1:])


def decided(mesh, xs, ys):
    """(nodes of the tree for a vertex, median us) for a place."""
    tree = new_location_tree(mesh)
    n = int(build(mesh, tree))
    return n / int(mesh.counts[N_VERTICES]), us_each(locate_by_tree, (mesh, tree), xs, ys)


def exponent(sizes, values):
    """The exponent of the power of the size that fits values best, by least squares of
    logarithms.
    """
    return float(np.polyfit(np.log(sizes), np.log(values), 1)[0])


STARTS = {
    "one vertex": lambda n: 1,
    "n^(1/3) / 2": lambda n: round(n ** (1 / 3) / 2),
    "n^(1/3)": lambda n: round(n ** (1 / 3)),
    "2 n^(1/3)": lambda n: round(2 * n ** (1 / 3)),
    "4 n^(1/3)": lambda n: round(4 * n ** (1 / 3)),
    "sqrt(n)": lambda n: round(math.sqrt(n)),
    "bucket of a grid": lambda n: 0,
}
TREE_ROW = "tree: nodes a point"


def location(is_clustered=False):
    """(columns, rows): triangles walked through and us by start and number of points, nodes a
    point of a tree and us; exponents of both.
    """
    rng = Random(1)
    found = {name: [] for name in (*STARTS, TREE_ROW)}
    for n in SIZES:
        mesh = mesh_of(random_places(n, is_clustered, rng))
        xs, ys = map(np.array, zip(*random_places(N_PLACES, is_clustered, rng)))
        for name, samples in STARTS.items():
            found[name].append(walked(mesh, samples(n), xs, ys))
        found[TREE_ROW].append(decided(mesh, xs, ys))
    rows = []
    for name, values in found.items():
        steps, us = zip(*values)
        cells = [f"{one:.1f}: {middle:.2f}" for one, middle in values]
        rows.append([name, *cells, f"{exponent(SIZES, steps):.2f}", f"{exponent(SIZES, us):.2f}"])
    columns = ["begins at the nearest of", *(f"{n:,} points" for n in SIZES)]
    return [*columns, "exponent, triangles", "exponent, us"], rows


def world_of(n_obstacles, n_corners, rng):
    """Returns so many round obstacles with so many corners each, in a box."""
    columns = math.ceil(math.sqrt(n_obstacles))
    side = SIDE // (columns + 1)
    rings = [[(0, 0), (SIDE, 0), (SIDE, SIDE), (0, SIDE)]]
    for i in range(n_obstacles):
        x, y = (side * (1 + k) + rng.randrange(-side // 9, side // 9) for k in divmod(i, columns))
        angles = [2 * math.pi * k / n_corners + rng.random() / n_corners for k in range(n_corners)]
        places = [(x + side * math.cos(a) / 3, y + side * math.sin(a) / 3) for a in angles]
        rings.append([(round(u), round(v)) for u, v in places])
    return rings


def sizes_of(rings):
    """Counts the free triangles, and triangles in dead ends, in corridors and forks; triangles
    outside of the first ring, or inside another one, are not counted.
    """
    mesh = new_mesh(sum(map(len, rings)), (0, 0, SIDE, SIDE))
    for ring in rings:
        insert_ring(mesh, ring)
    reduction = new_reduction(mesh)
    find_degrees(mesh, reduction)
    return degree_sizes(mesh, reduction)[TREE:]


def reduced_graph():
    """(columns, rows): the size of the graph that TRA* searches, by obstacles and corners of
    each.
    """
    rows, rng = [], Random(2)
    for n_obstacles in OBSTACLES:
        for n_corners in CORNERS:
            rings = world_of(n_obstacles, n_corners, rng)
            total = sum(map(len, rings))
            forks = sizes_of(rings)[2]
            row = [n_obstacles, n_corners, total, total + 2 * n_obstacles - 2, forks]
            rows.append([f"{value:,}" for value in [*row, 2 * (n_obstacles - 1)]])
    return [
        "obstacles",
        "corners of each",
        "corners",
        "free triangles",
        "forks",
        "2 (obstacles - 1)",
    ], rows


if __name__ == "__main__":
    for columns, rows in (location(), location(is_clustered=True)):
        for row in (columns, *rows):
            print(" | ".join(row))
