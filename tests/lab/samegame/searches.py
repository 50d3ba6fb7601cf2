"""The searches of one agent on the validators of SameGame, each alone for as much CPU time.

    python -m tests.lab.samegame.searches --seconds 1 [--boards 20] [--only beam ...]

prints for each search the sum of its scores over the first so many validators, the number of boards
emptied, and nodes a second of CPU. A node is a child, or a ply of a playout. The 20 first are the
standard test set, the others the same with their colours renamed.

A random and a greedy player take no time. Flat Monte Carlo divides it among TURNS turns; in each it
plays as many playouts from every action, and then the one whose mean is greatest.
"""

import argparse
import time

from bots.samegame import greedy
from bots.samegame.beam import GAME, OPTIONS
from bots.samegame.game import SAMPLED_GAME, new_taboo_setup
from shared.core.jit import Ints, int_buffer, kernel
from shared.core.rng import seed_rng
from shared.games.samegame import sim
from shared.games.samegame.game import GAME as RULES
from shared.games.samegame.maps import VALIDATORS
from shared.games.samegame.state import MAX_ACTIONS, SCORE, SIDE, new_state, write_board
from shared.search.solo import beam, chokudai, nested, policy_adaptation, single_player_mcts

RATE_SLICE = 2000
TURNS = 60  # of a usual game
PASSES = OPTIONS._replace(width=30_000, noise=30.0, passes=4)
UCT = single_player_mcts.Options(exploration=0.3, spread=0.1)
NMCS = [nested.Options(level=level) for level in (1, 2, 3)]
NRPA = [policy_adaptation.Options(level, 100) for level in (2, 3)]
PLAYERS = ("random", "greedy", "flat Monte Carlo")
SEARCHES = {
    "NMCS, level 1, uniform samples": (nested, RULES, NMCS[0], None),
    "NMCS, level 1": (nested, SAMPLED_GAME, NMCS[0], None),
    "NMCS, level 2": (nested, SAMPLED_GAME, NMCS[1], None),
    "NMCS, level 3": (nested, SAMPLED_GAME, NMCS[2], None),
    "NRPA, level 2": (policy_adaptation, SAMPLED_GAME, NRPA[0], None),
    "NRPA, level 3": (policy_adaptation, SAMPLED_GAME, NRPA[1], None),
    "SP-MCTS": (single_player_mcts, SAMPLED_GAME, UCT, 2_000_000),
    "Chokudai": (chokudai, GAME, chokudai.Options(3000, 400_000), None),
    "beam, one pass": (beam, GAME, OPTIONS, None),
    "beam, four passes with noise": (beam, GAME, PASSES, None),
}


def nodes_of(found):
    """The nodes of a summary."""
    return found.children if hasattr(found, "children") else found.plies


def search_for(seconds, module, tree, search, state):
    """Search so long, of CPU time; a beam is told what is left at the speed measured so far."""
    setup = new_taboo_setup(state)
    module.reset(tree)
    begin = time.process_time()
    n = RATE_SLICE if module is beam else 10
    while not module.is_finished(tree):
        used = time.process_time() - begin
        if used >= seconds:
            break
        if module is beam:
            rate = int(tree.counters[beam.CHILDREN]) / used if used > 0.01 else 1e6
            beam.allot(tree, int(0.97 * rate * (seconds - used)))
        search(setup, state, tree, n)


@kernel
def play_out(setup: Ints, state: Ints, rng: Ints, after: Ints, n: int) -> int:
    """The sum of the scores of so many playouts without the taboo colour."""
    total = 0
    for _ in range(n):
        for i in range(SIDE + 1):
            after[i] = state[i]
        while not SAMPLED_GAME.is_over(setup, after):
            action = SAMPLED_GAME.sample(setup, after, rng)
            SAMPLED_GAME.apply(setup, after, action, after)
        total += after[SCORE]
    return total


def best_mean(setup, state, rng, deadline):
    """The action with the greatest mean of playouts until then."""
    actions, after, end = int_buffer(MAX_ACTIONS), new_state(), new_state()
    totals = [0] * int(RULES.legal(setup, state, actions))
    while True:
        for i in range(len(totals)):
            RULES.apply(setup, state, actions[i], after)
            totals[i] += play_out(setup, after, rng, end, 1)
        if time.process_time() >= deadline:
            return actions[totals.index(max(totals))]


def play(name, seconds, rows):
    """The state after a game of one of PLAYERS."""
    state, rng, turn = new_state(), int_buffer(1), 0
    actions, after = int_buffer(MAX_ACTIONS), new_state()
    write_board(rows, state)
    seed_rng(rng, 1)
    setup = new_taboo_setup(state)
    begin = time.process_time()
    while not sim.is_over(setup, state):
        turn += 1
        if name == "random":
            action = RULES.sample(setup, state, rng)
        elif name == "greedy":
            action = greedy.choose(setup, state, after, actions)
        else:
            action = best_mean(setup, state, rng, begin + seconds * turn / TURNS)
        sim.apply(setup, state, action, state)
    return state


def measure_player(name, seconds, boards):
    """(total, boards emptied) of one of PLAYERS."""
    states = [play(name, seconds, rows) for rows in boards]
    return sum(int(state[SCORE]) for state in states), sum(not any(one[:SIDE]) for one in states)


def measure(name, seconds, boards):
    """(total, boards emptied, million nodes a second) of a search."""
    module, game, options, capacity = SEARCHES[name]
    search = kernel(module.make_search(game, options))
    more = () if capacity is None else (capacity,)
    tree = module.new_tree(game, options, *more)
    total = emptied = nodes = 0
    begin = time.process_time()
    for rows in boards:
        state = new_state()
        write_board(rows, state)
        search_for(seconds, module, tree, search, state)
        found = module.summary(tree)
        nodes += nodes_of(found)
        for action in found.line:
            assert sim.is_legal(new_taboo_setup(state), state, action)
            sim.apply(new_taboo_setup(state), state, action, state)
        total += int(state[SCORE])
        emptied += not any(state[:SIDE])
    return total, emptied, nodes / (time.process_time() - begin) / 1e6


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n\n")[0])
    parser.add_argument("--seconds", type=float, default=1.0)
    parser.add_argument("--boards", type=int, default=20)
    parser.add_argument("--only", nargs="*", default=[*PLAYERS, *SEARCHES])
    asked = parser.parse_args()
    boards = list(VALIDATORS.values())[: asked.boards]
    for name in asked.only:
        if name in PLAYERS:
            (total, emptied), speed = measure_player(name, asked.seconds, boards), ""
        else:
            total, emptied, rate = measure(name, asked.seconds, boards)
            speed = f", {rate:.2f} million nodes/s"
        print(
            f"{name:30} {asked.seconds:g} s a board: {total:7,} on {len(boards)} boards,"
            f" {emptied} emptied{speed}",
            flush=True,
        )


if __name__ == "__main__":
    main()
