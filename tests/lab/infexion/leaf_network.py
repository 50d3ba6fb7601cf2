"""Train the network of `leaf.py`: `python -m tests.lab.infexion.leaf_network FOLDER`.

The search of `minimax` with a hand-crafted evaluation plays against itself; FOLDER keeps the games,
and existing ones are not played again. Training uses positions whose best action is no capture, as
captures are searched anyway. The numbers to paste are printed.
"""

from pathlib import Path
from random import Random
from typing import Annotated, NamedTuple

import numpy as np
import typer

from bots.infexion import minimax
from bots.infexion.game import captures, quiet_actions
from bots.infexion.leaf import MOST, UNIT_BITS, cells_by_power
from shared.core.bits import count_bits
from shared.core.jit import int_buffer, kernel
from shared.core.rng import seed_rng
from shared.games.infexion.game import GAME as RULES
from shared.games.infexion.sim import SPREADS, apply, is_over, result, sample, spread_line
from shared.games.infexion.state import STONES, TURN, new_setup, new_state
from shared.search.alphabeta import make_search, new_tree, reset, summary
from tests.lab.infexion.hand_crafted import CELL, KILLERS, POWER, make_evaluate, quiet_gain

NODES, TABLE_BITS = 20_000, 16
OPENING_PLIES = range(4, 11)
RANDOM_SHARE = 0.1  # of later actions
DECIDED = 45  # points of the hand-crafted lead that count as a won game: 97 of 100 such games were
HALF_WON = 24.0  # points that are worth tanh(1) of a win
RESULT_SHARE = 0.5  # of the training target; the rest is the search's value
N_INPUTS, N_HIDDEN = 12, 4
INPUT = 4.0  # cells for an input of 1
EPOCHS, BATCH, RATE = 20, 1024, 5e-3
TEST_SHARE = 0.08  # share of the games held out, the last ones
SCORE = 640  # points for a value of 1
SETUP = new_setup()


class Examples(NamedTuple):
    """counts [P, 12] of cells, own ones of power 1 to 6 and the rival's; found [P] by the search in
    points, results [P] 1, 0 or -1, both for the player to move; games [P], the number of its game.
    """

    counts: np.ndarray
    found: np.ndarray
    results: np.ndarray
    games: np.ndarray


class Teacher:
    """The search of `minimax` with the hand-crafted evaluation."""

    def __init__(self):
        game = RULES._replace(evaluate=make_evaluate(POWER, CELL))
        options = minimax.OPTIONS._replace(killers=KILLERS)
        stages = captures, quiet_actions, quiet_gain(POWER, CELL)
        self.search = kernel(make_search(game, options, *stages))
        self.tree = new_tree(game, options, TABLE_BITS)

    def look(self, state):
        """The search's Summary of a position."""
        reset(self.tree)
        self.search(SETUP, state, self.tree, NODES)
        return summary(self.tree)


def sides_of(state):
    """The cells of the player to move and those of the other."""
    player = int(state[TURN]) & 1
    return int(state[STONES + player]), int(state[STONES + 1 - player])


def counts_of(state):
    """Returns the network's inputs for a position."""
    powers = cells_by_power([int(number) for number in state])
    return [count_bits(cells & mask) for cells in sides_of(state) for mask in powers]


def is_quiet(state, action):
    """Returns True if an action captures nothing."""
    return action < SPREADS or not int(spread_line(SETUP, state, action)) & sides_of(state)[1]


