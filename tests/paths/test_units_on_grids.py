"""Units larger than a cell, paths of any angle and height fields, against plain oracles."""

import functools
import itertools
import math
import random

import pytest

from shared.core.jit import int_buffer, kernel
from shared.path import any_angle, astar, clearance
from shared.path.grid import cell_at, length, new_grid, position
from shared.path.heights import weights_of_heights
from tests.paths import oracles

ALL_MOVES = oracles.STRAIGHT + oracles.DIAGONAL


def cheapest(start, edges):
    """Returns {place: cost} of the cheapest paths from a start; edges(place) yields (other,
    cost).
    """
    best, waiting = {}, {start: 0.0}
    while waiting:
        place = min(waiting, key=waiting.get)
        best[place] = waiting.pop(place)
        for other, cost in edges(place):
            if other not in best:
                waiting[other] = min(best[place] + cost, waiting.get(other, math.inf))
    return best


@pytest.mark.slow("compiles A*")
@pytest.mark.parametrize("k", [1, 2, 3])
def test_a_unit_walks_where_each_of_its_cells_can(k):
    rng, find = random.Random(k), kernel(astar.make_astar())
    rows = oracles.random_rows(rng, 14, 11, 0.93)
    weights = [[free and rng.randrange(1, 6) for free in row] for row in rows]
    grid = new_grid(weights)
    unit_grid = clearance.new_unit_grid(grid, clearance.new_clearances(grid), k)
    search = astar.new_search(unit_grid)

    def covered(place):
        return [(place[0] + dx, place[1] + dy) for dy in range(k) for dx in range(k)]

    def edges(place):
        for dx, dy in ALL_MOVES:
            other = place[0] + dx, place[1] + dy
            walks = zip(covered(place), covered(other))
            if all(b in [to for to, *_ in oracles.neighbours(rows, a)] for a, b in walks):
                yield other, math.hypot(dx, dy) * max(weights[y][x] for x, y in covered(other))

    places = [(x, y) for y in range(len(rows) - k + 1) for x in range(len(rows[0]) - k + 1)]
    fits = [place for place in places if all(rows[y][x] for x, y in covered(place))]
    best = cheapest(fits[0], edges)
    assert len(best) > 20
    for place in places:
        assert bool(unit_grid.weights[cell_at(grid, *place)]) == (place in fits)
        cost = find(unit_grid, search, cell_at(grid, *fits[0]), cell_at(grid, *place))
        assert length(cost) == pytest.approx(best.get(place, math.inf))
    with pytest.raises(ValueError, match="1 x 1 cells or more"):
        clearance.new_unit_grid(grid, clearance.new_clearances(grid), 0)


def are_in_view(blocked, a, b):
    """Returns True if the line between two middles touches no blocked square, in whole numbers."""
    (ax, ay), (bx, by) = a, b
    for x, y in blocked:
        if (
            min(ax, bx) <= x + 0.5
            and x - 0.5 <= max(ax, bx)
            and (min(ay, by) <= y + 0.5 and y - 0.5 <= max(ay, by))
        ):
            corners = [(2 * (x - ax) + dx, 2 * (y - ay) + dy) for dx in (-1, 1) for dy in (-1, 1)]
            sides = [(bx - ax) * dy - (by - ay) * dx for dx, dy in corners]
            if min(sides) <= 0 <= max(sides):
                return False
    return True


@pytest.mark.slow("compiles two searches")
@pytest.mark.parametrize(("share", "most"), [(0.6, 0.07), (0.8, 0.01), (0.95, 0.003)])
def test_paths_of_any_angle_are_in_view_and_short(share, most):
    rng = random.Random(share)
    rows = oracles.random_rows(rng, 11, 8, share)
    grid, octile = new_grid(rows), kernel(astar.make_astar())
    search, bends = any_angle.new_any_angle(grid), int_buffer(len(grid.moves))
    free = [(x, y) for y, row in enumerate(rows) for x, is_free in enumerate(row) if is_free]
    cells = itertools.product(range(11), range(8))
    blocked = [(x, y) for x, y in cells if not rows[y][x]]
    view = functools.cache(functools.partial(are_in_view, blocked))
    for a, b in itertools.product(free, free):
        assert any_angle.is_visible(grid, cell_at(grid, *a), cell_at(grid, *b)) == view(a, b)

    def measure(cells):
        """Returns the length of a path whose legs are in view."""
        legs = list(itertools.pairwise(position(grid, cell) for cell in cells))
        assert all(view(a, b) for a, b in legs)
        return sum(math.dist(a, b) for a, b in legs)

    excess = []
    for start in rng.sample(free, 5):
        best = cheapest(start, lambda a: [(b, math.dist(a, b)) for b in free if view(a, b)])
        for goal in free:
            ends = cell_at(grid, *start), cell_at(grid, *goal)
            steps, path = length(octile(grid, search, *ends)), astar.cells_of(search)
            found = any_angle.find(grid, search, *ends)
            cells = astar.cells_of(search)
            assert (found < 0) == (goal not in best) == (not cells)
            if found >= 0:
                assert (cells[0], cells[-1]) == ends
                assert measure(cells) == pytest.approx(found)
                assert best[goal] - 1e-9 <= found <= steps + 1e-9
                excess.append(found / best[goal] - 1 if found else 0)
                n = any_angle.pull_string(grid, int_buffer(path), len(path), bends)
                pulled = measure(bends[:n])
                assert best[goal] - 1e-9 <= pulled <= steps + 1e-9
    assert sum(excess) / len(excess) < most
    with pytest.raises(ValueError, match="weigh 1"):
        any_angle.new_any_angle(new_grid([[1, 2]]))


def test_slopes_block_cells_and_make_them_heavy():
    cliff = [[0, 0, 0], [0, 0, 0], [9, 9, 9], [9, 9, 9]]
    assert weights_of_heights(cliff, 1.0) == [[1, 1], [0, 0], [1, 1]]
    hill = [[0, 0, 0, 0], [0, 0.5, 1, 2]]
    assert weights_of_heights(hill, 1.0, 9) == [[5, 9, 0]]
    # Across, a rise of 1 is over a distance of sqrt 2.
    assert weights_of_heights([[0, 0.5], [0.5, 1]], 0.71, 255) == [[1 + int(254 / 0.71 / 2**0.5)]]
    assert weights_of_heights([[0, 0], [0, 0]], 0.0, 5) == [[1]]
    for heights, steepest, heaviest, said in (
        ([[0, 0]], 1, 1, "2 rows or more"),
        ([[0, 0], [0]], 1, 1, "2 rows or more"),
        ([[0, 0], [0, math.nan]], 1, 1, "finite"),
        ([[0, 0], [0, 0]], -1, 1, "steepest is 0 or more"),
        ([[0, 0], [0, 0]], 1, 256, "heaviest 1 to 255"),
    ):
        with pytest.raises(ValueError, match=said):
            weights_of_heights(heights, steepest, heaviest)
