"""The player of the tree searches: the tree is kept between turns."""

from bots.ultimate_tic_tac_toe.tracker import Tracker
from shared.core.jit import kernel
from shared.core.loop import expect
from shared.games.ultimate_tic_tac_toe.protocol import format_action
from shared.search.mcts import (
    best_action,
    copy_tree,
    expected,
    is_finished,
    new_spare,
    new_tree,
    reroot,
)

KEPT = 300_000  # nodes kept between turns: more take too long to copy

copy = kernel(copy_tree)


class Player(Tracker):
    """A position and a tree, allocated before the first turn."""

    def __init__(self, search, game, options, capacity):
        super().__init__()
        self.search = search
        self.tree = new_tree(game, options, capacity)
        self.spare = new_spare(self.tree)
        self.answered = []  # the own actions up to the tree's root

    def searched_setup(self):
        """Returns the setup for a search of the position."""
        return self.setup

    def follow(self):
        """Keep the subtree of the position after both players' actions."""
        if self.turns[1:]:
            is_as_answered = self.answers == self.answered
            played = [self.answers[-1], self.turns[-1][0]] if is_as_answered else [-1]
            self.tree, self.spare = reroot(self.tree, self.spare, played, copy, KEPT)

    def choose(self, clock):
        """Returns the most visited action when time is up or the value proven."""
        self.follow()
        setup = self.searched_setup()
        while (nodes := clock.grant()) and not is_finished(self.tree):
            self.search(setup, self.state, self.tree, nodes)
        action = best_action(self.tree)
        *numbers, line = expected(self.tree)
        expect(*numbers, map(format_action, line))
        self.answer(action)
        self.answered = list(self.answers)
        return action
