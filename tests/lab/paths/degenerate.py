"""Paths in scenes full of degenerate cases, by searches that share no code but the mesh.

    python -m tests.lab.paths.degenerate [N_SCENES] [SEED]

A scene of points is a box with polygons, polylines and lone points on a coarse lattice, which touch
each other, and have straight angles; starts and goals lie on walls and corners as well: Polyanya,
TA* and TRA* have to agree. Among polygons they have to agree with a visibility graph, for discs
with a tangent graph, which use no mesh.
"""

import math
import sys
from random import Random

from shared.games.wayfinder.polygons import area2, edges, is_ring_apart, is_simple
from shared.mesh import polyanya, tangent_graph, visibility_graph
from shared.mesh.constraints import insert_ring
from shared.mesh.funnel import BEST, new_funnel_search
from shared.mesh.reduction import find_degrees, new_reduction
from shared.mesh.ta_star import begin_search, continue_search
from shared.mesh.triangulation import new_mesh
from shared.mesh.visibility_graph import is_free_place
from shared.mesh.walls import new_walls
from shared.path.statuses import FOUND, FULL, NO_PATH
from tests.paths.on_meshes import Map
from tests.paths.triangulations import orient

Point = tuple[int, int]
Scene = list[tuple[list[Point], bool]]  # (points, is_closed)
EQUAL = 1e-9
N_QUERIES = 3


def is_between(a: Point, b: Point, p: Point) -> bool:
    """Returns True for a point on the open segment ab."""
    along = (p[0] - a[0]) * (b[0] - a[0]) + (p[1] - a[1]) * (b[1] - a[1])
    return orient(a, b, p) == 0 and 0 < along < math.dist(a, b) ** 2 - 0.5


def do_cross(a: Point, b: Point, p: Point, q: Point) -> bool:
    """Returns True if two segments cross between their ends."""
    return orient(a, b, p) * orient(a, b, q) < 0 and orient(p, q, a) * orient(p, q, b) < 0


def walls_of(scene: Scene) -> list[tuple[Point, Point]]:
    """Returns the segments of a scene."""
    return [
        (a, b)
        for points, is_closed in scene
        for a, b in zip(points, points[1:] + points[:1] * is_closed)
        if a != b
    ]


def random_scene(rng: Random, size: int) -> Scene:
    """Returns a frame, mostly a box inside it, and up to eight more chains, none of which cross.

    No path runs outside of the frame, where the mesh ends.
    """
    scene: Scene = []
    for low, high in ((-2, size + 2), (0, size))[: 1 + (rng.random() < 0.7)]:
        scene.append(([(low, low), (high, low), (high, high), (low, high)], True))
    for _ in range(rng.randrange(1, 9)):
        n = rng.choice((1, 1, 2, 2, 3, 3, 4))
        points = [(rng.randrange(size + 1), rng.randrange(size + 1)) for _ in range(n)]
        chain = (points, n > 2 and rng.random() < 0.7)
        new, old = walls_of([chain]), walls_of(scene)
        if len(set(points)) == n and not any(
            do_cross(*wall, *other) for wall in new for other in [*old, *new]
        ):
            scene.append(chain)
    return scene


def lengths(scene: Scene, queries: list[tuple[Point, Point]]) -> list[dict[str, float]]:
    """Returns for each query {search: the length it finds}."""
    mesh = new_mesh(4 * len(walls_of(scene)) + 40, (0, 0, 16, 16))
    assert all(insert_ring(mesh, *chain) != FULL for chain in scene)
    reduction = new_reduction(mesh)
    find_degrees(mesh, reduction)
    kept = mesh, reduction, *new_funnel_search(mesh)
    search, heap = polyanya.new_polyanya(mesh)
    found = []
    for start, goal in queries:
        answers = {"Polyanya": polyanya.find(mesh, search, heap, *start, *goal)}
        if answers["Polyanya"] == NO_PATH:
            answers["Polyanya"] = math.inf
        for name, is_reduced in (("TA*", False), ("TRA*", True)):
            begin_search(*kept, *start, *goal, 0.0, is_reduced)
            status = continue_search(*kept, 1 << 40)
            answers[name] = float(kept[2].place[BEST]) if status in (FOUND, NO_PATH) else math.nan
        found.append(answers)
    return found


