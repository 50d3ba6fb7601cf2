"""Searches of alternating games against the libraries one would use instead: OpenSpiel and easyAI,
on tic-tac-toe and connect four.

The rivals live in an environment of their own, `.cache/rivals`, created on the first run and used
only here.
"""

import subprocess
import sys
import time
from pathlib import Path

from shared.core.jit import inline, kernel
from shared.games.connect_four import game as connect_four
from shared.games.tic_tac_toe import game as tic_tac_toe
from shared.search import alphabeta, mcts
from tests.conftest import PROJECT
from tests.lab.measure import spread

ROUNDS = 3
PACKAGES = ("open_spiel==2.0.2", "easyAI==2.0.12")
RIVALS = PROJECT / ".cache" / "rivals"
GAMES = {
    "tic_tac_toe": (tic_tac_toe.GAME, tic_tac_toe.new_setup(), tic_tac_toe.new_state()),
    "connect_four": (
        connect_four.GAME,
        connect_four.new_setup(),
        connect_four.new_state(connect_four.new_setup()),
    ),
}
# As in the rivals' searches: plain UCT; plain alpha-beta with an evaluation without knowledge.
UCT = mcts.Options(exploration=1.4, rollout_plies=42, max_depth=42, solver=False)
ITERATIONS = 20000
PLIES = 9
ALPHA_BETA = alphabeta.Options(deepening=False, table=False, order=False, principal_variation=False)


def rivals_python():
    """The Python of the rivals' environment, created if it is missing; None if that fails."""
    python = RIVALS / "bin" / "python"
    made = [
        [sys.executable, "-m", "venv", "--clear", str(RIVALS)],
        [str(python), "-m", "pip", "install", "--quiet", *PACKAGES],
    ]
    if not (RIVALS / "installed").exists():
        if any(subprocess.run(command, check=False).returncode for command in made):
            return None
        (RIVALS / "installed").touch()
    return python


def rival_rate(python, engine, name):
    """Returns a rival's simulations or nodes in a CPU second: see `rivals.py`."""
    command = [str(python), str(Path(__file__).with_name("rivals.py")), engine, name]
    return float(subprocess.run(command, capture_output=True, text=True, check=True).stdout)


def uct_rates(name):
    """A function that measures our UCT's iterations a CPU second from the start of a game."""
    game, setup, start = GAMES[name]
    search = kernel(mcts.make_search(game, UCT))

    def rate():
        tree = mcts.new_tree(game, UCT, 10 * ITERATIONS)
        began = time.process_time()
        search(setup, start, tree, ITERATIONS)
        return mcts.summary(tree).iterations / (time.process_time() - began)

    return rate


@inline
def know_nothing(setup, state):
    """An evaluation that returns 0 for every position, as the rivals' does."""
    return 0


def alpha_beta_rates(name):
    """A function that measures our alpha-beta's nodes a CPU second, to a fixed depth."""
    game, setup, start = GAMES[name]
    game = game._replace(evaluate=know_nothing)
    search = kernel(alphabeta.make_search(game, ALPHA_BETA))
    tree = alphabeta.new_tree(game, ALPHA_BETA, table_bits=1, depth=PLIES)

    def rate():
        alphabeta.reset(tree)
        began = time.process_time()
        while not alphabeta.is_finished(tree):
            search(setup, start, tree, 1_000_000)
        return alphabeta.summary(tree).generated / (time.process_time() - began)

    return rate


PAIRS = (
    ("UCT", "simulations", uct_rates, "OpenSpiel C++ MCTS", "openspiel_cpp_mcts"),
    ("UCT", "simulations", uct_rates, "OpenSpiel Python MCTS", "openspiel_python_mcts"),
    ("alpha-beta", "nodes", alpha_beta_rates, "OpenSpiel Python", "openspiel_python_alpha_beta"),
    ("alpha-beta", "nodes", alpha_beta_rates, "easyAI Negamax", "easyai_negamax"),
)


def search_speed():
    """Simulations and nodes a CPU second, ours and each rival's in turns."""
    python = rivals_python()
    columns = ["game", "search", "ours", "rival", "rival's", "ratio"]
    rows = []
    for name in GAMES:
        ours_of = {make_rate: make_rate(name) for make_rate in (uct_rates, alpha_beta_rates)}
        for search, unit, make_rate, rival, engine in PAIRS:
            ours, theirs = [], []
            ours_of[make_rate]()
            for _ in range(ROUNDS):
                ours.append(ours_of[make_rate]())
                if python:
                    theirs.append(rival_rate(python, engine, name))
            row = [name, f"{search}, {unit}", spread(ours), rival, "not installed", ""]
            if python:
                ratios = [a / b for a, b in zip(ours, theirs)]
                row[-2:] = [spread(theirs), spread(ratios, digits=1)]
            rows.append(row)
    return f"Searches, a CPU second, one thread, {ROUNDS} runs of each in turns", columns, rows
