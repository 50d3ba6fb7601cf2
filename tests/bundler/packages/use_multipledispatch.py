"""Dispatch on several types through namespaces of the module and frames that are inspected."""

from multipledispatch import MDNotImplementedError, dispatch
from multipledispatch.core import global_namespace
from multipledispatch.dispatcher import Dispatcher, str_signature


class Unit:
    pass


class Pod(Unit):
    @dispatch(int)
    def move(self, by):
        return "int", by

    @dispatch(str)
    def move(self, by):
        return "str", by


@dispatch(Unit, Unit)
def collide(a, b):
    """Units."""
    return "units"


@dispatch(Pod, Pod)
def collide(a, b):
    raise MDNotImplementedError


@dispatch((int, float), Unit)
def collide(a, b):
    return "number", a


print(collide(Pod(), Pod()), collide(2.5, Pod()), Pod().move(3), Pod().move("x"), collide)
print("collide" in global_namespace, collide.__doc__.splitlines()[0], str_signature((int, Pod)))
total = Dispatcher("total")
total.add((list,), sum)
print(total([1, 2]), total.dispatch(list), total.ordering, collide.resolve((Pod, Pod)).__name__)
collide(Unit(), "x")
