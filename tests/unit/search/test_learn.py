"""Fits of evaluations recover known weights, and self-play learns a solved game."""

from importlib import import_module

import numpy as np
import pytest

from shared.core.jit import float_buffer, inline, kernel
from shared.games.tic_tac_toe import game as tic_tac_toe
from shared.learn.perceptron import perceptron_output
from shared.learn.self_play import positions_of
from shared.learn.temporal_difference import learn_by_self_play
from tests.support.games import heap

WEIGHTS = np.array([0.3, -1.0, 2.0])


@pytest.fixture(scope="module")
def fits():
    """Imported by the process that fits: scikit-learn would cost each that collects tests."""
    return import_module("shared.learn.regression")


@pytest.fixture(scope="module")
def positions():
    """Returns 4,000 positions with three random features."""
    return np.random.default_rng(1).normal(size=(4000, 3))


def test_linear_regression_finds_the_weights_again(fits, positions):
    noise = np.random.default_rng(2).normal(scale=0.1, size=len(positions))
    assert fits.fit_linear(positions, positions @ WEIGHTS + noise) == pytest.approx(
        WEIGHTS, abs=0.01
    )


def test_logistic_regression_finds_the_weights_again_from_wins_and_losses(fits, positions):
    chances = 1 / (1 + np.exp(-positions @ WEIGHTS))
    results = np.where(np.random.default_rng(3).random(len(positions)) < chances, 1.0, -1.0)
    assert fits.fit_logistic(positions, results) == pytest.approx(WEIGHTS, abs=0.25)
    games = np.arange(len(positions)) // 40
    assert 0.75 < fits.predicted_share(fits.fit_logistic, positions, results, games) < 0.95


@pytest.mark.exhaustive("trains for seconds")
def test_a_perceptron_learns_a_function_that_is_not_linear(fits, positions):
    """An exclusive or; the kernel computes it from the exported weights alone."""
    results = np.sign(positions[:, 0] * positions[:, 1])
    weights = fits.fit_perceptron(positions, results, n_hidden=16)
    assert len(weights) == 16 * (3 + 2) + 1
    guess = kernel("float64(float64[::1], float64[::1])")(lambda w, x: perceptron_output(w, x, 3))
    outputs = np.array([guess(float_buffer(weights), float_buffer(row)) for row in positions])
    assert np.mean(np.sign(outputs) == results) > 0.85
    linear = positions @ fits.fit_linear(positions, results)
    assert np.mean(np.sign(linear) == results) < 0.6


@inline
def stones(setup, state, features):
    """Features: a constant; 1 if the mover holds the centre, -1 if the other player does."""
    features[0] = 1.0
    features[1] = (state[tic_tac_toe.OWN] >> 4 & 1) - (state[tic_tac_toe.OTHER] >> 4 & 1)


def test_games_played_elsewhere_are_seen_from_the_side_to_move():
    """Features and results are from the view of the player to move; crosses hold the centre in the
    first game, and win it.
    """
    games = [
        ([tic_tac_toe.new_state(cells) for cells in ((), (4,), (4, 0), (4, 0, 2))], 1),
        ([tic_tac_toe.new_state((0, 4))], 0),
    ]
    setup = tic_tac_toe.new_setup()
    found = positions_of(games, tic_tac_toe.GAME, setup, stones, 2)
    assert found.features.tolist() == [[1, 0], [1, -1], [1, 1], [1, -1], [1, -1]]
    assert found.results.tolist() == [1, -1, 1, -1, 0]
    assert found.games.tolist() == [0, 0, 0, 0, 1]
    with pytest.raises(ValueError, match="no position to learn from"):
        positions_of([], tic_tac_toe.GAME, setup, stones, 2)


HEAP_SIZE = 21


@inline
def one_of_all(setup, state, features):
    """One-hot features: 1 for the present number of objects."""
    for i in range(HEAP_SIZE + 1):
        features[i] = 0.0
    features[state[heap.LEFT]] = 1.0


def test_temporal_differences_solve_a_heap():
    """With a weight for each position, lost positions have a negative value, and best play leads to
    them.
    """
    weights = learn_by_self_play(
        heap.GAME,
        heap.new_setup(),
        heap.new_state(HEAP_SIZE),
        one_of_all,
        HEAP_SIZE + 1,
        n_games=30000,
        rate=0.2,
        decay=0.5,
        random_share=0.3,
    )
    lost = [left for left in range(1, HEAP_SIZE + 1) if weights[left] < 0]
    assert lost == [left for left in range(1, HEAP_SIZE + 1) if left % 4 == 1]
