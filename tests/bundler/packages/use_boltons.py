"""Independent modules that guard their imports of one another; functions built by exec."""

import sys

from boltons import funcutils, iterutils, strutils, tbutils
from boltons.cacheutils import LRI, cachedproperty
from boltons.dictutils import OMD
from boltons.formatutils import DeferredValue, get_format_args
from boltons.setutils import IndexedSet
from boltons.tableutils import Table
from boltons.typeutils import classproperty, make_sentinel

MISSING = make_sentinel("MISSING", var_name="MISSING")


def most(a, b=0, *more):
    return max(a, b, *more)


@funcutils.wraps(most)
def largest(*values):
    return most(*values)


class Box:
    @cachedproperty
    def size(self):
        print("computed")
        return 3

    @classproperty
    def label(cls):
        return cls.__name__


box = Box()
print(MISSING, largest(1, 5), box.size + box.size, Box.label, iterutils.chunked(range(5), 2))
print(iterutils.remap({"a": [1, None]}, lambda path, key, value: value is not None))
print(OMD([("a", 1), ("a", 2)]).getlist("a"), IndexedSet("banana"), LRI(max_size=2), OMD(a=1))
print(strutils.slugify("A bot, it is!"), strutils.camel2under("BotName"), get_format_args("{a}{0}"))
print(Table([[1, "x"], [2, "y"]], headers=["n", "s"]).to_text(), f"{DeferredValue(lambda: 3)}")
builder = funcutils.FunctionBuilder("add", args=["x", "y"], body="return x + y", defaults=(5,))
print(builder.get_func()(2), builder.get_sig_str(), funcutils.copy_function(largest).__name__)
try:
    {}["x"]
except KeyError:
    print(
        tbutils.ExceptionInfo.from_exc_info(*sys.exc_info()).get_formatted_exception_only().strip()
    )
iterutils.get_path({"a": [1]}, ("a", "b"))
