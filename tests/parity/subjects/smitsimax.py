"""Searches of moves at the same time on toy games: a line for each."""

from shared.core import jit
from shared.core.jit import kernel
from shared.search import matrix_game, smitsimax
from shared.search.determinization import determinize
from shared.search.regret_matching import new_solution, solve_matrix
from tests.parity.digests import digest
from tests.support.toy_games import BOXES, CORRIDOR, MATRIX_GAME, hide_prize, payoffs

REACHED = smitsimax.Options(holds=(1,) * 4, rollouts=False, score_scale=2.0)
DRAWN = smitsimax.Options(holds=(1, 1))
HIDDEN = determinize(BOXES, hide_prize)
MATRIX = matrix_game.Options(depth=2)
PAYOFFS = [[(3, 1), (-2, 0.5), (0, 1)], [(-1, 2), (4, 0), (1, 1)], [(0, 3), (2, 1), (-3, 0)]]
search_corridor = kernel(smitsimax.make_search(CORRIDOR, REACHED))
copy_trees = kernel(smitsimax.make_copy_trees(CORRIDOR))
search_boxes = kernel(smitsimax.make_search(HIDDEN, DRAWN))
search_matrix = kernel(matrix_game.make_search(MATRIX_GAME, MATRIX))
solve = kernel(solve_matrix)


def trace():
    setup = jit.float_buffer([1.0, 0.1])
    trees = smitsimax.new_trees(CORRIDOR, REACHED, 3000)
    search_corridor(setup, jit.float_buffer(4), trees, 400)
    played = jit.int_buffer([2, -1, 2])
    trees, _ = smitsimax.reroot(trees, smitsimax.new_spare(trees), played, copy_trees)
    search_corridor(setup, jit.float_buffer(4), trees, 100)
    yield "smitsimax rerooted", digest(*trees)

    trees = smitsimax.new_trees(HIDDEN, DRAWN, 999)
    search_boxes(jit.int_buffer([1]), jit.int_buffer(4), trees, 400)
    yield "smitsimax of what is hidden", digest(*trees)

    tree, solution = matrix_game.new_tree(MATRIX_GAME, MATRIX), new_solution(3)
    search_matrix(payoffs(PAYOFFS), jit.float_buffer(2), tree, 20)
    solve(tree.payoffs, solution, 3, 3, 50)
    value = matrix_game.solved_value(tree, solution)
    yield "matrix game", digest(*tree, *solution, [value])
