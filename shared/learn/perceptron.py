"""A small multilayer perceptron: fitted at home by scikit-learn, run by a plain kernel that a bundle can carry.

One hidden layer of tanh; its output guesses the result of a position, 1 for a win of the player to move.

    weights float64[H (F + 2) + 1]  for each of H hidden neurons its bias, its F input weights, its output weight; the
                                    output's bias
"""

import math

from shared.core.jit import inline


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


def fit_perceptron(features, results, n_hidden=8, seed=1):
    """The weights of a perceptron fitted to results, as a list: to be written into a bot, or passed in a buffer.

    Inputs are standardised for the fit; the weights returned take them as they are.
    """
    from sklearn.neural_network import MLPRegressor
    from sklearn.preprocessing import StandardScaler

    scaler = StandardScaler().fit(features)
    model = MLPRegressor(
        hidden_layer_sizes=(n_hidden,),
        activation="tanh",
        early_stopping=True,
        max_iter=1000,
        random_state=seed,
    )
    model.fit(scaler.transform(features), results)
    inner, outer = model.coefs_
    inner = inner / scaler.scale_[:, None]
    biases = model.intercepts_[0] - scaler.mean_ @ inner
    weights = []
    for neuron in range(n_hidden):
        weights += [biases[neuron], *inner[:, neuron], outer[neuron, 0]]
    return [float(weight) for weight in [*weights, model.intercepts_[1][0]]]
