"""Tron by paranoid search, as deep as its time allows."""

from bots.tron.game import GAME
from shared.core.clock import Clock
from shared.core.jit import kernel
from shared.core.loop import run
from shared.games.tron.protocol import DIRECTIONS, LIMITS, read_turn
from shared.games.tron.state import new_setup, new_state
from shared.search.max_n import Options, make_choose, make_search, new_tree

MARGIN_MS = 15
OPTIONS = Options(depth=40)

search = kernel(make_search(GAME, OPTIONS))


def new_player(read_line):
    """Returns the functions for `run` to play one game."""
    clock = Clock(LIMITS, MARGIN_MS)
    choose = make_choose(search, new_tree(GAME, OPTIONS), clock)
    setup, state = new_setup(0), new_state([])
    return (
        lambda: read_turn(read_line, setup, state),
        lambda: [DIRECTIONS[choose(setup, state)]],
        clock,
    )


if __name__ == "__main__":
    run(new_player)
