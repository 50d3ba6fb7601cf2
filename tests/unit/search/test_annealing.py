"""Simulated annealing of tours, the shortest of which is known for few cities."""

from functools import cache

import pytest

from shared.core.jit import int_buffer, kernel
from shared.search.solo import annealing
from tests.support import tours

pytestmark = pytest.mark.slow("compiles a search that no other fast test uses")

FEW, MANY = 8, 200


@cache
def compiled(options, n_cities, new_problem=tours.new_problem):
    return kernel(annealing.make_search(new_problem(n_cities), options))


def annealed(options, setup, cut=10_000, seed=1, new_problem=tours.new_problem):
    n = len(setup) // 2
    tree = annealing.new_tree(new_problem(n), options, seed)
    while not annealing.is_finished(tree):
        compiled(options, n, new_problem)(setup, int_buffer(range(n)), tree, cut)
    return tree


def length_of(setup, tree):
    """Returns the length of the best tour, and checks that it visits each city once."""
    tour = annealing.best_solution(tree)
    assert sorted(tour) == [*range(len(setup) // 2)]
    return -tours.score(setup, int_buffer(tour))


@pytest.mark.parametrize("seed", range(6))
def test_the_shortest_tour_of_few_cities_is_found(seed):
    setup = tours.new_cities(FEW, seed)
    tree = annealed(annealing.Options(hot=300.0, cold=5.0, steps=20_000), setup)
    assert length_of(setup, tree) == pytest.approx(tours.best_length(setup))
    assert annealing.summary(tree).best == pytest.approx(-length_of(setup, tree))


@pytest.mark.slow("compiles a search more")
def test_it_does_better_than_descent_alone():
    """At a temperature of next to nothing only changes for the better are kept."""
    totals = []
    for hot in (60.0, 1e-6):
        options = annealing.Options(hot=hot, cold=min(hot, 1.0), steps=300_000)
        setups = [tours.new_cities(MANY, seed) for seed in range(5)]
        totals.append(sum(length_of(setup, annealed(options, setup)) for setup in setups))
    assert totals[0] < 0.97 * totals[1]


def test_a_change_may_be_made_when_it_is_kept_or_before():
    """Whatever the division into calls."""
    setup = tours.new_cities(FEW, 3)
    options = annealing.Options(hot=100.0, cold=1.0, steps=500, runs=3)
    late, early = tours.new_problem, tours.new_eager_problem
    trees = [
        annealed(options, setup, cut, 1, new) for cut in (1, 7, 10_000) for new in (late, early)
    ]
    assert len({(annealing.summary(tree), *tree.solution) for tree in trees}) == 1
    assert annealing.summary(trees[0]).runs == 3 and annealing.summary(trees[0]).steps == 1500


def test_a_clock_shortens_a_run():
    setup, options = tours.new_cities(FEW, 3), annealing.Options(hot=100.0, cold=1.0)
    tree = annealing.new_tree(tours.new_problem(FEW), options)
    search = compiled(options, FEW)
    for left in (5000, 4000, 2000, 1):
        annealing.allot(tree, left)
        search(setup, int_buffer(range(FEW)), tree, 1000)
    assert annealing.is_finished(tree) and annealing.summary(tree).steps == 3001
