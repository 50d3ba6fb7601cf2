"""Smitsimax on a toy game: a line for each of its kernels."""

from shared.core import jit
from shared.core.jit import kernel
from shared.search import smitsimax
from shared.search.determinization import determinize
from tests.parity.digests import digest
from tests.support.toy_games import BOXES, CORRIDOR, hide_prize

REACHED = smitsimax.Options(holds=(1,) * 4, rollouts=False, score_scale=2.0)
DRAWN = smitsimax.Options(holds=(1, 1))
HIDDEN = determinize(BOXES, hide_prize)
search_corridor = kernel(smitsimax.make_search(CORRIDOR, REACHED))
copy_trees = kernel(smitsimax.make_copy_trees(CORRIDOR))
search_boxes = kernel(smitsimax.make_search(HIDDEN, DRAWN))


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


if __name__ == "__main__":
    for name, value in trace():
        print(name, value)
