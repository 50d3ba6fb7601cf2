"""Beam search for a game of one agent: of the positions after as many actions the best go on.

Source: B. Lowerre, "The HARPY Speech Recognition System" (Carnegie Mellon University, 1976).

A level has the positions after as many actions. Each is expanded; a child is a candidate for the
next level if it is better than the threshold, and no candidate is the same position with a better
value. Whenever there are twice as many candidates as the width, the better half stays (quickselect)
and the worst of it is the threshold. Candidates are positions only once the level is complete: till
then they are a parent and an action. A pass is a beam from the root to the end of all its games.

The width is fixed, or follows from a budget (`allot`): a narrow pass measures how deep games are
and how many children a position has, which set the width of each level of later passes.

The chapter: 1 options and buffers, 2 candidates, 3 the search of a game, 4 results.
"""

from typing import TYPE_CHECKING, Any, Callable, NamedTuple, Optional

from ...core.game import SoloGame
from ...core.jit import AT_HOME, Floats, Ints, copy_numbers, float_buffer, inline, int_buffer
from ...core.rng import random_unit, seed_rng

if TYPE_CHECKING:
    from ...core.clock import Clock

# ---- 1. Options and buffers

RNG, STATUS, PASS, LEVEL, N_STATES, NEXT, SIDE, WIDTH, N_CANDIDATES = range(9)
GENERATION, CHILDREN, BEGUN, BUDGET, DEPTH, PLAN_LENGTH, MET, MASK, N_COUNTERS = range(9, 18)
NEW, RUNNING, FINISHED, NOT_FINITE = range(4)
THRESHOLD, BEST = range(2)
ACTION_BITS = 20
ACTION_MASK = (1 << ACTION_BITS) - 1
WORST = -1e300
ENTRY_SIZE = 2


class Options(NamedTuple):
    """Options of a search.

    width: the most positions of a level. max_depth: actions after which a position counts as over,
    by its score. noise: a random number from 0 to this is added to every value,
    another one in each pass. siblings: the most children of one position that are candidates, 0 for
    all. probe, passes: with a budget, the width of the first pass, the number of later ones.
    """

    width: int
    max_depth: int = 200
    noise: float = 0.0
    siblings: int = 0
    probe: int = 50
    passes: int = 1


class Tree(NamedTuple):
    """The state of a search. Letters: W width, D max_depth, S numbers of a state, A actions.

    counters   [18]        random state, status, and counts as the names above say.
    numbers    [2]         the threshold, the best final score.
    states     [2 W S]     of the level and the next one.
    values     [2 W]       of the candidates.
    keys       [2 W].
    origins    [2 W]       parent << ACTION_BITS | action.
    table      [2 E]       of E entries: a key, generation << 32 | candidate.
    history    [(D+1) W]   origins of the positions of each level.
    plan       [D]         the best line.
    branching  [D + 1]     children of a position of each level, in the last pass.
    state, after, actions, shares  room for two positions, the actions of one and their values.
    """

    counters: Ints
    numbers: Floats
    states: Ints
    values: Floats
    keys: Ints
    origins: Ints
    table: Ints
    history: Ints
    plan: Ints
    branching: Floats
    state: Ints
    after: Ints
    actions: Ints
    shares: Floats


def new_tree(game: SoloGame, options: Options, seed: int = 1) -> Tree:
    """Returns the buffers of a new search."""
    width, depth = options.width, options.max_depth
    n_entries = 8
    while n_entries < 4 * width:
        n_entries *= 2
    tree = Tree(
        counters=int_buffer(N_COUNTERS),
        numbers=float_buffer(2),
        states=int_buffer(2 * width * game.state_size),
        values=float_buffer(2 * width),
        keys=int_buffer(2 * width),
        origins=int_buffer(2 * width),
        table=int_buffer(ENTRY_SIZE * n_entries),
        history=int_buffer((depth + 1) * width),
        plan=int_buffer(depth),
        branching=float_buffer(depth + 1),
        state=int_buffer(game.state_size),
        after=int_buffer(game.state_size),
        actions=int_buffer(game.max_actions),
        shares=float_buffer(game.max_actions),
    )
    seed_rng(tree.counters, seed)
    reset(tree)
    return tree


def reset(tree: Tree) -> None:
    """Discard the search and its budget; the random stream goes on."""
    for counter in range(STATUS, N_COUNTERS):
        if counter != GENERATION:
            tree.counters[counter] = 0
    tree.numbers[BEST] = WORST


