"""A digest of what every kernel of the project computes, for comparing the ways of running in
separate processes.

`python -m tests.parity.trace` prints a line a subject: its name and a hash of all numbers to the
last bit. In plain Python all buffers are `CheckedBuffer`s, which is why what makes buffers is only
imported when its subject is traced.
"""

import hashlib
import struct

from shared.core import jit
from shared.core.jit import kernel, njit
from shared.core.rng import random_below, random_bits, random_unit, seed_rng


class CheckedBuffer(list):
    """A buffer that refuses every index beyond it, and negative ones, which compiled code would
    not refuse either.
    """

    def check(self, index):
        if not isinstance(index, slice) and not 0 <= index < len(self):
            raise IndexError(f"index {index} of a buffer of {len(self)}")

    def __getitem__(self, index):
        self.check(index)
        return super().__getitem__(index)

    def __setitem__(self, index, value):
        self.check(index)
        super().__setitem__(index, value)


def check_buffers():
    """Have all buffers checked from now on, for the modules that are imported from now on."""
    for name in ("float_buffer", "int_buffer"):
        new_buffer = getattr(jit, name)
        setattr(jit, name, lambda values, new_buffer=new_buffer: CheckedBuffer(new_buffer(values)))


def digest(*buffers):
    """A hash of numbers to the last bit; zeros are equal whatever their sign."""
    return hashlib.sha256(
        b"".join(struct.pack("<d", float(number) + 0.0) for buffer in buffers for number in buffer)
    ).hexdigest()[:16]


def digest_whole(*buffers):
    """A hash of whole numbers of 64 bits."""
    return hashlib.sha256(
        b"".join(struct.pack("<q", int(number)) for buffer in buffers for number in buffer)
    ).hexdigest()[:16]


def trace_rng():
    rng = jit.int_buffer(1)
    seed_rng(rng, 42)
    numbers = []
    for n in range(1, 500):
        numbers += [random_bits(rng), random_below(rng, n), random_unit(rng)]
    yield "xorshift32", digest(numbers)


def trace_coders_strike_back():
    from bots.coders_strike_back import mutation, smitsimax
    from shared.games.coders_strike_back import sim
    from shared.games.coders_strike_back.evaluate import assign_roles
    from shared.games.coders_strike_back.maps import course
    from shared.games.coders_strike_back.state import TURN, new_setup, new_state

    play_commands = njit(lambda setup, state, moves: sim.play_commands(setup, state, moves))
    for seed in (1, 2):
        checkpoints = course(seed)
        setup, state = new_setup(checkpoints, 3, 8), new_state(checkpoints)
        rng = jit.int_buffer(1)
        seed_rng(rng, seed)
        states = []
        for _ in range(60):
            moves = []
            for _ in range(4):
                command = (200, 200, 120, 0, sim.BOOST, sim.RAISE_SHIELD)[random_below(rng, 6)]
                moves += [random_below(rng, 16000), random_below(rng, 9000), command]
            play_commands(setup, state, jit.float_buffer(moves))
            states += [float(number) for number in state]
        yield f"coders_strike_back moves {seed}", digest(states)

        assert state[TURN] == 60
        assign_roles(setup, state, 0.0)
        trees = smitsimax.new_trees(smitsimax.GAME, smitsimax.OPTIONS, 5000, seed)
        smitsimax.search(setup, state, trees, 60)
        yield f"coders_strike_back smitsimax {seed}", digest(*trees)
        plans = mutation.new_plans(mutation.GAME, mutation.OPTIONS, seed)
        mutation.evolve(setup, state, plans, 60)
        yield f"coders_strike_back mutation {seed}", digest(*plans)


def trace_xmas_rush():
    from shared.games.xmas_rush import sim, state, turns
    from shared.games.xmas_rush.maps import new_game

    apply = njit(lambda setup, root, joint_action: turns.apply_actions(setup, root, joint_action))
    legal = njit(lambda setup, root, actions: turns.legal_actions(setup, root, 1, actions))
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
        joint_action[0], joint_action[1] = turns.sample_action(setup, root, 0, rng), actions[n - 1]
        apply(setup, root, joint_action)
        yield f"xmas_rush turns {league}", digest_whole(states, actions, root)


