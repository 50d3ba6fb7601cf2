"""Speed of Ultimate Tic-Tac-Toe: perft, UCT with rollouts against a plain C++ port of the same
loop, and the network's search.
"""

import time
from pathlib import Path
from random import Random

from bots.ultimate_tic_tac_toe import network, rollouts
from bots.ultimate_tic_tac_toe.game import GAME
from shared.core.checks.perft import count_sequences, make_perft
from shared.core.jit import kernel
from shared.core.rng import seed_rng
from shared.games.ultimate_tic_tac_toe import truth
from shared.games.ultimate_tic_tac_toe.sim import boards_won
from shared.games.ultimate_tic_tac_toe.state import new_state
from shared.search.mcts import new_tree, reset, summary
from shared.search.network import new_network
from shared.search.tree import child_of, node_at
from tests.lab.measure import beside, built, spread, words_of

CPP_PORT = Path(__file__).with_suffix(".cpp")
PERFT_DEPTH = 6
ITERATIONS, CAPACITY = 100_000, 2_000_000
PLIES = (0, 12, 20)  # random plies before the searched positions
ROUNDS = 7
TURN_MS = 100


def perft_speed():
    """Sequences of actions from the start."""
    perft, speeds = kernel(make_perft(truth.GAME)), []
    for _ in range(ROUNDS):
        began = time.process_time()
        counted, _ = count_sequences(truth.GAME, perft, truth.TABLES, new_state(), PERFT_DEPTH)
        speeds.append(counted / (time.process_time() - began))
    title = f"Ultimate Tic-Tac-Toe, {PERFT_DEPTH} actions from the start, {ROUNDS} runs"
    return title, ["sequences", "a CPU second"], [[f"{counted:,}", spread(speeds)]]


def position(plies):
    """A random position, from a seed without a won small board by then."""
    for seed in range(1000):
        rng, state = Random(seed), new_state()
        for _ in range(plies):
            truth.play(state, rng.choice(truth.legal_moves(state)))
        if not boards_won(state, 0) | boards_won(state, 1):
            return state
    raise ValueError(f"small boards are won in all positions after {plies} plies")


def searched(search, setup, state, tree):
    """Iterations from a bare root in TURN_MS of CPU time."""
    seed_rng(tree.counters, 1)
    reset(tree)
    began = time.process_time()
    search(setup, state, tree, ITERATIONS)
    return TURN_MS * ITERATIONS / (1000 * (time.process_time() - began))


def tree_numbers(tree, state):
    """Returns the port's figures of its tree: nodes, plies, visits of the root's children by
    action.
    """
    found = summary(tree)
    actions = [truth.action_at(*divmod(move, truth.SIDE)) for move in truth.legal_moves(state)]
    visits = [node_at(tree, child_of(tree, 0, action)).visits for action in sorted(actions)]
    return [found.nodes, found.tree_plies, found.rollout_plies, *visits]


def rollout_speed():
    """Iterations in 100 ms of CPU time, ours and the port's in turns."""
    tree, rows = new_tree(GAME, rollouts.OPTIONS, CAPACITY), []
    with built(CPP_PORT, "-ffp-contract=off") as port:
        for plies in PLIES:
            state, ours, theirs = position(plies), [], []
            for _ in range(ROUNDS):
                ours.append(searched(rollouts.search, truth.TABLES, state, tree))
                if port:
                    numbers = ITERATIONS, rollouts.OPTIONS.exploration, CAPACITY, *map(int, state)
                    ms, *found = words_of(port, *numbers)
                    theirs.append(TURN_MS * ITERATIONS / float(ms))
                    if list(map(int, found)) != tree_numbers(tree, state):
                        raise RuntimeError(f"the C++ port searches ply {plies} otherwise than ours")
            n = f"{summary(tree).rollout_plies / ITERATIONS:.1f}"
            rows.append([f"after {plies} plies", *beside(ours, theirs), n])
    title = f"Ultimate Tic-Tac-Toe, UCT with rollouts to the end, {ROUNDS} runs of each in turns"
    columns = ["position", f"ours, iterations in {TURN_MS} ms", "C++ port", "ratio"]
    return title, [*columns, "plies a rollout"], rows


def network_speed():
    """Iterations in 100 ms of CPU time of the search that evaluates its leaves by the network."""
    net = new_network(truth.TABLES, network.learned_weights(), network.SHAPE)
    tree, rows = new_tree(network.NETWORK_GAME, network.OPTIONS, CAPACITY), []
    for plies in PLIES:
        state = position(plies)
        network.refresh(net, state)
        rates = [searched(network.search, net, state, tree) for _ in range(ROUNDS)]
        rows.append([f"after {plies} plies", spread(rates)])
    title = f"Ultimate Tic-Tac-Toe, PUCT with the network {network.SHAPE}, {ROUNDS} runs"
    return title, ["position", f"iterations in {TURN_MS} ms"], rows
