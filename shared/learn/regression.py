"""The weights of an evaluation from positions whose result is known: linear and logistic regression. At home only.

Features float64[positions, F] and results 1, 0 or -1 come from `shared/learn/self_play.py`, for the player to move.
"""

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GroupKFold


def fit_linear(features, results):
    """The weights float64[F] of the least squared error of `features @ weights` as a guess at the result."""
    return np.linalg.lstsq(features, results, rcond=None)[0]


def fit_logistic(features, results):
    """The weights float64[F] under which `1 / (1 + exp(-features @ weights))` is the likeliest chance of a win.

    A draw counts as half a win and half a loss. Raises ValueError where all games ended alike.
    """
    won, lost = (results + 1) / 2, (1 - results) / 2
    outcomes = np.repeat([1, 0], len(results))
    sample_weights = np.concatenate([won, lost])
    if not 0 < won.sum() < len(results):
        raise ValueError(
            "logistic regression needs positions that were won and some that were lost"
        )
    # Hardly any penalty: there are far more positions than weights.
    model = LogisticRegression(C=1e6, fit_intercept=False, max_iter=1000)
    model.fit(np.concatenate([features, features]), outcomes, sample_weights)
    return model.coef_[0]


def predicted_share(fit, features, results, games, folds=5):
    """How often the sign of `features @ weights` names the winner, of games the weights were not fitted to.

    Positions of one game are never on both sides. fit: `fit_linear` or `fit_logistic`. Drawn games are left out.
    """
    right = total = 0
    for train, test in GroupKFold(folds).split(features, results, games):
        decided = test[results[test] != 0]
        guesses = features[decided] @ fit(features[train], results[train])
        right += np.count_nonzero(np.sign(guesses) == results[decided])
        total += len(decided)
    return right / total
