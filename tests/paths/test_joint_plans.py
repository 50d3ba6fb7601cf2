"""Small puzzles of agents in each other's way: all solved, at the least cost."""

import random

import pytest

from shared.path import joint, multi_agent
from shared.path.grid import new_grid
from shared.path.multi_agent import Crowd, plan_jointly, plan_optimal
from shared.path.plans import problems, sum_of_costs
from shared.path.statuses import FULL, NO_PATH
from tests.conftest import run_plain
from tests.paths import oracles
from tests.paths.joint_oracle import least_cost

SIZES = [(6, 5), (8, 5), (5, 5), (5, 4), (7, 5), (10, 4), (6, 6), (4, 4), (13, 3)]


def random_puzzle(seed):
    """Returns (rows, starts, goals) of 2 to 5 agents in up to 40 cells, each with a way of its
    own.
    """
    rng = random.Random(seed)
    while True:
        rows = oracles.random_rows(rng, *rng.choice(SIZES), rng.choice((0.6, 0.7, 0.8, 0.9)))
        sets = oracles.components(rows)
        n = rng.choice((2, 3, 4, 5, 5))
        if len(sets) > n:
            starts, goals = rng.sample(sorted(sets), n), rng.sample(sorted(sets), n)
            if all(sets[a] == sets[b] for a, b in zip(starts, goals)):
                return rows, starts, goals


def check(rows, starts, goals):
    """Returns the cost of the plan, None without one. Asserts that it is valid and of least
    cost.
    """
    plan = plan_optimal(Crowd(new_grid(rows, diagonals=False), starts, goals, bits=14))
    if plan is None:
        assert least_cost(rows, starts, goals) is None
        return None
    assert problems(rows, starts, goals, plan) == []
    cost = sum_of_costs(plan, goals)
    assert least_cost(rows, starts, goals, cost + 1) == cost
    return cost


# Of each fifty some need minutes of the oracle's time.
@pytest.mark.slow("compiles the searches, and the oracle is slow")
@pytest.mark.parametrize(
    "first",
    [0, *(pytest.param(n, marks=pytest.mark.exhaustive("more puzzles")) for n in range(50, 500, 50))],
)
def test_random_puzzles_are_solved_at_the_least_cost(first):
    costs = [check(*random_puzzle(seed)) for seed in range(first, first + 50)]
    assert costs.count(None) <= 2
