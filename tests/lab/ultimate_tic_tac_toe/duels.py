"""The network against itself with other numbers, or against another one, at equal iterations or,
with `--ms`, equal CPU time; with `--rollouts` the bot of that name:

    python -m tests.lab.ultimate_tic_tac_toe.duels exploration=0.7 first_play=0.3
    python -m tests.lab.ultimate_tic_tac_toe.duels --rollouts rave_visits=300 exploration=0.3
    python -m tests.lab.ultimate_tic_tac_toe.duels --book 4
    python -m tests.lab.ultimate_tic_tac_toe.duels --first FOLDER/network.npz --ms 88

Both play from random openings, each with either side, every action with a new tree, until a
sequential test accepts "`--elo0` stronger" or "`--elo1` stronger" for the first (95%). An arena of
two networks is no such test: from the start they play the same few games again and again. `--book`:
for this many of its actions the first has ten times the iterations, as if it had an opening book of
such searches. numba compiles for this machine's processor; bundles are compiled for
NUMBA_CPU_NAME=x86-64-v2.
"""

import json
import time
from collections import Counter
from pathlib import Path
from random import Random
from typing import Annotated, NamedTuple, Optional

import numpy as np
import typer

from bots.ultimate_tic_tac_toe import rollouts as sampling
from bots.ultimate_tic_tac_toe.features import (
    SHAPE,
    output_of,
    symmetries,
    value_row,
    write_features,
)
from bots.ultimate_tic_tac_toe.game import GAME, sample_decisively
from bots.ultimate_tic_tac_toe.network import CAPACITY, OPTIONS, learned_weights, without_next
from referee.arena.statistics.sprt import Sprt
from shared.core.jit import int_buffer, kernel
from shared.core.packed import HEADER
from shared.games.ultimate_tic_tac_toe.sim import (
    N_ACTIONS,
    apply,
    is_over,
    legal,
    result,
)
from shared.games.ultimate_tic_tac_toe.state import TURN, new_setup, new_state
from shared.search.mcts import best_action, is_finished, make_search, new_tree, reset
from shared.search.network import make_game, make_refresh, new_network, unfolded
from shared.search.rave import RAVE

SETUP = new_setup()
NODES = 30  # room in the tree for each iteration
BOOK = 10  # times the iterations
SLICE = 200  # iterations between two checks of the time


class Effort(NamedTuple):
    """The search effort for an action.

    ms: CPU time; if 0, the search ends after `iterations`. book: the number of first
    actions with BOOK times the iterations or the time, in place of an opening book.
    """

    iterations: int
    ms: float = 0.0
    book: int = 0


class Rival:
    """A search of a game with some options, each action with a new tree.

    capacity: of the bot's tree, for searches by time.
    """

    def __init__(self, game, options, effort, capacity):
        self.search = kernel(make_search(game, options, RAVE if options.rave_visits else None))
        self.effort = effort
        if not effort.ms:
            capacity = NODES * effort.iterations * (BOOK if effort.book else 1)
        self.tree = new_tree(game, options, capacity)

    def setup(self, state):
        """Returns the game's setup for the search in a position."""
        return SETUP

    def choose(self, state, n_before):
        """Returns the action for a position. n_before: the number of its own earlier actions."""
        began = time.process_time()
        reset(self.tree)
        setup = self.setup(state)
        iterations, ms, book = self.effort
        times = BOOK if n_before < book else 1
        if not ms:
            self.search(setup, state, self.tree, times * iterations)
        while ms and not is_finished(self.tree):
            self.search(setup, state, self.tree, SLICE)
            if 1000.0 * (time.process_time() - began) >= times * ms:
                break
        return best_action(self.tree)


class NetworkRival(Rival):
    """A network's search: with the bot's weights, or those of a file, with as many hidden units as
    they have.
    """

    def __init__(self, options, effort, file=None):
        numbers = learned_weights() if file is None else read(file)
        shape = SHAPE._replace(hidden=len(numbers["biases"]))
        self.network = new_network(SETUP, numbers, shape)
        self.refresh = kernel(make_refresh(write_features, shape))
        game = make_game(GAME, write_features, output_of, shape, value_row)
        super().__init__(game, options, effort, CAPACITY)

    def setup(self, state):
        self.refresh(self.network, without_next(state))
        return self.network


class RolloutRival(Rival):
    """The search of `rollouts`."""

    def __init__(self, options, effort):
        game = GAME._replace(sample=sample_decisively)
        super().__init__(game, options, effort, sampling.CAPACITY)


