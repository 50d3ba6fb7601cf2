"""Writes random projects whose modules import each other and whose names collide.

Every name has one kind wherever it is bound (an int, a function of one int, a class with `limit`
and `total()`, a list of ints, ...); so most programs run to their end. A project has one of two
styles: mild ones can mostly be flattened, wild ones read modules' namespaces, write to them, import
in functions, in cycles and by star. The groups of statements in a project are random as well.
"""

import re
from pathlib import Path

BODY = "limit = <int>\n    def total(self, step=2): return (self.limit + step) % 97"


def templates(style):
    """{group: templates} of a style in statements.txt."""
    text = Path(__file__).with_name("statements.txt").read_text(encoding="utf-8")
    groups = [part.strip().split("\n") for part in text.split("\n=== ")[1:]]
    return {
        title: [line.replace("\\n", "\n").replace("<body>", BODY) for line in lines]
        for title, *lines in groups
        if title.startswith(style)
    }


MILD, WILD = templates("mild"), templates("wild")
# Most of these carry all modules.
CARRIED = ("mild: stores outside", "mild: identity", "mild: decorators")
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
DEFINED = ("fun", "cls", "rec", "err")  # not renamed: a collision makes the bundler embed a module
ALIASES = ["m", "n", "tool"]
MODULES = [
    ["alpha", "beta", "gamma"],
    ["alpha", "beta", "gamma", "delta", "tools"],
    ["alpha", "pkg", "pkg.alpha", "pkg.beta", "pkg.inner", "pkg.inner.beta"],
]
NAMESAKES = [  # modules with the names of functions, ints and aliases
    ["state", "beta", "pkg", "pkg.step", "pkg.state"],
    ["pkg", "pkg.sub", "pkg.sub.f", "pkg.m", "n"],
]


class ModuleWriter:
    """Writes one random module.

    `everyone` lists the project's modules in the order in which they may import each other at the
    top.
    """

    def __init__(self, rng, name, everyone, statements, wild, collide):
        self.rng, self.name, self.everyone, self.wild = rng, name, everyone, wild
        self.collide = collide
        self.stars = rng.choice([0, 0.6, 0.7])
        self.statements = statements
        self.lines = []
        self.bound = {}  # name -> kind, or the writer of a module
        self.calls = 0
        suffix = "_" + name.replace(".", "_")
        self.names = {
            kind: [
                n if rng.random() < (collide / 4 if kind in DEFINED else collide) else n + suffix
                for n in names
            ]
            for kind, names in NAMES.items()
        }
        # Bound first, so that they exist in a cycle of imports.
        self.promised = rng.sample(self.names["int"], 2)

    @property
    def place(self):
        return self.everyone.index(self)

    @property
    def later(self):
        """The modules that it may import at its top; in mild projects packages have no code."""
        later = self.everyone[self.place + 1 :]
        return [writer for writer in later if self.wild or not writer.is_package()]

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
        """Returns the module's text; `futures`: the probability of postponed annotations."""
        rng = self.rng
        if self.is_package() and not self.wild:
            return ""
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
            if rng.random() < (0.12 if self.wild else 0.02) and self.later:
                self.lines.append(self.import_text(self.wild))
            elif rng.random() < 0.25:
                self.add(self.function())
            elif rng.random() < (0.1 if self.wild else 0.01):
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
        """Add a statement if all the names it needs are bound."""
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
        if not (sure and self.wild):  # nobody exports it
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
        """Returns the text for a placeholder. Raises LookupError if there is none."""
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
            return self.local()
        if word in ("fresh", "EXC"):
            spare = ["error"] if word == "EXC" else []
            names = NAMES["int"] if rng.random() < self.collide else self.names["int"]
            return rng.choice([n for n in names if n not in self.bound] or spare)
        if word in ("var", "VAR"):
            return rng.choice(self.of_kind("int"))
        if word in ("later", "tail"):
            name = rng.choice(self.later).name
            return name if word == "later" else name.rpartition(".")[2]
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
            names = self.names[word.lower().strip("?")]
            # In plain style each name is bound once; after the last, another one is made.
            if not self.wild and rng.random() < 0.9:
                spare = [name for name in names if name not in self.bound]
                names = spare or [names[0] + str(len(self.bound))]
            return rng.choice(names)
        return rng.choice(self.of_kind(word))

    def local(self):
        """A name that hides one of a module, or none."""
        hides = self.rng.random() < self.collide
        return self.rng.choice(NAMES["int"] if hides else ["x", "n", "value", "other"])

    def function(self):
        """Returns a function whose parameter and local variable have colliding names."""
        rng = self.rng
        parameter, local = self.local(), self.local()
        while local == parameter:
            local = self.local()
        lines = [f"def <FUN>({parameter}=<digit>):"]
        hidden = {parameter, local}
        inside = [name for name in self.of_kind("int") if name not in hidden]
        if inside and rng.random() < (0.3 if self.wild else 0.02):
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
                [f"    try: {local} = 1 // 0", f"    except ArithmeticError as e: {local} = 1"],
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
        """Returns an import of a later module, and binds its names."""
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
        if form < self.stars and wild and not inside:
            if "__all__" not in other.lines[-1]:
                self.bound.update((n, other.bound[n]) for n in names if n[0] != "_")
            return f"from {self.dotted(other)} import *"
        parts = []
        for name in rng.sample(names, min(len(names), rng.randint(1, 3))):
            kind = other.bound[name]
            alias = rng.choice(self.names[kind]) if kind in NAMES and rng.random() < 0.3 else name
            if alias in self.bound and not self.wild and rng.random() < 0.9:
                alias = f"{name}_of_{other.name.replace('.', '_')}"
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
            name = self.local()
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
    share = 0.5 if wild else rng.choice([0.15, 0.5])
    groups = {
        group: found
        for group, found in MILD.items()
        if rng.random() < (share if group not in CARRIED else share / 20)
    }
    if wild:
        groups |= {group: found for group, found in WILD.items() if rng.random() < 0.2}
    statements = [line for group in groups.values() for line in group] + MILD["mild: plain"]
    if not wild or rng.random() < 0.7:
        statements = [line for line in statements if line not in WILD["wild: ends"]]
    futures = rng.choice([0, 0, 0, 1, 0.3 if wild else 0])
    # The share of names that other modules have as well: with too many, little can be flattened.
    collide = rng.choice([0.1, 0.4, 4] if wild else [0, 0, 0, 0.02, 0.2])
    everyone = []
    for name in ["main", *rng.choice(MODULES[:2] + MODULES + NAMESAKES * wild)]:
        everyone.append(ModuleWriter(rng, name, everyone, statements, wild, collide))
    files = {}
    for writer in reversed(everyone):
        text = writer.write(rng.randint(3, 9), futures)
        path = writer.name.replace(".", "/") + ("/__init__.py" if writer.is_package() else ".py")
        files[path] = text + "\n"
    return dict(reversed(files.items()))
