"""Alpha-beta: the value of a position and its best action, for a game of two players
who move in turns.

Sources: D. Knuth and R. Moore, "An Analysis of Alpha-Beta Pruning" (Artificial Intelligence 6,
1975); J. Fishburn, "Analysis of Speedup in Distributed Algorithms" (1981), fail-soft bounds;
T. Marsland, "A Review of Game-Tree Pruning" (ICCA Journal 9, 1986), aspiration, killers,
history, principal variation search.

The contract of bounds, fail-soft: the search of a position with the window (alpha, beta) returns,
if the position's true value at the depth searched is V,

    a number <= alpha                 where V <= that number    (an upper bound).
    a number between alpha and beta   where V is that number    (exact).
    a number >= beta                  where V >= that number    (a lower bound).

All of it in negamax form: a value is from the view of the player to move, a child's is negated on
the way up, and the child's window is (-beta, -alpha).

The search keeps its own stack in the tree, a row for each ply, so that it stops
between any two positions and resumes in the next slice: the slices make no difference. Recursion
with a look at the clock inside would save the stack, but not the slices: numba compiles a
recursive function as a call, not inlined; a native bundle's machine code calls nothing outside
itself, so no clock; plain Python would need a second method; and a node budget that ends within a
recursion loses its place, whereas the stack repeats a game to the node. A slice costs some 15
microseconds to call, of a millisecond.

The chapter: 1 options and buffers, 2 values, 3 the stack, 4 backing up, 5 iterations,
6 the search of a game, 7 results.
"""

import math
from typing import Any, Callable, NamedTuple, Optional

from ..core.game import AlternatingGame
from ..core.jit import AT_HOME, Function, Ints, copy_numbers, inline, int_buffer
from ..search.transpositions import (
    ENTRY_SIZE,
    EXACT,
    LOWER,
    UPPER,
    entry_action,
    entry_data,
    entry_depth_left,
    entry_flag,
    find_entry,
    is_enough,
    store_entry,
)

# ---- 1. Options and buffers

MAX_PLIES = 64

# A win at the root counts WIN, a win n plies later n less; evaluations stay far below.
WIN = 1 << 62
LEAST_WIN = WIN - (1 << 10)
INFINITE = WIN + 1
TRIED = -INFINITE - 1  # the rank of a searched child

# Indices of `counters`
STAGE, PLY, DEPTH, BUDGET, GENERATED, VISITED, RETURNED = range(7)
LOW, HIGH, DONE_DEPTH, DONE_VALUE, DEPTH_LIMIT, AGE, N_COUNTERS = range(7, 14)
NEW_ITERATION, ENTER, NEXT_CHILD, TAKE_VALUE, FINISHED = range(5)

# The fields of a row, one position of the stack: plies still to be searched below it; its window,
# whose alpha rises with the best value, and the initial alpha; the best value and action so far, -1
# before any; the action searched now, and its window; the position's hash; the action to try first,
# -1 for none; the numbers of actions listed and of quiet actions searched; the two actions that
# last cut at this ply.
DEPTH_LEFT, ALPHA, BETA, ORIGINAL_ALPHA, VALUE, ACTION, CHILD, WINDOW, KEY, FIRST = range(10)
LISTING, N_CHILDREN, N_QUIET, KILLER = range(10, 14)
ROW_SIZE = 16

# A row's WINDOW, the mode of a child's search: with its parent's window, with a null window, or
# with a null window and a ply or two less deep.
FULL, NULL, REDUCED = range(3)

# A row's LISTING, the stages of the move list: the action to try first, then noisy ones, then all.
FIRST_ONE, NOISY_ONES, ALL = range(3)

HISTORY_BITS = 14


