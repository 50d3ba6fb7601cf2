"""`shared/path` against plain oracles and truth files, in one file to be compiled once."""

import itertools
import random

import pytest

from tests.paths import oracles

pytestmark = pytest.mark.slow("compiles the searches on grids")


@pytest.fixture(scope="module")
def on_grids():
    """The searches, compiled at their first use."""
    from tests.paths import on_grids

    return on_grids


@pytest.fixture
def rng():
    return random.Random(7)


def random_cell(rng, rows):
    return rng.randrange(len(rows[0])), rng.randrange(len(rows))


@pytest.mark.exhaustive("compiles more searches", keep=1)
@pytest.mark.parametrize("name", ["mapf", "grid_extra"])
def test_the_truth_file_agrees(name, truth):
    from tests.paths.truth_files import check_file

    report = check_file(truth / f"{name}.json.gz")
    assert (report.mismatches, report.first) == (0, None)
    assert report.cases == {"grid_extra": 1200, "mapf": 168}[name]


def test_all_searches_agree_with_dijkstra_on_random_grids(rng, on_grids):
    from shared.path.grid import cell_at, steps

    for width, height, share in (
        (1, 9, 0.8),
        (30, 2, 0.8),
        (31, 32, 0.6),
        (32, 31, 0.75),
        (65, 40, 0.9),
    ):
        rows = oracles.random_rows(rng, width, height, share)
        searches = on_grids.Searches(rows)
        for _ in range(10):
            start, goal = random_cell(rng, rows), random_cell(rng, rows)
            expected = oracles.distances(rows, start).get(goal, (-1, -1))
            cells = cell_at(searches.grid, *start), cell_at(searches.grid, *goal)
            for name, find in {**searches.optimal(), "field": searches.field}.items():
                found = find(*cells)
                assert steps(found[0]) == expected, name
                assert on_grids.differences(searches, found, start, goal, name) == []
            for name, find in searches.near_optimal().items():
                found = find(*cells)
                assert (found[0] < 0) == (expected[0] < 0), name
                assert on_grids.differences(searches, found, start, goal, name) == []


def test_an_inconsistent_heuristic_stays_optimal(rng, on_grids):
    from shared.core.jit import int_buffer, kernel
    from shared.path import astar, distance_field
    from shared.path.grid import UNREACHED

    searches = on_grids.Searches(oracles.random_rows(rng, 25, 25, 0.8))
    grid, find = searches.grid, kernel(astar.make_astar(astar.tabulated))
    field, queue = distance_field.new_field(grid)
    free = [cell for cell in range(len(grid.moves)) if grid.moves[cell]]
    for start, goal in (rng.sample(free, 2) for _ in range(30)):
        distance_field.fill(grid, field, queue, int_buffer([goal]), 1)
        # Never above the true cost, but far from consistent.
        guesses = [int(rng.choice((0, int(c)))) if c < UNREACHED else 0 for c in field.costs]
        search = searches.search._replace(estimates=int_buffer(guesses))
        cost = find(grid, search, start, goal)
        assert cost == (-1 if field.costs[start] >= UNREACHED else field.costs[start])


@pytest.mark.parametrize("n_moves", [8, 4])
def test_weights_and_four_moves(rng, n_moves):
    from shared.core.jit import kernel
    from shared.path import astar
    from shared.path.astar import cells_of, new_search
    from shared.path.grid import cell_at, new_grid, steps

    rows = oracles.random_rows(rng, 20, 15, 0.8)
    weights = [[free and rng.randrange(1, 6) for free in row] for row in rows]
    grid = new_grid(weights, n_moves == 8)
    search, find = new_search(grid), kernel(astar.make_astar(astar.zero))
    starts = [(x, y) for y, row in enumerate(rows) for x, free in enumerate(row) if free]
    start = rng.choice(starts)
    expected = oracles.distances(rows, start, n_moves, weights)
    for x, y in starts:
        cost = find(grid, search, cell_at(grid, *start), cell_at(grid, x, y))
        assert steps(cost) == expected.get((x, y), (-1, -1))
        cells = cells_of(search)
        walked = sum(
            astar.step_cost(direction_of(grid, a, b)) * int(grid.weights[b])
            for a, b in itertools.pairwise(cells)
        )
        assert walked == max(cost, 0)


def direction_of(grid, cell, other):
    """The direction of the step from a cell to another."""
    from shared.path.grid import N_SIZES

    return [int(offset) for offset in grid.size[N_SIZES:]].index(other - cell)


def test_jump_point_search_makes_room_where_its_open_list_is_full(rng, on_grids):
    """With nine tenths of the room that a search uses if there is plenty."""
    from shared.core.jit import int_buffer

    n_full = 0
    for _ in range(40):
        searches = on_grids.Searches(oracles.random_rows(rng, 60, 60, 0.65))
        free = [cell for cell in range(len(searches.grid.moves)) if searches.grid.moves[cell]]
        ends = rng.sample(free, 2)
        expected = searches.jps(*ends)[0]
        n_taken = sum(1 for entry in searches.jumps.heap[1:] if entry)
        n, beyond = 2 + 9 * n_taken // 10, int_buffer(len(free))
        searches.jumps = searches.jumps._replace(heap=beyond[:n])
        assert [searches.jps(*ends)[0], searches.jps_plus(*ends)[0]] == [expected] * 2
        # Without stale entries there is nothing to drop.
        n_full += n < 1 + n_taken and not beyond[n]
    assert n_full > 5


