"""Hashes of changing triangulations, and of paths in them: the same compiled and plain.

`python -m tests.paths.mesh_trace` prints one line each. In plain Python every buffer refuses an
index beyond it.
"""

from random import Random

from tests.parity.digests import digest, tell


def trace():
    """Yields (name, hash) of each."""
    # Not before `check_buffers`.
    from shared.core.jit import float_buffer, int_buffer
    from shared.games.wayfinder.maps import new_map
    from shared.mesh import polyanya
    from shared.mesh.constraints import insert_ring, remove_chain
    from shared.mesh.fallback import search_all_tangents
    from shared.mesh.funnel import BEST, new_funnel_search
    from shared.mesh.inflation import SCALE, inflate_walls
    from shared.mesh.location import locate, locate_by_sampling
    from shared.mesh.location_tree import build, locate_by_tree, new_location_tree
    from shared.mesh.reduction import find_degrees, new_reduction
    from shared.mesh.ta_star import begin_search, continue_search, write_path
    from shared.mesh.triangulation import TRIANGLE_END, clear_mesh, new_mesh
    from shared.mesh.walls import new_walls
    from shared.path.statuses import INCONCLUSIVE

    for kind in ("scatter", "maze"):
        rng, rings = Random(7), new_map(kind, Random(7))
        mesh = new_mesh(2000)
        chains = []
        for ring in rings:
            chains.append(insert_ring(mesh, ring))
        for chain in chains[1::3]:
            remove_chain(mesh, chain)
        # They cross each other, and the present segments.
        for _ in range(20):
            ends = [(rng.randrange(10_000), rng.randrange(10_000)) for _ in range(2)]
            chains.append(insert_ring(mesh, ends, False))
        for chain in chains[-20::2]:
            remove_chain(mesh, chain)
        n = int(mesh.counts[TRIANGLE_END])
        yield f"mesh, {kind}", digest(mesh.corners[:n], mesh.twins[:n], mesh.owners[:n])

        reduction, found, points = new_reduction(mesh), [], float_buffer(400)
        find_degrees(mesh, reduction)
        kept = mesh, reduction, *new_funnel_search(mesh)
        search, queue = polyanya.new_polyanya(mesh)
        for i in range(24):
            places = [rng.randrange(10_000) for _ in range(4)]
            if i % 4 == 0:
                places[:2] = rng.choice(rng.choice(rings))
            r = (0.0, 30.0, 200.0)[i % 3]
            begin_search(*kept, *places, r, i % 2 == 0)
            found += [continue_search(*kept, 500), float(kept[2].place[BEST])]
            if found[-2] == INCONCLUSIVE:
                found += [search_all_tangents(mesh, *kept[2:], 5), float(kept[2].place[BEST])]
            n_points = write_path(mesh, kept[2], 0.1, points)
            found += [n_points, *points[: 2 * max(n_points, 0)]]
            found += [locate(mesh, *places[:2]), locate_by_sampling(mesh, 5, *places[:2])]
            found.append(polyanya.find(mesh, search, queue, *places))
        yield f"mesh paths, {kind}", digest([float(x) for x in found])

        tree = new_location_tree(mesh)
        found = [build(mesh, tree)]
        for _ in range(200):
            place = rng.randrange(-99, 10_099), rng.randrange(-99, 10_099)
            found += [locate_by_tree(mesh, tree, *place), locate(mesh, *place)]
        yield f"location, {kind}", digest([float(x) for x in found])

    # The same buffers, for points among inflated walls
    walls, found = new_walls(rings), []
    xs, ys = int_buffer(2), int_buffer(2)
    clear_mesh(mesh)
    found.append(inflate_walls(mesh, walls, 200.0, 0.3, points, xs, ys, 0, len(walls.x)))
    n = int(mesh.counts[TRIANGLE_END])
    found += [*mesh.corners[:n], *mesh.owners[:n]]
    for _ in range(8):
        places = [SCALE * rng.randrange(10_000) for _ in range(4)]
        found.append(polyanya.find(mesh, search, queue, *places))
        n_points = polyanya.write_path(mesh, search, points)
        found += [n_points, *points[: 2 * max(n_points, 0)]]
    yield "inflated walls", digest([float(x) for x in found])


if __name__ == "__main__":
    tell(trace)
