"""What the bots share: a game read turn by turn, an action chosen and written."""

import sys

from bots.code_of_kutulu.game import FIRST_TURN, SETUP_SIZE, find_dead_ends
from bots.code_of_kutulu.tracker import Tracker
from shared.core.loop import play
from shared.games.code_of_kutulu.protocol import format_action
from shared.games.code_of_kutulu.state import CELLS, TURN


def play_game(choose, clock=None):
    """Play a game; choose(setup, state) gives the action of player 0."""
    tracker = Tracker(sys.stdin.readline, SETUP_SIZE)

    def read_turn():
        if not tracker.read_turn():
            return False
        if tracker.turn == 1:
            find_dead_ends(tracker.maze)
        tracker.maze[FIRST_TURN] = tracker.state[TURN]
        return True

    def answer():
        action = choose(tracker.maze, tracker.state)
        return [format_action(tracker.maze, tracker.state[CELLS], action)]

    play(read_turn, answer, clock)
