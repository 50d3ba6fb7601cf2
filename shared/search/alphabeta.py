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

The search keeps its own stack, so that it stops between any two positions and resumes in the next
slice, to the node; a recursion would lose its place. The position searched now is local, in
registers if its state is small. A slice costs some 15 microseconds to call, of a millisecond.

The chapter: 1 options and buffers, 2 values, 3 the stack, 4 backing up, 5 iterations,
6 the search of a game, 7 results.
"""

import math
from typing import Any, Callable, NamedTuple, Optional

from ..core.game import AlternatingGame
from ..core.jit import AT_HOME, Function, Ints, inline, int_buffer, local_ints, make_copy, unsigned
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
STAGE, DEPTH, LOW, HIGH, DONE_DEPTH, DONE_VALUE, AGE, DEPTH_LIMIT, N_COUNTERS = range(9)
NEW_SEARCH, ENTER, NEXT_CHILD, CLOSE, FINISHED = range(5)

# The fields of a row, one position of the stack: plies still to be searched below it; its window,
# whose alpha rises with the best value; that value; the place of the action searched now, or that
# action (`one_by_one`); the number of actions listed; the best action, -1 before any; the initial
# alpha; the child's window; the position's hash; the action to try first, or -1; the stage of
# the list; the number of quiet actions searched; the two actions that last cut at this ply.
DEPTH_LEFT, ALPHA, BETA, VALUE, CHILD, N_CHILDREN = range(6)
ACTION, ORIGINAL_ALPHA, WINDOW, KEY, FIRST, LISTING, N_QUIET, KILLER = range(6, 14)
ROW_SIZE = 16
# Further fields of `now`
PLY, BUDGET, GENERATED, VISITED, N_NOW = range(ROW_SIZE, ROW_SIZE + 5)

# A row's WINDOW, the mode of a child's search: its parent's window, a null window, or a null window
# and a ply or two less deep.
FULL, NULL, REDUCED = range(3)

# A row's LISTING: the action to try first, then noisy ones, then all.
FIRST_ONE, NOISY_ONES, ALL = range(3)

AGAIN = -2  # as an action: none of those listed matters

HISTORY_BITS = 14


class Options(NamedTuple):
    """Options of a search. At a fixed depth they change its cost but not its value, with three
    exceptions:

    quiescence and repetition change the searched tree, the table brings in values from a greater
    depth if a position is met at different plies, and reductions miss late tactics.

    deepening: search to depth 1, then 2 and so on; else at once to the depth.
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
    single_reductions: the most actions searched a ply less deep; later ones two plies. 0 for no
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

    counters [8]    see the names above.
    history [2 A]   for each player the cutoff count of each action.
    table   [3 E]   see `transpositions.py`.

    The stack, for each ply of the line now searched, the root's first:

    rows           [D 16]  the fields named above: `rows[row + ALPHA]`, where row = ROW_SIZE * ply.
    states         [D S]   the position.
    actions, ranks [D A]   the latest listing in the game's order, and each action's rank.
    lines          [D D]   the principal variation from there on, ended by -1.

    listed [A]             scratch space
    before [*]             keys of positions before the root: see `after_line`
    now [21], state, after [S]  row, ply and counts of the position searched now, its state, and a
                                child's; local while a search runs
    """

    counters: Ints
    history: Ints
    table: Ints
    rows: Ints
    states: Ints
    actions: Ints
    ranks: Ints
    lines: Ints
    listed: Ints
    before: Ints
    now: Ints
    state: Ints
    after: Ints


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
        listed=int_buffer(game.max_actions),
        before=int_buffer(0),
        now=int_buffer(N_NOW),
        state=int_buffer(game.state_size),
        after=int_buffer(game.state_size),
    )
    tree.counters[DEPTH_LIMIT] = depth
    reset(tree)
    return tree


def reset(tree: Tree) -> None:
    """Prepare another root: the table stays, killers are dropped, the history is halved."""
    for i in range(AGE):
        tree.counters[i] = 0
    tree.counters[AGE] += 1
    for i in range(N_NOW):
        tree.now[i] = 0
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
def open_position(now: Ints, depth_left: int, alpha: int, beta: int) -> int:
    """Open a position with a window from the view of its player."""
    now[DEPTH_LEFT] = depth_left
    now[ALPHA] = now[ORIGINAL_ALPHA] = alpha
    now[BETA] = beta
    now[VALUE] = -INFINITE
    now[ACTION] = -1
    return ENTER


@inline
def close_with(now: Ints, value: int) -> int:
    """Close a position with a value that is not for the table."""
    now[DEPTH_LEFT], now[VALUE] = 0, value
    return CLOSE


@inline
def is_repeated(tree: Tree, ply: int, key: int) -> bool:
    """Returns True if a ply's position occurred earlier in the line or the game."""
    for earlier in range(ply - 2, -1, -2):
        if tree.rows[ROW_SIZE * earlier + KEY] == key:
            return True
    for i in range(len(tree.before)):
        if tree.before[i] == key:
            return ply > 0
    return False


