"""Star imports throughout, an __all__ built by joining lists, decorators with arguments."""

import funcy
from funcy import *
from funcy.flow import retry

print(lmap(r"\d+", ["a12", "b3"]), lfilter(even, range(6)), group_by(len, ["a", "bb", "c"]))
print(
    walk_values(inc, {"a": 1}), get_in({"a": [1, {"b": 2}]}, ["a", 1, "b"]), omit({"a": 1}, ["a"])
)
tries = []


@retry(3, errors=ValueError, timeout=0)
def flaky():
    tries.append(1)
    if len(tries) < 3:
        raise ValueError("again")
    return "done"


@decorator
def twice(call, extra=0):
    return call() + call() + extra


@twice(extra=5)
def two():
    """Two."""
    return 2


print(flaky(), len(tries), two(), two.__name__, two.__doc__, lcat([[1], [2]]), ldistinct("abca"))
print(
    rcompose(inc, str)(4),
    lmap(list, partition_by(odd, [1, 3, 2])),
    list(chunks(2, "abcde")),
    lpluck("a", [{"a": 1}]),
)
print(
    re_all(r"[a-z]\d", "a1 b2"), silent(int)("x"), cut_prefix("abc", "a"), len(funcy.__all__) > 150
)
print(
    str_join("-", [1, 2]), isa(int, str)(3), zipdict("ab", [1, 2]), once(lambda: 3)(), any(odd, [2])
)
with reraise(KeyError, LookupError("nothing there")):
    {}["x"]
