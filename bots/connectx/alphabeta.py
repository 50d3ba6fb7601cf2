"""Connect four on Kaggle, its environment connectx, by alpha-beta with a transposition table; the
evaluation counts the lines of four that are still open.

    row 0    0  1  2  3  4  5  6      the observation's board, from above: 0 for an empty cell, else
             7  8  9 10 11 12 13      the mark of a player, 1 or 2, of whom the first begins
             ...
    row 5   35 36 37 38 39 40 41
"""

from shared.core.clock import Clock, Limits
from shared.core.jit import kernel
from shared.core.kaggle import make_agent, read_json
from shared.core.loop import expect
from shared.core.protocol import ProtocolError
from shared.games.connect_four.game import GAME, HEIGHT, OWN, STONES, WIDTH, new_setup, new_state
from shared.search.alphabeta import (
    Options,
    best_action,
    expected,
    is_finished,
    make_search,
    new_tree,
    reset,
)

MARGIN_MS = 200
OPTIONS = Options(killers=8, history=8)
TABLE_BITS = 20

search = kernel(make_search(GAME, OPTIONS))


def read_game(read_line, clock):
    """Take the limits of a game from its configuration. Raises ProtocolError for another board."""
    told = read_json(read_line)
    shape = told["columns"], told["rows"], told["inarow"]
    if shape != (WIDTH, HEIGHT, 4):
        raise ProtocolError(f"this bot plays four in a line on {WIDTH} x {HEIGHT}, not {shape}")
    turn_ms = int(1000 * told["actTimeout"])
    clock.set_limits(Limits(turn_ms, turn_ms), MARGIN_MS)


def read_turn(read_line, state):
    """Read the board of a turn into `state`; returns False at the end of the input."""
    told = read_json(read_line)
    if told is None:
        return False
    state[OWN] = state[STONES] = 0
    for place, mark in enumerate(told["board"]):
        row, column = divmod(place, WIDTH)
        stone = 1 << column * (HEIGHT + 1) + HEIGHT - 1 - row
        state[OWN] |= stone if mark == told["mark"] else 0
        state[STONES] |= stone if mark else 0
    return True


def choose(setup, state, tree, clock):
    """Returns the best column when time is up or the value proven."""
    reset(tree)
    while not is_finished(tree) and (nodes := clock.grant()):
        search(setup, state, tree, nodes)
    *numbers, line = expected(tree)
    expect(*numbers, map(str, line))
    return best_action(tree)


def new_player(read_line):
    """Returns the functions for `run` to play one game."""
    clock = Clock(Limits(2000, 2000), MARGIN_MS)
    read_game(read_line, clock)
    setup, state, tree = new_setup(), new_state(), new_tree(GAME, OPTIONS, TABLE_BITS)
    return (
        lambda: read_turn(read_line, state),
        lambda: [str(choose(setup, state, tree, clock))],
        clock,
    )


agent = make_agent(new_player)
