"""Wayfinder: a line for each search for paths of discs and points among polygons."""

from random import Random

from shared.core.jit import float_buffer
from shared.games.wayfinder.maps import new_map
from shared.mesh import decomposition, tangent_graph, visibility_graph
from shared.mesh.walls import is_free_segment, new_walls
from tests.parity.digests import digest

RADII = (1.0, 120.0)
N_QUERIES = 5


def queries(rng):
    """Returns random places, some of them too narrow for any disc."""
    return [tuple(float(rng.randrange(10_000)) for _ in range(4)) for _ in range(N_QUERIES)]


def trace():
    for kind in ("rooms", "blobs"):
        rng = Random(4)
        walls = new_walls(new_map(kind, rng))
        asked, n = queries(rng), len(walls.x)
        bends, graph, route, queue = tangent_graph.new_tangents(n, 60 * n)
        points, found = float_buffer(400), []
        for r in RADII:
            tangent_graph.build(walls, bends, graph, r)
            n_touches = int(graph.counts[tangent_graph.N_TOUCHES])
            found += [n_touches, *graph.x[:n_touches], *graph.turn[:n_touches]]
            for places in asked:
                free = is_free_segment(walls, *places[:2], *places[:2], r)
                length = (
                    tangent_graph.find(walls, bends, graph, route, queue, r, *places)
                    if free
                    else 0.0
                )
                n_points = tangent_graph.write_path(walls, bends, graph, route, r, 1.0, points)
                found += [length, *points[: 2 * n_points]]
        yield f"wayfinder tangents, {kind}", digest(found)

        sights, queue = visibility_graph.new_visibility(n, n * n)
        visibility_graph.build(walls, sights)
        lengths = [visibility_graph.find(walls, sights, queue, *places) for places in asked]
        yield f"wayfinder visibility, {kind}", digest(
            sights.lengths[: sights.counts[visibility_graph.N_EDGES]], lengths
        )

        pieces, ways, queue = decomposition.new_pieces(n)
        decomposition.decompose(walls, pieces)
        lengths = [
            decomposition.find(walls, pieces, ways, queue, r, *places)
            for r in RADII
            for places in asked
        ]
        yield f"wayfinder decomposition, {kind}", digest(pieces.bottom, pieces.top, lengths)
