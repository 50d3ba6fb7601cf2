"""Shared by searching bots: a game of turns, each searched over the actions of `game.py`."""

from bots.xmas_rush.game import (
    break_deadlock,
    chosen_walk,
    found_at,
    new_setup,
    prepare_turn,
)
from bots.xmas_rush.paths import best_walks
from bots.xmas_rush.tracker import Tracker
from shared.core.jit import COMPILED
from shared.core.loop import expect
from shared.games.xmas_rush.protocol import format_push, format_walk
from shared.games.xmas_rush.state import TURN, new_state


class Planner:
    """A player's turns: `prepare` before each search, `answer` after it."""

    def __init__(self):
        self.setup = new_setup()
        self.trial = new_state()
        self.last_push = 0

    def prepare(self, state):
        if state[TURN] & 1:
            break_deadlock(self.setup, state, self.last_push)
        prepare_turn(self.setup, state, self.trial, COMPILED)

    def answer(self, state, action, player=0):
        """Returns the line for a player's action of the search in `state`."""
        if state[TURN] & 1:
            if player == 0:
                self.last_push = action
            return format_push(action)
        walk = chosen_walk(self.setup, found_at(0, 0, player), action)
        return format_walk(best_walks(state, player)[walk])


def make_player(read_line, choose, clock):
    """Returns the functions for `run` to play one game; choose(setup, state) returns the value
    and both players' actions.
    """
    planner = Planner()
    tracker = Tracker(read_line)

    def answer():
        state = tracker.state
        planner.prepare(state)
        value, actions = choose(planner.setup, state)
        lines = [planner.answer(state, action, player) for player, action in enumerate(actions)]
        expect(value, 1, clock.granted, [";".join(lines)])
        return lines[:1]

    return tracker.read_turn, answer, clock
