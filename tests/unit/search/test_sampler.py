"""The sampler, on games with a known best move."""

from functools import cache
from typing import NamedTuple

import pytest

from shared.core.jit import Floats, Ints, float_buffer, inline, int_buffer, kernel
from shared.search.sampler import (
    ITERATIONS,
    N_CONVERGED,
    Options,
    SampledGame,
    make_best_actions,
    make_search,
    new_trees,
    reset,
)


class Board(NamedTuple):
    """A small game: agent 0 guesses agent 1's move, of three; agent 2 has a best one,
    agent 3 no choice.
    """

    moves: Ints
    payoffs: Floats


@inline
def lift(board, agent):
    board.moves[agent] = board.moves[agent]


@inline
def open_moves(board, agent):
    return 7 if agent < 2 else 5 if agent == 2 else 1


@inline
def judge(board, agent, scores):
    for move in range(3):
        if agent == 2:
            scores[move] = board.payoffs[move]
        elif agent == 0:
            scores[move] = 1.0 if move == board.moves[1] else 0.0
        else:
            scores[move] = 0.0 if move == board.moves[0] else 1.0


@inline
def put(board, agent, move):
    board.moves[agent] = move


@inline
def current(board, agent):
    return board.moves[agent]


@inline
def context(board, agent):
    return board.moves[1 - agent] if agent < 2 else 0


GAME = SampledGame(3, Board, lift, open_moves, judge, put, current, context, n_contexts=3)


@cache
def compiled(options):
    return kernel(make_search(GAME, options)), kernel(make_best_actions(GAME, options))


def run(options, n, slices=(1,), n_agents=3, seed=1):
    """Sample the game; returns the agents' final moves."""
    sample, settle = compiled(options)
    board = Board(int_buffer(4), float_buffer([1.0, 9.0, 2.0]))
    samples = new_trees(GAME, options, n_agents, seed)
    taken = 0
    while taken < n:
        for part in slices:
            sample(board, samples, n_agents, min(part, n - taken))
            taken += min(part, n - taken)
    settle(board, samples, 0, n_agents)
    return samples, [int(move) for move in board.moves]


ALL = {
    "plain": Options(),
    "all the others": Options(alpha=0.0, by_context=True, minimum=True, decay=0.9, converged=1.0),
    "Gibbs, by the mean": Options(temperature=0.5, mean=True),
}


@pytest.mark.slow("compiles a search for each form", keep=1)
@pytest.mark.parametrize("name", ALL)
def test_the_best_open_move_is_found(name):
    """Move 1 would be the best of agent 2, but is not open."""
    _, moves = run(ALL[name], 400)
    assert moves[2] == 2


def test_an_agent_that_has_converged_takes_part_no_more():
    samples, _ = run(Options(), 4000)
    assert samples.counters[N_CONVERGED] == 1 and list(samples.kept) == [-1, -1, 2]
    assert samples.counts[8] < 100


def test_where_there_is_no_choice_nothing_is_counted():
    samples, _ = run(Options(), 400, n_agents=4)
    assert list(samples.counts[9:]) == [Options().alpha] * 3


def test_two_against_each_other_do_not_settle_on_one_move():
    samples, _ = run(Options(), 3000)
    for agent in (0, 1):
        counts = [float(count) for count in samples.counts[3 * agent : 3 * agent + 3]]
        assert min(counts) > 0.15 * sum(counts)


def test_where_all_have_converged_sampling_ends():
    options = Options()
    sample, _ = compiled(options)
    board = Board(int_buffer(4), float_buffer(3))
    samples = new_trees(GAME, options, 3)
    sample(board, samples, 1, 5000)
    assert samples.counters[N_CONVERGED] == 1 and samples.counters[ITERATIONS] < 200
    reset(samples)
    sample(board, samples, 1, 10)
    assert samples.counters[ITERATIONS] == 10 and samples.counters[N_CONVERGED] == 0


@pytest.mark.slow("compiles a search more")
@pytest.mark.parametrize("name", ALL)
def test_the_result_does_not_depend_on_the_division_into_slices(name):
    at_once, moves = run(ALL[name], 300, (300,))
    for slices in ((1,), (7, 3), (299, 1), (50, 120)):
        samples, others = run(ALL[name], 300, slices)
        assert moves == others
        for one, other in zip(at_once, samples):
            assert list(one) == list(other)
