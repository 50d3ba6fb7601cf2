"""Single cases of paths among polygons at the limits: full buffers, lone points, places on walls.

`python -m tests.paths.polygon_cases`, with CG_JIT=0, prints each case and its failure, as JSON; in
plain Python every buffer refuses an index beyond it.
"""

import json
import math
import traceback

from tests.parity.digests import check_buffers

BOX = [(0, 0), (20, 0), (20, 10), (0, 10)]
BLOCK = [(9, 3), (11, 3), (11, 7), (9, 7)]
AROUND = math.dist((2, 5), (9, 3)) * 2 + 2  # from (2, 5) to (18, 5)
SPIKES = [
    [(10 * i, 2 + i % 3), (10 * i + 4, 5), (10 * i + 3, 30 - i % 5), (10 * i - 2, 20)]
    for i in range(1, 7)
]
ROOM = [[(0, 0), (80, 0), (80, 40), (0, 40)], *SPIKES]


def close(one, other):
    """Asserts that two lengths are equal but for rounding."""
    assert one == other or math.isclose(one, other, rel_tol=1e-8), (one, other)


def mesh_searches(chains, n_nodes=1 << 10):
    """Returns {name: search(start, goal, r)} by Polyanya, TA* and TRA* among chains of points."""
    from shared.mesh import polyanya
    from shared.mesh.constraints import insert_ring
    from shared.mesh.fallback import search_all_tangents
    from shared.mesh.funnel import BEST, new_funnel_search
    from shared.mesh.reduction import find_degrees, new_reduction
    from shared.mesh.ta_star import begin_search, continue_search
    from shared.mesh.triangulation import new_mesh
    from shared.path.statuses import FOUND, FULL, INCONCLUSIVE

    mesh = new_mesh(2 * sum(map(len, chains)) + 10)
    assert FULL not in [insert_ring(mesh, chain) for chain in chains]
    reduction = new_reduction(mesh)
    find_degrees(mesh, reduction)
    kept = mesh, reduction, *new_funnel_search(mesh, n_nodes)
    buffers = polyanya.new_polyanya(mesh, n_nodes)

    def by_funnels(is_reduced):
        def find(start, goal, r):
            begin_search(*kept, *start, *goal, r, is_reduced)
            status = continue_search(*kept, 1 << 30)
            if status == INCONCLUSIVE:
                status = search_all_tangents(mesh, *kept[2:], 1 << 30)
            return float(kept[2].place[BEST]) if status == FOUND else status

        return find

    return {
        "Polyanya": lambda start, goal, r: polyanya.find(mesh, *buffers, *start, *goal),
        "TA*": by_funnels(False),
        "TRA*": by_funnels(True),
    }


def tangents(rings, r, n_touches):
    """Returns (the answer of `build`, find(start, goal)) of a tangent graph."""
    from shared.mesh.tangent_graph import build, find, new_tangents
    from shared.mesh.walls import new_walls

    walls = new_walls(rings)
    room = new_tangents(len(walls.x), n_touches)
    built = build(walls, *room[:2], r)
    return built, lambda *ends: find(walls, *room, r, *map(float, ends))


def visible(rings, start, goal):
    """Returns the answer of the visibility graph."""
    from shared.mesh.visibility_graph import build, find, new_visibility
    from shared.mesh.walls import new_walls

    walls = new_walls(rings)
    graph, queue = new_visibility(len(walls.x), len(walls.x) ** 2)
    assert build(walls, graph) >= 0
    return find(walls, graph, queue, *map(float, (*start, *goal)))


def full_tangents_answer_nothing_or_the_right_length():
    """For each room, FULL up to some size alone; asked again, the answers stay."""
    from shared.path.statuses import FULL

    full, right, queries = [], {}, [(1, 35, 79, 1), (35, 1, 35, 39), (1, 1, 79, 39)]
    steps = range(0, 400, 9)
    for n_touches in [1000, *steps]:
        built, find = tangents(ROOM, 0.75, n_touches)
        full += [n_touches] * (built == FULL)
        for _ in range(2):
            for query in queries:
                length = find(*query)
                if built == FULL:
                    assert length == FULL
                else:
                    assert length == right.setdefault(query, length) > 0.0
    assert full == list(steps[: len(full)]) and 11 < len(full) < 33


def searches_in_full_buffers_say_so():
    """For each number of nodes: FULL or the right length, and the next query is right again."""
    from shared.path.statuses import FULL

    queries = [((1, 35), (79, 1)), ((35, 1), (35, 39))]
    right = {query: visible(ROOM, *query) for query in queries}
    statuses = dict.fromkeys(("Polyanya", "TA*", "TRA*"), 0)
    for n_nodes in (*range(1, 60, 4), 100, 300):
        for name, find in mesh_searches(ROOM, n_nodes).items():
            for start, goal in (*queries, queries[0]):
                length = find(start, goal, 0.0)
                statuses[name] += length == FULL
                if length != FULL:
                    close(length, right[start, goal])
            assert find((1, 1), (2, 1), 0.0) in (1.0, FULL)
    assert min(statuses.values()) > 1, statuses


