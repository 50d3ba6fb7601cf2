"""The terms of Infexion's evaluation, and the search that they serve: `onefile train infexion --fit
perceptron` fits their weights.

The terms are each player's numbers of cells by power: the rules are symmetric in place and
direction, and a network of 32 units that saw every cell was no better (NOTES.md).
"""

from bots.infexion.game import captures, quiet_actions
from shared.core.bits import count_bits
from shared.core.jit import inline
from shared.core.tunable import tunable
from shared.games.infexion.state import PLANES, STONES, TURN
from shared.search.alphabeta import Options

TERMS = tuple(
    f"{owner} cells of power {power}" for owner in ("own", "rival's") for power in range(1, 7)
)
HIDDEN = (4,)

# In points, 100 of which are one more cell on the average. Tuning: see NOTES.md.
OPTIONS = Options(
    killers=tunable("killers", 36, 12, 72),
    quiescence=tunable("quiescence", 6, 1, 12),
    late_move_reductions=tunable("reductions", 4, 1, 20),
    single_reductions=tunable("late_reductions", 8, 1, 100),
)
# A quiet action may gain more: the last ply overlooks that.
STAGES = (captures, quiet_actions, tunable("quiet_gain", 100, 0, 200))


@inline
def write_terms(setup, state, terms):
    """Count the cells of power 1 to 6, of the player to move and of the rival."""
    ones, twos, fours = state[PLANES], state[PLANES + 1], state[PLANES + 2]
    for side in range(2):
        cells = state[STONES + ((state[TURN] + side) & 1)]
        terms[6 * side] = count_bits(cells & ones & ~twos & ~fours)
        terms[6 * side + 1] = count_bits(cells & twos & ~ones & ~fours)
        terms[6 * side + 2] = count_bits(cells & ones & twos)
        terms[6 * side + 3] = count_bits(cells & fours & ~ones & ~twos)
        terms[6 * side + 4] = count_bits(cells & fours & ones)
        terms[6 * side + 5] = count_bits(cells & fours & twos)
