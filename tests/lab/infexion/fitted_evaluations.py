"""Evaluations of Infexion fitted in five ways, each against the report's weights of 6 : 1:
`python -m tests.lab.infexion.fitted_evaluations`.

All of them search equally deep by alpha-beta, from the same random openings, with either colour.
Takes about a minute. The games to learn from are played here, or are those of the logs named, as of
`referee arena infexion BOT BOT --all-logs --log-dir DIR`.
"""

from pathlib import Path
from typing import Annotated

import numpy as np
import typer
from rich.console import Console
from rich.table import Table

from bots.infexion.game import GAME
from referee.log.file import read_log
from referee.log.records import LogError
from referee.play.leader import leader_of
from shared.core.bits import count_bits
from shared.core.jit import inline, int_buffer, kernel
from shared.games.infexion.contest import CONTEST
from shared.games.infexion.sim import (
    apply,
    cell_of,
    is_over,
    power_of,
    power_within,
    result,
    sample,
)
from shared.games.infexion.state import (
    LINE_SIZE,
    LINES,
    N_DIRECTIONS,
    SETUP_SIZE,
    STONES,
    TURN,
    new_setup,
    new_state,
)
from shared.games.infexion.truth import position
from shared.learn.perceptron import perceptron_output
from shared.learn.regression import fit_linear, fit_logistic, fit_perceptron, predicted_share
from shared.learn.self_play import play_games, positions_of
from shared.learn.temporal_difference import learn_by_self_play
from shared.search import alphabeta

FEATURES = ("to move", "power", "cells", "power in reach", "power at risk")
N_FEATURES = len(FEATURES)
UNIT = 10.0  # power or cells for a feature of 1
SCORE = 10000  # units of the evaluation for a value of 1
N_GAMES, RANDOM_SHARE = 400, 0.3
DEPTH, OPENING_PLIES, DUELS = 2, 6, 100
REPORT_WEIGHTS = np.array([0.0, 0.6, 0.1, 0.0, 0.0])

# The setup ends with the weights of the evaluation, in units of 1 / SCORE, and room
# for the features.
WEIGHTS = SETUP_SIZE
INPUTS = WEIGHTS + N_FEATURES
SEARCH = alphabeta.Options(deepening=False, table=False, scouts=False)


@inline
def reach_of(setup, state, player):
    """The cells reached by a player's spreads."""
    reach = 0
    cells = state[STONES + player]
    while cells:
        bit = cells & -cells
        cells ^= bit
        cell = cell_of(bit)
        power = power_of(state, cell)
        for direction in range(N_DIRECTIONS):
            reach |= setup[LINES + LINE_SIZE * (N_DIRECTIONS * cell + direction) + power]
    return reach


@inline
def count_features(setup, state, features, first):
    """Write the leads and threats of FEATURES as whole numbers, for the player to move."""
    mover = state[TURN] & 1
    own, other = state[STONES + mover], state[STONES + 1 - mover]
    features[first + 1] = power_within(state, own) - power_within(state, other)
    features[first + 2] = count_bits(own) - count_bits(other)
    features[first + 3] = power_within(state, other & reach_of(setup, state, mover))
    features[first + 4] = power_within(state, own & reach_of(setup, state, 1 - mover))


@inline
def write_features(setup, state, features):
    """Write the features of a position, divided by UNIT; the first is always 1."""
    count_features(setup, state, features, 0)
    features[0] = 1.0
    for i in range(1, N_FEATURES):
        features[i] /= UNIT


@inline
def weighted(setup, state):
    """The features times the weights in `setup`."""
    count_features(setup, state, setup, INPUTS)
    score = setup[WEIGHTS] * UNIT
    for i in range(1, N_FEATURES):
        score += setup[WEIGHTS + i] * setup[INPUTS + i]
    return int(score)


def make_perceptron_evaluation(weights):
    """An evaluation by the perceptron of these weights, whose inputs are UNIT times the
    features: whole numbers.
    """
    weights = tuple(weights)

    @inline
    def evaluate(setup, state):
        count_features(setup, state, setup, INPUTS)
        setup[INPUTS] = int(UNIT)
        return int(SCORE * perceptron_output(weights, setup[INPUTS:], N_FEATURES))

    return evaluate


def setup_with(weights):
    """The setup of an evaluation with these weights."""
    scaled = [round(SCORE * weight) for weight in weights]
    return int_buffer([*new_setup(), *scaled, *[0] * N_FEATURES])


class Searcher:
    """Alpha-beta to DEPTH with one evaluation."""

    def __init__(self, search, game, setup):
        self.search, self.setup = search, setup
        self.tree = alphabeta.new_tree(game, SEARCH, table_bits=1, depth=DEPTH)

    def choose(self, state):
        alphabeta.reset(self.tree)
        while not alphabeta.is_finished(self.tree):
            self.search(self.setup, state, self.tree, 1_000_000)
        return alphabeta.summary(self.tree).action