def read(file):
    """{name: flat array}, the weights of all units, from a file of these or of units to unfold."""
    with np.load(file) as arrays:
        found = {name: arrays[name].ravel() for name in arrays.files if name != HEADER}
        hidden = json.loads(str(arrays[HEADER]))["shape"][2]
    return found if len(found["biases"]) == hidden else unfolded(found, symmetries())


def play(players, rng, opening):
    """The result of a game for the first player, after this many random actions."""
    state, actions = new_state(), int_buffer(N_ACTIONS)
    while not is_over(SETUP, state):
        turn = int(state[TURN])
        if turn < opening:
            action = actions[rng.randrange(legal(SETUP, state, actions))]
        else:
            action = players[turn & 1].choose(state, (turn - opening) // 2)
        apply(SETUP, state, action, state)
    last = int(result(SETUP, state))
    return -last if state[TURN] & 1 else last


class Score(NamedTuple):
    """won, drawn, lost: games of the first bot; pairs: the counts of 0 to 4 half points in a
    pair.
    """

    won: int
    drawn: int
    lost: int
    pairs: Counter


def series(first, second, opening, test, most, begin):
    """Play pairs of games, at most so many, until the test decides; yields a Score after each."""
    counts, pairs = Counter(), Counter()
    for seed in range(begin, begin + most):
        results = [
            play([first, second], Random(seed), opening),
            -play([second, first], Random(seed), opening),
        ]
        counts.update(results)
        pairs[sum(results) + 2] += 1
        yield Score(counts[1], counts[0], counts[-1], pairs)
        if test.verdict(pairs):
            return


def options_of(options, changes):
    """Options with "name=value" changed. Raises typer.BadParameter."""
    for change in changes:
        name, _, value = change.partition("=")
        try:
            options = options._replace(**{name: type(getattr(options, name))(float(value))})
        except (AttributeError, TypeError, ValueError) as error:
            names = ", ".join(options._fields)
            raise typer.BadParameter(f"{change}: write NAME=NUMBER, of {names}") from error
    return options


def main(
    changes: Annotated[
        Optional[list[str]], typer.Argument(help="NAME=VALUE of the first's options.")
    ] = None,
    iterations: Annotated[int, typer.Option(help="Of each action.", min=1)] = 10_000,
    ms: Annotated[float, typer.Option(help="CPU time of each action, for iterations.")] = 0.0,
    first: Annotated[Optional[Path], typer.Option(help="The first's weights.")] = None,
    second: Annotated[Optional[Path], typer.Option(help="The second's.")] = None,
    rollouts: Annotated[bool, typer.Option("--rollouts", help="Rollouts, no network.")] = False,
    book: Annotated[int, typer.Option(help="Actions of the first with ten times as many.")] = 0,
    opening: Annotated[int, typer.Option(help="Actions at random before.", min=1)] = 4,
    most: Annotated[int, typer.Option(help="Pairs of games, at most.", min=1)] = 100,
    seed: Annotated[int, typer.Option(help="Of the first opening; the next follow.")] = 0,
    elo0: float = 0.0,
    elo1: float = 30.0,
) -> None:
    """Play a bot with other options or weights against its present version: the network, or with
    --rollouts the bot of that name.
    """
    if rollouts and (first or second):
        raise typer.BadParameter("--rollouts has no weights: leave out --first and --second")
    efforts = Effort(iterations, ms, book), Effort(iterations, ms)
    if rollouts:
        options = options_of(sampling.OPTIONS, changes or []), sampling.OPTIONS
        rival, other = map(RolloutRival, options, efforts)
    else:
        options = options_of(OPTIONS, changes or []), OPTIONS
        rival, other = map(NetworkRival, options, efforts, (first, second))
    test = Sprt(elo0, elo1)
    for score in series(rival, other, opening, test, most, seed):
        n = score.won + score.drawn + score.lost
        points = (score.won + score.drawn / 2) / n
        llr, pairs = test.llr(score.pairs), [score.pairs[half] for half in range(5)]
        line = f"+{score.won} ={score.drawn} -{score.lost}, {points:.1%} of {n}, llr {llr:+.2f}"
        line += f", pairs of 0 to 4 half points {pairs}"
        print(f"\r{line}", end="", flush=True)
    print(f": {test.verdict(score.pairs) or 'open'}")


if __name__ == "__main__":
    typer.run(main)
