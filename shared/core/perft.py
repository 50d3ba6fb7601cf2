"""Perft: how many sequences of legal actions a position has, the usual proof of a game's rules.

Source: the chess programming community ("performance test, move path enumeration"). Letters as in
`shared/core/game.py`, and D plies.
"""

from typing import Callable, NamedTuple

from shared.core.game import AlternatingGame
from shared.core.jit import Ints, int_buffer

SEQUENCES, ENDED, LIMIT = range(3)
MAX_LIMIT = 2**62


class Walk(NamedTuple):
    """All that a count knows.

    counts  [3]    sequences of D actions; how many of them end the game; one more than how many to
                   count at most
    states  [D S]  the position at each ply
    actions [A]    the actions of the position that was met last
    pending [D A]  for each ply the actions not yet tried, `left[ply]` of them
    left    [D]
    """

    counts: Ints
    states: Ints
    actions: Ints
    pending: Ints
    left: Ints


def make_perft(game: AlternatingGame) -> Callable[[Ints, Ints, Walk, int], None]:
    """The count for a game, to be compiled with `kernel`.

    perft(setup, state, walk, depth) counts from `state`, which it changes; a game that ends sooner
    counts for nothing.
    """
    legal, apply, is_over = game.legal, game.apply, game.is_over
    size, max_actions = game.state_size, game.max_actions

    def perft(setup: Ints, state: Ints, walk: Walk, depth: int) -> None:
        counts, states, actions, pending, left = walk
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
                if counts[SEQUENCES] == counts[LIMIT]:
                    return
            elif not over:
                ply += 1
                arrived = True

    return perft


def count_sequences(
    game: AlternatingGame,
    perft: Callable,
    setup: Ints,
    state: Ints,
    depth: int,
    limit: int = MAX_LIMIT,
) -> tuple[int, int]:
    """(sequences of `depth` actions, how many of them end the game) from a position, which stays as
    it is; where there are more than `limit`, those that were counted until that was clear.
    """
    walk = Walk(
        counts=int_buffer(3),
        states=int_buffer(depth * game.state_size),
        actions=int_buffer(game.max_actions),
        pending=int_buffer(depth * game.max_actions),
        left=int_buffer(depth),
    )
    walk.counts[LIMIT] = min(limit, MAX_LIMIT - 1) + 1
    perft(setup, int_buffer(state), walk, depth)
    return int(walk.counts[SEQUENCES]), int(walk.counts[ENDED])
