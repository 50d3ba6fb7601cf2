"""How good a position of Infexion is for the player to move, and the game as searches know it."""

from shared.core.jit import inline
from shared.games.infexion.game import RULES
from shared.games.infexion.sim import SPREADS, cell_of, power_within, spread_line
from shared.games.infexion.state import N_DIRECTIONS, STONES, TURN


@inline
def power_lead(setup, state):
    """The lead in power of the player to move."""
    own = state[STONES + (state[TURN] & 1)]
    other = state[STONES + 1 - (state[TURN] & 1)]
    return power_within(state, own) - power_within(state, other)


@inline
def captures(setup, state, actions):
    """Write the spreads that fall on cells of the rival, by cell and direction; returns how many."""
    own = state[STONES + (state[TURN] & 1)]
    other = state[STONES + 1 - (state[TURN] & 1)]
    n = 0
    while own:
        bit = own & -own
        own ^= bit
        first = SPREADS + N_DIRECTIONS * cell_of(bit)
        for action in range(first, first + N_DIRECTIONS):
            if spread_line(setup, state, action) & other:
                actions[n] = action
                n += 1
    return n


GAME = RULES._replace(evaluate=power_lead)
