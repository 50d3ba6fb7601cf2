"""Max^n and paranoid search: games of any number of players who move in turns.

Sources: C. Luckhardt, K. Irani, "An Algorithmic Solution of N-Person Games" (AAAI 1986): each player
takes what is best for itself. N. Sturtevant, R. Korf, "On Pruning Techniques for Multi-Player Games"
(AAAI 2000): paranoid, where all others are taken to play against the player who searches, so that
alpha-beta prunes and the same time looks deeper; with it a transposition table and killer moves, as
in `alphabeta.py`.

The search deepens by some plies at a time and stops anywhere: its stack is in the tree. Letters as in
`shared/core/game.py`, D the greatest depth, and E entries of the table.

    counters int64[N_COUNTERS]   see below
    states   int64[S (D + 1)]    the position at each ply; the root is the first
    actions  int64[A (D + 1)]    the actions of each ply
    listed   int64[4 (D + 1)]    at each ply: actions, those looked at, the player to move, the best
    values   float64[P (D + 1)]  at each ply: the scores of the best action so far
    bounds   float64[2 (D + 1)]  at each ply: the least that the searching player has for sure, and the
                                 most that the others leave it (paranoid)
    order    int64[3 (D + 1)]    at each ply: the position's key, the two actions that cut last
    table, known int64[3 E], float64[E]  see `transpositions.py`; a position's value stands in `known`
    state, after int64[S], choices int64[A], scores float64[P]   room for two positions, for the
                                 actions and the scores of one
"""

from typing import Callable, NamedTuple

from shared.core.buffers import copy
from shared.core.clock import Clock
from shared.core.game import SequentialGame
from shared.core.jit import Floats, Ints, float_buffer, inline, int_buffer, njit
from shared.search.transpositions import (
    ENTRY_SIZE,
    EXACT,
    LOWER,
    UPPER,
    entry_action,
    entry_data,
    find_entry,
    is_enough,
    store_entry,
)

PLY, DEPTH, BEST_ACTION, IS_CUT, IS_FINISHED, AGE, N_COUNTERS = range(7)
N_LISTED, N_TRIED, MOVER, BEST = range(4)
FLOOR, CEILING = range(2)
KEY, KILLER = range(2)

WORST = -1e300


class Options(NamedTuple):
    """How to search. depth: the most plies. paranoid: whether all others play against the player
    who searches; else each plays for itself. step: by how many plies the search deepens.

    For paranoid search alone: killers: whether the two actions that last cut at a ply are tried
    first. table: whether to use the transposition table, before them; the game has a `key` then,
    and whose search it is must not change from turn to turn.
    """

    depth: int
    paranoid: bool = True
    step: int = 1
    killers: bool = False
    table: bool = False


class Tree(NamedTuple):
    """The state of a search; see the module's docstring."""

    counters: Ints
    states: Ints
    actions: Ints
    listed: Ints
    values: Floats
    bounds: Floats
    order: Ints
    table: Ints
    known: Floats
    state: Ints
    after: Ints
    choices: Ints
    scores: Floats


def new_tree(game: SequentialGame, options: Options, table_bits: int = 1) -> Tree:
    """Buffers for searches to the options' depth, with 2**table_bits entries in the table (32 bytes
    each).
    """
    n_plies = options.depth + 1
    return Tree(
        counters=int_buffer(N_COUNTERS),
        states=int_buffer(game.state_size * n_plies),
        actions=int_buffer(game.max_actions * n_plies),
        listed=int_buffer(4 * n_plies),
        values=float_buffer(game.n_players * n_plies),
        bounds=float_buffer(2 * n_plies),
        order=int_buffer([-1] * (3 * n_plies)),
        table=int_buffer(ENTRY_SIZE << table_bits),
        known=float_buffer(1 << table_bits),
        state=int_buffer(game.state_size),
        after=int_buffer(game.state_size),
        choices=int_buffer(game.max_actions),
        scores=float_buffer(game.n_players),
    )


def reset(tree: Tree) -> None:
    """Forget what was searched but for the table: the next slice begins with the state that it is
    given.
    """
    for i in range(AGE):
        tree.counters[i] = 0
    tree.counters[AGE] += 1
    for i in range(len(tree.order)):
        tree.order[i] = -1


def is_finished(tree: Tree) -> bool:
    """Whether a deeper search would say the same, or may not be."""
    return tree.counters[IS_FINISHED] == 1


