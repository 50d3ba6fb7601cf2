"""Expectimax with Star1 and Star2 cuts: games of two players with chance, in turns of any order.

Sources: B. Ballard, "The *-Minimax Search Procedure for Trees Containing Chance Nodes" (Artificial
Intelligence 21, 1983): Star1 bounds the outcomes of chance still to be searched by the least and
greatest value of the game, and Star2 by a first look at each; T. Hauk, M. Buro and J. Schaeffer,
"Rediscovering *-Minimax Search" (Computers and Games 2004), the same with a table and fail-soft
bounds.

All values are player 0's score; the other player's is its negation. So player 0 takes the greatest
value, player 1 the least, in whatever order they move: without chance this is alpha-beta for games
in which a player may move again. Chance takes the mean. Each outcome has a lower and an upper
bound; it is searched with the window in which it could change the decision at the chance node:

    alpha(i) = (alpha - the sum of the others' upper bounds, by their probabilities) / its own
    beta(i)  = (beta - the sum of the others' lower bounds, by their probabilities) / its own

With fail-soft bounds, as `alphabeta.py` explains them: a number <= alpha is an upper bound, one >=
beta a lower bound, others are exact.

The search deepens a ply at a time and stops anywhere: its stack is in the tree. Letters as in
`shared/core/game.py`, D the greatest depth in plies, those of chance among them, E table entries.
"""

from typing import Any, Callable, NamedTuple