class Options(NamedTuple):
    """Options of a search. At a fixed depth they change its cost but not its value, with three
    exceptions:

    quiescence and repetition change the searched tree, the table brings in values from a greater
    depth if a position is met at different plies, and reductions miss late tactics.

    deepening: to depth 1 first, then 2 and so on; else directly to the depth.
    table: use the transposition table.
    order: try children by their evaluation, the best first; ties keep the game's order.
    killers: the bonus to the rank of the two actions that last cut at a ply, in units of the
    evaluation; 0 for none.
    history: the bonus to the rank of the action that cut most often, and to others in proportion; 0
    for none.
    principal_variation: search all children but the first with a null window first.
    aspiration: half the width of the window around the previous iteration's value; 0 for a full
    window.
    quiescence: the most plies for which noisy actions are followed beyond the depth.
    repetition: a position that occurred earlier in the line, or before the root, counts as a draw;
    without a table, since values depend on the line then.
    mate_distance: an early win counts more, an early defeat less.
    late_move_reductions: the number of a position's quiet actions searched to the full depth; later
    ones are searched a ply less deep, and again if they look better than the best; 0 for all. Needs
    principal_variation, and `quiet` of `make_search`.
    single_reductions: the most actions searched a ply less deep; those after them, two. 0 for no
    limit.
    """

    deepening: bool = True
    table: bool = True
    order: bool = True
    killers: int = 0
    history: int = 0
    principal_variation: bool = True
    aspiration: int = 0
    quiescence: int = 0
    repetition: bool = False
    mate_distance: bool = True
    late_move_reductions: int = 0
    single_reductions: int = 0


class Tree(NamedTuple):
    """The state of a search. Letters: S numbers of a state, A actions, E entries, D = MAX_PLIES.

    counters [14]    see the names above.
    history [2 A]   for each player the cutoff count of each action.
    table   [3 E]   see `transpositions.py`.

    The stack, for each ply of the line now searched, the root's first:

    rows           [D 16]  the fields named above: `rows[row + ALPHA]`, where row = ROW_SIZE * ply.
    states         [D S]   the position.
    actions, ranks [D A]   the latest listing in the game's order, and each action's rank.
    lines          [D D]   the principal variation from there on, ended by -1.

    state, after [S], listed [A] scratch space: two positions and a list of actions
    before         [*]     keys of positions before the root: see `after_line`
    """

    counters: Ints
    history: Ints
    table: Ints
    rows: Ints
    states: Ints
    actions: Ints
    ranks: Ints
    lines: Ints
    state: Ints
    after: Ints
    listed: Ints
    before: Ints


def new_tree(
    game: AlternatingGame, options: Options, table_bits: int = 16, depth: int = 40
) -> Tree:
    """Returns an empty search tree for at most `depth` plies, with 2**table_bits entries in the
    table (24 bytes each).
    """
    tree = Tree(
        counters=int_buffer(N_COUNTERS),
        history=int_buffer(2 * game.max_actions),
        table=int_buffer(ENTRY_SIZE << table_bits),
        rows=int_buffer(ROW_SIZE * MAX_PLIES),
        states=int_buffer(game.state_size * MAX_PLIES),
        actions=int_buffer(game.max_actions * MAX_PLIES),
        ranks=int_buffer(game.max_actions * MAX_PLIES),
        lines=int_buffer(MAX_PLIES * MAX_PLIES),
        state=int_buffer(game.state_size),
        after=int_buffer(game.state_size),
        listed=int_buffer(game.max_actions),
        before=int_buffer(0),
    )
    tree.counters[DEPTH_LIMIT] = depth
    reset(tree)
    return tree


def reset(tree: Tree) -> None:
    """Prepare another root: the table stays, killers are dropped, the history is halved."""
    for i in range(STAGE, DEPTH_LIMIT):
        tree.counters[i] = 0
    tree.counters[AGE] += 1
    for ply in range(MAX_PLIES):
        tree.lines[MAX_PLIES * ply] = -1
        tree.rows[ROW_SIZE * ply + KILLER] = tree.rows[ROW_SIZE * ply + KILLER + 1] = -1
    for i in range(len(tree.history)):
        tree.history[i] = tree.history[i] // 2


def after_line(tree: Tree, keys: "list[int]") -> Tree:
    """Returns the tree of a search for `repetition` that knows the keys of all positions played
    before its root; it shares the other buffers of `tree`.
    """
    return tree._replace(before=int_buffer(keys))


def is_finished(tree: Tree) -> bool:
    """Returns True if more nodes cannot change the result: full depth, or a proven end."""
    return int(tree.counters[STAGE]) == FINISHED


# ---- 2. Values


