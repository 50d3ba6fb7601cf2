"""Functional tools: curried names made at import time, tlz as modules built in sys.modules."""

import toolz
from toolz import compose, curry, pipe
from toolz.curried import filter, get, groupby, map, pluck, reduceby
from toolz.curried import operator as operators
from toolz.sandbox.core import EqualityHashKey
import tlz.curried

words = input().split()
print(pipe(words, map(str.upper), filter(lambda w: "A" in w), list), groupby(len, words))
print(toolz.frequencies("mississippi"), list(toolz.sliding_window(2, range(4))))


@curry
def add(x, y, z=0):
    """Add them."""
    return x + y + z


print(
    add(1)(2),
    add(z=5)(1, 2),
    add.__name__,
    add.__doc__,
    compose(str, add(3))(4),
)
print(toolz.merge_with(sum, {"a": 1}, {"a": 2, "b": 3}), toolz.update_in({}, ["a", "b"], add(1), 4))
print(list(pluck("x", [{"x": 1}, {"x": 2}])), get([0, 1])("xyz"), operators.add(1)(2))
print(reduceby(lambda n: n % 2, lambda a, b: a + b)(range(5)), tlz.curried.map is map)
print(EqualityHashKey("id", []) == EqualityHashKey("id", []), toolz.curried.__name__, tlz.__name__)
toolz.excepts(KeyError, lambda: {}["x"], lambda error: print(repr(error)))()
add(1, 2, 3, 4)
