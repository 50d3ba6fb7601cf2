"""UCB1: each pull is the one of its formula."""

import math
from typing import NamedTuple

import pytest

from shared.core.jit import Floats, float_buffer
from shared.search.bandit import (
    MEAN,
    add_reward,
    best_bound,
    clear_arm,
    exploration_weight,
    fix_arm,
)
from shared.search.tree import N_LOG_ROOTS, cached_weight, new_log_roots


def new_arms(n_arms):
    arms = float_buffer(2 * n_arms)
    for arm in range(n_arms):
        clear_arm(arms, arm)
    return arms


def by_the_formula(means, pulls, exploration, t):
    """The arm of the greatest mean + C sqrt(ln t / pulls), unpulled arms first."""
    if 0 in pulls:
        return pulls.index(0)
    bounds = [
        mean + exploration * math.sqrt(math.log(t) / n)
        for mean, n in zip(means, pulls, strict=True)
    ]
    return bounds.index(max(bounds))


@pytest.mark.parametrize("exploration", [0.3, math.sqrt(2)])
def test_each_pull_is_the_one_of_the_formula(exploration):
    """With deterministic rewards, an error of one pull in the logarithm would change a choice."""
    n_arms = 3
    arms, pulls, totals = new_arms(n_arms), [0] * n_arms, [0.0] * n_arms
    for t in range(1, 600):
        arm = best_bound(arms, 0, n_arms, 1.0, exploration_weight(exploration, t))
        means = [total / max(n, 1) for total, n in zip(totals, pulls, strict=True)]
        assert arm == by_the_formula(means, pulls, exploration, t), t
        pulls[arm] += 1
        reward = 0.5 + 0.1 * arm + 0.3 * math.sin(3.0 * pulls[arm] + arm)
        totals[arm] += reward
        add_reward(arms, arm, pulls[arm], reward)


class Looked(NamedTuple):
    """The part of a tree that holds the table of logarithms."""

    log_roots: Floats


@pytest.mark.parametrize("pulls", [1, 2, 3, 100, N_LOG_ROOTS - 1, N_LOG_ROOTS, N_LOG_ROOTS + 1])
def test_the_weight_is_the_root_of_the_logarithm_looked_up_or_not(pulls):
    expected = pytest.approx(0.7 * math.sqrt(math.log(pulls)), rel=1e-15)
    assert exploration_weight(0.7, pulls) == expected
    assert cached_weight(Looked(new_log_roots()), 0.7, pulls) == expected


def test_a_known_mean_is_neither_explored_nor_changed():
    arms = new_arms(2)
    add_reward(arms, 0, 1, 0.5)
    fix_arm(arms, 1, 0.6)
    add_reward(arms, 1, 2, -1.0)
    assert arms[2 + MEAN] == 0.6
    assert best_bound(arms, 0, 2, 1.0, 0.0) == 1
    assert best_bound(arms, 0, 2, 1.0, 10.0) == 0
