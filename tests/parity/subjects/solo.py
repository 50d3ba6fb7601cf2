"""Searches of games for one player, on SameGame: a line for each."""

from bots.samegame.game import SAMPLED_GAME, new_taboo_setup
from shared.core.jit import kernel
from shared.games.samegame.maps import VALIDATORS
from shared.games.samegame.state import new_state, write_board
from shared.search.solo import chokudai, nested, policy_adaptation, single_player_mcts
from tests.parity.digests import digest


def trace():
    state = new_state()
    write_board(VALIDATORS["Standard Testset 4"], state)
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
        yield name, digest(*tree)
