"""Writes random projects whose modules import each other and whose names collide.

Every name has one kind wherever it is bound (an int, a function of one int, a class with `limit` and
`total()`, a list of ints, ...), so most programs run to their end. A project has one of two styles:
mild ones keep to what can be flattened, wild ones look into modules, store into them, import in
functions, in circles and by star. Which groups of statements a project has is random as well.

In a template, `<int>` is an expression, `<fun>`, `<cls>`, ... are bound names of that kind and the
same in capitals binds one; `<any>` is a name of an int that may be bound or not, `<fresh>` one that is
not, `<new>` one that nobody else has, `<here>` the module's name, `<mod>` a module and `<attr>` an
int of it, `<later>` a module's full name. A digit behind it means the same choice again.
"""

import re

NAMES = {
    "int": ["a", "b", "step", "limit", "_low", "e", "map"],
    "fun": ["f", "g", "abs", "state", "size"],
    "cls": ["Point", "C", "Node"],
    "lst": ["items", "log"],
    "dct": ["table", "seen"],
    "itr": ["it", "source"],
    "rec": ["Pair", "Data"],
    "err": ["Error", "Stop"],
}
DEFINED = (
    "fun",
    "cls",
    "rec",
    "err",
)  # their names are not renamed: a collision makes a module carried
ALIASES = ["m", "n", "tool"]
MODULES = [
    ["alpha", "beta", "gamma"],
    ["alpha", "beta", "gamma", "delta", "tools"],
    ["alpha", "pkg", "pkg.alpha", "pkg.beta", "pkg.inner", "pkg.inner.beta"],
]
NAMESAKES = [  # modules of the names of functions, ints and aliases
    ["state", "beta", "pkg", "pkg.step", "pkg.state"],
    ["pkg", "pkg.sub", "pkg.sub.f", "pkg.m", "n"],
]
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
print([<INT> := x for x in (1, 2)], (lambda <any1>: <any1> + 1)(<int>))
print([<any> := x for x in ()], False and (<any> := 3))
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
def <new1>(n):\n    def step(): return n, <int>\n    return step\nprint(<new1>(<int>)())
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
try: print(<mod>.<any>)\nexcept AttributeError as <EXC1>: print(<EXC1>)
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


