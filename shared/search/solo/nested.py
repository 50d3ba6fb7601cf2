"""Nested Monte Carlo search (NMCS): each action is tried by a search one level below, and the best
line met so far is followed.

Source: T. Cazenave, "Nested Monte-Carlo Search" (IJCAI 2009). A search of level 1 plays a
rollout of the game's samples after each action of a position; then the action of the best line that
it knows. It does so until the game is over. A search of level n tries each action by a search of
level n - 1. Searches from the root follow one another; the best line of all is kept.
"""

from typing import Any, Callable, NamedTuple

from ...core.game import SoloGame
from ...core.jit import AT_HOME, Floats, Ints, copy_numbers, float_buffer, inline, int_buffer
from ...core.rng import seed_rng
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

PLY, TRIED, N_ACTIONS, FRAME_SIZE = range(LENGTH + 1, LENGTH + 5)


class Options(NamedTuple):
    """Options of a search. level: the level of searches from the root, 1 or more. max_depth:
    actions after which a position counts as over, by its score.
    """

    level: int = 2
    max_depth: int = 200


class Tree(NamedTuple):
    """The state of a search. Letters: L level, S numbers of a state, A actions, D max_depth.

    counters, numbers, lines, path  see `nested_levels.py`.
    frames   [4 (L+1)]    of each level: length of its best line, plies before its position, actions
                          tried, their number.
    states   [(L+1) S]    the position of each level, and its actions.
    choices  [(L+1) A].
    state, actions        room for a position and its actions.
    """

    counters: Ints
    numbers: Floats
    frames: Ints
    states: Ints
    choices: Ints
    lines: Ints
    path: Ints
    state: Ints
    actions: Ints


def new_tree(game: SoloGame, options: Options, seed: int = 1) -> Tree:
    """Returns the buffers of a new search."""
    n = options.level + 1
    tree = Tree(
        counters=int_buffer(N_COUNTERS),
        numbers=float_buffer(n),
        frames=int_buffer(FRAME_SIZE * n),
        states=int_buffer(game.state_size * n),
        choices=int_buffer(game.max_actions * n),
        lines=int_buffer(options.max_depth * n),
        path=int_buffer(options.max_depth),
        state=int_buffer(game.state_size),
        actions=int_buffer(game.max_actions),
    )
    seed_rng(tree.counters, seed)
    reset(tree)
    return tree


def make_search(game: SoloGame, options: Options) -> Callable[[Ints, Ints, Tree, int], None]:
    """search(setup, root, tree, n), for `kernel`, runs n more iterations, each a rollout, from the
    state `root`. The division into calls changes nothing.

    A search that begins where the game is over is an iteration, too: its rollout has no plies.
    """
    legal, sample, apply = game.legal, game.sample, game.apply
    is_over, score = game.is_over, game.score
    size, most = game.state_size, game.max_actions
    top, max_depth = options.level, options.max_depth

    @inline
    def list_actions(setup: Any, tree: Tree, level: int) -> None:
        """Begin to try the actions of a level's position, which is in `state`; none where the game
        is over.
        """
        frame = FRAME_SIZE * level
        n = 0
        if tree.frames[frame + PLY] < max_depth and not is_over(setup, tree.state):
            n = legal(setup, tree.state, tree.actions)
        copy_numbers(tree.actions, 0, tree.choices, most * level, n)
        tree.frames[frame + TRIED], tree.frames[frame + N_ACTIONS] = 0, n

    @inline
    def enter(setup: Any, tree: Tree, level: int, ply: int) -> None:
        """Begin a search of a level from `state`."""
        tree.counters[CURRENT] = level
        tree.frames[FRAME_SIZE * level + PLY] = ply
        tree.numbers[level] = WORST
        copy_numbers(tree.state, 0, tree.states, size * level, size)
        list_actions(setup, tree, level)

    @inline
    def note(tree: Tree, level: int, final: float, source: Ints, first: int, length: int) -> None:
        """Keep a line with its final score, if it is the best of a level."""
        if final > tree.numbers[level]:
            tree.numbers[level] = final
            tree.frames[FRAME_SIZE * level + LENGTH] = length
            copy_numbers(source, first, tree.lines, max_depth * level, length)

    @inline
    def roll_out(setup: Any, tree: Tree, ply: int) -> int:
        """Play samples from `state`, onto the path; returns the path's plies."""
        while ply < max_depth and not is_over(setup, tree.state):
            tree.path[ply] = sample(setup, tree.state, tree.counters)
            apply(setup, tree.state, tree.path[ply], tree.state)
            ply += 1
            tree.counters[PLIES] += 1
        tree.counters[ITERATIONS] += 1
        return ply

    @inline
    def try_action(setup: Any, tree: Tree, level: int) -> None:
        """Try the next action of a level's position, by samples or by the level below."""
        frame = FRAME_SIZE * level
        ply = tree.frames[frame + PLY]
        tree.path[ply] = tree.choices[most * level + tree.frames[frame + TRIED]]
        tree.frames[frame + TRIED] += 1
        copy_numbers(tree.states, size * level, tree.state, 0, size)
        apply(setup, tree.state, tree.path[ply], tree.state)
        if level > 1:
            enter(setup, tree, level - 1, ply + 1)
        else:
            length = roll_out(setup, tree, ply + 1)
            note(tree, level, 1.0 * score(setup, tree.state), tree.path, 0, length)

    @inline
    def follow(setup: Any, tree: Tree, level: int) -> None:
        """Play the next action of a level's best line."""
        frame = FRAME_SIZE * level
        ply = tree.frames[frame + PLY]
        tree.path[ply] = tree.lines[max_depth * level + ply]
        tree.frames[frame + PLY] += 1
        copy_numbers(tree.states, size * level, tree.state, 0, size)
        apply(setup, tree.state, tree.path[ply], tree.state)
        copy_numbers(tree.state, 0, tree.states, size * level, size)
        list_actions(setup, tree, level)

    @inline
    def leave(setup: Any, tree: Tree, level: int) -> None:
        """Pass a search's best line to the level above; from the top level, to the plan."""
        frame = FRAME_SIZE * level
        if tree.numbers[level] == WORST:  # the game was over when the search began
            copy_numbers(tree.states, size * level, tree.state, 0, size)
            final = 1.0 * score(setup, tree.state)
            note(tree, level, final, tree.path, 0, tree.frames[frame + PLY])
            tree.counters[ITERATIONS] += 1
        above = level + 1 if level < top else 0
        length = tree.frames[frame + LENGTH]
        note(tree, above, tree.numbers[level], tree.lines, max_depth * level, length)
        tree.counters[CURRENT] = above
        if above == 0:
            tree.counters[SEARCHES] += 1
            if length == 0:
                tree.counters[IS_OVER] = 1

    def search(setup: Ints, root: Ints, tree: Tree, n: int) -> None:
        counters = tree.counters
        end = counters[ITERATIONS] + n
        while counters[ITERATIONS] < end and counters[IS_OVER] == 0:
            level = counters[CURRENT]
            frame = FRAME_SIZE * level
            if level == 0:
                copy_numbers(root, 0, tree.state, 0, size)
                enter(setup, tree, top, 0)
            elif tree.frames[frame + N_ACTIONS] == 0:
                leave(setup, tree, level)
            elif tree.frames[frame + TRIED] < tree.frames[frame + N_ACTIONS]:
                try_action(setup, tree, level)
            else:
                follow(setup, tree, level)

    return search


if AT_HOME:
    from ...search.checks.limits import check_calls

    check_calls(globals())
