"""The rules of SameGame for searches."""

from ...core.game import SoloGame
from ...games.samegame.sim import apply, is_over, key, legal, sample, score
from ...games.samegame.state import MAX_ACTIONS, STATE_SIZE

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
