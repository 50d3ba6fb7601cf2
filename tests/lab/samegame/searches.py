"""The searches of one agent on the validators of SameGame, each alone for as much CPU time.

    python -m tests.lab.samegame.searches --seconds 1 [--boards 20] [--only beam ...]

prints for each search the sum of its scores over the first so many validators, the number of boards
emptied, and nodes a second of CPU. A node is a child, or a ply of a playout. The 20 first are the
standard test set, the others the same with their colours renamed.
"""

import argparse
import time

from bots.samegame.beam import GAME, OPTIONS
from bots.samegame.game import SAMPLED_GAME, new_taboo_setup
from shared.core.jit import kernel
from shared.games.samegame import sim
from shared.games.samegame.game import GAME as RULES
from shared.games.samegame.maps import VALIDATORS
from shared.games.samegame.state import SCORE, SIDE, new_state, write_board
from shared.search.solo import beam, chokudai, nested, policy_adaptation, single_player_mcts

RATE_SLICE = 2000
PASSES = OPTIONS._replace(width=30_000, noise=30.0, passes=4)
UCT = single_player_mcts.Options(exploration=0.3, spread=0.1)
NMCS = [nested.Options(level=level) for level in (1, 2, 3)]
NRPA = [policy_adaptation.Options(level, 100) for level in (2, 3)]
SEARCHES = {
    "NMCS, level 1, uniform samples": (nested, RULES, NMCS[0], None),
    "NMCS, level 1": (nested, SAMPLED_GAME, NMCS[0], None),
    "NMCS, level 2": (nested, SAMPLED_GAME, NMCS[1], None),
    "NMCS, level 3": (nested, SAMPLED_GAME, NMCS[2], None),
    "NRPA, level 2": (policy_adaptation, SAMPLED_GAME, NRPA[0], None),
    "NRPA, level 3": (policy_adaptation, SAMPLED_GAME, NRPA[1], None),
    "SP-MCTS": (single_player_mcts, SAMPLED_GAME, UCT, 2_000_000),
    "Chokudai": (chokudai, GAME, chokudai.Options(3000, 400_000), None),
    "beam": (beam, GAME, OPTIONS, None),
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
    parser.add_argument("--only", nargs="*", default=list(SEARCHES))
    asked = parser.parse_args()
    boards = list(VALIDATORS.values())[: asked.boards]
    for name in asked.only:
        total, emptied, rate = measure(name, asked.seconds, boards)
        print(
            f"{name:30} {asked.seconds:g} s a board: {total:7,} on {len(boards)} boards,"
            f" {emptied} emptied, {rate:.2f} million nodes/s",
            flush=True,
        )


if __name__ == "__main__":
    main()
