"""Triangulations and paths among polygons by `shared/mesh`, and their faults."""

import hashlib
import json
import math

from shared.core.jit import float_buffer
from shared.mesh import polyanya
from shared.mesh.constraints import insert_ring, remove_chain
from shared.mesh.fallback import search_all_tangents
from shared.mesh.funnel import BEST, new_funnel_search
from shared.mesh.reduction import find_degrees, new_reduction
from shared.mesh.ta_star import begin_search, continue_search, write_path
from shared.mesh.triangulation import N_VERTICES, new_mesh
from shared.path.statuses import FOUND, FULL, INCONCLUSIVE, NO_PATH
from tests.paths.triangulations import faces, read_mesh

EXACT = 1e-6  # relative tolerance of a length
ERROR = 3e-5
TOLERANCE = 0.01


def mesh_of(rings):
    """The triangulation of some polygons."""
    places = [place for ring in rings for place in ring]
    low, high = ([pick(p[k] for p in places) for k in range(2)] for pick in (min, max))
    mesh = new_mesh(len(places) + 8, (*low, *high))
    assert FULL not in [insert_ring(mesh, ring) for ring in rings]
    return mesh


def sha1(value):
    return hashlib.sha1(json.dumps(value, separators=(",", ":")).encode()).hexdigest()


def check_triangulations(content, every):
    """Yields (case, checks, differences) of the static ones and of each step of the sequences of
    `cdt`.
    """
    for case in content["static"][::every]:
        points = [tuple(point) for point in case["points"]]
        mesh = new_mesh(2 * len(points) + len(case["constraints"]))
        for point in points:
            insert_ring(mesh, [point])
        for i, j in case["constraints"]:
            insert_ring(mesh, [points[i], points[j]], False)
        triangles, fixed = read_mesh(mesh)
        stated = sorted(
            min(tuple(ring[i:] + ring[:i]) for i in range(len(ring)))
            for ring in ([points[i] for i in face] for face in case["faces"])
        )
        wrong = [] if faces(triangles, fixed) == stated else ["other faces"]
        if {frozenset((points[i], points[j])) for i, j in case["subsegments"]} != fixed:
            wrong.append("other constraints")
        if len(triangles) != case["triangles"]:
            wrong.append(f"{len(triangles)} triangles, stated {case['triangles']}")
        yield case["name"], 3, wrong
    for number, sequence in enumerate(content["sequences"][::every]):
        mesh, chains = new_mesh(1000), {}
        for i, (change, state) in enumerate(zip(sequence["ops"], sequence["steps"])):
            if change[0] == "+":
                chains[change[1]] = insert_ring(mesh, change[3], bool(change[2]))
            else:
                remove_chain(mesh, chains.pop(change[1]))
            triangles, fixed = read_mesh(mesh)
            edges = sorted([*min(edge), *max(edge)] for edge in fixed)
            mine = [sha1(faces(triangles, fixed)), sha1(edges)]
            mine += [len(triangles), int(mesh.counts[N_VERTICES])]
            names = ("faces_sha1", "edges_sha1", "triangles", "points")
            wrong = [f"other {name}" for name, value in zip(names, mine) if state[name] != value]
            yield f"sequence {number} ({sequence['kind']}), change {i}", len(names), wrong