def a_full_mesh_stays_full():
    """Too small a mesh says so for all that follows, until it is cleared; no search hangs."""
    from shared.mesh.constraints import insert_ring
    from shared.mesh.polyanya import find, new_polyanya
    from shared.mesh.triangulation import clear_mesh, new_mesh
    from shared.path.statuses import FULL

    for n_points in range(1, 27):
        mesh = new_mesh(n_points)
        answers = [insert_ring(mesh, ring) for ring in ROOM]
        assert FULL in answers
        assert set(answers[answers.index(FULL) :]) == {FULL}
        find(mesh, *new_polyanya(mesh), 1, 35, 79, 1)
        clear_mesh(mesh)
        assert n_points < 2 or insert_ring(mesh, [(0, 0), (3, 1)], False) != FULL


def a_lone_point_is_no_wall():
    """It bends no path of a point, and stops no disc."""
    for chains, r in (([BOX, BLOCK, [(6, 5)]], 0.0), ([BOX, BLOCK, [(6, 5)], [(13, 9)]], 1.0)):
        for name, find in mesh_searches(chains).items():
            if r == 0.0:
                close(find((2, 5), (18, 5), r), AROUND)
                close(find((2, 5), (8, 5), r), 6.0)
                close(find((6, 5), (6, 8), r), 3.0)
            elif name != "Polyanya":
                close(find((2, 5), (18, 5), r), tangents([BOX, BLOCK], r, 900)[1](2, 5, 18, 5))
                close(find((2, 9), (18, 9), r), 16.0)


def a_place_on_a_wall_lies_on_all_its_sides():
    """Starts and goals on corners, on walls and on both; the inside of the block is no free space
    for the visibility graph, but another room for a mesh.
    """
    from shared.path.statuses import NO_PATH

    cases = [
        ((9, 3), (11, 3), 2.0, 2.0),
        ((9, 5), (11, 5), 2.0, 6.0),
        ((9, 3), (11, 7), math.sqrt(20), 6.0),
        ((9, 5), (18, 5), 4 + math.sqrt(53), 4 + math.sqrt(53)),
        ((0, 0), (20, 10), 2 * math.sqrt(130), 2 * math.sqrt(130)),
        ((10, 5), (11, 7), math.sqrt(5), NO_PATH),
        ((10, 5), (12, 5), NO_PATH, NO_PATH),
    ]
    for start, goal, in_mesh, among_polygons in cases:
        for way in ((start, goal), (goal, start)):
            close(visible([BOX, BLOCK], *way), among_polygons)
            for find in mesh_searches([BOX, BLOCK]).values():
                close(find(*way, 0.0), in_mesh)


def a_straight_angle_is_no_obstacle():
    """Along a wall with a corner in its middle."""
    wall = [(2, 4), (18, 4), (18, 6), (10, 6), (2, 6)]
    close(visible([BOX, wall], (2, 6), (18, 6)), 16.0)
    close(tangents([BOX, wall], 1.0, 900)[1](2, 7, 18, 7), 16.0)


def a_gap_of_two_radii_is_wide_enough():
    """Between corners, right and oblique, walls, and a corner and a wall; 1e-3 less is not."""
    from shared.path.statuses import NO_PATH

    box = [(0, 0), (20, 0), (20, 14), (0, 14)]
    tip, block = [(8, 1), (12, 1), (10, 5)], [(8, 1), (12, 1), (12, 5), (8, 5)]
    high_tip, high_block = [(10, 9), (12, 13), (8, 13)], [(8, 9), (12, 9), (12, 13), (8, 13)]
    for low, high, r in (
        (tip, high_tip, 2.0),
        (tip, [(x + 3, y) for x, y in high_tip], 2.5),
        (block, high_block, 2.0),
        (block, high_tip, 2.0),
        (tip, high_block, 2.0),
    ):
        rings = [box, low, high]
        for radius, is_open in ((r, True), (r + 1e-3, False)):
            length = tangents(rings, radius, 900)[1](4, 7, 16, 7)
            assert (length != NO_PATH) == is_open, (rings, radius)
            for name, find in mesh_searches(rings).items():
                if name != "Polyanya":
                    close(find((4, 7), (16, 7), radius), length)


def a_gap_beside_an_oblique_wall_may_be_as_wide():
    """Two radii from a corner to a wall, whose distance is rounded down."""
    box = [(0, 0), (8, 0), (8, 8), (0, 8)]
    rings = [box, [(7, 3), (7, 6), (4, 7)], [(1, 6), (1, 5), (3, 5)]]
    length = tangents(rings, 1.0, 900)[1](1, 7, 3, 2)
    assert length > 0.0
    for name, find in mesh_searches(rings).items():
        if name != "Polyanya":
            close(find((1, 7), (3, 2), 1.0), length)