def advance(tree: Tree) -> None:
    """Begin on the position after the best line's first action. The rest of that line stays the
    best one until a pass finds a better one; without a complete line this is `reset`.

    With a budget, the widths follow from the last pass, and no narrow one comes first. Scores have
    to go on from the position before, as they do where the state holds the score.
    """
    counters, best = tree.counters, float(tree.numbers[BEST])
    length, depth = int(counters[PLAN_LENGTH]), int(counters[DEPTH])
    if counters[STATUS] == RUNNING and counters[NEXT]:
        tree.branching[counters[LEVEL]] /= counters[NEXT]
    reset(tree)
    if length < 2:
        return
    for i in range(length - 1):
        tree.plan[i] = tree.plan[i + 1]
    for level in range(depth):
        tree.branching[level] = tree.branching[level + 1]
    tree.numbers[BEST] = best
    counters[PLAN_LENGTH], counters[DEPTH], counters[PASS] = length - 1, max(depth - 1, 0), 1


def allot(tree: Tree, n_children: int) -> None:
    """Let the search generate about `n_children` more children: its width follows."""
    tree.counters[BUDGET] = max(1, int(tree.counters[CHILDREN]) + n_children)


SHARE = 0.97  # the part of the time left for which a search plans, so that its end is in time


def nodes_left(clock: "Clock") -> int:
    """Returns the nodes that the clock will still grant this turn, for `allot`: a node budget's
    slice, else by the turn's mean speed, in its first slice by the clock's rate. The speed of one
    slice misleads, as most have no change of level.
    """
    if clock.budgets:
        return clock.slice
    spent_ms = (clock.now() - clock.started) * 1000.0
    left_ms = SHARE * (clock.limits_ms[min(clock.turn, 1)] - clock.pause_ms) - spent_ms
    used = clock.granted - clock.slice
    rate = used / max(spent_ms, 1.0) if used else clock.rate
    return int(rate * max(left_ms, 0.0))


# ---- 2. Candidates


@inline
def swap(tree: Tree, i: int, j: int) -> None:
    """Let two candidates change places."""
    values, keys, origins = tree.values, tree.keys, tree.origins
    values[i], values[j] = values[j], values[i]
    keys[i], keys[j] = keys[j], keys[i]
    origins[i], origins[j] = origins[j], origins[i]


@inline
def put_best_first(tree: Tree, n: int, k: int) -> None:
    """Put the best k of n candidates in front (Hoare's quickselect)."""
    values = tree.values
    low, high = 0, n - 1
    while low < high:
        pivot = values[(low + high) >> 1]
        i, j = low, high
        while i <= j:
            while values[i] > pivot:
                i += 1
            while values[j] < pivot:
                j -= 1
            if i <= j:
                swap(tree, i, j)
                i += 1
                j -= 1
        if k - 1 <= j:
            high = j
        elif k - 1 >= i:
            low = i
        else:
            break


@inline
def find_place(tree: Tree, key: int) -> int:
    """Returns the index of a key's entry, or of the free entry for it."""
    table, generation, mask = tree.table, tree.counters[GENERATION], tree.counters[MASK]
    place = (key ^ key >> 32) & mask
    while table[ENTRY_SIZE * place + 1] >> 32 == generation:
        if table[ENTRY_SIZE * place] == key:
            break
        place = (place + 1) & mask
    return ENTRY_SIZE * place


@inline
def enter(tree: Tree, place: int, key: int, candidate: int) -> None:
    """Write an entry of the table."""
    tree.table[place] = key
    tree.table[place + 1] = tree.counters[GENERATION] << 32 | candidate


@inline
def keep_best(tree: Tree, width: int) -> None:
    """Keep the `width` best candidates; the worst of these sets the threshold."""
    counters = tree.counters
    if counters[N_CANDIDATES] <= width:
        return
    put_best_first(tree, counters[N_CANDIDATES], width)
    counters[N_CANDIDATES] = width
    worst = tree.values[0]
    for i in range(1, width):
        worst = min(worst, tree.values[i])
    tree.numbers[THRESHOLD] = worst
    counters[GENERATION] += 1
    for i in range(width):
        enter(tree, find_place(tree, tree.keys[i]), tree.keys[i], i)


@inline
def add_candidate(tree: Tree, key: int, value: float, origin: int) -> None:
    """Add a child to the candidates, or replace its position's candidate of a worse value."""
    counters = tree.counters
    place = find_place(tree, key)
    candidate = counters[N_CANDIDATES]
    if tree.table[place + 1] >> 32 == counters[GENERATION]:
        counters[MET] += 1
        candidate = tree.table[place + 1] & 0xFFFFFFFF
        if tree.values[candidate] >= value:
            return
    else:
        enter(tree, place, key, candidate)
        counters[N_CANDIDATES] += 1
    tree.values[candidate] = value
    tree.keys[candidate] = key
    tree.origins[candidate] = origin
    if counters[N_CANDIDATES] >= 2 * counters[WIDTH]:
        keep_best(tree, counters[WIDTH])


