"""The travelling salesman's problem for annealing: a tour of cities is changed by turning a part of
it around (2-opt).

    setup    [2 N]  x and y of each city, then the number of cities is half of its length.
    solution [N]    the cities in the order of the tour.
    undo     [2]    the first and the last place of the part that was turned.
"""

import math
from itertools import permutations
from random import Random

from shared.core.jit import inline, int_buffer
from shared.core.rng import random_below
from shared.search.solo.annealing import AnnealedProblem


@inline
def distance(setup, a, b):
    dx, dy = setup[2 * a] - setup[2 * b], setup[2 * a + 1] - setup[2 * b + 1]
    return math.sqrt(dx * dx + dy * dy)


@inline
def turn(solution, first, last):
    while first < last:
        solution[first], solution[last] = solution[last], solution[first]
        first += 1
        last -= 1


@inline
def change(setup, solution, rng, undo):
    n = len(setup) // 2
    first = 1 + random_below(rng, n - 1)
    last = min(first + random_below(rng, 50), n - 1)
    before, after = solution[first - 1], solution[(last + 1) % n]
    old = distance(setup, before, solution[first]) + distance(setup, solution[last], after)
    new = distance(setup, before, solution[last]) + distance(setup, solution[first], after)
    turn(solution, first, last)
    undo[0], undo[1] = first, last
    return old - new


@inline
def take_back(setup, solution, undo):
    turn(solution, undo[0], undo[1])


@inline
def score(setup, solution):
    n, length = len(setup) // 2, 0.0
    for i in range(n):
        length += distance(setup, solution[i], solution[(i + 1) % n])
    return -length


def new_problem(n_cities):
    return AnnealedProblem(n_cities, 2, change, take_back, score)


def new_cities(n_cities, seed):
    rng = Random(seed)
    return int_buffer([rng.randrange(1000) for _ in range(2 * n_cities)])


def best_length(setup):
    """The length of the shortest tour, by trying all."""
    cities = range(1, len(setup) // 2)
    return min(-score(setup, int_buffer([0, *tour])) for tour in permutations(cities))
