"""Prints what each search answers where no, one, two or three plies are left, and where scores or
priors are NaN, and if its calls divide: `python -m tests.support.short_games`, as plain Python.
"""

import math

from shared.core.jit import int_buffer
from shared.search import alphabeta, flat_monte_carlo, max_n, mcts, proof_number, smitsimax
from shared.search.solo import beam, chokudai, nested, policy_adaptation, single_player_mcts
from shared.search.turns import expectimax, turn_uct
from tests.support.games import countdown

EACH = (alphabeta.Options(), alphabeta.Options(False, False, False, principal_variation=False))
# (module, game, options, further arguments of its tree)
SEARCHES = (
    *((alphabeta, countdown.ALTERNATING, options, ()) for options in EACH),
    (mcts, countdown.ALTERNATING, mcts.Options(), (50,)),
    (flat_monte_carlo, countdown.ALTERNATING, flat_monte_carlo.Options(), ()),
    (proof_number, countdown.ALTERNATING, proof_number.Options(1), ()),
    (max_n, countdown.SEQUENTIAL, max_n.Options(6, paranoid=False), ()),
    (max_n, countdown.SEQUENTIAL, max_n.Options(6, paranoid=True), ()),
    (expectimax, countdown.TURNS, expectimax.Options(6, least=-9.0, greatest=9.0), ()),
    (turn_uct, countdown.TURNS, turn_uct.Options(), (50,)),
    (smitsimax, countdown.SIMULTANEOUS, smitsimax.Options((1, 1, 1)), (50,)),
    (beam, countdown.SOLO, beam.Options(4, 20), ()),
    (chokudai, countdown.SOLO, chokudai.Options(20, 200), ()),
    (single_player_mcts, countdown.SOLO, single_player_mcts.Options(score_scale=5.0), (50,)),
    *((nested, countdown.SOLO, nested.Options(level, 20), ()) for level in (1, 2, 3)),
    *(
        (policy_adaptation, countdown.SOLO, policy_adaptation.Options(2, 5, alpha), ())
        for alpha in (1.0, 1e9)
    ),
)


def evaluate_nothing(setup, state, scores):
    scores[0] = scores[1] = math.nan


def prefer_nothing(setup, state, actions, n, shares):
    shares[0] = shares[1] = math.nan


WITHOUT_NUMBERS = (
    (smitsimax, countdown.SIMULTANEOUS._replace(evaluate=evaluate_nothing)),
    (turn_uct, countdown.TURNS._replace(evaluate=evaluate_nothing)),
    (mcts, countdown.ALTERNATING._replace(priors=prefer_nothing)),
)


def searched(module, game, options, more, state, slices=(1, 7, 0, 92)):
    """Returns the tree of a search of 100 iterations in slices."""
    make_tree = module.new_trees if module is smitsimax else module.new_tree
    tree, search = make_tree(game, options, *more), module.make_search(game, options)
    for n in slices:
        search(int_buffer(1), int_buffer(state), tree, n)
    return tree


def main() -> None:
    for module, game in WITHOUT_NUMBERS:
        options = module.Options((1, 1)) if module is smitsimax else module.Options()
        try:
            print(module.best_action(searched(module, game, options, (50,), [9, 0, 0, 0])))
        except ValueError as error:
            print(error)
    for module, game, options, more in SEARCHES:
        for n_left in range(4):
            tree = searched(module, game, options, more, [n_left, 0, 0, 0])
            is_finished = getattr(module, "is_finished", lambda tree: None)(tree)
            print(module.__name__, n_left, module.best_action(tree), is_finished)
    for search in SEARCHES:
        if search[0] is expectimax:
            continue  # a step of it may count two positions, also beyond a call's number
        parts, whole = searched(*search, [9, 0, 0, 0]), searched(*search, [9, 0, 0, 0], (100,))
        print(search[0].__name__, [*map(list, parts)] == [*map(list, whole)])


if __name__ == "__main__":
    main()
