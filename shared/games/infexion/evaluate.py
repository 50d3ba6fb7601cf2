"""How good a position of Infexion is for the player to move, and the game as searches know it."""

from shared.core.game import AlternatingGame
from shared.core.jit import inline
from shared.games.infexion.sim import (
    N_ACTIONS,
    apply_action,
    is_over,
    legal_actions,
    position_key,
    power_within,
    result,
    sample_action,
    to_move,
)
from shared.games.infexion.state import STATE_SIZE, STONES, TURN, count_bits


@inline
def material(setup, state):
    """Six times the lead in power and the lead in cells: the report's two terms as differences."""
    own = state[STONES + (state[TURN] & 1)]
    other = state[STONES + 1 - (state[TURN] & 1)]
    power = power_within(state, own) - power_within(state, other)
    return 6 * power + count_bits(own) - count_bits(other)


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
