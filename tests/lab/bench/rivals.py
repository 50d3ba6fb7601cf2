"""Simulations of OpenSpiel in a CPU second, run by the Python of its own environment (see
`adversarial.py`). `python rivals.py GAME` prints them.
"""

import sys
import time

import pyspiel

SEED, SIMULATIONS = 7, 20000

if __name__ == "__main__":
    game = pyspiel.load_game(sys.argv[1])
    evaluator = pyspiel.RandomRolloutEvaluator(n_rollouts=1, seed=SEED)
    bot = pyspiel.MCTSBot(game, evaluator, 1.4, SIMULATIONS, 1000, False, SEED, False)
    began = time.process_time()
    count = bot.mcts_search(game.new_initial_state()).explore_count
    print(count / (time.process_time() - began))
