"""Training of a network's weights (`shared/search/network.py`) on searched positions, by gradient
descent in JAX with optax's Adam. At home only.

JAX and optax are well maintained and run on CPUs without setup (a wheel of 90 MB; PyTorch's has 200
and more). The model is one function of arrays and its gradient, which suits JAX. Training includes
the quantisation: weights and hidden units stay within the range of their small integers, so that
each quantised number differs from the trained one by at most half a unit.

Letters as in `shared/search/network.py`, N positions.
"""

from functools import partial
from typing import Optional

import jax
import jax.numpy as jnp
import numpy as np
import optax

from ..learn.network_task import Examples
from ..search.network import (
    ACTION_ONE,
    MOST_WEIGHT,
    ONE,
    SCORE,
    VALUE_ONE,
    Shape,
    Symmetries,
    unfolded,
)
from ..search.second_layer import unfolded_twice

NAMES = ("rows", "biases", "middle", "shifts", "value", "policy", "outputs")
LIMIT = MOST_WEIGHT / ONE  # limits of a weight and of a hidden unit's sum


def device() -> str:
    """Returns JAX's kind of device: "cpu", "gpu"."""
    return str(jax.default_backend())


def n_features(shape: Shape) -> int:
    """Returns the number of inputs."""
    return shape.words * shape.word_bits


def last_of(shape: Shape) -> int:
    """Returns the size of the last hidden layer."""
    return shape.second or shape.hidden


def new_weights(shape: Shape, seed: int, n_images: int = 1) -> dict:
    """Returns random initial weights, {name: float32}; if n_images is above 1, of a shape
    without the images of hidden units.
    """
    rng = np.random.default_rng(seed)
    small = 1.0 / np.sqrt(32)  # some 32 features are active at once
    n_before = shape.hidden * n_images
    weights = {
        "rows": rng.normal(0, small, (n_features(shape), shape.hidden)),
        "biases": np.full(shape.hidden, 0.3),
        "value": rng.normal(0, 0.1, (shape.values, last_of(shape))),
        "policy": rng.normal(0, 0.1, (shape.actions, last_of(shape))),
        "outputs": np.zeros(1 + shape.actions),
    }
    if shape.second:
        weights["middle"] = rng.normal(0, n_before**-0.5, (shape.second, n_before))
        weights["shifts"] = np.full(shape.second, 0.3)
    return {name: numbers.astype(np.float32) for name, numbers in weights.items()}


def predict(weights: dict, features: jax.Array, chosen: jax.Array) -> tuple[jax.Array, jax.Array]:
    """Returns (scores [N], logits [N, A]) of positions given by their features [N, F] and the
    chosen rows of the value's weights [N].
    """
    rows = weights["rows"].reshape(features.shape[1], -1)
    hidden = jnp.clip(features @ rows + weights["biases"], 0.0, LIMIT) ** 2 / 2.0
    if "middle" in weights:
        middle = weights["middle"].reshape(-1, rows.shape[1])
        hidden = jnp.clip(hidden @ middle.T + weights["shifts"], 0.0, LIMIT) ** 2 / 2.0
    value, policy = (weights[name].reshape(-1, hidden.shape[1]) for name in ("value", "policy"))
    scores = jnp.take_along_axis(hidden @ value.T, chosen[:, None].astype(int), axis=1)
    score = scores[:, 0] + weights["outputs"][0]
    return score, hidden @ policy.T + weights["outputs"][1:]


def losses(
    weights: dict,
    features: jax.Array,
    values: jax.Array,
    shares: jax.Array,
    legal: jax.Array,
    chosen: jax.Array,
) -> tuple[jax.Array, jax.Array]:
    """Returns (mean squared error of the value, cross entropy of the policy above its minimum)."""
    score, logits = predict(weights, features, chosen)
    value_loss = jnp.mean((score / (1.0 + jnp.abs(score)) - values) ** 2)
    logits = jnp.where(legal, logits, -1e9)
    targets = shares / jnp.maximum(shares.sum(axis=1, keepdims=True), 1e-9)
    entropy = -jnp.sum(targets * jnp.log(jnp.maximum(targets, 1e-9)), axis=1)
    crossed = -jnp.sum(targets * jax.nn.log_softmax(logits), axis=1)
    return value_loss, jnp.mean(crossed - entropy)


