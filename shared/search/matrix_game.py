"""A turn as a matrix game: the payoff of every pair of actions, each the mean of sampled games.

For two players who choose at once and of whom one gains what the other loses; `regret_matching.py`
solves the matrix. Below the first turn both play the game's samples.

Letters: A actions, S numbers of a state. Player 0 has the rows, player 1 the columns.
"""

from typing import TYPE_CHECKING, Callable, NamedTuple

from shared.core.game import SimultaneousGame
from shared.core.jit import (
    Floats,
    Ints,
    Numbers,
    buffer_of,
    float_buffer,
    inline,
    int_buffer,
    of_numbers,
)
from shared.core.rng import seed_rng

RNG, SAMPLES, N_ROWS, N_COLUMNS = range(4)
N_COUNTERS = 4


class Matrix(NamedTuple):
    """All that sampling knows.

    payoffs  [A A]  mean payoff of player 0 for each pair; a row is A numbers long
    counters [4]    random state, samples drawn, rows, columns
    choices  [2 A]  the actions of the rows, then those of the columns
    state, scores, joint_action, actions  room for what the game writes
    """

    payoffs: Floats
    counters: Ints
    choices: Ints
    state: Numbers
    scores: Floats
    joint_action: Ints
    actions: Ints
    if not TYPE_CHECKING:
        __class_getitem__ = of_numbers


def new_matrix(game: SimultaneousGame, seed: int = 1) -> Matrix:
    """An empty matrix."""
    counters = int_buffer(N_COUNTERS)
    seed_rng(counters, seed)
    return Matrix(
        payoffs=float_buffer(game.max_actions * game.max_actions),
        counters=counters,
        choices=int_buffer(2 * game.max_actions),
        state=buffer_of(game.numbers, game.state_size),
        scores=float_buffer(2),
        joint_action=int_buffer(2),
        actions=int_buffer(game.max_actions),
    )


def reset(matrix: Matrix) -> None:
    """Forget the samples, for the next turn; the random stream goes on."""
    matrix.counters[SAMPLES] = 0


def make_sampling(
    game: SimultaneousGame, depth: int
) -> Callable[[Numbers, Numbers, Matrix, int], None]:
    """The sampling of a game, to be compiled with `kernel`.

    sampling(setup, root, matrix, n) draws n more samples, pair after pair: the pair in the state
    `root`, then the game's samples up to `depth` turns in all; the payoff is half of what agent 0's
    score is above agent 1's. Raises ValueError unless the game has two agents.
    """
    if game.n_agents != 2:
        raise ValueError(f"a matrix game is for 2 agents, the game has {game.n_agents}")
    legal, sample, apply, numbers = game.legal, game.sample, game.apply, game.numbers
    is_over, evaluate = game.is_over, game.evaluate
    state_size = game.state_size
    max_actions = game.max_actions

    @inline
    def lay_out(setup, root, matrix):
        """Write down both players' actions and empty the matrix."""
        for i in range(state_size):
            matrix.state[i] = root[i]
        for agent in range(2):
            n = legal(setup, matrix.state, agent, matrix.actions)
            matrix.counters[N_ROWS + agent] = n
            for i in range(n):
                matrix.choices[agent * max_actions + i] = matrix.actions[i]
        for pair in range(max_actions * max_actions):
            matrix.payoffs[pair] = 0.0

    def sampling(setup: numbers, root: numbers, matrix: Matrix[numbers], n: int) -> None:
        payoffs, counters, choices, state, scores, joint_action, _ = matrix
        if counters[SAMPLES] == 0:
            lay_out(setup, root, matrix)
        n_columns = counters[N_COLUMNS]
        n_pairs = counters[N_ROWS] * n_columns
        for _ in range(n):
            earlier = counters[SAMPLES] // n_pairs
            pair = counters[SAMPLES] - earlier * n_pairs
            row = pair // n_columns
            column = pair - row * n_columns
            for i in range(state_size):
                state[i] = root[i]
            joint_action[0] = choices[row]
            joint_action[1] = choices[max_actions + column]
            for turn in range(depth):
                if is_over(setup, state):
                    break
                if turn > 0:
                    for agent in range(2):
                        joint_action[agent] = sample(setup, state, agent, counters)
                apply(setup, state, joint_action)
            evaluate(setup, state, scores)
            cell = row * max_actions + column
            payoff = (scores[0] - scores[1]) / 2.0
            payoffs[cell] += (payoff - payoffs[cell]) / (earlier + 1)
            counters[SAMPLES] += 1

    return sampling
