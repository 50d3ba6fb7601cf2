"""Fights in Ants: the value of own ants' moves against all replies."""

from itertools import product
from random import Random

import pytest

from bots.ants.clash import Fight, begin, new_clash, settle
from bots.ants.combat import HOLD, N_AGENTS, N_MOVES, N_OWN
from bots.ants.memory import new_memory
from shared.games.ants.protocol import Start
from shared.games.ants.state import Radii
from tests.support.ants_fields import field_of, near

pytestmark = pytest.mark.slow("compiles the local fights of Ants; golden games show any change")

FIGHT = Fight(push=0.0)


def decide(rows, cols, own, enemies, water, worths):
    """Returns the field after all groups have decided."""
    field = field_of(rows, cols, own, enemies, water)
    for i, worth in enumerate(worths):
        field.worth[i] = worth
    memory = new_memory(Start(1000, rows, cols, Radii()))
    for i, cell in enumerate(own):
        memory.own[i] = cell
    clash = new_clash(FIGHT, len(own) + len(enemies))
    begin(field, clash)
    while settle(memory, field, clash, FIGHT.choosing, 10**6):
        pass
    return field


def fates(own, enemies, rows, cols):
    """Returns the dead of both sides for ants on these cells, as two sets of numbers."""
    of_own = [[j for j, there in enumerate(enemies) if near(c, there, rows, cols)] for c in own]
    of_foe = [[i for i, here in enumerate(own) if near(c, here, rows, cols)] for c in enemies]
    dead = {i for i, foes in enumerate(of_own) if any(len(of_foe[j]) <= len(foes) for j in foes)}
    gone = {j for j, ants in enumerate(of_foe) if any(len(of_own[i]) <= len(ants) for i in ants)}
    return dead, gone


def steps(field, agent):
    """Returns the cells that an ant may step to by its five moves, None for a closed one."""
    cells = [int(field.targets[agent * N_MOVES + move]) for move in range(N_MOVES)]
    return [cell if cell >= 0 else None for cell in cells]


def replies(field):
    """Yields every list of enemies' cells, no two alike."""
    n_own, n_agents = int(field.numbers[N_OWN]), int(field.numbers[N_AGENTS])
    open_steps = [[c for c in steps(field, foe) if c is not None] for foe in range(n_own, n_agents)]
    return (cells for cells in product(*open_steps) if len(set(cells)) == len(cells))


def value_of(field, cells, moves, rows, cols):
    """The least value of own moves over all replies, from the rules alone, and by `hope` that if
    all enemies stay.
    """
    n_own = len(cells)
    alive = [FIGHT.loss + field.worth[i * N_MOVES + move] for i, move in enumerate(moves)]

    def value(reply):
        dead, gone = fates(cells, reply, rows, cols)
        prizes = [FIGHT.kill - 1.0 - field.worth[(n_own + j) * N_MOVES + HOLD] for j in gone]
        return sum(prizes) + sum(share for i, share in enumerate(alive) if i not in dead)

    stay = [steps(field, foe)[HOLD] for foe in range(n_own, int(field.numbers[N_AGENTS]))]
    return min(map(value, replies(field))) + FIGHT.hope * value(stay)


@pytest.mark.parametrize("seed", range(12))
def test_a_group_finds_the_best_of_all_joint_moves(seed):
    """Three against three on a dense field, with values of moves at random."""
    rng = Random(seed)
    rows = cols = 20
    own = [row * cols + 8 for row in rng.sample(range(6, 12), 3)]
    enemies = [row * cols + 12 for row in rng.sample(range(6, 12), 3)]
    water = [8 * cols + 9] if seed % 2 else []
    worths = [5 + rng.randrange(8) / 8 for _ in range(3 * N_MOVES)] + [-1.0] * 3 * N_MOVES
    field = decide(rows, cols, own, enemies, water, worths)
    moves = [int(field.moves[ant]) for ant in range(3)]
    cells = [steps(field, ant)[move] for ant, move in enumerate(moves)]
    found = value_of(field, cells, moves, rows, cols)
    best = -float("inf")
    # Ants that can meet no enemy are left where the sampler placed them.
    tried = [range(N_MOVES) if field.n_pairs[ant] else [moves[ant]] for ant in range(3)]
    for joint in product(*tried):
        there = [steps(field, ant)[move] for ant, move in enumerate(joint)]
        if None not in there and len(set(there)) == 3:
            best = max(best, value_of(field, there, joint, rows, cols))
    assert found == pytest.approx(best)
