"""Networks that value a position and its actions, in integer arithmetic: the same in every mode.

A position is a set of features, seen from the side of the player to move; each has a row of
weights, and the first layer, the accumulator, is the sum of the rows of the active features.
Between two positions only the rows of changed features are added and subtracted. So each side's
accumulator of the root is kept, in a large network the latest positions' as well; a leaf's
accumulator is derived from the nearest. A hidden unit is half the square of its clipped sum. The
value may have several rows of weights, of which the position chooses one.

In a game with G symmetries, hidden units may be the images of H / G: then the images of a position
have the same value and the images of its priors, with a G-th of the weights to learn and to store.

Sources: Nasu, "Efficiently updatable neural-network-based evaluation functions for computer shogi"
(2018), for accumulators and clipped rectifiers of small whole numbers; the networks of chess
engines such as Stockfish, for weights that the position chooses and for squared units; Silver et
al., "Mastering the game of Go without human knowledge" (Nature 550, 2017), for a value and a policy
on one trunk; Cohen and Welling, "Group equivariant convolutional networks" (2016), for units with
their images.

Letters: F features in W words of B bits each, H hidden units, V rows of weights of the value, A
outputs for actions. Fixed point: sums and weights store 1.0 as ONE, hidden units as UNIT_ONE, the
value's weights as VALUE_ONE. So an action's sum behind the hidden layer stores 1.0 as ACTION_ONE,
the value's as SCORE. `second_layer.py` adds a second hidden layer of J units.
"""

from typing import Any, NamedTuple, Optional

from ..core.bits import count_bits, lowest_bit
from ..core.game import AlternatingGame
from ..core.jit import (
    Floats,
    Function,
    Int8s,
    Int16s,
    Ints,
    float_buffer,
    inline,
    int8_buffer,
    int16_buffer,
    int_buffer,
)
from ..core.simd import make_simd
from ..search.tables import with_tables

ONE = 64
MOST_WEIGHT = 127  # just below 2, the limit of a hidden unit's sum as well
SHIFT = 4  # a hidden unit is its sum's square, shifted by this many bits
UNIT_ONE = ONE * ONE >> SHIFT - 1
LANES = 64
KEPT = 4  # accumulators of each side, if more than LANES units have them
VALUE_ONE = 16 * ONE
SCORE = UNIT_ONE * VALUE_ONE
ACTION_ONE = UNIT_ONE * ONE
MOST_OUTPUTS = (1 << 12) - 1
MOST_INDEX = (1 << 31) - 1
STEPS = 16  # entries of the table of exponentials for a difference of 1
FARTHEST = 16 * STEPS - 1


class Shape(NamedTuple):
    """The size of a network: W words of B <= 62 features each, H hidden units, A actions, V rows of
    weights of the value; J units of a second layer.
    """

    words: int
    word_bits: int
    hidden: int
    actions: int
    values: int = 1
    second: int = 0


class Symmetries(NamedTuple):
    """features int64[G, F], actions int64[G, A], values int64[G, V]: where each symmetry takes a
    feature, an action or a row of the value's weights (numpy arrays).
    """

    features: Any
    actions: Any
    values: Any


class Network(NamedTuple):
    """A game's setup, the network, and its scratch space.

    tables               the setup of the game's own functions.
    rows     [F H]       the first layer, a row a feature.
    biases   [H]         the units' biases.
    value    [V H]       the weights of the value.
    policy   [A H]       the weights of each action.
    outputs  [1 + A]     the biases of the value and of each action.
    sums     [2 K H]     each player's K accumulators: the root's, and if K is above 1 those of the
                         latest positions.
    bits     [2 K W]     the features of these positions.
    latest   [2]         which of a player's accumulators is the latest one.
    hidden   [H]         the units of the present position.
    seen     [W]         the features of the present position.
    changes  [W B]       the first weights of the rows to add, from the front, and to subtract, from
                         the back.
    powers   [*]         exp(-i / STEPS).
    """

    tables: Ints
    rows: Int8s
    biases: Int16s
    value: Int16s
    policy: Int8s
    outputs: Ints
    sums: Int16s
    bits: Ints
    latest: Ints
    hidden: Int16s
    seen: Ints
    changes: Ints
    powers: Floats


def kept_by(shape: Shape) -> int:
    """Returns each side's number of accumulators."""
    return KEPT if shape.hidden > LANES and shape.hidden % LANES == 0 else 1


