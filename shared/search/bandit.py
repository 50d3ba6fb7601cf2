"""Multi-armed bandits: choose the next arm from the rewards seen so far.

Source: Auer, Cesa-Bianchi and Fischer, "Finite-time analysis of the multiarmed bandit problem"
(Machine Learning 47, 2002). UCB1 pulls every arm once, then always the one with the greatest mean +
C sqrt(ln(pulls of all) / pulls of the arm). For rewards in 0..1 and C = sqrt(2) its regret grows as
the logarithm of the pulls; rewards in -1..1 take twice the C.

    arms    float64[2 K]  mean reward and 1 / sqrt(pulls) of each of K arms
    pulls   int64[K]

An arm with the inverse root 0 has a mean that is known exactly: it has no exploration bonus, and
rewards do not change it.
"""

import math

from ..core.jit import Floats, inline

MEAN, INVERSE_ROOT = range(2)

# The mean of an unpulled arm: above every bound.
UNPULLED = 1e300


@inline
def mean_of(arms: Floats, arm: int) -> float:
    return arms[2 * arm + MEAN]


@inline
def inverse_root_of(arms: Floats, arm: int) -> float:
    return arms[2 * arm + INVERSE_ROOT]


@inline
def set_arm(arms: Floats, arm: int, mean: float, inverse_root: float) -> None:
    arms[2 * arm + MEAN] = mean
    arms[2 * arm + INVERSE_ROOT] = inverse_root


@inline
def clear_arm(arms: Floats, arm: int) -> None:
    """Reset an arm to unpulled."""
    arms[2 * arm + MEAN] = UNPULLED
    arms[2 * arm + INVERSE_ROOT] = 1.0


@inline
def fix_arm(arms: Floats, arm: int, mean: float) -> None:
    """Fix the arm's mean at a value known exactly."""
    arms[2 * arm + MEAN] = mean
    arms[2 * arm + INVERSE_ROOT] = 0.0


@inline
def is_fixed(arms: Floats, arm: int) -> bool:
    """Returns True if a mean is exact."""
    return arms[2 * arm + INVERSE_ROOT] == 0.0


@inline
def add_reward(arms: Floats, arm: int, pulls: float, reward: float) -> None:
    """Add the reward of an arm's pull number `pulls`."""
    if is_fixed(arms, arm):
        return
    inverse = 1.0 / pulls
    if arms[2 * arm + MEAN] == UNPULLED:
        arms[2 * arm + MEAN] = reward
    else:
        arms[2 * arm + MEAN] += (reward - arms[2 * arm + MEAN]) * inverse
    arms[2 * arm + INVERSE_ROOT] = math.sqrt(inverse)


@inline
def exploration_weight(exploration: float, pulls: int) -> float:
    """Returns a bound's factor of 1 / sqrt(an arm's pulls) after `pulls` >= 1 of all."""
    return exploration * math.sqrt(math.log(pulls))


@inline
def best_bound(arms: Floats, first: int, n: int, scale: float, weight: float) -> int:
    """Returns the arm of the greatest upper confidence bound among n >= 1 arms from `first` on."""
    best = first
    greatest = arms[2 * first + MEAN] * scale + weight * arms[2 * first + INVERSE_ROOT]
    for arm in range(first + 1, first + n):
        bound = arms[2 * arm + MEAN] * scale + weight * arms[2 * arm + INVERSE_ROOT]
        if bound > greatest:
            greatest = bound
            best = arm
    return best
