"""Grids that change: after each change the buffers beside a grid equal new ones."""

import itertools
import random

import pytest

from tests.paths import oracles


@pytest.fixture
def rng():
    return random.Random(7)


def random_cell(rng, rows):
    return rng.randrange(len(rows[0])), rng.randrange(len(rows))


@pytest.mark.slow("compiles the components of grids")
def test_components_are_right_after_every_change(rng):
    from shared.path import components
    from shared.path.grid import cell_at, new_grid

    for width, height, share in ((1, 1, 0.5), (6, 5, 0.5), (33, 20, 0.65)):
        rows = oracles.random_rows(rng, width, height, share)
        grid = new_grid(rows)
        labels = components.new_components(grid)
        components.label_components(grid, labels)
        for _ in range(60):
            cell = x, y = random_cell(rng, rows)
            rows[y][x] = rng.random() < share
            components.change(grid, labels, cell_at(grid, x, y), rows[y][x])
            sets = oracles.components(rows)
            for other in (random_cell(rng, rows) for _ in range(10)):
                places = cell_at(grid, *cell), cell_at(grid, *other)
                connected = components.are_connected(labels, *places)
                assert connected == (cell in sets and sets[cell] == sets.get(other))


@pytest.mark.slow("compiles the distance field once more")
def test_a_field_that_much_has_changed_in_is_filled_again(rng):
    from shared.core.jit import int_buffer
    from shared.path import distance_field
    from shared.path.grid import new_grid, set_free

    grid = new_grid(oracles.random_rows(rng, 70, 70, 0.8))
    field, queue = distance_field.new_field(grid)
    free = [cell for cell in range(len(grid.moves)) if grid.moves[cell]]
    goals = int_buffer(rng.sample(free, 3))
    whole = distance_field.fill(grid, field, queue, goals, 3)
    n_looked = []
    for n in (1, 30, 300):
        cells = rng.sample(sorted(set(free) - set(map(int, goals))), n)
        for is_free in (False, True):
            for cell in cells:
                set_free(grid, cell, is_free)
            n_looked.append(distance_field.repair(grid, field, queue, int_buffer(cells), n))
            repaired = list(field.costs)
            distance_field.fill(grid, field, queue, goals, 3)
            assert repaired == list(field.costs)
    assert n_looked[0] < whole / 3 and max(n_looked) < 3 * whole


@pytest.mark.slow("compiles two kernels more")
def test_bits_read_again_forget_what_was_free(rng):
    """Cells are blocked one by one without `jps.change`, as other code of a bot might do."""
    from shared.path import breadth_first, jps
    from shared.path.grid import new_grid, set_free

    grid = new_grid(oracles.random_rows(rng, 40, 70, 0.8))
    bits, wave = jps.new_bits(grid), breadth_first.new_wave(grid)
    for cell in [cell for cell in range(len(grid.moves)) if grid.moves[cell]][::3]:
        set_free(grid, cell, False)
    jps.read_bits(grid, bits)
    breadth_first.read_free(grid, wave)
    assert list(bits) == list(jps.new_bits(grid))
    assert list(wave.free) == list(breadth_first.new_wave(grid).free)


@pytest.mark.slow("compiles searches more")
@pytest.mark.exhaustive("other grids", keep=1)
@pytest.mark.parametrize(("n_moves", "heaviest"), [(8, 255), (8, 1), (4, 3)])
def test_a_walker_has_a_shortest_way_after_every_change(rng, n_moves, heaviest):
    """D* Lite: cells change, including its own and its goal's, and it walks on, or is moved
    elsewhere.
    """
    from shared.core.jit import int_buffer
    from shared.path import d_star_lite
    from shared.path.grid import cell_at, new_grid, position, read_moves, steps
    from shared.path.statuses import NO_PATH

    for width, height, share in ((1, 1, 0.7), (9, 1, 0.9), (12, 10, 0.75), (31, 20, 0.8)):
        rows = oracles.random_rows(rng, width, height, share)
        weights = [[free * rng.randrange(1, heaviest + 1) for free in row] for row in rows]
        grid = new_grid(weights, n_moves == 8)
        walk = d_star_lite.new_walk(grid)
        for _ in range(3):
            start, goal = random_cell(rng, rows), random_cell(rng, rows)
            cost = d_star_lite.plan(grid, walk, cell_at(grid, *start), cell_at(grid, *goal))
            for _ in range(15):
                reached = oracles.distances(weights, start, n_moves, weights)
                assert steps(cost) == reached.get(goal, (-1, -1))
                cell = cell_at(grid, *start)
                if cost == NO_PATH:
                    start = random_cell(rng, rows)
                    assert d_star_lite.next_cell(grid, walk, cell) in (NO_PATH, cell)
                for _ in range(rng.randrange(3) if cost > 0 else 0):
                    cell = d_star_lite.next_cell(grid, walk, cell)
                    start = position(grid, cell)
                changed = [random_cell(rng, rows) for _ in range(rng.choice((0, 1, 1, 9)))]
                for x, y in changed:
                    weights[y][x] = rng.randrange(1, heaviest + 1) if rng.random() < share else 0
                    grid.weights[cell_at(grid, x, y)] = weights[y][x]
                read_moves(grid)
                cells = int_buffer([cell_at(grid, *cell) for cell in changed] or 1)
                cost = d_star_lite.replan(grid, walk, cell_at(grid, *start), cells, len(changed))
            # Follow its steps to the goal; their cost is the stated one.
            cell, walked = cell_at(grid, *start), [start]
            while cost != NO_PATH and walked[-1] != goal:
                cell = d_star_lite.next_cell(grid, walk, cell)
                walked.append(position(grid, cell))
            counts = [0, 0]
            for before, after in itertools.pairwise(walked):
                around = {c: (s, d) for c, s, d in oracles.neighbours(weights, before, n_moves)}
                for i in range(2):
                    counts[i] += around[after][i] * weights[after[1]][after[0]]
            assert cost == NO_PATH or tuple(counts) == steps(cost)
