"""The hand-crafted evaluation whose games trained the network of `leaf.py`."""

from bots.infexion.game import power_lead
from shared.core.bits import count_bits
from shared.core.jit import inline
from shared.games.infexion.state import STONES, TURN

POWER, CELL = 2, 1
KILLERS = 3  # in its points, as in the search's options


def make_evaluate(power, cell):
    """The `evaluate` by the lead in power and, against it, the lead in cells: of two players of
    equal power the one with fewer and higher stacks is ahead.
    """

    @inline
    def evaluate(setup, state):
        own = state[STONES + (state[TURN] & 1)]
        other = state[STONES + 1 - (state[TURN] & 1)]
        cells = count_bits(own) - count_bits(other)
        return power * power_lead(setup, state) - cell * cells

    return evaluate


def quiet_gain(power, cell):
    """The greatest gain of an action without captures by `make_evaluate`'s: a spawn, or a spread
    over own cells alone, after which there is a cell less.
    """
    return max(power - cell, cell)
