"""Nested rollout policy adaptation (NRPA): rollouts by a policy that learns from the best line.

Source: C. Rosin, "Nested Rollout Policy Adaptation for Monte Carlo Tree Search" (IJCAI 2011). A
policy is a weight for each code of an action (`SoloGame.code`); a rollout draws actions with
probabilities in proportion to exp(weight). A search of level n makes N searches of level n - 1,
each with a copy of its own policy, and after each moves its policy towards the best line met: the
weight of the line's action rises by alpha, the weights of all actions of its position fall by alpha
times their probability. A search of level 0 is a rollout.
"""

import math
from typing import Any, Callable, NamedTuple

from ...core.game import SoloGame
from ...core.jit import AT_HOME, Floats, Ints, copy_numbers, float_buffer, inline, int_buffer
from ...core.rng import random_unit, seed_rng
from ...search.solo.nested_levels import (
    CURRENT,
    IS_OVER,
    ITERATIONS,
    LENGTH,
    N_COUNTERS,
    PLIES,
    SEARCHES,
    WORST,
    Summary,
    best_action,
    is_finished,
    plan_of,
    reset,
    summary,
)

__all__ = [
    "Options",
    "Summary",
    "Tree",
    "best_action",
    "is_finished",
    "make_search",
    "new_tree",
    "plan_of",
    "reset",
    "summary",
]

DONE, FRAME_SIZE = range(LENGTH + 1, LENGTH + 3)


class Options(NamedTuple):
    """Options of a search.

    level: the level of the root, 1 or more. repetitions: N. alpha: the step of a policy.
    max_depth: actions after which a position counts by its score, as if its game were over.
    """

    level: int = 3
    repetitions: int = 100
    alpha: float = 1.0
    max_depth: int = 200


class Tree(NamedTuple):
    """The state of a search. Letters: L level, C codes, S numbers of a state, A actions, D
    max_depth.

    counters, numbers, lines, path  see `nested_levels.py`
    frames   [2 (L+1)]    of each level: length of its best line, searches below it done
    policies [(L+1) C]    the weights of each level; at 0 a policy's new weights
    codes, shares  [A]    each action's code and exp(weight)
    state, actions        room for a position and its actions
    """

    counters: Ints
    numbers: Floats
    frames: Ints
    lines: Ints
    policies: Floats
    path: Ints
    codes: Ints
    shares: Floats
    state: Ints
    actions: Ints


def new_tree(game: SoloGame, options: Options, seed: int = 1) -> Tree:
    """Returns the buffers of a new search."""
    n = options.level + 1
    tree = Tree(
        counters=int_buffer(N_COUNTERS),
        numbers=float_buffer(n),
        frames=int_buffer(FRAME_SIZE * n),
        lines=int_buffer(options.max_depth * n),
        policies=float_buffer(game.n_codes * n),
        path=int_buffer(options.max_depth),
        codes=int_buffer(game.max_actions),
        shares=float_buffer(game.max_actions),
        state=int_buffer(game.state_size),
        actions=int_buffer(game.max_actions),
    )
    seed_rng(tree.counters, seed)
    reset(tree)
    return tree


