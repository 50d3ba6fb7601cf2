"""Games that tree searches play against themselves or each other, for training: the visits of each
action, the search's value of the position, and the result of the game. At home only.

Source: Silver et al., "Mastering the game of Go without human knowledge" (Nature 550, 2017): a
search improves on the policy and value that guide it, and so its visits are a target to learn.
Letters as in `shared/core/game.py`, and P positions.
"""

import math
from typing import Any, Callable, NamedTuple, Optional

import numpy as np

from ..core.game import AlternatingGame
from ..core.jit import Floats, Ints, inline, kernel, njit
from ..core.rng import random_below, random_unit, seed_rng
from ..search import alphabeta
from ..search.alphabeta import FINISHED, STAGE
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
REDRAWN = 16  # openings of a game at most
SPARE_NODES = 1000
TABLE_BITS = 14
VARIED = 10  # of so many varied plies of alpha-beta one is random
MOST_ESTIMATE = 0.999


class Positions(NamedTuple):
    """states int64[P, S]; shares uint8[P, A], of the visits of each action, MAX_SHARE for the most
    visited one, all 0 if every action is a proven loss; values float32[P] by the search, and
    results int8[P], 1, 0 or -1, both for the player to move.
    """

    states: np.ndarray
    shares: np.ndarray
    values: np.ndarray
    results: np.ndarray


class Schedule(NamedTuple):
    """Variation of games. random_plies: the most random plies that a game begins with.
    varied_plies: before this ply, actions are drawn in proportion to their visits, later the best
    one is played. swapped: 1 if the second side makes the first search. decided: a game ends at a
    value of so many thousandths, which counts as its result; above 1000 it is played to its end.
    """

    iterations: int
    random_plies: int
    varied_plies: int
    swapped: int = 0
    decided: int = 1001


class Side(NamedTuple):
    """A search that plays a game.

    turn(setup, state, tree, rng, record, n)  searches the position before ply n, records it, and
                                              plays there.
    tree_type, new_tree(iterations)           the type and the factory of the buffers.
    begin(tree, seed)                         prepares the buffers for a game.
    """

    game: AlternatingGame
    turn: Callable
    tree_type: Any
    new_tree: Callable[[int], Any]
    begin: Callable[[Any, int], None]


class Mind(NamedTuple):
    """The buffers of a side: the setup of its game, the tree of its search."""

    setup: Any
    tree: Any


class Record(NamedTuple):
    """The record of a game: states [D S], visits [D A], values [D], plan [5] a Schedule."""

    states: Ints
    visits: Ints
    values: Floats
    plan: Ints


@inline
def policy_weight(tree, child):
    """Returns a child's weight: visits, 2**30 for a proven win, 0 for a proven loss."""
    visits = visits_of(tree.nodes, child)
    if is_fixed(tree.arms, child):
        mean = mean_of(tree.arms, child)
        return 1 << 30 if mean > 0.0 else 0 if mean < 0.0 else visits
    return visits


@inline
def choose(tree, rng, is_varied):
    """Choose the root's child to play."""
    best = first_child_of(tree.nodes, 0)
    total = 0
    for child in children_of(tree.nodes, 0):
        total += policy_weight(tree, child)
        if policy_weight(tree, child) > policy_weight(tree, best):
            best = child
    if is_varied and total > 0:
        left = int(random_unit(rng) * total)
        for child in children_of(tree.nodes, 0):
            left -= policy_weight(tree, child)
            if left < 0:
                return child
    return best


def tree_side(game: AlternatingGame, options: Options, refresh: Optional[Callable] = None) -> Side:
    """Make a side of UCT or PUCT. refresh(setup, state), if given, is called before each
    search.
    """
    state_size, max_actions, apply = game.state_size, game.max_actions, game.apply
    search = njit(make_search(game, options))
    with_refresh = refresh is not None
    prepare = njit(refresh if with_refresh else lambda setup, state: None)

    @njit
    def turn(setup, state, tree, rng, record, n):
        states, visits, values, plan = record
        clear_node(tree, 0, 0)
        tree.counters[N_NODES] = 1
        if with_refresh:
            prepare(setup, state)
        search(setup, state, tree, plan[0])
        for i in range(state_size):
            states[state_size * n + i] = state[i]
        for i in range(max_actions):
            visits[max_actions * n + i] = 0
        for child in children_of(tree.nodes, 0):
            visits[max_actions * n + action_of(tree.nodes, child)] = policy_weight(tree, child)
        values[n] = -mean_of(tree.arms, 0)
        child = choose(tree, rng, n < plan[2])
        apply(setup, state, action_of(tree.nodes, child), state)

    def new_buffers(iterations: int) -> Tree:
        return new_tree(game, options, iterations * max_actions + SPARE_NODES)

    def begin(tree: Tree, seed: int) -> None:
        seed_rng(tree.counters, seed)

    return Side(game, turn, Tree, new_buffers, begin)


