"""Searches against other programs: UCT against OpenSpiel; alpha-beta of connect four and annealing
against C++ as an expert writes it, the same algorithm with the same counts.

OpenSpiel lives in an environment of its own, created on the first run.
"""

import math
import sys
from pathlib import Path
from random import Random

from bundler.sites import Site, SiteError, make_environment
from shared.core.jit import inline, int_buffer, kernel
from shared.core.rng import seed_rng
from shared.games.connect_four import game as connect_four
from shared.games.tic_tac_toe import game as tic_tac_toe
from shared.search import alphabeta, mcts
from shared.search.rave import RAVE
from shared.search.solo import annealing
from tests.lab.measure import beside, built, cpu_rate, words_of
from tests.support.tours import new_cities, new_problem

ROUNDS = 7
SECONDS = 0.1  # of a run
RIVALS = Site("rivals", sys.version_info[:2], ("open_spiel==2.0.2",))
SETUP = connect_four.new_setup()
GAMES = {
    "tic_tac_toe": (tic_tac_toe.GAME, tic_tac_toe.new_setup(), tic_tac_toe.new_state()),
    "connect_four": (connect_four.GAME, SETUP, connect_four.new_state()),
}
# As in the rivals' searches: plain UCT; plain alpha-beta with an evaluation without knowledge.
UCT = mcts.Options(exploration=1.4, rollout_plies=42, max_depth=42, solver=False)
ITERATIONS = 20000
ALPHA_BETA = alphabeta.Options(deepening=False, table=False, order=False, principal_variation=False)
POSITIONS = [("", 9), ("", 12), ("33", 9), ("33", 12), ("2", 12)]  # columns played, plies
CITIES = 200
ANNEALING = annealing.Options(hot=300.0, cold=1.0, steps=300_000)


def program_of(name):
    return Path(__file__).with_name(name)


@inline
def know_nothing(setup, state):
    """An evaluation that returns 0 for every position, as the rival's does."""
    return 0


def uct(game, setup, start):
    """A function that runs our UCT from a position, and returns its iterations."""
    search, tree = kernel(mcts.make_search(game, UCT)), mcts.new_tree(game, UCT, 10 * ITERATIONS)

    def run():
        mcts.reset(tree)
        search(setup, start, tree, ITERATIONS)
        return mcts.summary(tree).iterations

    return run


def uct_speed():
    """Simulations a CPU second, ours and OpenSpiel's in turns."""
    try:
        python = make_environment(RIVALS, print)
    except SiteError as error:
        print(error)
        python = None
    rows = []
    for name, position in GAMES.items():
        run = uct(*position)
        run()  # compiles
        ours, theirs = [], []
        for _ in range(ROUNDS):
            ours.append(cpu_rate(run, SECONDS))
            if python:
                theirs.append(float(words_of(str(python), program_of("rivals.py"), name)[0]))
        rows.append([name, *beside(ours, theirs)])
    title = f"UCT, simulations a CPU second, one thread, {ROUNDS} runs of each in turns"
    return title, ["game", "ours", "OpenSpiel C++ MCTS", "ratio"], rows


def points(first, second, games=400, iterations=1000):
    """The share of points of a UCT player against another: (options, extension, rule of the move).
    Games of connect four from two random columns, each opening from either side.
    """
    game, players, won = connect_four.GAME, [], 0.0
    for seed, (options, extension, by) in enumerate((first, second), 1):
        search = kernel(mcts.make_search(game, options, extension))
        players.append((search, mcts.new_tree(game, options, 8 * iterations, seed), by))
    for number in range(games):
        state = connect_four.new_state(Random(number // 2).choices(range(7), k=2))
        mover = number % 2
        while not game.is_over(SETUP, state):
            search, tree, by = players[mover]
            mcts.reset(tree)
            search(SETUP, state, tree, iterations)
            game.apply(SETUP, state, mcts.best_action(tree, by), state)
            mover = 1 - mover
        lost = game.result(SETUP, state) < 0
        won += 0.5 if not lost else float(mover == 1)
    share = won / games
    return [f"{share:.1%}", f"{196 * math.sqrt(share * (1 - share) / games):.1f}"]


def uct_choices():
    """UCT's final move by visits against the best mean, and RAVE of some weights against none."""
    plain = mcts.Options(exploration=0.7)
    by_visits, by_mean, rows = (plain, None, "visits"), (plain, None, "mean"), []
    for n in (300, 1000):
        rows.append([f"by visits, {n} iterations", *points(by_visits, by_mean, 1000, n)])
    for visits in (30.0, 300.0, 3000.0):
        weighted = (plain._replace(rave_visits=visits), RAVE, "visits")
        rows.append([f"rave_visits={visits:.0f}", *points(weighted, by_visits)])
    return "UCT, connect four, 400 to 1,000 games each", ["player", "points", "+- %, at most"], rows


def in_turns(label, run, count, port, arguments, text=""):
    """A row: our rate and a C++ program's, in millions, whose first words must be our counts."""
    ours, theirs = [], []
    run()  # compiles
    for _ in range(ROUNDS):
        ours.append(cpu_rate(run, SECONDS) / 1e6)
        if port:
            *counts, rate = words_of(port, *arguments, SECONDS, text=text)
            if counts[: len(count())] != count():
                raise RuntimeError(f"the C++ program counts {counts}, our search {count()}")
            theirs.append(float(rate) / 1e6)
    return [label, *beside(ours, theirs, digits=1)]


def alpha_beta_speed():
    """Generated positions of connect four, in millions a CPU second."""
    game = connect_four.GAME._replace(evaluate=know_nothing)
    search, rows = kernel(alphabeta.make_search(game, ALPHA_BETA)), []
    with built(program_of("alphabeta.cpp")) as port:
        for columns, depth in POSITIONS:
            start = connect_four.new_state(map(int, columns))
            tree = alphabeta.new_tree(game, ALPHA_BETA, table_bits=1, depth=depth)

            def run(start=start, tree=tree):
                alphabeta.reset(tree)
                while not alphabeta.is_finished(tree):
                    search(SETUP, start, tree, 1_000_000)
                return alphabeta.summary(tree).generated

            def count(tree=tree):
                found = alphabeta.summary(tree)
                return [str(found.generated), str(found.value)]

            label = f"{columns or 'empty'}, {depth} plies"
            rows.append(in_turns(label, run, count, port, [columns or "-", depth]))
    title = f"Alpha-beta, million positions a CPU second, {ROUNDS} runs of each in turns"
    return title, ["columns played", "ours", "C++", "ratio"], rows


def annealing_speed():
    """Changes of a tour, in millions a CPU second."""
    problem, setup, root = new_problem(CITIES), new_cities(CITIES, 1), int_buffer(range(CITIES))
    search = kernel(annealing.make_search(problem, ANNEALING))
    tree = annealing.new_tree(problem, ANNEALING)

    def run():
        annealing.reset(tree)
        seed_rng(tree.counters, 1)
        while not annealing.is_finished(tree):
            search(setup, root, tree, 50_000)
        return annealing.summary(tree).steps

    def count():
        found = annealing.summary(tree)
        return [str(found.kept), f"{-found.best:.3f}"]

    numbers = [ANNEALING.steps, ANNEALING.hot, ANNEALING.cold]
    with built(program_of("annealing.cpp")) as port:
        text = " ".join(map(str, setup))
        row = in_turns(f"{CITIES} cities", run, count, port, numbers, text)
    title = f"Annealing, million changes a CPU second, {ROUNDS} runs of each in turns"
    return title, ["tour", "ours", "C++", "ratio"], [row]
