"""X-mas Rush: a line for each of its kernels."""

from bots.xmas_rush import game as turns
from shared.core import jit
from shared.core.jit import njit
from shared.core.rng import random_below, seed_rng
from shared.games.xmas_rush import sim, state
from shared.games.xmas_rush.maps import new_game
from tests.parity.digests import digest_whole


def trace():
    apply = njit(lambda setup, root, joint_action: turns.apply_actions(setup, root, joint_action))
    legal = njit(lambda setup, root, actions: turns.legal(setup, root, 1, actions))
    begin_turn = njit(lambda root: sim.begin_turn(root))

    @njit
    def push(root):
        sim.push_turn(root, 5, 18)
        sim.begin_turn(root)

    setup, trial = turns.new_setup(), state.new_state()
    joint_action, actions = jit.int_buffer(2), jit.int_buffer(turns.MAX_ACTIONS)
    rng = jit.int_buffer(1)
    seed_rng(rng, 7)
    for league in (2, 6):
        root, _ = new_game(league, league)
        begin_turn(root)
        states = []
        for i in range(12):
            if i % 6 == 0:
                turns.prepare_turn(setup, root, trial, True)
                states += [int(number) for number in setup]
            for player in range(2):
                joint_action[player] = random_below(rng, state.N_PUSHES)
            apply(setup, root, joint_action)
            states += [int(number) for number in root]
        push(root)
        turns.prepare_turn(setup, root, trial, True)
        n = legal(setup, root, actions)
        joint_action[0], joint_action[1] = turns.sample(setup, root, 0, rng), actions[n - 1]
        apply(setup, root, joint_action)
        yield f"xmas_rush turns {league}", digest_whole(states, actions, root)
