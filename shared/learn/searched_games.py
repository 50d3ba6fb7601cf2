"""Training positions from games that a tree search plays against itself: the visits of each action,
the search's value of the position, and the result of the game. At home only.

Source: Silver et al., "Mastering the game of Go without human knowledge" (Nature 550, 2017): a
search improves on the policy and value that guide it, and so its visits are a target to learn.
Letters as in `shared/core/game.py`, and P positions.
"""

from typing import Any, Callable, NamedTuple, Optional

import numpy as np

from ..core.game import AlternatingGame
from ..core.jit import Floats, Ints, inline, kernel, njit
from ..core.rng import random_below, random_unit, seed_rng
from ..search.bandit import is_fixed, mean_of
from ..search.mcts import Options, Tree, make_search, new_tree
from ..search.tree import (
    N_NODES,
    action_of,
    children_of,
    clear_node,
    first_child_of,
    visits_of,
)

MAX_SHARE = 255


class Positions(NamedTuple):
    """states int64[P, S]; shares uint8[P, A], of the visits of each action, MAX_SHARE for the most
    visited one, all 0 if every action is a proven loss; values float32[P], by the search; results
    int8[P], 1, 0 or -1. Both are for the player to move.
    """

    states: np.ndarray
    shares: np.ndarray
    values: np.ndarray
    results: np.ndarray


class Schedule(NamedTuple):
    """Variation of games. random_plies: a game begins with fewer than this many random ones;
    varied_plies: before this ply, actions are drawn in proportion to their visits, later the best
    one is played.
    """

    iterations: int
    random_plies: int
    varied_plies: int


class Record(NamedTuple):
    """The record of a game: states [D S], visits [D A], values [D], plan [3] a Schedule."""

    states: Ints
    visits: Ints
    values: Floats
    plan: Ints


@inline
def policy_weight(tree, child):
    """The weight for playing a child: its visits, unless it is a proven win or loss."""
    visits = visits_of(tree.nodes, child)
    if is_fixed(tree.arms, child):
        mean = mean_of(tree.arms, child)
        return 1 << 30 if mean > 0.0 else 0 if mean < 0.0 else visits
    return visits


def make_recorder(game: AlternatingGame, options: Options, refresh: Optional[Callable]) -> Callable:
    """record(setup, start, tree, record) -> the number of positions of one game, 0 if the game was
    over after its random plies. It starts at `start` and overwrites it with the final position.

    refresh(setup, state), if given, is called before each search.
    """
    apply, is_over, sample = game.apply, game.is_over, game.sample
    state_size, max_actions = game.state_size, game.max_actions
    setup_type = game.setup_type or Ints
    search = njit(make_search(game, options))
    with_refresh = refresh is not None
    prepare = njit(refresh if refresh is not None else lambda setup, state: None)

    @inline
    def choose(tree, is_varied):
        """Choose the root's child to play."""
        best = first_child_of(tree.nodes, 0)
        total = 0
        for child in children_of(tree.nodes, 0):
            total += policy_weight(tree, child)
            if policy_weight(tree, child) > policy_weight(tree, best):
                best = child
        if is_varied and total > 0:
            left = int(random_unit(tree.counters) * total)
            for child in children_of(tree.nodes, 0):
                left -= policy_weight(tree, child)
                if left < 0:
                    return child
        return best

    def record(setup: setup_type, start: Ints, tree: Tree, record: Record) -> int:
        states, visits, values, plan = record
        for _ in range(random_below(tree.counters, plan[1] + 1)):
            if not is_over(setup, start):
                apply(setup, start, sample(setup, start, tree.counters), start)
        n = 0
        while not is_over(setup, start) and n < len(values):
            clear_node(tree, 0, 0)
            tree.counters[N_NODES] = 1
            if with_refresh:
                prepare(setup, start)
            search(setup, start, tree, plan[0])
            for i in range(state_size):
                states[state_size * n + i] = start[i]
            for i in range(max_actions):
                visits[max_actions * n + i] = 0
            for child in children_of(tree.nodes, 0):
                visits[max_actions * n + action_of(tree.nodes, child)] = policy_weight(tree, child)
            child = choose(tree, n < plan[2])
            values[n] = -mean_of(tree.arms, 0)
            apply(setup, start, action_of(tree.nodes, child), start)
            n += 1
        return n

    return record


class Games:
    """Plays games from the position `start`, each determined by its seed alone."""

    def __init__(
        self,
        game: AlternatingGame,
        options: Options,
        setup: Any,
        start: Ints,
        max_plies: int,
        refresh: Optional[Callable] = None,
        capacity: int = 100_000,
    ):
        self.game, self.setup, self.start, self.max_plies = game, setup, start, max_plies
        self.record = kernel(make_recorder(game, options, refresh))
        self.tree = new_tree(game, options, capacity)
        result, setup_type = game.result, game.setup_type or Ints

        @kernel
        def final(setup: setup_type, state: Ints) -> int:
            return result(setup, state)

        self.final = final

    def play(self, schedule: Schedule, seed: int) -> Positions:
        """Play the game of a seed; returns its Positions."""
        seed_rng(self.tree.counters, seed)
        size, width = self.game.state_size, self.game.max_actions
        room = Record(
            states=np.zeros(self.max_plies * size, np.int64),
            visits=np.zeros(self.max_plies * width, np.int64),
            values=np.zeros(self.max_plies),
            plan=np.array(schedule, np.int64),
        )
        state = np.array(self.start, np.int64)
        n = self.record(self.setup, state, self.tree, room)
        result = int(self.final(self.setup, state))
        results = np.array([result * (1 if (n - i) % 2 == 0 else -1) for i in range(n)], np.int8)
        visits = room.visits.reshape(-1, width)[:n]
        most = np.maximum(visits.max(axis=1, initial=1, keepdims=True), 1)
        return Positions(
            room.states.reshape(-1, size)[:n].copy(),
            np.rint(MAX_SHARE * (visits / most)).astype(np.uint8),
            room.values[:n].astype(np.float32),
            results,
        )


def concatenated(parts: list) -> Positions:
    """Concatenate several Positions."""
    return Positions(*(np.concatenate(column) for column in zip(*parts)))