@inline
def moved_by(value: int, plies: int) -> int:
    """Convert a value to a position `plies` further up, where wins and defeats count less by each
    ply.
    """
    if value >= LEAST_WIN:
        return value - plies
    if value <= -LEAST_WIN:
        return value + plies
    return value


# ---- 3. The stack


@inline
def open_position(tree: Tree, ply: int, depth_left: int, alpha: int, beta: int) -> None:
    """Open the position whose state is at a ply."""
    rows, row = tree.rows, ROW_SIZE * ply
    rows[row + DEPTH_LEFT] = depth_left
    rows[row + ALPHA] = rows[row + ORIGINAL_ALPHA] = alpha
    rows[row + BETA] = beta
    rows[row + VALUE] = -INFINITE
    rows[row + ACTION] = -1
    tree.counters[PLY] = ply
    tree.counters[STAGE] = ENTER


@inline
def descend(tree: Tree, ply: int, alpha: int, beta: int, depth_left: int) -> None:
    """Open the child whose state is at the next ply, with a window from the parent's view."""
    open_position(tree, ply + 1, depth_left, -beta, -alpha)


@inline
def return_value(counters: Ints, value: int) -> None:
    """Return a position's value to its parent."""
    counters[RETURNED] = value
    counters[PLY] -= 1
    counters[STAGE] = TAKE_VALUE


@inline
def is_repeated(rows: Ints, row: int, before: Ints) -> bool:
    """True if the position of a row occurred earlier in the line, or before the root."""
    for earlier in range(row - 2 * ROW_SIZE, -1, -2 * ROW_SIZE):
        if rows[earlier + KEY] == rows[row + KEY]:
            return True
    for i in range(len(before)):
        if before[i] == rows[row + KEY]:
            return row > 0
    return False


@inline
def select_child(ranks: Ints, first: int, n: int) -> int:
    """The untried child of the highest rank, or -1; first: of n ranks."""
    best = -1
    rank = TRIED
    for i in range(n):
        if ranks[first + i] > rank:
            rank = ranks[first + i]
            best = i
    return best


# ---- 4. Backing up


@inline
def back_up(tree: Tree, ply: int, value: int, action: int) -> bool:
    """Merge a child's value and principal variation into its parent's; returns True if it cuts."""
    rows, row = tree.rows, ROW_SIZE * ply
    if value > rows[row + VALUE]:
        rows[row + VALUE] = value
        rows[row + ACTION] = action
        if value > rows[row + ALPHA]:
            rows[row + ALPHA] = value
            lines = tree.lines
            line = MAX_PLIES * ply
            lines[line] = action
            while lines[line + MAX_PLIES] >= 0:
                lines[line + 1] = lines[line + MAX_PLIES]
                line += 1
            lines[line + 1] = -1
    return value >= rows[row + BETA]


@inline
def note_killer(rows: Ints, row: int, action: int) -> None:
    """Store an action that cut as the newest of its ply's two killers."""
    if rows[row + KILLER] != action:
        rows[row + KILLER + 1] = rows[row + KILLER]
        rows[row + KILLER] = action


@inline
def note_history(history: Ints, place: int, depth_left: int) -> None:
    """Count an action that cut, more for greater depth; a full count halves all of them."""
    history[place] += depth_left * depth_left
    if history[place] >= 1 << HISTORY_BITS:
        for i in range(len(history)):
            history[i] >>= 1


# ---- 5. Iterations: deepening, and a window around the last value


@inline
def begin_iteration(tree: Tree, deepening: bool, aspiration: int) -> None:
    """Start the next deeper iteration, with a window around the last value, or end the search."""
    counters = tree.counters
    depth, value = counters[DEPTH], counters[DONE_VALUE]
    if depth >= counters[DEPTH_LIMIT] or abs(value) >= LEAST_WIN:
        counters[STAGE] = FINISHED
        return
    counters[DEPTH] = depth + 1 if deepening else counters[DEPTH_LIMIT]
    counters[LOW], counters[HIGH] = -INFINITE, INFINITE
    if aspiration != 0 and depth > 0:
        counters[LOW] = value - aspiration
        counters[HIGH] = value + aspiration
    open_position(tree, 0, counters[DEPTH], counters[LOW], counters[HIGH])