def test_breadth_first_takes_each_cell_once_and_each_move_once(rng):
    """Theta(V + E): each cell of the component is queued once, and its moves are its edges."""
    from shared.core.jit import int_buffer
    from shared.path import breadth_first
    from shared.path.grid import cell_at, new_grid

    for n_moves in (4, 8):
        rows = oracles.random_rows(rng, 70, 30, 0.8)
        rows[0][0] = True
        grid = new_grid(rows, n_moves == 8)
        steps, wave = breadth_first.new_steps(grid), breadth_first.new_wave(grid)
        start = cell_at(grid, 0, 0)
        n = breadth_first.count_steps(grid, steps, int_buffer([start]), 1, 1 << 40)
        reachable = oracles.distances(rows, (0, 0), n_moves)
        cells = {cell_at(grid, *cell) for cell in reachable}
        assert set(steps.waiting[:n]) == cells and n == len(cells)
        n_edges = sum(1 for cell in reachable for _ in oracles.neighbours(rows, cell, n_moves))
        assert sum(int(grid.moves[cell]).bit_count() for cell in cells) == n_edges
        assert breadth_first.spread_wave(grid, wave, start, 1 << 40, -1) == max(steps.distances)
        within = breadth_first.spread_wave(grid, wave, start, 5, -1)
        reached = {c for c in cells if wave.reached[c >> 5] >> (c & 31) & 1}
        assert within == 5 and reached == {c for c in cells if steps.distances[c] <= 5}


def test_the_nearest_reachable_cell(rng):
    import math

    from shared.path import components
    from shared.path.grid import cell_at, new_grid, position
    from shared.path.statuses import NO_PATH

    rows = oracles.random_rows(rng, 20, 16, 0.55)
    grid = new_grid(rows)
    labels, sets = components.new_components(grid), oracles.components(rows)

    def away(cell, goal):
        dx, dy = abs(cell[0] - goal[0]), abs(cell[1] - goal[1])
        return max(dx, dy) + (math.sqrt(2) - 1) * min(dx, dy)

    for _ in range(60):
        start, goal = random_cell(rng, rows), random_cell(rng, rows)
        cell = components.nearest_reachable(
            grid, labels, cell_at(grid, *start), cell_at(grid, *goal)
        )
        if start not in sets:
            assert cell == NO_PATH
            continue
        near = position(grid, cell)
        least = min(away(other, goal) for other in sets if sets[other] == sets[start])
        assert sets[near] == sets[start] and away(near, goal) == pytest.approx(least)


def test_discs_stop_where_all_pairs_say(rng):
    from shared.path import discs

    for _ in range(150):
        size = rng.choice((4, 10, 25))
        scene = [
            [
                rng.uniform(0, size),
                rng.uniform(0, size),
                rng.uniform(-3, 3),
                rng.uniform(-3, 3),
                rng.uniform(0.05, 0.5),
            ]
            for _ in range(rng.randrange(2, 40))
        ]
        duration = rng.choice((0.3, 1.0, 3.0))
        moving = discs.new_discs(scene)
        discs.move(moving, duration)
        for (x, y), to_x, to_y in zip(oracles.stop_discs(scene, duration), moving.x, moving.y):
            assert abs(x - to_x) <= 1e-9 and abs(y - to_y) <= 1e-9


def test_what_is_no_grid_is_refused():
    from shared.path.grid import cell_at, new_grid
    from shared.path.hpa import new_sectors

    for rows, said in (
        ([], "at least 1"),
        ([[1], [1, 1]], "one length"),
        ([[1] * 5_000_000], "too many"),
    ):
        with pytest.raises(ValueError, match=said):
            new_grid(rows)
    with pytest.raises(ValueError, match="not on the grid of 1 x 1"):
        cell_at(new_grid([[True]]), 1, 0)
    with pytest.raises(ValueError, match="2 or more"):
        new_sectors(new_grid([[True]]), 1)


def test_agents_without_a_plan(rng):
    """Two cannot pass each other in a corridor; two must not share a goal."""
    from shared.path import multi_agent
    from shared.path.grid import new_grid

    corridor = new_grid([[True] * 6], diagonals=False)
    planners = (
        lambda crowd: multi_agent.plan_optimal(crowd, 300),
        multi_agent.plan_prioritized,
        multi_agent.plan_windowed,
    )
    for starts, goals in (
        ([(0, 0), (5, 0)], [(5, 0), (0, 0)]),
        ([(0, 0), (1, 0)], [(3, 0), (3, 0)]),
    ):
        for planner in planners:
            assert planner(multi_agent.Crowd(corridor, starts, goals)) is None
    with pytest.raises(ValueError, match="2 starts, but 1 goals"):
        multi_agent.Crowd(corridor, [(0, 0), (1, 0)], [(2, 0)])
