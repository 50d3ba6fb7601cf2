"""X-mas Rush with hidden quests: each line searched draws its own.

In the leagues with hidden quests all twelve names are quests, so the ones not shown are equally
likely to come next. `claims.py` plays it against the bot, which assumes that no more quests come.
"""

from bots.xmas_rush.paths import random_cell
from shared.core.bits import lowest_bit
from shared.core.jit import inline
from shared.games.xmas_rush.state import DECK, N_KNOWN, N_QUESTS, NAME, NAMES

N_NAMES = len(NAMES)
ALL_NAMES = (1 << N_NAMES + 1) - 2  # counted from 1
MAX_DRAWN = 6  # three turns rarely show more


@inline
def draw_quests(setup, state):
    """Continue the known deck with the remaining names, in a random order."""
    if state[N_QUESTS] < N_NAMES:
        return
    left = ALL_NAMES
    for i in range(state[N_KNOWN]):
        left &= ~(1 << (state[DECK] >> 4 * i & NAME))
    for _ in range(min(N_NAMES - state[N_KNOWN], MAX_DRAWN)):
        bit = random_cell(left, setup)
        left ^= bit
        state[DECK] |= lowest_bit(bit) << 4 * state[N_KNOWN]
        state[N_KNOWN] += 1
