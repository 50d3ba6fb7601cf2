"""A second hidden layer of a network (`network.py`): J units, computed anew for each position, on
which value and policy stand.

    DEEPEN = make_second_layer(SHAPE)
    GAME = make_game(GAME, write_features, output_of, SHAPE, deepen=DEEPEN)
    network = new_network(setup, joined(weights), SHAPE)

The weights have two more fields, `middle` [J H] with a row a unit, and `shifts` [J], its biases.
In a Network they follow the actions' weights: `policy` [A J + J H], `outputs` [1 + A + J]; its
`hidden` [H + J] has both layers.
"""

from typing import Any

from ..core.jit import Function, inline
from ..core.simd import make_simd
from ..search.network import (
    MOST_WEIGHT,
    SHIFT,
    UNIT_ONE,
    Network,
    Shape,
    Symmetries,
    unfolded,
)


def make_second_layer(shape: Shape) -> Function:
    """Make deepen(network) of a shape, for `make_game`."""
    n_hidden, n_second = shape.hidden, shape.second
    first_row, first_shift = shape.actions * n_second, 1 + shape.actions
    take, _, _, _, _, dot, _ = make_simd(n_hidden)

    @inline
    def deepen(network: Network) -> None:
        units = take(network.hidden, 0)
        for unit in range(n_second):
            total = network.outputs[first_shift + unit]
            total += dot(units, network.policy, first_row + unit * n_hidden)
            clipped = min(max(total // UNIT_ONE, 0), MOST_WEIGHT)
            network.hidden[n_hidden + unit] = clipped * clipped >> SHIFT

    return deepen


def joined(weights: "dict[str, Any]") -> "dict[str, Any]":
    """Lay out weights for a Network."""
    whole = dict(weights)
    for name, following in (("policy", "middle"), ("outputs", "shifts")):
        whole[name] = [*weights[name], *weights[following]]
    return whole


def unfolded_twice(weights: "dict[str, Any]", symmetries: Symmetries) -> "dict[str, Any]":
    """Returns `unfolded` of both layers."""
    found, n_images = unfolded(weights, symmetries), len(symmetries.features)
    # Unit g of a unit's images sees the image g of the position: the image h of a unit before is
    # that of h after g there.
    before = weights["middle"].reshape(len(weights["shifts"]), -1, n_images)
    images = before[:, :, ratios(symmetries.features)]  # [J / G, H / G, G, G]
    found["middle"] = images.transpose(0, 2, 1, 3).reshape(-1)
    found["shifts"] = weights["shifts"].repeat(n_images)
    return found


def ratios(features: Any) -> Any:
    """Returns int64[G, G], for the symmetries g and j the symmetry h with j = h after g. Raises
    ValueError if they are no group.
    """
    number = {tuple(places): j for j, places in enumerate(features.tolist())}
    table = features[:, :1].repeat(len(features), 1)
    for g, first in enumerate(features):
        for h, then in enumerate(features):
            j = number.get(tuple(then[first].tolist()), -1)
            if j < 0:
                raise ValueError(f"symmetry {h} after symmetry {g} is none of them")
            table[g, j] = h
    return table
