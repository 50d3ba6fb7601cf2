"""Perft: how many sequences of legal actions a position has, the usual proof of a game's rules.

Source: the chess programming community ("performance test, move path enumeration"). Letters as in
`shared/core/game.py`, and D plies.
"""

from typing import NamedTuple

from shared.core.jit import int_buffer

PERFT_SIGNATURE = f"void({7 * 'int64[::1], '}int64)"
SEQUENCES, ENDED = range(2)


class Walk(NamedTuple):
    """The buffers of a count, in the order its compiled function takes them.

    counts  int64[2]      sequences of D actions; how many of them end the game
    states  int64[D S]    the position at each ply
    actions int64[A]      the actions of the position that was met last
    pending int64[D A]    for each ply the actions not yet tried, `left[ply]` of them
    left    int64[D]
    """

    counts: object
    states: object
    actions: object
    pending: object
    left: object


def make_perft(game):
    """The count for an `AlternatingGame`, to be compiled with `kernel(PERFT_SIGNATURE)`.

    perft(setup, state, *walk, depth) counts from `state`, which it changes; a game that ends sooner
    counts for nothing.
    """
    legal, apply, is_over = game.legal, game.apply, game.is_over
    size, max_actions = game.state_size, game.max_actions

    def perft(setup, state, counts, states, actions, pending, left, depth):
        counts[SEQUENCES] = 0
        counts[ENDED] = 0
        ply = 0
        arrived = True
        while ply >= 0:
            if arrived:
                left[ply] = legal(setup, state, actions)
                for i in range(left[ply]):
                    pending[ply * max_actions + i] = actions[i]
                for i in range(size):
                    states[ply * size + i] = state[i]
            arrived = False
            if left[ply] == 0:
                ply -= 1
                continue
            left[ply] -= 1
            for i in range(size):
                state[i] = states[ply * size + i]
            apply(setup, state, pending[ply * max_actions + left[ply]], state)
            over = is_over(setup, state)
            if ply == depth - 1:
                counts[SEQUENCES] += 1
                counts[ENDED] += 1 if over else 0
            elif not over:
                ply += 1
                arrived = True

    return perft


def count_sequences(game, perft, setup, state, depth):
    """(sequences of `depth` actions, how many of them end the game) from a position, which stays as
    it is.
    """
    walk = Walk(
        counts=int_buffer(2),
        states=int_buffer(depth * game.state_size),
        actions=int_buffer(game.max_actions),
        pending=int_buffer(depth * game.max_actions),
        left=int_buffer(depth),
    )
    perft(setup, int_buffer(state), *walk, depth)
    return int(walk.counts[SEQUENCES]), int(walk.counts[ENDED])
