"""Annealing of a tour of cities: changes a second."""

import time

from shared.core.jit import int_buffer, kernel
from shared.search.solo import annealing
from tests.lab.measure import spread
from tests.support import tours

N_CITIES = 200
STEPS = 2_000_000
ROUNDS = 5


def speed_of_tours():
    """A table of million changes a second of CPU, and of the length that they lead to."""
    problem = tours.new_problem(N_CITIES)
    options = annealing.Options(hot=100.0, cold=1.0, steps=STEPS)
    search = kernel(annealing.make_search(problem, options))
    setup, first = tours.new_cities(N_CITIES, 1), int_buffer(range(N_CITIES))
    search(setup, first, annealing.new_tree(problem, options), 1)  # compiles
    rates = []
    for _ in range(ROUNDS):
        tree = annealing.new_tree(problem, options)
        begin = time.process_time()
        while not annealing.is_finished(tree):
            search(setup, first, tree, STEPS)
        rates.append(STEPS / (time.process_time() - begin) / 1e6)
    length = -annealing.summary(tree).best
    rows = [[f"{N_CITIES} cities", spread(rates, digits=1), f"{length:.0f}"]]
    return "annealing", ["tour", "million changes/s", "length"], rows