class Map:
    """A map of rings with the searches on it."""

    def __init__(self, rings):
        self.rings = rings
        self.mesh = mesh_of(rings)
        self.reduction = new_reduction(self.mesh)
        find_degrees(self.mesh, self.reduction)
        self.kept = self.mesh, self.reduction, *new_funnel_search(self.mesh)
        self.polyanya = polyanya.new_polyanya(self.mesh)
        self.points = float_buffer(4000)

    def length(self, places, r, is_reduced):
        """The length of the path that TRA*, or else TA*, proves shortest."""
        begin_search(*self.kept, *places, r, is_reduced)
        status = continue_search(*self.kept, 1 << 40)
        if status == INCONCLUSIVE:
            mesh, _, search, heap = self.kept
            status = search_all_tangents(mesh, search, heap, 1 << 40)
        assert status in (FOUND, NO_PATH)
        length = float(self.kept[2].place[BEST])
        assert (status == FOUND) == (length < math.inf)
        return length

    def polyline(self, places):
        """The last path found, as a polyline."""
        search = self.kept[2]
        n = write_path(self.mesh, search, ERROR * search.place[BEST], self.points)
        inner = [(float(self.points[2 * i]), float(self.points[2 * i + 1])) for i in range(n)]
        return [places[:2], *inner, places[2:]]

    def differences(self, places, r, stated):
        """Yields the faults of the answers to a query."""
        wrong = []
        if r == 0.0:
            mine = polyanya.find(self.mesh, *self.polyanya, *places)
            mine = math.inf if mine == NO_PATH else mine
            if mine != stated and not math.isclose(mine, stated, rel_tol=EXACT):
                wrong.append(f"Polyanya has length {mine}, stated {stated}")
        for name, is_reduced in (("TA*", False), ("TRA*", True)):
            mine = self.length(places, r, is_reduced)
            if mine != stated and not math.isclose(mine, stated, rel_tol=EXACT):
                wrong.append(f"{name} has length {mine}, stated {stated}")
            if mine < math.inf:
                line = self.polyline(places)
                long = sum(map(math.dist, line, line[1:]))
                room = clearance(self.rings, line) if r > 0.0 else 0.0
                if not mine * (1.0 - EXACT) <= long <= mine * (1.0 + 2.0 * ERROR):
                    wrong.append(f"{name}'s polyline has length {long}, its path {mine}")
                if room < r - TOLERANCE:
                    wrong.append(f"{name}'s polyline comes as near as {room}, not {r}")
        return wrong


def clearance(rings, line):
    """The least distance of a polyline from the rings' edges; it crosses none if this is above
    0.
    """
    import numpy as np

    ends = np.array([[*a, *b] for ring in rings for a, b in zip(ring, ring[1:] + ring[:1])], float)
    a, b, nearest = ends[:, :2], ends[:, 2:], math.inf

    def apart(p, a, b):
        d = b - a
        part = np.clip(((p - a) * d).sum(-1) / np.maximum((d * d).sum(-1), 1e-300), 0.0, 1.0)
        return np.sqrt(((a + part[..., None] * d - p) ** 2).sum(-1)).min()

    def side(a, b, p):
        return (b[..., 0] - a[..., 0]) * (p[..., 1] - a[..., 1]) - (b[..., 1] - a[..., 1]) * (
            p[..., 0] - a[..., 0]
        )

    for p, q in zip(np.array(line, float), np.array(line[1:], float)):
        crosses = (side(p, q, a) * side(p, q, b) < 0) & (side(a, b, p) * side(a, b, q) < 0)
        if crosses.any():
            return 0.0
        nearest = min(nearest, apart(p, a, b), apart(q, a, b), apart(a, p, q), apart(b, p, q))
    return nearest


def asked(queries, number, every):
    """Returns [(its number, query)] of every so many queries, counted from behind a number."""
    return [(i, one) for i, one in enumerate(queries, number + 1) if i % every == 0]


def check_points(content, every):
    """Yields (case, checks, differences) of each query of `navmesh_paths`."""
    number = 0
    for case in content["maps"]:
        chosen = asked(case["queries"], number, every)
        number += len(case["queries"])
        world = Map(case["rings"]) if chosen else None
        for i, (*places, stated, _) in chosen:
            name = f"query {i} on {case['name']}"
            yield name, 3, world.differences(tuple(places), 0.0, stated)


def check_discs(content, every):
    """Yields (case, checks, differences) of each query of `radius_paths`."""
    number = 0
    for case in content["maps"]:
        chosen = asked(case["queries"], number, every)
        number += len(case["queries"])
        world = Map(case["rings"]) if chosen else None
        for i, query in chosen:
            stated = math.inf if query["length"] is None else query["length"]
            places = (*query["start"], *query["goal"])
            name = f"query {i} on {case['name']}, radius {query['r']}"
            yield name, 4, world.differences(places, float(query["r"]), stated)
