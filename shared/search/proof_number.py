"""Depth-first proof-number search (df-pn): proves that the player to move reaches a goal, or that
it cannot, for a game of two players who move in turns.

Sources: L. V. Allis, M. van der Meulen and H. J. van den Herik, "Proof-Number Search" (Artificial
Intelligence 66, 1994); A. Nagai, "Df-pn Algorithm for Searching AND/OR Trees and Its Applications"
(PhD thesis, University of Tokyo, 2002); J. Pawlewicz and L. Lew, "Improving Depth-First PN-Search:
1 + epsilon Trick" (Computers and Games 2006), the factor of the second threshold. Allis also
counts the actions of a new position, as an `outlook` may.

The attacker is the player to move at the root; its goal is to win, or not to lose. At each position
the player to move wants the goal reached or prevented. `proof` is the least number of leaves that
must turn out well for that player to succeed, `disproof` the number for its rival:

    proof(position)    = the least disproof of a child
    disproof(position) = the sum of all children's proofs

0 and INFINITE mean a settled position. The search goes down to the child of least disproof, and
stays below it until one of the child's numbers reaches a threshold: then another child, or another
position above, is more promising. The line now searched stands on a stack with the numbers of all
children on it, so that each visit makes progress whatever the table has lost. Other positions are
remembered in a table, which `reset` keeps.

A game may repeat no position: numbers of one line would be used in another. A line of more than
`max_depth` plies is no success for the attacker; the search then ends without a proof.

The chapter: 1 options and buffers, 2 the stack, 3 the search of a game, 4 results.
"""

from typing import Any, Callable, NamedTuple, Optional

from ..core.game import AlternatingGame
from ..core.jit import AT_HOME, Function, Ints, copy_numbers, inline, int_buffer
from ..search.transpositions import (
    ACTION_BITS,
    ENTRY_SIZE,
    FLAG_BITS,
    find_entry,
    store_entry,
)

# ---- 1. Options and buffers

# An impossible goal; sums stop there.
INFINITE = (1 << 31) - 1

# Indices of `counters`
STAGE, PLY, BUDGET, GENERATED, ATTACKER, DEPTH_LIMIT, CUT, N_COUNTERS = range(8)
START, ENTER, CHOOSE, FINISHED = range(4)

# The fields of a row, one position of the stack: the thresholds of its numbers, its number of
# children, the child searched now, its hash, and the nodes below it, of this visit and of all.
MAX_PROOF, MAX_DISPROOF, N_CHILDREN, CHILD, KEY, WORK, ALL_WORK, ROW_SIZE = range(8)

# The data of an entry are its nodes, above the bits for an action and a kind, which are 0.
WORK_SHIFT = ACTION_BITS + FLAG_BITS
# Distinguishes the positions of one attacker in the table from those of the other.
ATTACKER_KEY = 0x5851F42D4C957F2D


class Options(NamedTuple):
    """Options of a search.

    goal: the least result that is a success for the player to move at the root: 1, to win, or 0,
    not to lose.
    max_depth: the most plies of a line.
    """

    goal: int = 1
    max_depth: int = 64


class Tree(NamedTuple):
    """The state of a search. Letters: S numbers of a state, A actions, E entries, D plies.

    counters [7]      see the names above
    table   [3 E]    see `transpositions.py`: a value is proof << 32 | disproof

    The stack, for each ply of the line now searched, the root's first:

    rows     [D 7]   the fields named above: `rows[row + KEY]`, where row = ROW_SIZE * ply
    states   [D S]   the position
    actions, proofs, disproofs [D A] its children, in the game's order, and their numbers

    state, after [S], listed [A] scratch space: two positions and a list of actions
    """

    counters: Ints
    table: Ints
    rows: Ints
    states: Ints
    actions: Ints
    proofs: Ints
    disproofs: Ints
    state: Ints
    after: Ints
    listed: Ints


def new_tree(game: AlternatingGame, options: Options, table_bits: int = 16) -> Tree:
    """Returns an empty search tree with 2**table_bits entries in the table (24 bytes each)."""
    n_rows = options.max_depth
    tree = Tree(
        counters=int_buffer(N_COUNTERS),
        table=int_buffer(ENTRY_SIZE << table_bits),
        rows=int_buffer(ROW_SIZE * n_rows),
        states=int_buffer(game.state_size * n_rows),
        actions=int_buffer(game.max_actions * n_rows),
        proofs=int_buffer(game.max_actions * n_rows),
        disproofs=int_buffer(game.max_actions * n_rows),
        state=int_buffer(game.state_size),
        after=int_buffer(game.state_size),
        listed=int_buffer(game.max_actions),
    )
    tree.counters[DEPTH_LIMIT] = n_rows
    reset(tree)
    return tree


