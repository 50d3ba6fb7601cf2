"""Makes an opening book of Connect Four by UCT.

    python -m tests.lab.connect_four.opening_book FILE

--turns N       the first turns of either seat (default 3)
--iterations N  of each position (default 100,000)
"""

import argparse
from pathlib import Path

from shared.core.jit import kernel
from shared.games.connect_four import game as connect_four
from shared.learn.opening_book import make_book, save_book
from shared.search.mcts import Options, best_action, make_search, new_tree, reset

OPTIONS = Options(exploration=0.7, rollout_plies=42)


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("file", type=Path)
    parser.add_argument("--turns", type=int, default=3)
    parser.add_argument("--iterations", type=int, default=100_000)
    wanted = parser.parse_args()
    game, setup = connect_four.GAME, connect_four.new_setup()
    search = kernel(make_search(game, OPTIONS))
    tree = new_tree(game, OPTIONS, capacity=2_000_000)

    def choose(state):
        reset(tree)
        search(setup, state, tree, wanted.iterations)
        return best_action(tree)

    start = connect_four.new_state(setup)
    book = make_book(game, setup, start, choose, wanted.turns, lambda column: 6 - column)
    save_book(wanted.file, book, f"{wanted.turns} turns, {wanted.iterations} iterations")
    print(f"{len(book)} positions, {wanted.file.stat().st_size} bytes")


if __name__ == "__main__":
    main()
