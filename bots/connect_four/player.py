"""The player of both searches: a new tree each turn, whose input has the whole game."""

from shared.core.clock import Clock
from shared.core.loop import expect
from shared.games.connect_four.game import new_setup, new_state
from shared.games.connect_four.protocol import LIMITS, format_action, read_turn
from shared.search.mcts import best_action, expected, is_finished, new_tree, reset

MARGIN_MS = 12
CAPACITY = 1_000_000  # nodes


class Player:
    """A position and a tree."""

    def __init__(self, search, game, options):
        self.search, self.setup, self.state = search, new_setup(), new_state()
        self.tree = new_tree(game, options, CAPACITY)

    def read(self, read_line):
        """Read a turn; returns False after the end of the game."""
        columns = read_turn(read_line)
        if columns is None:
            return False
        self.state = new_state(columns)
        return True

    def searched_setup(self):
        """Returns the setup for a search of the position."""
        return self.setup

    def choose(self, clock):
        """Returns the most visited action when time is up or the value proven."""
        reset(self.tree)
        setup = self.searched_setup()
        while (nodes := clock.grant()) and not is_finished(self.tree):
            self.search(setup, self.state, self.tree, nodes)
        *numbers, line = expected(self.tree)
        expect(*numbers, map(format_action, line))
        return best_action(self.tree)


def functions_of(player, read_line):
    """Returns the functions for `run` to play one game."""
    clock = Clock(LIMITS, MARGIN_MS)
    return (
        lambda: player.read(read_line),
        lambda: [format_action(player.choose(clock))],
        clock,
    )
