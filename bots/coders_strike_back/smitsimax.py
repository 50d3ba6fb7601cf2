"""Coders Strike Back by Smitsimax: a tree for each of the four pods, the rivals' as well."""

from bots.coders_strike_back.game import (
    Weights,
    action_command,
    action_rotation,
    assign_roles,
    make_game,
)
from bots.coders_strike_back.tracker import Tracker, told
from shared.core.clock import Clock
from shared.core.jit import kernel
from shared.core.loop import expect, run
from shared.core.tunable import tunable
from shared.games.coders_strike_back.protocol import LIMITS
from shared.search.smitsimax import (
    Options,
    expected,
    make_search,
    new_trees,
    reset,
    set_prior_line,
)

# Tuning: see NOTES.md.
MARGIN_MS = 18
CAPACITY = 1000000  # nodes
ROLE_HYSTERESIS = tunable("role_hysteresis", 1000.0, 0.0, 4000.0)
OPTIONS = Options(
    holds=(1,) * 6,
    exploration=tunable("exploration", 0.4, 0.1, 1.5),
    random_visits=tunable("random_visits", 10, 1, 40),
    noise=tunable("noise", 0.25, 0.0, 0.6),
)
WEIGHTS = Weights(
    gate=tunable("gate", 930.0, 0.0, 3000.0),
    heading=tunable("heading", 310.0, 0.0, 1000.0),
    hinder=tunable("hinder", 0.76, 0.0, 1.5),
    block=tunable("block", 1.6, 0.0, 2.0),
    help=tunable("help", 0.6, 0.0, 2.0),
    distance=tunable("distance", 0.64, 0.0, 1.5),
    facing=tunable("facing", 480.0, 0.0, 1000.0),
    screen=tunable("screen", 1500.0, 0.0, 2000.0),
)

GAME = make_game(WEIGHTS)
search = kernel(make_search(GAME, OPTIONS))


def choose(tracker, trees, clock):
    """Returns (rotation, command) of own pods; rests of lines become priors."""
    tracker.update()
    reset(trees)
    assign_roles(tracker.setup, tracker.state, ROLE_HYSTERESIS)
    while nodes := clock.grant():
        search(tracker.setup, tracker.state, trees, nodes)
    *numbers, lines = expected(trees)
    for pod, line in enumerate(lines):
        set_prior_line(trees, pod, line[1:])
    turns = [[(action_rotation(one), action_command(one)) for one in turn] for turn in zip(*lines)]
    expect(*numbers, told(tracker.state, turns))
    return turns[0][:2]


def new_player(read_line):
    """Returns the functions for `run` to play one game."""
    clock = Clock(LIMITS, MARGIN_MS)
    trees = new_trees(GAME, OPTIONS, CAPACITY)
    tracker = Tracker(read_line)
    return tracker.read_turn, lambda: tracker.lines(choose(tracker, trees, clock)), clock


if __name__ == "__main__":
    run(new_player)