class ModuleWriter:
    """Writes one random module.

    `everyone` are all of the project's in the order in which they may import each other at the top.
    """

    def __init__(self, rng, name, everyone, statements, wild):
        self.rng, self.name, self.everyone, self.wild = rng, name, everyone, wild
        self.statements = statements
        self.lines = []
        self.bound = {}  # name -> kind, or the writer of a module
        # Bound before anything else runs, so that a circle of imports has them.
        self.promised = rng.sample(NAMES["int"], 2)
        self.calls = 0
        suffix = "_" + name.replace(".", "_")
        self.names = {
            kind: (
                names
                if kind not in DEFINED
                else [n if wild or rng.random() < 0.06 else n + suffix for n in names]
            )
            for kind, names in NAMES.items()
        }

    @property
    def place(self):
        return self.everyone.index(self)

    @property
    def later(self):
        return self.everyone[self.place + 1 :]

    def is_package(self):
        return any(other.name.startswith(self.name + ".") for other in self.everyone)

    def of_kind(self, kind):
        """The bound names of a kind."""
        return sorted(name for name, its in self.bound.items() if its == kind)

    def modules(self):
        return sorted(
            name
            for name, its in self.bound.items()
            if isinstance(its, ModuleWriter) and its.of_kind("int")
        )

    def exported(self):
        return sorted(name for name, its in self.bound.items() if isinstance(its, str))

    def write(self, length, futures):
        """The module's text; `futures` is how likely its annotations are not evaluated."""
        rng = self.rng
        if rng.random() < 0.3:
            self.lines.append(rng.choice(['"""The module.\n\n    #.#  .\n"""', "# A comment."]))
        if rng.random() < futures:
            self.lines.append("from __future__ import annotations")
        if not self.wild:
            self.add_imports()
        for name in self.promised:
            self.lines.append(f"{name} = {rng.randint(0, 9)}")
            self.bound[name] = "int"
        self.add(rng.choice(["<LST> = [<digit>]", "<DCT> = {}", self.function()]))
        if self.wild:
            self.add_imports()
        for _ in range(length):
            if rng.random() < (0.12 if self.wild else 0.01) and self.later:
                self.lines.append(self.import_text(self.wild))
            elif rng.random() < 0.25:
                self.add(self.function())
            elif rng.random() < 0.1:
                self.add_block()
            else:
                self.add(rng.choice(self.statements))
        seen = ", ".join(self.of_kind("int") + self.of_kind("lst"))
        peek = f"peek_{self.name.replace('.', '_')}"
        if self.place:
            self.lines.append(f"def {peek}(): return [{seen}]")
            self.bound[peek] = "peek"
        else:
            peeks = [f"{name}()" for name in self.of_kind("peek")]
            peeks += [
                f"{name}.peek_{its.name.replace('.', '_')}()"
                for name, its in sorted(self.bound.items())
                if isinstance(its, ModuleWriter)
                and "peek_" + its.name.replace(".", "_") in its.bound
            ]
            self.lines.append(f"print('end', {', '.join([seen, *peeks])})")
        if self.wild and rng.random() < 0.15:
            names = self.exported()
            self.lines.append(f"__all__ = {rng.sample(names, rng.randint(0, len(names)))!r}")
        return "\n".join(self.lines)

    # Statements

    def add(self, template, indent=""):
        """Add a statement if all that it needs is bound."""
        before = dict(self.bound)
        self.calls = 0
        try:
            text, binds, unbinds = self.fill(template)
        except LookupError:
            self.bound = before
            return
        self.lines.append(indent + text.replace("\n", "\n" + indent))
        for name, kind in binds.items():
            self.bound[name] = kind
        for name in unbinds:
            self.bound.pop(name, None)

    def add_block(self):
        """Some statements under a condition or within `try`, `with` or a loop."""
        rng = self.rng
        head, sure = rng.choice(
            [(f"if {self.integer()} % 2:", False), ("try:", True), ("for _ in 'ab':", True)]
        )
        before = dict(self.bound)
        self.lines.append(head)
        n_lines = len(self.lines)
        for _ in range(2):
            self.add(rng.choice(self.statements), "    ")
        if len(self.lines) == n_lines:
            self.lines.append("    pass")
        if head == "try:":
            self.lines.append("except ValueError: pass  # never")
        if not sure:
            self.bound = before

    def fill(self, template):
        """(text, {name: kind} that it binds, names that it unbinds) for a template."""
        chosen, binds, unbinds = {}, {}, []

        def replace(match):
            word, number = match[1], match[2]
            key = (word.lower(), number)
            if number and key in chosen:
                return chosen[key]
            text = self.choose(word, chosen, number)
            chosen[key] = text
            if word == "EXC":
                unbinds.append(text)
            elif word.isupper():
                binds[text] = "int" if word == "VAR" else word.lower()
            elif word == "fun?":
                binds[text] = "fun"
            return text

        text = re.sub(r"<([A-Za-z]+\??)(\d?)>", replace, template)
        return text, binds, unbinds

    def choose(self, word, chosen, number):
        """The text for a placeholder. Raises LookupError where there is none."""
        rng = self.rng
        if word == "new":
            self.n_new = getattr(self, "n_new", 0) + 1
            return f"t{self.n_new}" if self.wild else f"t{self.n_new}_{self.name.replace('.', '_')}"
        simple = {
            "int": self.integer,
            "digit": lambda: str(rng.randint(0, 9)),
            "here": lambda: self.name,
        }
        if word in simple:
            return simple[word]()
        if word == "any":
            return rng.choice(NAMES["int"])
        if word in ("fresh", "EXC"):
            spare = ["error"] if word == "EXC" else []
            return rng.choice([n for n in NAMES["int"] if n not in self.bound] or spare)
        if word in ("var", "VAR"):
            return rng.choice(self.of_kind("int"))
        if word == "later":
            return rng.choice(self.later).name
        if word == "earlier":
            return rng.choice(self.everyone[1 : self.place]).name
        if word == "promised":
            writer = next(w for w in self.everyone if w.name == chosen["earlier", number])
            return rng.choice(writer.promised)
        if word == "mod":
            return rng.choice(self.modules())
        if word == "attr":
            return rng.choice(self.bound[chosen["mod", number]].of_kind("int"))
        if word in ("import", "import?"):
            before = dict(self.bound)
            text = self.import_text(True, inside=True)
            if word == "import?":
                self.bound = before
            return text
        if word == "fun?" or word.isupper():
            return rng.choice(self.names[word.lower().strip("?")])
        return rng.choice(self.of_kind(word))

    def function(self):
        """A template of a function that has a parameter and a local variable of colliding names."""
        rng = self.rng
        parameter, local = rng.sample(NAMES["int"], 2)
        lines = [f"def <FUN>({parameter}=<digit>):"]
        hidden = {parameter, local}
        inside = [name for name in self.of_kind("int") if name not in hidden]
        if inside and rng.random() < 0.3:
            name = rng.choice(inside)
            lines += [f"    global {name}", f"    {name} = ({name} + 1) % 97"]
        if rng.random() < 0.3:
            lines.append('    """  A map: #.#\n      ..# """')
        lines += rng.choice(
            [
                [f"    {local} = {parameter} + 1"],
                [f"    {local} = [{local} for {local} in range(3)][1]"],
                [f"    {local} = (lambda {parameter}: {parameter})(2)"],
                [f"    for {local} in range(2): pass"],
                [f"    def inner(): return {parameter}", f"    {local} = inner()"],
                [
                    f"    try: {local} = 1 // 0",
                    f"    except ZeroDivisionError as error: {local} = 1",
                ],
                [f"    if ({local} := {parameter}) > 5: {local} = 3"],
            ]
        )
        used = rng.choice(["<digit>", *inside, *[f"{m}.{self.any_int(m)}" for m in self.modules()]])
        lines.append(f"    return ({parameter} + {local} + {used}) % 97")
        return "\n".join(lines)

    def any_int(self, alias):
        return self.rng.choice(self.bound[alias].of_kind("int"))

    # Imports

    def dotted(self, other):
        """A way to write another module in `from ... import`."""
        if self.rng.random() < 0.4 and self.place:
            package = self.name if self.is_package() else self.name.rpartition(".")[0]
            if package and other.name.startswith(package + "."):
                return "." + other.name[len(package) + 1 :]
            upper = package.rpartition(".")[0]
            if upper and other.name.startswith(upper + "."):
                return ".." + other.name[len(upper) + 1 :]
        return other.name

    def add_imports(self):
        for _ in range(min(3, len(self.later))):
            self.lines.append(self.import_text(self.wild))

    def import_text(self, wild, inside=False):
        """An import of a later module, whose names are bound then."""
        rng = self.rng
        other = rng.choice(self.later)
        names = other.exported()
        form = rng.random()
        if form < 0.15:
            top = next(w for w in self.everyone if w.name == other.name.split(".")[0])
            if top is other or wild:
                self.bound[top.name] = top
                return f"import {other.name}"
        if form < 0.4:
            alias = rng.choice(ALIASES) if wild else other.name.replace(".", "_") + "_"
            self.bound[alias] = other
            return f"import {other.name} as {alias}"
        if form < 0.5 and wild and "." in other.name:
            package, _, last = other.name.rpartition(".")
            if last not in NAMES["int"] + NAMES["fun"]:
                self.bound[last] = other
                return f"from {package} import {last}"
        if form < 0.65 and wild and not inside:
            if "__all__" not in other.lines[-1]:
                self.bound.update((n, other.bound[n]) for n in names if n[0] != "_")
            return f"from {self.dotted(other)} import *"
        parts = []
        for name in rng.sample(names, min(len(names), rng.randint(1, 3))):
            kind = other.bound[name]
            alias = rng.choice(self.names[kind]) if kind in NAMES and rng.random() < 0.3 else name
            parts.append(name if alias == name else f"{name} as {alias}")
            self.bound[alias] = kind
        return f"from {self.dotted(other)} import {', '.join(parts)}"

    # Expressions

    def integer(self, depth=2):
        """An expression that gives an int."""
        rng = self.rng
        digit = str(rng.randint(0, 9))
        options = [digit, digit, *self.of_kind("int") * 2]
        if self.calls < 2:
            for name, kind in sorted(self.bound.items()):
                if isinstance(kind, ModuleWriter):
                    options += [f"{name}.{own}" for own in kind.of_kind("int")]
                    options += [f"{name}.{own}({digit})" for own in kind.of_kind("fun")]
                    options += [f"{name}.{own}.limit" for own in kind.of_kind("cls")]
                elif kind in EXPRESSIONS:
                    options += [text.format(name, digit) for text in EXPRESSIONS[kind]]
        chosen = rng.choice(options)
        self.calls += "(" in chosen
        if depth and rng.random() < 0.25:
            name = rng.choice(NAMES["int"])
            return rng.choice(
                [
                    f"{chosen} + {self.integer(depth - 1)}",
                    f"sum([{name} for {name} in range(3)]) + {chosen}",
                    f"(lambda {name}: {name} + 1)({chosen})",
                    f"len(str({chosen}))",
                ]
            )
        return chosen


