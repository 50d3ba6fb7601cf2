"""Chokudai search: beams of width one, again and again, for a game of one agent.

Source: the search of AtCoder's founder Naohiro Takahashi (chokudai), as described in his slides
"Chokudai search" (2017, in Japanese). Every level, the positions after as many actions, keeps
unexpanded positions in a queue by value. A pass expands the best one of each level in turn, and its
children join the queue of the next level. A pass takes little time and ends at the end of a game,
so a plan is known early and improves as long as there is time: no width is to be chosen.

A queue is a heap of twice Q entries; a full one keeps its better half. A position met again on its
level is dropped unless its value is better. Expanded positions stay, up to the capacity, so that a
plan can be read back.
"""

from typing import Any, Callable, NamedTuple, Optional

from ...core.game import SoloGame
from ...core.jit import AT_HOME, Floats, Ints, copy_numbers, float_buffer, inline, int_buffer

STATUS, LEVEL, N_NODES, N_MET, CHILDREN, PASSES, MET, PLAN_LENGTH, BAD_ACTION, N_COUNTERS = range(
    10
)
NEW, RUNNING, FINISHED, NOT_FINITE = range(4)
ACTION_BITS = 20
ACTION_MASK = (1 << ACTION_BITS) - 1
WORST = -1e300
LEVEL_MIX = 0x1E3779B97F4A7C15  # makes keys of different levels differ


class Options(NamedTuple):
    """Options of a search.

    queue: Q, the entries that a full queue keeps. capacity: the most positions expanded.
    max_depth: actions after which a position counts as over, by its score.
    """

    queue: int = 1000
    capacity: int = 200_000
    max_depth: int = 200


class Tree(NamedTuple):
    """The state of a search. Letters: N capacity, D max_depth, Q queue, S numbers of a state.

    counters [9]          status, level, nodes, entries of the table, children, passes, children met
                          before, length of the plan, action with a value that is not finite.
    numbers  [1]          the best final score.
    states   [N S]        of expanded positions.
    origins  [N]          parent << ACTION_BITS | action.
    sizes    [D]          entries of the queue of each level.
    values   [2 D Q]      of the entries, each queue a heap with the best one in front.
    entries  [2 D Q]      parent << ACTION_BITS | action.
    table, marks  [E]     keys met, and their best values.
    plan     [D]          the best line.
    state, after, actions room for two positions and the actions of one
    """

    counters: Ints
    numbers: Floats
    states: Ints
    origins: Ints
    sizes: Ints
    values: Floats
    entries: Ints
    table: Ints
    marks: Floats
    plan: Ints
    state: Ints
    after: Ints
    actions: Ints


def new_tree(game: SoloGame, options: Options) -> Tree:
    """Returns the buffers of a new search."""
    n_entries = 1024
    while n_entries < 8 * options.capacity:
        n_entries *= 2
    n_queued = 2 * options.max_depth * options.queue
    tree = Tree(
        counters=int_buffer(N_COUNTERS),
        numbers=float_buffer(1),
        states=int_buffer(options.capacity * game.state_size),
        origins=int_buffer(options.capacity),
        sizes=int_buffer(options.max_depth),
        values=float_buffer(n_queued),
        entries=int_buffer(n_queued),
        table=int_buffer(n_entries),
        marks=float_buffer(n_entries),
        plan=int_buffer(options.max_depth),
        state=int_buffer(game.state_size),
        after=int_buffer(game.state_size),
        actions=int_buffer(game.max_actions),
    )
    reset(tree)
    return tree


def reset(tree: Tree) -> None:
    """Discard the search."""
    for counter in range(N_COUNTERS):
        tree.counters[counter] = 0
    tree.numbers[0] = WORST


# ---- Queues: heaps in a stretch of `values` and `entries` that begins at `first`


@inline
def swap(tree: Tree, i: int, j: int) -> None:
    """Let two entries change places."""
    values, entries = tree.values, tree.entries
    values[i], values[j] = values[j], values[i]
    entries[i], entries[j] = entries[j], entries[i]


@inline
def sift_down(tree: Tree, first: int, place: int, n: int) -> None:
    """Let an entry sink below better ones, in a heap of n."""
    while True:
        child = 2 * place + 1
        if child >= n:
            break
        if child + 1 < n and tree.values[first + child + 1] > tree.values[first + child]:
            child += 1
        if tree.values[first + child] <= tree.values[first + place]:
            break
        swap(tree, first + place, first + child)
        place = child


