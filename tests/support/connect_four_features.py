"""The inputs of a network of connect four, and its outputs, one a column."""

from shared.core.jit import inline
from shared.games.connect_four import game as connect_four

CELLS, to_move = connect_four.all_cells(), connect_four.GAME.to_move


@inline
def completing(stones, free):
    """The free cells that would complete four of the stones, if no stones are above them."""
    height = connect_four.HEIGHT
    cells = stones << 1 & stones << 2 & stones << 3
    for step in range(height, height + 3):
        pairs = stones << step & stones << 2 * step
        cells |= pairs & (stones << 3 * step | stones >> step)
        pairs = stones >> step & stones >> 2 * step
        cells |= pairs & (stones >> 3 * step | stones << step)
    return cells & free


@inline
def write_stones(setup, state, player, seen):
    """A word of a player's stones, and one of the rival's."""
    own = state[connect_four.OWN]
    other = own ^ state[connect_four.STONES]
    is_mover = to_move(setup, state) == player
    seen[0] = own if is_mover else other
    seen[1] = other if is_mover else own


@inline
def write_threats(setup, state, player, seen):
    """Write stones and both players' winning cells, which one layer cannot derive from stones."""
    write_stones(setup, state, player, seen)
    free = CELLS & ~state[connect_four.STONES]
    for side in range(2):
        seen[2 + side] = completing(seen[side], free)


@inline
def column(action):
    return action
