"""Train the network by self-play: `python -m bots.ultimate_tic_tac_toe.experiments.training FOLDER`.

The first generation is played by UCT with greedy rollouts, the later ones by the network of the one
before. Copy FOLDER/network.npz to bots/ultimate_tic_tac_toe/ when an arena says that it is stronger.
"""

from pathlib import Path
from typing import Annotated

import typer

from bots.ultimate_tic_tac_toe import network, rollouts
from bots.ultimate_tic_tac_toe.experiments.examples import TABLES, examples_of
from bots.ultimate_tic_tac_toe.features import SHAPE, write_features
from bots.ultimate_tic_tac_toe.game import GAME, sample_greedily
from shared.games.ultimate_tic_tac_toe.state import MAX_TURNS, new_state
from shared.learn.network_run import Plan, Run, Task
from shared.learn.searched_games import Games, Schedule
from shared.search.network import make_plant, new_network


def games_with(weights):
    """The Games of a network's search, without one of UCT's."""
    if weights is None:
        game = GAME._replace(sample=sample_greedily)
        return Games(game, rollouts.OPTIONS, TABLES, new_state(), MAX_TURNS)
    setup, plant = new_network(TABLES, weights, SHAPE), make_plant(write_features, SHAPE)
    game, options = network.NETWORK_GAME, network.OPTIONS
    return Games(game, options, setup, new_state(), MAX_TURNS, plant)


def main(
    folder: Annotated[Path, typer.Argument(help="Where the run is, or is to begin.")],
    minutes: Annotated[float, typer.Option(help="After these it stops.")] = 60.0,
    seed: Annotated[int, typer.Option(help="Another seed is another run.")] = 1,
    games: Annotated[int, typer.Option(help="Of a generation.", min=1)] = 10_000,
    iterations: Annotated[int, typer.Option(help="Of the search, an action.", min=1)] = 500,
) -> None:
    """Train a network of Ultimate Tic-Tac-Toe; the same command goes on where it stopped.

    It needs JAX and optax: pip install -e .[networks].
    """
    plan = Plan(Schedule(iterations, random_plies=10, varied_plies=24), games)
    try:
        Run(Task(SHAPE, games_with, examples_of), plan, folder, seed, minutes).go()
    except ValueError as error:
        raise typer.BadParameter(str(error)) from error


if __name__ == "__main__":
    typer.run(main)
