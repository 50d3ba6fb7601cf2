"""`shared/mesh` against truth files and exact oracles, in one file to be compiled once."""

import importlib
import json
import math
import random

import numpy as np
import pytest

from bots.wayfinder.tracker import World
from shared.core.jit import float_buffer
from shared.games.wayfinder.clearance import are_free, distances, ends_of
from shared.games.wayfinder.maps import new_map
from shared.games.wayfinder.state import Query, Start, TurnInput
from tests.conftest import DATA
from tests.paths.triangulations import points_of, problems, read_mesh

pytestmark = pytest.mark.slow("compiles the searches on meshes")
N_GROWN = 12  # queries on a map with inflated walls
LONGER = 5e-4  # relative: excess of polylines over arcs, and rounding


@pytest.fixture(scope="module")
def on_meshes():
    """The searches, compiled at their first use."""
    from tests.paths import on_meshes

    return on_meshes


@pytest.mark.exhaustive("compiles more searches", keep=1)
@pytest.mark.parametrize(("name", "every", "n_cases"), [("cdt", 1, 357), ("radius_paths", 4, 179)])
def test_the_truth_file_agrees(name, every, n_cases, truth):
    """A share of the paths; `python -m tests.paths.truth_files` compares all."""
    from tests.paths.truth_files import check_file

    report = check_file(truth / f"{name}.json.gz", every)
    assert (report.mismatches, report.first, report.cases) == (0, None, n_cases)


@pytest.mark.exhaustive("compiles more searches")
def test_points_agree_with_the_truth_file(truth):
    from tests.paths.truth_files import check_file

    report = check_file(truth / "navmesh_paths.json.gz", 20)
    assert (report.mismatches, report.first, report.cases) == (0, None, 175)


def change_at_random(rng, size, n_points, n_changes):
    """Returns the faults after each of so many changes on a square of so many places to a side, and
    after the removal of everything; chains have at most so many points.
    """
    from shared.mesh.constraints import insert_ring, remove_chain
    from shared.mesh.triangulation import new_mesh
    from shared.path.statuses import FULL

    mesh, chains, wrong = new_mesh(2000, (0, 0, size, size)), [], []
    for _ in range(n_changes):
        if chains and rng.random() < 0.5:
            remove_chain(mesh, chains.pop(rng.randrange(len(chains))))
        else:
            n = rng.randint(1, n_points)
            places = [(rng.randrange(size), rng.randrange(size)) for _ in range(n)]
            chains.append(insert_ring(mesh, places, n > 2))
            if chains[-1] == FULL:
                wrong.append(f"no room for {places}")
        triangles, fixed = read_mesh(mesh)
        wrong += problems(points_of(mesh), triangles, fixed)
    while chains:
        remove_chain(mesh, chains.pop())
    if points_of(mesh) or read_mesh(mesh) != ([], set()):
        wrong.append("something is left when everything has gone")
    return wrong


@pytest.mark.parametrize("size", [3, 6, 20, 1000])
@pytest.mark.parametrize("n_points", [1, 4])
def test_random_changes(size, n_points):
    """Points, crossing segments and polygons, most of them collinear, cocircular or equal: every
    state is constrained Delaunay.
    """
    assert change_at_random(random.Random(size), size, n_points, 120) == []


def test_degrees_of_a_ring_a_corridor_and_dead_ends(on_meshes):
    """A square round k holes has at most 2 (k - 1) forks, however many corners they have."""
    from shared.mesh.reduction import FORK, degree_sizes, find_degrees, new_reduction

    for k in range(1, 5):
        holes = [[(30 * i + 5, 5), (30 * i + 20, 5), (30 * i + 20, 20)] for i in range(k)]
        mesh = on_meshes.mesh_of([[(0, 0), (30 * k, 0), (30 * k, 30), (0, 30)], *holes])
        reduction = new_reduction(mesh)
        find_degrees(mesh, reduction)
        assert degree_sizes(mesh, reduction)[FORK] == 2 * (k - 1)


@pytest.mark.exhaustive("compiles each of the ways")
def test_all_ways_to_locate_a_point_agree(on_meshes):
    from shared.mesh.location import locate, locate_by_sampling
    from shared.mesh.location_tree import build, locate_by_tree, new_location_tree

    rng = random.Random(7)
    mesh = on_meshes.mesh_of(new_map("scatter", rng))
    tree = new_location_tree(mesh)
    assert build(mesh, tree) > 0
    for _ in range(200):
        place = rng.randrange(-99, 10_099), rng.randrange(-99, 10_099)
        triangle = locate(mesh, *place) // 4
        assert locate_by_sampling(mesh, 5, *place) // 4 == triangle
        assert locate_by_tree(mesh, tree, *place) // 4 == triangle


