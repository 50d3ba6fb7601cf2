"""SameGame: a line for the rules, the evaluation and each search of its bots."""

from random import Random

from bots.samegame import beam as bot
from bots.samegame.game import SAMPLED_GAME, new_taboo_setup
from shared.core.jit import Ints, int_buffer, kernel
from shared.games.samegame.game import GAME
from shared.games.samegame.maps import VALIDATORS
from shared.games.samegame.state import MAX_ACTIONS, new_setup, new_state, write_board
from shared.search.solo import beam, chokudai, nested, policy_adaptation, single_player_mcts
from tests.parity.digests import digest, digest_whole


@kernel
def step(setup: Ints, state: Ints, actions: Ints, choice: int) -> int:
    """Play one of the legal actions; returns how many there were."""
    n = GAME.legal(setup, state, actions)
    if n > 0:
        GAME.apply(setup, state, actions[choice % n], state)
    return n


@kernel
def look(setup: Ints, state: Ints, keys: Ints) -> float:
    """The evaluation; the key is written."""
    keys[0] = GAME.key(setup, state)
    return bot.GAME.evaluate(setup, state)


def trace():
    setup, state, actions = new_setup(), new_state(), int_buffer(MAX_ACTIONS)
    rng, keys = Random(3), int_buffer(1)
    write_board(VALIDATORS["Standard Testset 3"], state)
    counts, values, boards = [], [], []
    while n := int(step(setup, state, actions, rng.randrange(1000))):
        counts.append(n)
        values.append(look(setup, state, keys))
        boards += [*state, *keys]
    yield "samegame rules", digest_whole(counts, boards)
    yield "samegame evaluation", digest(values)

    options = beam.Options(40, noise=9.0, siblings=5, probe=4, passes=2)
    search = kernel(beam.make_search(bot.GAME, options))
    write_board(VALIDATORS["Standard Testset 4"], state)
    tree = beam.new_tree(bot.GAME, options)
    while not beam.is_finished(tree):
        beam.allot(tree, 6000 - int(tree.counters[beam.CHILDREN]))
        search(setup, state, tree, 500)
    yield "samegame beam", digest(tree.values, tree.numbers, tree.plan, tree.branching)
    yield "samegame beam's positions", digest_whole(tree.states, tree.history, tree.counters)

    for name, module, options, more in (
        ("chokudai", chokudai, chokudai.Options(20, 1000), ()),
        ("nested", nested, nested.Options(level=2), ()),
        ("policy adaptation", policy_adaptation, policy_adaptation.Options(2, 5), ()),
        ("sp-mcts", single_player_mcts, single_player_mcts.Options(best_share=0.1), (3000,)),
    ):
        search = kernel(module.make_search(SAMPLED_GAME, options))
        tree = module.new_tree(SAMPLED_GAME, options, *more)
        for n in (15, 10):
            search(new_taboo_setup(state), state, tree, n)
        yield f"samegame {name}", digest(*tree)
