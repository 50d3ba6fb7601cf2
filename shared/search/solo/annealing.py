"""Simulated annealing: random changes of a solution, of which bad ones are kept ever more seldom.

Source: S. Kirkpatrick, C. Gelatt and M. Vecchi, "Optimization by Simulated Annealing" (Science 220,
1983). A change that loses d points is kept with probability exp(-d / T); the temperature T falls
from `hot` to `cold` geometrically over the steps of a run. `allot` sets how many steps are left, so
that the temperature follows a clock. A run that is complete is followed by the next one, from the
best solution.
"""

import math
from typing import Any, Callable, NamedTuple

from ...core.jit import (
    AT_HOME,
    Floats,
    Function,
    Ints,
    copy_numbers,
    float_buffer,
    inline,
    int_buffer,
)
from ...core.rng import random_unit, seed_rng

RNG, STEPS, RUN_STEPS, RUN_LENGTH, RUNS, KEPT, STATUS, N_COUNTERS = range(8)
NEW, RUNNING, FINISHED, NOT_FINITE = range(4)
SCORE, BEST, TEMPERATURE, N_NUMBERS = range(4)
# Steps between two looks at the temperature: exp takes longer than a change.
COOLING_STEPS = 64


@inline
def do_nothing(setup: Any, solution: Ints, undo: Ints) -> None:
    """Do nothing, as a `take_back` or `keep` that is not needed."""


class AnnealedProblem(NamedTuple):
    """A problem whose solutions are int64 buffers, the higher its score the better.

    change(setup, solution, rng, undo) -> gain  changes a solution at random; returns the gain in
                                                score; writes into `undo` the way back
    take_back(setup, solution, undo)            takes the change back
    score(setup, solution) -> number            rates the solution
    keep(setup, solution, undo)                 completes a change that is kept

    Most changes are taken back. If the gain is known without it, let `change` only write the change
    into `undo`, `keep` carry it out, and `take_back` be `do_nothing`: a tour of 200 cities is
    annealed at twice the speed.
    """

    solution_size: int
    undo_size: int
    change: Function
    take_back: Function
    score: Function
    keep: Function = do_nothing


class Options(NamedTuple):
    """Options of a search. hot, cold: temperatures at the start and end of a run, in points, hot >=
    cold > 0. steps: the length of a run, unless `allot` sets it. runs: the number of runs.
    """

    hot: float
    cold: float
    steps: int = 1_000_000
    runs: int = 1


class Tree(NamedTuple):
    """The state of a search: there is no tree. Letters: S numbers of a solution, U of an undo.

    counters [7]   random state, steps in all, steps in the run, its length, runs complete,
                   changes kept, status
    numbers  [3]   scores of the solution and the best one; temperature
    solution [S]
    best     [S]   the best solution met
    undo     [U]
    """

    counters: Ints
    numbers: Floats
    solution: Ints
    best: Ints
    undo: Ints


def new_tree(game: AnnealedProblem, options: Options, seed: int = 1) -> Tree:
    """Returns the buffers of a new search."""
    tree = Tree(
        counters=int_buffer(N_COUNTERS),
        numbers=float_buffer(N_NUMBERS),
        solution=int_buffer(game.solution_size),
        best=int_buffer(game.solution_size),
        undo=int_buffer(max(game.undo_size, 1)),
    )
    seed_rng(tree.counters, seed)
    return tree


def reset(tree: Tree) -> None:
    """Discard all steps; the random stream continues."""
    for counter in range(STEPS, N_COUNTERS):
        tree.counters[counter] = 0


def allot(tree: Tree, n_steps: int) -> None:
    """Let the run end after so many more steps: its temperature follows."""
    tree.counters[RUN_LENGTH] = max(1, int(tree.counters[RUN_STEPS]) + n_steps)


