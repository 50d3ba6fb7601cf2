"""The rules of Ultimate Tic-Tac-Toe as searches and counts know them."""

from shared.core.game import AlternatingGame
from shared.games.ultimate_tic_tac_toe.sim import (
    N_ACTIONS,
    apply_action,
    is_over,
    legal_actions,
    position_key,
    result,
    sample_action,
    to_move,
)
from shared.games.ultimate_tic_tac_toe.state import STATE_SIZE

RULES = AlternatingGame(
    max_actions=N_ACTIONS,
    state_size=STATE_SIZE,
    to_move=to_move,
    legal=legal_actions,
    sample=sample_action,
    apply=apply_action,
    is_over=is_over,
    result=result,
    evaluate=result,  # a bot has its own
    key=position_key,
)
