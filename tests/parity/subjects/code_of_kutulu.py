"""Code of Kutulu: a line for each of its kernels."""

from bots.code_of_kutulu import game as bot
from bots.code_of_kutulu import paranoid, policy, sequential
from shared.core import jit
from shared.core.jit import njit
from shared.core.rng import random_below, seed_rng
from shared.games.code_of_kutulu import maps, maze, state
from tests.parity.digests import digest, digest_whole


def new_game(seed, known_draws):
    """Returns (setup, state) of a game as bots know it; known_draws: with the engine's random
    numbers.
    """
    rows, _, start = maps.new_game(seed)
    setup = maze.new_maze(rows, 4, 2, 3, 35, size=bot.SETUP_SIZE)
    bot.prepare_maze(setup)
    root = jit.int_buffer(sequential.SEQUENTIAL_SIZE)
    for i in range(state.STATE_SIZE):
        root[i] = start[i]
    if not known_draws:
        root[state.SEED] = state.NO_SEED
    return setup, root


def trace():
    game = bot.make_game(bot.Weights())
    draw, evaluate_state = game.sample, game.evaluate
    apply = njit(lambda setup, root, joint_action: bot.apply_actions(setup, root, joint_action))
    legal = njit(lambda setup, root, actions: bot.legal(setup, root, 1, actions))
    sample = njit(lambda setup, root, rng: draw(setup, root, 2, rng))
    evaluate = njit(lambda setup, root, scores: evaluate_state(setup, root, scores))
    foresee = njit(lambda setup, root, player, rng: policy.foresee(setup, root, player, rng))
    choose = njit(
        lambda setup, root, action, after: sequential.apply_in_turn(setup, root, action, after)
    )

    rng, joint_action = jit.int_buffer(1), jit.int_buffer(state.N_PLAYERS)
    actions, scores = jit.int_buffer(state.N_ACTIONS), jit.float_buffer(state.N_PLAYERS)
    after = jit.int_buffer(sequential.SEQUENTIAL_SIZE)
    for seed, known_draws in ((1, True), (2, False)):
        setup, root = new_game(seed, known_draws)
        seed_rng(rng, seed)
        setup[bot.FIRST_TURN] = 30
        found, worth = [int(number) for number in setup[: maze.LIT_CELLS]], []
        for _ in range(55):
            for player in range(state.N_PLAYERS):
                joint_action[player] = random_below(rng, state.N_ACTIONS)
            joint_action[2] = sample(setup, root, rng)
            joint_action[3] = foresee(setup, root, 3, rng)
            apply(setup, root, joint_action)
            n = legal(setup, root, actions)
            evaluate(setup, root, scores)
            found += [int(number) for number in root] + [int(number) for number in actions[:n]]
            worth += [float(score) for score in scores]
        yield f"code_of_kutulu turns {seed}", digest_whole(found, root)
        yield f"code_of_kutulu evaluation {seed}", digest(worth)

    setup, root = new_game(3, False)
    keys = []
    for turn in range(80):
        choose(setup, root, 1 + turn % 4, after)
        root, after = after, root
        keys.append(sequential.key(setup, root))
    yield "code_of_kutulu sequential", digest_whole(root, keys)

    setup, root = new_game(4, False)
    setup[bot.FIRST_TURN] = root[state.TURN]
    tree = paranoid.new_tree(paranoid.GAME, paranoid.OPTIONS, 8)
    for n in (400, 800):
        paranoid.search(setup, root, tree, n)
    yield "code_of_kutulu paranoid", digest(*tree)
