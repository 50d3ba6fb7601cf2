"""Perft: the number of legal action sequences from a position, the usual check of a game's rules.

Source: the chess programming community ("performance test, move path enumeration"). Letters as in
`shared/core/game.py`, and D plies.
"""

import re
from typing import Callable, NamedTuple

from ...core.game import AlternatingGame
from ...core.jit import Ints, int_buffer

SEQUENCES, ENDED, LIMIT, SHORTER, SHORTER_LIMIT = range(5)
MAX_LIMIT = 2**62
# A limited count gives up after this many positions without a sequence of full depth.
MOST_ENDS = 2_000_000
DEPTH = re.compile(r"[1-9]\d?", re.ASCII)


class Walk(NamedTuple):
    """The state of a count.

    counts  [5]    sequences of D actions; how many of them end the game; the first count
                   above the limit; shorter sequences; the number of them to stop at.
    states  [D S]  the position at each ply.
    actions [A]    the actions of the last position reached.
    pending [D A]  for each ply the actions not yet tried, `left[ply]` of them.
    left    [D]    their number.
    """

    counts: Ints
    states: Ints
    actions: Ints
    pending: Ints
    left: Ints


def make_perft(game: AlternatingGame) -> Callable[[Ints, Ints, Walk, int], None]:
    """Make the count for a game, to be compiled with `kernel`.

    perft(setup, state, walk, depth) counts from `state`, which it changes; games that end sooner do
    not count.
    """
    legal, apply, is_over = game.legal, game.apply, game.is_over
    size, max_actions = game.state_size, game.max_actions

    def perft(setup: Ints, state: Ints, walk: Walk, depth: int) -> None:
        counts, states, actions, pending, left = walk
        counts[SEQUENCES] = 0
        counts[ENDED] = 0
        counts[SHORTER] = 0
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
                continue
            counts[SHORTER] += 1
            if counts[SHORTER] == counts[SHORTER_LIMIT]:
                return
            if not over:
                ply += 1
                arrived = True

    return perft


def count_sequences(
    game: AlternatingGame,
    perft: Callable[[Ints, Ints, Walk, int], None],
    setup: Ints,
    state: Ints,
    depth: int,
    limit: int = MAX_LIMIT,
) -> tuple[int, int]:
    """Returns (sequences of `depth` actions, number of those that end the game) from a position,
    which is left unchanged. With more than `limit` sequences, returns the numbers reached at that
    point. Raises ValueError if a limit is given and too many games end sooner.
    """
    walk = Walk(
        counts=int_buffer(5),
        states=int_buffer(depth * game.state_size),
        actions=int_buffer(game.max_actions),
        pending=int_buffer(depth * game.max_actions),
        left=int_buffer(depth),
    )
    walk.counts[LIMIT] = min(limit, MAX_LIMIT - 1) + 1
    # Each full sequence can be preceded by at most depth - 1 shorter ones; all others only end
    # early.
    walk.counts[SHORTER_LIMIT] = min(limit * depth + MOST_ENDS, MAX_LIMIT)
    perft(setup, int_buffer(state), walk, depth)
    if walk.counts[SHORTER] == walk.counts[SHORTER_LIMIT]:
        raise ValueError(f"too many games end before {depth} actions for these to be counted")
    return int(walk.counts[SEQUENCES]), int(walk.counts[ENDED])


def depth_of(text: str) -> int:
    """Returns the depth in a file's text. Raises ValueError if there is none."""
    if not DEPTH.fullmatch(text):
        raise ValueError(f"there are no sequences of {text[:40]!r} actions")
    return int(text)
