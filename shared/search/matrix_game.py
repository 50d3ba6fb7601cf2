"""A turn as a matrix game: the payoff of every pair of actions, each the mean of sampled games.

For two players who choose at once and of whom one gains what the other loses; `regret_matching.py`
solves the matrix. Below the first turn both play the game's samples.

Letters: A actions, S numbers of a state. Player 0 has the rows, player 1 the columns.

    payoffs  float64[A A]  mean payoff of player 0 for each pair; a row is A numbers long
    counters int64[4]      random state, samples drawn, rows, columns
    choices  int64[2 A]    the actions of the rows, then those of the columns
"""

from typing import NamedTuple

from shared.core.jit import float_buffer, inline, int_buffer
from shared.core.rng import seed_rng

RNG, SAMPLES, N_ROWS, N_COLUMNS = range(4)
N_COUNTERS = 4


def sampling_signature(number):
    """The compiled type; the game's setup and state hold `number`, "float64" or "int64"."""
    return (
        f"void({number}[::1], {number}[::1], float64[::1], int64[::1], int64[::1],"
        f" {number}[::1], float64[::1], int64[::1], int64[::1], int64)"
    )


class Matrix(NamedTuple):
    """The buffers of sampling, in the order its compiled function takes them."""

    payoffs: object
    counters: object
    choices: object
    state: object
    scores: object
    joint: object
    actions: object


def new_matrix(game, seed=1, state_buffer=float_buffer):
    """An empty matrix. state_buffer: `int_buffer` for a game whose states are whole numbers."""
    counters = int_buffer(N_COUNTERS)
    seed_rng(counters, seed)
    return Matrix(
        payoffs=float_buffer(game.max_actions * game.max_actions),
        counters=counters,
        choices=int_buffer(2 * game.max_actions),
        state=state_buffer(game.state_size),
        scores=float_buffer(2),
        joint=int_buffer(2),
        actions=int_buffer(game.max_actions),
    )


def clear(matrix):
    """Forget the samples, for the next turn; the random stream goes on."""
    matrix.counters[SAMPLES] = 0


def make_sampling(game, depth):
    """The sampling of a `SimultaneousGame`, compiled with `kernel(sampling_signature(number))`.

    sampling(setup, root, *matrix, n) draws n more samples, pair after pair: the pair in the state
    `root`, then the game's samples up to `depth` turns in all; the payoff is half of what agent 0's
    score is above agent 1's. Raises ValueError unless the game has two agents.
    """
    if game.n_agents != 2:
        raise ValueError(f"a matrix game is for 2 agents, the game has {game.n_agents}")
    legal, sample, apply = game.legal, game.sample, game.apply
    is_over, evaluate = game.is_over, game.evaluate
    state_size = game.state_size
    max_actions = game.max_actions

    @inline
    def lay_out(setup, root, payoffs, counters, choices, state, actions):
        """Write down both players' actions and empty the matrix."""
        for i in range(state_size):
            state[i] = root[i]
        for agent in range(2):
            n = legal(setup, state, agent, actions)
            counters[N_ROWS + agent] = n
            for i in range(n):
                choices[agent * max_actions + i] = actions[i]
        for pair in range(max_actions * max_actions):
            payoffs[pair] = 0.0

    def sampling(setup, root, payoffs, counters, choices, state, scores, joint, actions, n_samples):
        if counters[SAMPLES] == 0:
            lay_out(setup, root, payoffs, counters, choices, state, actions)
        n_columns = counters[N_COLUMNS]
        n_pairs = counters[N_ROWS] * n_columns
        for _ in range(n_samples):
            earlier = counters[SAMPLES] // n_pairs
            pair = counters[SAMPLES] - earlier * n_pairs
            row = pair // n_columns
            column = pair - row * n_columns
            for i in range(state_size):
                state[i] = root[i]
            joint[0] = choices[row]
            joint[1] = choices[max_actions + column]
            for turn in range(depth):
                if is_over(setup, state):
                    break
                if turn > 0:
                    for agent in range(2):
                        joint[agent] = sample(setup, state, agent, counters)
                apply(setup, state, joint)
            evaluate(setup, state, scores)
            cell = row * max_actions + column
            payoff = (scores[0] - scores[1]) / 2.0
            payoffs[cell] += (payoff - payoffs[cell]) / (earlier + 1)
            counters[SAMPLES] += 1

    return sampling
