"""Train a network of connect four by self-play:
`python -m tests.lab.connect_four.training FOLDER --minutes 5`.

The first generation is played by UCT with rollouts, each later one by the previous network.
"""

from pathlib import Path
from typing import Annotated

import numpy as np
import typer

from shared.core.jit import Ints, kernel
from shared.games.connect_four import game as connect_four
from shared.learn.network_run import Run, RunSettings, Task
from shared.learn.network_training import Examples
from shared.learn.searched_games import Games, Schedule
from shared.search.mcts import Options
from shared.search.network import SCORE, Shape, make_game, make_refresh, new_network
from tests.support.connect_four_features import column, to_move, write_threats

WIDTH, CELLS, N_WORDS = 7, 49, 4
STATE_SIZE = connect_four.GAME.state_size
SHAPE = Shape(words=N_WORDS, word_bits=CELLS, hidden=64, actions=WIDTH)
SETUP = connect_four.new_setup()
ROLLOUTS = Options(exploration=0.7, rollout_plies=42, max_depth=42)
NETWORK = Options(exploration=1.0, rollout_plies=0, max_depth=42, score_scale=SCORE)
GAME = make_game(connect_four.GAME, write_threats, column, SHAPE)


def bits_of(numbers):
    """uint8[N, 49]: the lowest bits of whole numbers."""
    return (numbers[:, None] >> np.arange(CELLS) & 1).astype(np.uint8)


@kernel
def look(setup: Ints, states: Ints, words: Ints) -> None:
    """Write the words of each position; behind `states` there is room for one more."""
    n = len(words) // N_WORDS - 1
    state, seen = states[STATE_SIZE * n :], words[N_WORDS * n :]
    for k in range(n):
        for i in range(STATE_SIZE):
            state[i] = states[STATE_SIZE * k + i]
        write_threats(setup, state, to_move(setup, state), seen)
        for i in range(N_WORDS):
            words[N_WORDS * k + i] = seen[i]


def examples_of(positions, rng):
    """Every position, and its mirror image."""
    n = len(positions.values)
    states = np.zeros((n + 1, STATE_SIZE), np.int64)
    states[:n] = positions.states
    words = np.zeros((n + 1) * N_WORDS, np.int64)
    look(SETUP, states.ravel(), words)
    stones = bits_of(positions.states[:, connect_four.STONES])
    shares = positions.shares[:, :WIDTH].copy()
    legal = 1 - stones.reshape(-1, WIDTH, WIDTH)[:, :, WIDTH - 2]  # the topmost cell of a column
    features = bits_of(words[: N_WORDS * n]).reshape(n, N_WORDS, WIDTH, WIDTH)
    mirrored = rng.random(n) < 0.5
    for part in (features, shares, legal):
        axis = part.ndim - 2 if part is features else 1
        part[mirrored] = np.flip(part[mirrored], axis=axis)
    return Examples(
        features=np.packbits(features.reshape(n, -1), axis=1),
        values=(0.5 * positions.values + 0.5 * positions.results).astype(np.float32),
        shares=shares,
        legal=np.packbits(legal, axis=1),
        chosen=np.zeros(n, np.uint8),
    )


def games_with(weights):
    """The Games of a search with the network, or of UCT with rollouts without one."""
    start = connect_four.new_state()
    if weights is None:
        return Games(connect_four.GAME, ROLLOUTS, SETUP, start, 42)
    network, refresh = new_network(SETUP, weights, SHAPE), make_refresh(write_threats, SHAPE)
    return Games(GAME, NETWORK, network, start, 42, refresh)


def main(
    folder: Annotated[Path, typer.Argument(help="Where the run is, or is to begin.")],
    minutes: Annotated[float, typer.Option(help="Of training.")] = 5.0,
    games: Annotated[int, typer.Option(help="Of a generation.")] = 3000,
) -> None:
    """Train a network of connect four; the same command goes on where it stopped."""
    schedule = Schedule(iterations=200, random_plies=8, varied_plies=12)
    task = Task(SHAPE, games_with, examples_of)
    Run(task, RunSettings(schedule, games, epochs=6), folder, 1, minutes).go()


if __name__ == "__main__":
    typer.run(main)
