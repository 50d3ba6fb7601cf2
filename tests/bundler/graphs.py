"""Random module graphs whose names collide, shadow, re-export and alias; run before and after
flattening.

Every name has one kind wherever it is bound (an int, a function of one int, a class), so most
programs run to their end. By hand: `python -m tests.bundler.graphs COUNT [FIRST_SEED]` compares
that many graphs and prints the first that differs.
"""

import random
import sys
import tempfile
from collections import Counter
from pathlib import Path

from bundler.errors import BundleError
from bundler.flatten import assemble
from tests.bundler.differential import outcome_of_bundle, outcome_of_sources, write_project

INTS = ["a", "b", "step", "limit", "_low"]
FUNCTIONS = ["f", "g", "abs", "state"]
CLASSES = ["Point", "C"]
KINDS = {
    **{name: "int" for name in INTS},
    **{name: "function" for name in FUNCTIONS},
    **{name: "class" for name in CLASSES},
}
# Refused: what Python means by these depends on the order in which functions run.
REFUSED = (
    "which one this imports depends on when it runs",
    "may not have run by then: name what you import",
    "while that runs: name what you import",
)
IMPORT_FAILED = "import failed"
ALIASES = ["m", "n", "tool"]
MODULE_SETS = [
    ["alpha", "beta", "gamma"],
    ["state", "beta", "pkg", "pkg.step", "pkg.state"],
    ["pkg", "pkg.sub", "pkg.sub.f", "pkg.m", "n"],
    ["alpha", "pkg", "pkg.alpha", "pkg.beta", "pkg.inner", "pkg.inner.beta"],
]


