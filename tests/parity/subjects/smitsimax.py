"""Smitsimax on a toy game: a line for each of its kernels."""

from shared.core import jit
from shared.core.jit import kernel
from shared.search import smitsimax
from shared.search.determinization import determinize
from tests.parity.digests import digest
from tests.support.toy_games import BOXES, CORRIDOR, hide_prize


def trace():
    options = smitsimax.Options(holds=(1,) * 4, rollout=False, scale=2.0)
    search = kernel(smitsimax.make_search(CORRIDOR, options))
    trees = smitsimax.new_trees(CORRIDOR, options, 3000)
    search(jit.float_buffer([1.0, 0.1]), jit.float_buffer(4), trees, 400)
    played, copy_trees = jit.int_buffer([2, -1, 2]), kernel(smitsimax.make_copy_trees(CORRIDOR))
    trees, _ = smitsimax.reroot(trees, smitsimax.new_spare(trees), played, copy_trees)
    search(jit.float_buffer([1.0, 0.1]), jit.float_buffer(4), trees, 100)
    yield "smitsimax rerooted", digest(*trees)

    game, options = determinize(BOXES, hide_prize), smitsimax.Options(holds=(1, 1))
    search = kernel(smitsimax.make_search(game, options))
    trees = smitsimax.new_trees(game, options, 999)
    search(jit.int_buffer([1]), jit.int_buffer(4), trees, 400)
    yield "smitsimax of what is hidden", digest(*trees)
