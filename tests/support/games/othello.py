"""Othello (Reversi) on bitboards of 64 bits: for tests and measurements of searches.

Source: the rules of the World Othello Federation. A disc is put where it outflanks discs of the
other in a line, which are flipped; a player that has no such cell passes. The game is over when
neither has one; most discs win. Cell 8 row + column is a bit.

    setup   nothing
    state   discs of the player to move, discs of the other, plies played with passes
    action  the cell, 64 passes
"""

from shared.core.game import AlternatingGame
from shared.core.jit import inline, int_buffer
from shared.core.rng import random_below
from tests.support.games.sets_of_64 import (
    bit_of,
    count_bits_64,
    filled_64,
    hash_64,
    list_64,
    moved_64,
    nth_64,
)

OWN, OTHER, PLIES = range(3)
PASS = 64
MOST_FLIPPED = 6  # in a line
ALL, INNER = -1, 0x7E7E7E7E7E7E7E7E
# Steps, with the cells where a line goes on: discs at the sides are outflanked up and down only.
WAYS = ((8, ALL), (-8, ALL), *((step, INNER) for step in (1, -1, 7, -7, 9, -9)))
CORNERS = bit_of(0) | bit_of(7) | bit_of(56) | bit_of(63)
CORNER_VALUE = 10  # in moves


def new_setup():
    """An empty setup: Othello has no parameters."""
    return int_buffer(1)


def new_state(actions=()):
    """The start, or the position after `actions`."""
    state = int_buffer([bit_of(28) | bit_of(35), bit_of(27) | bit_of(36), 0])
    for action in actions:
        apply(None, state, action, state)
    return state


@inline
def moves_of(own, other):
    """The cells on which a player with these discs may put one."""
    found = 0
    for step, cells in WAYS:
        found |= moved_64(filled_64(own, other & cells, step, MOST_FLIPPED), step)
    return found & ~(own | other)


@inline
def to_move(setup, state):
    """0 for black, who begins, 1 for white."""
    return state[PLIES] & 1


@inline
def legal(setup, state, actions):
    """The cells in ascending order, or to pass."""
    n = list_64(moves_of(state[OWN], state[OTHER]), actions)
    if n == 0:
        actions[0] = PASS
    return max(n, 1)


@inline
def sample(setup, state, rng):
    """A legal action, drawn uniformly."""
    cells = moves_of(state[OWN], state[OTHER])
    return nth_64(cells, random_below(rng, count_bits_64(cells))) if cells != 0 else PASS


@inline
def apply(setup, state, action, after):
    """Put a disc and flip those that it outflanks, or pass."""
    own, other = state[OWN], state[OTHER]
    if action != PASS:
        disc, flips = bit_of(action), 0
        for step, cells in WAYS:
            line = filled_64(disc, other & cells, step, MOST_FLIPPED)
            flips |= line if moved_64(line, step) & own != 0 else 0
        own, other = own | disc | flips, other & ~flips
    after[PLIES] = state[PLIES] + 1
    after[OWN], after[OTHER] = other, own


@inline
def is_over(setup, state):
    """True if neither player can put a disc."""
    own, other = state[OWN], state[OTHER]
    return moves_of(own, other) == 0 and moves_of(other, own) == 0


@inline
def result(setup, state):
    """1 if the player to move has more discs, -1 if the other has, else 0."""
    lead = count_bits_64(state[OWN]) - count_bits_64(state[OTHER])
    return 1 if lead > 0 else 0 if lead == 0 else -1


@inline
def evaluate(setup, state):
    """The mover's lead in moves and corners."""
    own, other = state[OWN], state[OTHER]
    corners = count_bits_64(own & CORNERS) - count_bits_64(other & CORNERS)
    moves = count_bits_64(moves_of(own, other)) - count_bits_64(moves_of(other, own))
    return moves + CORNER_VALUE * corners


@inline
def key(setup, state):
    """A hash of 62 bits."""
    return hash_64(state[OWN], state[OTHER])


GAME = AlternatingGame(65, 3, to_move, legal, sample, apply, is_over, result, evaluate, key)
