"""Lists, dicts and sets in order, pickled too; recipes of docstrings."""

import pickle

import sortedcontainers
from sortedcontainers import SortedDict, SortedKeyList, SortedList, SortedSet

values = SortedList(map(int, input().split()))
values.update([7, -1])
print(values, values.bisect(5), list(values.irange(2, 6)), values.index(7), values.count(3))
by_length = SortedKeyList(["ccc", "a", "bb"], key=len)
print(by_length, by_length.pop(0), SortedKeyList.__mro__[1].__module__)
ranks = SortedDict({"b": 2, "a": 1})
print(ranks, ranks.peekitem(0), ranks.keys()[1], pickle.loads(pickle.dumps(ranks)) == ranks)
print(SortedSet("hello") & SortedSet("world"), repr(SortedSet([3, 1], key=abs))[:20])
print(sortedcontainers.__all__, SortedList.__init__.__doc__.splitlines()[0])
print(isinstance(SortedList(key=abs), SortedKeyList), SortedDict.setdefault.__qualname__)
values.remove(1000)