def make_search(game: SoloGame, options: Options) -> Callable[[Ints, Ints, Tree, int], None]:
    """search(setup, root, tree, n), for `kernel`, runs n more iterations, each a rollout, from the
    state `root`. The division into calls changes nothing.
    """
    legal, apply, is_over = game.legal, game.apply, game.is_over
    score, code = game.score, game.code
    size, n_codes = game.state_size, game.n_codes
    top, n_repetitions, alpha = options.level, options.repetitions, options.alpha
    max_depth = options.max_depth

    @inline
    def weigh(setup: Any, tree: Tree, level: int) -> tuple[int, float]:
        """Write exp(weight - greatest weight) for each action of `state`. Returns (the number of
        actions, the sum of these values).
        """
        n = legal(setup, tree.state, tree.actions)
        greatest = WORST
        for i in range(n):
            tree.codes[i] = code(setup, tree.state, tree.actions[i])
            greatest = max(greatest, tree.policies[n_codes * level + tree.codes[i]])
        total = 0.0
        for i in range(n):
            tree.shares[i] = math.exp(tree.policies[n_codes * level + tree.codes[i]] - greatest)
            total += tree.shares[i]
        return n, total

    @inline
    def roll_out(setup: Any, root: Ints, tree: Tree) -> int:
        """Play a game by the policy of level 1; returns its plies."""
        copy_numbers(root, 0, tree.state, 0, size)
        ply = 0
        while ply < max_depth and not is_over(setup, tree.state):
            n, total = weigh(setup, tree, 1)
            left = random_unit(tree.counters) * total
            i = 0
            while i < n - 1 and left >= tree.shares[i]:
                left -= tree.shares[i]
                i += 1
            tree.path[ply] = tree.actions[i]
            apply(setup, tree.state, tree.path[ply], tree.state)
            ply += 1
        tree.counters[PLIES] += ply
        tree.counters[ITERATIONS] += 1
        return ply

    @inline
    def adapt(setup: Any, root: Ints, tree: Tree, level: int) -> None:
        """Move a level's policy towards its best line."""
        first = n_codes * level
        copy_numbers(tree.policies, first, tree.policies, 0, n_codes)
        copy_numbers(root, 0, tree.state, 0, size)
        for ply in range(tree.frames[FRAME_SIZE * level + LENGTH]):
            action = tree.lines[max_depth * level + ply]
            n, total = weigh(setup, tree, level)
            for i in range(n):
                tree.policies[tree.codes[i]] -= alpha * tree.shares[i] / total
                if tree.actions[i] == action:
                    tree.policies[tree.codes[i]] += alpha
            apply(setup, tree.state, action, tree.state)
        copy_numbers(tree.policies, 0, tree.policies, first, n_codes)

    @inline
    def enter(tree: Tree, level: int) -> None:
        """Begin a search of a level with the policy of the level above."""
        tree.counters[CURRENT] = level
        tree.frames[FRAME_SIZE * level + DONE] = 0
        tree.numbers[level] = WORST
        for i in range(n_codes):
            above = tree.policies[n_codes * (level + 1) + i] if level < top else 0.0
            tree.policies[n_codes * level + i] = above

    @inline
    def note(tree: Tree, level: int, final: float, source: Ints, first: int, length: int) -> None:
        """Store a line and its final score as a level's best, the later of equals, so that a policy
        does not narrow on one line.
        """
        if final >= tree.numbers[level]:
            tree.numbers[level] = final
            tree.frames[FRAME_SIZE * level + LENGTH] = length
            copy_numbers(source, first, tree.lines, max_depth * level, length)

    def search(setup: Ints, root: Ints, tree: Tree, n: int) -> None:
        counters = tree.counters
        end = counters[ITERATIONS] + n
        while counters[ITERATIONS] < end and counters[IS_OVER] == 0:
            level = counters[CURRENT]
            frame = FRAME_SIZE * level
            if level == 0:
                counters[IS_OVER] = 1 if is_over(setup, root) else 0
                enter(tree, top)
            elif tree.frames[frame + DONE] == n_repetitions:
                above = level + 1 if level < top else 0
                length = tree.frames[frame + LENGTH]
                note(tree, above, tree.numbers[level], tree.lines, max_depth * level, length)
                counters[CURRENT] = above
                if above == 0:
                    counters[SEARCHES] += 1
                else:
                    adapt(setup, root, tree, above)
                    tree.frames[FRAME_SIZE * above + DONE] += 1
            elif level > 1:
                enter(tree, level - 1)
            else:
                length = roll_out(setup, root, tree)
                note(tree, 1, 1.0 * score(setup, tree.state), tree.path, 0, length)
                adapt(setup, root, tree, 1)
                tree.frames[frame + DONE] += 1

    return search


if AT_HOME:
    from ...search.checks.limits import check_calls

    check_calls(globals())
