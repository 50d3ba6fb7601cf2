"""Train the network by self-play: `python -m tests.lab.ultimate_tic_tac_toe.training FOLDER`.

The first generation is played by UCT with greedy rollouts or by an earlier network (`--first`),
each later one by the network of the previous generation. Copy FOLDER/network.npz to
bots/ultimate_tic_tac_toe/ when `duels.py` says that it is stronger.
"""

from pathlib import Path
from typing import Annotated, Optional

import numpy as np
import typer

from bots.ultimate_tic_tac_toe import network, rollouts
from bots.ultimate_tic_tac_toe.features import (
    SHAPE,
    output_of,
    symmetries,
    value_row,
    write_features,
)
from bots.ultimate_tic_tac_toe.game import GAME, sample_greedily
from shared.games.ultimate_tic_tac_toe.state import MAX_TURNS, new_state
from shared.learn.network_run import Run, RunSettings, Task
from shared.learn.network_training import Grains
from shared.learn.searched_games import Games, Schedule
from shared.search.network import make_game, make_refresh, new_network, unfolded
from tests.lab.ultimate_tic_tac_toe.duels import read
from tests.lab.ultimate_tic_tac_toe.examples import TABLES, examples_of


def games_with(weights):
    """The Games of a search with the network of these weights of all units; of UCT without them."""
    if weights is None:
        game = GAME._replace(sample=sample_greedily)
        return Games(game, rollouts.OPTIONS, TABLES, new_state(), MAX_TURNS)
    shape = SHAPE._replace(hidden=len(weights["biases"]))
    setup, refresh = new_network(TABLES, weights, shape), make_refresh(write_features, shape)
    game = make_game(GAME, write_features, output_of, shape, value_row)
    return Games(game, network.OPTIONS, setup, new_state(), MAX_TURNS, refresh)


def main(
    folder: Annotated[Path, typer.Argument(help="Where the run is, or is to begin.")],
    minutes: Annotated[float, typer.Option(help="After these it stops.")] = 60.0,
    seed: Annotated[int, typer.Option(help="Another seed is another run.")] = 1,
    games: Annotated[int, typer.Option(help="Of a generation.", min=1)] = 10_000,
    iterations: Annotated[int, typer.Option(help="Of the search, an action.", min=1)] = 500,
    random_plies: Annotated[
        int, typer.Option(help="Games begin with at most this many random actions.")
    ] = 10,
    hidden: Annotated[int, typer.Option(help="Units of the network.", min=1)] = SHAPE.hidden,
    first: Annotated[
        Optional[Path], typer.Option(help="Weights that play the first generation.")
    ] = None,
    refine: Annotated[
        bool, typer.Option("--refine", help="The first fit begins with the weights of --first.")
    ] = False,
    rate: Annotated[float, typer.Option(help="The initial learning rate.")] = 2e-3,
    generations: Annotated[int, typer.Option(help="At most.", min=1)] = 1000,
    epochs: Annotated[int, typer.Option(help="Of a fit.", min=1)] = 4,
    row_grain: Annotated[
        int, typer.Option(help="The first layer's weights are multiples of it.", min=1)
    ] = 1,
    policy_grain: Annotated[int, typer.Option(help="And the policy's of this.", min=1)] = 1,
) -> None:
    """Train a network of Ultimate Tic-Tac-Toe; the same command goes on where it stopped.

    It needs JAX and optax: pip install -e .[networks].
    """
    schedule = Schedule(iterations, random_plies, varied_plies=24)
    grains = Grains(row_grain, policy_grain)
    plan = RunSettings(
        schedule, games, epochs=epochs, rate=rate, n_generations=generations, grains=grains
    )
    teacher = read(first) if first else None
    shape, turned = SHAPE._replace(hidden=hidden), symmetries()

    def games_of(weights):
        return games_with(teacher if weights is None else unfolded(weights, turned))

    try:
        initial = dict(np.load(first)) if first and refine else None
        task = Task(shape, games_of, examples_of, initial, turned)
        Run(task, plan, folder, seed, minutes).go()
    except ValueError as error:
        raise typer.BadParameter(str(error)) from error


if __name__ == "__main__":
    typer.run(main)
