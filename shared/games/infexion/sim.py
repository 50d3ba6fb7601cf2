"""Infexion's rules, exact (sections refer to RULES.md).

An action is a number 0..342: `cell` spawns there, `49 + 6 cell + direction` spreads the cell.
A spread adds 1 to the power of all the cells of its line at once, as one binary addition
across the three planes.
"""

from ...core.bits import count_bits
from ...core.jit import inline
from ...core.rng import random_below
from ...games.infexion.state import (
    BLUE,
    KEYS,
    LINE_SIZE,
    LINES,
    MAX_TURNS,
    N_CELLS,
    N_DIRECTIONS,
    N_PLANES,
    N_PLAYERS,
    PLANES,
    RED,
    STONES,
    TURN,
    TURN_KEYS,
)

SPREADS = N_CELLS
N_ACTIONS = SPREADS + N_CELLS * N_DIRECTIONS
MAX_TOTAL_POWER = 49
WIN_LEAD = 2


@inline
def to_move(setup, state):
    """Returns the player to move: RED in even turns."""
    return state[TURN] & 1


@inline
def power_within(state, mask):
    """Returns a mask's total power."""
    return (
        count_bits(state[PLANES] & mask)
        + 2 * count_bits(state[PLANES + 1] & mask)
        + 4 * count_bits(state[PLANES + 2] & mask)
    )


@inline
def may_spawn(state):
    """Returns True if the total power permits a spawn."""
    return power_within(state, state[STONES + RED] | state[STONES + BLUE]) < MAX_TOTAL_POWER


@inline
def cell_of(bit):
    """Returns the cell of one bit."""
    return count_bits(bit - 1)


@inline
def legal(setup, state, actions):
    """Write the legal actions, spawns by cell, then spreads by cell and direction. Returns their
    number (section 2).
    """
    n = 0
    if may_spawn(state):
        occupied = state[STONES + RED] | state[STONES + BLUE]
        for cell in range(N_CELLS):
            if occupied >> cell & 1 == 0:
                actions[n] = cell
                n += 1
    own = state[STONES + (state[TURN] & 1)]
    while own:
        bit = own & -own
        own ^= bit
        first = SPREADS + N_DIRECTIONS * cell_of(bit)
        for direction in range(N_DIRECTIONS):
            actions[n + direction] = first + direction
        n += N_DIRECTIONS
    return n


@inline
def power_of(state, cell):
    """Read a cell's power."""
    return (
        (state[PLANES] >> cell & 1)
        + 2 * (state[PLANES + 1] >> cell & 1)
        + 4 * (state[PLANES + 2] >> cell & 1)
    )


@inline
def spread_line(setup, state, action):
    """Returns the cells of a spread."""
    spread = action - SPREADS
    cell = spread // N_DIRECTIONS
    return setup[LINES + LINE_SIZE * spread + power_of(state, cell)]


@inline
def apply(setup, state, action, after):
    """Write the position after a legal action into `after`, which may be `state`
    itself (section 2).
    """
    mover = state[TURN] & 1
    own = state[STONES + mover]
    other = state[STONES + 1 - mover]
    ones, twos, fours = state[PLANES], state[PLANES + 1], state[PLANES + 2]
    if action < SPREADS:
        own |= 1 << action
        ones |= 1 << action
    else:
        line = spread_line(setup, state, action)
        source = 1 << (action - SPREADS) // N_DIRECTIONS
        carry = ones & line
        carry_on = twos & carry
        ones ^= line
        twos ^= carry
        fours ^= carry_on
        # A power of 7 is one too many: that cell, like the source, ends up empty.
        kept = ~((ones & twos & fours) | source)
        own = (own | line) & kept
        other &= ~line & kept
        ones &= kept
        twos &= kept
        fours &= kept
    after[STONES + mover] = own
    after[STONES + 1 - mover] = other
    after[PLANES] = ones
    after[PLANES + 1] = twos
    after[PLANES + 2] = fours
    after[TURN] = state[TURN] + 1


@inline
def is_legal(setup, state, action):
    """Returns True if an action 0..342 is legal (section 2)."""
    if action < SPREADS:
        occupied = state[STONES + RED] | state[STONES + BLUE]
        return (occupied >> action & 1) == 0 and may_spawn(state)
    cell = (action - SPREADS) // N_DIRECTIONS
    return (state[STONES + (state[TURN] & 1)] >> cell & 1) == 1


@inline
def is_over(setup, state):
    """Returns True if the game is over: a side without cells from turn 2 on, or turn 343
    (section 3).
    """
    turn = state[TURN]
    alone = state[STONES + RED] == 0 or state[STONES + BLUE] == 0
    return turn >= MAX_TURNS or (alone and turn >= 2)


@inline
def result(setup, state):
    """Returns the mover's result of a finished game: 1, 0 or -1. A lead below 2 in power is a
    draw (section 3).
    """
    mover = state[TURN] & 1
    lead = power_within(state, state[STONES + mover])
    lead -= power_within(state, state[STONES + 1 - mover])
    return (1 if lead >= WIN_LEAD else 0) - (1 if lead <= -WIN_LEAD else 0)


@inline
def sample(setup, state, rng):
    """Draw a legal action uniformly."""
    occupied = state[STONES + RED] | state[STONES + BLUE]
    own = state[STONES + (state[TURN] & 1)]
    n_spawns = N_CELLS - count_bits(occupied) if may_spawn(state) else 0
    choice = random_below(rng, n_spawns + N_DIRECTIONS * count_bits(own))
    if choice < n_spawns:
        return cell_of(nth_bit(((1 << N_CELLS) - 1) & ~occupied, choice))
    choice -= n_spawns
    cell = cell_of(nth_bit(own, choice // N_DIRECTIONS))
    return SPREADS + N_DIRECTIONS * cell + choice % N_DIRECTIONS


@inline
def nth_bit(mask, n):
    """Returns bit number n of a mask, from 0 (lowest)."""
    for _ in range(n):
        mask &= mask - 1
    return mask & -mask


@inline
def key(setup, state):
    """Returns Zobrist's hash: the exclusive or of the keys of all power bits and of
    the turn.

    Source: A. Zobrist, "A New Hashing Method with Application for Game Playing" (1970). The turn
    belongs to the position, as the game ends at turn 343.
    """
    hashed = setup[TURN_KEYS + state[TURN]]
    for player in range(N_PLAYERS):
        for plane in range(N_PLANES):
            keys = KEYS + N_CELLS * (N_PLANES * player + plane)
            mask = state[STONES + player] & state[PLANES + plane]
            while mask:
                bit = mask & -mask
                mask ^= bit
                hashed ^= setup[keys + cell_of(bit)]
    return hashed
