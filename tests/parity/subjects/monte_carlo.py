"""UCT, flat Monte Carlo and proof-number search on Connect Four: a line for each kernel."""

from shared.core.jit import kernel
from shared.games.connect_four import game as connect_four
from shared.search import flat_monte_carlo, mcts, proof_number
from shared.search.rave import RAVE
from tests.parity.digests import digest, digest_whole

GAME = connect_four.GAME
EVERYTHING = mcts.Options(
    exploration=0.7,
    rollout_plies=30,
    max_depth=5,
    score_scale=8.0,
    prior_visits=2.0,
    rave_visits=40.0,
)
FLAT = flat_monte_carlo.Options(rollout_plies=42)
GOAL = proof_number.Options(goal=0)
search = kernel(mcts.make_search(GAME, EVERYTHING, RAVE))
copy = kernel(mcts.copy_tree)
flat = kernel(flat_monte_carlo.make_search(GAME, FLAT))
prove = kernel(proof_number.make_search(GAME, GOAL))


def trace():
    setup = connect_four.new_setup()
    root = connect_four.new_state([3, 3, 2])
    tree = mcts.new_tree(GAME, EVERYTHING, 4000)
    search(setup, root, tree, 600)
    yield "uct", digest(*tree)
    played = mcts.summary(tree).line[:1]
    tree, _ = mcts.reroot(tree, mcts.new_spare(tree), played, copy)
    search(setup, connect_four.new_state([3, 3, 2, 4]), tree, 100)
    yield "uct rerooted", digest(*tree)
    tree = mcts.new_tree(GAME, EVERYTHING, 60)
    search(setup, root, tree, 100)
    yield "uct in a full tree", digest(*tree)

    tree = flat_monte_carlo.new_tree(GAME, FLAT)
    flat(setup, root, tree, 200)
    yield "flat monte carlo", digest(*tree)

    tree = proof_number.new_tree(GAME, GOAL, table_bits=8)
    prove(setup, root, tree, 3000)
    yield "proof numbers", digest_whole(*tree)