@inline
def select_child(ranks: Ints, first: int, n: int) -> int:
    """Select the untried child of highest rank from `first` on, or -1."""
    best = -1
    rank = TRIED
    for i in range(n):
        if ranks[first + i] > rank:
            rank = ranks[first + i]
            best = i
    return best


# ---- 4. Backing up


@inline
def back_up(tree: Tree, value: int, action: int) -> bool:
    """Merge a child's value and principal variation into its parent's; returns True if it cuts."""
    now = tree.now
    if value > now[VALUE]:
        now[VALUE] = value
        now[ACTION] = action
        if value > now[ALPHA]:
            now[ALPHA] = value
            lines = tree.lines
            line = unsigned(MAX_PLIES * now[PLY])
            lines[line] = action
            while lines[line + MAX_PLIES] >= 0:
                lines[line + 1] = lines[line + MAX_PLIES]
                line = unsigned(line + 1)
            lines[line + 1] = -1
    return value >= now[BETA]


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
def begin_iteration(tree: Tree, deepening: bool, aspiration: int) -> int:
    """Start the next deeper iteration, with a window around the last value, or end the search."""
    counters = tree.counters
    depth, value = counters[DEPTH], counters[DONE_VALUE]
    if depth >= counters[DEPTH_LIMIT] or abs(value) >= LEAST_WIN:
        return FINISHED
    counters[DEPTH] = depth + 1 if deepening else counters[DEPTH_LIMIT]
    counters[LOW], counters[HIGH] = -INFINITE, INFINITE
    if aspiration != 0 and depth > 0:
        counters[LOW] = value - aspiration
        counters[HIGH] = value + aspiration
    return open_position(tree.now, counters[DEPTH], counters[LOW], counters[HIGH])


@inline
def end_iteration(tree: Tree, deepening: bool, aspiration: int) -> int:
    """Accept the root's value, or widen the window on the side where it failed and search again."""
    counters, value = tree.counters, tree.now[VALUE]
    if counters[LOW] < value < counters[HIGH]:
        counters[DONE_DEPTH] = counters[DEPTH]
        counters[DONE_VALUE] = value
        return begin_iteration(tree, deepening, aspiration)
    if value <= counters[LOW]:
        counters[LOW] = -INFINITE
    else:
        counters[HIGH] = INFINITE
    return open_position(tree.now, counters[DEPTH], counters[LOW], counters[HIGH])


# ---- 6. The search of a game. Functions that return a number return the next stage.


@inline
def no_actions(setup: Any, state: Ints, actions: Ints) -> int:
    """Returns 0: no action is noisy, as every position is quiet."""
    return 0


