"""Coders Strike Back: a line for each of its kernels."""

from bots.coders_strike_back import mutation, smitsimax
from bots.coders_strike_back.game import assign_roles
from shared.core import jit
from shared.core.jit import njit
from shared.core.rng import random_below, seed_rng
from shared.games.coders_strike_back import sim
from shared.games.coders_strike_back.maps import new_course
from shared.games.coders_strike_back.state import TURN, new_setup, new_state
from tests.parity.digests import digest


def trace():
    apply = njit(lambda setup, state, moves: sim.apply(setup, state, moves))
    points = njit(lambda setup, state, pod: sim.race_points(setup, state, pod))
    for seed in (1, 2):
        checkpoints = new_course(seed)
        setup, state = new_setup(checkpoints, 3, 8), new_state(checkpoints)
        rng = jit.int_buffer(1)
        seed_rng(rng, seed)
        states = []
        for _ in range(60):
            moves = []
            for _ in range(4):
                command = (200, 200, 120, 0, sim.BOOST, sim.RAISE_SHIELD)[random_below(rng, 6)]
                moves += [random_below(rng, 16000), random_below(rng, 9000), command]
            apply(setup, state, jit.float_buffer(moves))
            states += [float(number) for number in (*state, *setup)]
            states += [points(setup, state, pod) for pod in range(4)]
        yield f"coders_strike_back moves {seed}", digest(states)

        assert state[TURN] == 60
        assign_roles(setup, state, 0.0)
        trees = smitsimax.new_trees(smitsimax.GAME, smitsimax.OPTIONS, 5000, seed)
        smitsimax.search(setup, state, trees, 60)
        yield f"coders_strike_back smitsimax {seed}", digest(*trees)
        population = mutation.new_population(mutation.GAME, mutation.OPTIONS, seed)
        mutation.search(setup, state, population, 60)
        yield f"coders_strike_back mutation {seed}", digest(*population)
