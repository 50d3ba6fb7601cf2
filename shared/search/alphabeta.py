"""Alpha-beta: the value of a position and its best action, for a game of two players who move in turns.

Sources: D. Knuth and R. Moore, "An Analysis of Alpha-Beta Pruning" (Artificial Intelligence 6, 1975); J. Fishburn, "Analysis of
Speedup in Distributed Algorithms" (1981), fail-soft bounds; T. Marsland, "A Review of Game-Tree Pruning" (ICCA Journal 9,
1986), aspiration, killers, history and principal variation search. All in negamax form: a value is from the side of the player
to move, and a child's is negated on the way up.

What it returns (fail-soft), for a position's true value V at the depth searched and the window (alpha, beta):

    returned <= alpha          V <= returned
    alpha < returned < beta    V == returned
    returned >= beta           V >= returned

The search keeps its own stack, so that it can stop between any two nodes and go on in the next slice; how its nodes are
cut into slices makes no difference.

Letters: S numbers of a state, A actions (see `shared/core/game.py`), D plies, E entries of the transposition table.

    counters int64[*]      see the names below
    options  int64[*]      `Options` as numbers
    frames   int64[10 D]   a row for each ply of the line now searched
    states   int64[S D]    the position at each ply
    actions  int64[A D]    the actions of each ply, in the order the game lists them
    ranks    int64[A D]    how promising each of them is; TRIED once it was searched
    lines    int64[D D]    the principal line from each ply on, ended by -1
    killers  int64[2 D]    the two actions that last cut at each ply
    history  int64[2 A]    for each player how often an action cut
    table    int64[3 E]    transposition table: key, value, data of each entry; buckets of two
    state, after int64[S]; listed int64[A]   room for one position each, and for one list
"""

from typing import NamedTuple

from shared.core.jit import inline, int_buffer

# A win at the root counts WIN, one n plies later n less; no evaluation comes near.
WIN = 1 << 62
LEAST_WIN = WIN - (1 << 20)
INFINITE = WIN + 1
TRIED = -INFINITE - 1

STAGE, PLY, DEPTH, BUDGET, GENERATED, VISITED, RETURNED, AGE = range(8)
LOW, HIGH, BEST_ACTION, BEST_VALUE, DONE_DEPTH, DONE_VALUE = range(8, 14)
N_COUNTERS = 14
NEW_ITERATION, ENTER, NEXT_CHILD, TAKE_VALUE, FINISHED = range(5)

HEIGHT, ALPHA, BETA, FLOOR, VALUE, ACTION, CHILD, SCOUTING, N_CHILDREN, KEY = range(10)
FRAME_SIZE = 10

ENTRY_SIZE = 3
BUCKET_SIZE = 2 * ENTRY_SIZE
EXACT, AT_LEAST, AT_MOST = 1, 2, 3
ACTION_BITS, FLAG_BITS, HEIGHT_BITS = 20, 2, 8
HISTORY_BITS = 14

SEARCH_SIGNATURE = "void(" + "int64[::1], " * 15 + "int64)"


class Options(NamedTuple):
    """How to search; none of it changes the value of a search to a fixed depth, only its cost.

    Exceptions: quiescence and repetition change what is searched; the table may bring in values of greater height where a
    position is met at different plies.

    depth: how many plies to look ahead at most. deepening: to depth 1 first, then 2 and so on; else at once.
    table: whether to use the transposition table.
    order: whether to try children by their evaluation, the best first; equal ones in the order the game lists them.
    killers: what a killer action adds to its child's rank, in units of the evaluation; 0 for no killers.
    history: what the action that cut most often adds, less often in proportion; 0 for none.
    scouts: principal variation search: all children but the first are asked with a null window first.
    aspiration: half the width of the window around the value of the iteration before; 0 for a full window.
    quiescence: by how many plies at most noisy actions are followed beyond the depth.
    repetition: whether a position that was met on the way to it counts as a draw.
    short_wins: whether a win counts the more, and a defeat the less, the sooner it comes.
    """

    depth: int = 60
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


(
    MAX_DEPTH,
    DEEPENING,
    TABLE,
    ORDER,
    KILLERS,
    HISTORY,
    SCOUTS,
    ASPIRATION,
    QUIESCENCE,
    REPETITION,
    SHORT_WINS,
) = range(len(Options._fields))


class Tree(NamedTuple):
    """The buffers of a search, in the order its compiled function takes them; see the module's docstring."""

    counters: object
    options: object
    frames: object
    states: object
    actions: object
    ranks: object
    lines: object
    killers: object
    history: object
    table: object
    state: object
    after: object
    listed: object