def make_search(
    game: AlternatingGame,
    options: Options,
    noisy: Function = no_actions,
    quiet: Optional[Function] = None,
    futility_margin: int = 0,
) -> Callable[[Any, Ints, Tree, int], None]:
    """Make the search of a game, to be compiled with `kernel`.

    search(setup, root, tree, n) generates about n more nodes for the position `root`, which is left
    unchanged; call `reset` before another root. A node is a position made by an action.
    noisy(setup, state, actions) -> n writes the actions to follow beyond the depth; a position
    without one is quiet. quiet(setup, state, actions) -> n writes all the others, the most
    promising first; none may win at once or add more than futility_margin to its player's
    evaluation. Quiet ones are listed only if no noisy one cuts, and ranked without an evaluation.
    """
    legal, apply, to_move = game.legal, game.apply, game.to_move
    following: Function = game.following or no_actions
    is_over, result, value_of, key_of = game.is_over, game.result, game.evaluate, game.key
    n_state, max_actions, setup_type = game.state_size, game.max_actions, game.setup_type or Ints
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
    last = 1 if quiescence == 0 else -MAX_PLIES  # the depth left where all children are leaves
    is_ordered = order or staged or with_table or deepening or killer_bonus or history_bonus
    one_by_one = not (is_ordered or quiescence) and game.following is not None  # needs no list
    n_fields = N_CHILDREN if one_by_one and not (null_windows or repetition) else KILLER
    copy_state, copy_row, copy_now = map(make_copy, (n_state, n_fields, N_NOW))

    @inline
    def value_for_mover(setup: Any, state: Ints, ply: int) -> int:
        """Returns a value, `ply` plies from the root, for the player of the last move."""
        if is_over(setup, state):
            return moved_by(-result(setup, state) * WIN, step * ply)
        return -value_of(setup, state)

    @inline
    def close(setup: Any, tree: Tree) -> None:
        """Store a position's result in the table."""
        now = tree.now
        if now[VALUE] == -INFINITE:  # no action exists
            now[VALUE] = value_of(setup, tree.state)
        if with_table and now[DEPTH_LEFT] > 0:
            value = now[VALUE]
            flag = EXACT
            if value <= now[ORIGINAL_ALPHA]:
                flag = UPPER
            elif value >= now[BETA]:
                flag = LOWER
            data = entry_data(now[ACTION], flag, now[DEPTH_LEFT], tree.counters[AGE])
            store_entry(tree.table, now[KEY], moved_by(value, -step * now[PLY]), data)

    @inline
    def note_cut(setup: Any, tree: Tree, action: int) -> None:
        """Count an action that cut, for the ranks of others."""
        now = tree.now
        if killer_bonus != 0:
            note_killer(tree.rows, ROW_SIZE * now[PLY], action)
        if history_bonus != 0 and now[DEPTH_LEFT] != last:
            counts = max_actions * to_move(setup, tree.state)
            note_history(tree.history, counts + action, now[DEPTH_LEFT])

    @inline
    def list_by_rank(setup: Any, tree: Tree) -> None:
        """List and rank the next of a position's actions: noisy ones first, then the others."""
        now, state, listed = tree.now, tree.state, tree.listed
        row, place = ROW_SIZE * now[PLY], max_actions * now[PLY]
        bounded = False
        bound = 0
        if now[DEPTH_LEFT] <= 0 or (staged and now[LISTING] == FIRST_ONE):
            n = noisy(setup, state, listed)
            now[LISTING] = NOISY_ONES if now[DEPTH_LEFT] > 0 else ALL
        else:
            now[LISTING] = ALL
            if staged:
                bounded = True
                bound = value_of(setup, state) + futility_margin
                if stands_pat and now[DEPTH_LEFT] == 1 and bound <= now[ALPHA]:
                    now[VALUE] = max(now[VALUE], bound)
                    now[N_CHILDREN] = 0
                    return
            n = list_quiet(setup, state, listed)
        counts = max_actions * to_move(setup, state)
        now[N_CHILDREN] = n
        for i in range(n):
            action = listed[i]
            rank = bound
            if order and not bounded:
                apply(setup, state, action, tree.after)
                now[GENERATED] += 1
                rank = value_for_mover(setup, tree.after, 0)
            if action == tree.rows[row + KILLER] or action == tree.rows[row + KILLER + 1]:
                rank += killer_bonus
            rank += history_bonus * tree.history[counts + action] >> HISTORY_BITS
            tree.actions[place + i] = action
            tree.ranks[place + i] = TRIED if action == now[FIRST] else rank

    @inline
    def next_by_rank(setup: Any, tree: Tree) -> int:
        """Select the top-ranked untried action; -1: none; AGAIN: call again."""
        now, place = tree.now, max_actions * tree.now[PLY]
        child = select_child(tree.ranks, place, now[N_CHILDREN])
        while child < 0 and now[LISTING] != ALL:
            list_by_rank(setup, tree)
            child = select_child(tree.ranks, place, now[N_CHILDREN])
        if child < 0:
            return -1
        rank = tree.ranks[place + child]
        is_bound = stands_pat and now[DEPTH_LEFT] <= 1 and -LEAST_WIN < rank <= now[ALPHA]
        if is_bound and now[ALPHA] < moved_by(WIN, step * (now[PLY] + 1)):
            # The child's player may stand pat, so its rank bounds it and all remaining children.
            now[VALUE] = max(now[VALUE], rank)
            now[N_CHILDREN] = 0
            return AGAIN
        now[CHILD] = child
        tree.ranks[place + child] = TRIED
        return tree.actions[place + child]

    @inline
    def search_leaves(setup: Any, tree: Tree, first: int) -> int:
        """Evaluate the children of a position, all leaves, until one cuts."""
        now, after, listed, ply = tree.now, tree.after, tree.listed, tree.now[PLY] + 1
        tree.lines[unsigned(MAX_PLIES * ply)] = -1
        n = 0 if one_by_one else legal(setup, tree.state, listed)
        for i in range(n):
            if listed[i] == first:
                listed[i] = listed[0]
                listed[0] = first
        action, i = -1, 0
        while True:
            if one_by_one:
                action = following(setup, tree.state, action)
            else:
                action = listed[i] if i < n else -1
                i += 1
            if action < 0:
                return CLOSE
            apply(setup, tree.state, action, after)
            now[GENERATED] += 1
            value = value_for_mover(setup, after, ply)
            if repetition and is_repeated(tree, ply, key_of(setup, after)):
                value = 0
            if back_up(tree, value, action):
                note_cut(setup, tree, action)
                return CLOSE

    @inline
    def enter(setup: Any, tree: Tree) -> int:
        """Close a position at once, by the table or as a leaf, or prepare its children."""
        now, ply, depth_left = tree.now, tree.now[PLY], tree.now[DEPTH_LEFT]
        now[VISITED] += 1
        first = -1
        if ply > 0:
            tree.lines[unsigned(MAX_PLIES * ply)] = -1
        else:
            first = tree.lines[0]  # best action of the previous iteration
        if repetition or (with_table and depth_left > 0):
            now[KEY] = key_of(setup, tree.state)
            if repetition and is_repeated(tree, ply, now[KEY]):
                return close_with(now, 0)
        if with_table and depth_left > 0:
            entry = find_entry(tree.table, now[KEY])
            if entry >= 0:
                value, data = moved_by(tree.table[entry + 1], step * ply), tree.table[entry + 2]
                if ply > 0 and is_enough(data, value, depth_left, now[ALPHA], now[BETA]):
                    return close_with(now, value)
                # Not at the root: if two keys collided, the wrong action would be played.
                if first < 0 and ply > 0:
                    first = entry_action(data)
        if depth_left <= 0:
            # No player has to make a noisy action: standing pat is worth the evaluation.
            now[VALUE] = value_of(setup, tree.state)
            now[ALPHA] = max(now[ALPHA], now[VALUE])
            if now[VALUE] >= now[BETA] or depth_left <= -quiescence:
                return CLOSE
        if depth_left == last:
            if first < 0 and killer_bonus != 0:
                first = tree.rows[ROW_SIZE * ply + KILLER]
            return search_leaves(setup, tree, first)
        # The first action often cuts: the others are listed only if it does not.
        if not one_by_one:
            listing = unsigned(max_actions * ply)
            now[FIRST] = tree.actions[listing] = first
            tree.ranks[listing] = INFINITE
        now[CHILD], now[N_CHILDREN] = -1, 1 if first >= 0 else 0
        now[LISTING], now[N_QUIET] = FIRST_ONE, 0
        return NEXT_CHILD

    @inline
    def search_child(setup: Any, tree: Tree) -> int:
        """Open the next child that may change the position's value, if there is one."""
        now, ply, alpha, beta = tree.now, tree.now[PLY], tree.now[ALPHA], -tree.now[BETA]
        if one_by_one:
            action = now[CHILD] = following(setup, tree.state, now[CHILD])
        else:
            action = next_by_rank(setup, tree)
            if action == AGAIN:
                return NEXT_CHILD
        best_of_all = moved_by(WIN, step * (ply + 1))
        if action < 0 or alpha >= best_of_all:
            if action >= 0:
                now[VALUE] = max(now[VALUE], best_of_all)
            return CLOSE
        if ply == 0 and tree.lines[0] < 0:
            # A fallback in case the search ends before any child has a value.
            tree.lines[0] = action
            tree.lines[1] = -1
        apply(setup, tree.state, action, tree.after)
        is_quiet = staged and now[LISTING] == ALL and now[DEPTH_LEFT] > 0
        if not order or is_quiet:
            now[GENERATED] += 1  # a child that was not ranked by its evaluation
        is_end, depth_left = is_over(setup, tree.after), now[DEPTH_LEFT] - 1
        now[WINDOW] = FULL
        # The first child has the full window: there is no best value yet to compare it with.
        if null_windows and now[ACTION] >= 0 and not is_end:
            now[WINDOW] = NULL
            beta = -alpha - 1
            if reductions and staged and now[LISTING] == ALL and depth_left >= 2:
                now[N_QUIET] += 1
                if now[N_QUIET] > reductions:
                    now[WINDOW] = REDUCED
                    depth_left -= 2 if now[N_QUIET] > late and depth_left >= 3 else 1
        copy_row(now, 0, tree.rows, ROW_SIZE * ply)
        copy_state(tree.state, 0, tree.states, n_state * ply)
        copy_state(tree.after, 0, tree.state, 0)
        now[PLY] += 1
        if not is_end:
            return open_position(now, depth_left, beta, -alpha)
        tree.lines[unsigned(MAX_PLIES * (ply + 1))] = -1
        return close_with(now, moved_by(result(setup, tree.state) * WIN, step * (ply + 1)))

    @inline
    def leave(setup: Any, tree: Tree) -> int:
        """Return to the parent with a value, or search again if a null window was too narrow."""
        now, rows = tree.now, tree.rows
        if now[PLY] == 0:
            return end_iteration(tree, deepening, aspiration)
        value = -now[VALUE]
        now[PLY] -= 1
        ply, row = now[PLY], ROW_SIZE * now[PLY]
        if null_windows:
            alpha, beta, window = rows[row + ALPHA], rows[row + BETA], rows[row + WINDOW]
            is_reduced = window == REDUCED
            if alpha < value and (is_reduced or (window == NULL and value < beta)):
                rows[row + WINDOW] = window - 1
                now[PLY] += 1
                beta = alpha + 1 if is_reduced else beta
                return open_position(now, rows[row + DEPTH_LEFT] - 1, -beta, -alpha)
        copy_row(rows, row, now, 0)
        copy_state(tree.states, n_state * ply, tree.state, 0)
        action = now[CHILD] if one_by_one else tree.actions[max_actions * ply + now[CHILD]]
        if back_up(tree, value, action):
            note_cut(setup, tree, action)
            return CLOSE
        return NEXT_CHILD

    def search(setup: setup_type, root: Ints, tree: Tree, n: int) -> None:
        local: Any = local_ints(N_NOW), local_ints(n_state), local_ints(n_state)
        here = Tree(*(tree[:-3] + local))
        now, stage = here.now, tree.counters[STAGE]
        copy_now(tree.now, 0, now, 0)
        copy_state(tree.state, 0, here.state, 0)
        now[BUDGET] += n
        if stage == NEW_SEARCH:
            copy_state(root, 0, here.state, 0)
            stage = begin_iteration(here, deepening, aspiration)
            if is_over(setup, root):
                stage, tree.counters[DONE_VALUE] = FINISHED, result(setup, root) * WIN
        while now[GENERATED] < now[BUDGET] and stage != FINISHED:
            if stage == ENTER:
                stage = enter(setup, here)
            if stage == CLOSE:
                close(setup, here)
                if now[GENERATED] < now[BUDGET]:
                    stage = leave(setup, here)
            if stage == NEXT_CHILD:
                stage = search_child(setup, here)
        tree.counters[STAGE] = stage
        copy_now(now, 0, tree.now, 0)
        copy_state(here.state, 0, tree.state, 0)

    return search


