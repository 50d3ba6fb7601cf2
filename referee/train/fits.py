"""Fits the weights of a bot's network or evaluation to examples.

A network is fitted by gradient descent in JAX. The terms of an evaluation are fitted by least
squares (`linear`), by logistic regression or, with hidden units, as a perceptron.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from referee.errors import UsageError
from shared.learn.network_task import Examples
from shared.learn.terms_task import TermExamples
from shared.search.evaluation import n_weights
from shared.search.network import Shape, Symmetries

NETWORK, LINEAR, LOGISTIC, PERCEPTRON = "network", "linear", "logistic", "perceptron"
TEST_SHARE = 20  # the last of this many positions is held out from a fit
BATCH = {"cpu": 1024}
DEVICE_BATCH = 16_384

Weights = dict[str, Any]
Columns = dict[str, np.ndarray]  # the fields of examples


class Fitted(NamedTuple):
    """The weights of a fit, and the number of positions that it learned from.

    losses: for each epoch, the losses on these positions, then the losses on held-out positions.
    """

    weights: Weights
    n_positions: int
    losses: list[list[float]]


class Plan(NamedTuple):
    """The settings of a fit.

    seed: the seed of the training. number: the number of the round. rate: the first learning rate.
    """

    seed: int
    number: int
    rate: float
    epochs: int


class NotFinite(Exception):
    """An error for a loss that is not finite; its argument is the number of epochs until then."""


def held_out(examples: Any) -> tuple[Any, Any]:
    """Returns the examples to learn from, and the held-out examples.

    Raises UsageError if there are none to learn from.
    """
    held = max(1, len(examples.values) // TEST_SHARE)
    learned, test = (
        type(examples)(*(column[part] for column in examples))
        for part in (slice(None, -held), slice(-held, None))
    )
    if not len(learned.values):
        raise UsageError("the games have no position to learn from: fewer --random-plies")
    return learned, test


@dataclass(frozen=True)
class NetworkFit:
    """The fit of a network's weights.

    shape: the shape of the network. symmetries: the symmetries of the game, or None.
    """

    shape: Shape
    symmetries: Symmetries | None

    @property
    def stored_shape(self) -> Shape:
        """The shape of the weights in files: without the images of hidden units."""
        few = self.shape._replace(
            hidden=self.shape.hidden // self.n_images, second=self.shape.second // self.n_images
        )
        return Shape(*few)

    @property
    def n_images(self) -> int:
        """The number of images of a hidden unit, 1 without symmetries."""
        return len(self.symmetries.features) if self.symmetries else 1

    @property
    def header(self) -> dict[str, Any]:
        return {"shape": list(self.shape)}

    def random(self, seed: int) -> Weights:
        """Returns random weights, with which a fit begins."""
        from shared.learn import network_training as fits

        return fits.quantized(fits.new_weights(self.stored_shape, seed, self.n_images))

    def fit(
        self, plan: Plan, start: Weights | None, columns: Columns, show: Callable[[str], object]
    ) -> Fitted:
        """Fit the weights by gradient descent, from `start` or from random weights.

        show: called with a text about each epoch. Raises NotFinite, and UsageError without
        positions to learn from.
        """
        from shared.learn import network_training as fits

        examples = Examples(**columns)
        learned, test = held_out(examples)
        few, n = self.stored_shape, len(learned.values)
        if start is None:
            weights = fits.new_weights(few, plan.seed, self.n_images)
        else:
            weights = fits.dequantized(start, few)
        batch = min(n, BATCH.get(fits.device(), DEVICE_BATCH))
        n_batches = n // batch
        steps = plan.epochs * n_batches
        trainer = fits.Trainer(self.shape, weights, plan.rate, steps, symmetries=self.symmetries)
        rng = np.random.default_rng([plan.seed, plan.number])
        found = []
        for epoch in range(plan.epochs):
            order = rng.permutation(n)
            total = np.zeros(2)
            for i in range(n_batches):
                chosen = order[batch * i : batch * (i + 1)]
                total += np.asarray(trainer.step(Examples(*(c[chosen] for c in learned))))
            losses = [*(total / n_batches), *np.asarray(trainer.losses(test))]
            if not np.isfinite(losses).all():
                raise NotFinite(epoch + 1)
            found.append([round(float(loss), 5) for loss in losses])
            show(
                f"fit {epoch + 1} of {plan.epochs} to {n:,} positions, loss {text_of(losses)}",
            )
        fitted = fits.quantized(trainer.weights)
        # Rows of features that never occur are noise, which would lengthen a bundle.
        seen = np.bitwise_or.reduce(examples.features, axis=0)
        seen = np.unpackbits(seen)[: fits.n_features(few)]
        if self.symmetries:
            seen = np.bitwise_or.reduce([seen[places] for places in self.symmetries.features])
        fitted["rows"].reshape(len(seen), -1)[seen == 0] = 0
        return Fitted(fitted, n, found)


@dataclass(frozen=True)
class TermsFit:
    """The fit of the weights of named terms by a method.

    sizes: the number of terms, then the numbers of hidden units, if any. Raises UsageError if the
    method does not suit the sizes.
    """

    method: str
    names: tuple[str, ...]
    sizes: tuple[int, ...]

    def __post_init__(self) -> None:
        is_sum = len(self.sizes) == 1
        if is_sum == (self.method == PERCEPTRON):
            hidden = ", ".join(map(str, self.sizes[1:]))
            raise UsageError(
                f"--fit {self.method}, but HIDDEN of terms.py is ({hidden}): hidden units are"
                f" fitted by --fit {PERCEPTRON}, a sum by {LINEAR} or {LOGISTIC}"
            )

    @property
    def header(self) -> dict[str, Any]:
        return {"names": self.names, "sizes": self.sizes}

    def random(self, seed: int) -> Weights:
        """Returns random weights, as many as a fit has."""
        rng = np.random.default_rng(seed)
        return {"weights": rng.integers(-999, 1000, n_weights(self.sizes)).astype(np.int32)}

    def fit(
        self,
        plan: Plan,
        start: Weights | None,
        columns: Columns,
        show: Callable[[str], object],
    ) -> Fitted:
        """Fit the weights, which do not depend on `start`. Raises UsageError if the fit fails."""
        from shared.learn import regression as fits

        learned, test = held_out(TermExamples(**columns))
        n = len(learned.values)
        show(f"{self.method} fit to {n:,} positions")
        terms, values = learned.terms.astype(np.float64), learned.values.astype(np.float64)
        try:
            if self.method == PERCEPTRON:
                seed = plan.seed + plan.number
                layers = fits.fit_perceptron(terms, values, self.sizes[1:], plan.rate, seed)
            else:
                fit = fits.fit_linear if self.method == LINEAR else fits.fit_logistic
                layers = fits.linear_layer(fit(terms, values))
            weights = fits.quantized(layers, terms)
        except (ValueError, np.linalg.LinAlgError) as error:
            raise UsageError(
                f"no {self.method} fit: {error}: more --games, or other terms"
            ) from error
        losses = [
            round(
                float(
                    np.mean((fits.estimates(weights, self.sizes, part.terms) - part.values) ** 2)
                ),
                5,
            )
            for part in (learned, test)
        ]
        return Fitted({"weights": weights}, n, [losses])

    def describe(self, weights: np.ndarray) -> list[str]:
        """Returns a line for each term, with its weight in points, [] with hidden units."""
        if len(self.sizes) > 1:
            return []
        return [f"{name}: {weight:+d}" for name, weight in zip(self.names, weights[1:-1])]


def text_of(losses: Sequence[float]) -> str:
    """Returns a text of the losses on held-out positions; losses: all losses of an epoch."""
    return " and ".join(f"{loss:.3f}" for loss in losses[len(losses) // 2 :])
