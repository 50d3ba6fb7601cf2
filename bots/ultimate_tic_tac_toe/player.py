"""What the bots that search a tree share: the position and the tree go along with the game."""

from shared.core.jit import kernel
from shared.games.ultimate_tic_tac_toe.protocol import read_turn
from shared.games.ultimate_tic_tac_toe.sim import apply_action
from shared.games.ultimate_tic_tac_toe.state import new_setup, new_state
from shared.search.mcts import (
    best_action,
    copy_tree,
    is_proven,
    new_spare,
    new_tree,
    reroot,
)

KEPT = 300_000  # nodes from turn to turn: more take too long to copy

copy = kernel(copy_tree)


class Player:
    """A position and a tree, whose memory is there before the first turn."""

    def __init__(self, search, game, options, capacity):
        self.search = search
        self.setup = new_setup()
        self.state = new_state()
        self.tree = new_tree(game, options, capacity)
        self.spare = new_spare(self.tree)
        self.played = []  # since the tree's root

    def read(self, read_line):
        """Read a turn; whether there is one."""
        action = read_turn(read_line, self.setup, self.state)
        if action is not None and action >= 0:
            self.played.append(action)
        return action is not None

    def searched_setup(self):
        """What the search takes as the game's setup, in the position at hand."""
        return self.setup

    def choose(self, clock):
        """The action most visited when the time is up, or when the game's end is proven."""
        if self.played:
            self.tree, self.spare = reroot(self.tree, self.spare, self.played, copy, KEPT)
        setup = self.searched_setup()
        while not is_proven(self.tree) and (nodes := clock.grant()):
            self.search(setup, self.state, self.tree, nodes)
        action = best_action(self.tree)
        apply_action(self.setup, self.state, action, self.state)
        self.played = [action]
        return action