@inline
def end_iteration(tree: Tree) -> None:
    """Accept the root's value, or widen the window on the side where it failed and search again."""
    counters = tree.counters
    value = counters[RETURNED]
    if counters[LOW] < value < counters[HIGH]:
        counters[DONE_DEPTH] = counters[DEPTH]
        counters[DONE_VALUE] = value
        counters[STAGE] = NEW_ITERATION
        return
    if value <= counters[LOW]:
        counters[LOW] = -INFINITE
    else:
        counters[HIGH] = INFINITE
    open_position(tree, 0, counters[DEPTH], counters[LOW], counters[HIGH])


# ---- 6. The search of a game


@inline
def no_actions(setup: Any, state: Ints, actions: Ints) -> int:
    """The noisy actions of a game in which every position is quiet."""
    return 0


def make_search(
    game: AlternatingGame,
    options: Options,
    noisy: Function = no_actions,
    quiet: Optional[Function] = None,
    futility_margin: int = 0,
) -> Callable[[Ints, Ints, Tree, int], None]:
    """Make the search of a game, to be compiled with `kernel`.

    search(setup, root, tree, n) generates about n more nodes for the position `root`, which is left
    unchanged; call `reset` before another root. A node is a position made by an action.
    noisy(setup, state, actions) -> n writes the actions to follow beyond the depth; a position
    without one is quiet. quiet(setup, state, actions) -> n writes all the others, the most
    promising first; none of them may win at once or add more than futility_margin to its player's
    evaluation. They are listed only if no noisy one cuts, and are ranked without an evaluation.
    """
    legal, apply, to_move = game.legal, game.apply, game.to_move
    is_over, result, value_of, key_of = game.is_over, game.result, game.evaluate, game.key
    n_state, max_actions = game.state_size, game.max_actions
    deepening, aspiration = options.deepening, options.aspiration
    with_table, repetition = options.table, options.repetition
    order, killer_bonus, history_bonus = options.order, options.killers, options.history
    null_windows, quiescence = options.principal_variation, options.quiescence
    reductions, single_reductions = options.late_move_reductions, options.single_reductions
    step = 1 if options.mate_distance else 0  # reduction of a win by one ply
    late = reductions + single_reductions if single_reductions > 0 else max_actions
    staged, list_quiet = quiet is not None, quiet or legal
    # A child beyond the depth has at most its rank as value; a draw by repetition may have more.
    stands_pat = order and quiescence > 0 and not repetition

    @inline
    def evaluate(setup: Any, state: Ints, ply: int) -> int:
        """Value of a position `ply` plies from the root, for the player of the last move."""
        if is_over(setup, state):
            return moved_by(-result(setup, state) * WIN, step * ply)
        return -value_of(setup, state)

    @inline
    def close(setup: Any, tree: Tree, ply: int) -> None:
        """Store a position's result in the table and return it to the parent."""
        rows, row = tree.rows, ROW_SIZE * ply
        if rows[row + VALUE] == -INFINITE:  # no action exists
            rows[row + VALUE] = value_of(setup, tree.state)
        value, depth_left = rows[row + VALUE], rows[row + DEPTH_LEFT]
        if with_table and depth_left > 0:
            flag = EXACT
            if value <= rows[row + ORIGINAL_ALPHA]:
                flag = UPPER
            elif value >= rows[row + BETA]:
                flag = LOWER
            data = entry_data(rows[row + ACTION], flag, depth_left, tree.counters[AGE])
            store_entry(tree.table, rows[row + KEY], moved_by(value, -step * ply), data)
        return_value(tree.counters, value)

    @inline
    def search_leaves(setup: Any, tree: Tree, ply: int, n: int, first: int) -> None:
        """Generate and evaluate the children of a position, all leaves, until one cuts."""
        rows, row, listed = tree.rows, ROW_SIZE * ply, tree.listed
        tree.lines[MAX_PLIES * (ply + 1)] = -1
        for i in range(n):
            if listed[i] == first:
                listed[i] = listed[0]
                listed[0] = first
        for i in range(n):
            apply(setup, tree.state, listed[i], tree.after)
            tree.counters[GENERATED] += 1
            value = evaluate(setup, tree.after, ply + 1)
            if repetition:
                rows[row + ROW_SIZE + KEY] = key_of(setup, tree.after)
                if is_repeated(rows, row + ROW_SIZE, tree.before):
                    value = 0
            if back_up(tree, ply, value, listed[i]):
                note_killer(rows, row, listed[i])
                break

    @inline
    def list_more(setup: Any, tree: Tree, ply: int) -> None:
        """List and rank the next of a position's actions: noisy ones first, then the others."""
        rows, row, state, listed = tree.rows, ROW_SIZE * ply, tree.state, tree.listed
        copy_numbers(tree.states, n_state * ply, state, 0, n_state)
        depth_left = rows[row + DEPTH_LEFT]
        bounded = False
        bound = 0
        if depth_left <= 0 or (staged and rows[row + LISTING] == FIRST_ONE):
            n = noisy(setup, state, listed)
            rows[row + LISTING] = NOISY_ONES if depth_left > 0 else ALL
        else:
            rows[row + LISTING] = ALL
            if staged:
                bounded = True
                bound = value_of(setup, state) + futility_margin
                if stands_pat and depth_left == 1 and bound <= rows[row + ALPHA]:
                    rows[row + VALUE] = max(rows[row + VALUE], bound)
                    rows[row + N_CHILDREN] = 0
                    return
                n = list_quiet(setup, state, listed)
            else:
                n = legal(setup, state, listed)
        counts = max_actions * to_move(setup, state)
        rows[row + N_CHILDREN] = n
        for i in range(n):
            action = listed[i]
            rank = bound
            if order and not bounded:
                apply(setup, state, action, tree.after)
                tree.counters[GENERATED] += 1
                rank = evaluate(setup, tree.after, 0)
            if action == rows[row + KILLER] or action == rows[row + KILLER + 1]:
                rank += killer_bonus
            rank += history_bonus * tree.history[counts + action] >> HISTORY_BITS
            tree.actions[max_actions * ply + i] = action
            tree.ranks[max_actions * ply + i] = TRIED if action == rows[row + FIRST] else rank

    @inline
    def enter(setup: Any, tree: Tree) -> None:
        """Close a position at once, by the table or as a leaf, or prepare its children."""
        counters, rows, state = tree.counters, tree.rows, tree.state
        ply = counters[PLY]
        row = ROW_SIZE * ply
        depth_left = rows[row + DEPTH_LEFT]
        counters[VISITED] += 1
        copy_numbers(tree.states, n_state * ply, state, 0, n_state)
        first = -1
        if ply == 0:
            first = tree.lines[0]  # best action of the previous iteration
        else:
            tree.lines[MAX_PLIES * ply] = -1
        if repetition or (with_table and depth_left > 0):
            rows[row + KEY] = key_of(setup, state)
            if repetition and is_repeated(rows, row, tree.before):
                return_value(counters, 0)
                return
        if with_table and depth_left > 0:
            entry = find_entry(tree.table, rows[row + KEY])
            if entry >= 0:
                value, data = moved_by(tree.table[entry + 1], step * ply), tree.table[entry + 2]
                alpha, beta = rows[row + ALPHA], rows[row + BETA]
                if ply > 0 and is_enough(data, value, depth_left, alpha, beta):
                    return_value(counters, value)
                    return
                # Not at the root: if two keys collided, the wrong action would be played.
                if first < 0 and ply > 0:
                    first = entry_action(data)
        if depth_left <= 0:
            # No player has to make a noisy action: standing pat is worth the evaluation.
            value = value_of(setup, state)
            rows[row + VALUE] = value
            rows[row + ALPHA] = max(rows[row + ALPHA], value)
            if value >= rows[row + BETA] or depth_left <= -quiescence:
                return_value(counters, value)
                return
        elif depth_left == 1 and quiescence == 0:
            if first < 0 and killer_bonus != 0:
                first = rows[row + KILLER]
            search_leaves(setup, tree, ply, legal(setup, state, tree.listed), first)
            close(setup, tree, ply)
            return
        # The first action often cuts: the others are listed only if it does not.
        rows[row + FIRST] = tree.actions[max_actions * ply] = first
        tree.ranks[max_actions * ply] = INFINITE
        rows[row + N_CHILDREN] = 1 if first >= 0 else 0
        rows[row + LISTING] = FIRST_ONE
        rows[row + N_QUIET] = 0
        counters[STAGE] = NEXT_CHILD

    @inline
    def next_child(setup: Any, tree: Tree) -> None:
        """Descend to the best-ranked untried child, or close the position."""
        counters, rows, after = tree.counters, tree.rows, tree.after
        ply = counters[PLY]
        row, place = ROW_SIZE * ply, max_actions * ply
        child = select_child(tree.ranks, place, rows[row + N_CHILDREN])
        while child < 0 and rows[row + LISTING] != ALL:
            list_more(setup, tree, ply)
            child = select_child(tree.ranks, place, rows[row + N_CHILDREN])
        best_of_all = moved_by(WIN, step * (ply + 1))
        if child >= 0 and rows[row + ALPHA] >= best_of_all:
            rows[row + VALUE] = max(rows[row + VALUE], best_of_all)
            child = -1
        if child < 0:
            close(setup, tree, ply)
            return
        action, rank = tree.actions[place + child], tree.ranks[place + child]
        if stands_pat and rows[row + DEPTH_LEFT] <= 1 and -LEAST_WIN < rank <= rows[row + ALPHA]:
            # The child's player may stand pat, so its rank bounds it and all remaining children.
            rows[row + VALUE] = max(rows[row + VALUE], rank)
            rows[row + N_CHILDREN] = 0
            return
        tree.ranks[place + child] = TRIED
        rows[row + CHILD] = action
        rows[row + WINDOW] = FULL
        if ply == 0 and tree.lines[0] < 0:
            # A fallback in case the search ends before any child has a value.
            tree.lines[0] = action
            tree.lines[1] = -1
        copy_numbers(tree.states, n_state * ply, tree.state, 0, n_state)
        apply(setup, tree.state, action, after)
        is_quiet = staged and rows[row + LISTING] == ALL and rows[row + DEPTH_LEFT] > 0
        if not order or is_quiet:
            counters[GENERATED] += 1  # not searched, by its rank
        if is_over(setup, after):
            tree.lines[MAX_PLIES * (ply + 1)] = -1
            counters[RETURNED] = -moved_by(-result(setup, after) * WIN, step * (ply + 1))
            counters[STAGE] = TAKE_VALUE
            return
        copy_numbers(after, 0, tree.states, n_state * (ply + 1), n_state)
        alpha, beta = rows[row + ALPHA], rows[row + BETA]
        depth_left = rows[row + DEPTH_LEFT] - 1
        # The first child has the full window: there is no best value yet to compare it with.
        if null_windows and rows[row + ACTION] >= 0:
            rows[row + WINDOW] = NULL
            beta = alpha + 1
            if reductions and staged and rows[row + LISTING] == ALL and depth_left >= 2:
                rows[row + N_QUIET] += 1
                if rows[row + N_QUIET] > reductions:
                    rows[row + WINDOW] = REDUCED
                    depth_left -= 2 if rows[row + N_QUIET] > late and depth_left >= 3 else 1
        descend(tree, ply, alpha, beta, depth_left)

    @inline
    def take_value(setup: Any, tree: Tree) -> None:
        """Take the searched child's value, or search it again if a null window was too narrow."""
        counters, rows = tree.counters, tree.rows
        ply = counters[PLY]
        row = ROW_SIZE * ply
        value = -counters[RETURNED]
        alpha, beta, window = rows[row + ALPHA], rows[row + BETA], rows[row + WINDOW]
        if window == REDUCED and alpha < value:
            rows[row + WINDOW] = NULL
            descend(tree, ply, alpha, alpha + 1, rows[row + DEPTH_LEFT] - 1)
            return
        if window != FULL and alpha < value < beta:
            rows[row + WINDOW] = FULL
            descend(tree, ply, alpha, beta, rows[row + DEPTH_LEFT] - 1)
            return
        counters[STAGE] = NEXT_CHILD
        action = rows[row + CHILD]
        if back_up(tree, ply, value, action):
            copy_numbers(tree.states, n_state * ply, tree.state, 0, n_state)
            note_killer(rows, row, action)
            counts = max_actions * to_move(setup, tree.state)
            note_history(tree.history, counts + action, rows[row + DEPTH_LEFT])
            close(setup, tree, ply)

    def search(setup: Ints, root: Ints, tree: Tree, n: int) -> None:
        counters = tree.counters
        counters[BUDGET] += n
        if counters[STAGE] == NEW_ITERATION and is_over(setup, root):
            counters[DONE_VALUE] = result(setup, root) * WIN
            counters[STAGE] = FINISHED
        while counters[GENERATED] < counters[BUDGET] and counters[STAGE] != FINISHED:
            if counters[STAGE] == NEW_ITERATION:
                copy_numbers(root, 0, tree.states, 0, n_state)
                begin_iteration(tree, deepening, aspiration)
            elif counters[STAGE] == ENTER:
                enter(setup, tree)
            elif counters[STAGE] == NEXT_CHILD:
                next_child(setup, tree)
            elif counters[PLY] < 0:
                end_iteration(tree)
            else:
                take_value(setup, tree)

    return search


