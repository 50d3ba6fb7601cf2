"""UCB1 and its guarantee: its regret grows as the logarithm of the pulls, that of pulling in turn
in proportion to them.
"""

import math
from typing import NamedTuple

import numpy as np
import pytest

from shared.core.jit import Floats, Ints, float_buffer, int_buffer, kernel
from shared.core.rng import random_unit, seed_rng
from shared.search.bandit import (
    INVERSE_ROOT,
    MEAN,
    add_reward,
    best_bound,
    clear_arm,
    exploration_weight,
    fix_arm,
)
from shared.search.tree import N_LOG_ROOTS, cached_weight, new_log_roots

CHANCES = (0.9, 0.8, 0.8, 0.7, 0.6)
GAPS = [max(CHANCES) - chance for chance in CHANCES]
CHECKPOINTS = [1000, 10000, 100000]
RUNS = 40


class Bandit(NamedTuple):
    """The arms, the pulls of each, and the random state."""

    arms: Floats
    pulls: Ints
    rng: Ints


@kernel
def pull(chances: Floats, bandit: Bandit, exploration: float, n: int) -> None:
    """Pull N more times arms that pay 1 with these chances, else 0; in turn if `exploration` is
    negative.
    """
    arms, pulls = bandit.arms, bandit.pulls
    n_arms = len(pulls)
    total = 0
    for arm in range(n_arms):
        total += pulls[arm]
    for t in range(total, total + n):
        arm = t % n_arms
        if exploration >= 0.0:
            arm = best_bound(arms, 0, n_arms, 1.0, exploration_weight(exploration, t + 1))
        pulls[arm] += 1
        reward = 1.0 if random_unit(bandit.rng) < chances[arm] else 0.0
        add_reward(arms, arm, pulls[arm], reward)


def new_bandit(n_arms, seed=1):
    arms, pulls, rng = float_buffer(2 * n_arms), int_buffer(n_arms), int_buffer(1)
    seed_rng(rng, seed)
    for arm in range(n_arms):
        clear_arm(arms, arm)
    return Bandit(arms, pulls, rng)


@pytest.fixture(scope="module")
def regrets():
    """Mean regret of RUNS bandits at each of CHECKPOINTS: by UCB1 and in turn."""
    chances = float_buffer(CHANCES)
    found = {}
    for exploration in (math.sqrt(2), -1.0):
        rows = []
        for seed in range(RUNS):
            bandit = new_bandit(len(CHANCES), seed)
            rows.append([])
            for earlier, later in zip([0, *CHECKPOINTS], CHECKPOINTS):
                pull(chances, bandit, exploration, later - earlier)
                rows[-1].append(sum(n * gap for n, gap in zip(bandit.pulls, GAPS)))
        found[exploration] = np.mean(rows, axis=0)
    return found[math.sqrt(2)], found[-1.0]


def test_the_regret_of_ucb1_grows_as_a_logarithm(regrets):
    """Each tenfold increase of the pulls adds about the same regret, while pulling in turn loses
    ten times as much.
    """
    ucb1, in_turn = regrets
    added = np.diff(ucb1)
    assert added[1] == pytest.approx(added[0], rel=0.35)
    assert in_turn[-1] == pytest.approx(CHECKPOINTS[-1] * np.mean(GAPS))
    assert ucb1[-1] < in_turn[-1] / 20


def test_the_regret_of_ucb1_stays_below_the_proven_bound(regrets):
    """Theorem 1 of Auer, Cesa-Bianchi and Fischer: 8 sum(ln n / gap) + (1 + pi^2 / 3) sum(gap)."""
    ucb1, _ = regrets
    gaps = [gap for gap in GAPS if gap > 0]
    for n, regret in zip(CHECKPOINTS, ucb1):
        bound = 8 * sum(math.log(n) / gap for gap in gaps) + (1 + math.pi**2 / 3) * sum(gaps)
        assert regret < bound


def test_no_arm_is_given_up(regrets):
    """The logarithm in the bound brings every arm back: between any number of pulls and ten times
    as many, each arm is pulled again.
    """
    bandit = new_bandit(len(CHANCES))
    counts = []
    for n in (1000, 9000, 90000):
        pull(float_buffer(CHANCES), bandit, math.sqrt(2), n)
        counts.append(list(bandit.pulls))
    assert all(a < b < c for a, b, c in zip(*counts))


def test_every_arm_is_pulled_once_before_any_is_again():
    bandit = new_bandit(5)
    pull(float_buffer(CHANCES), bandit, math.sqrt(2), 5)
    assert list(bandit.pulls) == [1] * 5


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
    arms, pulls, totals = new_bandit(n_arms).arms, [0] * n_arms, [0.0] * n_arms
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


def test_means_are_means():
    arms = new_bandit(1).arms
    rewards = [0.25, 1.0, -0.5, 0.75]
    for n, reward in enumerate(rewards, 1):
        add_reward(arms, 0, n, reward)
    assert arms[MEAN] == pytest.approx(sum(rewards) / 4) and arms[INVERSE_ROOT] == 0.5


def test_a_known_mean_is_neither_explored_nor_changed():
    arms = new_bandit(2).arms
    add_reward(arms, 0, 1, 0.5)
    fix_arm(arms, 1, 0.6)
    add_reward(arms, 1, 2, -1.0)
    assert arms[2 + MEAN] == 0.6
    assert best_bound(arms, 0, 2, 1.0, 0.0) == 1
    assert best_bound(arms, 0, 2, 1.0, 10.0) == 0
