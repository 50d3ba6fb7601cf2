"""The options and buffers of alpha-beta, and its stack: a row for each position of the line now
searched, the root's first.

A row has the fields named below, the principal line from there on, the state, the actions in the
game's order and how promising each is. `size` is that of a row, `row` where it begins in `rows`.
"""

from typing import NamedTuple

from shared.core.game import AlternatingGame
from shared.core.jit import Ints, inline, int_buffer
from shared.search.transpositions import ENTRY_SIZE

MAX_PLIES = 64

# A win at the root counts WIN, one n plies later n less; no evaluation comes near.
WIN = 1 << 62
LEAST_WIN = WIN - (1 << 10)
INFINITE = WIN + 1
TRIED = -INFINITE - 1  # the rank of a child that was searched

# The names of `control`
STAGE, PLY, DEPTH, BUDGET, GENERATED, VISITED, RETURNED = range(7)
LOW, HIGH, DONE_DEPTH, DONE_VALUE, DEPTH_LIMIT, AGE, N_CONTROL = range(7, 14)
NEW_ITERATION, ENTER, NEXT_CHILD, TAKE_VALUE, FINISHED = range(5)

# The fields of a row; its state, actions and ranks follow the line.
DEPTH_LEFT, ALPHA, BETA, FLOOR, VALUE, ACTION, CHILD, SCOUTING, N_CHILDREN, KEY = range(10)
LISTED, FIRST, N_QUIET, KILLER = range(10, 14)
LINE = KILLER + 2
STATE = LINE + MAX_PLIES

# Which actions of a row are LISTED: the one to try first, then noisy ones, then all.
FIRST_ONE, NOISY_ONES, ALL = range(3)

HISTORY_BITS = 14


class Options(NamedTuple):
    """How to search. None of it changes the value at a fixed depth, only the cost,
    with three exceptions:

    quiescence and repetition change what is searched, the table brings in values from a greater
    depth where a position is met at different plies, and reductions overlook what shows late.

    deepening: to depth 1 first, then 2 and so on; else at once.
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
    reductions: how many quiet actions of a position are searched to the full depth; those after
    them, a ply less deep until one looks better than the best; 0 for all. It needs scouts, and the
    game's quiet actions listed apart (`make_search`).
    late_reductions: how many are searched a ply less deep at most; those after them, two. 0 for no end.
    """

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
    reductions: int = 0
    late_reductions: int = 0


class Tree(NamedTuple):
    """All that a search knows. Letters: S numbers of a state, A actions, E entries.

    control [14]           see the names above
    rows    [MAX_PLIES R]  a row for each position of the line now searched, the root's first: its
                           fields, the principal line from there on, the state (S), the actions in
                           the game's order (A) and how promising each is (A)
    history [2 A]          for each player how often an action cut
    table   [3 E]          see `transpositions.py`
    state, after [S], listed [A]  room for two positions and a list of actions
    """

    control: Ints
    rows: Ints
    history: Ints
    table: Ints
    state: Ints
    after: Ints
    listed: Ints


def new_tree(
    game: AlternatingGame, options: Options, table_bits: int = 16, depth: int = 40
) -> Tree:
    """A search that knows nothing and will look `depth` plies ahead at most, with 2**table_bits
    entries in the table (24 bytes each).

    Raises ValueError where there are no rows for so many plies.
    """
    plies = depth + options.quiescence
    if not 1 <= depth <= plies < MAX_PLIES:
        raise ValueError(f"depth and quiescence must be 1 to {MAX_PLIES - 1} together, not {plies}")
    tree = Tree(
        control=int_buffer(N_CONTROL),
        rows=int_buffer(MAX_PLIES * (STATE + game.state_size + 2 * game.max_actions)),
        history=int_buffer(2 * game.max_actions),
        table=int_buffer(ENTRY_SIZE << table_bits),
        state=int_buffer(game.state_size),
        after=int_buffer(game.state_size),
        listed=int_buffer(game.max_actions),
    )
    tree.control[DEPTH_LIMIT] = depth
    start(tree)
    return tree


def start(tree: Tree) -> None:
    """Begin to search another position: the table keeps what it knows, killers are dropped, the
    history is halved.
    """
    for i in range(STAGE, DEPTH_LIMIT):
        tree.control[i] = 0
    tree.control[AGE] += 1
    size = len(tree.rows) // MAX_PLIES
    for row in range(0, len(tree.rows), size):
        tree.rows[row + LINE] = tree.rows[row + KILLER] = tree.rows[row + KILLER + 1] = -1
    for i in range(len(tree.history)):
        tree.history[i] = tree.history[i] // 2


def is_finished(tree: Tree) -> bool:
    """Whether more nodes would change nothing: the full depth is searched, or the end of
    the game is proved.
    """
    return int(tree.control[STAGE]) == FINISHED


@inline
def moved_by(value, plies):
    """A value as seen from `plies` further up, where wins and defeats count less by each ply."""
    if value >= LEAST_WIN:
        return value - plies
    if value <= -LEAST_WIN:
        return value + plies
    return value


@inline
def open_row(rows, row, depth_left, alpha, beta):
    """Begin with a position whose state is in its row."""
    rows[row + DEPTH_LEFT] = depth_left
    rows[row + ALPHA] = alpha
    rows[row + BETA] = beta
    rows[row + FLOOR] = alpha
    rows[row + VALUE] = -INFINITE
    rows[row + ACTION] = -1


@inline
def back_up(rows, row, size, value, action):
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
def note_history(history, place, depth_left):
    """Count an action that cut, the more the deeper; where a count is full, all are halved."""
    history[place] += depth_left * depth_left
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
def select_child(rows, ranks, n):
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
def descend(control, rows, row, size, alpha, beta, depth_left):
    """Go to a child, whose state is in its row, with a window as the parent sees it."""
    open_row(rows, row + size, depth_left, -beta, -alpha)
    control[PLY] += 1
    control[STAGE] = ENTER


@inline
def begin_iteration(control, rows, deepening, aspiration):
    """Start the next deeper iteration, with a window around the last value, or end the search."""
    depth, value = control[DEPTH], control[DONE_VALUE]
    if depth >= control[DEPTH_LIMIT] or abs(value) >= LEAST_WIN:
        control[STAGE] = FINISHED
        return
    control[DEPTH] = depth + 1 if deepening else control[DEPTH_LIMIT]
    control[LOW], control[HIGH] = -INFINITE, INFINITE
    if aspiration != 0 and depth > 0:
        control[LOW] = value - aspiration
        control[HIGH] = value + aspiration
    enter_root(control, rows)


@inline
def enter_root(control, rows):
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
        enter_root(control, rows)
    elif value >= control[HIGH]:
        control[HIGH] = INFINITE
        enter_root(control, rows)
    else:
        control[DONE_DEPTH] = control[DEPTH]
        control[DONE_VALUE] = value
        control[STAGE] = NEW_ITERATION
