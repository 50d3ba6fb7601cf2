"""Determinization: hidden information is drawn at random, anew for each simulated line.

All lines share one tree: Cowling, Powley and Whitehouse, "Information set Monte Carlo tree search"
(IEEE Transactions on Computational Intelligence and AI in Games 4(2), 2012). So no line looks good
only because its player knows the draw, as happens if each draw is searched by itself and the
searches vote (strategy fusion: Frank and Basin, "Search in games with incomplete information",
Artificial Intelligence 100, 1998). Information revealed during a game does not split the tree
either: all draws share the part below it.
"""

from typing import Any

from ..core.game import SimultaneousGame
from ..core.jit import Function, Ints, inline


def determinize(game: SimultaneousGame, draw: Function) -> SimultaneousGame:
    """Returns the game as a player with hidden information sees it, for Smitsimax, simultaneous UCT
    or a matrix of payoffs.

    draw(setup, state) writes the hidden part, each case with its probability given the searching
    player's information; the random state for it is in `setup`. It is called before the first turn
    of a line, so the legal actions of that turn must not depend on it. Later turns share nodes:
    an action that another draw made legal may be chosen, and `apply` has to accept it, as no action
    for instance. A state is a number longer:
    0 at the end of the state to search from, 1 after the draw. The root's
    buffer must contain that number.
    """
    play, drawn = game.apply, game.state_size

    @inline
    def apply(setup: Any, state: Any, joint_action: Ints) -> None:
        if state[drawn] == 0:
            draw(setup, state)
            state[drawn] = 1
        play(setup, state, joint_action)

    return game._replace(state_size=drawn + 1, apply=apply)