class ModuleWriter:
    """Writes one random module.

    `later` are the modules it may import at its top, all written already.
    """

    def __init__(self, rng, name, later, everyone):
        self.rng = rng
        self.name = name
        self.later = later
        self.everyone = everyone
        self.lines = []
        self.bound = {}  # name -> kind, or ("module", writer)
        self.promised = (
            {}
        )  # bound before anything else runs, so that a circle of imports can have it
        self.calls = 0

    def write(self, length):
        """The module's text."""
        rng = self.rng
        if rng.random() < 0.2:
            self.lines.append("from __future__ import annotations")
        for name in rng.sample(sorted(KINDS), rng.randint(1, 3)):
            self.bind(name)
            self.promised[name] = KINDS[name]
        for _ in range(length):
            self.statement()
        if rng.random() < 0.15:
            exported = rng.sample(sorted(self.names()), rng.randint(0, len(self.names())))
            self.lines.append(f"__all__ = {exported!r}")
            self.exported = set(exported)
        else:
            self.exported = {name for name in self.names() if not name.startswith("_")}
        return "\n".join(self.lines)

    def names(self):
        return {name for name, kind in self.bound.items() if name in KINDS}

    def is_package(self):
        return any(other.name.startswith(self.name + ".") for other in self.everyone)

    # Bindings

    def bind(self, name, indent=""):
        kind = KINDS[name]
        add = self.lines.append
        if kind == "int":
            add(f"{indent}{name} = {self.integer()}")
        elif kind == "function":
            self.function(name, indent)
        else:
            self.klass(name, indent)
        self.bound[name] = kind

    def function(self, name, indent):
        rng, add = self.rng, self.lines.append
        self.calls = 0
        parameter = rng.choice(["x", *INTS])
        default = f"={self.integer(1)}" if rng.random() < 0.5 else "=1"
        annotation = f': "{rng.choice(CLASSES)}"' if rng.random() < 0.2 else ""
        if rng.random() < 0.1 and "deco" not in name:
            add(f"{indent}@(lambda function: lambda x=1: function(x) + 1)")
        add(f"{indent}def {name}({parameter}{annotation}{default}):")
        inner = indent + "    "
        outer = dict(self.bound)
        self.bound[parameter] = "int"
        globals_here = [n for n in INTS if n in outer and n != parameter and rng.random() < 0.15]
        if globals_here:
            add(f"{inner}global {', '.join(globals_here)}")
        for global_name in globals_here:
            add(f"{inner}{global_name} = ({global_name} + {self.integer(0)}) % 97")
        for _ in range(rng.randint(0, 2)):
            choice = rng.random()
            if choice < 0.35:
                local = rng.choice([n for n in INTS if n not in globals_here])
                if local == parameter or local not in outer or rng.random() < 0.5:
                    value = rng.randint(0, 9) if local != parameter else f"{parameter} + 1"
                    self.lines.append(f"{inner}{local} = {value}")
                    self.bound[local] = "int"
            elif choice < 0.7:
                self.import_inside(inner, globals_here)
            elif choice < 0.85:
                nested = rng.choice([n for n in ["inner", *INTS] if n not in globals_here])
                if nested not in self.bound:
                    add(
                        f"{inner}{nested} = [{nested} for {nested} in range({self.integer(1)} % 4)]"
                    )
                    add(f"{inner}{nested} = len({nested}) if type(len) is type(print) else 0")
                    self.bound[nested] = "int"
            elif self.module_aliases():
                self.store(inner)
        self.lines.append(f"{inner}return ({self.integer()}) % 97")
        self.bound = outer

    def klass(self, name, indent):
        rng, add = self.rng, self.lines.append
        add(f"{indent}class {name}:")
        inner = indent + "    "
        outer = dict(self.bound)
        add(f"{inner}limit = {self.integer()}")
        for attribute in rng.sample(INTS, rng.randint(0, 2)):
            add(f"{inner}{attribute} = {self.integer()}")
        self.bound = outer
        add(f"{inner}def total(self, step=2):")
        hidden = self.bound.pop("step", None)
        self.bound["step"] = "int"
        add(f"{inner}    return (self.limit + {self.integer(1)} + step) % 97")
        self.bound.pop("step")
        if hidden:
            self.bound["step"] = hidden

    # Imports

    def dotted(self, other):
        """A way to write another module in `from ... import`."""
        if self.rng.random() < 0.4 and self.name != "main":
            package = self.name if self.is_package() else self.name.rpartition(".")[0]
            if package and other.name.startswith(package + "."):
                return "." + other.name[len(package) + 1 :]
            upper = package.rpartition(".")[0]
            if upper and other.name.startswith(upper + "."):
                return ".." + other.name[len(upper) + 1 :]
        return other.name

    def import_statement(self, indent=""):
        rng, add = self.rng, self.lines.append
        other = rng.choice(self.later)
        form = rng.random()
        names = sorted(other.names())
        if form < 0.2:
            add(f"{indent}import {other.name}")
            top = other.name.split(".")[0]
            first = next(w for w in self.everyone if w.name == top)
            self.bound[top] = ("module", first)
        elif form < 0.4:
            alias = rng.choice(ALIASES)
            add(f"{indent}import {other.name} as {alias}")
            self.bound[alias] = ("module", other)
        elif form < 0.5 and "." in other.name:
            package, _, last = other.name.rpartition(".")
            holder = next(w for w in self.everyone if w.name == package)
            if last not in holder.bound and last not in KINDS:
                add(f"{indent}from {package} import {last}")
                self.bound[last] = ("module", other)
        elif form < 0.62 and not indent:
            add(f"from {self.dotted(other)} import *")
            for name in sorted(other.exported):
                self.bound[name] = KINDS[name]
        elif names:
            chosen = rng.sample(names, rng.randint(1, min(3, len(names))))
            parts = []
            for name in chosen:
                same = [n for n in KINDS if KINDS[n] == KINDS[name]]
                alias = rng.choice(same) if rng.random() < 0.4 else name
                parts.append(name if alias == name else f"{name} as {alias}")
                self.bound[alias] = KINDS[name]
            add(f"{indent}from {self.dotted(other)} import {', '.join(parts)}")

    def import_inside(self, indent, taken):
        """An import in a function may reach any module, also one that imports this one."""
        rng = self.rng
        others = [other for other in self.everyone if other is not self and other.name != "main"]
        if not others:
            return
        other = rng.choice(others)
        names = sorted(other.promised if other not in self.later else other.names())
        names = [name for name in names if name not in taken]
        if rng.random() < 0.3:
            alias = rng.choice(ALIASES)
            self.lines.append(f"{indent}import {other.name} as {alias}")
            if other in self.later:
                self.bound[alias] = ("module", other)
        elif names:
            name = rng.choice(names)
            self.lines.append(f"{indent}from {self.dotted(other)} import {name}")
            if KINDS[name] == "int":
                self.bound[name] = "int"

    def module_aliases(self):
        return sorted(
            name
            for name, kind in self.bound.items()
            if not isinstance(kind, str) and kind[1].names()
        )

    def store(self, indent):
        """Set an attribute of a module."""
        alias = self.rng.choice(self.module_aliases())
        other = self.bound[alias][1]
        names = sorted(name for name in other.names() if KINDS[name] == "int")
        if names:
            name = self.rng.choice(names)
            operator = self.rng.choice(["=", "+="])
            self.lines.append(f"{indent}{alias}.{name} {operator} {self.rng.randint(1, 9)}")

    # Statements

    def statement(self):
        rng, add = self.rng, self.lines.append
        choice = rng.random()
        if choice < 0.3 and self.later:
            self.import_statement()
        elif choice < 0.55:
            self.bind(rng.choice(sorted(KINDS)))
        elif choice < 0.6 and self.module_aliases():
            self.store("")
        elif choice < 0.67 and self.later:
            add(f"if {self.integer(1)} % 2:")
            before = dict(self.bound)
            add("    pass")
            self.import_statement("    ")
            self.bound = before
        elif choice < 0.73 and self.later:
            add("try:")
            add("    pass")
            self.import_statement("    ")
            add("except ImportError:")
            add(f"    print('{IMPORT_FAILED}')")
        elif choice < 0.78:
            ints = [name for name in INTS if self.bound.get(name) == "int"]
            if ints:
                name = rng.choice(ints)
                add(rng.choice([f"{name} += {self.integer(1)}", f"for {name} in range(3): pass"]))
        elif choice < 0.83 and self.module_aliases():
            alias = rng.choice(self.module_aliases())
            other = self.bound[alias][1]
            name = rng.choice(sorted(other.names()))
            if KINDS[name] == "int":
                add(
                    f"print('getattr', getattr({alias}, '{name}'), (lambda it: it.{name})({alias}))"
                )
        else:
            self.calls = 0
            add(f"print('{self.name}', {self.integer()}, f\"{{{self.integer(1)}}} limit\")")

    # Expressions

    def integer(self, depth=2):
        """An expression that gives an int."""
        rng = self.rng
        options = [str(rng.randint(0, 9))]
        for name, kind in sorted(self.bound.items(), key=lambda item: item[0]):
            if depth < 2 and rng.random() < 0.5:
                continue
            if kind == "int":
                options += [name, name]
            elif self.calls >= 2:
                continue
            elif not isinstance(kind, str):
                options += self.of_module(name, kind[1])
            elif kind == "function" and depth:
                options.append(f"{name}({self.integer(0)})")
            elif kind == "class" and depth:
                options += [f"{name}.limit", f"{name}().total()"]
        options.append("abs(-3)")
        chosen = rng.choice(options)
        self.calls += "(" in chosen
        if depth and rng.random() < 0.3:
            variable = rng.choice(INTS)
            return rng.choice(
                [
                    f"{chosen} + {self.integer(depth - 1)}",
                    f"sum([{variable} for {variable} in range(3)]) + {chosen}",
                    f"(lambda {variable}: {variable} + 1)({chosen})",
                    f"len(str({chosen}))",
                ]
            )
        return chosen

    def of_module(self, alias, other):
        found = []
        for name in sorted(other.names()):
            kind = KINDS[name]
            if kind == "int":
                found.append(f"{alias}.{name}")
            elif kind == "function":
                found.append(f"{alias}.{name}({self.rng.randint(0, 9)})")
            else:
                found.append(f"{alias}.{name}.limit")
        return found