from ...core.game import CHANCE, TurnGame
from ...core.jit import AT_HOME, Floats, Ints, copy_numbers, float_buffer, inline, int_buffer
from ...search.transpositions import (
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

PLY, DEPTH, BEST_ACTION, IS_CUT, IS_FINISHED, GENERATED, AGE, N_COUNTERS = range(8)
# The fields of a row, one position of the stack: the numbers of listed and tried actions, the
# player to move, the best action or -1, the hash, 1 while outcomes get their first look, and 1 for
# a position of which only the first action is searched.
N_LISTED, N_TRIED, MOVER, BEST, KEY, LOOKS, IS_LOOK, ROW_SIZE = range(8)
# The numbers of a row: its window, and its value so far.
ALPHA, BETA, VALUE, N_NUMBERS = range(4)


class Options(NamedTuple):
    """Options of a search. At a fixed depth they change its cost, but not its value; only the table
    brings in values from a greater depth if a position is met at different plies.

    depth: the most plies. least, greatest: bounds of player 0's score in any position. star2: look
    at the first action below each outcome first. order: try actions by their evaluation, the best
    first. table: use the transposition table.
    """

    depth: int
    least: float = -1.0
    greatest: float = 1.0
    star2: bool = True
    order: bool = True
    table: bool = True


class Tree(NamedTuple):
    """The state of a search.

    counters [8], rows [7 (D + 1)], numbers [3 (D + 1)]  see the names above.
    states   [S (D + 1)]  the position at each ply; the root is the first.
    actions  [A (D + 1)]  the actions of each ply.
    shares, lows, highs [A (D + 1)]  the probability and the bounds of each outcome.
    table, known [3 E], [E]  see `transpositions.py`; a position's value is in `known`.
    state, after [S], listed [A], odds, ranks [A], scores [2]  scratch space.
    """

    counters: Ints
    rows: Ints
    numbers: Floats
    states: Ints
    actions: Ints
    shares: Floats
    lows: Floats
    highs: Floats
    table: Ints
    known: Floats
    state: Ints
    after: Ints
    listed: Ints
    odds: Floats
    ranks: Floats
    scores: Floats


def new_tree(game: TurnGame, options: Options, table_bits: int = 16) -> Tree:
    """Returns buffers to the options' depth, with 2**table_bits table entries of 32 bytes."""
    n, most = options.depth + 1, game.max_actions
    return Tree(
        counters=int_buffer(N_COUNTERS),
        rows=int_buffer(ROW_SIZE * n),
        numbers=float_buffer(N_NUMBERS * n),
        states=int_buffer(game.state_size * n),
        actions=int_buffer(most * n),
        shares=float_buffer(most * n),
        lows=float_buffer(most * n),
        highs=float_buffer(most * n),
        table=int_buffer(ENTRY_SIZE << table_bits),
        known=float_buffer(1 << table_bits),
        state=int_buffer(game.state_size),
        after=int_buffer(game.state_size),
        listed=int_buffer(most),
        odds=float_buffer(most),
        ranks=float_buffer(most),
        scores=float_buffer(2),
    )


def reset(tree: Tree) -> None:
    """Discard all but the table: the next slice begins at its given state."""
    for i in range(AGE):
        tree.counters[i] = 0
    tree.counters[AGE] += 1


def is_finished(tree: Tree) -> bool:
    """Returns True if more nodes cannot change the result: full depth, or every line's end."""
    return int(tree.counters[IS_FINISHED]) == 1


@inline
def mean_without(numbers: Floats, shares: Floats, first: int, n: int, left_out: int) -> float:
    """Returns the sum of n numbers times probabilities, without one."""
    total = 0.0
    for i in range(first, first + n):
        if i != left_out:
            total += shares[i] * numbers[i]
    return total


@inline
def sort_by_rank(actions: Ints, ranks: Floats, n: int) -> None:
    """Sort n actions by their ranks, the greatest first; the sort is stable."""
    for i in range(1, n):
        action, rank = actions[i], ranks[i]
        j = i
        while j > 0 and ranks[j - 1] < rank:
            actions[j], ranks[j] = actions[j - 1], ranks[j - 1]
            j -= 1
        actions[j], ranks[j] = action, rank


def make_search(game: TurnGame, options: Options) -> Callable[[Ints, Ints, Tree, int], None]:
    """search(setup, root, tree, n), for `kernel`, generates n more positions for `root`.

    `root`, with at least one action, is read in the first slice after `reset`.
    """
    size, most = game.state_size, game.max_actions
    to_move, legal, apply = game.to_move, game.legal, game.apply
    is_over, evaluate, key_of = game.is_over, game.evaluate, game.key
    chances = game.chances or game.evaluate  # never called without chance
    with_chance = game.chances is not None
    max_depth, least, greatest = options.depth, float(options.least), float(options.greatest)
    star2, order, with_table = options.star2, options.order, options.table

    @inline
    def value_of(setup: Any, tree: Tree, state: Ints) -> float:
        """Player 0's score."""
        evaluate(setup, state, tree.scores)
        return tree.scores[0]

    @inline
    def look_up(setup: Any, tree: Tree, ply: int) -> int:
        """Returns the table's action, or -1; -2 if its value, in `numbers`, suffices."""
        rows, numbers, at = tree.rows, tree.numbers, N_NUMBERS * ply
        key = key_of(setup, tree.state)
        rows[ROW_SIZE * ply + KEY] = key
        entry = find_entry(tree.table, key)
        if entry < 0:
            return -1
        value, data = tree.known[entry // ENTRY_SIZE], tree.table[entry + 2]
        left = tree.counters[DEPTH] - ply
        if is_enough(data, value, left, numbers[at + ALPHA], numbers[at + BETA]):
            numbers[at + VALUE] = value
            tree.counters[IS_CUT] = 1  # its lines may have been cut
            return -2
        return entry_action(data)

    @inline
    def list_actions(setup: Any, tree: Tree, ply: int, mover: int, first: int) -> int:
        """List the actions of the position at a ply; returns their number."""
        rows, row = tree.rows, ROW_SIZE * ply
        listed, at = tree.listed, most * ply
        n = legal(setup, tree.state, listed)
        if with_chance and mover == CHANCE:
            chances(setup, tree.state, listed, n, tree.odds)
            for i in range(n):
                tree.shares[at + i] = tree.odds[i]
        else:
            if order and tree.counters[DEPTH] - ply > 1:
                sign = 1.0 if mover == 0 else -1.0
                for i in range(n):
                    apply(setup, tree.state, listed[i], tree.after)
                    tree.counters[GENERATED] += 1
                    tree.ranks[i] = sign * value_of(setup, tree, tree.after)
                sort_by_rank(listed, tree.ranks, n)
            put_first(listed, n, first)
        copy_numbers(listed, 0, tree.actions, at, n)
        rows[row + N_LISTED] = n
        return n

    @inline
    def begin(tree: Tree, ply: int) -> None:
        """Start trying the actions of the position at a ply."""
        rows, row = tree.rows, ROW_SIZE * ply
        rows[row + N_TRIED] = 0
        rows[row + BEST] = -1
        rows[row + LOOKS] = 0
        if with_chance and rows[row + MOVER] == CHANCE:
            rows[row + LOOKS] = 1 if star2 else 0
            for i in range(most * ply, most * ply + rows[row + N_LISTED]):
                tree.lows[i], tree.highs[i] = least, greatest

    @inline
    def expand(setup: Any, tree: Tree, ply: int, is_look: bool) -> bool:
        """Returns True if a ply's position has actions to try; else `numbers` has a value."""
        rows, row = tree.rows, ROW_SIZE * ply
        numbers, at = tree.numbers, N_NUMBERS * ply
        copy_numbers(tree.states, size * ply, tree.state, 0, size)
        rows[row + IS_LOOK] = 0
        is_end = is_over(setup, tree.state)
        if is_end or ply == tree.counters[DEPTH]:
            if not is_end:
                tree.counters[IS_CUT] = 1
            numbers[at + VALUE] = value_of(setup, tree, tree.state)
            return False
        first = -1
        if with_table and ply > 0:
            first = look_up(setup, tree, ply)
            if first == -2:
                return False
        mover = to_move(setup, tree.state)
        rows[row + MOVER] = mover
        n = list_actions(setup, tree, ply, mover, first)
        if is_look and n > 1 and mover != CHANCE:
            rows[row + IS_LOOK] = 1
        begin(tree, ply)
        return True

    @inline
    def close(tree: Tree, ply: int) -> None:
        """Store the value of the position at a ply, all of whose actions were tried or cut."""
        rows, row = tree.rows, ROW_SIZE * ply
        numbers, at = tree.numbers, N_NUMBERS * ply
        if with_table and ply > 0 and rows[row + IS_LOOK] == 0:
            value, flag = numbers[at + VALUE], EXACT
            if value <= numbers[at + ALPHA]:
                flag = UPPER
            elif value >= numbers[at + BETA]:
                flag = LOWER
            left = tree.counters[DEPTH] - ply
            data = entry_data(rows[row + BEST], flag, left, tree.counters[AGE])
            entry = store_entry(tree.table, rows[row + KEY], 0, data)
            tree.known[entry // ENTRY_SIZE] = value

    @inline
    def back_up_choice(tree: Tree, ply: int, value: float) -> None:
        """Merge the value of a player's action tried last; a cut ends the position."""
        rows, row = tree.rows, ROW_SIZE * ply
        numbers, at = tree.numbers, N_NUMBERS * ply
        is_better = value > numbers[at + VALUE]
        if rows[row + MOVER] != 0:
            is_better = value < numbers[at + VALUE]
        if is_better or rows[row + BEST] < 0:
            rows[row + BEST] = tree.actions[most * ply + rows[row + N_TRIED] - 1]
            numbers[at + VALUE] = value
        best = numbers[at + VALUE]
        if rows[row + IS_LOOK] == 1 or (
            best >= numbers[at + BETA] if rows[row + MOVER] == 0 else best <= numbers[at + ALPHA]
        ):
            rows[row + N_TRIED] = rows[row + N_LISTED]

    @inline
    def back_up_chance(tree: Tree, ply: int, value: float, below: int) -> None:
        """Merge the value of the outcome tried last; a cut ends the position.

        below: the player to move there if only its first action was searched, else CHANCE.
        """
        rows, row = tree.rows, ROW_SIZE * ply
        numbers, at = tree.numbers, N_NUMBERS * ply
        alpha, beta = numbers[at + N_NUMBERS + ALPHA], numbers[at + N_NUMBERS + BETA]
        first, n = most * ply, rows[row + N_LISTED]
        place = first + rows[row + N_TRIED] - 1
        is_low = is_high = False
        if below == CHANCE:
            # A value at a bound of the game is exact.
            is_low = value <= alpha and alpha > least
            is_high = value >= beta and beta < greatest
            if not is_low:
                tree.lows[place] = value
            if not is_high:
                tree.highs[place] = value
        elif below == 0 and value > alpha:
            tree.lows[place] = max(tree.lows[place], value)
        elif below == 1 and value < beta:
            tree.highs[place] = min(tree.highs[place], value)
        low = mean_without(tree.lows, tree.shares, first, n, -1)
        high = mean_without(tree.highs, tree.shares, first, n, -1)
        # The sums agree with the windows but for rounding.
        if is_high or low >= numbers[at + BETA]:
            numbers[at + VALUE] = max(low, numbers[at + BETA])
        elif is_low or high <= numbers[at + ALPHA]:
            numbers[at + VALUE] = min(high, numbers[at + ALPHA])
        elif rows[row + N_TRIED] < n:
            return
        elif rows[row + LOOKS] == 1:
            rows[row + LOOKS] = rows[row + N_TRIED] = 0
            return
        else:
            numbers[at + VALUE] = low  # exact, because the values of all outcomes are
        rows[row + LOOKS] = 0
        rows[row + N_TRIED] = n

    @inline
    def open_window(tree: Tree, ply: int, place: int) -> None:
        """Write the window of an action into the next ply's numbers."""
        rows, row = tree.rows, ROW_SIZE * ply
        numbers, at = tree.numbers, N_NUMBERS * ply
        alpha, beta = numbers[at + ALPHA], numbers[at + BETA]
        if with_chance and rows[row + MOVER] == CHANCE:
            first, n, share = most * ply, rows[row + N_LISTED], tree.shares[place]
            alpha = (alpha - mean_without(tree.highs, tree.shares, first, n, place)) / share
            beta = (beta - mean_without(tree.lows, tree.shares, first, n, place)) / share
            alpha, beta = max(least, alpha), min(greatest, beta)
            if alpha >= beta:  # possible by rounding
                alpha, beta = least, greatest
        elif rows[row + BEST] >= 0:
            if rows[row + MOVER] == 0:
                alpha = max(alpha, numbers[at + VALUE])
            else:
                beta = min(beta, numbers[at + VALUE])
        numbers[at + N_NUMBERS + ALPHA], numbers[at + N_NUMBERS + BETA] = alpha, beta

    @inline
    def deepen(tree: Tree) -> None:
        """Deepen from the root after all actions were tried, unless the result is final."""
        counters = tree.counters
        counters[BEST_ACTION] = tree.rows[BEST]
        if counters[IS_CUT] == 0 or counters[DEPTH] + 1 > max_depth:
            counters[IS_FINISHED] = 1
            return
        counters[DEPTH] += 1
        counters[IS_CUT] = 0
        put_first(tree.actions, tree.rows[N_LISTED], counters[BEST_ACTION])
        begin(tree, 0)

    def search(setup: Ints, root: Ints, tree: Tree, n: int) -> None:
        counters, rows, numbers = tree.counters, tree.rows, tree.numbers
        budget = counters[GENERATED] + n
        if counters[DEPTH] == 0:
            copy_numbers(root, 0, tree.states, 0, size)
            counters[DEPTH] = 1
            numbers[ALPHA], numbers[BETA] = least, greatest
            if not expand(setup, tree, 0, False):
                counters[IS_FINISHED] = 1
        while counters[GENERATED] < budget and counters[IS_FINISHED] == 0:
            ply = counters[PLY]
            row = ROW_SIZE * ply
            tried = rows[row + N_TRIED]
            if tried == rows[row + N_LISTED]:
                if ply == 0:
                    deepen(tree)
                    continue
                close(tree, ply)
                ply -= 1
                counters[PLY] = ply
                row -= ROW_SIZE
            else:
                rows[row + N_TRIED] = tried + 1
                place = most * ply + tried
                open_window(tree, ply, place)
                is_chance = with_chance and rows[row + MOVER] == CHANCE
                is_look = is_chance and rows[row + LOOKS] == 1
                if is_chance and not is_look and tree.lows[place] == tree.highs[place]:
                    numbers[N_NUMBERS * (ply + 1) + VALUE] = tree.lows[place]
                    rows[row + ROW_SIZE + IS_LOOK] = 0
                else:
                    copy_numbers(tree.states, size * ply, tree.state, 0, size)
                    apply(setup, tree.state, tree.actions[place], tree.after)
                    copy_numbers(tree.after, 0, tree.states, size * (ply + 1), size)
                    counters[GENERATED] += 1
                    if expand(setup, tree, ply + 1, is_look):
                        counters[PLY] = ply + 1
                        continue
            value = numbers[N_NUMBERS * (ply + 1) + VALUE]
            if rows[row + MOVER] != CHANCE:
                back_up_choice(tree, ply, value)
                if ply == 0:
                    # The best action of the previous depth is tried first: this is no worse.
                    counters[BEST_ACTION] = rows[BEST]
            else:
                is_look = rows[row + ROW_SIZE + IS_LOOK] == 1
                below = rows[row + ROW_SIZE + MOVER] if is_look else CHANCE
                back_up_chance(tree, ply, value, below)

    return search


def best_action(tree: Tree) -> int:
    """Returns the root's best action so far, from the deepest search; -1 for none."""
    return int(tree.counters[BEST_ACTION]) if tree.counters[GENERATED] else -1


class Summary(NamedTuple):
    """The depth of the search, the root's value there, player 0's score, and the best action.

    The value is exact for that depth once `is_finished`. generated: positions made by an action.
    """

    depth: int
    value: float
    action: int
    generated: int


def summary(tree: Tree) -> Summary:
    """Returns the `Summary` since `reset`."""
    counters = tree.counters
    return Summary(
        depth=int(counters[DEPTH]),
        value=float(tree.numbers[VALUE]),
        action=best_action(tree),
        generated=int(counters[GENERATED]),
    )


def show_nodes(search: Any, node: int, state: Ints) -> "list[dict[str, Any]]":
    """Returns the root's best action with its value as a row for `explore`, else []."""
    found = summary(search.tree)
    if node != 0 or found.action < 0:
        return []
    value = found.value if search.viewer == 0 else -found.value
    return [{"node": 1, "action": found.action, "value": value, "weight": 1.0}]


if AT_HOME:
    from ...search.checks.limits import check_calls

    check_calls(globals())