def test_a_disc_between_two_spikes(on_meshes):
    """By its triangles' widths a disc would pass under the left spike, where it does not fit."""
    spikes = [[(x, y), (x + 60, 5950), (x - 60, 5950)] for x, y in ((1500, 500), (4500, 750))]
    world = on_meshes.Map([[(0, 0), (10_000, 0), (10_000, 6000), (0, 6000)], *spikes])
    for is_reduced in (False, True):
        assert world.length((700, 3000, 8000, 3000), 240.0, is_reduced) < math.inf
        assert world.length((700, 3000, 8000, 3000), 260.0, is_reduced) == math.inf


@pytest.mark.parametrize("kind", ["rooms", "cave"])
def test_where_the_start_is_the_goal_nothing_is_left_to_go(kind, on_meshes):
    rng = random.Random(f"there {kind}")
    rings = new_map(kind, rng)
    world = on_meshes.Map(rings)
    for radius in (0, 60):
        corners = [place for ring in rings for place in ring][:20] if radius == 0 else []
        for place in wide_places(rings, rng, radius)[:20] + corners:
            assert world.differences((*place, *place), float(radius), 0.0) == []


class Endless:
    """Nodes without a limit."""

    def left(self):
        return 1 << 30

    def spend(self, n):
        pass


def wide_places(rings, rng, r):
    """Returns places at whole numbers with room for a disc of this radius plus 1."""
    ends = ends_of(rings)
    places = [(rng.randrange(10_000), rng.randrange(10_000)) for _ in range(400)]
    array = np.array(places, float)
    room = distances(array, *ends).min(1)
    is_free = are_free(array, *ends)
    return [place for place, far, free in zip(places, room, is_free) if free and far >= r + 1]


class Granted:
    """A clock that grants this many nodes in total."""

    def __init__(self, n):
        self.n = n

    def grant(self):
        n, self.n = self.n, 0
        return n


@pytest.mark.parametrize(("name", "n_nodes"), [("tra_star", 60), ("midpoints", 7)])
def test_where_the_time_is_up_what_is_left_has_no_answer(name, n_nodes):
    """Complete answers to some queries; TRA* answers those with the nearest goals."""
    bot = importlib.import_module(f"bots.wayfinder.{name}")
    rng = random.Random("time")
    rings = new_map("maze", rng)
    places = wide_places(rings, rng, 20)
    queries = [Query(*rng.choice(places), *rng.choice(places), 20) for _ in range(20)]
    world = World(Start(1, 20, [20], rings[0], dict(enumerate(rings[1:], 1))), str)
    world.turn = TurnInput([], queries)
    every, some = (bot.Answers(world, Granted(n))() for n in (1 << 40, n_nodes))
    assert 0 < len(some) < len(every) and {i: every[i] for i in some} == some
    if name == "tra_star":
        ways = {i: math.dist(queries[i][:2], queries[i][2:4]) for i in every}
        assert max(ways[i] for i in some) < min(ways[i] for i in every if i not in some)


@pytest.mark.parametrize(
    ("kind", "radius"),
    [("scatter", 20), ("rooms", 150), ("blobs", 400), ("maze", 250), ("cave", 60)],
)
def test_ways_among_grown_walls(kind, radius, on_meshes):
    """Polyanya's paths against those of TRA*, which uses arcs."""
    from bots.wayfinder.polyanya import Grown
    from bots.wayfinder.tracker import needed
    from shared.mesh.walls import new_walls

    rng = random.Random(f"grown {kind}")
    rings = new_map(kind, rng)
    world, walls, grown = on_meshes.Map(rings), new_walls(rings), Grown(radius)
    assert grown.grow(walls, Endless())
    places, points = wide_places(rings, rng, radius), float_buffer(400)
    for _ in range(N_GROWN if places else 0):
        start, goal = rng.choice(places), rng.choice(places)
        length = world.length((*start, *goal), needed(radius), True)
        n = grown.find_corners((*start, *goal), points)
        assert (n >= 0) == (length < math.inf)
        if n >= 0:
            line = [start, *((points[2 * i], points[2 * i + 1]) for i in range(n)), goal]
            long = sum(map(math.dist, line, line[1:]))
            assert length - 1e-6 <= long <= length * (1.0 + LONGER)
            assert on_meshes.clearance(rings, line) >= needed(radius)


CASES = json.loads((DATA / "discs_among_polygons.json").read_text())


@pytest.mark.parametrize("case", CASES, ids=range(len(CASES)))
def test_circles_that_are_met_in_another_order(case, on_meshes):
    """In both directions; reduced from queries with too long a path or none. The lengths are those
    of the tangent graph.
    """
    world, (*start, x, y) = on_meshes.Map(case["rings"]), case["places"]
    for way in ((*start, x, y), (x, y, *start)):
        for is_reduced in (False, True):
            length = world.length(way, float(case["radius"]), is_reduced)
            assert length == pytest.approx(case["length"], abs=1e-6)