def best_action(tree: Tree) -> int:
    """The best action at the root, as the deepest search has it so far."""
    return int(tree.counters[BEST_ACTION])


def depth_reached(tree: Tree) -> int:
    """How many plies the last search that came to its end looked ahead, where it deepens by one."""
    return int(tree.counters[DEPTH]) - 1


def make_choose(search: Callable, tree: Tree, clock: Clock) -> Callable[[Ints, Ints], int]:
    """choose(setup, state): the best action, searched for as long as the clock grants."""

    def choose(setup, state):
        reset(tree)
        while not is_finished(tree) and (nodes := clock.grant()):
            search(setup, state, tree, nodes)
        return best_action(tree)

    return choose


@inline
def begin(tree, ply):
    """Begin to try the actions of the position at a ply."""
    tree.listed[4 * ply + N_TRIED] = 0
    tree.listed[4 * ply + BEST] = -1
    tree.bounds[2 * ply + FLOOR] = tree.bounds[2 * ply - 2 + FLOOR] if ply else WORST
    tree.bounds[2 * ply + CEILING] = tree.bounds[2 * ply - 2 + CEILING] if ply else -WORST


@inline
def put_first(actions, n, action):
    """Move an action to the front of a list where it is in it; the others stay in their order."""
    place = 0
    while place < n and actions[place] != action:
        place += 1
    while 0 < place < n:
        actions[place] = actions[place - 1]
        place -= 1
        actions[place] = action


@inline
def no_key(setup, state):
    """Of a game whose positions are not told apart."""
    return 0


