"""The travelling salesman's problem for annealing: a tour of cities is changed by turning a part of
it around (2-opt).

    setup    [2 N]  x and y of each city, then the number of cities is half of its length.
    solution [N]    the cities in the order of the tour.
    undo     [2]    the first and the last place of the part that was turned.
"""

import math
from itertools import permutations
from random import Random

from shared.core.jit import inline, int_buffer, unsigned
from shared.core.rng import random_below
from shared.search.solo.annealing import AnnealedProblem, do_nothing


@inline
def distance(setup, a, b):
    at_a, at_b = unsigned(2 * a), unsigned(2 * b)
    dx, dy = setup[at_a] - setup[at_b], setup[at_a + 1] - setup[at_b + 1]
    return math.sqrt(dx * dx + dy * dy)


@inline
def turn(solution, first, last):
    while first < last:
        i, j = unsigned(first), unsigned(last)
        solution[i], solution[j] = solution[j], solution[i]
        first += 1
        last -= 1


@inline
def change(setup, solution, rng, undo):
    n = len(setup) // 2
    first = 1 + random_below(rng, n - 1)
    last = min(first + random_below(rng, 50), n - 1)
    before = solution[unsigned(first - 1)]
    after = solution[unsigned(last + 1 if last + 1 < n else 0)]
    start, end = solution[unsigned(first)], solution[unsigned(last)]
    old = distance(setup, before, start) + distance(setup, end, after)
    new = distance(setup, before, end) + distance(setup, start, after)
    undo[0], undo[1] = first, last
    return old - new


@inline
def keep(setup, solution, undo):
    turn(solution, undo[0], undo[1])


@inline
def score(setup, solution):
    n, length = len(setup) // 2, 0.0
    for i in range(n):
        length += distance(setup, solution[i], solution[(i + 1) % n])
    return -length


def new_problem(n_cities):
    return AnnealedProblem(n_cities, 2, change, do_nothing, score, keep)


@inline
def change_at_once(setup, solution, rng, undo):
    gain = change(setup, solution, rng, undo)
    keep(setup, solution, undo)
    return gain


def new_eager_problem(n_cities):
    """The same problem, whose changes are made before they are accepted."""
    return AnnealedProblem(n_cities, 2, change_at_once, keep, score)


def new_cities(n_cities, seed):
    rng = Random(seed)
    return int_buffer([rng.randrange(1000) for _ in range(2 * n_cities)])


def best_length(setup):
    """The length of the shortest tour, by trying all."""
    cities = range(1, len(setup) // 2)
    return min(-score(setup, int_buffer([0, *tour])) for tour in permutations(cities))
