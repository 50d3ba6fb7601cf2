"""Positions of Connect Four solved by df-pn, alpha-beta and the solver of UCT.

    python -m tests.lab.connect_four.proofs [N_POSITIONS] [PLIES]

The positions come from random play of so many plies (default 20, 18). For each search it prints the
proven positions, the nodes and the CPU time; all must agree. A search gives up after 50 million
nodes, UCT at a tree of 2 million nodes.
"""

import sys
import time
from random import Random

from shared.core.jit import int_buffer, kernel
from shared.games.connect_four import game as connect_four
from shared.search import alphabeta, mcts, proof_number

LIMIT, TREE = 50_000_000, 2_000_000
GAME, SETUP = connect_four.GAME, connect_four.new_setup()


def positions(n, plies):
    """Returns n open positions, each after so many plies of random play."""
    found, rng = [], Random(1)
    while len(found) < n:
        moves = [rng.randrange(7) for _ in range(plies)]
        if all(moves.count(column) <= 6 for column in range(7)):
            states = [connect_four.new_state(SETUP, moves[:i]) for i in range(plies + 1)]
            if not any(GAME.is_over(SETUP, state) for state in states):
                found.append(states[-1])
    return found


def by_proofs():
    """Returns solve(state) -> (value or None, nodes): won, else not lost, else lost."""
    options = [proof_number.Options(goal) for goal in (1, 0)]
    searches = [kernel(proof_number.make_search(GAME, one)) for one in options]

    def solve(state):
        nodes = 0
        for one, search in zip(options, searches):
            tree = proof_number.new_tree(GAME, one, table_bits=20)
            search(SETUP, state, tree, LIMIT)
            found = proof_number.summary(tree)
            nodes += found.generated
            if found.reached is None:
                return None, nodes
            if found.reached:
                return one.goal, nodes
        return -1, nodes

    return solve


def by_alphabeta():
    """Returns solve(state) -> (value or None, nodes), at the full depth."""
    options = alphabeta.Options(short_wins=False, killers=1, history=1)
    search = kernel(alphabeta.make_search(GAME, options))

    def solve(state):
        tree = alphabeta.new_tree(GAME, options, table_bits=20, depth=42)
        search(SETUP, state, tree, LIMIT)
        found = alphabeta.summary(tree)
        if not alphabeta.is_finished(tree):
            return None, found.generated
        won = (found.value >= alphabeta.LEAST_WIN) - (found.value <= -alphabeta.LEAST_WIN)
        return won, found.generated

    return solve


def by_uct():
    """Returns solve(state) -> (value or None, iterations)."""
    options = mcts.Options(exploration=0.7, rollout_plies=42, solver=True)
    search = kernel(mcts.make_search(GAME, options))

    def solve(state):
        tree = mcts.new_tree(GAME, options, TREE)
        iterations = 0
        for _ in range(100):
            search(SETUP, state, tree, 10_000)
            iterations += 10_000
            found = mcts.summary(tree)
            if found.proven:
                return round(found.value), iterations
        return None, iterations

    return solve


def main():
    n, plies = (*map(int, sys.argv[1:]), *(20, 18)[len(sys.argv) - 1 :])
    states = positions(n, plies)
    values = {}
    for name, make in (("df-pn", by_proofs), ("alpha-beta", by_alphabeta), ("UCT", by_uct)):
        solve = make()
        solve(states[0])
        began, total, proven = time.process_time(), 0, 0
        for i, state in enumerate(states):
            value, nodes = solve(int_buffer(state))
            total += nodes
            if value is not None:
                proven += 1
                assert values.setdefault(i, value) == value, f"position {i}: {name} says {value}"
        seconds = time.process_time() - began
        print(f"{name:12} {proven:4} of {n} proven  {total:12,} nodes  {seconds:8.2f} s of CPU")


if __name__ == "__main__":
    main()
