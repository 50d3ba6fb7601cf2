"""The random draws of the official engine, which uses java.util.Random."""

from ...core.jit import inline, njit
from ...games.code_of_kutulu.state import ALIVE, N_PLAYERS, SEED

SEED_MASK = (1 << 48) - 1


@inline
def draw_bits(state):
    """Returns 31 random bits of java.util.Random, a linear congruential generator of 48 bits."""
    state[SEED] = (state[SEED] * 0x5DEECE66D + 0xB) & SEED_MASK
    return state[SEED] >> 17


@inline
def draw_below(state, n):
    """Returns a random int in 0..n-1, as nextInt(n) does."""
    bits = draw_bits(state)
    if n & (n - 1) == 0:
        return n * bits >> 31
    while bits - bits % n + n - 1 >= 1 << 31:
        bits = draw_bits(state)
    return bits % n


@inline
def swapped(order, i, k):
    """Returns a list of 4-bit entries with two of them exchanged."""
    differs = (order >> 4 * i ^ order >> 4 * k) & 15
    return order ^ (differs << 4 * i | differs << 4 * k) if i != k else order


@njit
def draw_order(state, target):
    """Draw the order in which a chase compares living players, 4 bits each, the first lowest:
    the target, the others shuffled, 15 as the end mark.
    """
    order, n, start = -1, 0, 0
    for player in range(N_PLAYERS):
        if state[ALIVE] >> player & 1:
            if player == target:
                start = n + 1
            order ^= (15 ^ player) << 4 * n
            n += 1
    if start > 0:
        order = swapped(order, 0, start - 1)
        start = 1
    for i in range(start, n - 1):
        order = swapped(order, i, i + draw_below(state, n - i))
    return order


@inline
def draw_for_minions(state, n):
    """Make the engine's draws for n new minions. The results are not used."""
    for _ in range(n):
        draw_bits(state)