def make_search(game: AnnealedProblem, options: Options) -> Callable[[Ints, Ints, Tree, int], None]:
    """search(setup, root, tree, n), for `kernel`, makes n more steps from the solution `root`.

    The result does not depend on their division into calls, unless `allot` is called in between.
    """
    change, take_back, score, keep = game.change, game.take_back, game.score, game.keep
    size, hot, fall = game.solution_size, options.hot, math.log(options.cold / options.hot)
    n_steps, n_runs = options.steps, options.runs

    @inline
    def begin(setup: Any, root: Ints, tree: Tree) -> None:
        """Begin with the given solution."""
        copy_numbers(root, 0, tree.solution, 0, size)
        copy_numbers(root, 0, tree.best, 0, size)
        tree.numbers[SCORE] = tree.numbers[BEST] = 1.0 * score(setup, tree.solution)
        tree.counters[STATUS] = RUNNING
        if tree.counters[RUN_LENGTH] == 0:
            tree.counters[RUN_LENGTH] = n_steps

    @inline
    def end_run(tree: Tree) -> None:
        """Begin the next run, if there is one, from the best solution."""
        counters = tree.counters
        counters[RUNS] += 1
        if counters[RUNS] == n_runs:
            counters[STATUS] = FINISHED
            return
        counters[RUN_STEPS] = 0
        copy_numbers(tree.best, 0, tree.solution, 0, size)
        tree.numbers[SCORE] = tree.numbers[BEST]

    def search(setup: Ints, root: Ints, tree: Tree, n: int) -> None:
        counters, numbers = tree.counters, tree.numbers
        if counters[STATUS] == NEW:
            begin(setup, root, tree)
        for _ in range(n):
            if counters[STATUS] != RUNNING:
                break
            if counters[RUN_STEPS] % COOLING_STEPS == 0:
                share = counters[RUN_STEPS] / counters[RUN_LENGTH]
                numbers[TEMPERATURE] = hot * math.exp(fall * min(share, 1.0))
            gain = 1.0 * change(setup, tree.solution, counters, tree.undo)
            counters[STEPS] += 1
            counters[RUN_STEPS] += 1
            if not (-1e300 < gain < 1e300):
                take_back(setup, tree.solution, tree.undo)
                counters[STATUS] = NOT_FINITE
            elif gain >= 0.0 or random_unit(counters) < math.exp(gain / numbers[TEMPERATURE]):
                keep(setup, tree.solution, tree.undo)
                counters[KEPT] += 1
                numbers[SCORE] += gain
                if numbers[SCORE] > numbers[BEST]:
                    numbers[BEST] = numbers[SCORE]
                    copy_numbers(tree.solution, 0, tree.best, 0, size)
            else:
                take_back(setup, tree.solution, tree.undo)
            if counters[STATUS] == RUNNING and counters[RUN_STEPS] >= counters[RUN_LENGTH]:
                end_run(tree)

    return search


def is_finished(tree: Tree) -> bool:
    """Returns True if all runs are complete. Raises ValueError for a non-finite gain."""
    if tree.counters[STATUS] == NOT_FINITE:
        raise ValueError(
            f"change returned no finite gain in step {int(tree.counters[STEPS])}; the best solution"
            " so far is kept"
        )
    return bool(tree.counters[STATUS] == FINISHED)


def best_solution(tree: Tree) -> "list[int]":
    """The best solution met."""
    return [int(number) for number in tree.best]


class Summary(NamedTuple):
    """The counts of a search since `reset`, and the scores of its solution and of its best one.

    The scores are sums of gains, and may differ from `score` by rounding.
    """

    steps: int
    kept: int
    runs: int
    score: float
    best: float


def summary(tree: Tree) -> Summary:
    """Returns a `Summary`."""
    return Summary(
        steps=int(tree.counters[STEPS]),
        kept=int(tree.counters[KEPT]),
        runs=int(tree.counters[RUNS]),
        score=float(tree.numbers[SCORE]),
        best=float(tree.numbers[BEST]),
    )


if AT_HOME:
    from ...search.checks.limits import check_calls

    check_calls(globals())
