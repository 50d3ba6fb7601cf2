"""Alpha-beta with each of its options on artificial games: a line for each set of options."""

from shared.core.jit import kernel
from shared.search import alphabeta
from shared.search.alphabeta import Options
from tests.parity.digests import digest_whole
from tests.support.alphabeta_trees import (
    DRIFT,
    GRAPH,
    RING,
    TREE,
    TREE_GAME,
    hushed,
    loud,
    new_root,
    new_setup,
)

QUIET_GAIN = 20  # the spread of these games' evaluations
REDUCED = Options(
    killers=9, history=40, aspiration=2, late_move_reductions=1, single_reductions=1, quiescence=2
)
PLAIN = Options(killers=5, order=False, aspiration=3, mate_distance=False)
REPEATED = Options(False, False, repetition=True, quiescence=1, principal_variation=False)
SEARCHES = {
    "reduced": (
        REDUCED,
        kernel(alphabeta.make_search(TREE_GAME, REDUCED, loud, hushed, QUIET_GAIN)),
    ),
    "plain": (PLAIN, kernel(alphabeta.make_search(TREE_GAME, PLAIN))),
    "repeated": (REPEATED, kernel(alphabeta.make_search(TREE_GAME, REPEATED, loud))),
}
GAMES = [
    new_setup(TREE, 5, loud=3, ends=40),
    new_setup(GRAPH, 6, seed=4, ends=30),
    new_setup(DRIFT, 6, seed=6, loud=4),
    new_setup(TREE, 3, plies=6, seed=2),
    new_setup(RING),
]


def trace():
    for name, (options, search) in SEARCHES.items():
        trees = []
        for setup in GAMES:
            tree = alphabeta.new_tree(TREE_GAME, options, table_bits=7, depth=6)
            search(setup, new_root(), tree, 2000)
            alphabeta.reset(tree)
            search(setup, new_root(), tree, 500)
            trees += tree
        yield f"alphabeta, {name}", digest_whole(*trees)