def new_network(tables: Ints, weights: "dict[str, Any]", shape: Shape) -> Network:
    """Returns a network of {field: numbers}; refresh it before a search (`make_refresh`).

    Raises ValueError for weights of another shape.
    """
    n_words, word_bits, n_hidden, n_actions, n_values, n_second = shape
    n_last = n_second or n_hidden
    sizes = {"rows": n_words * word_bits * n_hidden, "biases": n_hidden}
    sizes |= {"value": n_values * n_last, "policy": n_actions * n_last + n_second * n_hidden}
    sizes |= {"outputs": 1 + n_actions + n_second}
    for name, size in sizes.items():
        if len(weights[name]) != size:
            raise ValueError(f"{shape} has {size} {name}, the weights have {len(weights[name])}")
    n_kept = kept_by(shape)
    step = 0.9394130628134757  # exp(-1 / STEPS): powers by products are equal on all machines
    powers = [1.0]
    while len(powers) <= FARTHEST:
        powers.append(powers[-1] * step)
    return Network(
        tables=tables,
        rows=int8_buffer(weights["rows"]),
        biases=int16_buffer(weights["biases"]),
        value=int16_buffer(weights["value"]),
        policy=int8_buffer(weights["policy"]),
        outputs=int_buffer(weights["outputs"]),
        sums=int16_buffer(2 * n_kept * n_hidden),
        bits=int_buffer(2 * n_kept * n_words),
        latest=int_buffer(2),
        hidden=int16_buffer(n_hidden + n_second),
        seen=int_buffer(n_words),
        changes=int_buffer(n_words * word_bits),
        powers=float_buffer(powers),
    )


def unfolded(weights: "dict[str, Any]", symmetries: Symmetries) -> "dict[str, Any]":
    """Returns weights of H units from weights of H / G, {field: array of numpy or JAX}: each unit
    is followed by its images. The actions' biases stay equal.
    """
    found = dict(weights)
    for name, places in zip(("rows", "policy", "value"), symmetries):
        images = weights[name].reshape(places.shape[1], -1)[places]  # [G, F, A or V, H / G]
        found[name] = images.transpose(1, 2, 0).reshape(-1)
    found["biases"] = weights["biases"].repeat(len(symmetries.features))
    return found


def make_accumulate(shape: Shape, keeps: bool, finishes: bool) -> Function:
    """accumulate(network, place, target) computes the accumulator of `seen` from the accumulator at
    a place. With `keeps` it is written to the target, with `finishes` to the hidden units.
    """
    n_words, word_bits, n_hidden = shape[:3]
    n_features = n_words * word_bits
    lanes = LANES if n_hidden % LANES == 0 else n_hidden
    take, plus, minus, clip, square, _, put = make_simd(lanes)

    @inline
    def accumulate(network: Network, place: int, target: int) -> None:
        some, rows = take(network.sums, place * n_hidden), network.rows
        for word in range(n_words):
            now = network.seen[word]
            changed = now ^ network.bits[place * n_words + word]
            while changed:
                bit = lowest_bit(changed)
                changed &= changed - 1
                row = (word_bits * word + bit) * n_hidden
                some = plus(some, rows, row) if now >> bit & 1 else minus(some, rows, row)
        if keeps:
            put(network.sums, target * n_hidden, some)
        if finishes:
            put(network.hidden, 0, square(clip(some, 0, MOST_WEIGHT), SHIFT))

    @inline
    def accumulate_by_parts(network: Network, place: int, target: int) -> None:
        changes, rows = network.changes, network.rows
        n_more, less = 0, n_features
        for word in range(n_words):
            now = network.seen[word]
            changed = now ^ network.bits[place * n_words + word]
            while changed:
                bit = lowest_bit(changed)
                changed &= changed - 1
                row = (word_bits * word + bit) * n_hidden
                if now >> bit & 1:
                    changes[n_more] = row
                    n_more += 1
                else:
                    less -= 1
                    changes[less] = row
        for unit in range(0, n_hidden, lanes):
            # This mask, which changes nothing, and no function for the rest save a fifth of time.
            some = take(network.sums, (place * n_hidden + unit) & MOST_INDEX)
            for i in range(n_more):
                some = plus(some, rows, changes[i] + unit)
            for i in range(less, n_features):
                some = minus(some, rows, changes[i] + unit)
            if keeps:
                put(network.sums, target * n_hidden + unit, some)
            if finishes:
                put(network.hidden, unit, square(clip(some, 0, MOST_WEIGHT), SHIFT))

    return accumulate if lanes == n_hidden else accumulate_by_parts


