"""Max^n and paranoid search: games of any number of players who move in turns.

Sources: C. Luckhardt, K. Irani, "An Algorithmic Solution of N-Person Games" (AAAI 1986): each
player maximises its own score. N. Sturtevant, R. Korf, "On Pruning Techniques for Multi-Player
Games" (AAAI 2000): paranoid, which assumes that all others play against the searching player, so
that alpha-beta prunes and the search goes deeper in the same time; with it a transposition table
and killer moves, as in `alphabeta.py`.

The search deepens by some plies at a time and stops anywhere: its stack is in the tree. Letters as
in `shared/core/game.py`, D the greatest depth, and E entries of the table.

    counters int64[N_COUNTERS]   see below
    states   int64[S (D + 1)]    the position at each ply; the root is the first
    actions  int64[A (D + 1)]    the actions of each ply
    rows     int64[8 (D + 1)]    the fields of each ply named below: `rows[row + MOVER]`, where
                                 row = ROW_SIZE * ply
    values   float64[P (D + 1)]  at each ply: the scores of the best action so far
    lines    int64[(D + 1)**2]   at each ply: the expected line from there on, ended by -1
    alpha    float64[D + 1]      at each ply (paranoid): the searching player's lower bound
    beta     float64[D + 1]      its upper bound, set by other players
    table, known int64[3 E], float64[E]  see `transpositions.py`; a position's value is in `known`
    state, after int64[S], choices int64[A], scores float64[P]   scratch space: two positions, the
                                 actions and scores of one
"""

from typing import Any, Callable, NamedTuple

from ..core.clock import Clock
from ..core.game import SequentialGame
from ..core.jit import (
    AT_HOME,
    Floats,
    Function,
    Ints,
    copy_numbers,
    float_buffer,
    inline,
    int_buffer,
    njit,
)
from ..search.transpositions import (
    ENTRY_SIZE,
    EXACT,
    LOWER,
    UPPER,
    entry_action,
    entry_data,
    find_entry,
    is_enough,
    put_first,
    store_entry,
)

PLY, DEPTH, BEST_ACTION, IS_CUT, IS_FINISHED, AGE, N_COUNTERS = range(7)
# The fields of a row: numbers of listed and tried actions, the player to move, the best action, the
# position's key, and the last two actions that cut.
N_LISTED, N_TRIED, MOVER, BEST, KEY, KILLER = range(6)
ROW_SIZE = 8

WORST = -1e300


class Options(NamedTuple):
    """Options of a search. depth: the most plies. paranoid: all others play against the searching
    player; else each plays for itself. step: plies added by each deepening.

    For paranoid search only: killers: the two actions that last cut at a ply are tried first.
    table: use the transposition table, its action before the killers; the game then has a
    `key`, and the searching player must never change.
    """

    depth: int
    paranoid: bool = True
    step: int = 1
    killers: bool = False
    table: bool = False


class Tree(NamedTuple):
    """The state of a search, as the module lists it."""

    counters: Ints
    states: Ints
    actions: Ints
    rows: Ints
    values: Floats
    lines: Ints
    alpha: Floats
    beta: Floats
    table: Ints
    known: Floats
    state: Ints
    after: Ints
    choices: Ints
    scores: Floats


def new_tree(game: SequentialGame, options: Options, table_bits: int = 1) -> Tree:
    """Returns buffers to the options' depth, with 2**table_bits table entries of 32 bytes."""
    n_plies = options.depth + 1
    return Tree(
        counters=int_buffer(N_COUNTERS),
        states=int_buffer(game.state_size * n_plies),
        actions=int_buffer(game.max_actions * n_plies),
        rows=int_buffer([-1] * (ROW_SIZE * n_plies)),
        values=float_buffer(game.n_players * n_plies),
        lines=int_buffer([-1] * n_plies**2),
        alpha=float_buffer(n_plies),
        beta=float_buffer(n_plies),
        table=int_buffer(ENTRY_SIZE << table_bits),
        known=float_buffer(1 << table_bits),
        state=int_buffer(game.state_size),
        after=int_buffer(game.state_size),
        choices=int_buffer(game.max_actions),
        scores=float_buffer(game.n_players),
    )


def reset(tree: Tree) -> None:
    """Discard all but the table: the next slice begins at its given state."""
    for i in range(AGE):
        tree.counters[i] = 0
    tree.counters[AGE] += 1
    for i in range(len(tree.rows)):
        tree.rows[i] = -1


def is_finished(tree: Tree) -> bool:
    """Returns True if no deeper search can change the result."""
    return tree.counters[IS_FINISHED] == 1


