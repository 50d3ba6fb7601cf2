"""Nim, solved by Bouton (Annals of Mathematics 3, 1901): the player to move wins unless the heaps'
exclusive or is 0.

For tests of searches. Players take any number of objects from one heap. The player who takes the
last one wins.

    setup   the number of heaps, at most MAX_HEAPS.
    state   the player to move, then the size of each heap, at most MAX_SIZE.
    action  MAX_SIZE * heap + (objects taken - 1).
"""

from shared.core.game import AlternatingGame
from shared.core.jit import inline, int_buffer
from shared.core.rng import random_below

MAX_HEAPS = 4
MAX_SIZE = 8
N_HEAPS = 0
MOVER, HEAPS = range(2)


def new_setup(n_heaps):
    """The setup for `n_heaps` heaps. Raises ValueError if they are too many."""
    if not 1 <= n_heaps <= MAX_HEAPS:
        raise ValueError(f"nim is played with 1 to {MAX_HEAPS} heaps, got {n_heaps}")
    return int_buffer([n_heaps])


def new_state(heaps):
    """The start with heaps of these sizes. Raises ValueError if one is too large."""
    if not all(0 <= size <= MAX_SIZE for size in heaps):
        raise ValueError(f"a heap of nim has 0 to {MAX_SIZE} objects, got {list(heaps)}")
    return int_buffer([0, *heaps, *[0] * (MAX_HEAPS - len(heaps))])


@inline
def to_move(setup, state):
    """0 or 1."""
    return state[MOVER]


@inline
def legal(setup, state, actions):
    """Writes the actions heap by heap, the smallest number of objects first."""
    n = 0
    for heap in range(setup[N_HEAPS]):
        for taken in range(state[HEAPS + heap]):
            actions[n] = MAX_SIZE * heap + taken
            n += 1
    return n


@inline
def n_objects(setup, state):
    """The objects left in all heaps."""
    total = 0
    for heap in range(setup[N_HEAPS]):
        total += state[HEAPS + heap]
    return total


@inline
def sample(setup, state, rng):
    """A legal action, drawn uniformly."""
    left = random_below(rng, n_objects(setup, state))
    heap = 0
    while left >= state[HEAPS + heap]:
        left -= state[HEAPS + heap]
        heap += 1
    return MAX_SIZE * heap + left


@inline
def apply(setup, state, action, after):
    """Take the objects from the heap."""
    after[MOVER] = 1 - state[MOVER]
    for heap in range(MAX_HEAPS):
        after[HEAPS + heap] = state[HEAPS + heap]
    after[HEAPS + action // MAX_SIZE] -= action % MAX_SIZE + 1


@inline
def is_over(setup, state):
    """True if no object is left."""
    return n_objects(setup, state) == 0


@inline
def result(setup, state):
    """Always -1: the other player took the last object."""
    return -1


@inline
def evaluate(setup, state):
    """Always 0: any useful evaluation would be the solution."""
    return 0


@inline
def key(setup, state):
    """The state's digits packed into one number, different for each position."""
    packed = state[MOVER]
    for heap in range(MAX_HEAPS):
        packed = packed * (MAX_SIZE + 1) + state[HEAPS + heap]
    return packed


GAME = AlternatingGame(
    max_actions=MAX_HEAPS * MAX_SIZE,
    state_size=HEAPS + MAX_HEAPS,
    to_move=to_move,
    legal=legal,
    sample=sample,
    apply=apply,
    is_over=is_over,
    result=result,
    evaluate=evaluate,
    key=key,
)
