"""How good a position is for each player, and as bad for the other.

Terms and weights are MSmits' ("X-mas Rush Post Mortem", CodinGame playground): an item in one's
hand can be put down where one will stand.
"""

from typing import NamedTuple

from shared.core.jit import inline
from shared.games.xmas_rush.state import (
    DONE,
    HANDS,
    N_QUESTS,
    OWNER_BIT,
    PATH_BITS,
    VISIBLE,
)


class Weights(NamedTuple):
    """quest: for each done. hand: for a visible quest's item in hand. win: for the last quest."""

    quest: float = 50.0
    hand: float = 10.0
    win: float = 300.0


def make_evaluate(weights):
    """The `evaluate` of a game with these weights."""
    quest, hand, win = weights

    @inline
    def worth(state, player):
        points = quest * state[DONE + player]
        item = state[HANDS + player] >> PATH_BITS
        if item >> OWNER_BIT == player and state[VISIBLE] >> item & 1:
            points += hand
        if state[DONE + player] == state[N_QUESTS]:
            points += win
        return points

    @inline
    def evaluate(setup, state, scores):
        lead = worth(state, 0) - worth(state, 1)
        scores[0] = lead
        scores[1] = -lead

    return evaluate