# ---- 3. The search of a game


def make_search(game: SoloGame, options: Options) -> Callable[[Ints, Ints, Tree, int], None]:
    """search(setup, root, tree, n), for `kernel`, generates n more children from the state `root`,
    and some more to complete a position or a level.

    The division into calls changes nothing, unless `allot` is called between them.
    """
    legal, apply, is_over = game.legal, game.apply, game.is_over
    score, evaluate, key = game.score, game.evaluate, game.key
    size, most, max_depth = game.state_size, options.width, options.max_depth
    noise, siblings, probe, passes = options.noise, options.siblings, options.probe, options.passes

    @inline
    def choose_width(tree: Tree) -> int:
        """Returns the next level's width: the rest of the pass's share of the budget, divided by
        the last pass's children from this level on, per position of width.
        """
        counters = tree.counters
        if counters[BUDGET] == 0:
            return most
        if counters[PASS] == 0:
            return min(probe, most)
        total = 0.0
        for level in range(counters[LEVEL], counters[DEPTH] + 1):
            total += tree.branching[level]
        left = counters[BUDGET] - counters[BEGUN]
        share = left // max(passes + 1 - counters[PASS], 1)
        left = counters[BEGUN] + share - counters[CHILDREN]
        return max(min(most, int(left / max(total, 1.0))), 1)

    @inline
    def begin_pass(setup: Any, root: Ints, tree: Tree) -> None:
        """Make the root the only position."""
        counters = tree.counters
        counters[STATUS] = RUNNING
        counters[LEVEL] = counters[NEXT] = counters[SIDE] = 0
        counters[N_STATES] = 1
        counters[BEGUN] = counters[CHILDREN]
        copy_numbers(root, 0, tree.states, 0, size)
        begin_level(tree)

    @inline
    def begin_level(tree: Tree) -> None:
        """Begin an empty level."""
        counters = tree.counters
        counters[N_CANDIDATES] = counters[NEXT] = 0
        counters[GENERATION] += 1
        counters[WIDTH] = choose_width(tree)
        # A narrow level takes the front of the table, which fits a cache.
        n_entries = 8
        while n_entries < 4 * counters[WIDTH]:
            n_entries *= 2
        counters[MASK] = n_entries - 1
        tree.numbers[THRESHOLD] = WORST
        tree.branching[counters[LEVEL]] = 0.0

    @inline
    def finish_game(setup: Any, tree: Tree, position: int) -> None:
        """Note the line to a position where the game is over, if it is the best one."""
        counters, level = tree.counters, tree.counters[LEVEL]
        final = 1.0 * score(setup, tree.state)
        if final <= tree.numbers[BEST]:
            return
        tree.numbers[BEST] = final
        counters[PLAN_LENGTH] = level
        while level > 0:
            origin = tree.history[level * most + position]
            level -= 1
            tree.plan[level] = origin & ACTION_MASK
            position = origin >> ACTION_BITS

    @inline
    def bound_of_siblings(tree: Tree, n: int) -> float:
        """Returns the least value of a child that may be a candidate."""
        bound = 1e308
        for _ in range(siblings):
            next_bound = WORST
            for i in range(n):
                if tree.shares[i] < bound:
                    next_bound = max(next_bound, tree.shares[i])
            bound = next_bound
        return bound

    if game.expand is None:

        @inline
        def list_children(setup: Any, tree: Tree) -> int:
            """Write the actions of the position in `state` and the values after them."""
            n = legal(setup, tree.state, tree.actions)
            for i in range(n):
                apply(setup, tree.state, tree.actions[i], tree.after)
                tree.shares[i] = evaluate(setup, tree.after)
            return n

    else:
        value_children = game.expand

        @inline
        def list_children(setup: Any, tree: Tree) -> int:
            """Write the position's actions and their values by the game's own function."""
            return value_children(setup, tree.state, tree.actions, tree.shares)

    @inline
    def expand(setup: Any, tree: Tree) -> None:
        """Make candidates of the next position's children."""
        counters = tree.counters
        position = counters[NEXT]
        counters[NEXT] += 1
        copy_numbers(tree.states, (counters[SIDE] * most + position) * size, tree.state, 0, size)
        if counters[LEVEL] == max_depth or is_over(setup, tree.state):
            finish_game(setup, tree, position)
            return
        n = list_children(setup, tree)
        counters[CHILDREN] += n
        tree.branching[counters[LEVEL]] += n
        bound = bound_of_siblings(tree, n) if 0 < siblings < n else WORST
        for i in range(n):
            value = tree.shares[i]
            if not (WORST < value < -WORST):
                counters[STATUS] = NOT_FINITE
                counters[NEXT] = tree.actions[i]
                return
            if value < bound:
                continue
            if noise > 0.0:
                value += noise * random_unit(counters)
            if value > tree.numbers[THRESHOLD]:
                apply(setup, tree.state, tree.actions[i], tree.after)
                origin = position << ACTION_BITS | tree.actions[i]
                add_candidate(tree, key(setup, tree.after), value, origin)

    @inline
    def next_level(setup: Any, root: Ints, tree: Tree) -> None:
        """Make the best candidates the positions of the next level; without any the pass ends."""
        counters = tree.counters
        keep_best(tree, counters[WIDTH])
        if counters[N_STATES] > 0:
            tree.branching[counters[LEVEL]] /= counters[N_STATES]
        n, side = counters[N_CANDIDATES], counters[SIDE]
        if n == 0:
            counters[DEPTH] = counters[LEVEL]
            counters[PASS] += 1
            left = counters[BUDGET] - counters[CHILDREN]
            if counters[PASS] > passes or left <= 0:
                counters[STATUS] = FINISHED
            else:
                begin_pass(setup, root, tree)
            return
        counters[LEVEL] += 1
        for i in range(n):
            origin = tree.origins[i]
            parent = side * most + (origin >> ACTION_BITS)
            copy_numbers(tree.states, parent * size, tree.state, 0, size)
            apply(setup, tree.state, origin & ACTION_MASK, tree.after)
            copy_numbers(tree.after, 0, tree.states, ((1 - side) * most + i) * size, size)
            tree.history[counters[LEVEL] * most + i] = origin
        counters[SIDE] = 1 - side
        counters[N_STATES] = n
        begin_level(tree)

    def search(setup: Ints, root: Ints, tree: Tree, n: int) -> None:
        counters = tree.counters
        if counters[STATUS] == NEW:
            begin_pass(setup, root, tree)
        end = counters[CHILDREN] + n
        while counters[CHILDREN] < end and counters[STATUS] == RUNNING:
            if counters[NEXT] < counters[N_STATES]:
                expand(setup, tree)
            else:
                next_level(setup, root, tree)

    return search


