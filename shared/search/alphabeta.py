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
slice; how its nodes are cut into slices makes no difference. Letters: S numbers of a state, A
actions (see `shared/core/game.py`), E entries.

    control int64[*]          the options, then the counters named below
    rows    int64[MAX_PLIES R]   a row for each position of the line now searched, the root's first:
                              fields, the principal line from there on, the state (S), the actions
                              in the game's order (A) and how promising each is (A)
    history int64[2 A]        for each player how often an action cut
    table   int64[3 E]        transposition table: key, value, data of each entry; buckets of two
    state, after int64[S], listed int64[A]   room for two positions and a list of actions
"""

from typing import NamedTuple

from shared.core.jit import inline, int_buffer

MAX_PLIES = 64

# A win at the root counts WIN, one n plies later n less; no evaluation comes near.
WIN = 1 << 62
LEAST_WIN = WIN - (1 << 10)
INFINITE = WIN + 1
TRIED = -INFINITE - 1  # the rank of a child that was searched

SEARCH_SIGNATURE = "void(" + "int64[::1], " * 9 + "int64)"


class Options(NamedTuple):
    """How to search. None of it changes the value at a fixed depth, only the cost,
    with two exceptions:

    quiescence and repetition change what is searched, and the table brings in values from a greater
    depth where a position is met at different plies.

    depth: how many plies to look ahead at most. deepening: to depth 1 first, then 2 and
    so on; else at once.
    table: whether to use the transposition table.
    order: whether to try children by their evaluation, the best first; equal ones in the order
    the game lists them.
    killers: what is added to the rank of the two actions that last cut at a ply, in units of the
    evaluation; 0 for none.
    history: what is added to the rank of the action that cut most often, and to others in
    proportion; 0 for none.
    scouts: principal variation search: all children but the first are asked with a
    null window first.
    aspiration: half the width of the window around the value of the iteration before; 0
    for a full window.
    quiescence: for how many plies at most noisy actions are followed beyond the depth.
    repetition: whether a position that was met on the way to it counts as a draw.
    short_wins: whether a win counts the more, and a defeat the less, the sooner it comes.
    """

    depth: int = 40
    deepening: bool = True
    table: bool = True
    order: bool = True
    killers: int = 0
    history: int = 0
    scouts: bool = True
    aspiration: int = 0
    quiescence: int = 0
    repetition: bool = False
    short_wins: bool = True


# The names of `control`: first the options.
DEPTH_LIMIT, DEEPENING, TABLE, ORDER, KILLERS, HISTORY, SCOUTS = range(7)
ASPIRATION, QUIESCENCE, REPETITION, SHORT_WINS = range(7, 11)
# Then what `start` sets to 0, and the number of searches, which tells new entries of the
# table from old ones.
STAGE, PLY, DEPTH, BUDGET, GENERATED, VISITED, RETURNED = range(11, 18)
LOW, HIGH, DONE_DEPTH, DONE_VALUE, AGE = range(18, 23)
N_CONTROL = 23
NEW_ITERATION, ENTER, NEXT_CHILD, TAKE_VALUE, FINISHED = range(5)

# The fields of a row; its state, actions and ranks follow the line.
HEIGHT, ALPHA, BETA, FLOOR, VALUE, ACTION, CHILD, SCOUTING, N_CHILDREN, KEY, KILLER = range(11)
LINE = KILLER + 2
STATE = LINE + MAX_PLIES

ENTRY_SIZE = 3
BUCKET_SIZE = 2 * ENTRY_SIZE
EXACT, AT_LEAST, AT_MOST = 1, 2, 3
ACTION_BITS, FLAG_BITS, HEIGHT_BITS = 20, 2, 8
HISTORY_BITS = 14


class Tree(NamedTuple):
    """The buffers of a search, in the order its compiled function takes them; see the
    module's docstring.
    """

    control: object
    rows: object
    history: object
    table: object
    state: object
    after: object
    listed: object


def new_tree(game, options, table_bits=16):
    """Buffers for searches of a game, with 2**table_bits entries in the table (24 bytes each).

    Raises ValueError where the options look further ahead than there are rows.
    """
    if not 1 <= options.depth <= options.depth + options.quiescence < MAX_PLIES:
        raise ValueError(f"depth and quiescence must be 1 to {MAX_PLIES - 1} together: {options}")
    settings = [int(value) for value in options]
    tree = Tree(
        control=int_buffer(settings + [0] * (N_CONTROL - len(settings))),
        rows=int_buffer(MAX_PLIES * (STATE + game.state_size + 2 * game.max_actions)),
        history=int_buffer(2 * game.max_actions),
        table=int_buffer(ENTRY_SIZE << table_bits),
        state=int_buffer(game.state_size),
        after=int_buffer(game.state_size),
        listed=int_buffer(game.max_actions),
    )
    start(tree)
    return tree


def start(tree):
    """Begin to search another position: the table keeps what it knows, killers are dropped, the
    history is halved.
    """
    for i in range(STAGE, AGE):
        tree.control[i] = 0
    tree.control[AGE] += 1
    size = len(tree.rows) // MAX_PLIES
    for row in range(0, len(tree.rows), size):
        tree.rows[row + LINE] = tree.rows[row + KILLER] = tree.rows[row + KILLER + 1] = -1
    for i in range(len(tree.history)):
        tree.history[i] = tree.history[i] // 2


def is_finished(tree):
    """Whether more nodes would change nothing: the full depth is searched, or the end of
    the game is proved.
    """
    return int(tree.control[STAGE]) == FINISHED


@inline
def no_actions(setup, state, actions):
    """The noisy actions of a game in which every position is quiet."""
    return 0


@inline
def copy(source, first, target, start, n):
    """Copy n numbers from one place to another."""
    for i in range(n):
        target[start + i] = source[first + i]


@inline
def find_entry(table, key):
    """Where the table has a position's entry, or -1."""
    bucket = (key & (len(table) // BUCKET_SIZE - 1)) * BUCKET_SIZE
    for entry in (bucket, bucket + ENTRY_SIZE):
        if table[entry] == key and table[entry + 2] != 0:
            return entry
    return -1


@inline
def entry_action(data):
    """The best action an entry knows."""
    return data & ((1 << ACTION_BITS) - 1)


@inline
def entry_flag(data):
    """Whether an entry's value is EXACT, AT_LEAST or AT_MOST."""
    return data >> ACTION_BITS & ((1 << FLAG_BITS) - 1)


@inline
def entry_height(data):
    """How many plies an entry's value looks ahead."""
    return data >> ACTION_BITS + FLAG_BITS & ((1 << HEIGHT_BITS) - 1)


@inline
def entry_data(action, flag, height, age):
    """What an entry knows besides the value; the later search and then the greater height is
    the greater number.
    """
    return ((age << HEIGHT_BITS | height) << FLAG_BITS | flag) << ACTION_BITS | action


@inline
def store_entry(table, key, value, data):
    """Remember a result: a bucket's first entry keeps the greatest height of the latest search,
    the second the rest.
    """
    entry = (key & (len(table) // BUCKET_SIZE - 1)) * BUCKET_SIZE
    if data >> ACTION_BITS + FLAG_BITS < table[entry + 2] >> ACTION_BITS + FLAG_BITS:
        entry += ENTRY_SIZE
    table[entry] = key
    table[entry + 1] = value
    table[entry + 2] = data


@inline
def moved_by(control, value, plies):
    """A value as seen from `plies` further up, where wins and defeats count less by each ply
    (option short_wins).
    """
    if control[SHORT_WINS] != 0 and value >= LEAST_WIN:
        return value - plies
    if control[SHORT_WINS] != 0 and value <= -LEAST_WIN:
        return value + plies
    return value


@inline
def open_row(rows, row, height, alpha, beta):
    """Begin with a position whose state is in its row."""
    rows[row + HEIGHT] = height
    rows[row + ALPHA] = alpha
    rows[row + BETA] = beta
    rows[row + FLOOR] = alpha
    rows[row + VALUE] = -INFINITE
    rows[row + ACTION] = -1


@inline
def improve(rows, row, size, value, action):
    """Take a child's value into its parent's row, and the child's line into its line;
    returns whether it cuts.
    """
    if value > rows[row + VALUE]:
        rows[row + VALUE] = value
        rows[row + ACTION] = action
        if value > rows[row + ALPHA]:
            rows[row + ALPHA] = value
            line = row + LINE
            rows[line] = action
            while rows[line + size] >= 0:
                rows[line + 1] = rows[line + size]
                line += 1
            rows[line + 1] = -1
    return value >= rows[row + BETA]


@inline
def note_killer(rows, row, action):
    """Remember an action that cut among the two of its ply."""
    if rows[row + KILLER] != action:
        rows[row + KILLER + 1] = rows[row + KILLER]
        rows[row + KILLER] = action


@inline
def note_history(history, place, height):
    """Count an action that cut, the more the higher; where a count is full, all are halved."""
    history[place] += height * height
    if history[place] >= 1 << HISTORY_BITS:
        for i in range(len(history)):
            history[i] >>= 1


@inline
def is_repeated(rows, row, size):
    """Whether the position was met on the way to it."""
    for earlier in range(row - 2 * size, -1, -2 * size):
        if rows[earlier + KEY] == rows[row + KEY]:
            return True
    return False


@inline
def is_enough(rows, row, data, value):
    """Whether an entry of the table makes the search of a position superfluous."""
    flag = entry_flag(data)
    return entry_height(data) >= rows[row + HEIGHT] and (
        flag == EXACT
        or (flag == AT_LEAST and value >= rows[row + BETA])
        or (flag == AT_MOST and value <= rows[row + ALPHA])
    )


@inline
def pick_child(rows, ranks, n):
    """The child of the highest rank not yet tried, the first of equals, or -1; `ranks`
    is where they begin.
    """
    best = -1
    rank = TRIED
    for i in range(n):
        if rows[ranks + i] > rank:
            rank = rows[ranks + i]
            best = i
    return best


@inline
def give_back(control, value):
    """Hand a position's value to its parent."""
    control[RETURNED] = value
    control[PLY] -= 1
    control[STAGE] = TAKE_VALUE


@inline
def close(control, rows, row, table):
    """Remember a position's result in the table and hand it to the parent."""
    value, height = rows[row + VALUE], rows[row + HEIGHT]
    if control[TABLE] != 0 and height > 0:
        flag = EXACT
        if value <= rows[row + FLOOR]:
            flag = AT_MOST
        elif value >= rows[row + BETA]:
            flag = AT_LEAST
        data = entry_data(rows[row + ACTION], flag, height, control[AGE])
        store_entry(table, rows[row + KEY], moved_by(control, value, -control[PLY]), data)
    give_back(control, value)


@inline
def descend(control, rows, row, size, alpha, beta):
    """Go to a child, whose state is in its row, with a window as the parent sees it."""
    open_row(rows, row + size, rows[row + HEIGHT] - 1, -beta, -alpha)
    control[PLY] += 1
    control[STAGE] = ENTER


@inline
def begin_iteration(control, rows):
    """Start the next deeper iteration, with a window around the last value, or end the search."""
    depth, value = control[DEPTH], control[DONE_VALUE]
    if depth >= control[DEPTH_LIMIT] or abs(value) >= LEAST_WIN:
        control[STAGE] = FINISHED
        return
    control[DEPTH] = depth + 1 if control[DEEPENING] != 0 else control[DEPTH_LIMIT]
    control[LOW], control[HIGH] = -INFINITE, INFINITE
    if control[ASPIRATION] != 0 and depth > 0:
        control[LOW] = value - control[ASPIRATION]
        control[HIGH] = value + control[ASPIRATION]
    search_root(control, rows)


@inline
def search_root(control, rows):
    """Go to the root."""
    open_row(rows, 0, control[DEPTH], control[LOW], control[HIGH])
    control[PLY] = 0
    control[STAGE] = ENTER


@inline
def end_iteration(control, rows):
    """Take the root's value, or search again with the window opened on the side where it failed."""
    value = control[RETURNED]
    if value <= control[LOW]:
        control[LOW] = -INFINITE
        search_root(control, rows)
    elif value >= control[HIGH]:
        control[HIGH] = INFINITE
        search_root(control, rows)
    else:
        control[DONE_DEPTH] = control[DEPTH]
        control[DONE_VALUE] = value
        control[STAGE] = NEW_ITERATION


def make_search(game, noisy=no_actions):
    """The search of an `AlternatingGame`, as a function to be compiled with
    `kernel(SEARCH_SIGNATURE)`.

    search(setup, root, *tree, n) generates about n more nodes for the position `root`, which it
    leaves alone; call `start` before another root. A node is a position made by an action.
    noisy(setup, state, actions) -> n writes the actions to follow beyond the depth; where there is
    none, a position is quiet.
    """
    legal, apply, to_move = game.legal, game.apply, game.to_move
    is_over, result, evaluate, key_of = game.is_over, game.result, game.evaluate, game.key
    n_state, max_actions = game.state_size, game.max_actions
    ACTIONS = STATE + n_state
    RANKS = ACTIONS + max_actions
    size = RANKS + max_actions

    @inline
    def ended_value(setup, control, ended, plies):
        """What a game that ended so many plies below the root is worth to who made the last move."""
        return moved_by(control, -result(setup, ended) * WIN, plies)

    @inline
    def search_leaves(setup, control, rows, row, state, after, listed, n, first):
        """All of a position whose children are leaves: generate and evaluate them until one cuts."""
        rows[row + size + LINE] = -1
        for i in range(n):
            if listed[i] == first:
                listed[i] = listed[0]
                listed[0] = first
        for i in range(n):
            apply(setup, state, listed[i], after)
            control[GENERATED] += 1
            if is_over(setup, after):
                value = ended_value(setup, control, after, control[PLY] + 1)
            else:
                value = -evaluate(setup, after)
            if improve(rows, row, size, value, listed[i]):
                note_killer(rows, row, listed[i])
                break

    @inline
    def rank_children(setup, control, rows, row, history, state, after, listed, n, first):
        """List and rank a position's children; returns the action that wins at once, or -1."""
        counts = max_actions * to_move(setup, state)
        for i in range(n):
            action = listed[i]
            rank = 0
            if control[ORDER] != 0:
                apply(setup, state, action, after)
                control[GENERATED] += 1
                if is_over(setup, after):
                    rank = -result(setup, after) * WIN
                    if rank == WIN:
                        return action
                else:
                    rank = -evaluate(setup, after)
            if action == rows[row + KILLER] or action == rows[row + KILLER + 1]:
                rank += control[KILLERS]
            rank += control[HISTORY] * history[counts + action] >> HISTORY_BITS
            rows[row + ACTIONS + i] = action
            rows[row + RANKS + i] = INFINITE if action == first else rank
        return -1

    @inline
    def enter(setup, control, rows, history, table, state, after, listed):
        """Settle a position at once, by the table or as a leaf, or list its children."""
        ply = control[PLY]
        row = ply * size
        height = rows[row + HEIGHT]
        control[VISITED] += 1
        copy(rows, row + STATE, state, 0, n_state)
        first = -1
        if ply == 0:
            first = rows[LINE]  # the best action of the iteration before
        else:
            rows[row + LINE] = -1
        if control[REPETITION] != 0 or (control[TABLE] != 0 and height > 0):
            rows[row + KEY] = key_of(setup, state)
            if control[REPETITION] != 0 and is_repeated(rows, row, size):
                give_back(control, 0)
                return
        if control[TABLE] != 0 and height > 0:
            entry = find_entry(table, rows[row + KEY])
            if entry >= 0:
                value = moved_by(control, table[entry + 1], ply)
                if ply > 0 and is_enough(rows, row, table[entry + 2], value):
                    give_back(control, value)
                    return
                if first < 0:
                    first = entry_action(table[entry + 2])
        if height > 0:
            n = legal(setup, state, listed)
            if n == 0:
                give_back(control, evaluate(setup, state))
                return
        else:
            # Nobody has to make a noisy action: standing pat is worth the evaluation.
            value = evaluate(setup, state)
            rows[row + VALUE] = value
            rows[row + ALPHA] = max(rows[row + ALPHA], value)
            n = 0
            if value < rows[row + BETA] and height > -control[QUIESCENCE]:
                n = noisy(setup, state, listed)
            if n == 0:
                give_back(control, value)
                return
        if height == 1 and control[QUIESCENCE] == 0:
            if first < 0 and control[KILLERS] != 0:
                first = rows[row + KILLER]
            search_leaves(setup, control, rows, row, state, after, listed, n, first)
            close(control, rows, row, table)
            return
        won = rank_children(setup, control, rows, row, history, state, after, listed, n, first)
        if won >= 0:
            rows[row + size + LINE] = -1
            improve(rows, row, size, moved_by(control, WIN, ply + 1), won)
            close(control, rows, row, table)
            return
        rows[row + N_CHILDREN] = n
        control[STAGE] = NEXT_CHILD
        if ply == 0 and rows[LINE] < 0:
            # Better than no action, should the search end before any child has a value.
            rows[LINE] = rows[ACTIONS + pick_child(rows, RANKS, n)]
            rows[LINE + 1] = -1

    @inline
    def next_child(setup, control, rows, table, state, after):
        """Go down to the most promising child not yet tried, or close the position."""
        row = control[PLY] * size
        child = pick_child(rows, row + RANKS, rows[row + N_CHILDREN])
        if child < 0:
            close(control, rows, row, table)
            return
        rows[row + RANKS + child] = TRIED
        action = rows[row + ACTIONS + child]
        rows[row + CHILD] = action
        rows[row + SCOUTING] = 0
        copy(rows, row + STATE, state, 0, n_state)
        apply(setup, state, action, after)
        if control[ORDER] == 0:
            control[GENERATED] += 1
        if is_over(setup, after):
            rows[row + size + LINE] = -1
            control[RETURNED] = -ended_value(setup, control, after, control[PLY] + 1)
            control[STAGE] = TAKE_VALUE
            return
        copy(after, 0, rows, row + size + STATE, n_state)
        alpha, beta = rows[row + ALPHA], rows[row + BETA]
        # The first child is asked with the whole window: there is nothing yet that it
        # could be worse than.
        if control[SCOUTS] != 0 and rows[row + ACTION] >= 0:
            rows[row + SCOUTING] = 1
            beta = alpha + 1
        descend(control, rows, row, size, alpha, beta)

    @inline
    def take_value(setup, control, rows, history, table, state):
        """Take the value of the child that was searched; search it again where a null
        window was too narrow.
        """
        row = control[PLY] * size
        value = -control[RETURNED]
        alpha, beta = rows[row + ALPHA], rows[row + BETA]
        if rows[row + SCOUTING] != 0 and alpha < value < beta:
            rows[row + SCOUTING] = 0
            descend(control, rows, row, size, alpha, beta)
            return
        control[STAGE] = NEXT_CHILD
        action = rows[row + CHILD]
        if improve(rows, row, size, value, action):
            copy(rows, row + STATE, state, 0, n_state)
            note_killer(rows, row, action)
            counts = max_actions * to_move(setup, state)
            note_history(history, counts + action, rows[row + HEIGHT])
            close(control, rows, row, table)

    def search(setup, root, control, rows, history, table, state, after, listed, n_nodes):
        control[BUDGET] += n_nodes
        while control[GENERATED] < control[BUDGET] and control[STAGE] != FINISHED:
            if control[STAGE] == NEW_ITERATION:
                copy(root, 0, rows, STATE, n_state)
                begin_iteration(control, rows)
            elif control[STAGE] == ENTER:
                enter(setup, control, rows, history, table, state, after, listed)
            elif control[STAGE] == NEXT_CHILD:
                next_child(setup, control, rows, table, state, after)
            elif control[PLY] < 0:
                end_iteration(control, rows)
            else:
                take_value(setup, control, rows, history, table, state)

    return search


class Report(NamedTuple):
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


def report(tree):
    """The search's `Report` since `start`."""
    line = [int(action) for action in tree.rows[LINE:STATE]]
    return Report(
        depth=int(tree.control[DONE_DEPTH]),
        value=int(tree.control[DONE_VALUE]),
        action=line[0],
        line=line[: line.index(-1)],
        generated=int(tree.control[GENERATED]),
        visited=int(tree.control[VISITED]),
    )
