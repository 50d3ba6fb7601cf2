"""Agents that search alone, and squads behind a leader: valid plans on random grids."""

import itertools
import random

import pytest

from shared.path.grid import new_grid
from shared.path.local_repair import plan_alone, plan_squad
from shared.path.multi_agent import Crowd, plan_optimal
from shared.path.plans import first_conflict, problems, sum_of_costs
from tests.paths.oracles import random_rows


def random_places(rng, rows, n):
    """Returns n different free cells."""
    free = [(x, y) for y, row in enumerate(rows) for x, is_free in enumerate(row) if is_free]
    return rng.sample(free, n)


def test_plans_of_agents_that_search_alone_are_valid_and_cost_more():
    rng = random.Random(1)
    n_plans = dearer = 0
    for _ in range(60):
        rows = random_rows(rng, 9, 7, 0.8)
        starts, goals = random_places(rng, rows, 5), random_places(rng, rows, 5)
        grid = new_grid(rows, diagonals=False)
        before = list(grid.weights), list(grid.moves)
        plan = plan_alone(Crowd(grid, starts, goals))
        assert (list(grid.weights), list(grid.moves)) == before
        if plan is None:
            continue
        n_plans += 1
        assert problems(rows, starts, goals, plan) == []
        best = plan_optimal(Crowd(grid, starts, goals), 300)
        if best is not None:
            assert sum_of_costs(best, goals) <= sum_of_costs(plan, goals)
            dearer += sum_of_costs(best, goals) < sum_of_costs(plan, goals)
    assert n_plans > 20 and dearer > 5


def test_a_squad_ends_in_line_behind_its_leader():
    rng = random.Random(2)
    n_plans = 0
    for _ in range(200):
        rows = random_rows(rng, 12, 9, 0.8)
        *starts, goal = random_places(rng, rows, 8)
        plan = plan_squad(new_grid(rows, diagonals=False), starts, goal)
        if plan is None:
            continue
        n_plans += 1
        assert first_conflict(plan) is None
        assert [path[0] for path in plan] == starts
        for path in plan:
            for (x, y), (to_x, to_y) in itertools.pairwise(path):
                assert abs(x - to_x) + abs(y - to_y) <= 1 and rows[to_y][to_x]
        # The cells of the line hang together, and the goal is one of them.
        rest = {path[-1] for path in plan}
        reached = [goal]
        for x, y in reached:
            beside = rest & {(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)}
            rest -= beside | {(x, y)}
            reached += beside
        assert not rest and len(reached) == len(starts)
    assert n_plans > 50


def test_agents_that_have_no_plan():
    corridor = new_grid([[True] * 6], diagonals=False)
    assert plan_alone(Crowd(corridor, [(0, 0), (5, 0)], [(5, 0), (0, 0)]), 50) is None
    assert plan_alone(Crowd(corridor, [], [])) == plan_squad(corridor, [], (3, 0)) == []
    assert plan_squad(corridor, [(1, 0), (1, 0)], (3, 0)) is None
    walled = new_grid([[True, False, True]], diagonals=False)
    assert plan_squad(walled, [(0, 0)], (2, 0)) is None
    assert plan_squad(walled, [(0, 0)], (1, 0)) is None


def test_grids_with_diagonals_are_refused():
    diagonal = new_grid([[True] * 3] * 3)
    with pytest.raises(ValueError, match="diagonals=False"):
        plan_alone(Crowd(diagonal, [(0, 0)], [(2, 2)]))
    with pytest.raises(ValueError, match="diagonals=False"):
        plan_squad(diagonal, [(0, 0)], (2, 2))
