"""Alpha-beta: the value of a position and its best action, for a game of two players
who move in turns.

Sources: D. Knuth and R. Moore, "An Analysis of Alpha-Beta Pruning" (Artificial Intelligence 6,
1975); J. Fishburn, "Analysis of Speedup in Distributed Algorithms" (1981), fail-soft bounds;
T. Marsland, "A Review of Game-Tree Pruning" (ICCA Journal 9, 1986), aspiration, killers,
history, principal variation search. All in negamax form: a value is from the side of the
player to move, and a child's is negated on the way up. Of a position whose true value at the
depth searched is V it returns

    a number <= alpha                 where V <= that number
    a number between alpha and beta   where V is that number
    a number >= beta                  where V >= that number

The search keeps its own stack, so that it can stop between any two positions and go on in the next
slice; how its nodes are cut into slices makes no difference.
"""

from typing import Callable, NamedTuple, Optional

from shared.core.buffers import copy
from shared.core.game import AlternatingGame
from shared.core.jit import Ints, inline
from shared.search.stack import (
    ACTION,
    AGE,
    ALL,
    ALPHA,
    BETA,
    BUDGET,
    CHILD,
    DEPTH_LEFT,
    DONE_DEPTH,
    DONE_VALUE,
    ENTER,
    FINISHED,
    FIRST,
    FIRST_ONE,
    FLOOR,
    GENERATED,
    HISTORY_BITS,
    INFINITE,
    KEY,
    KILLER,
    LEAST_WIN,
    LINE,
    LISTED,
    N_CHILDREN,
    N_QUIET,
    NEW_ITERATION,
    NEXT_CHILD,
    NOISY_ONES,
    PLY,
    RETURNED,
    SCOUTING,
    STAGE,
    STATE,
    TAKE_VALUE,
    TRIED,
    VALUE,
    VISITED,
    WIN,
    Options,
    Tree,
    back_up,
    begin_iteration,
    descend,
    end_iteration,
    give_back,
    is_repeated,
    moved_by,
    note_history,
    note_killer,
    select_child,
)
from shared.search.transpositions import (
    EXACT,
    LOWER,
    UPPER,
    entry_action,
    entry_data,
    find_entry,
    is_enough,
    store_entry,
)


@inline
def no_actions(setup, state, actions):
    """The noisy actions of a game in which every position is quiet."""
    return 0


