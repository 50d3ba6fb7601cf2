"""The time of an evaluation by a network of 768 inputs, 64 hidden units and a value, after a change
of four inputs.
"""

import time

import numpy as np

from shared.core.jit import Ints, inline, int_buffer, kernel
from shared.games.connect_four import game as connect_four
from shared.search.network import Network, Shape, make_game, make_refresh, new_network
from tests.lab.measure import spread

SHAPE = Shape(words=16, word_bits=48, hidden=64, actions=0)
N_INPUTS = SHAPE.words * SHAPE.word_bits
N_EVALUATIONS = 200_000
ROUNDS = 7
CHANGED = (5, 300, 301, 700)  # the first is alternately this input and the next one


@inline
def copy_words(tables, state, player, seen):
    for word in range(16):
        seen[word] = state[word]


GAME = make_game(connect_four.GAME, copy_words, lambda action: action, SHAPE)
evaluate = GAME.evaluate
refresh = kernel(make_refresh(copy_words, SHAPE))


@kernel
def evaluate_often(network: Network, state: Ints, n: int) -> int:
    total = 0
    for i in range(n):
        state[0] ^= 32 << (i & 1)  # so that no input is a compile-time constant
        total += evaluate(network, state)
        state[0] ^= 32 << (i & 1)
    return total


def evaluation_speed():
    """Nanoseconds of CPU time an evaluation."""
    rng = np.random.default_rng(1)
    sizes = {"rows": N_INPUTS * 64, "biases": 64, "value": 64, "policy": 0, "outputs": 1}
    weights = {name: rng.integers(-60, 60, size) for name, size in sizes.items()}
    network = new_network(connect_four.new_setup(), weights, SHAPE)
    bits = rng.integers(0, 1 << 48, (2, 16))
    state = int_buffer((bits[0] & bits[1]).tolist())
    refresh(network, state)
    for bit in CHANGED[1:]:
        state[bit // 48] = int(state[bit // 48]) ^ 1 << bit % 48
    times = []
    for _ in range(ROUNDS):
        began = time.process_time()
        evaluate_often(network, state, N_EVALUATIONS)
        times.append((time.process_time() - began) / N_EVALUATIONS * 1e9)
    title = f"An evaluation of {N_INPUTS}-64-1, {len(CHANGED)} changed inputs, {ROUNDS} runs"
    return title, ["inputs", "CPU time"], [[f"{N_INPUTS}", spread(times, " ns")]]