# ---- 7. Results


def best_action(tree: Tree) -> int:
    """Returns the best action so far, even of an unfinished iteration; -1 before any, and where
    the game is over.
    """
    return int(tree.lines[0])


def expected(tree: Tree) -> tuple[Any, ...]:
    """Returns (value, depth completed, nodes, best line so far)."""
    counters, line = tree.counters, list(tree.lines[:MAX_PLIES])
    return counters[DONE_VALUE], counters[DONE_DEPTH], tree.now[GENERATED], line[: line.index(-1)]


class Summary(NamedTuple):
    """The depth completed and the value there, the best action, the principal variation, and the
    nodes since `reset`.

    action: see `best_action`. generated: positions made by an action; visited: positions
    entered.
    """

    depth: int
    value: int
    action: int
    line: list[int]
    generated: int
    visited: int


def summary(tree: Tree) -> Summary:
    """Returns the `Summary` since `reset`."""
    line = [int(action) for action in tree.lines[:MAX_PLIES]]
    return Summary(
        depth=int(tree.counters[DONE_DEPTH]),
        value=int(tree.counters[DONE_VALUE]),
        action=best_action(tree),
        line=line[: line.index(-1)],
        generated=int(tree.now[GENERATED]),
        visited=int(tree.now[VISITED]),
    )


def show_nodes(search: Any, node: Any, state: Ints) -> "list[dict[str, Any]]":
    """Returns a position's actions as rows for `explore`: all of the root's, else those that end
    the game, are in the table or the principal variation. Values: for the player to move.

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
    from ..search.checks.limits import check_calls

    check_calls(globals())
