"""Retrograde tables: the exact value of every position of a small endgame, with its distance.

Sources: T. Stroehlein, "Untersuchungen ueber kombinatorische Spiele" (dissertation, TU Muenchen,
1970); K. Thompson, "Retrograde Analysis of Certain Endgames" (ICCA Journal 9(3), 1986). Finished
positions come first. Each later pass settles the positions with a move that loses for the rival, or
with only moves that win for it. Positions that are never settled are drawn: games may go round in
circles. Moves are played forwards, so a game needs no moves taken back.

A position is a number 0..N-1 of the game's own choice. The table has a number of 8 bits for each,
from the view of the player to move:

    n > 0   it wins, in n plies at best         n < 0   it loses, in -n - 1 plies at most
    0       a draw                              NO_POSITION  no position has this number

A finished position has -1 if the player to move has lost it, else 0.

A bundle carries a table as a file of weights (`shared/core/packed.py`): `np.savez(file,
table=table)`.
"""

from typing import Any, Callable, NamedTuple

from ..core.game import AlternatingGame
from ..core.jit import Function, Int8s, Ints, inline, int8_buffer, int_buffer

NO_POSITION = -128
MOST_PLIES = 126


class Endgame(NamedTuple):
    """Numbered positions.

    n_positions: N. write(setup, number, state) -> bool writes the state of a number; False for a
    number without a possible position. index(setup, state) -> the number of a state that an action
    leads to, -1 for a finished game outside of the table.
    """

    game: AlternatingGame
    n_positions: int
    write: Function
    index: Function


class Tree(NamedTuple):
    """The state of a search: the table int8[N]; passes, and positions settled in the last one; two
    states and a list of actions.
    """

    table: Int8s
    counters: Ints
    state: Ints
    after: Ints
    actions: Ints


PASSES, SETTLED, N_COUNTERS = range(3)


def new_tree(endgame: Endgame) -> Tree:
    """Returns buffers of N bytes and a little more."""
    size = endgame.game.state_size
    return Tree(
        table=int8_buffer(endgame.n_positions),
        counters=int_buffer(N_COUNTERS),
        state=int_buffer(size),
        after=int_buffer(size),
        actions=int_buffer(endgame.game.max_actions),
    )


def make_pass(endgame: Endgame) -> Callable[[Ints, Tree], None]:
    """settle(setup, tree), for `kernel`, makes one more pass over all positions."""
    game, n_positions, write, index = endgame
    legal, apply, is_over, result = game.legal, game.apply, game.is_over, game.result

    @inline
    def settled(setup: Any, tree: Tree, plies: int) -> int:
        """Returns an open position's number if settled in so many plies, else 0."""
        n = legal(setup, tree.state, tree.actions)
        n_lost = 0
        for i in range(n):
            apply(setup, tree.state, tree.actions[i], tree.after)
            if is_over(setup, tree.after):
                value = result(setup, tree.after)
                is_lost = value > 0
            else:
                value = tree.table[index(setup, tree.after)]
                is_lost = 0 < value < plies
            # Those settled in this pass are as many plies away themselves.
            if -plies <= value < 0:
                return plies
            if is_lost:
                n_lost += 1
        return -plies - 1 if n_lost == n > 0 else 0

    @inline
    def put(table: Ints, number: int, value: int) -> None:
        table[number] = value

    def settle(setup: Ints, tree: Tree) -> None:
        table, counters = tree.table, tree.counters
        plies = counters[PASSES]
        counters[SETTLED] = 0
        for number in range(n_positions):
            if table[number] != 0:
                continue
            value = 0
            if not write(setup, number, tree.state):
                value = NO_POSITION
            elif is_over(setup, tree.state):
                value = -1 if result(setup, tree.state) < 0 else 0
            elif plies > 0:
                value = settled(setup, tree, plies)
            if value != 0:
                put(table, number, value)
                counters[SETTLED] += 1
        counters[PASSES] = plies + 1

    return settle


def is_finished(tree: Tree) -> bool:
    """Returns True if no pass can settle more. Raises ValueError for a distance above 126 plies."""
    if tree.counters[SETTLED] > 0 and tree.counters[PASSES] > MOST_PLIES + 1:
        raise ValueError(
            f"a position is settled in more than {MOST_PLIES} plies: 8 bits are too few"
        )
    return int(tree.counters[PASSES]) > 1 and int(tree.counters[SETTLED]) == 0


def make_best(endgame: Endgame) -> Callable[[Ints, Ints, Tree], int]:
    """best(setup, state, tree) -> action, for `kernel`: the one that wins soonest, else draws, else
    loses latest; `state` is an open position, and the table is finished.
    """
    game, index = endgame.game, endgame.index
    legal, apply, is_over, result = game.legal, game.apply, game.is_over, game.result

    @inline
    def worth(setup: Any, tree: Tree) -> int:
        """Rank a position after an action for the player who played it."""
        value = (
            -1 * tree.table[index(setup, tree.after)]
            if not is_over(setup, tree.after)
            else (-result(setup, tree.after))
        )
        return 256 - value if value > 0 else value if value == 0 else -256 - value

    def best(setup: Ints, state: Ints, tree: Tree) -> int:
        action, greatest = -1, -1000
        for i in range(legal(setup, state, tree.actions)):
            apply(setup, state, tree.actions[i], tree.after)
            value = worth(setup, tree)
            if value > greatest:
                greatest, action = value, tree.actions[i]
        return action

    return best
