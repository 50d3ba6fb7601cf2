"""Fits of evaluations recover known weights, and self-play learns a solved game."""

import itertools
from importlib import import_module

import numpy as np
import pytest

from shared.core.jit import float_buffer, inline, kernel
from shared.games.tic_tac_toe import game as tic_tac_toe
from shared.learn.perceptron import make_perceptron, n_weights, new_scratch
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


def compiled(sizes):
    output = make_perceptron(sizes)
    signature = "float64(float64[::1], float64[::1], float64[::1])"
    return kernel(signature)(lambda weights, inputs, scratch: output(weights, inputs, scratch))


@pytest.mark.exhaustive("trains for seconds")
@pytest.mark.parametrize("hidden", [(16,), (8, 4)])
def test_a_perceptron_learns_a_function_that_is_not_linear(fits, positions, hidden):
    """An exclusive or; the kernel computes it from the exported weights alone."""
    results = np.sign(positions[:, 0] * positions[:, 1])
    sizes = (3, *hidden)
    weights = fits.fit_perceptron(positions, results, hidden)
    assert len(weights) == n_weights(sizes)
    guess, scratch = compiled(sizes), new_scratch(sizes)
    outputs = [guess(float_buffer(weights), float_buffer(row), scratch) for row in positions]
    assert np.mean(np.sign(outputs) == results) > 0.85
    linear = positions @ fits.fit_linear(positions, results)
    assert np.mean(np.sign(linear) == results) < 0.6


def test_three_layers_compute_the_parity_of_eight_bits_with_few_weights():
    """Each layer halves the bits by exclusive ors: of two inputs, whether one or two are set."""
    sizes, weights, steep = (8, 8, 4, 2), [], 60.0
    for n_before, n in itertools.pairwise(sizes):
        for neuron in range(n):
            row, pair = [0.0] * n_before, neuron // 2
            if n_before == n:  # inputs are 0 or 1
                row[2 * pair] = row[2 * pair + 1] = steep
            else:  # an input is half of one neuron less half of the next
                row[4 * pair : 4 * pair + 4] = [steep / 2, -steep / 2] * 2
            weights += [-steep * (0.5 + neuron % 2), *row]
    weights += [0.0, 0.5, -0.5]
    assert len(weights) == n_weights(sizes) == 8 * 9 + 4 * 9 + 2 * 5 + 3
    output, scratch = compiled(sizes), new_scratch(sizes)
    for bits in itertools.product((0.0, 1.0), repeat=8):
        found = output(float_buffer(weights), float_buffer(bits), scratch)
        assert found == pytest.approx(sum(bits) % 2, abs=1e-9)


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