def alpha_beta_side(
    game: AlternatingGame, options: alphabeta.Options, stages: tuple, points_of: Callable
) -> Side:
    """Make a side that plays alpha-beta. stages: the further arguments of its `make_search`. A
    share of the varied plies is random. Values are tanh(evaluation /
    points_of(setup)).

    A position whose best action is noisy, which the search follows anyway, has no visits.
    """
    state_size, max_actions = game.state_size, game.max_actions
    apply, sample = game.apply, game.sample
    search = njit(alphabeta.make_search(game, options, *stages))
    reset, noisy = njit(alphabeta.reset), stages[0] if stages else alphabeta.no_actions

    @njit
    def turn(setup, state, tree, rng, record, n):
        states, visits, values, plan = record
        reset(tree)
        counters = tree.counters
        while counters[alphabeta.DONE_DEPTH] == 0 and counters[STAGE] != FINISHED:
            search(setup, state, tree, plan[0])
        for i in range(state_size):
            states[state_size * n + i] = state[i]
        for i in range(max_actions):
            visits[max_actions * n + i] = 0
        action = tree.lines[0]
        is_quiet = True
        for i in range(noisy(setup, state, tree.listed)):
            if tree.listed[i] == action:
                is_quiet = False
        if is_quiet:
            visits[max_actions * n + action] = plan[0]
        value = counters[alphabeta.DONE_VALUE]
        if abs(value) >= alphabeta.LEAST_WIN:
            values[n] = 1.0 if value > 0 else -1.0
        else:
            # Half a point more: no estimate is 0, which is a proven draw.
            values[n] = MOST_ESTIMATE * math.tanh((value + 0.5) / points_of(setup))
        if n < plan[2] and random_below(rng, VARIED) == 0:
            action = sample(setup, state, rng)
        apply(setup, state, action, state)

    def new_buffers(iterations: int) -> alphabeta.Tree:
        return alphabeta.new_tree(game, options, TABLE_BITS)

    def begin(tree: alphabeta.Tree, seed: int) -> None:
        for buffer in (tree.counters[: alphabeta.AGE + 1], tree.history, tree.table):
            np.asarray(buffer)[:] = 0

    return Side(game, turn, alphabeta.Tree, new_buffers, begin)


def make_recorder(rules: AlternatingGame, first: Side, second: Side) -> Callable:
    """record(tables, one, other, start, rng, record) -> the number of positions of one game, 0 if
    the game was over after its random plies. `start`, the first position, is overwritten with the
    final one. one, other: the Mind of each side.
    """
    apply, is_over, sample = rules.apply, rules.is_over, rules.sample
    first_turn, second_turn = first.turn, second.turn
    first_tree, second_tree = first.tree_type, second.tree_type
    one_type, other_type = first.game.setup_type or Ints, second.game.setup_type or Ints

    def record(
        tables: Ints,
        setup: one_type,
        tree: first_tree,
        other_setup: other_type,
        other_tree: second_tree,
        start: Ints,
        rng: Ints,
        record: Record,
    ) -> int:
        for _ in range(random_below(rng, record.plan[1] + 1)):
            if not is_over(tables, start):
                apply(tables, start, sample(tables, start, rng), start)
        n = 0
        while not is_over(tables, start) and n < len(record.values):
            if (n & 1) == record.plan[3]:
                first_turn(setup, start, tree, rng, record, n)
            else:
                second_turn(other_setup, start, other_tree, rng, record, n)
            n += 1
            if 1000.0 * abs(record.values[n - 1]) >= record.plan[4]:
                return n
        return n

    return record


class Games:
    """Games of two sides from the position `start`, each determined by its seed alone.

    rules: the game without a network, whose setup is `tables`. Games longer than max_plies are
    drawn.
    """

    def __init__(
        self,
        rules: AlternatingGame,
        tables: Ints,
        start: Ints,
        max_plies: int,
        first: Side,
        second: Optional[Side] = None,
    ):
        self.rules, self.tables, self.start, self.max_plies = rules, tables, start, max_plies
        self.sides = first, second or first
        self.record = kernel(make_recorder(rules, *self.sides))
        is_over, result = rules.is_over, rules.result

        @kernel
        def final(tables: Ints, state: Ints) -> int:
            return result(tables, state) if is_over(tables, state) else 0

        self.final = final

    def play(self, schedule: Schedule, seed: int, one: Mind, other: Mind) -> Positions:
        """Play the game of a seed; returns its Positions.

        An opening that the search proves decided, or that ends the game, is drawn anew.
        """
        size, width = self.rules.state_size, self.rules.max_actions
        room = Record(
            states=np.zeros(self.max_plies * size, np.int64),
            visits=np.zeros(self.max_plies * width, np.int64),
            values=np.zeros(self.max_plies),
            plan=np.array(schedule, np.int64),
        )
        for attempt in range(REDRAWN):
            rng = np.zeros(1, np.int64)
            seed_rng(rng, seed * REDRAWN + attempt)
            for number, (side, mind) in enumerate(zip(self.sides, (one, other))):
                side.begin(mind.tree, 2 * (seed * REDRAWN + attempt) + number)
            state = np.array(self.start, np.int64)
            n = self.record(self.tables, *one, *other, state, rng, room)
            if n and abs(room.values[0]) < 1.0:
                break
        value = room.values[n - 1] if n else 0.0
        if 1000.0 * abs(value) >= schedule.decided:
            result = -1 if value > 0.0 else 1  # for the player after the last position
        else:
            result = int(self.final(self.tables, state))
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
