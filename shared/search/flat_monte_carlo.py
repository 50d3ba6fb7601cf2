"""Flat Monte Carlo search: samples of every move of the root, and the move with the
best mean. No tree.

The moves are the arms of a bandit (`shared/search/bandit.py`): sampled in turn, or by UCB1, which
spends more on those that may be best. Either way the samples play on at random, so a move that only
one reply refutes looks good for ever: the fault that the tree of `shared/search/mcts.py` heals.
"""

from typing import Callable, NamedTuple, Optional

from shared.core.game import AlternatingGame
from shared.core.jit import Floats, Ints, float_buffer, int_buffer
from shared.core.rng import seed_rng
from shared.search.bandit import MEAN, add_reward, best_bound, clear_arm, exploration_weight
from shared.search.rollout import make_rollout, make_value

RNG, SAMPLES, PLIES = range(3)


class Options(NamedTuple):
    """How to search.

    exploration: the constant C of UCB1, for results in -1..1; None samples the moves in turn.
    rollout_plies: the most plies of a sample after its move, after which the position is evaluated.
    score_scale: an evaluation of this many points counts as half a win.
    """

    exploration: Optional[float] = 1.0
    rollout_plies: int = 1000
    score_scale: float = 1.0


class Samples(NamedTuple):
    """All that a search knows. Letters: A actions, R plies of a rollout.

    actions  [A]      the moves of the root
    arms     [2 A]    their means, for the player to move at the root
    pulls    [A]      how often each was sampled
    counters [3]      random state, samples, plies played
    line     [R + 1]  the actions of a sample
    state             room for a position
    """

    actions: Ints
    arms: Floats
    pulls: Ints
    counters: Ints
    line: Ints
    state: Ints


def new_samples(game: AlternatingGame, options: Options, seed: int = 1) -> Samples:
    """Buffers of a search that has not begun."""
    samples = Samples(
        actions=int_buffer(game.max_actions),
        arms=float_buffer(2 * game.max_actions),
        pulls=int_buffer(game.max_actions),
        counters=int_buffer(3),
        line=int_buffer(options.rollout_plies + 1),
        state=int_buffer(game.state_size),
    )
    seed_rng(samples.counters, seed)
    reset(samples)
    return samples


def reset(samples: Samples) -> None:
    """Forget what was sampled; the random stream goes on."""
    for arm in range(len(samples.pulls)):
        clear_arm(samples.arms, arm)
        samples.pulls[arm] = 0
    samples.counters[SAMPLES] = samples.counters[PLIES] = 0


def make_search(
    game: AlternatingGame, options: Options
) -> Callable[[Ints, Ints, Samples, int], None]:
    """The search of a game, to be compiled with `kernel`.

    search(setup, root, samples, n) takes n more samples from the state `root`, which it leaves
    alone. How a number of samples is cut into calls makes no difference.
    """
    legal, apply = game.legal, game.apply
    state_size = game.state_size
    uniform = options.exploration is None
    exploration = 0.0 if uniform else options.exploration
    value = make_value(game, options.score_scale)
    rollout = make_rollout(game, options.rollout_plies)

    def search(setup: Ints, root: Ints, samples: Samples, n: int) -> None:
        actions, arms, pulls, counters, line, state = samples
        n_actions = legal(setup, root, actions)
        for _ in range(n):
            arm = counters[SAMPLES] % n_actions
            if not uniform:
                weight = exploration_weight(exploration, counters[SAMPLES] + 1)
                arm = best_bound(arms, 0, n_actions, 1.0, weight)
            for i in range(state_size):
                state[i] = root[i]
            apply(setup, state, actions[arm], state)
            n_plies = rollout(setup, state, line, 1, counters)
            reward = value(setup, state)
            if n_plies & 1:
                reward = -reward
            pulls[arm] += 1
            add_reward(arms, arm, pulls[arm], reward)
            counters[SAMPLES] += 1
            counters[PLIES] += n_plies

    return search


def best_action(samples: Samples) -> int:
    """The action with the best mean, the more often sampled of equals."""
    sampled = [arm for arm in range(len(samples.pulls)) if samples.pulls[arm]]
    arm = max(sampled, key=lambda arm: (samples.arms[2 * arm + MEAN], samples.pulls[arm]))
    return int(samples.actions[arm])