def make_search(game: SequentialGame, options: Options) -> Callable[[Ints, Ints, Tree, int], None]:
    """The search of a game, to be compiled with `kernel`.

    search(setup, state, tree, nodes) looks at so many positions more. state int64[S], with at least
    one action, is read in the first slice after `reset`.
    """
    n_players, size, max_actions = game.n_players, game.state_size, game.max_actions
    to_move, legal, apply = game.to_move, game.legal, game.apply
    is_over, evaluate, key_of = game.is_over, game.evaluate, game.key or no_key
    max_depth, paranoid, step, with_killers, with_table = options
    if not 1 <= step <= max_depth:
        raise ValueError(f"depth is 1 or more plies and step at most that, not {options[:3]}")
    if with_table and (not paranoid or game.key is None):
        raise ValueError("a table is for paranoid search of a game with a key")

    @njit
    def look_up(setup, tree, ply):
        """The action the table knows for a position, -1 for none, or -2 where it knows the value."""
        key = key_of(setup, tree.state)
        tree.order[3 * ply + KEY] = key
        entry = find_entry(tree.table, key) if key != 0 else -1
        if entry < 0:
            return -1
        value, data = tree.known[entry // ENTRY_SIZE], tree.table[entry + 2]
        floor, ceiling = tree.bounds[2 * ply - 2 + FLOOR], tree.bounds[2 * ply - 2 + CEILING]
        if is_enough(data, value, tree.counters[DEPTH] - ply, floor, ceiling):
            tree.values[n_players * ply + tree.listed[MOVER]] = value
            tree.counters[IS_CUT] = 1  # for all that is known here
            return -2
        return entry_action(data)

    @njit
    def remember(tree, ply):
        """Keep in the table what the position at a ply, not the root, is worth."""
        value = tree.values[n_players * ply + tree.listed[MOVER]]
        flag = EXACT
        if value <= tree.bounds[2 * ply - 2 + FLOOR]:
            flag = UPPER
        elif value >= tree.bounds[2 * ply - 2 + CEILING]:
            flag = LOWER
        depth_left = tree.counters[DEPTH] - ply
        data = entry_data(tree.listed[4 * ply + BEST], flag, depth_left, tree.counters[AGE])
        entry = store_entry(tree.table, tree.order[3 * ply + KEY], 0, data)
        tree.known[entry // ENTRY_SIZE] = value

    @njit
    def expand(setup, tree, ply):
        """Begin with the position at a ply: whether there are actions to try. Where there are none
        its scores stand in `values`.
        """
        copy(tree.states, size * ply, tree.state, 0, size)
        n, first = 0, -1
        if not is_over(setup, tree.state):
            if ply == tree.counters[DEPTH]:
                tree.counters[IS_CUT] = 1
            else:
                if with_table and ply > 0:
                    first = look_up(setup, tree, ply)
                    if first == -2:
                        return False
                n = legal(setup, tree.state, tree.choices)
        if n == 0:
            evaluate(setup, tree.state, tree.scores)
            copy(tree.scores, 0, tree.values, n_players * ply, n_players)
            return False
        if with_killers:
            put_first(tree.choices, n, tree.order[3 * ply + KILLER + 1])
            put_first(tree.choices, n, tree.order[3 * ply + KILLER])
        if with_table:
            put_first(tree.choices, n, first)
        copy(tree.choices, 0, tree.actions, max_actions * ply, n)
        tree.listed[4 * ply + N_LISTED] = n
        tree.listed[4 * ply + MOVER] = to_move(setup, tree.state)
        begin(tree, ply)
        return True

    @njit
    def note_killer(tree, ply, action):
        """Remember an action that cut among the two of its ply."""
        if tree.order[3 * ply + KILLER] != action:
            tree.order[3 * ply + KILLER + 1] = tree.order[3 * ply + KILLER]
            tree.order[3 * ply + KILLER] = action

    @njit
    def back_up(tree, ply):
        """Let the position at a ply know what the action that was tried last leads to."""
        mover, best = tree.listed[4 * ply + MOVER], tree.listed[4 * ply + BEST]
        me = tree.listed[MOVER]
        judge = me if paranoid else mover
        new = tree.values[n_players * (ply + 1) + judge]
        old = tree.values[n_players * ply + judge]
        if best >= 0 and not (new > old if judge == mover else new < old):
            return
        tried = tree.listed[4 * ply + N_TRIED] - 1
        action = tree.actions[max_actions * ply + tried]
        tree.listed[4 * ply + BEST] = action
        copy(tree.values, n_players * (ply + 1), tree.values, n_players * ply, n_players)
        if paranoid:
            if mover == me:
                tree.bounds[2 * ply + FLOOR] = max(tree.bounds[2 * ply + FLOOR], new)
            else:
                tree.bounds[2 * ply + CEILING] = min(tree.bounds[2 * ply + CEILING], new)
            if tree.bounds[2 * ply + FLOOR] >= tree.bounds[2 * ply + CEILING]:
                # Somebody has better already and would not let it come to this.
                tree.listed[4 * ply + N_TRIED] = tree.listed[4 * ply + N_LISTED]
                if with_killers:
                    note_killer(tree, ply, action)

    @njit
    def deepen(tree, n):
        """Go deeper from the root, whose n actions have all been tried, unless that says nothing
        new.
        """
        if tree.counters[IS_CUT] == 0 or tree.counters[DEPTH] + step > max_depth:
            tree.counters[IS_FINISHED] = 1
            return
        tree.counters[DEPTH] += step
        tree.counters[IS_CUT] = 0
        put_first(tree.actions, n, tree.counters[BEST_ACTION])
        begin(tree, 0)

    def search(setup: Ints, state: Ints, tree: Tree, nodes: int) -> None:
        counters = tree.counters
        if counters[DEPTH] == 0:
            copy(state, 0, tree.states, 0, size)
            counters[DEPTH] = step
            if not expand(setup, tree, 0):
                counters[IS_FINISHED] = 1
        while nodes > 0 and counters[IS_FINISHED] == 0:
            ply = counters[PLY]
            tried, n = tree.listed[4 * ply + N_TRIED], tree.listed[4 * ply + N_LISTED]
            if tried < n:
                tree.listed[4 * ply + N_TRIED] = tried + 1
                copy(tree.states, size * ply, tree.state, 0, size)
                apply(setup, tree.state, tree.actions[max_actions * ply + tried], tree.after)
                copy(tree.after, 0, tree.states, size * (ply + 1), size)
                nodes -= 1
                if expand(setup, tree, ply + 1):
                    counters[PLY] = ply + 1
                    continue
            elif ply > 0:
                if with_table and tree.order[3 * ply + KEY] != 0:
                    remember(tree, ply)
                ply -= 1
                counters[PLY] = ply
            else:
                deepen(tree, n)
                continue
            back_up(tree, ply)
            if ply == 0:
                # The best action of the depth before is tried first, so this is no worse.
                counters[BEST_ACTION] = tree.listed[BEST]

    return search