def make_choose_places(shape: Shape) -> Function:
    """choose_places(network, side) -> (place, target), for `accumulate`: the place of the side's
    accumulator whose features differ least from `seen`, and the place for the accumulator of
    `seen`.
    """
    n_words, n_kept = shape.words, kept_by(shape)

    @inline
    def choose_places(network: Network, side: int) -> tuple[int, int]:
        root = n_kept * side
        best, fewest = root, n_words * shape.word_bits
        for k in range(n_kept):
            place = root + k
            n_changed = 0
            for word in range(n_words):
                n_changed += count_bits(network.seen[word] ^ network.bits[n_words * place + word])
            if n_changed < fewest:
                best, fewest = place, n_changed
        latest = network.latest[side] + 1
        if latest == n_kept:
            latest = 1  # the root's stays
        network.latest[side] = latest
        return best, root + latest

    return choose_places


@inline
def first_row(tables: Ints, state: Ints) -> int:
    """Returns 0, the value's only row."""
    return 0


@inline
def no_second_layer(network: Network) -> None:
    """Do nothing."""


def make_game(
    game: AlternatingGame,
    write_features: Function,
    output_of: Function,
    shape: Shape,
    choose_value: Optional[Function] = None,
    deepen: Optional[Function] = None,
) -> AlternatingGame:
    """Returns the game with a Network as setup, which evaluates it in units of SCORE and gives
    priors unless the shape has no actions.

    write_features(tables, state, player, seen) writes the W words of the position as a player sees
    it. output_of(action) is the action's number among the A outputs, choose_value(tables, state) is
    a position's row among the V rows of the value's weights, deepen(network) computes a second
    layer.
    """
    game_to_move = game.to_move
    keeps, n_words, n_hidden = kept_by(shape) > 1, shape.words, shape.hidden
    accumulate = make_accumulate(shape, keeps, finishes=True)
    choose_places = make_choose_places(shape)
    n_last = shape.second or n_hidden
    start = n_hidden if shape.second else 0
    take, _, _, _, _, dot, _ = make_simd(n_last)
    find_second = deepen or no_second_layer
    choose = choose_value or first_row

    @inline
    def find_units(network: Network, state: Ints) -> None:
        """Compute the hidden units of a position."""
        player = game_to_move(network.tables, state)
        write_features(network.tables, state, player, network.seen)
        place, target = choose_places(network, player & 1)
        accumulate(network, place, target)
        if keeps:
            for word in range(n_words):
                network.bits[n_words * target + word] = network.seen[word]
        find_second(network)

    @inline
    def evaluate(network: Network, state: Ints) -> int:
        find_units(network, state)
        row = choose(network.tables, state) & MOST_OUTPUTS
        return network.outputs[0] + dot(take(network.hidden, start), network.value, row * n_last)

    @inline
    def priors(network: Network, state: Ints, actions: Ints, n: int, shares: Floats) -> None:
        find_units(network, state)
        units = take(network.hidden, start)
        greatest = -(1 << 40)
        for k in range(n):
            # Unless known to be positive, the index might count from the end.
            output = output_of(actions[k]) & MOST_OUTPUTS
            logit = network.outputs[1 + output] + dot(units, network.policy, output * n_last)
            shares[k] = float(logit)
            greatest = max(greatest, logit)
        total_share = 0.0
        for k in range(n):
            step = (greatest - int(shares[k])) * STEPS // ACTION_ONE
            shares[k] = network.powers[min(step, FARTHEST)]
            total_share += shares[k]
        for k in range(n):
            shares[k] /= total_share

    return with_tables(game)._replace(
        evaluate=evaluate, setup_type=Network, priors=priors if shape.actions else None
    )


def make_refresh(write_features: Function, shape: Shape) -> Function:
    """refresh(network, state), for `kernel`, computes the accumulators of a search's root."""
    accumulate = make_accumulate(shape, keeps=True, finishes=False)
    n_words, n_hidden, n_kept = shape.words, shape.hidden, kept_by(shape)

    def refresh(network: Network, state: Ints) -> None:
        for place in range(2 * n_kept):  # first each of them has the accumulator of no features
            for word in range(n_words):
                network.bits[n_words * place + word] = 0
            for unit in range(n_hidden):
                network.sums[n_hidden * place + unit] = network.biases[unit]
        for player in range(2):
            root = n_kept * player
            write_features(network.tables, state, player, network.seen)
            accumulate(network, root, root)
            for word in range(n_words):
                network.bits[n_words * root + word] = network.seen[word]

    return refresh
