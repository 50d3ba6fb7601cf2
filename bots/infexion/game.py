"""How good a position of Infexion is for the player to move, and the game as searches know it."""

from shared.core.game import AlternatingGame
from shared.core.jit import inline
from shared.games.infexion.sim import (
    N_ACTIONS,
    SPREADS,
    apply_action,
    cell_of,
    is_over,
    legal_actions,
    position_key,
    power_within,
    result,
    sample_action,
    spread_line,
    to_move,
)
from shared.games.infexion.state import N_DIRECTIONS, STATE_SIZE, STONES, TURN, count_bits


@inline
def material(setup, state):
    """Six times the lead in power and the lead in cells: the report's two terms as differences."""
    own = state[STONES + (state[TURN] & 1)]
    other = state[STONES + 1 - (state[TURN] & 1)]
    power = power_within(state, own) - power_within(state, other)
    return 6 * power + count_bits(own) - count_bits(other)


@inline
def power_lead(setup, state):
    """The lead in power alone."""
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


GAME = AlternatingGame(
    max_actions=N_ACTIONS,
    state_size=STATE_SIZE,
    to_move=to_move,
    legal=legal_actions,
    sample=sample_action,
    apply=apply_action,
    is_over=is_over,
    result=result,
    evaluate=material,
    key=position_key,
)
