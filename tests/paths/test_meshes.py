"""`shared/mesh` against truth files and exact oracles, in one file to be compiled once."""

import importlib
import math
import random

import numpy as np
import pytest

from bots.wayfinder.tracker import World
from shared.core.jit import float_buffer
from shared.games.wayfinder.clearance import are_free, distances, ends_of
from shared.games.wayfinder.maps import new_map
from shared.games.wayfinder.state import Query, Start, Turn
from tests.conftest import run_plain
from tests.paths.triangulations import points_of, problems, read_mesh

pytestmark = pytest.mark.slow("compiles the searches on meshes")
N_GROWN = 12  # queries on a map with inflated walls
LONGER = 5e-4  # relative: excess of polylines over arcs, and rounding


@pytest.fixture(scope="module")
def on_meshes():
    """The searches, compiled at their first use."""
    from tests.paths import on_meshes

    return on_meshes


@pytest.mark.exhaustive("compiles all kernels of shared/mesh; the others show right answers")
def test_compiled_and_plain_give_the_same_bits_and_stay_within_their_buffers():
    from tests.paths.mesh_trace import trace

    compiled = [f"{name}: {value}" for name, value in trace()]
    assert compiled == run_plain("tests.paths.mesh_trace").splitlines()


@pytest.mark.parametrize(("name", "every", "n_cases"), [("cdt", 1, 357), ("radius_paths", 4, 179)])
def test_the_truth_file_agrees(name, every, n_cases, truth):
    """A share of the paths; `python -m tests.paths.truth_files` compares all."""
    from tests.paths.truth_files import check_file

    report = check_file(truth / f"{name}.json.gz", every)
    assert (report.mismatches, report.first, report.cases) == (0, None, n_cases)


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
    world.turn = Turn([], queries)
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


def test_what_is_in_the_way_to_what_is_in_the_way(on_meshes):
    """The first corner, (1611, 4573), is just in the way to a second one, which is in the way to a
    third; the length is that of the tangent graph.
    """
    rings = [
        [(0, 0), (10_000, 0), (10_000, 10_000), (0, 10_000)],
        [(4276, 8026), (5208, 6887), (5394, 6936)],
        [(2181, 8662), (1828, 7370), (2195, 6762)],
        [(4260, 7844), (2629, 7602), (3833, 6284)],
        [(5821, 6685), (6013, 6117), (6780, 6196)],
        [(1611, 4573), (1522, 2940), (1917, 3640)],
    ]
    world = on_meshes.Map(rings)
    for places in ((1015, 4545, 5470, 9511), (5470, 9511, 1015, 4545)):
        for is_reduced in (False, True):
            assert world.length(places, 237.0, is_reduced) == pytest.approx(7828.742926, abs=1e-5)


BOX = [(0, 0), (10_000, 0), (10_000, 10_000), (0, 10_000)]
# rings, places, radius, the length by the tangent graph
CIRCLES_OUT_OF_ORDER = [
    # The goal comes before a corner added because of an obstacle behind it.
    (
        [BOX, [(9671, 2987), (8624, 3156), (9656, 2692)]],
        (9864, 5035, 9754, 2300),
        115,
        2737.230567181,
    ),
    # A turn around (4576, 9191) becomes superfluous by one around (4092, 9195).
    (
        [
            BOX,
            [(3476, 8636), (3303, 9347), (2345, 9078)],
            [(5948, 9299), (4576, 9191), (4092, 9195), (4516, 8702), (3797, 8112)],
        ],
        (8632, 7233, 3955, 8895),
        151,
        5885.921655661,
    ),
    # The path turns back sharply around the last corner, and comes no nearer to the goal before
    # that.
    (
        [BOX, [(2406, 9191), (3494, 9251), (3526, 9509)]],
        (7797, 6760, 2501, 9310),
        35,
        6133.911463405,
    ),
    # Tangents to corners behind the start and ahead are more than half a turn apart.
    (
        [
            [(303, 303), (7272, 303), (9696, 4848), (303, 7272)],
            [(3939, 3636), (2424, 3939), (1212, 3939)],
            [(1515, 4848), (1515, 6363), (1212, 4848)],
        ],
        (831, 5047, 8041, 2631),
        377,
        7888.598809468,
    ),
    # Two paths around the ring in the middle are equally long.
    (
        [
            [
                *[(303, 303), (9696, 303), (9696, 1212), (4848, 1515), (9696, 6060)],
                *[(3939, 7272), (3939, 6363), (5151, 6363), (5151, 4848)],
            ],
            [(3939, 1212), (5151, 3636), (5151, 3939)],
            [(5151, 2424), (5151, 2727), (4848, 2727)],
            [(6363, 3636), (6363, 6060), (6060, 6363)],
        ],
        (8970, 582, 3982, 6526),
        36,
        10430.422398816,
    ),
]

# Queries on which funnels are inconclusive, so that all tangents are tried
DOUBTFUL = [
    # A wall crosses the segment between two turns.
    (
        [
            BOX,
            [(7473, 1871), (7559, 1368), (8403, 1599)],
            [(8836, 1843), (9643, 1865), (9136, 2060)],
            [(8354, 1190), (8203, 1146), (8946, 884)],
        ],
        (3686, 9140, 9676, 251),
        249,
        11248.821077551,
    ),
    ([BOX, [(9094, 1529), (9185, 1666), (8525, 2104)]], (3853, 6165, 9368, 902), 311, 7625.17185),
    # The obstacle is met after a corner on the other side.
    (
        [
            BOX,
            [(3710, 3817), (3020, 4784), (2304, 4541)],
            [(2672, 5482), (3027, 5011), (3231, 5134)],
        ],
        (6887, 7184, 1706, 4690),
        99,
        5820.935311502,
    ),
    (
        [
            BOX,
            [(7277, 464), (7512, 408), (7788, 359)],
            [(2449, 478), (2695, 473), (2314, 754)],
            [(1240, 358), (978, 1097), (536, 888)],
        ],
        (9807, 358, 1748, 402),
        162,
        8072.05453591,
    ),
    # The arc around a corner is not free, as another corner comes before.
    (
        [
            BOX,
            [(3952, 2286), (4054, 2295), (4097, 2299)],
            [(5146, 2097), (5239, 2993), (5089, 3142)],
        ],
        (3868, 1840, 7372, 9172),
        365,
        8288.411238064,
    ),
]


@pytest.mark.parametrize(("rings", "places", "radius", "length"), CIRCLES_OUT_OF_ORDER + DOUBTFUL)
def test_circles_that_are_met_in_another_order(rings, places, radius, length, on_meshes):
    """In both directions, reduced from queries with too long a path or none."""
    world = on_meshes.Map(rings)
    for way in (places, (*places[2:], *places[:2])):
        for is_reduced in (False, True):
            assert world.length(way, float(radius), is_reduced) == pytest.approx(length, abs=1e-6)
