"""Fits of evaluations recover known weights, and temporal differences learn a solved game."""

import itertools

import numpy as np
import pytest

from bots.infexion import terms
from shared.core.jit import inline, int_buffer, kernel
from shared.learn import regression as fits
from shared.learn.task import TaskError
from shared.learn.temporal_difference import learn_by_self_play
from shared.learn.terms_task import TermsTask
from shared.search.evaluation import (
    TERM_POINTS,
    UNIT_BITS,
    UNIT_ONE,
    make_output,
    n_weights,
    new_evaluation,
)
from tests.support.games import heap

WEIGHTS = np.array([0.03, -0.1, 0.2])


@pytest.fixture(scope="module")
def positions():
    """Returns 4,000 positions with three random terms."""
    return np.random.default_rng(1).integers(-5, 5, (4000, 3)) * 2.0 + 1.0


def test_least_squares_find_the_weights_again(positions):
    noise = np.random.default_rng(2).normal(scale=0.1, size=len(positions))
    assert fits.fit_linear(positions, positions @ WEIGHTS + noise) == pytest.approx(
        WEIGHTS, abs=0.01
    )


def test_logistic_regression_finds_the_weights_again_from_wins_and_losses(positions):
    chances = (1 + np.tanh(positions @ WEIGHTS)) / 2
    values = np.where(np.random.default_rng(3).random(len(positions)) < chances, 1.0, -1.0)
    assert fits.fit_logistic(positions, values) == pytest.approx(WEIGHTS, abs=0.02)
    with pytest.raises(ValueError, match="some that were lost"):
        fits.fit_logistic(positions, np.ones(len(positions)))


def compiled(sizes):
    output = make_output(sizes)
    signature = "int64(int64[::1], int64[::1])"
    return kernel(signature)(lambda weights, units: output(weights, units))


@pytest.mark.parametrize("sizes", [(3,), (3, 5), (3, 5, 4)])
def test_the_integers_of_an_evaluation_are_those_of_its_fit(positions, sizes):
    """Rounding changes a value by little, and the kernel computes what the fit measures."""
    layers = fits.new_layers(sizes, seed=1)
    layers[0]["rows"] /= 5.0
    weights = fits.quantized(layers, positions)
    assert len(weights) == n_weights(sizes)
    output, setup = compiled(sizes), new_evaluation(int_buffer(0), weights, sizes)
    points = []
    for row in positions[:200]:
        setup.units[: len(row)] = row.astype(int)
        points.append(output(setup.weights, setup.units))
    found = fits.estimates(weights, sizes, positions[:200])
    assert np.tanh(np.array(points) / weights[-1]) == pytest.approx(found, abs=1e-12)
    exact = np.tanh(fits.score_of(layers, positions[:200]))
    assert found == pytest.approx(exact, abs=0.02)
    for damaged in (0.0, np.nan):
        nothing = fits.linear_layer(np.full(3, damaged))
        with pytest.raises(ValueError, match="weights are 0, or no numbers"):
            fits.quantized(nothing, positions)


def test_points_do_not_depend_on_the_steepness_of_a_fit(positions):
    """Else margins of a search, such as a quiet action's gain, would prune good actions."""
    steep, flat = (
        fits.quantized(fits.linear_layer(WEIGHTS * factor), positions) for factor in (1.0, 0.01)
    )
    assert steep[1:4] == pytest.approx(flat[1:4], abs=1)
    assert abs(steep[1:4]).mean() == pytest.approx(TERM_POINTS, rel=0.05)
    assert flat[-1] == pytest.approx(100 * steep[-1], rel=0.01)


@pytest.mark.exhaustive("trains for seconds")
@pytest.mark.parametrize("hidden", [(16,), (8, 4)])
def test_a_perceptron_learns_a_function_that_is_not_linear(positions, hidden):
    """An exclusive or."""
    pytest.importorskip("jax", reason="JAX is not installed: pip install -e .[networks]")
    pytest.importorskip("optax", reason="optax is not installed: pip install -e .[networks]")
    values = np.sign(positions[:, 0] * positions[:, 1])
    weights = fits.quantized(fits.fit_perceptron(positions, values, hidden), positions)
    guesses = fits.estimates(weights, (3, *hidden), positions)
    assert np.mean(np.sign(guesses) == values) > 0.85
    linear = positions @ fits.fit_linear(positions, values)
    assert np.mean(np.sign(linear) == values) < 0.6


def test_three_layers_compute_the_parity_of_eight_bits_with_few_weights():
    """Each layer halves the bits by exclusive ors: of two inputs, whether one or two are set."""
    sizes, weights = (8, 8, 4, 2), []
    for n_before, n in itertools.pairwise(sizes):
        shift = 0 if n_before == n else UNIT_BITS  # terms carry no bits of a unit
        for unit in range(n):
            row, pair = [0] * n_before, unit // 2
            if n_before == n:
                row[2 * pair] = row[2 * pair + 1] = UNIT_ONE
            else:  # an input is one unit less twice the next
                row[4 * pair : 4 * pair + 4] = [UNIT_ONE, -2 * UNIT_ONE] * 2
            weights += [-(unit % 2) * UNIT_ONE << shift, *row]
    weights += [0, 100, -200, 1]
    assert len(weights) == n_weights(sizes) == 8 * 9 + 4 * 9 + 2 * 5 + 3 + 1
    output, setup = compiled(sizes), new_evaluation(int_buffer(0), weights, sizes)
    for bits in itertools.product((0, 1), repeat=8):
        for i, bit in enumerate(bits):
            setup.units[i] = bit
        assert output(setup.weights, setup.units) == sum(bits) % 2 * 100


def beyond(setup, state, terms):
    for i in range(13):
        terms[i] = state[0]


def too_few(setup, state, terms):
    terms[0] = 1


def constants(setup, state, terms):
    for i in range(12):
        terms[i] = 7


@pytest.mark.slow("compiles a game's functions several times")
@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("write_terms", beyond, "writes number 12, but TERMS has 12 names"),
        ("write_terms", too_few, "does not write 1, 'own cells of power 2'"),
        ("write_terms", constants, "'own cells of power 1' is 7 in all positions"),
        ("HIDDEN", (0,), "HIDDEN numbers of units from 1"),
    ],
)
def test_a_file_of_terms_that_does_not_fit_the_game_is_refused(monkeypatch, name, value, message):
    monkeypatch.setattr(terms, name, inline(value) if callable(value) else value)
    with pytest.raises(TaskError, match=message):
        TermsTask("infexion").check()


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