def new_tree(game, options, table_bits=16):
    """Buffers for searches of a game: 2**table_bits entries of the table (24 bytes each), a row for each ply."""
    plies = options.depth + options.quiescence + 2
    return Tree(
        counters=int_buffer(N_COUNTERS),
        options=int_buffer([int(value) for value in options]),
        frames=int_buffer(FRAME_SIZE * plies),
        states=int_buffer(game.state_size * plies),
        actions=int_buffer(game.max_actions * plies),
        ranks=int_buffer(game.max_actions * plies),
        lines=int_buffer([-1] * (plies * plies)),
        killers=int_buffer([-1] * (2 * plies)),
        history=int_buffer(2 * game.max_actions),
        table=int_buffer(ENTRY_SIZE << table_bits),
        state=int_buffer(game.state_size),
        after=int_buffer(game.state_size),
        listed=int_buffer(game.max_actions),
    )


def start(tree):
    """Begin to search another position: the table keeps what it knows, killers are dropped, the history is halved."""
    age = (int(tree.counters[AGE]) + 1) & 0xFFFF
    for i in range(N_COUNTERS):
        tree.counters[i] = 0
    tree.counters[AGE] = age
    tree.counters[BEST_ACTION] = -1
    tree.lines[0] = -1
    for i in range(len(tree.killers)):
        tree.killers[i] = -1
    for i in range(len(tree.history)):
        tree.history[i] = tree.history[i] // 2


def is_finished(tree):
    """Whether more nodes would change nothing: the full depth is searched, or the game's end is proved."""
    return int(tree.counters[STAGE]) == FINISHED


@inline
def no_actions(setup, state, actions):
    """Noisy actions of a game in which every position is quiet."""
    return 0


@inline
def copy_row(source, source_row, target, target_row, size):
    """Copy a row of `size` numbers."""
    for i in range(size):
        target[target_row * size + i] = source[source_row * size + i]