def a_half_turn_goes_through_no_wall():
    """A lone point on a wall is a corner, but the wall goes on behind it; the end of a wall is
    turned around.
    """
    from shared.path.statuses import NO_PATH

    box = [(0, 0), (6, 0), (6, 6), (0, 6), (0, 3)]
    block = [(1, 4), (1, 3), (5, 4), (3, 4)]
    among = mesh_searches([box, block, [(1, 4)], [(2, 6)], [(3, 5)], [(5, 0)]])
    around = mesh_searches([BOX, [(0, 5), (10, 5), (0, 5)], [(15, 5)]])
    for name in ("TA*", "TRA*"):
        assert among[name]((1, 5), (4, 1), 1.0) == NO_PATH
        close(around[name]((2, 4), (2, 6), 1.0), 16 + math.pi)


def a_straight_path_grazes_a_corner():
    """Rounded intervals leave the goal out on both sides of the line from start to goal."""
    box = [(-2, -2), (7, -2), (7, 7), (-2, 7)]
    for find in mesh_searches([box, [(4, 3)], [(2, 1), (0, 0)]]).values():
        close(find((-2, -2), (5, 5), 0.0), 7 * math.sqrt(2))


def a_start_in_many_triangles_needs_room():
    """Each triangle around begins a funnel; one more than there is room for is not written."""
    from shared.path.statuses import FULL

    box = [(-90, -90), (90, -90), (90, 90), (-90, 90)]
    angles = [i * math.pi / 12 for i in range(24)]
    around = [[(round(40 * math.cos(t)), round(40 * math.sin(t)))] for t in angles]
    n_full = 0
    for n_nodes in range(1, 400, 7):
        for find in mesh_searches([box, [(0, 0)], *around], n_nodes).values():
            length = find((0, 0), (80, 80), 0.0)
            n_full += length == FULL
            if length != FULL:
                close(length, 80 * math.sqrt(2))
    assert 3 < n_full < 100


def a_ring_of_corridors_ends():
    """A disc that starts on a wall, without room, closes no funnel all around the obstacle."""
    from shared.path.statuses import NO_PATH

    rings = [[(0, 0), (6, 0), (6, 3), (6, 6), (0, 6)], [(3, 4), (4, 1), (5, 2)], [(6, 5)], [(4, 2)]]
    for name, find in mesh_searches(rings).items():
        if name != "Polyanya":
            assert find((4, 3), (1, 6), 1.0) == NO_PATH


def places_without_room_have_no_path():
    """A start or goal nearer than r to a wall, on a corner, in an obstacle or outside of all."""
    from shared.path.statuses import NO_PATH

    find = tangents([BOX, BLOCK], 1.25, 900)[1]
    searches = mesh_searches([BOX, BLOCK])
    for bad in ((9, 3), (0, 0), (10, 5), (8, 6), (19, 9), (30, 5)):
        # Walls alone do not tell that a place is outside.
        itself = (*bad, *bad) if bad[0] <= 20 else (*bad, 2, 5)
        for query in ((*bad, 2, 5), (2, 5, *bad), itself):
            assert find(*query) == NO_PATH
            for name in ("TA*", "TRA*"):
                assert searches[name](query[:2], query[2:], 1.25) == NO_PATH
    for far in (1 << 23, 1 << 40, -(1 << 62)):
        for find in searches.values():
            assert find((far, 5), (2, 5), 0.0) == find((2, 5), (2, far), 0.0) == NO_PATH


def searches_agree_in_random_scenes():
    """A few of those of `python -m tests.lab.paths.degenerate`."""
    from tests.lab.paths.degenerate import check, check_rings

    for seed in range(12):
        assert check(f"case {seed}") == check_rings(f"case {seed}") == []


CASES = (
    full_tangents_answer_nothing_or_the_right_length,
    searches_in_full_buffers_say_so,
    a_full_mesh_stays_full,
    a_lone_point_is_no_wall,
    a_place_on_a_wall_lies_on_all_its_sides,
    a_straight_angle_is_no_obstacle,
    a_gap_of_two_radii_is_wide_enough,
    a_gap_beside_an_oblique_wall_may_be_as_wide,
    a_half_turn_goes_through_no_wall,
    a_straight_path_grazes_a_corner,
    a_start_in_many_triangles_needs_room,
    a_ring_of_corridors_ends,
    places_without_room_have_no_path,
    searches_agree_in_random_scenes,
)


def main():
    """Print {case: its failure, empty if it holds}."""
    failures = {}
    for case in CASES:
        try:
            case()
            failures[case.__name__] = ""
        except Exception:
            failures[case.__name__] = traceback.format_exc()
    print(json.dumps(failures))


if __name__ == "__main__":
    check_buffers()
    main()
