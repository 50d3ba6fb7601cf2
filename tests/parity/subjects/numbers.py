"""The searches of solutions that are no line of actions: annealing, evolution of one team."""

from shared.core.jit import int_buffer, kernel
from shared.search import evolution
from shared.search.solo import annealing
from tests.parity.digests import digest
from tests.support import lander, tours

N_CITIES = 40


def trace():
    problem = tours.new_problem(N_CITIES)
    options = annealing.Options(hot=100.0, cold=1.0, steps=2000, runs=2)
    search = kernel(annealing.make_search(problem, options))
    tree = annealing.new_tree(problem, options)
    setup, root = tours.new_cities(N_CITIES, 4), int_buffer(range(N_CITIES))
    while not annealing.is_finished(tree):
        search(setup, root, tree, 700)
    yield "annealing", digest(*tree)

    planned = evolution.Options(depth=12, crossover=0.4)
    evolve = kernel(evolution.make_search(lander.GAME, planned))
    population = evolution.new_population(lander.GAME, planned)
    for n in (150, 250):
        evolve(lander.new_setup(), lander.new_state(), population, n)
    yield "evolution of one team", digest(*population)
