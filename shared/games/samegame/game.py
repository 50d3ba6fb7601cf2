"""The rules of SameGame as searches know them."""

from shared.core.game import SoloGame
from shared.games.samegame.sim import apply, is_over, key, legal, sample, score
from shared.games.samegame.state import MAX_ACTIONS, STATE_SIZE

GAME = SoloGame(
    max_actions=MAX_ACTIONS,
    state_size=STATE_SIZE,
    legal=legal,
    sample=sample,
    apply=apply,
    is_over=is_over,
    score=score,
    evaluate=score,  # a bot has its own
    key=key,
)
