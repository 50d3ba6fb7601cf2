"""Negamax as in textbooks: every line to a fixed depth, nothing pruned. A reference for tests.

Letters as in `shared/core/game.py`, and D plies. Wins count as in `shared/search/alphabeta.py`.
"""

from typing import Callable, NamedTuple

from shared.core.game import AlternatingGame
from shared.core.jit import Ints, copy_numbers, int_buffer, njit
from shared.search.alphabeta import INFINITE, WIN

GENERATED, VISITED, BEST_ACTION = range(3)


class Tree(NamedTuple):
    """The state of a search.

    counts  [3]    positions made by an action, positions whose own actions were listed, the best
                   action at the root
    states  [S D]  the position at each ply; the root is the first
    actions [A D]  the actions of each ply
    state [S], listed [A]  scratch space: one position and one list
    """

    counts: Ints
    states: Ints
    actions: Ints
    state: Ints
    listed: Ints


def new_tree(game: AlternatingGame, root: Ints, depth: int) -> Tree:
    """Returns buffers for a search of the position `root` to a depth."""
    plies = depth + 1
    states = int_buffer(game.state_size * plies)
    copy_numbers(root, 0, states, 0, game.state_size)
    return Tree(
        counts=int_buffer(3),
        states=states,
        actions=int_buffer(game.max_actions * plies),
        state=int_buffer(game.state_size),
        listed=int_buffer(game.max_actions),
    )


def make_negamax(game: AlternatingGame, short_wins: bool = True) -> Callable:
    """negamax(setup, tree, 0, depth) -> the root's value for the player to move."""
    legal, apply, is_over = game.legal, game.apply, game.is_over
    result, evaluate = game.result, game.evaluate
    size, max_actions = game.state_size, game.max_actions
    step = 1 if short_wins else 0

    @njit
    def negamax(setup, tree, ply, depth_left):
        counts, states, actions, state, listed = tree
        copy_numbers(states, size * ply, state, 0, size)
        if ply > 0 and is_over(setup, state):
            return result(setup, state) * (WIN - step * ply)
        if depth_left == 0:
            return evaluate(setup, state)
        n = legal(setup, state, listed)
        if n == 0:
            return evaluate(setup, state)
        counts[VISITED] += 1
        copy_numbers(listed, 0, actions, max_actions * ply, n)
        best = -INFINITE
        for i in range(n):
            action = actions[max_actions * ply + i]
            copy_numbers(states, size * ply, state, 0, size)
            apply(setup, state, action, state)
            copy_numbers(state, 0, states, size * (ply + 1), size)
            counts[GENERATED] += 1
            value = -negamax(setup, tree, ply + 1, depth_left - 1)
            if value > best:
                best = value
                if ply == 0:
                    counts[BEST_ACTION] = action
        return best

    return negamax
