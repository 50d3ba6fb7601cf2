"""Templates of the statements that random projects are made of, by group.

In a template, `<int>` is an expression, `<fun>`, `<cls>`, ... are bound names of that kind and the
same in capitals binds one; `<any>` is a name of an int that may be bound or not, `<fresh>` one that is
not, `<new>` one that nobody else has, `<here>` the module's name, `<mod>` a module and `<attr>` an
int of it, `<later>` a module's full name, `<tail>` its last part. A digit behind it means the same choice again.
"""

BODY = "limit = <int>\n    def total(self, step=2): return (self.limit + step) % 97"

# Statements that a flattened module may have, by group.
MILD = {
    "plain": r"""
<INT> = <int>
<INT> = <int>
<INT1>, <INT2> = <int>, <int>
<INT>: int = <int>
<VAR> += <int>
<INT1> = <INT2> = <int>
print('<here>', <int>, f"{<int>} limit")
print('<here>', <int>, <int>)
<LST> = [<int>, <int>]
<DCT> = {"one": <int>}
class <CLS>:\n    <body>
class <CLS>:\n    <any1> = <int>\n    <body>\n    seen = <any1>
""",
    "bindings": r"""
for <INT> in range(1, 4): pass
for <INT1> in (1, 2):\n    <INT2> = <INT1> + <int>
if (<INT> := <int>) > 3: pass
print([<INT> := item for item in (1, 2)], (lambda <any1>: <any1> + 1)(<int>))
print([<any> := item for item in ()], False and (<any> := 3))
match [<int>, 2]:\n    case [<INT1>, *<LST>]: print(<INT1>)
import contextlib\nwith contextlib.nullcontext(<int>) as <INT>: pass
[<INT>, *<LST>] = range(4)
<fresh1> = <int>\nprint(<fresh1>)\ndel <fresh1>
<new1> = lambda <any1>=<int>: <any1> + <int>\nprint(<new1>())
print({<any1>: <any1> for <any1> in range(2)}, [<any2> for <any2> in range(<digit>)])
""",
    "exceptions": r"""
try: [][<int>]\nexcept IndexError as <EXC1>: <INT> = 2
try: print(<fresh>)\nexcept NameError as <EXC1>: print('<here>', <EXC1>)
try: <INT> = <int>\nfinally: print('finally')
class <ERR>(Exception): pass
class <ERR>(ValueError):\n    def __str__(self): return 'own ' + repr(self.args)
try: raise <err1>(<int>)\nexcept <err1> as <EXC1>: print(type(<EXC1>), <EXC1>)
try:\n    <INT> = 1 // (<int> * 0)\nexcept ZeroDivisionError: <INT> = 4
def <new1>(x): raise <err1>(x)\ntry: <new1>(<int>)\nexcept <err1> as <EXC1>: print(<EXC1>)
""",
    "effects": r"""
def <new1>(a, more): a += more\n<new1>(<lst>, [<int>])
def <new1>(d, **more): d.update(more)\n<new2> = <new1>(<dct>, x=<int>)
<LST1> = [<lst2>]\n<LST1>[0].append(1)\n<LST1> = [4]
<new> = <lst>.append(<int>)
<LST> = list(<lst>)
<LST> = [max(<lst>, default=0)]
<fresh1> = <int>; print('<here>', <fresh1>); del <fresh1>
<new1> = <lst>\n<new1> += [<int>]
<ITR> = iter(range(3, 50))
import itertools\n<new> = list(itertools.islice(<itr>, 2))
from itertools import islice\n<new1>, *<new2> = islice(<itr>, 2)
<new> = 5 in <itr>
<new> = max(<itr>, default=0) if <int> > 90 else next(<itr>, 0)
<new> = f"{next(<itr>, 0)}"
[<lst>.append(x) for x in (1, 2)]
(lambda it: it.append(3))(<lst>)
print(<lst>, sorted(<dct>), next(<itr>, -1))
print('<here>', <lst>, sorted(<dct>))
def <new1>(x): print('called', x); return x\n<new2> = <new1>(<int>)
def <new1>(x): print('default', x); return x\ndef <new2>(y=<new1>(<int>)): pass
<fresh1> = <int>\ndef <new1>():\n    global <fresh1>\n    <fresh1> += 1\n    return <fresh1>\n<new2> = [<new1>() for _ in "ab"]\nprint(<new1>())\ndel <fresh1>
""",
    "registries": r"""
def <new1>(name): return lambda f: <dct1>.setdefault(name, f)\n@<new1>("two")\ndef <new2>(): pass
def <new1>(): return <lst1>.append\n@<new1>()\nclass <new2>: pass\n<lst1>[:] = [x for x in <lst1> if isinstance(x, int)]
def <new1>(f):\n    <dct>[f.__name__] = 1\n    return f\n@<new1>\ndef <FUN>(x=1): return x + 2\n@<new1>\nclass <CLS>:\n    <body>
class <CLS1>:\n    <body>\n    kinds = []\n    def __init_subclass__(cls): <CLS1>.kinds.append(cls.__name__)\nclass <new1>(<CLS1>): pass\nprint(<CLS1>.kinds)
class <new1>(<cls>): pass\nprint(<new1>.__mro__[1], <new1>().total())
class <new1>(type):\n    def __init__(cls, name, bases, space): print('meta', name, sorted(n for n in space if n[0] != '_'))\nclass <CLS>(metaclass=<new1>):\n    <body>
class <new1>:\n    def __set_name__(self, owner, name): print(owner.__name__, name)\nclass <CLS>:\n    <body>\n    field = <new1>()
print(type("<new>", (<cls>,), {}).__name__, <dct>.get("f"))
""",
    "records": r"""
from typing import NamedTuple\nclass <REC>(NamedTuple):\n    limit: int = <int>\n    step: int = 2
from dataclasses import dataclass\n@dataclass\nclass <REC>:\n    limit: int = <int>\n    b: int = 3
from dataclasses import dataclass, field\n@dataclass(order=True)\nclass <REC>:\n    limit: int = <int>\n    b: list = field(default_factory=lambda: [<int>])
from enum import Enum\nclass <new1>(Enum):\n    ONE = <int>\nprint(<new1>.ONE, repr(<new1>.ONE), <new1>)
print(<rec>(), <rec>(5).limit, <rec1>() == <rec1>())
print(<rec1>() == <rec2>(), <rec>(limit=3))
import abc\nclass <new1>(abc.ABC):\n    @abc.abstractmethod\n    def f(self): ...\ntry: <new1>()\nexcept TypeError as <EXC1>: print(<EXC1>)
""",
    "guards": r"""
if __name__ == "__main__":  # by hand\n    print('<here> guard')
if __name__ == "__main__":\n    # by hand\n    print('<here> guard')  # so\n    <any> = 9
if __name__ != "__main__":  # imported\n    <INT> = 7\nelse:\n    <INT> = 8  # main
from typing import TYPE_CHECKING\nif TYPE_CHECKING:  # for tools\n    from nowhere import <any>
DEBUG = False\nif DEBUG:\n    # debugging\n    print('debug')  # never
if 0:  # never\n    <any> = 3\nelif <int>: print('on')  # perhaps
while False: print('never')  # never
""",
    "names": r"""
print('<here>', __name__)
<INT> = len(__name__)
class <CLS>:\n    name = __name__\n    <body>
print(<cls>, repr(<fun>).split(' at ')[0], repr(<cls>()).split(' object')[0])
print(<cls>.__name__, <cls>.__qualname__, <fun>.__name__)
print(f"{<var>=}", f"{<int> = }")
print("%s" % <cls>, [<cls>], <fun>.__doc__)
def <FUN>(x=<int>):\n    '''  #.#\n   .. '''\n    return x
print(<fun>(<digit>), callable(<fun>))
""",
    "definitions": r"""
if <int> % 2:\n    def <FUN1>(x=1): return x + 1  # odd\nelse:\n    def <FUN1>(x=1): return x + 2
if <int> > 4:\n    class <CLS1>:\n        limit = 3\n        def total(self): return 1\nelse:\n    class <CLS1>:\n        limit = 4\n        def total(self): return 2
try:\n    from math import nothing_of_this_name as <fun?1>\nexcept ImportError:\n    def <fun?1>(x): return x + 5
import functools\n@functools.lru_cache(maxsize=<int>)\ndef <FUN>(x=1): return x + 1
import functools\n@functools.wraps(<fun>)\ndef <FUN>(x=1): return x + 3
def <new1>(f): return lambda x=1: f(x) + 1\n@<new1>\ndef <FUN>(x=<int>): return x
@(lambda f: lambda x=1: f(x) * 2)\ndef <FUN>(x=1): return x
def <new1>(n):\n    def inner(): return n, <int>\n    return inner\nprint(<new1>(<int>)())
def <new1>():\n    for <any1> in range(2): yield <any1> + <int>\nprint(list(<new1>()))
def <FUN>(x: "<cls>" = 1) -> int: return x
def <new1>(*<any1>, **kw): return <any1>, sorted(kw)\nprint(<new1>(<int>, <any2>=1))
async def <new1>(): return <int>\nimport asyncio\nprint(asyncio.run(<new1>()))
class <CLS1>:\n    <body>\n    @property\n    def p(self): return self.limit\n    @staticmethod\n    def s(x=<int>): return x\nprint(<CLS1>().p, <CLS1>.s())
""",
    "outside": r"""
import math\n<INT> = math.floor(<int>)
from math import floor\n<INT> = floor(<int>)
from math import floor as <FUN>
import os.path as path\n<INT> = len(path.join("a", "b"))
import json\nprint(json.dumps({"a": <int>}))
import random\nrandom.seed(<digit>)\n<INT> = random.randrange(9)
from random import randrange\n<new> = randrange(9)
import sys\nif sys.version_info < (3,): import gone_since_python_2
try: import nosuch_module_at_all as fast\nexcept ImportError: fast = None\nprint(fast)
from collections import deque\n<new> = deque([<int>])
""",
}
# Statements that look into modules, or that import as a flattened module does not.
WILD = {
    "stores": r"""
<mod1>.<attr1> = <int>
<mod1>.<attr1> += <digit>
setattr(<mod1>, '<attr1>', <int>)
<mod1>.extra = <int>\nprint(getattr(<mod1>, 'ex' + 'tra'), hasattr(<mod1>, 'extra'), 'extra' in dir(<mod1>))
for <mod1>.<attr1> in range(3): pass
def <new1>(module): module.<attr1> = 8\n<new1>(<mod1>)
""",
    "looks": r"""
print(getattr(<mod1>, '<attr1>'), (lambda it: it.<attr1>)(<mod1>))
print(hasattr(<mod>, '<any>'), getattr(<mod>, 'no' + 'thing', 5))
try: print(<mod>.nothing)\nexcept AttributeError as <EXC1>: print(<EXC1>)
try: print(repr(<mod>.<any>).split(' at ')[0])\nexcept AttributeError as <EXC1>: print(<EXC1>)
print(<mod>, <mod>.__name__, [<mod1>, <mod1>][0].<attr1>)
print(sorted(n for n in vars(<mod>) if n[0] != '_'))
print(sorted(n for n in dir(<mod>) if n[0] != '_'))
print(<mod>.__doc__, type(<mod>).__name__)
""",
    "namespaces": r"""
import sys\nprint('<later>' in sys.modules, [n for n in ("alpha", "pkg", "pkg.m", "state") if n in sys.modules])
import sys\nprint(sys.modules[__name__].__name__)
print(globals()['<var>'], sorted(n for n in globals() if n[0] != '_'))
print(sorted(n for n in vars() if n[0] != '_'))
print(eval('<var>'), locals().get('<var>'))
exec('<INT> = 6')
globals()['<INT>'] = <int>
def <new1>():\n    import <later>\n    return sorted(locals())\nprint(<new1>())
import __main__\nprint(hasattr(__main__, '<any>'), __main__.__name__)
def __getattr__(name):\n    if name[0] == '_' or name == 'extra': raise AttributeError(name)\n    return len(name)
""",
    "late names": r"""
def <FUN>(x=1): return len(__name__) + x
def <new1>():\n    class C: pass\n    return C\nprint(<new1>())
print((lambda: __name__)(), [__name__ for _ in 'a'])
from collections import namedtuple\ndef <new1>(): return namedtuple('P', 'x')\nprint(<new1>().__module__)
print(<fun>.__module__, <cls>.__module__)
def <FUN>(x=1): return eval('<var>') + x
""",
    "pickles": r"""
import pickle\nprint(pickle.loads(pickle.dumps(<cls>())).limit)
import pickle\nprint(pickle.loads(pickle.dumps(<rec>())), pickle.loads(pickle.dumps(<fun>)) is not None)
import copy\nprint(copy.deepcopy(<cls>()).limit, copy.copy(<rec>()))
""",
    "hints": r"""
def <FUN1>(x: <cls>=1, y: "<any>"=2) -> "int": return x\nprint(<FUN1>.__annotations__)
<INT1>: <cls> = <int>\nprint(__annotations__)
import typing\ndef <new1>(x: "<cls>"): pass\nprint(typing.get_type_hints(<new1>))
class <new1>:\n    a: "<cls>"\n    b: list["<new1>"] = None\nprint(<new1>.__annotations__)
""",
    "imports": r"""
import importlib\nprint(importlib.import_module('<later>').__name__)
import importlib\nimportlib.reload(<mod>)
print(__import__('<later>').__name__)
if <int> % 2:\n    pass\n    <import?>
try:\n    pass\n    <import>\nexcept ImportError as <EXC1>: print('<here>', <EXC1>)
class <new1>:\n    <import?>\n    y = 2
def <new1>():\n    <import?>\n    return sorted(n for n in locals())\nprint(<new1>())
for _ in range(2):\n    <import>
print('<here> before'); <import>; print('<here> after')
try: print(type(<tail>).__name__)\nexcept NameError as <EXC1>: print(<EXC1>)
import <later>
import <earlier>
from <earlier1> import <promised1>
def <new1>():\n    from <earlier1> import <promised1>\n    return <promised1> is not None
def <FUN>(x=1):\n    from <earlier1> import <promised1>\n    return x
def <FUN>(x=1):\n    import <later1> as m\n    return x + len(m.__name__)
""",
    "ends": r"""
if <int> > 8: raise ValueError(<int>)
assert <int> >= 0, '<here>'
print(<fresh>)
if <int> > 8: import sys; sys.exit(<int>)
print(<mod>.nothing)
from <later> import nothing
1 // (<int> % 3)
""",
}


def templates(text):
    return [line.replace("\\n", "\n").replace("<body>", BODY) for line in text.strip().split("\n")]


MILD = {group: templates(text) for group, text in MILD.items()}
WILD = {group: templates(text) for group, text in WILD.items()}
