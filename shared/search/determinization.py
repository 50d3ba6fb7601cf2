"""Determinisation: what a player is not shown is drawn at random, anew for each line that a search plays.

All lines share one tree: Cowling, Powley and Whitehouse, "Information set Monte Carlo tree search" (IEEE
Transactions on Computational Intelligence and AI in Games 4(2), 2012). So none looks good that is for who
knows what is drawn, as happens to who searches each draw by itself and then lets them vote (strategy
fusion: Frank and Basin, "Search in games with incomplete information", Artificial Intelligence 100, 1998).
What comes to light during a game is not told apart either: below it the tree is for all that may.
"""

from typing import Callable

from shared.core.game import SimultaneousGame
from shared.core.jit import inline


def determined(game: SimultaneousGame, draw: Callable) -> SimultaneousGame:
    """The game for who is not shown all of it, to be searched by Smitsimax, simultaneous UCT or a matrix of
    payoffs.

    draw(setup, state) writes what is hidden, each case as often as the player who searches has reason to
    expect it; the random state that it needs is in `setup`. It is called before the first turn of a line,
    so the legal actions of that turn must not depend on it. A state is a number longer: 0 at the end of
    the one to search from, 1 where all is drawn. A search takes that number from the root, too: one that is
    too short is read beyond its end.
    """
    play, drawn = game.apply, game.state_size

    @inline
    def apply(setup, state, joint_action):
        if state[drawn] == 0:
            draw(setup, state)
            state[drawn] = 1
        play(setup, state, joint_action)

    return game._replace(state_size=drawn + 1, apply=apply)
