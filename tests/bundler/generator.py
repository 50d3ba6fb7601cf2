"""Writes random projects whose modules import each other and whose names may collide.

Every name has one kind wherever it is bound (an int, a function of one int, a class with `limit`
and `total()`, a list of ints, ...); so most programs run to their end. Most modules can be
flattened. The groups of statements in a project are random as well.
"""

import re
from pathlib import Path

BODY = "limit = <int>\n    def total(self, step=2): return (self.limit + step) % 97"
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
EXPRESSIONS = {
    "int": ["{0}", "{0}"],
    "fun": ["{0}({1})", "{0}({1})"],
    "cls": ["{0}.limit", "{0}().total()"],
    "lst": ["len({0})"],
    "dct": ["len({0})"],
    "itr": ["next({0}, 1)"],
    "rec": ["{0}({1}).limit"],
}
MODULES = [
    ["alpha", "beta", "gamma"],
    ["alpha", "beta", "gamma", "delta", "tools"],
    ["alpha", "pkg.alpha", "pkg.beta", "pkg.inner.beta"],
]


def statements():
    """{group: templates} of statements.txt."""
    text = Path(__file__).with_name("statements.txt").read_text(encoding="utf-8")
    groups = [part.strip().split("\n") for part in text.split("\n=== ")[1:]]
    return {
        title: [line.replace("\\n", "\n").replace("<body>", BODY) for line in lines]
        for title, *lines in groups
    }


STATEMENTS = statements()