class Trainer:
    """Weights in training. rate: the initial learning rate, with a cosine decay over `steps`.

    symmetries: if given, the weights of H / G units are trained as parts of the unfolded weights.
    """

    def __init__(
        self,
        shape: Shape,
        weights: dict,
        rate: float,
        steps: int,
        policy_share: float = 0.3,
        symmetries: Optional[Symmetries] = None,
    ):
        self.shape, self.weights = shape, weights
        n_bits, unfold = n_features(shape), unfolded_twice if shape.second else unfolded
        optimizer = optax.adam(optax.cosine_decay_schedule(rate, steps, 0.02))
        self.state = optimizer.init(weights)

        def unpack(batch):
            features = jnp.unpackbits(batch.features, axis=1, count=n_bits)
            legal = jnp.unpackbits(batch.legal, axis=1, count=shape.actions)
            shares = batch.shares.astype(jnp.float32)
            return features.astype(jnp.float32), batch.values, shares, legal > 0, batch.chosen

        def total(weights, batch):
            whole = unfold(weights, symmetries) if symmetries else weights
            value_loss, policy_loss = losses(whole, *unpack(batch))
            return value_loss + policy_share * policy_loss, (value_loss, policy_loss)

        @partial(jax.jit, donate_argnums=(0, 1))
        def step(weights, state, batch):
            gradient, found = jax.grad(total, has_aux=True)(weights, batch)
            updates, state = optimizer.update(gradient, state)
            weights = optax.apply_updates(weights, updates)
            for name in {"rows", "middle", "policy"} & set(weights):
                weights[name] = jnp.clip(weights[name], -LIMIT, LIMIT)
            return weights, state, jnp.stack(found)

        self._step = step
        self._losses = jax.jit(lambda weights, batch: jnp.stack(total(weights, batch)[1]))

    def step(self, batch: Examples) -> np.ndarray:
        """Learn from a batch; returns its two losses before the step."""
        self.weights, self.state, found = self._step(self.weights, self.state, batch)
        return found

    def losses(self, batch: Examples) -> np.ndarray:
        return self._losses(self.weights, batch)


def scales_of(weights: dict) -> dict:
    """Returns {name: the integers that store 1.0}."""
    outputs = np.full(len(weights["outputs"]), ACTION_ONE)
    outputs[0] = SCORE
    scales = {"rows": ONE, "biases": ONE, "middle": ONE, "shifts": ACTION_ONE}
    scales |= {"value": VALUE_ONE, "policy": ONE, "outputs": outputs}
    return {name: scales[name] for name in NAMES if name in weights}


def dequantized(numbers: dict, shape: Shape) -> dict:
    """Returns float weights of quantised ones, the inverse of `quantized`."""
    sizes = {"rows": (-1, shape.hidden), "middle": (shape.second, -1)}
    sizes |= dict.fromkeys(("policy", "value"), (-1, last_of(shape)))
    return {
        name: (np.ravel(numbers[name]) / scale).astype(np.float32).reshape(sizes.get(name, -1))
        for name, scale in scales_of(numbers).items()
    }


def quantized(weights: dict) -> dict:
    """Quantise weights to the integers of `shared/search/network.py`."""
    scales = scales_of(weights)
    kinds = {"rows": "int8", "biases": "int16", "middle": "int8", "value": "int16"}
    kinds |= {"policy": "int8"}
    found = {}
    for name, scale in scales.items():
        numbers = np.asarray(weights[name], np.float64).ravel() * np.ravel(scale)
        found[name] = np.rint(numbers).astype(kinds.get(name, "int32"))
    return found