def random_project(rng):
    """The text of a random project; its entry is main.py."""
    names = ["main", *rng.choice(MODULE_SETS)]
    everyone = [ModuleWriter(rng, name, [], []) for name in names]
    files = []
    for place in range(len(everyone) - 1, -1, -1):
        writer = everyone[place]
        writer.everyone = everyone
        # A package is run before its modules, so it must not import them at its top before it has
        # its names.
        writer.later = [other for other in everyone[place + 1 :]]
        text = writer.write(rng.randint(3, 8))
        path = writer.name.replace(".", "/")
        files.append(f"--- {path}/__init__.py" if writer.is_package() else f"--- {path}.py")
        files[-1] += "\n" + text
    return "\n".join(reversed(files))


def compare(project, folder):
    """(verdict, detail) of running a project before and after flattening.

    The verdict is "same", "different" (the detail shows all), "refused" (the detail is the message)
    or "fails" where the project does not run to its end before.
    """
    root = folder / "project"
    entry = write_project(project, root)
    before = outcome_of_sources(entry, root)
    if before.endswith(" <- raised\n"):
        return "fails", before
    if IMPORT_FAILED in before:
        # It may have ended other modules half-way, and which of them Python runs again depends on
        # the modules of theirs that it still has.
        return "fails", before
    try:
        text = assemble(entry, root=root).text
    except BundleError as error:
        refused = any(reason in str(error) for reason in REFUSED)
        return "refused" if refused else "different", f"{project}\n=== {error}"
    after = outcome_of_bundle(text, folder / "alone")
    if after == before:
        return "same", ""
    return "different", f"{project}\n=== bundle\n{text}\n=== before\n{before}\n=== after\n{after}"


def main(count, first_seed=0):
    """Compare `count` graphs and say how many are the same; exit 1 at the first difference."""
    verdicts = Counter()
    for seed in range(first_seed, first_seed + count):
        with tempfile.TemporaryDirectory() as folder:
            verdict, detail = compare(random_project(random.Random(seed)), Path(folder))
        if verdict == "different":
            sys.exit(f"seed {seed}\n{detail}")
        verdicts[verdict] += 1
    shares = ", ".join(f"{number} {verdict}" for verdict, number in verdicts.most_common())
    print(f"{count} graphs: {shares}, 0 different")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
