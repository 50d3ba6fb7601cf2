"""Small puzzles of agents in each other's way: all solved, at the least cost."""

import random

import pytest

from shared.path import joint
from shared.path.grid import new_grid
from shared.path.multi_agent import Crowd, plan_jointly, plan_optimal
from shared.path.plans import problems, sum_of_costs
from shared.path.statuses import FOUND, FULL, NO_PATH
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


@pytest.mark.slow("compiles the searches, and the oracle is slow")
@pytest.mark.exhaustive("more puzzles", keep=1)
@pytest.mark.parametrize("first", [20, 0, 10, *range(30, 500, 10)])
def test_random_puzzles_are_solved_at_the_least_cost(first):
    """Conflict-based search alone gives up on 24 of the 500."""
    assert None not in [check(*random_puzzle(seed)) for seed in range(first, first + 10)]


CORRIDOR = (".......", "##.####"), [(2, 0), (4, 0), (6, 0)], [(6, 0), (4, 0), (2, 0)]
# Each two of three agents have a plan in a ring, but the three keep their order.
RING = ("..", ".."), [(0, 0), (1, 0), (1, 1)], [(1, 0), (0, 0), (1, 1)]


@pytest.mark.slow("compiles the searches")
@pytest.mark.parametrize(("letters", "starts", "goals", "cost"), [(*CORRIDOR, 24), (*RING, None)])
def test_agents_that_give_way_to_each_other(letters, starts, goals, cost):
    rows = [[letter == "." for letter in row] for row in letters]
    assert check(rows, starts, goals) == cost
    crowd = Crowd(new_grid(rows, diagonals=False), starts, goals, bits=10)
    # Within any lower limit there is no answer, or the same.
    answers = [plan_jointly(crowd, n) for n in (1, 2, 4, 8, 64, 1 << 12)]
    assert [answers[0][0], answers[-1][0]] == [FULL, NO_PATH if cost is None else FOUND]
    assert {plan and sum_of_costs(plan, goals) for _, plan in answers} <= {None, cost}


def test_too_large_a_crowd_is_not_searched_jointly():
    cells = [(x, y) for y in range(10) for x in range(50)]
    crowd = Crowd(new_grid([[True] * 50] * 10, diagonals=False), cells[:9], cells[-9:], bits=10)
    assert plan_jointly(crowd) == (FULL, None)
    with pytest.raises(ValueError, match="9 agents in 500 cells are too many"):
        joint.new_team([0] * 2500, list(range(9)))
