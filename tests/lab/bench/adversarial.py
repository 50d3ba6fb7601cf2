"""Searches of alternating games against the libraries one would use instead: OpenSpiel and easyAI,
on tic-tac-toe and connect four.

The rivals live in an environment of their own, created on the first run.
"""

import subprocess
import sys
from pathlib import Path

from bundler.sites import Site, SiteError, make_environment
from shared.core.jit import inline, kernel
from shared.games.connect_four import game as connect_four
from shared.games.tic_tac_toe import game as tic_tac_toe
from shared.search import alphabeta, mcts
from tests.lab.measure import beside, cpu_rate

ROUNDS = 3
RIVALS = Site("rivals", sys.version_info[:2], ("open_spiel==2.0.2", "easyAI==2.0.12"))
GAMES = {
    "tic_tac_toe": (tic_tac_toe.GAME, tic_tac_toe.new_setup(), tic_tac_toe.new_state()),
    "connect_four": (
        connect_four.GAME,
        connect_four.new_setup(),
        connect_four.new_state(),
    ),
}
# As in the rivals' searches: plain UCT; plain alpha-beta with an evaluation without knowledge.
UCT = mcts.Options(exploration=1.4, rollout_plies=42, max_depth=42, solver=False)
ITERATIONS = 20000
PLIES = 9
ALPHA_BETA = alphabeta.Options(deepening=False, table=False, order=False, principal_variation=False)


def rival_rate(python, engine, name):
    """Returns a rival's simulations or nodes in a CPU second: see `rivals.py`."""
    command = [str(python), str(Path(__file__).with_name("rivals.py")), engine, name]
    return float(subprocess.run(command, capture_output=True, text=True, check=True).stdout)


@inline
def know_nothing(setup, state):
    """An evaluation that returns 0 for every position, as the rivals' does."""
    return 0


def uct(name):
    """A function that runs our UCT from the start of a game, and returns its iterations."""
    game, setup, start = GAMES[name]
    search, tree = kernel(mcts.make_search(game, UCT)), mcts.new_tree(game, UCT, 10 * ITERATIONS)

    def run():
        mcts.reset(tree)
        search(setup, start, tree, ITERATIONS)
        return mcts.summary(tree).iterations

    return run


def alpha_beta(name):
    """A function that runs our alpha-beta to a fixed depth, and returns its nodes."""
    game, setup, start = GAMES[name]
    game = game._replace(evaluate=know_nothing)
    search = kernel(alphabeta.make_search(game, ALPHA_BETA))
    tree = alphabeta.new_tree(game, ALPHA_BETA, table_bits=1, depth=PLIES)

    def run():
        alphabeta.reset(tree)
        while not alphabeta.is_finished(tree):
            search(setup, start, tree, 1_000_000)
        return alphabeta.summary(tree).generated

    return run


PAIRS = (
    (uct, "UCT, simulations", "OpenSpiel C++ MCTS", "openspiel_cpp_mcts"),
    (uct, "UCT, simulations", "OpenSpiel Python MCTS", "openspiel_python_mcts"),
    (alpha_beta, "alpha-beta, nodes", "OpenSpiel Python", "openspiel_python_alpha_beta"),
    (alpha_beta, "alpha-beta, nodes", "easyAI Negamax", "easyai_negamax"),
)


def search_speed():
    """Simulations and nodes a CPU second, ours and each rival's in turns."""
    try:
        python = make_environment(RIVALS, print)
    except SiteError as error:
        print(error)
        python = None
    rows = []
    for name in GAMES:
        runs = {make: make(name) for make in (uct, alpha_beta)}
        for make, search, rival, engine in PAIRS:
            runs[make]()  # compiles
            ours, theirs = [], []
            for _ in range(ROUNDS):
                ours.append(cpu_rate(runs[make], 0.2))
                if python:
                    theirs.append(rival_rate(python, engine, name))
            cells = beside(ours, theirs)
            rows.append([name, search, cells[0], rival, *cells[1:]])
    columns = ["game", "search", "ours", "rival", "rival's", "ratio"]
    return f"Searches, a CPU second, one thread, {ROUNDS} runs of each in turns", columns, rows
