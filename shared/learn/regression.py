"""Fits of an evaluation's weights (`shared/search/evaluation.py`) to positions with known values:
least squares, logistic regression, and a perceptron by gradient descent in JAX. At home only.

Terms float64[N, F] and values in -1..1 are for the player to move; for a score x,
the sum of a position's weighted terms, tanh(x) is the expected value.
"""

from functools import partial
from itertools import pairwise

import numpy as np

from ..search.evaluation import MOST, TERM_POINTS, UNIT_BITS, UNIT_ONE, n_weights

N_EPOCHS, BATCH = 40, 1024
N_LOOKED_AT = 5000  # positions
MOST_UNIT = MOST / UNIT_ONE


def fit_linear(terms: np.ndarray, values: np.ndarray) -> np.ndarray:
    """Returns the weights float64[F] that minimise the squared error of `terms @ weights` as an
    estimate of the value.
    """
    return np.linalg.lstsq(terms, values, rcond=None)[0]


def fit_logistic(terms: np.ndarray, values: np.ndarray) -> np.ndarray:
    """Returns the weights float64[F] under which tanh(terms @ weights) is the most likely value: a
    win's chance is (1 + value) / 2.

    Raises ValueError if all values are wins, or all defeats.
    """
    from sklearn.linear_model import LogisticRegression

    won, lost = (values + 1) / 2, (1 - values) / 2
    outcomes = np.repeat([1, 0], len(values))
    if not 0 < won.sum() < len(values):
        raise ValueError(
            "logistic regression needs positions that were won and some that were lost"
        )
    # Hardly any regularisation: there are far more positions than weights.
    model = LogisticRegression(C=1e6, fit_intercept=False, max_iter=1000)
    model.fit(np.concatenate([terms, terms]), outcomes, np.concatenate([won, lost]))
    return model.coef_[0] / 2  # 1 / (1 + exp(-2 x)) is (1 + tanh(x)) / 2


def new_layers(sizes: "tuple[int, ...]", seed: int) -> "list[dict]":
    """Returns random initial layers {biases, rows} of a perceptron."""
    rng, widths = np.random.default_rng(seed), (*sizes, 1)
    layers = []
    for n_before, n in pairwise(widths):
        rows = rng.normal(0, n_before**-0.5, (n_before, n)).astype(np.float32)
        layers.append({"biases": np.full(n, 0.3, np.float32), "rows": rows})
    layers[-1]["biases"][:] = 0.0
    return layers


def fit_perceptron(
    terms: np.ndarray,
    values: np.ndarray,
    hidden: "tuple[int, ...]",
    rate: float = 5e-3,
    seed: int = 1,
) -> "list[dict]":
    """Returns the layers {biases, rows} of a perceptron whose tanh has the least squared error.

    hidden: the units of each hidden layer. Terms are brought to one scale for the fit.
    """
    import jax
    import jax.numpy as jnp
    import optax

    spread = np.maximum(terms.std(axis=0), 1e-9).astype(np.float32)
    inputs, values = (terms / spread).astype(np.float32), values.astype(np.float32)
    n, batch = len(inputs), min(len(inputs), BATCH)
    rng = np.random.default_rng(seed)
    steps = N_EPOCHS * (n // batch)
    optimizer = optax.adam(optax.cosine_decay_schedule(rate, steps, 0.02))

    def loss(layers, inputs, values):
        for layer in layers[:-1]:
            inputs = jnp.clip(inputs @ layer["rows"] + layer["biases"], 0.0, MOST_UNIT)
        score = (inputs @ layers[-1]["rows"] + layers[-1]["biases"])[:, 0]
        return jnp.mean((jnp.tanh(score) - values) ** 2)

    @partial(jax.jit, donate_argnums=(0, 1))
    def step(layers, state, inputs, values):
        updates, state = optimizer.update(jax.grad(loss)(layers, inputs, values), state)
        return optax.apply_updates(layers, updates), state

    layers = new_layers((terms.shape[1], *hidden), seed)
    state = optimizer.init(layers)
    for _ in range(N_EPOCHS):
        order = rng.permutation(n)
        for i in range(n // batch):
            chosen = order[batch * i : batch * (i + 1)]
            layers, state = step(layers, state, inputs[chosen], values[chosen])
    found = [{name: np.asarray(part, np.float64) for name, part in one.items()} for one in layers]
    found[0]["rows"] /= spread[:, None]
    return found


def linear_layer(weights: np.ndarray) -> "list[dict]":
    """Returns the layer of a weighted sum."""
    return [{"biases": np.zeros(1), "rows": weights[:, None]}]


def score_of(layers: "list[dict]", terms: np.ndarray) -> np.ndarray:
    """Returns scores float64[N] by terms."""
    units = terms
    for layer in layers[:-1]:
        units = np.clip(units @ layer["rows"] + layer["biases"], 0.0, MOST_UNIT)
    return (units @ layers[-1]["rows"] + layers[-1]["biases"])[:, 0]


def effect_of(layers: "list[dict]", terms: np.ndarray) -> float:
    """Returns the mean change of the score by one more of a term, weighted by deviation."""
    some, before = terms[:N_LOOKED_AT], score_of(layers, terms[:N_LOOKED_AT])
    more = np.eye(terms.shape[1])
    changes = [abs(score_of(layers, some + one) - before).mean() for one in more]
    return float(np.average(changes, weights=terms.std(axis=0)))


def quantized(layers: "list[dict]", terms: np.ndarray) -> np.ndarray:
    """Returns an evaluation's weights int32[*], scaled by positions' terms. Raises ValueError if
    they are 0, no numbers or beyond 32 bits.
    """
    effect = effect_of(layers, terms)
    if not effect > 0.0:
        raise ValueError("the fitted weights are 0, or no numbers")
    points = max(1.0, np.rint(TERM_POINTS / effect))
    parts = []
    for number, layer in enumerate(layers):
        is_first, is_last = number == 0, number == len(layers) - 1
        unit = points if is_last else UNIT_ONE
        # Units carry UNIT_BITS, terms do not.
        biases = layer["biases"] * unit * (1 if is_first else 1 << UNIT_BITS)
        parts.append(np.vstack([biases, layer["rows"] * unit]).T.ravel())
    found = np.rint(np.concatenate([*parts, [points]]))
    if not (abs(found) < 1 << 31).all():
        raise ValueError("a fitted weight is no number of 32 bits")
    return found.astype(np.int32)


def estimates(weights: np.ndarray, sizes: "tuple[int, ...]", terms: np.ndarray) -> np.ndarray:
    """Returns positions' values by an evaluation's integers."""
    units, at, weights = terms.astype(np.int64), 0, weights.astype(np.int64)
    assert len(weights) == n_weights(sizes)
    for number, (n_before, n) in enumerate(zip(sizes, (*sizes[1:], 1))):
        matrix = weights[at : at + (n_before + 1) * n].reshape(n, n_before + 1)
        at += matrix.size
        units = units @ matrix[:, 1:].T + matrix[:, 0]
        if number:
            units >>= UNIT_BITS
        if number < len(sizes) - 1:
            units = np.clip(units, 0, MOST)
    return np.tanh(units[:, 0] / weights[-1])
