"""Evaluations by weighted terms of a position, in integer arithmetic: the same in every mode.

A term is a whole number of the position, for the player to move: its lead in material, its cells in
reach. The evaluation is the sum of the weighted terms, or a small perceptron of them: hidden layers
of units clipped to 0..MOST. With more layers fewer units do: the parity of n bits takes
exponentially many in one layer, and 2 n in log2(n) layers, by gates of two inputs each (Hastad,
"Almost optimal lower bounds for small depth circuits", STOC 1986).

    sizes    (F, H1, ..., Hn)  the numbers of terms and of the units of each hidden layer, if any
    weights  int64[*]          for each unit, layer after layer, its bias and a weight of each unit
                               before; the output is the last unit; then the points that are worth
                               tanh(1) of a win
    units    int64[2 M]        room for two layers, M the largest of the sizes

Fixed point: a unit of 1 is UNIT_ONE, and so is a weight of 1 between layers or of terms. The
output's weights are in points: on the average, one more of a term changes the evaluation by
TERM_POINTS, so that margins of a search hold for all weights. `onefile train --fit linear` finds
them.
"""

from typing import NamedTuple

from ..core.game import AlternatingGame
from ..core.jit import Function, Ints, inline, int_buffer
from ..search.tables import with_tables

UNIT_BITS = 10
UNIT_ONE = 1 << UNIT_BITS
MOST = 2 * UNIT_ONE
TERM_POINTS = 100


class Evaluation(NamedTuple):
    """A game's setup, and the weights and units of its evaluation."""

    tables: Ints
    weights: Ints
    units: Ints


def n_weights(sizes: "tuple[int, ...]") -> int:
    """Returns the number of weights."""
    layers = (*sizes, 1)
    return sum((layers[i] + 1) * layers[i + 1] for i in range(len(sizes))) + 1


def new_evaluation(tables: Ints, weights: Ints, sizes: "tuple[int, ...]") -> Evaluation:
    """Returns a setup for `make_game`. Raises ValueError if the weights are of other sizes."""
    if len(weights) != n_weights(sizes):
        raise ValueError(f"{sizes} has {n_weights(sizes)} weights, not {len(weights)}")
    return Evaluation(tables, int_buffer(weights), int_buffer(2 * max(sizes)))


def make_output(sizes: "tuple[int, ...]") -> Function:
    """output(weights, units) -> points: the first F units are the terms."""
    n_layers, most = len(sizes) - 1, max(sizes)
    last_shift = UNIT_BITS if n_layers else 0

    @inline
    def output(weights: Ints, units: Ints) -> int:
        n_before, at, before = sizes[0], 0, 0
        for layer in range(1, n_layers + 1):
            after = most - before
            for unit in range(sizes[layer]):
                total = weights[at]
                for i in range(n_before):
                    total += weights[at + 1 + i] * units[before + i]
                if layer > 1:
                    total >>= UNIT_BITS
                units[after + unit] = min(max(total, 0), MOST)
                at += n_before + 1
            n_before, before = sizes[layer], after
        result = weights[at]
        for i in range(n_before):
            result += weights[at + 1 + i] * units[before + i]
        return result >> last_shift

    return output


def make_game(
    game: AlternatingGame, write_terms: Function, sizes: "tuple[int, ...]"
) -> AlternatingGame:
    """Make a game evaluate by an Evaluation, its setup.

    write_terms(tables, state, terms) writes the F terms of a position for the player to move.
    """
    output = make_output(sizes)

    @inline
    def evaluate(setup: Evaluation, state: Ints) -> int:
        write_terms(setup.tables, state, setup.units)
        return output(setup.weights, setup.units)

    return with_tables(game)._replace(evaluate=evaluate, setup_type=Evaluation)