def best_action(tree: Tree) -> int:
    """Returns the root's best action by the deepest search; -1 if none."""
    return int(tree.counters[BEST_ACTION]) if tree.rows[N_LISTED] > 0 else -1


class Summary(NamedTuple):
    """The depth searched to its end if the search deepens by one, and the best action."""

    depth: int
    action: int


def summary(tree: Tree) -> Summary:
    """Returns a `Summary`."""
    return Summary(depth=int(expected(tree)[1]), action=best_action(tree))


def expected(tree: Tree) -> tuple[Any, ...]:
    """Returns (value, finished depth, line) of the searching player; value nan at first."""
    line = list(tree.lines[: len(tree.alpha)])
    value = tree.values[tree.rows[MOVER]] if line[0] >= 0 else float("nan")
    return value, tree.counters[DEPTH] - 1 + tree.counters[IS_FINISHED], line[: line.index(-1)]


def make_choose(search: Function, tree: Tree, clock: Clock) -> Function:
    """choose(setup, state): the best action, searched for while the clock grants nodes."""

    def choose(setup: Ints, state: Ints) -> int:
        reset(tree)
        while not is_finished(tree) and (nodes := clock.grant()):
            search(setup, state, tree, nodes)
        return best_action(tree)

    return choose


@inline
def begin(tree: Tree, ply: int) -> None:
    """Begin with the actions of the position at a ply."""
    rows, row = tree.rows, ROW_SIZE * ply
    rows[row + N_TRIED] = 0
    rows[row + BEST] = -1
    tree.alpha[ply] = tree.alpha[ply - 1] if ply else WORST
    tree.beta[ply] = tree.beta[ply - 1] if ply else -WORST


@inline
def no_key(setup: Any, state: Ints) -> int:
    """Returns 0, for games without `key`."""
    return 0


