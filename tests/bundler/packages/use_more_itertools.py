"""A package of star imports with an __all__ of its own."""

import more_itertools as mit
from more_itertools import *
from more_itertools.recipes import sieve

print(list(chunked(range(7), 3)), list(windowed("abcd", 2)), nth(range(9), 4), first([], "none"))
print(
    sorted(powerset([1, 2, 3])), list(collapse([1, [2, [3]]])), all_equal([1, 1]), mit.ilen("abc")
)
peeked = peekable(iter([5, 6]))
print(peeked.peek(), list(peeked), bool(peeked), list(sieve(20)))
groups = bucket(["a1", "b2", "a3"], key=lambda s: s[0])
print(sorted(groups), list(groups["a"]), list(set_partitions("ab")), seekable.__module__)
print(list(interleave_longest([1, 2], "x")), map_reduce("abca", ord, len), exactly_n([1, 0], 1))
print(*sliced("abcdef", 4), more.__name__ if "more" in globals() else "no more", consume.__name__)
one("two")
