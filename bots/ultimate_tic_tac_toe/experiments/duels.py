"""The network against itself with other numbers, at equal iterations:

    python -m bots.ultimate_tic_tac_toe.experiments.duels exploration=0.7 first_play=0.3
    python -m bots.ultimate_tic_tac_toe.experiments.duels --book 4

Both play from openings at random, each with either side, every action by a bare tree, until a
sequential test knows whether the first is rather `--elo0` or rather `--elo1` stronger (95%). `--book`: for so
many of its actions the first has ten times the iterations, as if it knew by heart what so long a search
finds.
"""

import itertools
from collections import Counter
from random import Random
from typing import Annotated, NamedTuple, Optional

import typer

from bots.ultimate_tic_tac_toe.network import NETWORK_GAME, OPTIONS, SHAPE, plant
from referee.arena.sprt import Sprt
from shared.core.jit import int_buffer, kernel
from shared.core.weights import weights
from shared.games.ultimate_tic_tac_toe.sim import (
    N_ACTIONS,
    apply_action,
    is_over,
    legal_actions,
    result,
)
from shared.games.ultimate_tic_tac_toe.state import TURN, new_setup, new_state
from shared.search.mcts import best_action, make_search, new_tree, reset
from shared.search.network import new_network

SETUP = new_setup()
NODES = 30  # room in the tree for each iteration
BOOK = 10  # times the iterations


class Rival:
    """A search with some options, and how many actions it takes from a book."""

    def __init__(self, options, iterations, book=0):
        self.network = new_network(SETUP, weights("bots/ultimate_tic_tac_toe/network.npz"), SHAPE)
        self.search = kernel(make_search(NETWORK_GAME, options))
        self.iterations, self.book = iterations, book
        self.tree = new_tree(NETWORK_GAME, options, NODES * iterations * (BOOK if book else 1))

    def choose(self, state, n_before):
        """The action for a position, after some of its own before."""
        reset(self.tree)
        plant(self.network, state)
        times = BOOK if n_before < self.book else 1
        self.search(self.network, state, self.tree, times * self.iterations)
        return best_action(self.tree)


def play(players, rng, opening):
    """The result of a game for the first player, after so many actions at random."""
    state, actions = new_state(), int_buffer(N_ACTIONS)
    while not is_over(SETUP, state):
        turn = int(state[TURN])
        if turn < opening:
            action = actions[rng.randrange(legal_actions(SETUP, state, actions))]
        else:
            action = players[turn & 1].choose(state, (turn - opening) // 2)
        apply_action(SETUP, state, action, state)
    last = int(result(SETUP, state))
    return -last if state[TURN] & 1 else last


class Score(NamedTuple):
    """won, drawn, lost: games of the first bot; pairs: how often it had 0 to 4 half points in two."""

    won: int
    drawn: int
    lost: int
    pairs: Counter


def series(first, second, opening, test, most):
    """Play pairs of games, at most so many, until the test knows; a Score after each."""
    counts, pairs = Counter(), Counter()
    for seed in itertools.islice(itertools.count(), most):
        results = [
            play([first, second], Random(seed), opening),
            -play([second, first], Random(seed), opening),
        ]
        counts.update(results)
        pairs[sum(results) + 2] += 1
        yield Score(counts[1], counts[0], counts[-1], pairs)
        if test.verdict(pairs):
            return


def options_of(changes):
    """OPTIONS with "name=value" changed. Raises typer.BadParameter."""
    options = OPTIONS
    for change in changes:
        name, _, value = change.partition("=")
        try:
            options = options._replace(**{name: type(getattr(OPTIONS, name))(float(value))})
        except (AttributeError, TypeError, ValueError) as error:
            names = ", ".join(OPTIONS._fields)
            raise typer.BadParameter(f"{change}: write NAME=NUMBER, of {names}") from error
    return options


def main(
    changes: Annotated[
        Optional[list[str]], typer.Argument(help="NAME=VALUE of the first's options.")
    ] = None,
    iterations: Annotated[int, typer.Option(help="Of each action.", min=1)] = 10_000,
    book: Annotated[int, typer.Option(help="Actions of the first with ten times as many.")] = 0,
    opening: Annotated[int, typer.Option(help="Actions at random before.", min=1)] = 4,
    most: Annotated[int, typer.Option(help="Pairs of games, at most.", min=1)] = 100,
    elo0: float = 0.0,
    elo1: float = 30.0,
) -> None:
    """Play the network with other options against the one that stands in the bot."""
    first = Rival(options_of(changes or []), iterations, book)
    second, test = Rival(OPTIONS, iterations), Sprt(elo0, elo1)
    for score in series(first, second, opening, test, most):
        n = score.won + score.drawn + score.lost
        points = (score.won + score.drawn / 2) / n
        llr = test.llr(score.pairs)
        line = f"+{score.won} ={score.drawn} -{score.lost}, {points:.1%} of {n}, llr {llr:+.2f}"
        print(f"\r{line}", end="", flush=True)
    print(f": {test.verdict(score.pairs) or 'open'}")


if __name__ == "__main__":
    typer.run(main)
