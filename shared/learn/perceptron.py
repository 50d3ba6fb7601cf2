"""A small multilayer perceptron for bundles; `shared/learn/regression.py` fits its weights at home.

One hidden layer of tanh; its output estimates the result of a position, 1 for a win of
the player to move.

    weights float64[H (F + 2) + 1]  for each of H hidden neurons its bias, its F input weights, its
                                    output weight; the output's bias
"""

import math

from ..core.jit import inline


@inline
def perceptron_output(weights, inputs, n_inputs):
    """The output for `n_inputs` inputs."""
    size = n_inputs + 2
    last = len(weights) - 1
    output = weights[last]
    for neuron in range(0, last, size):
        activation = weights[neuron]
        for i in range(n_inputs):
            activation += weights[neuron + 1 + i] * inputs[i]
        output += weights[neuron + size - 1] * math.tanh(activation)
    return output
