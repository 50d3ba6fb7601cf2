"""`shared/path` with degenerate input, or input outside a function's purpose."""

import math

import pytest

from tests.conftest import run_plain


@pytest.mark.parametrize(
    ("cell", "said"), [(256, "256"), (-1, "-1"), (0.5, "0.5"), (math.nan, "nan"), ("#", "'#'")]
)
def test_a_weight_that_is_none_is_named(cell, said):
    from shared.path.grid import new_grid

    with pytest.raises(ValueError, match="whole numbers from 0 to 255") as error:
        new_grid([[1, 2], [3, cell]])
    assert said in str(error.value)


def test_whole_weights_of_any_type_are_taken():
    import numpy as np

    from shared.path.grid import cell_at, new_grid

    for rows in (
        [[1.0, 0.0, 255.0]],
        np.array([[1, 0, 255]], np.uint8),
        np.array([[1, 0, 255]], np.float32),
        [(np.int64(n) for n in (1, 0, 255))],
    ):
        grid = new_grid(rows)
        assert [int(grid.weights[cell_at(grid, x, 0)]) for x in range(3)] == [1, 0, 255]
    digits = new_grid(["102", "010"])
    assert [int(digits.weights[cell_at(digits, x, 0)]) for x in range(3)] == [1, 0, 2]
    grid = new_grid(np.array([[True, False]]))
    assert [int(grid.weights[cell_at(grid, x, 0)]) for x in range(2)] == [1, 0]


@pytest.mark.slow("compiles all searches on grids")
def test_searches_for_steps_of_weight_1_refuse_other_weights():
    from shared.path import hpa, jps, pra
    from shared.path.grid import new_grid

    weighted, straight = new_grid([[1, 2]]), new_grid([[1, 1]], diagonals=False)
    for make in (jps.new_bits, jps.new_table, hpa.new_sectors, pra.new_cliques):
        with pytest.raises(ValueError, match="weigh 1"):
            make(weighted)
    for make in (jps.new_bits, jps.new_table):
        with pytest.raises(ValueError, match="diagonals"):
            make(straight)


@pytest.mark.exhaustive("fills a grid of the largest size")
def test_a_field_of_heavy_cells_reaches_as_far_as_a_grid_goes():
    """200,000 cells of the greatest weight in a row."""
    from shared.core.jit import int_buffer
    from shared.path import astar, distance_field
    from shared.path.astar import new_search
    from shared.path.grid import UNREACHED, cell_at, new_grid
    from tests.paths.on_grids import FIND

    n = 200_000
    grid = new_grid([[255] * n])
    field, queue = distance_field.new_field(grid)
    first, last = cell_at(grid, 0, 0), cell_at(grid, n - 1, 0)
    assert distance_field.fill(grid, field, queue, int_buffer([last]), 1) == n
    expected = (n - 1) * 255 * astar.STRAIGHT
    assert field.costs[first] == expected < UNREACHED
    assert FIND(grid, new_search(grid), first, last) == expected


@pytest.mark.parametrize(
    "side",
    [31, *(pytest.param(n, marks=pytest.mark.exhaustive("more sides")) for n in (40, 97, 300))],
)
def test_sectors_may_be_larger_than_a_narrow_grid(side):
    said = run_plain("tests.paths.narrow", str(side)).split()
    assert said[-1] == "0"


def test_a_crowd_of_nobody_and_rooms_that_are_none():
    from shared.path import multi_agent, space_time
    from shared.path.grid import new_grid
    from shared.path.multi_agent import plan_optimal
    from shared.path.plans import first_conflict, problems, sum_of_costs

    grid = new_grid([[True] * 3], diagonals=False)
    nobody = multi_agent.Crowd(grid, [], [])
    for planner in (plan_optimal, multi_agent.plan_prioritized, multi_agent.plan_windowed):
        assert planner(nobody) == []
    assert first_conflict([]) is None and problems([[True]], [], [], []) == []
    assert sum_of_costs([], []) == 0
    with pytest.raises(ValueError, match="1 or more"):
        multi_agent.plan_windowed(multi_agent.Crowd(grid, [(0, 0)], [(2, 0)]), window=0)
    with pytest.raises(ValueError, match="1 or more"):
        space_time.new_reservations(grid, 0)
    with pytest.raises(ValueError, match="1 or more"):
        space_time.new_space_time(0)


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ([(0, 0), (-1, 0), (0, 0)], "no step from (0, 0) to (-1, 0)"),
        ([(0, 0), (0, -1), (0, 0)], "no step from (0, 0) to (0, -1)"),
        ([(0, 0), (0, 1), (0, 0)], "no step from (0, 0) to (0, 1)"),
        ([(0, 0), (1, 0), (0, 0)], "no step from (0, 0) to (1, 0)"),
        ([], "does not go from its start to its goal"),
    ],
)
def test_the_validator_refuses_what_leaves_the_grid(path, said):
    from shared.path.plans import problems

    found = problems([[True, False, True]], [(0, 0)], [(0, 0)], [path])
    assert found and said in found[0]


@pytest.mark.slow("compiles searches on meshes")
@pytest.mark.parametrize("place", range(5))
@pytest.mark.parametrize("number", [math.nan, math.inf, 1e200])
def test_discs_are_finite(place, number):
    from shared.path.discs import new_discs

    disc = [0.0] * 5
    disc[place] = number
    with pytest.raises(ValueError, match=r"finite|between"):
        new_discs([(0, 0, 1, 0, 1), disc])