# ---- 7. Results


def best_action(tree: Tree) -> int:
    """The best action so far, including an unfinished iteration if that is better; -1 before
    any, and where the game is over.
    """
    return int(tree.lines[0])


def expected(tree: Tree) -> tuple[Any, ...]:
    """(value, depth, nodes, line) of the last complete iteration."""
    counters, line = tree.counters, list(tree.lines[:MAX_PLIES])
    return counters[DONE_VALUE], counters[DONE_DEPTH], counters[GENERATED], line[: line.index(-1)]


class Summary(NamedTuple):
    """The depth completed and the value there, the best action, the principal variation, and the
    nodes since `reset`.

    action: see `best_action`. generated: positions made by an action; visited: positions whose
    actions were listed.
    """

    depth: int
    value: int
    action: int
    line: list[int]
    generated: int
    visited: int


def summary(tree: Tree) -> Summary:
    """The search's `Summary` since `reset`."""
    line = [int(action) for action in tree.lines[:MAX_PLIES]]
    return Summary(
        depth=int(tree.counters[DONE_DEPTH]),
        value=int(tree.counters[DONE_VALUE]),
        action=best_action(tree),
        line=line[: line.index(-1)],
        generated=int(tree.counters[GENERATED]),
        visited=int(tree.counters[VISITED]),
    )


