"""Classes with inverses made at run time, views, pickling, abstract base classes."""

import copy
import pickle

from bidict import BidictBase, ON_DUP_DROP_OLD, ValueDuplicationError, bidict, frozenbidict
from bidict import OrderedBidict, inverted

squares = bidict({"a1": 0, "b1": 1})
squares["c1"] = 2
print(squares, squares.inverse, squares.inverse.inverse is squares, squares.inv[2])
squares.put("d1", 2, ON_DUP_DROP_OLD)
ordered = OrderedBidict([(1, "one"), (2, "two")])
ordered.move_to_end(1)
print(squares, ordered, list(reversed(ordered)), hash(frozenbidict(a=1)) == hash(frozenbidict(a=1)))
print(pickle.loads(pickle.dumps(squares)), copy.copy(ordered), dict(inverted({"x": 1})))
print(
    isinstance(squares, BidictBase), bidict.__module__, squares.inverse.__class__, bidict.__mro__[1]
)
try:
    squares["z9"] = 0
except ValueDuplicationError as error:
    print(type(error), error.__class__.__mro__[1])
squares.putall({"e1": 7, "f1": 7})