@inline
def find_entry(table, key):
    """Where the table has a position's entry, or -1."""
    bucket = (key & (len(table) // BUCKET_SIZE - 1)) * BUCKET_SIZE
    for entry in range(bucket, bucket + BUCKET_SIZE, ENTRY_SIZE):
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
def store_entry(table, key, value, action, flag, height, age):
    """Remember a result: the bucket's first entry keeps the greater height of this search, the second the rest."""
    entry = (key & (len(table) // BUCKET_SIZE - 1)) * BUCKET_SIZE
    stale = table[entry + 2] >> ACTION_BITS + FLAG_BITS + HEIGHT_BITS != age
    if not stale and height < entry_height(table[entry + 2]):
        entry += ENTRY_SIZE
    table[entry] = key
    table[entry + 1] = value
    data = (age << HEIGHT_BITS | height) << FLAG_BITS | flag
    table[entry + 2] = data << ACTION_BITS | action


@inline
def from_root(value, plies):
    """A value as the root sees it, of a position `plies` below it: wins are that much later."""
    if value >= LEAST_WIN:
        return value - plies
    if value <= -LEAST_WIN:
        return value + plies
    return value


@inline
def push_frame(frames, ply, height, alpha, beta):
    """Make a position, already in `states`, the next to be entered."""
    frame = FRAME_SIZE * ply
    frames[frame + HEIGHT] = height
    frames[frame + ALPHA] = alpha
    frames[frame + BETA] = beta
    frames[frame + FLOOR] = alpha
    frames[frame + VALUE] = -INFINITE
    frames[frame + ACTION] = -1
    frames[frame + SCOUTING] = 0


@inline
def pick_child(ranks, first, n):
    """The child of the highest rank not yet tried, the first of equals; -1 when all were."""
    best = -1
    rank = TRIED
    for i in range(first, first + n):
        if ranks[i] > rank:
            rank = ranks[i]
            best = i
    return best - first if best >= 0 else -1


@inline
def extend_line(lines, ply, action, plies):
    """Let the principal line from `ply` on be an action and then the one below it."""
    lines[ply * plies] = action
    for i in range(plies - 1):
        below = lines[(ply + 1) * plies + i]
        lines[ply * plies + i + 1] = below
        if below < 0:
            break


@inline
def note_cut(options, killers, history, ply, player, action, max_actions, height):
    """Remember the action that cut."""
    if options[KILLERS] != 0 and killers[2 * ply] != action:
        killers[2 * ply + 1] = killers[2 * ply]
        killers[2 * ply] = action
    if options[HISTORY] != 0:
        history[player * max_actions + action] += height * height
        if history[player * max_actions + action] >= 1 << HISTORY_BITS:
            for i in range(2 * max_actions):
                history[i] >>= 1


@inline
def begin_iteration(counters, options, frames):
    """Start the next deeper iteration, with a window around the last value, or end the search."""
    value = counters[DONE_VALUE]
    proved = abs(value) >= LEAST_WIN
    if counters[DEPTH] >= options[MAX_DEPTH] or (proved and counters[DEPTH] > 0):
        counters[STAGE] = FINISHED
        return
    counters[DEPTH] = counters[DEPTH] + 1 if options[DEEPENING] != 0 else options[MAX_DEPTH]
    counters[LOW], counters[HIGH] = -INFINITE, INFINITE
    if options[ASPIRATION] != 0 and counters[DEPTH] > 1:
        counters[LOW] = value - options[ASPIRATION]
        counters[HIGH] = value + options[ASPIRATION]
    counters[PLY] = 0
    push_frame(frames, 0, counters[DEPTH], counters[LOW], counters[HIGH])
    counters[STAGE] = ENTER


@inline
def end_iteration(counters, frames):
    """Take the root's value, or search again with the window opened on the side where it failed."""
    value = counters[RETURNED]
    if value <= counters[LOW]:
        counters[LOW] = -INFINITE
    elif value >= counters[HIGH]:
        counters[HIGH] = INFINITE
    else:
        counters[DONE_DEPTH] = counters[DEPTH]
        counters[DONE_VALUE] = value
        counters[STAGE] = NEW_ITERATION
        return
    push_frame(frames, 0, counters[DEPTH], counters[LOW], counters[HIGH])
    counters[STAGE] = ENTER


def make_search(game, noisy=no_actions):
    """The search of an `AlternatingGame`, as a function to be compiled with `kernel(SEARCH_SIGNATURE)`.

    search(setup, root, *tree, n) generates about n more nodes for the position `root`, which it leaves alone; call `start`
    before the first slice. A node is a position made by an action.
    noisy(setup, state, actions) -> n writes the actions to follow beyond the depth; where there is none, a position is quiet.
    """
    legal, apply, to_move = game.legal, game.apply, game.to_move
    is_over, result, evaluate, key_of = game.is_over, game.result, game.evaluate, game.key
    size, max_actions = game.state_size, game.max_actions

    @inline
    def ended_value(setup, options, ended, ply):
        """What a game that ended `ply` plies below the root is worth to the player who made the last move."""
        value = -result(setup, ended) * WIN
        return from_root(value, ply) if options[SHORT_WINS] != 0 else value

    @inline
    def is_repeated(frames, ply, key):
        """Whether the position was met on the way to it."""
        for earlier in range(ply - 2, -1, -2):
            if frames[FRAME_SIZE * earlier + KEY] == key:
                return True
        return False

    @inline
    def known_value(options, frames, table, entry, ply):
        """Whether an entry settles a position, and its value as the root sees it."""
        frame = FRAME_SIZE * ply
        data = table[entry + 2]
        value = table[entry + 1]
        if options[SHORT_WINS] != 0:
            value = from_root(value, ply)
        flag = entry_flag(data)
        settled = entry_height(data) >= frames[frame + HEIGHT] and (
            flag == EXACT
            or (flag == AT_LEAST and value >= frames[frame + BETA])
            or (flag == AT_MOST and value <= frames[frame + ALPHA])
        )
        return settled, value

    @inline
    def give_back(counters, value):
        """Hand a position's value to its parent."""
        counters[RETURNED] = value
        counters[PLY] -= 1
        counters[STAGE] = TAKE_VALUE

    @inline
    def close(counters, options, frames, table, ply):
        """Remember a position's result in the table and hand it to the parent."""
        frame = FRAME_SIZE * ply
        value = frames[frame + VALUE]
        if options[TABLE] != 0 and frames[frame + HEIGHT] > 0:
            flag = EXACT
            if value <= frames[frame + FLOOR]:
                flag = AT_MOST
            elif value >= frames[frame + BETA]:
                flag = AT_LEAST
            kept = from_root(value, -ply) if options[SHORT_WINS] != 0 else value
            store_entry(
                table,
                frames[frame + KEY],
                kept,
                frames[frame + ACTION],
                flag,
                frames[frame + HEIGHT],
                counters[AGE],
            )
        give_back(counters, value)

    @inline
    def improve(counters, frames, lines, ply, value, action):
        """Take a child's value into its parent; returns whether it cuts."""
        frame = FRAME_SIZE * ply
        if value > frames[frame + VALUE]:
            frames[frame + VALUE] = value
            frames[frame + ACTION] = action
            if value > frames[frame + ALPHA]:
                frames[frame + ALPHA] = value
                extend_line(lines, ply, action, len(frames) // FRAME_SIZE)
                if ply == 0:
                    counters[BEST_ACTION] = action
                    counters[BEST_VALUE] = value
        return value >= frames[frame + BETA]

    @inline
    def search_leaves(
        setup, counters, options, frames, lines, killers, listed, state, after, ply, n, first
    ):
        """All of a position whose children are leaves: generate and evaluate them until one cuts."""
        lines[(ply + 1) * (len(frames) // FRAME_SIZE)] = -1
        for i in range(n):
            if listed[i] == first:
                listed[i] = listed[0]
                listed[0] = first
        for i in range(n):
            apply(setup, state, listed[i], after)
            counters[GENERATED] += 1
            if is_over(setup, after):
                value = ended_value(setup, options, after, ply + 1)
            else:
                value = -evaluate(setup, after)
            if improve(counters, frames, lines, ply, value, listed[i]):
                if options[KILLERS] != 0 and killers[2 * ply] != listed[i]:
                    killers[2 * ply + 1] = killers[2 * ply]
                    killers[2 * ply] = listed[i]
                break

    @inline
    def rank_children(
        setup,
        counters,
        options,
        frames,
        actions,
        ranks,
        killers,
        history,
        listed,
        state,
        after,
        ply,
        n,
        first,
    ):
        """List and rank a position's children; returns the action that wins at once, or -1."""
        row = max_actions * ply
        player = to_move(setup, state)
        for i in range(n):
            action = listed[i]
            rank = 0
            if options[ORDER] != 0:
                apply(setup, state, action, after)
                counters[GENERATED] += 1
                if is_over(setup, after):
                    rank = -result(setup, after) * WIN
                    if rank == WIN:
                        return action
                else:
                    rank = -evaluate(setup, after)
            if action == killers[2 * ply] or action == killers[2 * ply + 1]:
                rank += options[KILLERS]
            if options[HISTORY] != 0:
                rank += options[HISTORY] * history[player * max_actions + action] >> HISTORY_BITS
            actions[row + i] = action
            ranks[row + i] = INFINITE if action == first else rank
        return -1

    @inline
    def enter(
        setup,
        counters,
        options,
        frames,
        states,
        actions,
        ranks,
        lines,
        killers,
        history,
        table,
        state,
        after,
        listed,
    ):
        """Settle a position at once, by the table or as a leaf, or list its children."""
        ply = counters[PLY]
        frame = FRAME_SIZE * ply
        height = frames[frame + HEIGHT]
        counters[VISITED] += 1
        copy_row(states, ply, state, 0, size)
        if ply > 0:
            lines[ply * (len(frames) // FRAME_SIZE)] = -1
        first = counters[BEST_ACTION] if ply == 0 else -1
        if options[TABLE] != 0 or options[REPETITION] != 0:
            key = key_of(setup, state)
            frames[frame + KEY] = key
            if options[REPETITION] != 0 and is_repeated(frames, ply, key):
                give_back(counters, 0)
                return
            entry = find_entry(table, key) if options[TABLE] != 0 and height > 0 else -1
            if entry >= 0:
                settled, value = known_value(options, frames, table, entry, ply)
                if settled and ply > 0:
                    give_back(counters, value)
                    return
                if first < 0:
                    first = entry_action(table[entry + 2])
        if height > 0:
            n = legal(setup, state, listed)
        else:
            n = noisy(setup, state, listed) if height > -options[QUIESCENCE] else 0
        if height <= 0 or n == 0:
            # A player need not make any of the noisy actions: standing pat is worth the evaluation.
            value = evaluate(setup, state)
            if n == 0 or improve(counters, frames, lines, ply, value, -1):
                give_back(counters, value)
                return
        if height == 1 and options[QUIESCENCE] == 0:
            if first < 0:
                first = killers[2 * ply]
            search_leaves(
                setup,
                counters,
                options,
                frames,
                lines,
                killers,
                listed,
                state,
                after,
                ply,
                n,
                first,
            )
            close(counters, options, frames, table, ply)
            return
        won = rank_children(
            setup,
            counters,
            options,
            frames,
            actions,
            ranks,
            killers,
            history,
            listed,
            state,
            after,
            ply,
            n,
            first,
        )
        if won >= 0:
            lines[(ply + 1) * (len(frames) // FRAME_SIZE)] = -1
            value = from_root(WIN, ply + 1) if options[SHORT_WINS] != 0 else WIN
            improve(counters, frames, lines, ply, value, won)
            close(counters, options, frames, table, ply)
            return
        frames[frame + N_CHILDREN] = n
        counters[STAGE] = NEXT_CHILD

    @inline
    def next_child(
        setup, counters, options, frames, states, actions, ranks, lines, table, state, after
    ):
        """Go down to the most promising child not yet tried, or close the position."""
        ply = counters[PLY]
        frame = FRAME_SIZE * ply
        row = max_actions * ply
        child = pick_child(ranks, row, frames[frame + N_CHILDREN])
        if child < 0:
            close(counters, options, frames, table, ply)
            return
        is_first = frames[frame + ACTION] < 0
        ranks[row + child] = TRIED
        frames[frame + CHILD] = actions[row + child]
        copy_row(states, ply, state, 0, size)
        apply(setup, state, actions[row + child], after)
        if options[ORDER] == 0:
            counters[GENERATED] += 1
        if is_over(setup, after):
            frames[frame + SCOUTING] = 0
            lines[(ply + 1) * (len(frames) // FRAME_SIZE)] = -1
            counters[RETURNED] = -ended_value(setup, options, after, ply + 1)
            counters[STAGE] = TAKE_VALUE
            return
        copy_row(after, 0, states, ply + 1, size)
        scouting = options[SCOUTS] != 0 and not is_first
        frames[frame + SCOUTING] = 1 if scouting else 0
        alpha = frames[frame + ALPHA]
        beta = alpha + 1 if scouting else frames[frame + BETA]
        push_frame(frames, ply + 1, frames[frame + HEIGHT] - 1, -beta, -alpha)
        counters[PLY] = ply + 1
        counters[STAGE] = ENTER

    @inline
    def take_value(setup, counters, options, frames, states, lines, killers, history, table, state):
        """Take the value of the child that was searched; search it again where a null window was too narrow."""
        ply = counters[PLY]
        frame = FRAME_SIZE * ply
        value = -counters[RETURNED]
        if frames[frame + SCOUTING] != 0 and frames[frame + ALPHA] < value < frames[frame + BETA]:
            frames[frame + SCOUTING] = 0
            height = frames[frame + HEIGHT] - 1
            push_frame(frames, ply + 1, height, -frames[frame + BETA], -frames[frame + ALPHA])
            counters[PLY] = ply + 1
            counters[STAGE] = ENTER
            return
        counters[STAGE] = NEXT_CHILD
        if improve(counters, frames, lines, ply, value, frames[frame + CHILD]):
            copy_row(states, ply, state, 0, size)
            note_cut(
                options,
                killers,
                history,
                ply,
                to_move(setup, state),
                frames[frame + CHILD],
                max_actions,
                frames[frame + HEIGHT],
            )
            close(counters, options, frames, table, ply)

    def search(
        setup,
        root,
        counters,
        options,
        frames,
        states,
        actions,
        ranks,
        lines,
        killers,
        history,
        table,
        state,
        after,
        listed,
        n_nodes,
    ):
        counters[BUDGET] += n_nodes
        while counters[GENERATED] < counters[BUDGET] and counters[STAGE] != FINISHED:
            if counters[STAGE] == NEW_ITERATION:
                copy_row(root, 0, states, 0, size)
                begin_iteration(counters, options, frames)
            elif counters[STAGE] == ENTER:
                enter(
                    setup,
                    counters,
                    options,
                    frames,
                    states,
                    actions,
                    ranks,
                    lines,
                    killers,
                    history,
                    table,
                    state,
                    after,
                    listed,
                )
            elif counters[STAGE] == NEXT_CHILD:
                next_child(
                    setup,
                    counters,
                    options,
                    frames,
                    states,
                    actions,
                    ranks,
                    lines,
                    table,
                    state,
                    after,
                )
            elif counters[PLY] < 0:
                end_iteration(counters, frames)
            else:
                take_value(
                    setup, counters, options, frames, states, lines, killers, history, table, state
                )

    return search


class Report(NamedTuple):
    """What a search found: the depth completed and the value there, the best action, the principal line, and its nodes.

    action: the best one so far, of the iteration under way where that has found a better one; -1 before any. generated:
    positions made by an action; visited: those of them whose own actions were looked at.
    """

    depth: int
    value: int
    action: int
    line: list
    generated: int
    visited: int


def report(tree):
    """The search's `Report` since `start`."""
    counters = [int(number) for number in tree.counters]
    plies = len(tree.frames) // FRAME_SIZE
    line = [int(action) for action in tree.lines[:plies]]
    return Report(
        depth=counters[DONE_DEPTH],
        value=counters[DONE_VALUE],
        action=counters[BEST_ACTION],
        line=line[: line.index(-1)],
        generated=counters[GENERATED],
        visited=counters[VISITED],
    )