def play(teacher, number, seed):
    """Rows of Examples from a game."""
    random, rng = Random(seed), int_buffer(1)
    seed_rng(rng, seed)
    state, rows, winner = new_state(), [], None  # of a decided game: 1 for RED, -1 for BLUE
    for _ in range(random.choice(OPENING_PLIES)):
        if not is_over(SETUP, state):
            apply(SETUP, state, sample(SETUP, state, rng), state)
    while winner is None and not is_over(SETUP, state):
        found, side = teacher.look(state), -1 if state[TURN] & 1 else 1
        if abs(found.value) >= DECIDED:
            winner = side if found.value > 0 else -side
        else:
            if is_quiet(state, found.action):
                rows.append((counts_of(state), found.value, side, number))
            is_random = random.random() < RANDOM_SHARE
            apply(SETUP, state, sample(SETUP, state, rng) if is_random else found.action, state)
    if winner is None:
        winner = int(result(SETUP, state)) * (-1 if state[TURN] & 1 else 1)
    return [(counts, value, side * winner, game) for counts, value, side, game in rows]


def play_games(n_games, seed):
    """Returns the Examples of this many games."""
    teacher, rows = Teacher(), []
    for number in range(n_games):
        rows += play(teacher, number, seed + number)
        print(f"\r{number + 1:,} games, {len(rows):,} positions", end="", flush=True)
    print()
    return Examples(*map(np.array, zip(*rows)))


def fit(examples, seed):
    """Returns the weights {name: array} of the least squared error, and the losses of training and
    held-out positions.
    """
    import jax  # pip install -e .[networks]
    import jax.numpy as jnp
    import optax

    inputs = examples.counts.astype(np.float32) / INPUT
    guesses = np.tanh(examples.found / HALF_WON)
    targets = RESULT_SHARE * examples.results + (1 - RESULT_SHARE) * guesses
    targets = targets.astype(np.float32)
    last = examples.games[-1]
    n = int(np.searchsorted(examples.games, last - int(TEST_SHARE * last)))
    rng = np.random.default_rng(seed)
    weights = {
        "rows": rng.normal(0, 0.2, (N_INPUTS, N_HIDDEN)).astype(np.float32),
        "biases": np.full(N_HIDDEN, 0.3, np.float32),
        "value": rng.normal(0, 0.1, N_HIDDEN).astype(np.float32),
        "base": np.zeros(1, np.float32),
    }

    def loss(weights, inputs, targets):
        sums = inputs @ weights["rows"] + weights["biases"]
        hidden = jnp.clip(sums, 0, MOST >> UNIT_BITS)
        value = hidden @ weights["value"] + weights["base"]
        return jnp.mean((value / (1 + jnp.abs(value)) - targets) ** 2)

    optimiser = optax.adam(optax.cosine_decay_schedule(RATE, EPOCHS * (n // BATCH), 0.02))

    @jax.jit
    def learn(weights, state, inputs, targets):
        updates, state = optimiser.update(jax.grad(loss)(weights, inputs, targets), state)
        return optax.apply_updates(weights, updates), state

    state = optimiser.init(weights)
    for _ in range(EPOCHS):
        order = rng.permutation(n)
        for i in range(n // BATCH):
            chosen = order[BATCH * i : BATCH * (i + 1)]
            weights, state = learn(weights, state, inputs[chosen], targets[chosen])
    parts = slice(None, n), slice(n, None)
    return weights, [float(loss(weights, inputs[part], targets[part])) for part in parts]


def main(
    folder: Annotated[Path, typer.Argument(help="Where the games are, or are to be kept.")],
    games: Annotated[int, typer.Option(help="To play.", min=20)] = 2537,
    seed: Annotated[int, typer.Option(help="Of the first game, and of the fit.")] = 1000,
) -> None:
    """Train the network that evaluates leaves."""
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / f"games-{games}-{seed}.npz"
    if not file.exists():
        np.savez_compressed(file, **play_games(games, seed)._asdict())
    weights, losses = fit(Examples(**np.load(file)), seed)
    print("losses of positions learned from and not: {:.4f}, {:.4f}".format(*losses))
    units = {
        "rows": (1 << UNIT_BITS) / INPUT,
        "biases": 1 << UNIT_BITS,
        "value": SCORE,
        "base": SCORE,
    }
    for name, unit in units.items():
        print(name, np.rint(np.asarray(weights[name]) * unit).astype(int).tolist())


if __name__ == "__main__":
    typer.run(main)
