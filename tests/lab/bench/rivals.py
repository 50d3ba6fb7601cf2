"""Simulations and nodes of OpenSpiel and easyAI in a CPU second, run by the Python of their own
environment (see `adversarial.py`).

`python rivals.py ENGINE GAME` prints one number: simulations or nodes a CPU second.
"""

import sys
import time

SEED = 7
SIMULATIONS = {"openspiel_cpp_mcts": 20000, "openspiel_python_mcts": 1000}
OPENSPIEL_DEPTH = {"tic_tac_toe": 9, "connect_four": 6}
EASYAI_DEPTH = {"tic_tac_toe": 9, "connect_four": 5}


def rate(run):
    """Returns the result of `run`, a number of simulations or nodes, for each CPU second."""
    began = time.process_time()
    count = run()
    return count / (time.process_time() - began)


def openspiel_cpp_mcts(game_name):
    import pyspiel

    game = pyspiel.load_game(game_name)
    n = SIMULATIONS["openspiel_cpp_mcts"]
    evaluator = pyspiel.RandomRolloutEvaluator(n_rollouts=1, seed=SEED)
    bot = pyspiel.MCTSBot(game, evaluator, 1.4, n, 1000, False, SEED, False)
    return rate(lambda: bot.mcts_search(game.new_initial_state()).explore_count)


def openspiel_python_mcts(game_name):
    import pyspiel
    from open_spiel.python.algorithms import mcts

    game = pyspiel.load_game(game_name)
    n = SIMULATIONS["openspiel_python_mcts"]
    evaluator = mcts.RandomRolloutEvaluator(n_rollouts=1)
    bot = mcts.MCTSBot(game, 1.4, n, evaluator, solve=False)
    return rate(lambda: bot.mcts_search(game.new_initial_state()).explore_count)


def openspiel_python_alpha_beta(game_name):
    import pyspiel
    from open_spiel.python.algorithms import minimax

    game = pyspiel.load_game(game_name)
    nodes = 0
    search = minimax._alpha_beta

    def counted(*arguments, **options):
        nonlocal nodes
        nodes += 1
        return search(*arguments, **options)

    minimax._alpha_beta = counted

    def run():
        minimax.alpha_beta_search(
            game, value_function=lambda state: 0, maximum_depth=OPENSPIEL_DEPTH[game_name]
        )
        return nodes

    return rate(run)


def easyai_negamax(game_name):
    from easyAI import AI_Player, Negamax
    from easyAI.games import ConnectFour, TicTacToe

    game = {"tic_tac_toe": TicTacToe, "connect_four": ConnectFour}[game_name]
    negamax = Negamax(EASYAI_DEPTH[game_name])
    position = game([AI_Player(negamax), AI_Player(negamax)])
    nodes = 0
    make_move = game.make_move

    def counted(self, move):
        nonlocal nodes
        nodes += 1
        return make_move(self, move)

    game.make_move = counted

    def run():
        negamax(position)
        return nodes

    return rate(run)


ENGINES = openspiel_cpp_mcts, openspiel_python_mcts, openspiel_python_alpha_beta, easyai_negamax

if __name__ == "__main__":
    engine_name, game_name = sys.argv[1:]
    print({engine.__name__: engine for engine in ENGINES}[engine_name](game_name))
