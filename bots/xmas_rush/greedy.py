"""X-mas Rush without search: the push after which a walk takes the most items, if the other player held still."""

import sys
from random import Random

from shared.games.xmas_rush.paths import best_walks
from shared.games.xmas_rush.protocol import format_push, format_walk
from shared.games.xmas_rush.sim import push_turn
from shared.games.xmas_rush.state import (
    DONE,
    N_PUSHES,
    NO_PUSH,
    PATHS,
    PLAYERS,
    STALE,
    TURN,
    board_places,
    copy_state,
    new_state,
    tile_at,
)
from shared.games.xmas_rush.tracker import Tracker

MAX_CLASHES = 2  # after so many in a row a random push breaks the deadlock


def push_rank(state, push, after):
    """What a push alone leads to, in `after`: quests done and items in reach, then walks to choose from."""
    copy_state(state, after)
    push_turn(after, push, NO_PUSH)
    walks = best_walks(after, 0)
    return int(after[DONE]) + walks[0].taken.bit_count(), len(walks)


def best_push(state, rng):
    """The push of the highest rank; in a deadlock any."""
    if state[STALE] >= MAX_CLASHES:
        return rng.randrange(N_PUSHES)
    after = new_state()
    return max(range(N_PUSHES), key=lambda push: push_rank(state, push, after))


def best_walk(state):
    """The walk with the most items; among those the one that ends on the tile with the most paths."""

    def paths(walk):
        ((x, y),) = board_places(walk.end)
        return (tile_at(state, x, y) & PATHS).bit_count()

    return max(best_walks(state, 0), key=paths)


def main():
    tracker = Tracker(sys.stdin.readline)
    rng = None
    while tracker.read_turn():
        state = tracker.state
        # Two of these bots must not break a deadlock alike: they begin in different corners.
        rng = rng or Random(int(state[PLAYERS]))
        if state[TURN] & 1:
            print(format_push(best_push(state, rng)), flush=True)
        else:
            print(format_walk(best_walk(state).directions), flush=True)


if __name__ == "__main__":
    main()
