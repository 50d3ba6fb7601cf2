"""Train the network by self-play: `python -m tests.lab.ultimate_tic_tac_toe.training FOLDER`.

The first generation is played by UCT with greedy rollouts or by an earlier network (`--first`),
each later one by the network of the previous generation. FOLDER/network.npz is the file of weights
that bots/ultimate_tic_tac_toe/ has.
"""

import json
from pathlib import Path
from typing import Annotated, Optional

import numpy as np
import typer

from bots.ultimate_tic_tac_toe import network, rollouts
from bots.ultimate_tic_tac_toe.features import (
    N_BITS,
    SHAPE,
    images_of_cells,
    output_of,
    symmetries,
    value_row,
    write_features,
)
from bots.ultimate_tic_tac_toe.game import GAME, sample_greedily
from shared.core.jit import Ints, inline, kernel
from shared.core.packed import HEADER
from shared.games.ultimate_tic_tac_toe.sim import N_ACTIONS
from shared.games.ultimate_tic_tac_toe.sim import legal as list_legal
from shared.games.ultimate_tic_tac_toe.state import (
    ANY,
    CLOSED,
    MAX_TURNS,
    N_CELLS,
    NEXT,
    STATE_SIZE,
    TURN,
    WON,
    new_setup,
    new_state,
)
from shared.learn.network_run import Run, RunSettings, Task
from shared.learn.network_training import Examples, Grains
from shared.learn.searched_games import Games, Positions, Schedule
from shared.search.network import make_game, make_refresh, new_network, unfolded

TABLES = new_setup()
VALUE_SHARE = 0.5  # weight of the search's value, if it is no proof; the rest is the game's result


@inline
def moved(mask, places, first):
    """The mask with each cell moved by `places[first:]`."""
    found = 0
    for cell in range(N_CELLS):
        found |= (mask >> cell & 1) << places[first + cell]
    return found


@kernel
def look(
    tables: Ints, states: Ints, places: Ints, images: Ints, words: Ints, legal: Ints, rows: Ints
) -> None:
    """Write the words, the legal outputs and the row of the value's weights of each position, moved
    by its symmetry.

    states [N S], places [8 9], images [N], words [N 9], legal [N 81] of 0 or 1, rows [N]; room for
    one more position behind `states`, and for its actions behind `legal`.
    """
    n = len(images)
    state = states[STATE_SIZE * n :]
    actions = legal[81 * n :]
    seen = words[N_CELLS * n :]
    for k in range(n):
        old = STATE_SIZE * k
        first = N_CELLS * images[k]
        for board in range(N_CELLS):
            cells = states[old + board]
            mask = moved(cells, places, first) | moved(cells >> N_CELLS, places, first) << N_CELLS
            state[places[first + board]] = mask
        won = states[old + WON]
        state[WON] = 0
        for shift in (0, N_CELLS, CLOSED):
            state[WON] |= moved(won >> shift, places, first) << shift
        following = states[old + NEXT]
        state[NEXT] = places[first + following] if following < ANY else following
        state[TURN] = states[old + TURN]
        rows[k] = value_row(tables, state)
        write_features(tables, state, state[TURN] & 1, seen)
        for board in range(N_CELLS):
            words[N_CELLS * k + board] = seen[board]
        for i in range(81):
            legal[81 * k + i] = 0
        n_actions = list_legal(tables, state, actions)
        for i in range(n_actions):
            legal[81 * k + output_of(actions[i])] = 1


def examples_of(positions: Positions, rng: np.random.Generator) -> Examples:
    """An example of each position, turned or mirrored at random: the rules are symmetric."""
    n = len(positions.values)
    places, images = images_of_cells(), rng.integers(0, 8, n)
    rows = np.zeros(n, np.int64)
    states = np.zeros((n + 1, STATE_SIZE), np.int64)
    states[:n] = positions.states
    words, legal = np.zeros((n + 1) * N_CELLS, np.int64), np.zeros(n * 81 + N_ACTIONS, np.int64)
    look(TABLES, states.ravel(), places.ravel(), images, words, legal, rows)
    as_bytes = words.astype("<i8").view(np.uint8).reshape(-1, N_CELLS, 8)[:n]
    bits = np.unpackbits(as_bytes, axis=2, bitorder="little")[:, :, :N_BITS].reshape(n, -1)
    shares = positions.shares.reshape(n, N_CELLS, 16)[:, :, :N_CELLS]
    moved_shares = np.empty((n, N_CELLS, N_CELLS), np.uint8)
    for k in range(8):
        own = np.flatnonzero(images == k)
        back = np.argsort(places[k])
        moved_shares[own] = shares[own][:, back][:, :, back]
    proven = np.isin(positions.values, (-1.0, 0.0, 1.0))
    shares_of_values = np.where(proven, 1.0, VALUE_SHARE)
    values = positions.results + shares_of_values * (positions.values - positions.results)
    return Examples(
        features=np.packbits(bits, axis=1),
        values=values.astype(np.float32),
        shares=moved_shares.reshape(n, SHAPE.actions),
        legal=np.packbits(legal[: 81 * n].astype(np.uint8).reshape(n, -1), axis=1),
        chosen=rows.astype(np.uint8),
    )


def read(file):
    """{name: flat array}, the weights of all units, from a file of these or of units to unfold."""
    with np.load(file) as arrays:
        found = {name: arrays[name].ravel() for name in arrays.files if name != HEADER}
        hidden = json.loads(str(arrays[HEADER]))["shape"][2]
    return found if len(found["biases"]) == hidden else unfolded(found, symmetries())


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
