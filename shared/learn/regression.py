"""Fits of an evaluation's weights to positions with known results: linear, logistic, and a
perceptron's. At home only.

Features float64[positions, F] and results 1, 0 or -1 come from `shared/learn/self_play.py`, for the
player to move.
"""

from typing import Callable

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GroupKFold
from sklearn.neural_network import MLPRegressor
from sklearn.preprocessing import StandardScaler


def fit_linear(features: np.ndarray, results: np.ndarray) -> np.ndarray:
    """Returns the weights float64[F] that minimise the squared error of `features @ weights` as an
    estimate of the result.
    """
    return np.linalg.lstsq(features, results, rcond=None)[0]


def fit_logistic(features: np.ndarray, results: np.ndarray) -> np.ndarray:
    """Returns the weights float64[F] under which `1 / (1 + exp(-features @ weights))` is the most
    likely chance of a win.

    A draw counts as half a win and half a loss. Raises ValueError if all games have the same
    result.
    """
    won, lost = (results + 1) / 2, (1 - results) / 2
    outcomes = np.repeat([1, 0], len(results))
    sample_weights = np.concatenate([won, lost])
    if not 0 < won.sum() < len(results):
        raise ValueError(
            "logistic regression needs positions that were won and some that were lost"
        )
    # Hardly any regularisation: there are far more positions than weights.
    model = LogisticRegression(C=1e6, fit_intercept=False, max_iter=1000)
    model.fit(np.concatenate([features, features]), outcomes, sample_weights)
    return model.coef_[0]


def fit_perceptron(
    features: np.ndarray, results: np.ndarray, hidden: tuple[int, ...] = (8,), seed: int = 1
) -> list[float]:
    """Fit the weights of a perceptron (`shared/learn/perceptron.py`) to results; returns them as a
    list to be written into a bot.

    hidden: the neurons of each hidden layer. Inputs are standardised for the fit; the returned
    weights take raw inputs.
    """
    scaler = StandardScaler().fit(features)
    model = MLPRegressor(
        hidden_layer_sizes=hidden,
        activation="tanh",
        early_stopping=True,
        max_iter=1000,
        random_state=seed,
    )
    model.fit(scaler.transform(features), results)
    matrices, biases = [*model.coefs_], [*model.intercepts_]
    matrices[0] = matrices[0] / scaler.scale_[:, None]
    biases[0] = biases[0] - scaler.mean_ @ matrices[0]
    layers = [np.vstack([bias, matrix]).T.ravel() for bias, matrix in zip(biases, matrices)]
    return [float(weight) for weight in np.concatenate(layers)]


def predicted_share(
    fit: Callable, features: np.ndarray, results: np.ndarray, games: np.ndarray, folds: int = 5
) -> float:
    """Returns the share of held-out games whose winner the sign of `features @ weights` predicts.

    Positions of one game are never both fitted and held out. fit: `fit_linear` or `fit_logistic`.
    Drawn games are excluded.
    """
    right = total = 0
    for train, test in GroupKFold(folds).split(features, results, games):
        decided = test[results[test] != 0]
        guesses = features[decided] @ fit(features[train], results[train])
        right += np.count_nonzero(np.sign(guesses) == results[decided])
        total += len(decided)
    return right / total