def check(seed: str) -> list:
    """Returns the differences in a scene: (scene, start, goal, {search: length})."""
    rng = Random(seed)
    size = rng.randrange(3, 13)
    scene = random_scene(rng, size)
    places = [(x, y) for x in range(size + 1) for y in range(size + 1)]
    corners = [point for points, _ in scene for point in points]
    queries = [
        tuple(rng.choice(corners if rng.random() < 0.4 else places) for _ in range(2))
        for _ in range(N_QUERIES)
    ]
    return [
        (scene, *query, answers)
        for query, answers in zip(queries, lengths(scene, queries))
        for length in answers.values()
        if length != answers["TA*"] and not math.isclose(length, answers["TA*"], rel_tol=EQUAL)
    ]


# Polygons


def random_rings(rng: Random, size: int) -> list[list[Point]]:
    """Returns a box and up to five polygons in it, all apart and counterclockwise, some of them
    with straight angles.
    """
    rings = [[(0, 0), (size, 0), (size, size), (0, size)]]
    for _ in range(rng.randrange(1, 6)):
        n = rng.choice((3, 3, 4, 5))
        ring = [(rng.randrange(1, size), rng.randrange(1, size)) for _ in range(n)]
        if area2(ring) < 0:
            ring.reverse()
        if is_simple(ring) and all(is_ring_apart(ring, other, 1) for other in rings):
            rings.append(ring)
    return [[place for a, b in edges(ring) for place in with_middle(rng, a, b)] for ring in rings]


def with_middle(rng: Random, a: Point, b: Point) -> list[Point]:
    """Returns the first corner of an edge, and often its middle where that is whole."""
    middle = (a[0] + b[0]) // 2, (a[1] + b[1]) // 2
    is_whole = 2 * middle[0] == a[0] + b[0] and 2 * middle[1] == a[1] + b[1]
    return [a, middle] if is_whole and rng.random() < 0.4 else [a]


def is_on_a_wall(rings: list[list[Point]], place: Point) -> bool:
    """Returns True for a place on a wall, which is on both sides of it in a mesh."""
    return any(place in (a, b) or is_between(a, b, place) for ring in rings for a, b in edges(ring))


def check_rings(seed: str) -> list:
    """Returns the wrong answers among polygons: (rings, r, start, goal, fault).

    Points by the visibility graph, discs by the tangent graph are compared with searches on a mesh.
    """
    rng = Random(seed)
    size = rng.randrange(4, 15)
    rings = random_rings(rng, size)
    walls, world = new_walls(rings), Map(rings)
    for _ in range(rng.randrange(5)):
        # No walls, so that they change no answer
        insert_ring(world.mesh, [(rng.randrange(size + 1), rng.randrange(size + 1))])
    find_degrees(world.mesh, world.reduction)
    n, wrong = len(walls.x), []
    sights, sights_queue = visibility_graph.new_visibility(n, n * n)
    assert visibility_graph.build(walls, sights) != FULL
    room = tangent_graph.new_tangents(n, 60 * n)
    r = rng.choice((0.5, 0.5, 1.0, 1.0, 1.5, 2.0))
    assert tangent_graph.build(walls, *room[:2], r) != FULL
    little_room = tangent_graph.new_tangents(n, rng.randrange(1, 8 * n))
    tangent_graph.build(walls, *little_room[:2], r)
    inside = [
        (x, y)
        for x in range(size + 1)
        for y in range(size + 1)
        if is_free_place(walls, float(x), float(y)) and not is_on_a_wall(rings, (x, y))
    ]
    for _ in range(N_QUERIES):
        start, goal = rng.choice(inside), rng.choice(inside)
        places = (*start, *goal)
        ends = tuple(map(float, places))
        best = tangent_graph.find(walls, *room, r, *ends)
        again = tangent_graph.find(walls, *little_room, r, *ends)
        if again not in (FULL, best):
            wrong.append((rings, r, start, goal, f"tangents in little room: {again}, not {best}"))
        seen = visibility_graph.find(walls, sights, sights_queue, *ends)
        for radius, length in ((0.0, seen), (r, best)):
            length = math.inf if length == NO_PATH else length
            faults = world.differences(places, radius, length)
            wrong += [(rings, radius, start, goal, fault) for fault in faults]
    return wrong


def main(scenes: int = 1000, seed: int = 1) -> int:
    """Check random scenes; returns 1 if an answer is wrong."""
    n_wrong = 0
    for i in range(scenes):
        for one in [*check(f"{seed} {i}"), *check_rings(f"{seed} {i}")]:
            n_wrong += 1
            if n_wrong <= 5:
                print(*one)
    print(f"{scenes} scenes, {N_QUERIES * scenes} queries, {n_wrong} wrong answers")
    return n_wrong > 0


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:])))
