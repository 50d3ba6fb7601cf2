"""A small multilayer perceptron for bundles; `shared/learn/regression.py` fits its weights at home.

Hidden layers of tanh, one or more; the output estimates the result of a position, 1 for a win of
the player to move. With more layers fewer neurons do: the parity of n bits takes exponentially many
in one layer, and 2 n in log2(n) layers, by gates of two inputs each (Hastad, "Almost optimal lower
bounds for small depth circuits", STOC 1986).

    sizes    (F, H1, ..., Hn)  the numbers of inputs and of the neurons of each hidden layer
    weights  float64[*]        for each neuron, layer after layer, its bias and a weight of each
                               neuron before; the output is the last neuron
    scratch  float64[2 M]      room for two layers, M the largest of the sizes
"""

import math
from typing import Callable

from ..core.jit import Floats, float_buffer, inline


def n_weights(sizes: tuple[int, ...]) -> int:
    """The number of weights of a perceptron."""
    layers = (*sizes, 1)
    return sum((layers[i] + 1) * layers[i + 1] for i in range(len(sizes)))


def new_scratch(sizes: tuple[int, ...]) -> Floats:
    """Room for two layers."""
    return float_buffer(2 * max(sizes))


def make_perceptron(sizes: tuple[int, ...]) -> Callable[[Floats, Floats, Floats], float]:
    """output(weights, inputs, scratch), a function for kernels, of a perceptron of these sizes."""
    n_layers, most = len(sizes) - 1, max(sizes)

    @inline
    def output(weights: Floats, inputs: Floats, scratch: Floats) -> float:
        n_before, at, before = sizes[0], 0, 0
        for i in range(n_before):
            scratch[i] = inputs[i]
        for layer in range(1, n_layers + 1):
            after = most - before
            for neuron in range(sizes[layer]):
                activation = weights[at]
                for i in range(n_before):
                    activation += weights[at + 1 + i] * scratch[before + i]
                scratch[after + neuron] = math.tanh(activation)
                at += n_before + 1
            n_before, before = sizes[layer], after
        result = weights[at]
        for i in range(n_before):
            result += weights[at + 1 + i] * scratch[before + i]
        return result

    return output