def make_search(
    game: AlternatingGame,
    options: Options,
    noisy: Callable = no_actions,
    quiet: Optional[Callable] = None,
    quiet_gain: int = 0,
) -> Callable[[Ints, Ints, Tree, int], None]:
    """The search of a game, to be compiled with `kernel`.

    search(setup, root, tree, n) generates about n more nodes for the position `root`, which it
    leaves alone; call `start` before another root. A node is a position made by an action.
    noisy(setup, state, actions) -> n writes the actions to follow beyond the depth; where there is
    none, a position is quiet. quiet(setup, state, actions) -> n writes all the others, the most
    promising first, of which none wins at once or adds more than quiet_gain to its player's
    evaluation: they are listed only where noisy ones do not cut, and are not evaluated for it.
    """
    legal, apply, to_move = game.legal, game.apply, game.to_move
    is_over, result, value_of, key_of = game.is_over, game.result, game.evaluate, game.key
    n_state, max_actions = game.state_size, game.max_actions
    deepening, with_table, order, killers, history_weight, scouts = options[:6]
    aspiration, quiescence, repetition, short_wins, reductions, late_reductions = options[6:]
    step = 1 if short_wins else 0  # what a ply makes of a win
    late = reductions + late_reductions if late_reductions > 0 else max_actions
    staged = quiet is not None
    # Whether a child beyond the depth is worth its rank at most; where it is a draw, it may be more.
    stands_pat = order and quiescence > 0 and not repetition
    ACTIONS = STATE + n_state
    RANKS = ACTIONS + max_actions
    size = RANKS + max_actions

    @inline
    def evaluate(setup, state, ply):
        """What a position is worth to who made the last move, which led so far from the root."""
        if is_over(setup, state):
            return moved_by(-result(setup, state) * WIN, step * ply)
        return -value_of(setup, state)

    @inline
    def close(setup, tree, row):
        """Remember a position's result in the table and hand it to the parent."""
        control, rows = tree.control, tree.rows
        if rows[row + VALUE] == -INFINITE:  # no action at all
            rows[row + VALUE] = value_of(setup, tree.state)
        value, depth_left = rows[row + VALUE], rows[row + DEPTH_LEFT]
        if with_table and depth_left > 0:
            flag = EXACT
            if value <= rows[row + FLOOR]:
                flag = UPPER
            elif value >= rows[row + BETA]:
                flag = LOWER
            data = entry_data(rows[row + ACTION], flag, depth_left, control[AGE])
            kept = moved_by(value, -step * control[PLY])
            store_entry(tree.table, rows[row + KEY], kept, data)
        give_back(control, value)

    @inline
    def search_leaves(setup, tree, row, n, first):
        """All of a position whose children are leaves: generate and evaluate them until one cuts."""
        rows, listed = tree.rows, tree.listed
        rows[row + size + LINE] = -1
        for i in range(n):
            if listed[i] == first:
                listed[i] = listed[0]
                listed[0] = first
        for i in range(n):
            apply(setup, tree.state, listed[i], tree.after)
            tree.control[GENERATED] += 1
            value = evaluate(setup, tree.after, tree.control[PLY] + 1)
            if back_up(rows, row, size, value, listed[i]):
                note_killer(rows, row, listed[i])
                break

    @inline
    def list_more(setup, tree, row):
        """List and rank the next of a position's actions: noisy ones first, then the others."""
        rows, state, listed = tree.rows, tree.state, tree.listed
        copy(rows, row + STATE, state, 0, n_state)
        depth_left = rows[row + DEPTH_LEFT]
        bounded = False
        bound = 0
        if depth_left <= 0 or (staged and rows[row + LISTED] == FIRST_ONE):
            n = noisy(setup, state, listed)
            rows[row + LISTED] = NOISY_ONES if depth_left > 0 else ALL
        else:
            rows[row + LISTED] = ALL
            if staged:
                bounded = True
                bound = value_of(setup, state) + quiet_gain
                if stands_pat and depth_left == 1 and bound <= rows[row + ALPHA]:
                    rows[row + VALUE] = max(rows[row + VALUE], bound)
                    rows[row + N_CHILDREN] = 0
                    return
                n = quiet(setup, state, listed)
            else:
                n = legal(setup, state, listed)
        counts = max_actions * to_move(setup, state)
        rows[row + N_CHILDREN] = n
        for i in range(n):
            action = listed[i]
            rank = bound
            if order and not bounded:
                apply(setup, state, action, tree.after)
                tree.control[GENERATED] += 1
                rank = evaluate(setup, tree.after, 0)
            if action == rows[row + KILLER] or action == rows[row + KILLER + 1]:
                rank += killers
            rank += history_weight * tree.history[counts + action] >> HISTORY_BITS
            rows[row + ACTIONS + i] = action
            rows[row + RANKS + i] = TRIED if action == rows[row + FIRST] else rank

    @inline
    def enter(setup, tree):
        """Settle a position at once, by the table or as a leaf, or list its children."""
        control, rows, state, listed = tree.control, tree.rows, tree.state, tree.listed
        ply = control[PLY]
        row = ply * size
        depth_left = rows[row + DEPTH_LEFT]
        control[VISITED] += 1
        copy(rows, row + STATE, state, 0, n_state)
        first = -1
        if ply == 0:
            first = rows[LINE]  # the best action of the iteration before
        else:
            rows[row + LINE] = -1
        if repetition or (with_table and depth_left > 0):
            rows[row + KEY] = key_of(setup, state)
            if repetition and is_repeated(rows, row, size):
                give_back(control, 0)
                return
        if with_table and depth_left > 0:
            entry = find_entry(tree.table, rows[row + KEY])
            if entry >= 0:
                value, data = moved_by(tree.table[entry + 1], step * ply), tree.table[entry + 2]
                alpha, beta = rows[row + ALPHA], rows[row + BETA]
                if ply > 0 and is_enough(data, value, depth_left, alpha, beta):
                    give_back(control, value)
                    return
                # Of the root it is not taken: were two positions' keys ever alike, it would be played.
                if first < 0 and ply > 0:
                    first = entry_action(data)
        if depth_left <= 0:
            # Nobody has to make a noisy action: standing pat is worth the evaluation.
            value = value_of(setup, state)
            rows[row + VALUE] = value
            rows[row + ALPHA] = max(rows[row + ALPHA], value)
            if value >= rows[row + BETA] or depth_left <= -quiescence:
                give_back(control, value)
                return
        elif depth_left == 1 and quiescence == 0:
            if first < 0 and killers != 0:
                first = rows[row + KILLER]
            search_leaves(setup, tree, row, legal(setup, state, listed), first)
            close(setup, tree, row)
            return
        # The first action often cuts: the others are listed only where it does not.
        rows[row + FIRST] = rows[row + ACTIONS] = first
        rows[row + RANKS] = INFINITE
        rows[row + N_CHILDREN] = 1 if first >= 0 else 0
        rows[row + LISTED] = FIRST_ONE
        rows[row + N_QUIET] = 0
        control[STAGE] = NEXT_CHILD

    @inline
    def next_child(setup, tree):
        """Go down to the most promising child not yet tried, or close the position."""
        control, rows, after = tree.control, tree.rows, tree.after
        ply = control[PLY]
        row = ply * size
        child = select_child(rows, row + RANKS, rows[row + N_CHILDREN])
        while child < 0 and rows[row + LISTED] != ALL:
            list_more(setup, tree, row)
            child = select_child(rows, row + RANKS, rows[row + N_CHILDREN])
        best_of_all = moved_by(WIN, step * (ply + 1))
        if child >= 0 and rows[row + ALPHA] >= best_of_all:
            rows[row + VALUE] = max(rows[row + VALUE], best_of_all)
            child = -1
        if child < 0:
            close(setup, tree, row)
            return
        action, rank = rows[row + ACTIONS + child], rows[row + RANKS + child]
        if stands_pat and rows[row + DEPTH_LEFT] <= 1 and -LEAST_WIN < rank <= rows[row + ALPHA]:
            # Its player may stand pat there, so it is worth its rank at most, and those left less.
            rows[row + VALUE] = max(rows[row + VALUE], rank)
            rows[row + N_CHILDREN] = 0
            return
        rows[row + RANKS + child] = TRIED
        rows[row + CHILD] = action
        rows[row + SCOUTING] = 0
        if ply == 0 and rows[LINE] < 0:
            # Better than no action, should the search end before any child has a value.
            rows[LINE] = action
            rows[LINE + 1] = -1
        copy(rows, row + STATE, tree.state, 0, n_state)
        apply(setup, tree.state, action, after)
        if not order or (staged and rows[row + LISTED] == ALL and rows[row + DEPTH_LEFT] > 0):
            control[GENERATED] += 1  # it was not, for its rank
        if is_over(setup, after):
            rows[row + size + LINE] = -1
            control[RETURNED] = -moved_by(-result(setup, after) * WIN, step * (ply + 1))
            control[STAGE] = TAKE_VALUE
            return
        copy(after, 0, rows, row + size + STATE, n_state)
        alpha, beta = rows[row + ALPHA], rows[row + BETA]
        depth_left = rows[row + DEPTH_LEFT] - 1
        # The first child is asked with the whole window: there is nothing yet that it
        # could be worse than.
        if scouts and rows[row + ACTION] >= 0:
            rows[row + SCOUTING] = 1
            beta = alpha + 1
            if reductions and staged and rows[row + LISTED] == ALL and depth_left >= 2:
                rows[row + N_QUIET] += 1
                if rows[row + N_QUIET] > reductions:
                    rows[row + SCOUTING] = 2
                    depth_left -= 2 if rows[row + N_QUIET] > late and depth_left >= 3 else 1
        descend(control, rows, row, size, alpha, beta, depth_left)

    @inline
    def take_value(setup, tree):
        """Take the value of the child that was searched; search it again where a null
        window was too narrow.
        """
        control, rows = tree.control, tree.rows
        row = control[PLY] * size
        value = -control[RETURNED]
        alpha, beta = rows[row + ALPHA], rows[row + BETA]
        if rows[row + SCOUTING] == 2 and alpha < value:
            rows[row + SCOUTING] = 1
            descend(control, rows, row, size, alpha, alpha + 1, rows[row + DEPTH_LEFT] - 1)
            return
        if rows[row + SCOUTING] != 0 and alpha < value < beta:
            rows[row + SCOUTING] = 0
            descend(control, rows, row, size, alpha, beta, rows[row + DEPTH_LEFT] - 1)
            return
        control[STAGE] = NEXT_CHILD
        action = rows[row + CHILD]
        if back_up(rows, row, size, value, action):
            copy(rows, row + STATE, tree.state, 0, n_state)
            note_killer(rows, row, action)
            counts = max_actions * to_move(setup, tree.state)
            note_history(tree.history, counts + action, rows[row + DEPTH_LEFT])
            close(setup, tree, row)

    def search(setup: Ints, root: Ints, tree: Tree, n: int) -> None:
        control, rows = tree.control, tree.rows
        control[BUDGET] += n
        while control[GENERATED] < control[BUDGET] and control[STAGE] != FINISHED:
            if control[STAGE] == NEW_ITERATION:
                copy(root, 0, rows, STATE, n_state)
                begin_iteration(control, rows, deepening, aspiration)
            elif control[STAGE] == ENTER:
                enter(setup, tree)
            elif control[STAGE] == NEXT_CHILD:
                next_child(setup, tree)
            elif control[PLY] < 0:
                end_iteration(control, rows)
            else:
                take_value(setup, tree)

    return search


class Summary(NamedTuple):
    """What a search found: the depth completed and the value there, the best action, the principal
    line, and its nodes.

    action: the best so far, of the iteration under way where that has found a better one; -1 before
    any. generated: positions made by an action; visited: those whose own actions were looked at.
    """

    depth: int
    value: int
    action: int
    line: list
    generated: int
    visited: int


def summary(tree: Tree) -> Summary:
    """The search's `Summary` since `start`."""
    line = [int(action) for action in tree.rows[LINE:STATE]]
    return Summary(
        depth=int(tree.control[DONE_DEPTH]),
        value=int(tree.control[DONE_VALUE]),
        action=line[0],
        line=line[: line.index(-1)],
        generated=int(tree.control[GENERATED]),
        visited=int(tree.control[VISITED]),
    )
