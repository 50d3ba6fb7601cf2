"""Provisional moves of Ants: for any order of moves, sets and scores equal a fresh computation."""

from random import Random

import pytest

from bots.ants.combat import (
    AGENT,
    MAX_PAIRS,
    N_AGENTS,
    N_MOVES,
    N_OWN,
    Field,
    judge,
    lift,
    open_moves,
    put,
)
from shared.core.jit import Floats, float_buffer, kernel
from tests.support.ants_fields import enemies_of, place, random_field, score

pytestmark = pytest.mark.slow("compiles the whole sampler of Ants")


@kernel
def judge_moves(field: Field, agent: int, scores: Floats) -> int:
    """Judge an agent's moves and leave it in place."""
    move = field.moves[agent]
    lift(field, agent)
    bits = open_moves(field, agent)
    judge(field, agent, scores)
    put(field, agent, move)
    return bits


@kernel
def go(field: Field, agent: int, move: int) -> None:
    lift(field, agent)
    put(field, agent, move)


def check(field, rows, cols):
    """Compare contacts, and the scores of all moves of all agents, with fresh ones."""
    n_own, n_agents = field.numbers[N_OWN], field.numbers[N_AGENTS]
    fresh = enemies_of(field, rows, cols)
    for agent in range(n_agents):
        first, contacts = MAX_PAIRS * agent, int(field.contacts[agent])
        found = [int(field.pairs[first + i]) & AGENT for i in range(63) if contacts >> i & 1]
        assert sorted(found) == fresh[agent] and field.n_near[agent] == len(fresh[agent])
    scores = float_buffer(N_MOVES)
    for agent in range(n_agents):
        before = int(field.moves[agent])
        bits = judge_moves(field, agent, scores)
        taken = {place(field, other) for other in range(n_agents) if other != agent}
        expected = {}
        for move in range(N_MOVES):
            cell = int(field.targets[agent * N_MOVES + move])
            assert bool(bits >> move & 1) == (cell >= 0 and cell not in taken)
            if bits >> move & 1:
                field.moves[agent] = move
                sign = 1 if agent < n_own else -1
                expected[move] = sign * score(field, rows, cols)
        field.moves[agent] = before
        for move, fresh_score in expected.items():
            difference = fresh_score - expected[before]
            assert scores[move] - scores[before] == difference, (agent, move)


@pytest.mark.exhaustive("golden games compare the sampler with plain Python")
@pytest.mark.parametrize("seed", range(12))
def test_any_sequence_of_moves_equals_a_fresh_computation(seed):
    rng = Random(seed)
    rows, cols = rng.randint(9, 13), rng.randint(9, 16)
    field = random_field(rng, rows, cols, rng.choice((2, 6, 14, 26, 34)))
    check(field, rows, cols)
    n_agents = int(field.numbers[N_AGENTS])
    for _ in range(3):
        for _ in range(25):
            agent = rng.randrange(n_agents)
            taken = {place(field, other) for other in range(n_agents) if other != agent}
            cells = [int(field.targets[agent * N_MOVES + move]) for move in range(N_MOVES)]
            moves = [m for m, cell in enumerate(cells) if cell >= 0 and cell not in taken]
            go(field, agent, rng.choice(moves))
        check(field, rows, cols)