@inline
def push(tree: Tree, first: int, n: int, value: float, entry: int) -> None:
    """Add an entry to a heap of n."""
    tree.values[first + n] = value
    tree.entries[first + n] = entry
    place = n
    while place > 0:
        parent = (place - 1) // 2
        if tree.values[first + parent] >= tree.values[first + place]:
            break
        swap(tree, first + parent, first + place)
        place = parent


@inline
def halve(tree: Tree, first: int, n: int) -> None:
    """Keep the better half of a heap of n: it is sorted, the best first, which is a heap again."""
    for left in range(n - 1, 0, -1):
        swap(tree, first, first + left)
        sift_down(tree, first, 0, left)
    # Sorted with the worst in front.
    for i in range(n // 2):
        swap(tree, first + i, first + n - 1 - i)


@inline
def is_new(tree: Tree, key: int, value: float) -> bool:
    """Returns True for a key not met at this value or above; a full table notes none."""
    counters, table = tree.counters, tree.table
    if 4 * counters[N_MET] > 3 * len(table):
        return True  # a full table forgets no position, and learns none
    mask = len(table) - 1
    place = (key ^ key >> 32) & mask
    while table[place] >= 0:
        if table[place] == key:
            if tree.marks[place] >= value:
                return False
            tree.marks[place] = value
            return True
        place = (place + 1) & mask
    table[place] = key
    tree.marks[place] = value
    counters[N_MET] += 1
    return True


# ---- The search of a game


def make_search(game: SoloGame, options: Options) -> Callable[[Ints, Ints, Tree, int], None]:
    """search(setup, root, tree, n), for `kernel`, expands n more positions from the state `root`.

    The division into calls changes nothing.
    """
    legal, apply, is_over = game.legal, game.apply, game.is_over
    score, evaluate, key = game.score, game.evaluate, game.key
    size, room = game.state_size, 2 * options.queue
    capacity, max_depth = options.capacity, options.max_depth

    @inline
    def finish_game(
        setup: Any, tree: Tree, position: Ints, node: int, action: int, level: int
    ) -> None:
        """Note the line to a position where the game is over, if it is the best one."""
        final = 1.0 * score(setup, position)
        if final <= tree.numbers[0]:
            return
        tree.numbers[0] = final
        tree.counters[PLAN_LENGTH] = level
        while level > 0:
            level -= 1
            tree.plan[level] = action
            action = tree.origins[node] & ACTION_MASK
            node = tree.origins[node] >> ACTION_BITS

    @inline
    def expand(setup: Any, tree: Tree, node: int) -> None:
        """Queue the children of the position in `state`, whose number is `node`."""
        counters, level = tree.counters, tree.counters[LEVEL]
        first = room * level
        n = legal(setup, tree.state, tree.actions)
        counters[CHILDREN] += n
        for i in range(n):
            action = tree.actions[i]
            apply(setup, tree.state, action, tree.after)
            if level + 1 == max_depth or is_over(setup, tree.after):
                finish_game(setup, tree, tree.after, node, action, level + 1)
                continue
            value = 1.0 * evaluate(setup, tree.after)
            if not (WORST < value < -WORST):
                counters[STATUS], counters[BAD_ACTION] = NOT_FINITE, action
                return
            mixed = (key(setup, tree.after) ^ (level + 1) * LEVEL_MIX) & 0x7FFFFFFFFFFFFFFF
            if not is_new(tree, mixed, value):
                counters[MET] += 1
                continue
            if tree.sizes[level] == room:
                halve(tree, first, room)
                tree.sizes[level] = room // 2
            push(tree, first, tree.sizes[level], value, node << ACTION_BITS | action)
            tree.sizes[level] += 1

    @inline
    def take(setup: Any, tree: Tree) -> int:
        """Make the best entry of the queue before this level a node; returns its number."""
        counters, level = tree.counters, tree.counters[LEVEL] - 1
        first, node = room * level, counters[N_NODES]
        origin = tree.entries[first]
        tree.sizes[level] -= 1
        swap(tree, first, first + tree.sizes[level])
        sift_down(tree, first, 0, tree.sizes[level])
        copy_numbers(tree.states, (origin >> ACTION_BITS) * size, tree.after, 0, size)
        apply(setup, tree.after, origin & ACTION_MASK, tree.state)
        tree.origins[node] = origin
        return node

    @inline
    def begin(setup: Any, root: Ints, tree: Tree) -> None:
        """Expand the root, the first node."""
        counters = tree.counters
        counters[STATUS] = RUNNING
        for i in range(len(tree.table)):
            tree.table[i] = -1
        for level in range(max_depth):
            tree.sizes[level] = 0
        copy_numbers(root, 0, tree.state, 0, size)
        copy_numbers(root, 0, tree.states, 0, size)
        counters[N_NODES] = 1
        if is_over(setup, root):
            counters[STATUS] = FINISHED
            finish_game(setup, tree, tree.state, 0, 0, 0)
        else:
            expand(setup, tree, 0)

    @inline
    def next_level(tree: Tree) -> None:
        """Go to the next level with an entry, in the next pass if this one is at its end."""
        counters = tree.counters
        for step in range(1, max_depth + 1):
            level = counters[LEVEL] + step
            is_next_pass = level >= max_depth
            level -= (max_depth - 1) if is_next_pass else 0
            if level < max_depth and tree.sizes[level - 1] > 0:
                counters[LEVEL] = level
                counters[PASSES] += 1 if is_next_pass else 0
                return
        counters[STATUS] = FINISHED

    def search(setup: Ints, root: Ints, tree: Tree, n: int) -> None:
        counters = tree.counters
        end = counters[N_NODES] + n
        if counters[STATUS] == NEW:
            begin(setup, root, tree)
        while counters[N_NODES] < end and counters[STATUS] == RUNNING:
            next_level(tree)
            if counters[STATUS] == RUNNING:
                if counters[N_NODES] == capacity:
                    counters[STATUS] = FINISHED
                else:
                    node = take(setup, tree)
                    copy_numbers(tree.state, 0, tree.states, node * size, size)
                    counters[N_NODES] += 1
                    expand(setup, tree, node)

    return search


# ---- Results


def is_finished(tree: Tree) -> bool:
    """Returns True if all positions or `capacity` ones are expanded.

    Raises ValueError for an evaluation that is not finite.
    """
    if tree.counters[STATUS] == NOT_FINITE:
        raise ValueError(
            f"the evaluation is not finite after action {int(tree.counters[BAD_ACTION])} from a"
            f" position {int(tree.counters[LEVEL])} actions deep: a game's evaluate has to be"
            " within 1e300"
        )
    return bool(tree.counters[STATUS] == FINISHED)


def plan_of(tree: Tree) -> "list[int]":
    """Returns the actions of the best line to a game's end, at first of the line to the position
    expanded last.
    """
    if tree.numbers[0] > WORST:
        return [int(action) for action in tree.plan[: int(tree.counters[PLAN_LENGTH])]]
    line, node = [], max(int(tree.counters[N_NODES]) - 1, 0)
    while node > 0:
        line.append(int(tree.origins[node]) & ACTION_MASK)
        node = int(tree.origins[node]) >> ACTION_BITS
    return line[::-1]


def best_action(tree: Tree) -> Optional[int]:
    """Returns the best line's first action; None before any."""
    line = plan_of(tree)
    return line[0] if line else None


class Summary(NamedTuple):
    """The counts of a search since `reset`, its best line and its score (None before a game's
    end). met: children dropped as known. passes: complete passes.
    """

    children: int
    met: int
    nodes: int
    passes: int
    line: list[int]
    score: Optional[float]


def summary(tree: Tree) -> Summary:
    """Returns a `Summary`."""
    best = float(tree.numbers[0])
    return Summary(
        children=int(tree.counters[CHILDREN]),
        met=int(tree.counters[MET]),
        nodes=int(tree.counters[N_NODES]),
        passes=int(tree.counters[PASSES]),
        line=plan_of(tree),
        score=best if best > WORST else None,
    )


def show_nodes(search: Any, node: int, state: Ints) -> "list[dict[str, Any]]":
    """Returns a position's expanded children as rows for `explore`. Values are evaluations or
    final scores.
    """
    if "below" not in search.notes:
        below: dict[int, list[int]] = {}
        for child in range(1, int(search.tree.counters[N_NODES])):
            below.setdefault(int(search.tree.origins[child]) >> ACTION_BITS, []).append(child)
        search.notes["below"] = below
    rows = []
    for child in search.notes["below"].get(node, []):
        action = int(search.tree.origins[child]) & ACTION_MASK
        value = search.score(search.after(state, action))
        # Earlier ones are those that looked better.
        rows.append({"node": child, "action": action, "value": value, "weight": -float(child)})
    return rows


if AT_HOME:
    from ...search.checks.limits import check_calls

    check_calls(globals())
