"""The rules of Ultimate Tic-Tac-Toe as a game for searches and perft."""

from ...core.game import AlternatingGame
from ...games.ultimate_tic_tac_toe.sim import (
    N_ACTIONS,
    apply,
    is_over,
    key,
    legal,
    result,
    sample,
    to_move,
)
from ...games.ultimate_tic_tac_toe.state import STATE_SIZE

GAME = AlternatingGame(
    max_actions=N_ACTIONS,
    state_size=STATE_SIZE,
    to_move=to_move,
    legal=legal,
    sample=sample,
    apply=apply,
    is_over=is_over,
    result=result,
    evaluate=result,  # bots define their own
    key=key,
)