class ModuleWriter:
    """Writes one random module.

    `later` lists the writers of the modules that it may import; `collide` is the share of its names
    that other modules have as well.
    """

    def __init__(self, rng, name, later, templates, collide):
        self.rng, self.name, self.later, self.templates = rng, name, later, templates
        self.collide = collide
        self.suffix = "_" + name.replace(".", "_")
        self.lines = []
        self.bound = {}  # name -> kind, or the writer of a module
        self.n_new = self.n_calls = 0
        self.names = {
            kind: [
                n if rng.random() < collide / (4 if kind in DEFINED else 1) else n + self.suffix
                for n in names
            ]
            for kind, names in NAMES.items()
        }

    def of_kind(self, kind):
        """The bound names of a kind."""
        return sorted(name for name, its in self.bound.items() if its == kind)

    def modules(self):
        """The names of modules."""
        return sorted(name for name, its in self.bound.items() if isinstance(its, ModuleWriter))

    def write(self, length, is_postponed):
        """Returns the module's text; is_postponed: annotations are."""
        rng = self.rng
        if rng.random() < 0.3:
            self.lines.append(rng.choice(['"""The module.\n\n    #.#  .\n"""', "# A comment."]))
        if is_postponed:
            self.lines.append("from __future__ import annotations")
        for _ in range(min(3, len(self.later))):
            self.lines.append(self.import_text())
        for name in rng.sample(self.names["int"], 2):
            self.lines.append(f"{name} = {rng.randint(0, 9)}")
            self.bound[name] = "int"
        self.add(rng.choice(["<LST> = [<digit>]", "<DCT> = {}", self.function()]))
        for _ in range(length):
            chance = rng.random()
            if chance < 0.02 and self.later:
                self.lines.append(self.import_text())
            else:
                self.add(self.function() if chance < 0.25 else rng.choice(self.templates))
        seen = ", ".join(self.of_kind("int") + self.of_kind("lst"))
        if self.name == "main":
            peeks = [f"{name}()" for name in self.of_kind("peek")]
            peeks += [f"{name}.peek{self.bound[name].suffix}()" for name in self.modules()]
            self.lines.append(f"print('end', {', '.join([seen, *peeks])})")
        else:
            self.lines.append(f"def peek{self.suffix}(): return [{seen}]")
            self.bound[f"peek{self.suffix}"] = "peek"
        return "\n".join(self.lines) + "\n"

    def add(self, template):
        """Add a statement if all the names it needs are bound."""
        self.n_calls = 0
        chosen, bound, unbound = {}, {}, []

        def replace(match):
            word, number = match[1], match[2]
            if number and (word.lower(), number) in chosen:
                return chosen[word.lower(), number]
            text = chosen[word.lower(), number] = self.choose(word, chosen, number)
            if word == "EXC":
                unbound.append(text)
            elif word.isupper() or word == "fun?":
                bound[text] = "int" if word == "VAR" else word.lower().strip("?")
            return text

        try:
            text = re.sub(r"<([A-Za-z]+\??)(\d?)>", replace, template)
        except LookupError:
            return
        self.lines.append(text)
        self.bound |= bound
        for name in unbound:
            self.bound.pop(name, None)

    def choose(self, word, chosen, number):
        """Returns the text for a placeholder. Raises LookupError if there is none."""
        rng = self.rng
        match word:
            case "new":
                self.n_new += 1
                return f"t{self.n_new}{self.suffix}"
            case "int":
                return self.integer()
            case "digit":
                return str(rng.randint(0, 9))
            case "here":
                return self.name
            case "any":
                return self.local()
            case "fresh" | "EXC":
                spare = ["error"] if word == "EXC" else []
                names = NAMES["int"] if rng.random() < self.collide else self.names["int"]
                return rng.choice([n for n in names if n not in self.bound] or spare)
            case "var" | "VAR":
                return rng.choice(self.of_kind("int"))
            case "mod":
                return rng.choice(self.modules())
            case "attr":
                return rng.choice(self.bound[chosen["mod", number]].of_kind("int"))
        if not word.isupper() and word != "fun?":
            return rng.choice(self.of_kind(word))
        names = self.names[word.lower().strip("?")]
        # Most names are bound once; after the last, another one is made.
        if rng.random() < 0.9:
            spare = [name for name in names if name not in self.bound]
            names = spare or [names[0] + str(len(self.bound))]
        return rng.choice(names)

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
        inside = [name for name in self.of_kind("int") if name not in (parameter, local)]
        if inside and rng.random() < 0.02:
            name = rng.choice(inside)
            lines += [f"    global {name}", f"    {name} = ({name} + 1) % 97"]
        lines += rng.choice(
            [
                [f"    {local} = {parameter} + 1", '    """  A map: #.#\n      ..# """'],
                [f"    {local} = [{local} for {local} in range(3)][1]"],
                [f"    {local} = (lambda {parameter}: {parameter})(2)"],
                [f"    for {local} in range(2): pass"],
                [f"    def inner(): return {parameter}", f"    {local} = inner()"],
                [f"    try: {local} = 1 // 0", f"    except ArithmeticError as e: {local} = 1"],
                [f"    if ({local} := {parameter}) > 5: {local} = 3"],
            ]
        )
        inside.append("<digit>")
        for module in self.modules():
            inside.append(f"{module}.{rng.choice(self.bound[module].of_kind('int'))}")
        lines.append(f"    return ({parameter} + {local} + {rng.choice(inside)}) % 97")
        return "\n".join(lines)

    def import_text(self):
        """Returns an import of a later module, and binds its names."""
        rng = self.rng
        other = rng.choice(self.later)
        form = rng.random()
        if form < 0.15 and "." not in other.name:
            self.bound[other.name] = other
            return f"import {other.name}"
        if form < 0.4:
            alias = other.suffix[1:] + "_"
            self.bound[alias] = other
            return f"import {other.name} as {alias}"
        names = sorted(name for name, its in other.bound.items() if isinstance(its, str))
        parts = []
        for name in rng.sample(names, min(len(names), rng.randint(1, 3))):
            kind = other.bound[name]
            alias = rng.choice(self.names[kind]) if kind in NAMES and rng.random() < 0.3 else name
            if alias in self.bound and rng.random() < 0.9:
                alias = f"{name}_of{other.suffix}"
            parts.append(name if alias == name else f"{name} as {alias}")
            self.bound[alias] = kind
        package = self.name.rpartition(".")[0]
        is_relative = package and other.name.startswith(package + ".") and rng.random() < 0.4
        dotted = other.name.removeprefix(package) if is_relative else other.name
        return f"from {dotted} import {', '.join(parts)}"

    def integer(self, depth=2):
        """An expression that gives an int."""
        rng = self.rng
        digit = str(rng.randint(0, 9))
        options = [digit, digit]
        for name, kind in sorted(self.bound.items()):
            if isinstance(kind, ModuleWriter):
                options += [f"{name}.{other}" for other in kind.of_kind("int")]
                options += [f"{name}.{other}({digit})" for other in kind.of_kind("fun")]
            else:
                options += [text.format(name, digit) for text in EXPRESSIONS.get(kind, ())]
        if self.n_calls >= 2:
            options = [option for option in options if "(" not in option]
        chosen = rng.choice(options)
        self.n_calls += "(" in chosen
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


def random_project(rng):
    """{path: text} of a random project; its entry is main.py."""
    share = rng.choice([0.15, 0.5])
    groups = [
        lines
        for group, lines in STATEMENTS.items()
        if rng.random() < (share / 20 if "[carried]" in group else share)
    ]
    templates = [line for lines in (*groups, STATEMENTS["plain"]) for line in lines]
    is_postponed = rng.random() < 0.2
    # With too many names that other modules have as well, little can be flattened.
    collide = rng.choice([0, 0, 0, 0.02, 0.2])
    files, later = {}, []
    for name in reversed(["main", *rng.choice(MODULES)]):
        writer = ModuleWriter(rng, name, list(later), templates, collide)
        path = name.replace(".", "/")
        files[f"{path}.py"] = writer.write(rng.randint(3, 9), is_postponed)
        later.append(writer)
        packages = path.split("/")[:-1]
        for n in range(len(packages)):
            files.setdefault("/".join(packages[: n + 1]) + "/__init__.py", "")
    return dict(reversed(files.items()))
