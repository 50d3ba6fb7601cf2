"""Searches of games in turns with chance, hidden information and double moves, and a retrograde
table: a line for each.
"""

from shared.core.jit import kernel
from shared.games.dots_and_boxes import game as dots
from shared.games.kuhn_poker import game as kuhn
from shared.games.pig import game as pig
from shared.search import alphabeta, retrograde
from shared.search.double_moves import first_state, with_passes
from shared.search.turns import expectimax, information_set, turn_uct
from tests.parity.digests import digest, digest_whole
from tests.support import rook_endgame


def trace():
    setup, root = pig.new_setup(8, 4, 2), pig.new_state((1, 2), 2, 1)
    whole = expectimax.Options(depth=9)
    search = kernel(expectimax.make_search(pig.GAME, whole))
    tree = expectimax.new_tree(pig.GAME, whole, table_bits=8)
    search(setup, root, tree, 1500)
    yield "expectimax", digest(*tree)

    options = turn_uct.Options(exploration=0.7, rollout_plies=6, max_depth=30)
    search = kernel(turn_uct.make_search(pig.GAME, options))
    tree = turn_uct.new_tree(pig.GAME, options, 3000)
    search(setup, root, tree, 500)
    yield "uct in turns", digest(*tree)

    smooth = information_set.Options(smooth=0.01, scale=2.0)
    search = kernel(information_set.make_search(kuhn.GAME, smooth))
    tree = information_set.new_tree(kuhn.GAME, smooth, 5)
    search(kuhn.new_setup(), kuhn.new_state(), tree, 700)
    yield "information sets", digest(*tree)

    game, setup = with_passes(dots.GAME), dots.new_setup(2, 2)
    options = alphabeta.Options(killers=3, history=2)
    search = kernel(alphabeta.make_search(game, options))
    tree = alphabeta.new_tree(game, options, table_bits=8, depth=12)
    search(setup, first_state(dots.GAME, setup, dots.new_state(setup, [0, 2])), tree, 3000)
    yield "double moves", digest_whole(*tree)

    endgame, setup = rook_endgame.new_endgame(3), rook_endgame.new_setup(3)
    settle, tree = kernel(retrograde.make_pass(endgame)), retrograde.new_tree(endgame)
    while not retrograde.is_finished(tree):
        settle(setup, tree)
    yield "retrograde table", digest(*tree)