def reset(tree: Tree) -> None:
    """Prepare another root; the table stays, and so does the mark that lines were cut."""
    for i in range(DEPTH_LIMIT):
        tree.counters[i] = 0
    tree.rows[N_CHILDREN] = 0


def is_finished(tree: Tree) -> bool:
    """Returns True if more nodes cannot change the result: it is proven, or lines were too long."""
    return int(tree.counters[STAGE]) == FINISHED


# ---- 2. The stack


@inline
def least_disproof(tree: Tree, first: int, n: int) -> int:
    """Returns the index of the first least disproof, of n from `first` on, or -1."""
    best = -1
    least = INFINITE + 1
    for i in range(first, first + n):
        if tree.disproofs[i] < least:
            least = tree.disproofs[i]
            best = i
    return best


@inline
def second_disproof(tree: Tree, first: int, n: int, best: int) -> int:
    """Returns the least of the other disproofs."""
    least = INFINITE
    for i in range(first, first + n):
        if i != best:
            least = min(least, tree.disproofs[i])
    return least


@inline
def sum_of_proofs(tree: Tree, first: int, n: int) -> int:
    """Returns the sum of the children's proof numbers; INFINITE exactly if one of them is."""
    total = 0
    for i in range(first, first + n):
        if tree.proofs[i] == INFINITE:
            return INFINITE
        total = min(total + tree.proofs[i], INFINITE - 1)
    return total


@inline
def open_position(tree: Tree, ply: int, max_proof: int, max_disproof: int) -> None:
    """Open the position whose state is at a ply, with its thresholds."""
    row = ROW_SIZE * ply
    tree.rows[row + MAX_PROOF] = max_proof
    tree.rows[row + MAX_DISPROOF] = max_disproof
    tree.counters[PLY] = ply
    tree.counters[STAGE] = ENTER


# ---- 3. The search of a game


