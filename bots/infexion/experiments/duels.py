"""`minimax` with other options against the one that stands in the bot, at equal CPU time:

    python -m bots.infexion.experiments.duels late_reductions=0 --ms 80

Both play from openings at random, each with either colour, until a sequential test knows whether the
first is rather `--elo0` or rather `--elo1` stronger (95%). An arena of bundles plays all its games from
one opening, which is all that the contest has.
"""

import time
from random import Random
from typing import Annotated, Optional

import typer

from bots.infexion.game import captures, quiet_actions
from bots.infexion.minimax import GAME, OPTIONS, QUIET_GAIN, TABLE_BITS
from referee.arena.duel import options_of, series, show
from referee.arena.sprt import Sprt
from shared.core.buffers import copy
from shared.core.jit import int_buffer, kernel
from shared.games.infexion.state import new_setup, new_state
from shared.search.alphabeta import make_search, summary
from shared.search.stack import is_finished, new_tree, start

SETUP = new_setup()
SLICE = 4000  # nodes between two looks at the time


class Rival:
    """The bot's search with some options, and milliseconds of CPU time for an action."""

    def __init__(self, options, ms):
        self.search = kernel(make_search(GAME, options, captures, quiet_actions, QUIET_GAIN))
        self.options, self.ms = options, ms
        self.begin()

    def begin(self):
        """Forget everything: another game begins."""
        self.tree = new_tree(GAME, self.options, TABLE_BITS)

    def choose(self, state):
        began = time.process_time()
        start(self.tree)
        while not is_finished(self.tree):
            self.search(SETUP, state, self.tree, SLICE)
            if 1000.0 * (time.process_time() - began) >= self.ms:
                break
        return summary(self.tree).action


def play(players, opening, rng):
    """The result of a game for who moves first, after so many actions at random."""
    state, after, actions = new_state(), new_state(), int_buffer(GAME.max_actions)
    for player in players:
        player.begin()
    turn = 0
    while not GAME.is_over(SETUP, state):
        if turn < opening:
            action = actions[rng.randrange(GAME.legal(SETUP, state, actions))]
        else:
            action = players[turn % 2].choose(state)
        GAME.apply(SETUP, state, action, after)
        copy(after, 0, state, 0, len(state))
        turn += 1
    last = int(GAME.result(SETUP, state))
    return -last if turn % 2 else last


def main(
    changes: Annotated[
        Optional[list[str]], typer.Argument(help="NAME=VALUE of the first's options.")
    ] = None,
    ms: Annotated[float, typer.Option(help="CPU time of each action.")] = 80.0,
    opening: Annotated[int, typer.Option(help="Actions at random before.", min=0)] = 4,
    most: Annotated[int, typer.Option(help="Pairs of games, at most.", min=1)] = 500,
    seed: Annotated[int, typer.Option(help="Of the first opening; the next follow.")] = 0,
    elo0: float = 0.0,
    elo1: float = 30.0,
) -> None:
    """Play the search with other options against the bot's."""
    try:
        rivals = [Rival(options_of(OPTIONS, changes or []), ms), Rival(OPTIONS, ms)]
    except ValueError as error:
        raise typer.BadParameter(str(error)) from error

    def game(number, swapped):
        players = rivals[::-1] if swapped else rivals
        result = play(players, opening, Random(number))
        return -result if swapped else result

    test = Sprt(elo0, elo1)
    show(series(game, test, most, seed), test)


if __name__ == "__main__":
    typer.run(main)