def make_search(game: SequentialGame, options: Options) -> Callable[[Ints, Ints, Tree, int], None]:
    """search(setup, state, tree, nodes), for `kernel`, visits this many more positions.

    state int64[S], with at least one action, is read in the first slice after `reset`.
    """
    n_players, size, max_actions = game.n_players, game.state_size, game.max_actions
    to_move, legal, apply = game.to_move, game.legal, game.apply
    is_over, evaluate, key_of = game.is_over, game.evaluate, game.key or no_key
    n_plies = options.depth + 1
    max_depth, step, paranoid = options.depth, options.step, options.paranoid
    with_killers, with_table = options.killers, options.table

    @njit
    def look_up(setup: Any, tree: Tree, ply: int) -> int:
        """Returns the table's best action, -1 if unknown; -2 if its value is sufficient."""
        key = key_of(setup, tree.state)
        tree.rows[ROW_SIZE * ply + KEY] = key
        entry = find_entry(tree.table, key) if key != 0 else -1
        if entry < 0:
            return -1
        value, data = tree.known[entry // ENTRY_SIZE], tree.table[entry + 2]
        alpha, beta = tree.alpha[ply - 1], tree.beta[ply - 1]
        if is_enough(data, value, tree.counters[DEPTH] - ply, alpha, beta):
            tree.values[n_players * ply + tree.rows[MOVER]] = value
            tree.counters[IS_CUT] = 1  # a final value
            return -2
        return entry_action(data)

    @njit
    def remember(tree: Tree, ply: int) -> None:
        """Store the value of the position at a ply, which is not the root, in the table."""
        rows, row = tree.rows, ROW_SIZE * ply
        value = tree.values[n_players * ply + rows[MOVER]]
        flag = EXACT
        if value <= tree.alpha[ply - 1]:
            flag = UPPER
        elif value >= tree.beta[ply - 1]:
            flag = LOWER
        depth_left = tree.counters[DEPTH] - ply
        data = entry_data(rows[row + BEST], flag, depth_left, tree.counters[AGE])
        entry = store_entry(tree.table, rows[row + KEY], 0, data)
        tree.known[entry // ENTRY_SIZE] = value

    @njit
    def expand(setup: Any, tree: Tree, ply: int) -> bool:
        """Returns True if a ply's position has actions to try; else `values` has its scores."""
        rows, row = tree.rows, ROW_SIZE * ply
        tree.lines[n_plies * ply] = -1
        copy_numbers(tree.states, size * ply, tree.state, 0, size)
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
            copy_numbers(tree.scores, 0, tree.values, n_players * ply, n_players)
            return False
        if with_killers:
            put_first(tree.choices, n, rows[row + KILLER + 1])
            put_first(tree.choices, n, rows[row + KILLER])
        if with_table:
            put_first(tree.choices, n, first)
        copy_numbers(tree.choices, 0, tree.actions, max_actions * ply, n)
        rows[row + N_LISTED] = n
        rows[row + MOVER] = to_move(setup, tree.state)
        begin(tree, ply)
        return True

    @njit
    def note_killer(tree: Tree, ply: int, action: int) -> None:
        """Store an action that cut as the newest of its ply's two killers."""
        rows, row = tree.rows, ROW_SIZE * ply
        if rows[row + KILLER] != action:
            rows[row + KILLER + 1] = rows[row + KILLER]
            rows[row + KILLER] = action

    @njit
    def back_up(tree: Tree, ply: int) -> None:
        """Back up the value of the action tried last to the position at a ply."""
        rows, row = tree.rows, ROW_SIZE * ply
        mover, best = rows[row + MOVER], rows[row + BEST]
        me = rows[MOVER]
        judge = me if paranoid else mover
        new = tree.values[n_players * (ply + 1) + judge]
        old = tree.values[n_players * ply + judge]
        if best >= 0 and not (new > old if judge == mover else new < old):
            return
        tried = rows[row + N_TRIED] - 1
        action = tree.actions[max_actions * ply + tried]
        rows[row + BEST] = action
        lines, line = tree.lines, n_plies * ply
        lines[line] = action
        while lines[line + n_plies] >= 0:
            lines[line + 1] = lines[line + n_plies]
            line += 1
        lines[line + 1] = -1
        copy_numbers(tree.values, n_players * (ply + 1), tree.values, n_players * ply, n_players)
        if paranoid:
            if mover == me:
                tree.alpha[ply] = max(tree.alpha[ply], new)
            else:
                tree.beta[ply] = min(tree.beta[ply], new)
            if tree.alpha[ply] >= tree.beta[ply]:
                # An earlier player has a better option already and would avoid this line.
                rows[row + N_TRIED] = rows[row + N_LISTED]
                if with_killers:
                    note_killer(tree, ply, action)

    @njit
    def deepen(tree: Tree, n: int) -> None:
        """Deepen from the root after all n actions were tried, unless the result is final."""
        if tree.counters[IS_CUT] == 0 or tree.counters[DEPTH] + step > max_depth:
            tree.counters[IS_FINISHED] = 1
            return
        tree.counters[DEPTH] += step
        tree.counters[IS_CUT] = 0
        put_first(tree.actions, n, tree.counters[BEST_ACTION])
        begin(tree, 0)

    def search(setup: Ints, state: Ints, tree: Tree, nodes: int) -> None:
        counters, rows = tree.counters, tree.rows
        if counters[DEPTH] == 0:
            copy_numbers(state, 0, tree.states, 0, size)
            counters[DEPTH] = step
            if expand(setup, tree, 0):
                counters[BEST_ACTION] = tree.actions[0]
            else:
                counters[IS_FINISHED] = 1
        while nodes > 0 and counters[IS_FINISHED] == 0:
            ply = counters[PLY]
            row = ROW_SIZE * ply
            tried, n = rows[row + N_TRIED], rows[row + N_LISTED]
            if tried < n:
                rows[row + N_TRIED] = tried + 1
                copy_numbers(tree.states, size * ply, tree.state, 0, size)
                apply(setup, tree.state, tree.actions[max_actions * ply + tried], tree.after)
                copy_numbers(tree.after, 0, tree.states, size * (ply + 1), size)
                nodes -= 1
                if expand(setup, tree, ply + 1):
                    counters[PLY] = ply + 1
                    continue
            elif ply > 0:
                if with_table and rows[row + KEY] != 0:
                    remember(tree, ply)
                ply -= 1
                counters[PLY] = ply
            else:
                deepen(tree, n)
                continue
            back_up(tree, ply)
            if ply == 0:
                # The best action of the previous depth is tried first, so this is no worse.
                counters[BEST_ACTION] = rows[BEST]

    return search


def show_nodes(search: Any, node: int, state: Ints) -> "list[dict[str, Any]]":
    """Returns the expected line's next action as a row for `explore`, with the searching player's
    value. node: the ply.
    """
    value, depth, line = expected(search.tree)
    if not line and best_action(search.tree) >= 0:
        value, line = None, [best_action(search.tree)]  # of a search that was stopped early
    if node >= len(line):
        return []
    row = {"node": node + 1, "action": int(line[node]), "value": value and float(value)}
    return [{**row, "depth": max(int(depth) - node - 1, 0), "weight": 1.0}]


if AT_HOME:
    from ..search.checks.limits import check_calls

    check_calls(globals())