def show_nodes(search: Any, node: Any, state: Ints) -> "list[dict[str, Any]]":
    """The actions of a position as rows for `explore`, of which the transposition table still has
    the positions, or which are on the principal variation; values are of the player to move.

    node: at first 0, then (ply, on the principal variation).
    """
    ply, is_main = node or (0, True)
    found, game, rows = summary(search.tree), search.game, []
    main = found.line[ply] if is_main and ply < len(found.line) else None
    for action in search.legal(state):
        after = search.after(state, action)
        row: dict[str, Any] = {"node": (ply + 1, action == main), "action": action}
        entry = int(find_entry(search.tree.table, int(game.key(search.setup, after))))
        data = int(search.tree.table[entry + 2]) if entry >= 0 else 0
        flag = int(entry_flag(data))
        if bool(game.is_over(search.setup, after)):
            # The result is for the player to move afterwards.
            row |= {"value": -int(game.result(search.setup, after)) * WIN, "proven": True}
            row["weight"] = float(found.depth)
        elif entry >= 0 and (action != main or flag == EXACT):
            value, depth = -int(search.tree.table[entry + 1]), int(entry_depth_left(data))
            row |= {"value": value, "depth": depth, "weight": depth + 1000.0 * (action == main)}
            # The entry's value is for the rival; its lower bound is an upper one for the mover.
            row["mark"] = "" if flag == EXACT else "≤" if flag == LOWER else "≥"
            row["proven"] = flag == EXACT and abs(value) >= LEAST_WIN
        elif action == main:
            is_roots = game.to_move(search.setup, state) == game.to_move(search.setup, search.root)
            row |= {"value": found.value if is_roots else -found.value, "weight": found.depth + 1.0}
            row["depth"] = max(found.depth - ply - 1, 0)
        elif ply:
            continue
        if abs(row.get("value") or 0) >= LEAST_WIN:
            # No evaluation reaches it.
            row["value"] = math.copysign(1e99, row["value"])
        rows.append(row)
    return rows


if AT_HOME:
    from ..search.limits import check_calls

    check_calls(globals())
