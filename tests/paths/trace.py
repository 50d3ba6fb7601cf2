"""Hashes of the results of `shared/path`'s kernels on small grids: the same compiled and plain.

`python -m tests.paths.trace` prints a line a kernel. In plain Python every buffer refuses an index
beyond it.
"""

from random import Random

from tests.parity.digests import digest, digest_whole, tell
from tests.paths.oracles import random_rows


def trace():
    """Yields (name, hash) of each kernel."""
    # Not before `check_buffers`.
    from shared.core.jit import int_buffer, kernel
    from shared.path import (
        any_angle,
        breadth_first,
        clearance,
        components,
        d_star_lite,
        discs,
        distance_field,
        graph,
        hpa,
        multi_agent,
    )
    from shared.path.astar import make_astar, new_search, tabulated
    from shared.path.grid import cell_at, new_grid, set_free
    from tests.paths.on_grids import Searches

    rng = Random(4)
    for width, height, share in ((1, 1, 1.0), (31, 9, 0.7), (40, 33, 0.75), (64, 20, 0.9)):
        rows = random_rows(rng, width, height, share)
        searches = Searches(rows)
        grid = searches.grid
        pairs = [
            [cell_at(grid, rng.randrange(width), rng.randrange(height)) for _ in range(2)]
            for _ in range(8)
        ]
        for name, find in {**searches.optimal(), **searches.near_optimal()}.items():
            found = [find(*pair) for pair in pairs]
            yield f"{name} {width}x{height}", digest_whole(
                *[[cost, *cells] for cost, cells in found]
            )
        label = components.new_components(grid)
        field, queue = distance_field.new_field(grid)
        around, route, heap = searches.sectors
        goals = int_buffer(pairs[0])
        distance_field.fill(grid, field, queue, goals, 2)
        for pair in pairs[1:5]:
            free = rng.random() < 0.5
            components.change(grid, label, pair[0], free)
            hpa.change(grid, around, pair[0], free)
            distance_field.repair(grid, field, queue, int_buffer(pair), 1)
            set_free(grid, pair[1], not free)
            components.label_components(grid, label)
            last = cell_at(grid, width - 1, height - 1)
            hpa.change(grid, around, last, free)
            distance_field.repair(grid, field, queue, int_buffer([last]), 1)
        walk = d_star_lite.new_walk(grid)
        costs = [d_star_lite.plan(grid, walk, *pairs[4])]
        for cell, _ in pairs:
            set_free(grid, cell, rng.random() < share)
            costs.append(d_star_lite.replan(grid, walk, pairs[4][0], int_buffer([cell]), 1))
            costs.append(d_star_lite.next_cell(grid, walk, pairs[4][0]))
        components.label_components(grid, label)
        yield f"D* Lite {width}x{height}", digest_whole(costs, walk.nodes, walk.counts)
        nearest = components.nearest_reachable(grid, label, *pairs[5])
        yield f"changes {width}x{height}", digest_whole(label.labels, field.costs, [nearest])
        distance_field.fill(grid, field, queue, goals, 2)
        hpa.find_entrances(grid, around)
        cost = hpa.find(grid, around, route, heap, *pairs[6], 2, False)
        steps, wave = breadth_first.new_steps(grid), breadth_first.new_wave(grid)
        n = breadth_first.count_steps(grid, steps, goals, 2, 1 << 40)
        last = breadth_first.spread_wave(grid, wave, pairs[0][0], 5, -1)
        yield f"steps {width}x{height}", digest_whole(
            [cost, n, last], steps.distances, steps.waiting, wave.reached
        )
    rows = [[free * rng.randrange(1, 9) for free in row] for row in random_rows(rng, 20, 20, 0.8)]
    weighted = new_grid(rows, diagonals=False)
    estimates = int_buffer([rng.randrange(1 << 20) for _ in weighted.weights])
    search = new_search(weighted)._replace(estimates=estimates)
    find = kernel(make_astar(tabulated))
    free = [cell for cell in range(len(estimates)) if weighted.moves[cell]]
    costs = [find(weighted, search, free[0], goal) for goal in (free[-1], free[1])]
    yield "A* with re-opening", digest_whole(costs, search.records, search.counts)

    unit_grid = clearance.new_unit_grid(weighted, clearance.new_clearances(weighted), 2)
    yield "units", digest_whole(unit_grid.weights, unit_grid.moves)
    free = [cell for cell in free if grid.moves[cell]]
    search, bends = any_angle.new_any_angle(grid), int_buffer(len(grid.moves))
    lengths = [any_angle.find(grid, search, cell, free[-1]) for cell in free[:9]]
    path = [int(cell) for cell in search.path]
    n = any_angle.pull_string(grid, int_buffer(free), len(free), bends)
    yield "any angle", digest(lengths, path, bends[:n])

    cells = [(x, y) for y in range(6) for x in range(6)]
    open_field = new_grid([[True] * 6] * 6)
    everyone = multi_agent.Crowd(open_field, cells[:4], cells[:-5:-1], bits=14)
    planners = (
        multi_agent.plan_optimal,
        multi_agent.plan_prioritized,
        multi_agent.plan_windowed,
        lambda crowd: multi_agent.plan_jointly(crowd, 5000)[1],
    )
    for planner in planners:
        plan = planner(everyone)
        yield planner.__name__, digest_whole(*[cell for path in plan for cell in path])

    edges = [(rng.randrange(30), rng.randrange(30), rng.randrange(50)) for _ in range(150)]
    roads, flow = graph.new_flow(30, edges, both_ways=True)
    (search, queue), (back, back_queue) = graph.new_search(roads), graph.new_search(roads)
    costs, following = int_buffer(900), int_buffer(900)
    graph.find_all_pairs(roads, costs, following)
    found = [
        graph.find_flow(roads, flow, 0, 29),
        graph.find_from_both_ends(roads, roads, search, queue, back, back_queue, 0, 29),
        graph.find(roads, search, queue, 0, 29),
        graph.count_steps(roads, search, int_buffer([3]), 1, 2),
    ]
    graph.fill_costs(roads, search, queue, int_buffer([1, 2]), 2)
    yield "graphs", digest_whole(found, costs, following, flow.rests, search.costs, search.parents)

    scene = [[rng.uniform(-5, 5) for _ in range(4)] + [rng.uniform(0, 0.5)] for _ in range(40)]
    moving = discs.new_discs(scene)
    discs.move(moving, 1.0)
    yield "discs", digest(moving.x, moving.y, moving.stopped)


if __name__ == "__main__":
    tell(trace)
