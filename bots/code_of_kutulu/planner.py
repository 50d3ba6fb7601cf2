"""Shared by the bots: a game read turn by turn, an action chosen and written."""

from bots.code_of_kutulu.game import (
    BOT_STATE_SIZE,
    FIRST_TURN,
    SETUP_SIZE,
    find_threats,
    prepare_maze,
)
from bots.code_of_kutulu.tracker import Tracker
from shared.games.code_of_kutulu.state import ACTIONS, TURN


class Planner:
    """A player's game: `setup` and `state` of the turn to be answered, as searches read them."""

    def __init__(self, read_line):
        self.tracker = Tracker(read_line, SETUP_SIZE, BOT_STATE_SIZE)
        self.state = self.tracker.state
        self.setup = None

    def read_turn(self):
        if not self.tracker.read_turn():
            return False
        if self.setup is None:
            self.setup = self.tracker.maze
            prepare_maze(self.setup)
        self.setup[FIRST_TURN] = self.state[TURN]
        find_threats(self.setup, self.state)
        return True

    def lines(self, action):
        return [ACTIONS[action]]


def make_player(read_line, choose, clock=None):
    """Returns the functions for `run` to play one game; choose(setup, state) returns player 0's
    action.
    """
    planner = Planner(read_line)

    def answer():
        return planner.lines(choose(planner.setup, planner.state))

    return planner.read_turn, answer, clock