# ---- 4. Results


def is_finished(tree: Tree) -> bool:
    """Returns True if all passes are complete. Raises ValueError for a non-finite evaluation."""
    if tree.counters[STATUS] == NOT_FINITE:
        raise ValueError(
            f"the evaluation is not finite after action {int(tree.counters[NEXT])} from a position"
            f" {int(tree.counters[LEVEL])} actions deep: a game's evaluate has to be within 1e300"
        )
    return bool(tree.counters[STATUS] == FINISHED)


def plan_of(tree: Tree) -> "list[int]":
    """Returns the actions of the best line to a game's end, at first to the best position of the
    level reached.
    """
    if tree.numbers[BEST] > WORST:
        return [int(action) for action in tree.plan[: int(tree.counters[PLAN_LENGTH])]]
    level, width = int(tree.counters[LEVEL]), len(tree.values) // 2
    n = int(tree.counters[N_CANDIDATES])
    line = []
    if n:
        best = max(range(n), key=lambda one: tree.values[one])
        origin = int(tree.origins[best])
    elif level:
        origin = int(tree.history[level * width])
        level -= 1
    else:
        return []
    while True:
        line.append(origin & ACTION_MASK)
        if level == 0:
            return line[::-1]
        origin = int(tree.history[level * width + (origin >> ACTION_BITS)])
        level -= 1


def best_action(tree: Tree) -> Optional[int]:
    """Returns the best line's first action; None before any."""
    line = plan_of(tree)
    return line[0] if line else None


class Summary(NamedTuple):
    """The counts of a search since `reset`, its best line and its score (None before a game's end).
    met: the number of children that were among the candidates already. width: the width of the last
    level.
    """

    children: int
    met: int
    passes: int
    width: int
    line: list[int]
    score: Optional[float]


def summary(tree: Tree) -> Summary:
    """Returns a `Summary`."""
    best = float(tree.numbers[BEST])
    return Summary(
        children=int(tree.counters[CHILDREN]),
        met=int(tree.counters[MET]),
        passes=int(tree.counters[PASS]),
        width=int(tree.counters[WIDTH]),
        line=plan_of(tree),
        score=best if best > WORST else None,
    )


if AT_HOME:
    from ...search.checks.limits import check_calls

    check_calls(globals())
