"""Determinization: hidden information is drawn at random, anew for each line that a search plays.

All lines share one tree: Cowling, Powley and Whitehouse, "Information set Monte Carlo tree search"
(IEEE Transactions on Computational Intelligence and AI in Games 4(2), 2012). So no line looks good
only because its player knows the draw, as happens where each draw is searched by itself and the
searches vote (strategy fusion: Frank and Basin, "Search in games with incomplete information",
Artificial Intelligence 100, 1998). Information revealed during a game is not told apart either: the
tree below it is shared by all the draws.
"""

from typing import Callable

from shared.core.game import SimultaneousGame
from shared.core.jit import inline


def determinize(game: SimultaneousGame, draw: Callable) -> SimultaneousGame:
    """The game as a player sees it who is not shown all of it, for Smitsimax, simultaneous UCT or a
    matrix of payoffs.

    draw(setup, state) writes the hidden part, each case with the probability that the searching
    player has reason to expect; the random state for it is in `setup`. It is called before the
    first turn of a line, so the legal actions of that turn must not depend on it. A state is a
    number longer: 0 at the end of the state to search from, 1 once all is drawn. A search reads
    that number in the root, too, whose buffer must have it.
    """
    play, drawn = game.apply, game.state_size

    @inline
    def apply(setup, state, joint_action):
        if state[drawn] == 0:
            draw(setup, state)
            state[drawn] = 1
        play(setup, state, joint_action)

    return game._replace(state_size=drawn + 1, apply=apply)