@kernel("int64(int64[::1], int64[::1], int64, int64[::1])")
def step(setup, state, action, rng):
    """Play an action, or one at random where it is negative; 2 while the game is open,
    then RED's result.
    """
    if action < 0:
        action = sample(setup, state, rng)
    apply(setup, state, action, state)
    if not is_over(setup, state):
        return 2
    final = result(setup, state)
    return -final if state[TURN] & 1 else final


def duel(first, second, games):
    """(won, drawn, lost) games of the first searcher; each opening is played with either colour."""
    counts = {1: 0, 0: 0, -1: 0}
    for number in range(games):
        state, rng, ended = new_state(), int_buffer([7919 * (number // 2 + 1)]), 2
        players = [first, second] if number % 2 == 0 else [second, first]
        while ended == 2:
            turn = int(state[TURN])
            action = players[turn % 2].choose(state) if turn >= OPENING_PLIES else -1
            ended = step(first.setup, state, action, rng)
        counts[ended if number % 2 == 0 else -ended] += 1
    return counts[1], counts[0], counts[-1]


def logged_game(path):
    """The positions in which a logged match was open, and RED's result. Raises LogError."""
    log = read_log(path)
    if (
        log.header.contest != CONTEST.name
        or not leader_of(log.header.conditions).can_repeat(log)
        or not log.outcome
    ):
        raise LogError(f"{path}: no finished match of {CONTEST.name} with its states")
    red, blue = log.outcome.ranks
    snapshots = [log.header.state, *(turn.state for turn in log.turns[:-1])]
    states = [position(snapshot["board"], snapshot["turn"]) for snapshot in snapshots]
    return states, (blue > red) - (blue < red)


def fitted_evaluations(logs):
    """Yields (name, weights or perceptron's weights, share of winners named in
    games not fitted to).
    """
    setup, start = setup_with(REPORT_WEIGHTS), new_state()
    if logs:
        found = positions_of(map(logged_game, logs), GAME, setup, write_features, N_FEATURES)
    else:
        found = play_games(GAME, setup, start, write_features, N_FEATURES, N_GAMES, RANDOM_SHARE)
    features, results, games = found
    materials = features * [0, 1, 1, 0, 0]
    for name, inputs in (("power and cells", materials), ("all features", features)):
        for fit in (fit_linear, fit_logistic):
            share = predicted_share(fit, inputs, results, games)
            yield f"{fit.__name__}, {name}", fit(inputs, results), share
    weights = learn_by_self_play(
        GAME, setup, start, write_features, N_FEATURES, n_games=2000, rate=0.003
    )
    decided = results != 0
    named = np.mean(np.sign(features[decided] @ weights) == results[decided])
    yield "TD(lambda), all features", weights, named
    yield "perceptron, all features", fit_perceptron(UNIT * features, results), None


def learning(logs):
    """Each evaluation, fitted to the games of the logs or else of its own, against
    the report's weights.
    """
    game = GAME._replace(evaluate=weighted)
    search = kernel(alphabeta.make_search(game, SEARCH))
    report = Searcher(search, game, setup_with(REPORT_WEIGHTS))
    rows = []
    for name, weights, share in fitted_evaluations(logs):
        if share is None:
            game = GAME._replace(evaluate=make_perceptron_evaluation(weights))
            own_search = kernel(alphabeta.make_search(game, SEARCH))
            rival = Searcher(own_search, game, setup_with(REPORT_WEIGHTS))
            text, named = f"{len(weights)} weights", ""
        else:
            rival = Searcher(search, game, setup_with(weights))
            text, named = " ".join(f"{weight:.2f}" for weight in weights), f"{share:.3f}"
        won, drawn, lost = duel(rival, report, DUELS)
        rows.append([name, text, named, f"{won}/{drawn}/{lost}"])
    title = f"Infexion, {DEPTH} plies, {DUELS} games each against 6 : 1"
    return title, ["fit", ", ".join(FEATURES), "winners named", "won/drawn/lost"], rows


def main(
    logs: Annotated[
        list[Path], typer.Argument(metavar="LOG...", help="Matches to learn from.")
    ] = (),
):
    """Fit evaluations of Infexion and play each against the report's weights."""
    try:
        title, columns, rows = learning(logs)
    except LogError as error:
        raise typer.BadParameter(str(error)) from error
    table = Table(*columns, title=title, title_justify="left")
    for row in rows:
        table.add_row(*row)
    Console(width=140).print(table)


if __name__ == "__main__":
    typer.run(main)