def trace_infexion():
    from bots.infexion import greedy, mcts, minimax, report_mcts
    from shared.games.infexion.sim import N_ACTIONS, apply_action
    from shared.games.infexion.state import VIEWER, new_setup, new_state

    setup, state, after = new_setup(), new_state(), new_state()
    rng, actions = jit.int_buffer([7]), jit.int_buffer(N_ACTIONS)
    for turn in range(12):
        setup[VIEWER] = turn % 2
        action = int(greedy.choose(setup, state, rng, actions, after))
        apply_action(setup, state, action, state)
    yield "infexion greedy", digest(state, rng)

    tree = minimax.new_tree(minimax.GAME, minimax.OPTIONS, 6)
    minimax.search(setup, state, tree, 2000)
    minimax.search(setup, state, tree, 3000)
    yield "infexion minimax", digest(*tree)

    setup, state = new_setup(), new_state()
    tree = mcts.new_tree(mcts.GREEDY_GAME, mcts.OPTIONS, 20000)
    mcts.search(setup, state, tree, 150)
    yield "infexion mcts", digest(*tree)
    tree = report_mcts.new_tree()
    report_mcts.search(setup, state, tree, 3)
    yield "infexion report_mcts", digest(*tree)


def trace_smitsimax():
    from shared.search import smitsimax
    from shared.search.tree import spare_of
    from tests.toy_games import CORRIDOR

    options = smitsimax.Options(holds=(1,) * 4, rollout=False, scale=2.0)
    search = kernel(smitsimax.make_search(CORRIDOR, options))
    trees = smitsimax.new_trees(CORRIDOR, options, 3000)
    search(jit.float_buffer([1.0, 0.1]), jit.float_buffer(4), trees, 400)
    played, copy_trees = jit.int_buffer([2, -1, 2]), kernel(smitsimax.make_copy(CORRIDOR))
    trees, _ = smitsimax.reroot(trees, spare_of(trees), played, copy_trees)
    search(jit.float_buffer([1.0, 0.1]), jit.float_buffer(4), trees, 100)
    yield "smitsimax rerooted", digest(*trees)


def trace_monte_carlo():
    from shared.games.connect_four import game as connect_four
    from shared.search import flat_monte_carlo, mcts

    game, setup = connect_four.GAME, connect_four.new_setup()
    root = connect_four.new_state(setup, [3, 3, 2])
    everything = mcts.Options(
        exploration=0.7,
        rollout_plies=30,
        max_depth=20,
        score_scale=8.0,
        prior_visits=2.0,
        rave_visits=40.0,
        n_actions=connect_four.MAX_WIDTH,
    )
    search = kernel(mcts.make_search(game, everything))
    tree = mcts.new_tree(game, everything, 4000)
    search(setup, root, tree, 600)
    yield "uct", digest(*tree)
    played, copy = mcts.summary(tree).line[:1], kernel(mcts.copy_tree)
    tree, _ = mcts.reroot(tree, mcts.new_spare(tree), played, copy)
    search(setup, connect_four.new_state(setup, [3, 3, 2, 4]), tree, 100)
    yield "uct rerooted", digest(*tree)

    options = flat_monte_carlo.Options(rollout_plies=42)
    flat = kernel(flat_monte_carlo.make_search(game, options))
    samples = flat_monte_carlo.new_samples(game, options)
    flat(setup, root, samples, 200)
    yield "flat monte carlo", digest(*samples)


def main():
    print("compiled" if jit.COMPILED else "plain")
    if not jit.COMPILED:
        check_buffers()
    for subject in (
        trace_rng,
        trace_coders_strike_back,
        trace_infexion,
        trace_xmas_rush,
        trace_smitsimax,
        trace_monte_carlo,
    ):
        for name, value in subject():
            print(f"{name}: {value}")


if __name__ == "__main__":
    main()
