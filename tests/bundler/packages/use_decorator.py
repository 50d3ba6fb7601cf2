"""Signatures kept: functions made by exec, found again by inspect; dispatch by types."""

import inspect

from decorator import FunctionMaker, contextmanager, decorate, decorator, dispatch_on


@decorator
def trace(function, label="call", *args, **kwargs):
    print(label, function.__name__, args, kwargs)
    return function(*args, **kwargs)


@trace(label="seen")
def add(x, y: int = 2, *rest, z=3) -> int:
    """Adds."""
    return x + y + z + sum(rest)


@dispatch_on("shape")
def area(shape):
    raise NotImplementedError(type(shape).__name__)


@area.register(int)
def area_of_int(shape):
    return shape * shape


@contextmanager
def section(name):
    print("begin", name)
    yield name
    print("end", name)


@section("whole")
def work():
    return "worked"


print(add(1), add(1, 5, 7, z=0), inspect.signature(add), add.__doc__, add.__wrapped__.__name__)
print(area(4), work(), decorate(lambda x: x, lambda f, x: f(x) + 1)(1))
made = FunctionMaker.create("f(a, b)", "return g(a, b)", {"g": max}, addsource=True)
print(made(3, 4), made.__source__.strip().splitlines()[-1].strip(), inspect.getsource(area_of_int))
print(inspect.getdoc(section), section.__name__, inspect.getsource(decorate).splitlines()[0])
area("circle")
