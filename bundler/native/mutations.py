"""Mutations of captured variables, after which kernels and Python would read different values.

Of changes in functions those are seen that can be: `global x`, `x[i] = ...`, `module.x = ...`.
"""

import ast
import dis
import inspect
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any

from bundler.native.captures import ATTRIBUTES, GLOBALS, Captures, codes_in, steps_of, variables
from bundler.native.recording import ENTRY, Kernel, KernelError, Place

NAMES = (*GLOBALS, *ATTRIBUTES)
BINDINGS = ("STORE_NAME", "STORE_GLOBAL", "STORE_DEREF")
CHANGES = ("STORE_GLOBAL", "STORE_SUBSCR", "STORE_SLICE", "STORE_ATTR")


class BundleModule:
    """One of the bundle, whose code stands in a file: its namespace is `names`."""

    def __init__(self, names: dict[str, Any], file: str, text: str) -> None:
        self.names, self.file, self.body = names, file, ast.parse(text).body
        self.codes = list(codes_in(self.compiled(self.body)))
        self.bound = {  # (index of the code, name): the line of its last binding
            (i, step.argval): start(step)[0]
            for i, code in enumerate(self.codes)
            for step in dis.get_instructions(code)
            if step.opname in BINDINGS
        }

    def compiled(self, statements: Sequence[ast.stmt]) -> CodeType:
        """The code of some of its statements."""
        return compile(ast.Module([*statements], []), self.file, "exec", dont_inherit=True)

    def binding(self, name: str, function: FunctionType | None) -> Place | None:
        """Returns (file, line) of a variable's last binding, None if it was passed to a factory."""
        around = [0]
        if function is not None:
            around = [
                i
                for i, code in enumerate(self.codes)
                if name in code.co_cellvars and function.__code__ in codes_in(code)
            ]
        lines = [self.bound[i, name] or 1 for i in around if (i, name) in self.bound]
        return (self.file, lines[-1]) if lines else None


def check_captures(kernels: dict[str, Kernel]) -> dict[str, Any]:
    """Returns {label: (digest, place, phrase)} of the kernels and their captures, to be compared
    with that of another import. Raises KernelError for a capture that is changed in this one.
    """
    modules = {id(module.names): module for module in bundle_modules()}
    places, labels = find_mutations(modules.values()), {}
    for name, kernel in kernels.items():
        labels[name] = "", kernel.made_at, kernel.shown(kernel.function)
        now = Captures(kernel.function).values
        for label, (function, variable, digest) in kernel.captures.values.items():
            comma = "" if function is kernel.function else ","
            phrase = f"{variable.shown}, which {kernel.shown(function)}{comma} reads and keeps,"
            place = kernel.made_at
            owner = function.__globals__ if variable.owner is None else variable.owner
            if id(owner) in modules:
                around = function if variable.owner is None else None
                place = modules[id(owner)].binding(variable.name, around) or place
            if label not in now or now[label][2] != digest:
                advice = "make the kernel after that, or pass it as an argument"
                raise KernelError(place, f"{phrase} is changed after the kernel was made", advice)
            changed = places.get((id(variable.owner), variable.name))
            if changed:
                raise KernelError(changed, f"{phrase} is changed here", "pass it as an argument")
            labels[f"{name} {label}"] = digest, place, phrase
    return labels


def bundle_modules() -> Iterator[BundleModule]:
    """The Modules of the bundle that has run: its own text, and those that it carries."""
    names = vars(sys.modules[ENTRY])
    yield BundleModule(names, names["__file__"], Path(names["__file__"]).read_text("utf-8"))
    for finder in sys.meta_path:
        for name, (path, text, *_) in getattr(finder, "texts", {}).items():
            if name in sys.modules:
                yield BundleModule(vars(sys.modules[name]), path or name, text)


def find_mutations(modules: Iterable[BundleModule]) -> dict[tuple[int, str], Place]:
    """Returns {(id of a module's namespace, name): (file, line)} of changes when the bot plays: in
    functions and under `if __name__ == ...`. A function that an import calls may fill a table.
    """
    importing, playing = set(), []  # names that are called; (function, Module, its instructions)
    for module in modules:
        conditions = [node for node in module.body if isinstance(node, ast.If)]
        guards = [node for node in conditions if "__name__" in ast.unparse(node.test)]
        playing.append(("", module, steps_of(module.compiled(guards))))
        at_once = [module.compiled([node for node in module.body if node not in guards])]
        for code in at_once:
            importing |= called(dis.get_instructions(code))
            for inner in filter(inspect.iscode, code.co_consts):
                # Bodies of classes, and comprehensions
                if inner.co_name.startswith("<") or not inner.co_flags & inspect.CO_OPTIMIZED:
                    at_once.append(inner)
                else:
                    playing.append((inner.co_name, module, steps_of(inner)))
    further = importing
    while further:
        importing |= further
        calling = (called(steps) for function, _, steps in playing if function in importing)
        further = set().union(*calling) - importing
    places = {}
    for function, module, steps in playing:
        if function not in importing:
            changed = CHANGES if function else (*CHANGES, "STORE_NAME")
            starts = {start(step) for step in steps if step.opname in changed}
            starts -= {start(step) for step in steps if step.opname.startswith("CALL")}
            for variable in variables(steps, module.names):
                if variable.step and start(variable.step) in starts:
                    places[id(variable.owner), variable.name] = module.file, start(variable.step)[0]
    return places


def called(steps: Iterable[dis.Instruction]) -> set[Any]:
    """Returns the names in called expressions: `a` and `b` of `a.b()`."""
    steps = list(steps)
    calls = {start(step) for step in steps if step.opname.startswith("CALL")}
    return {step.argval for step in steps if step.opname in NAMES and start(step) in calls}


def start(step: dis.Instruction) -> tuple[Any, Any]:
    """Returns (line, column) of the start of an instruction's expression: `x` in `x[i].y = 3`."""
    place = step.positions or dis.Positions()
    return place.lineno, place.col_offset
