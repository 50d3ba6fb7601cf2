"""The evaluation of a position of Infexion, and the game for searches."""

from shared.core.jit import inline
from shared.games.infexion.game import GAME as RULES
from shared.games.infexion.sim import (
    SPREADS,
    cell_of,
    legal,
    may_spawn,
    power_within,
    spread_line,
)
from shared.games.infexion.state import MAX_TURNS, N_CELLS, N_DIRECTIONS, STONES, TURN

ALL_CELLS = (1 << N_CELLS) - 1


@inline
def power_lead(setup, state):
    """Returns the mover's lead in power."""
    own = state[STONES + (state[TURN] & 1)]
    other = state[STONES + 1 - (state[TURN] & 1)]
    return power_within(state, own) - power_within(state, other)


@inline
def list_spreads(setup, state, own, other, taking, actions, n):
    """Write behind the first n actions the spreads of own cells onto the rival's if `taking`, else
    the others, by cell and direction. Returns the new n.
    """
    while own:
        bit = own & -own
        own ^= bit
        first = SPREADS + N_DIRECTIONS * cell_of(bit)
        for action in range(first, first + N_DIRECTIONS):
            if (spread_line(setup, state, action) & other != 0) == taking:
                actions[n] = action
                n += 1
    return n


@inline
def captures(setup, state, actions):
    """Write the spreads onto cells of the rival, by cell and direction; returns their number.

    All actions count in the last turn, as the last action of a game decides it.
    """
    if state[TURN] + 1 == MAX_TURNS:
        return legal(setup, state, actions)
    own = state[STONES + (state[TURN] & 1)]
    other = state[STONES + 1 - (state[TURN] & 1)]
    return list_spreads(setup, state, own, other, True, actions, 0)


@inline
def reach_of(setup, state, cells):
    """Returns cells that spreads from `cells` reach."""
    reach = 0
    while cells:
        bit = cells & -cells
        cells ^= bit
        first = SPREADS + N_DIRECTIONS * cell_of(bit)
        for action in range(first, first + N_DIRECTIONS):
            reach |= spread_line(setup, state, action)
    return reach


@inline
def list_cells(cells, actions, n):
    """Write cells behind the first n actions; returns the new number."""
    while cells:
        bit = cells & -cells
        cells ^= bit
        actions[n] = cell_of(bit)
        n += 1
    return n


@inline
def quiet_actions(setup, state, actions):
    """Write the other actions: spawns out of the rival's reach, spreads, other spawns."""
    if state[TURN] + 1 == MAX_TURNS:
        return 0
    own = state[STONES + (state[TURN] & 1)]
    other = state[STONES + 1 - (state[TURN] & 1)]
    spawns = ALL_CELLS & ~(own | other) if may_spawn(state) else 0
    safe = spawns & ~reach_of(setup, state, other)
    n = list_cells(safe, actions, 0)
    n = list_spreads(setup, state, own, other, False, actions, n)
    return list_cells(spawns & ~safe, actions, n)


GAME = RULES._replace(evaluate=power_lead)