def make_search(
    game: AlternatingGame, options: Options, outlook: Optional[Function] = None
) -> Callable[[Ints, Ints, Tree, int], None]:
    """Make the search of a game, to be compiled with `kernel`.

    search(setup, root, tree, n) generates about n more nodes for the position `root`, which is left
    unchanged; call `reset` before another root. A node is a position made by an action.

    outlook(setup, state) -> int estimates the disproof of an open position not searched yet, by the
    number of its actions for instance, or returns 0 if the player to move wins at once; without it
    the estimate is 1.
    """
    with_outlook, first_disproof = outlook is not None, outlook or game.to_move
    legal, apply, to_move = game.legal, game.apply, game.to_move
    is_over, result, key_of = game.is_over, game.result, game.key
    n_state, max_actions, goal = game.state_size, game.max_actions, options.goal
    setup_type = game.setup_type or Ints

    @inline
    def key_for(setup: Any, state: Ints, attacker: int) -> int:
        """Returns a position's table hash."""
        return key_of(setup, state) ^ attacker * ATTACKER_KEY

    @inline
    def enter(setup: Any, tree: Tree) -> None:
        """List the children of a position with their numbers, known or initial."""
        counters, rows, state, after = tree.counters, tree.rows, tree.state, tree.after
        ply = counters[PLY]
        row, place = ROW_SIZE * ply, max_actions * ply
        attacks = ply % 2 == 0
        copy_numbers(tree.states, n_state * ply, state, 0, n_state)
        rows[row + KEY] = key_for(setup, state, counters[ATTACKER])
        entry = find_entry(tree.table, rows[row + KEY])
        rows[row + ALL_WORK] = tree.table[entry + 2] >> WORK_SHIFT if entry >= 0 else 0
        n = legal(setup, state, tree.listed)
        rows[row + N_CHILDREN] = rows[row + WORK] = n
        counters[GENERATED] += n
        for i in range(n):
            apply(setup, state, tree.listed[i], after)
            proof = disproof = 1
            if is_over(setup, after):
                # Of the attacker: the result is that of the player who would move.
                value = -result(setup, after) if attacks else result(setup, after)
                # The child's player is the other one: it has its will if this one has not.
                has_will = (value >= goal) == (not attacks)
                proof = 0 if has_will else INFINITE
                disproof = INFINITE if has_will else 0
            elif ply + 1 >= counters[DEPTH_LIMIT]:
                counters[CUT] = 1
                proof = 0 if attacks else INFINITE
                disproof = INFINITE if attacks else 0
            else:
                if with_outlook:
                    disproof = first_disproof(setup, after)
                if disproof == 0:
                    proof, disproof = 0, INFINITE
                    entry = -1
                else:
                    entry = find_entry(tree.table, key_for(setup, after, counters[ATTACKER]))
                if entry >= 0:
                    proof = tree.table[entry + 1] >> 32
                    disproof = tree.table[entry + 1] & INFINITE
            tree.actions[place + i] = tree.listed[i]
            tree.proofs[place + i] = proof
            tree.disproofs[place + i] = disproof
        counters[STAGE] = CHOOSE

    @inline
    def choose(setup: Any, tree: Tree) -> None:
        """Go down to the most promising child, or return a position's numbers to its parent."""
        counters, rows = tree.counters, tree.rows
        ply = counters[PLY]
        row, place = ROW_SIZE * ply, max_actions * ply
        n = rows[row + N_CHILDREN]
        best = least_disproof(tree, place, n)
        proof = tree.disproofs[best] if best >= 0 else INFINITE
        disproof = sum_of_proofs(tree, place, n)
        if proof >= rows[row + MAX_PROOF] or disproof >= rows[row + MAX_DISPROOF]:
            data = rows[row + ALL_WORK] + rows[row + WORK] << WORK_SHIFT
            store_entry(tree.table, rows[row + KEY], proof << 32 | disproof, data)
            if ply == 0:
                counters[STAGE] = FINISHED
                return
            parent = max_actions * (ply - 1) + rows[row - ROW_SIZE + CHILD]
            tree.proofs[parent] = proof
            tree.disproofs[parent] = disproof
            rows[row - ROW_SIZE + WORK] += rows[row + WORK]
            counters[PLY] = ply - 1
            return
        rows[row + CHILD] = best - place
        second = second_disproof(tree, place, n, best)
        # The other children's proofs are spent already; a quarter above the second best child's
        # number, or the search would go to and fro between the two.
        max_proof = rows[row + MAX_DISPROOF] - disproof + tree.proofs[best]
        max_disproof = min(rows[row + MAX_PROOF], second + 1 + second // 4)
        copy_numbers(tree.states, n_state * ply, tree.state, 0, n_state)
        apply(setup, tree.state, tree.actions[best], tree.after)
        copy_numbers(tree.after, 0, tree.states, n_state * (ply + 1), n_state)
        open_position(tree, ply + 1, max_proof, max_disproof)

    def search(setup: setup_type, root: Ints, tree: Tree, n: int) -> None:
        counters = tree.counters
        counters[BUDGET] += n
        if counters[STAGE] == START:
            copy_numbers(root, 0, tree.states, 0, n_state)
            counters[ATTACKER] = to_move(setup, root)
            open_position(tree, 0, INFINITE, INFINITE)
            if is_over(setup, root):
                # What is known stands in the place of an only child.
                is_reached = result(setup, root) >= goal
                tree.rows[N_CHILDREN], tree.actions[0] = 1, -1
                tree.proofs[0] = INFINITE if is_reached else 0
                tree.disproofs[0] = 0 if is_reached else INFINITE
                counters[STAGE] = FINISHED
        while counters[GENERATED] < counters[BUDGET] and counters[STAGE] != FINISHED:
            if counters[STAGE] == ENTER:
                enter(setup, tree)
            else:
                choose(setup, tree)

    return search


# ---- 4. Results


def best_action(tree: Tree) -> int:
    """Returns the action that reaches the goal if proven, else the most promising one, also if all
    lose; -1 before any search, and where the game is over.
    """
    best = int(least_disproof(tree, 0, tree.rows[N_CHILDREN]))
    return int(tree.actions[best]) if best >= 0 else -1


class Summary(NamedTuple):
    """The result for the player to move at the root, and the nodes since `reset`.

    reached: True if it can reach the goal, False if it cannot, None if neither is proven.
    action: see `best_action`. proof, disproof: the root's numbers. generated: positions made by an
    action. cut: True if a line was longer than `max_depth`, so that False could not be proven.
    """

    reached: Optional[bool]
    action: int
    proof: int
    disproof: int
    generated: int
    cut: bool


def summary(tree: Tree) -> Summary:
    """Returns the `Summary` since `reset`."""
    n = int(tree.rows[N_CHILDREN])
    best = int(least_disproof(tree, 0, n))
    proof = int(tree.disproofs[best]) if best >= 0 else 1
    disproof = int(sum_of_proofs(tree, 0, n)) if best >= 0 else 1
    cut = bool(tree.counters[CUT])
    reached = True if proof == 0 else False if disproof == 0 and not cut else None
    return Summary(reached, best_action(tree), proof, disproof, int(tree.counters[GENERATED]), cut)


if AT_HOME:
    from ..search.checks.limits import check_calls

    check_calls(globals())
