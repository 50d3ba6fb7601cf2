"""What a network sees of connect four, and how it knows a column."""

from shared.core.jit import inline
from shared.games.connect_four import game as connect_four


@inline
def write_stones(setup, state, player, seen):
    """A word of a player's stones, and one of the rival's."""
    own = state[connect_four.OWN]
    other = own ^ state[connect_four.STONES]
    is_mover = state[connect_four.PLIES] & 1 == player
    seen[0] = own if is_mover else other
    seen[1] = other if is_mover else own


@inline
def column(action):
    return action
