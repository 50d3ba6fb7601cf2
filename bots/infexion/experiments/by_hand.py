"""The search of `minimax` with an evaluation made by hand, as the bot had it before the network of `leaf.py`:
what that learned from, and is played against.
"""

from bots.infexion import minimax
from bots.infexion.game import captures, power_lead, quiet_actions
from shared.core.bits import count_bits
from shared.core.jit import inline, kernel
from shared.games.infexion.game import RULES
from shared.games.infexion.state import STONES, TURN
from shared.search.alphabeta import make_search

POWER, CELL = 2, 1
OPTIONS = minimax.OPTIONS._replace(killers=3)


def make_evaluate(power, cell):
    """The `evaluate` by the lead in power and, against it, the lead in cells: of two players of equal
    power the one with fewer and higher stacks is ahead.
    """

    @inline
    def evaluate(setup, state):
        own = state[STONES + (state[TURN] & 1)]
        other = state[STONES + 1 - (state[TURN] & 1)]
        cells = count_bits(own) - count_bits(other)
        return power * power_lead(setup, state) - cell * cells

    return evaluate


def quiet_gain(power, cell):
    """The most that an action which takes nothing adds to `make_evaluate`'s: a spawn, or a spread
    over own cells alone, after which there is a cell less.
    """
    return max(power - cell, cell)


GAME = RULES._replace(evaluate=make_evaluate(POWER, CELL))
search = kernel(make_search(GAME, OPTIONS, captures, quiet_actions, quiet_gain(POWER, CELL)))
