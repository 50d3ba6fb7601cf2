"""Searches of games in turns with chance, hidden information and double moves, and a retrograde
table: a line for each.
"""

from shared.core.jit import int_buffer, kernel
from shared.search import alphabeta, retrograde
from shared.search.double_moves import first_state, with_passes
from shared.search.turns import expectimax, information_set, turn_uct
from tests.parity.digests import digest, digest_whole
from tests.support.games import heap
from tests.support.games import kuhn_poker as kuhn
from tests.support.random_turns import RANDOM, new_setup

# ---- Kernels, where the bundler looks for them

WHOLE = expectimax.Options(depth=9)
UCT = turn_uct.Options(exploration=0.7, rollout_plies=6, max_depth=30)
SMOOTH = information_set.Options(smooth=0.01, score_scale=2.0)
KILLERS = alphabeta.Options(killers=3, history=2)
PASSING = with_passes(heap.GAME)
ENDGAME = heap.new_endgame(60)
search_whole = kernel(expectimax.make_search(RANDOM, WHOLE))
search_turns = kernel(turn_uct.make_search(RANDOM, UCT))
search_sets = kernel(information_set.make_search(kuhn.GAME, SMOOTH))
search_passing = kernel(alphabeta.make_search(PASSING, KILLERS))
settle = kernel(retrograde.make_pass(ENDGAME))


def trace():
    setup, root = new_setup(9, plies=12), int_buffer([9, 0])
    tree = expectimax.new_tree(RANDOM, WHOLE, table_bits=8)
    search_whole(setup, root, tree, 1500)
    yield "expectimax", digest(*tree)

    tree = turn_uct.new_tree(RANDOM, UCT, 3000)
    search_turns(setup, root, tree, 500)
    yield "uct in turns", digest(*tree)

    tree = information_set.new_tree(kuhn.GAME, SMOOTH, 5)
    search_sets(kuhn.new_setup(), kuhn.new_state(), tree, 700)
    yield "information sets", digest(*tree)

    setup = heap.new_setup(3, more=3)
    tree = alphabeta.new_tree(PASSING, KILLERS, table_bits=8, depth=12)
    root = first_state(heap.GAME, setup, heap.new_state(30))
    search_passing(setup, root, tree, 3000)
    yield "double moves", digest_whole(*tree)

    setup, tree = heap.new_setup(), retrograde.new_tree(ENDGAME)
    while not retrograde.is_finished(tree):
        settle(setup, tree)
    yield "retrograde table", digest(*tree)
