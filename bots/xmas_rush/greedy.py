"""X-mas Rush without search: the push before the walk with the most items, the rival passing."""

from random import Random

from bots.xmas_rush.paths import FOUND_SIZE, N_SETS, best_ends, best_walks
from bots.xmas_rush.tracker import Tracker
from shared.core.jit import Ints, int_buffer, kernel
from shared.core.loop import run
from shared.games.xmas_rush.protocol import format_push, format_walk
from shared.games.xmas_rush.sim import count_cells, open_down, open_right, push_turn
from shared.games.xmas_rush.state import (
    DONE,
    MAX_VISIBLE,
    N_PUSHES,
    NO_PUSH,
    PATHS,
    PLAYERS,
    STALE,
    TURN,
    WANTED,
    board_places,
    copy_state,
    new_state,
    tile_at,
)

MANY_WALKS = 1000  # above the possible number
MAX_CLASHES = 2  # clashes in a row after which a random push breaks the deadlock


@kernel
def rank_pushes(state: Ints, after: Ints, found: Ints, ranks: Ints) -> None:
    """Rank each push by its result alone: quests done, items in reach, then the number of walks."""
    for push in range(N_PUSHES):
        copy_state(state, after)
        push_turn(after, push, NO_PUSH)
        right, down = open_right(after), open_down(after)
        best_ends(right, down, after[WANTED], after[PLAYERS], found, 0, FOUND_SIZE)
        n_walks = 0
        for pair in range(MAX_VISIBLE):
            if found[2 * pair] == 0:
                break
            n_walks += count_cells(found[2 * pair])
        ranks[push] = (after[DONE] + count_cells(found[1])) * MANY_WALKS + n_walks


def best_push(state, rng):
    """Returns the best-ranked push, any push in a deadlock."""
    if state[STALE] >= MAX_CLASHES:
        return rng.randrange(N_PUSHES)
    ranks = int_buffer(N_PUSHES)
    rank_pushes(state, new_state(), int_buffer(FOUND_SIZE + N_SETS), ranks)
    return max(range(N_PUSHES), key=lambda push: ranks[push])


def best_walk(state):
    """Returns directions of a walk with most items, of ties to the tile of most paths."""

    def rank(walk):
        end, taken = walk
        ((x, y),) = board_places(end)
        return bin(tile_at(state, x, y) & PATHS).count("1"), -taken, -end

    walks = best_walks(state, 0)
    return walks[max(walks, key=rank)]


class Player:
    """The bot's memory: the game as read, and its random numbers for ties."""

    def __init__(self, read_line):
        self.tracker = Tracker(read_line)
        self.rng = None

    def answer(self):
        """Returns the turn's line."""
        state = self.tracker.state
        # Two of these bots must not break a deadlock alike: their corners differ.
        self.rng = self.rng or Random(int(state[PLAYERS]))
        if state[TURN] & 1:
            return [format_push(best_push(state, self.rng))]
        return [format_walk(best_walk(state))]


def new_player(read_line):
    """Returns the functions for `run` to play one game."""
    player = Player(read_line)
    return player.tracker.read_turn, player.answer


if __name__ == "__main__":
    run(new_player)