EXPRESSIONS = {
    "fun": ["{0}({1})", "{0}({1})"],
    "cls": ["{0}.limit", "{0}().total()"],
    "lst": ["len({0})"],
    "dct": ["len({0})"],
    "itr": ["next({0}, 1)"],
    "rec": ["{0}({1}).limit"],
}


def random_project(rng, wild):
    """{path: text} of a random project; its entry is main.py."""
    groups = {group: found for group, found in MILD.items() if rng.random() < 0.5}
    if wild:
        groups |= {group: found for group, found in WILD.items() if rng.random() < 0.25}
    statements = [line for group in groups.values() for line in group] + MILD["plain"]
    if not wild or rng.random() < 0.7:
        statements = [line for line in statements if line not in WILD["ends"]]
    futures = rng.choice([0, 0, 0, 1, 0.3 if wild else 0])
    everyone = []
    for name in ["main", *rng.choice(MODULES + NAMESAKES * wild)]:
        everyone.append(ModuleWriter(rng, name, everyone, statements, wild))
    files = {}
    for writer in reversed(everyone):
        text = writer.write(rng.randint(3, 9), futures)
        path = writer.name.replace(".", "/") + ("/__init__.py" if writer.is_package() else ".py")
        files[path] = text + "\n"
    return dict(reversed(files.items()))
