"""Names that collide between modules are renamed; every other name keeps its meaning.

Run before and after.
"""

import pytest

from tests.bundler.differential import assert_same

# Every project has two modules that define LIMIT, value, f, C, ...; one of each has to be renamed.
OTHER = """
--- other.py
LIMIT = 100
value = "other value"
items = [1, 2, 3]
def f(x=1):
    return ("other f", x)
def deco(function):
    def wrapper(*args, **kwargs):
        return ("deco", function(*args, **kwargs))
    return wrapper
class C:
    LIMIT = LIMIT
    def f(self):
        return f(LIMIT)
def use():
    return LIMIT, value, f(), C().f(), C.LIMIT, items
"""

MAIN = """
--- main.py
import mod, other
LIMIT = 1
value = "main value"
items = "main items"
def f(x):
    return ("main f", x)
def deco(function):
    return function
class C:
    pass
print(other.use(), LIMIT, value, f(1), items)
mod.run()
"""

SCOPES = {
    "locals and parameters": """
--- mod.py
LIMIT = 7
value = 3
def g(LIMIT, *value, f=LIMIT, **items):
    LIMIT += 1
    return LIMIT, value, f, items
def run():
    def inner():
        value = 5
        return value, LIMIT
    print(g(1, 2, 3, items=4), inner(), value, LIMIT)
""",
    "class attributes": """
--- mod.py
LIMIT = 7
value = 8
class C:
    LIMIT = LIMIT
    before = value
    value = value + 1
    after = value
    doubled = [value * x for x in range(2)]
    def f(self):
        return LIMIT, self.LIMIT, self.value, value
    class Inner:
        LIMIT = LIMIT * 2
        seen = value
def run():
    print(C.LIMIT, C.before, C.value, C.after, C.doubled, C().f(), C.Inner.LIMIT, C.Inner.seen)
""",
    "class attributes bound under a condition": """
--- mod.py
unlike = 3
class C:
    for i in range(2):
        unlike = unlike + i
    if unlike > 100:
        other_name = 3
def run():
    print(C.unlike, unlike)
""",
    "keyword arguments": """
--- mod.py
LIMIT = 7
def f(LIMIT=1, value=2):
    return LIMIT, value
def run():
    print(f(LIMIT=LIMIT), f(value=LIMIT), dict(LIMIT=LIMIT, f=f()))
""",
    "global and nonlocal": """
--- mod.py
LIMIT = 7
value = 1
def bump():
    global LIMIT, value
    LIMIT += 1
    value = LIMIT
def counter():
    value = 0
    def step():
        nonlocal value
        value += LIMIT
        return value
    return step
def make():
    global fresh
    fresh = LIMIT
def run():
    step = counter()
    bump(); make()
    print(step(), step(), LIMIT, value, fresh)
""",
    "comprehensions": """
--- mod.py
LIMIT = 7
items = [1, 2]
value = 5
def run():
    print([LIMIT for LIMIT in items], [value + x for x in items], LIMIT, value)
    print({value: LIMIT for value in items}, {f for f in items}, list(items for items in items))
    print([[value for value in range(x)] for x in items if value])
print([LIMIT + x for x in items], [LIMIT for LIMIT in items])
""",
    "walrus": """
--- mod.py
items = [1, 2]
value = 5
if (LIMIT := 12) > 3:
    pass
print([last := x + LIMIT for x in items], last)
def run():
    if (value := LIMIT) and [f := y for y in items]:
        print(value, f)
    print(LIMIT, last)
""",
    "match captures": """
--- mod.py
LIMIT = 7
class C:
    __match_args__ = ("value",)
    value = 3
value = 9
def run():
    for subject in ([1, 2, 3], {"value": 1, "x": 2}, C(), 7, (1, 2), "s"):
        match subject:
            case [LIMIT, *items]:
                print(LIMIT, items)
            case {"value": f, **value}:
                print(f, value)
            case C(value=found) as whole:
                print(found, type(whole).__name__)
            case 7 | 8 as f:
                print(f)
            case other:
                print(other)
match (1, {"a": 2}):
    case (items, {"a": 2, **rest}):
        print(items, rest)
def items_now():
    return items
print(items_now())
""",
    "f-strings": """
--- mod.py
LIMIT = 7
value = 3.14159
items = {"a": [1]}
def run():
    width = 8
    print(f"{LIMIT} {value:.2f} {value!r:>{width}} {items['a'][0]} {{LIMIT}} {LIMIT=} {value = :.1f} {LIMIT!s}")
    print(f"LIMIT" f'{LIMIT}' "{LIMIT}" rf"\\d{LIMIT}" f'''
{LIMIT
 + 1} {(lambda LIMIT: LIMIT)(2)} {f"{LIMIT}"}''')
    LIMIT_ = [f"{LIMIT}:{x}" for x in range(2)]
    print(LIMIT_, f"{LIMIT != 3} {LIMIT == 7=} {'a' if LIMIT else 'b'} \\N{BULLET} {items=!r:>20}")
""",
    "decorators and default values": """
--- mod.py
from other import deco
LIMIT = 7
def f(x):
    return x
@deco
def g(x=LIMIT, *, value=f(LIMIT)):
    return x, value
def run(deco=deco):
    @deco
    def f(LIMIT=LIMIT):
        return LIMIT
    print(g(), f(), f(2))
""",
    "string annotations": """
--- mod.py
import typing
class C:
    pass
class Node:
    left: "C"
    right: "typing.Optional['C']" = None
    kind: typing.Literal["C"] = "C"
def f(x: "C", y: "list[C]" = ()) -> "C":
    z: "C" = x
    return z
def run():
    hints = typing.get_type_hints(f)
    print(hints["x"] is C, hints["return"] is C, hints["y"] == list[C], f(3))
    print(typing.get_type_hints(Node)["left"] is C, typing.get_type_hints(Node)["kind"])
""",
    "dataclasses and NamedTuples": """
--- mod.py
import dataclasses
from dataclasses import dataclass, field
from typing import NamedTuple, ClassVar
LIMIT = 7
@dataclass(order=True)
class C:
    LIMIT: int = LIMIT
    value: list = field(default_factory=lambda: [LIMIT])
    shared: ClassVar[int] = LIMIT
class P(NamedTuple):
    LIMIT: int
    value: int = LIMIT
    def f(self):
        return LIMIT + self.LIMIT
def run():
    print(C(), C(3).value, C(1) < C(2), P(2), P(1).f(), P(LIMIT=4), dataclasses.asdict(C()), repr(C(LIMIT=2)))
""",
    "names of colliding classes and functions": """
--- mod.py
REGISTRY = {}
def register(thing):
    REGISTRY[thing.__name__] = thing
    return thing
@register
class C(Exception):
    pass
@register
def f(x):
    return x
def run():
    print(sorted(REGISTRY), repr(C("x")), C.__name__, f.__qualname__)
    try:
        raise C("y")
    except C as error:
        print(type(error).__name__, error)
""",
    "except names, with names, loops, del": """
--- mod.py
import contextlib
LIMIT = 7
for value in range(3):
    pass
try:
    1 / 0
except (ZeroDivisionError) as f:
    kept = str(f)
with contextlib.nullcontext(4) as items, contextlib.nullcontext((5, 6)) as (C, deco):
    pass
temporary = 3
print(temporary)
del temporary
try:
    temporary
except NameError:
    print("gone")
def run():
    try:
        f
    except NameError:
        print("f is gone")
    print(value, items, C, deco, kept)
    for LIMIT in range(2):
        pass
    del LIMIT
""",
    "closures over names of the module": """
--- mod.py
LIMIT = 7
def make(n):
    value = n
    def f():
        return LIMIT, value, other()
    def other():
        return value * LIMIT
    return f
def run():
    print(make(3)(), (lambda LIMIT=LIMIT, *, value=2: (LIMIT, value))())
""",
    "functions that shadow a module's alias": """
--- mod.py
import other as o
from other import f, value
import other
def shadow(other, f):
    return other, f
def local():
    o = 3
    value = o
    return value
def nested(value):
    def inner():
        return value, o.value, other.LIMIT
    return inner()
def run():
    print(shadow(1, 2), local(), o.LIMIT, f(2), nested(5), value)
""",
    "locals that would capture a name of another module": """
--- mod.py
import helper
def run():
    total = 1
    step = 2
    print(helper.total(step), helper.step, [helper.step for step in range(2)], total)
    class K:
        step = 4
        seen = helper.step, step
    print(K.seen)
--- helper.py
step = 10
def total(x):
    return x + step
""",
    "names that are rebound later": """
--- mod.py
import counter
from counter import count, bump
def run():
    bump()
    print(count, counter.count)
    counter.count = 50
    bump()
    print(count, counter.count)
    counter.count += 1
    del counter.spare
    print(counter.count, hasattr(counter, "spare"))
--- counter.py
count = 0
spare = 1
def bump():
    global count
    count += 1
""",
    "attributes of a module set from outside": """
--- mod.py
import config
from config import LEVEL
config.LEVEL = 9
config.added = 4
def run():
    config.LEVEL += 1
    print(config.LEVEL, LEVEL, config.show(), config.added)
    class Setter:
        config.LEVEL = 77
    print(config.show())
--- config.py
LEVEL = 1
def show():
    return LEVEL
""",
    "annotated attributes of a module": """
--- mod.py
import conf
conf.LIMIT: int = 3
def run():
    conf.LIMIT: int = (LIMIT + 4) * 2
    conf.value: "str"
    (conf.NEW): dict[str, int] = {"a": 1}
    class C:
        conf.items: list = []
        LIMIT: int = 8
    import late
    print(conf.LIMIT, conf.value, conf.NEW, conf.items, vars(C)["LIMIT"], late.LIMIT, late.value)
LIMIT = 5
--- conf.py
LIMIT = 1
value = "conf"
items = [0]
--- late.py
LIMIT: int = (3 + 4) * 2
(value): "str" = "late"
items: list
""",
    "attributes of a module set through a class": """
--- mod.py
import config
from config import LEVEL
class Bot:
    import config
    def run(self):
        self.config.LEVEL = 9
        return config.show()
def run():
    print(Bot().run(), config.LEVEL, LEVEL)
    Bot.config.LEVEL += 1
    print(config.show(), LEVEL)
--- config.py
LEVEL = 1
def show():
    return LEVEL
""",
    "setattr on a module": """
--- mod.py
import config
from config import LEVEL
def set_all(module, **values):
    for name, value in values.items():
        setattr(module, name, value)
def run():
    set_all(config, LEVEL=5)
    print(config.LEVEL, LEVEL, config.show())
--- config.py
LEVEL = 1
def show():
    return LEVEL
""",
    "imported names that are bound again": """
--- mod.py
from other import f, value, LIMIT
if LIMIT:
    value = "changed " + value
def run():
    global LIMIT
    LIMIT = 5
    print(f(), value, LIMIT)
def f():
    return "own f"
""",
    "builtins that a module shadows": """
--- mod.py
import shadow
def run():
    print(max(1, 2), shadow.max(1, 2), len([1]), shadow.size([1]), sum([1, 2]))
--- shadow.py
_builtin = max
def max(*args):
    return -_builtin(*args)
len = lambda x: 100
input = "an input"
def size(x):
    return len(x), input
import functools
print = functools.partial(print, "shadowed:")
print("hello")
""",
    "a builtin that a module shadows now and then": """
--- mod.py
import shadow
def run():
    abs = shadow.abs if hasattr(shadow, "abs") else "no name of the module"
    print(abs, shadow.size(-1), pow(2, 3), len([1]))
--- shadow.py
import sys
if len(sys.argv) > 50:
    abs = "never bound"
def size(x):
    return abs(x), pow(x, 2)
pow = lambda x, y: "own pow"
print(size(-2))
del pow
print(size(-2))
len = 100
del len
print(len([1]))
""",
    "constants of modules in match patterns": """
--- mod.py
import other
import other as o
def kind(x):
    match x:
        case o.LIMIT:
            return "limit"
        case [other.value, *f] | (o.C.LIMIT, f):
            return "in a sequence", f
        case {other.LIMIT: value, **others}:
            return "in a mapping", value, others
        case o.C(LIMIT=LIMIT):
            return "of a class", LIMIT
    return "none"
def run():
    print(kind(100), kind(["other value", 1]), kind((100, 2)), kind({100: 3, 4: 5}), kind(other.C()), kind(1))
    other.LIMIT = 1
    print(kind(100), kind(1))
""",
    "private names in classes": """
--- mod.py
__hidden = 3
_K__x = 4
value = 1
class K:
    __value = 5
    def get(self):
        return self.__value, __x
    def set(self, __y):
        __z = __y
        return __z
def run():
    print(K().get(), K().set(2), __hidden)
""",
    "unicode and strings": """
--- mod.py
LIMIT = "é"; π = 3
def f(): return "LIMIT … é", LIMIT, π
def run():
    text = '''
LIMIT
    indented é''' + LIMIT + f"é{LIMIT}é{π}"
    print(text, f())
""",
    "imports in functions that other names hide": """
--- mod.py
def one(flag):
    if flag:
        from other import value
    else:
        value = 2
    return value
def two():
    from other import f as g, LIMIT
    def inner(f):
        return g(LIMIT), f
    return inner(1), [LIMIT for g in range(2)]
def three():
    import other
    other = other.LIMIT
    return other
def four():
    global fetched
    from other import LIMIT as fetched
def run():
    four()
    print(one(True), one(False), two(), three(), fetched)
""",
    "lambda defaults, star-args, conditional expressions": """
--- mod.py
LIMIT = 2
items = (1, 2)
def f(*args, **kwargs):
    return args, sorted(kwargs)
def run():
    print(f(*items, **{"LIMIT": LIMIT}), (lambda *items, LIMIT=LIMIT: (items, LIMIT))(3), LIMIT if items else value)
""",
    "async functions and generators": """
--- mod.py
import asyncio
LIMIT = 2
async def f():
    await asyncio.sleep(0)
    return [LIMIT async for LIMIT in g()], LIMIT
async def g():
    for value in range(LIMIT):
        yield value
def items():
    yield from (LIMIT for value in range(2))
def run():
    print(asyncio.run(f()), list(items()))
""",
}


@pytest.mark.parametrize("rule", SCOPES)
def test_scope_rule(rule, tmp_path):
    """The bundle prints what the sources print."""
    assert_same(MAIN + SCOPES[rule] + OTHER, tmp_path)


@pytest.mark.parametrize("rule", SCOPES)
def test_scope_rule_where_the_other_module_comes_first(rule, tmp_path):
    """Which of two modules gives way does not matter."""
    assert_same(MAIN.replace("mod, other", "other, mod") + SCOPES[rule] + OTHER, tmp_path)


@pytest.mark.parametrize("rule", SCOPES)
def test_scope_rule_within_a_module_run_late(rule, tmp_path):
    """A module that runs at an import within a function keeps its scopes as well."""
    late = MAIN.replace("import mod, other", "import other").replace(
        "mod.run()", "def late():\n    import mod\n    mod.run()\nlate()"
    )
    assert_same(late + SCOPES[rule] + OTHER, tmp_path)
