"""Dots and boxes, in which a player that completes a box moves again: for tests and measurements.

Source: E. Berlekamp, "The Dots and Boxes Game" (A K Peters 2000). Players draw the edges of boxes
in turn; a box belongs to the player of its last edge, who moves again. Most boxes win.

    o 0 o 1 o       edges: of each row first those above it, then those beside it
    2   3   4
    o 5 o 6 o

    setup   boxes across, boxes down, number of edges, then the edges of each box as a set of bits.
    state   the edges drawn as bits, the lead of player 0 in boxes, the player to move.
    action  the edge.
"""

from shared.core.bits import count_bits
from shared.core.game import AlternatingGame
from shared.core.jit import inline, int_buffer
from shared.core.rng import random_below

WIDTH, HEIGHT, N_EDGES, BOXES = range(4)
EDGES, LEAD, MOVER = range(3)
MAX_EDGES = 60
KEY_MASK = (1 << 62) - 1
LEAD_KEY = 0x5851F42D4C957F  # 55 bits


def new_setup(width=2, height=2):
    """The setup of a board. Raises ValueError if its edges do not fit into 60 bits."""
    n_edges = height * (width + 1) + width * (height + 1)
    if min(width, height) < 1 or n_edges > MAX_EDGES:
        raise ValueError(f"{width} x {height} boxes do not have 4 to {MAX_EDGES} edges")
    row = 2 * width + 1
    boxes = [
        1 << y * row + x
        | 1 << y * row + width + x
        | 1 << y * row + width + x + 1
        | 1 << (y + 1) * row + x
        for y in range(height)
        for x in range(width)
    ]
    return int_buffer([width, height, n_edges, *boxes])


def new_state(setup, edges=()):
    """The empty board, or the position after `edges` were drawn in turn."""
    state = int_buffer(3)
    for edge in edges:
        apply(setup, state, edge, state)
    return state


@inline
def to_move(setup, state):
    """0 or 1: after a box the same player again."""
    return state[MOVER]


@inline
def legal(setup, state, actions):
    """The edges that are not drawn, in ascending order."""
    n = 0
    for edge in range(setup[N_EDGES]):
        if not state[EDGES] >> edge & 1:
            actions[n] = edge
            n += 1
    return n


@inline
def sample(setup, state, rng):
    """Any edge that is not drawn."""
    left = random_below(rng, setup[N_EDGES] - count_bits(state[EDGES]))
    edge = 0
    while left > 0 or state[EDGES] >> edge & 1:
        left -= 1 - (state[EDGES] >> edge & 1)
        edge += 1
    return edge


@inline
def apply(setup, state, action, after):
    """Draw the edge, and take the boxes that it completes."""
    edges, n_taken = state[EDGES] | 1 << action, 0
    for box in range(setup[WIDTH] * setup[HEIGHT]):
        sides = setup[BOXES + box]
        if sides >> action & 1 and edges & sides == sides:
            n_taken += 1
    mover = state[MOVER]
    after[LEAD] = state[LEAD] + (n_taken if mover == 0 else -n_taken)
    after[EDGES] = edges
    after[MOVER] = mover if n_taken > 0 else 1 - mover


@inline
def is_over(setup, state):
    """True if all edges are drawn."""
    return state[EDGES] == (1 << setup[N_EDGES]) - 1


@inline
def evaluate(setup, state):
    """The mover's lead in boxes."""
    return state[LEAD] if state[MOVER] == 0 else -state[LEAD]


@inline
def result(setup, state):
    """1 if the player to move has more boxes, -1 if the other has, else 0."""
    lead = evaluate(setup, state)
    return 1 if lead > 0 else 0 if lead == 0 else -1


@inline
def key(setup, state):
    """A hash of 62 bits: edges and mover, spread by invertible xorshifts, and the lead."""
    code = state[EDGES] * 2 + state[MOVER]
    code ^= code >> 29
    code ^= (code << 17) & KEY_MASK
    code ^= code >> 32
    return code ^ (state[LEAD] + MAX_EDGES) * LEAD_KEY


GAME = AlternatingGame(
    max_actions=MAX_EDGES,
    state_size=3,
    to_move=to_move,
    legal=legal,
    sample=sample,
    apply=apply,
    is_over=is_over,
    result=result,
    evaluate=evaluate,
    key=key,
)
