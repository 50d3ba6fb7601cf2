"""Changes of captured variables, after which kernels and Python would read different values.

While the bot plays, Python may only read a captured array: `x[i]`, `len(x)`, `x.shape`, `x + y` and
the like. Whatever else a function does with it is refused, as it may change the array or pass it
on. A function that kernels call is compiled, where numba lets nothing change it.
"""

import ast
import dis
import re
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any

import numpy as np

from bundler.native.captures import Captures, codes_in, is_installed, python_function, variables
from bundler.native.captures import Variable as CapturedVariable
from bundler.native.recording import ENTRY, Kernel, KernelError, Place

Variable = tuple[int, str]  # (id of a module's namespace, name)

BINDINGS = ("STORE_NAME", "STORE_GLOBAL", "STORE_DEREF")
FUNCTIONS = ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda

READING = ast.Subscript, ast.BinOp, ast.UnaryOp, ast.Compare, ast.FormattedValue, ast.Expr

# What reads an array and returns no view of it
ATTRIBUTES = set("""
    all any argmax argmin copy dtype item max mean min nbytes ndim shape size sum tobytes tolist
    """.split())
READERS = set("""
    all any argmax argmin array bytes enumerate float int list len max min reversed set sorted str
    sum tuple zip
    """.split())


class BundleModule:
    """A module of the bundle: its namespace `names`, its file, and its syntax tree."""

    def __init__(self, names: dict[str, Any], file: str, text: str) -> None:
        self.names, self.file, tree = names, file, ast.parse(text)
        self.body = tree.body
        # An index of a name may then be a slice.
        self.names_slices = bool(re.search(r"\bslice\(|\bs_\[|\bindex_exp\b", text))
        self.codes = list(codes_in(compile(tree, file, "exec", dont_inherit=True)))
        self.starts = defaultdict[tuple[str, int], list[CodeType]](list)  # by name and first line
        for code in self.codes:
            self.starts[code.co_name, code.co_firstlineno].append(code)
        self.nodes: dict[Any, Any] = {}  # (line, column): the name there
        for part in ast.walk(tree):
            for child in ast.iter_child_nodes(part):
                child.parent = part  # type: ignore[attr-defined]
            if isinstance(part, ast.Name):
                self.nodes[part.lineno, part.col_offset] = part
        self.bound = {  # (index of the code, name): the line of its last binding
            (i, step.argval): start(step)[0]
            for i, code in enumerate(self.codes)
            for step in dis.get_instructions(code)
            if step.opname in BINDINGS
        }

    def binding(self, name: str, function: FunctionType | None) -> Place | None:
        """Returns (file, line) of a variable's last binding, None if it has none, as a parameter of
        a factory. function: the function whose closure has the variable, None for a module's
        variable.
        """
        around = [0]
        if function is not None:
            around = [
                i
                for i, code in enumerate(self.codes)
                if name in code.co_cellvars and function.__code__ in codes_in(code)
            ]
        lines = [self.bound[i, name] or 1 for i in around if (i, name) in self.bound]
        return (self.file, lines[-1]) if lines else None


def captured_values(kernels: dict[str, Kernel]) -> dict[str, Any]:
    """Returns {label: (digest, place, phrase)}: a fingerprint of each kernel's captured values, to
    compare two imports. Raises KernelError for a capture that the program changes.
    """
    modules = {id(module.names): module for module in bundle_modules()}
    labels = {}
    for name, kernel in kernels.items():
        labels[name] = "", kernel.made_at, kernel.shown(kernel.function)
        then, now = kernel.captures, Captures(kernel.function).values
        known = {(id(function), variable.shown) for function, variable, _ in then.values.values()}
        for function, variable, _ in now.values():
            is_new = id(function) in then.functions and (id(function), variable.shown) not in known
            if is_new and python_function(variable.value) is not kernel.function:
                line = start(variable.step)[0] or function.__code__.co_firstlineno
                construct = f"{kernel.shown(function)}: name {variable.shown!r} is not bound yet"
                advice = "bind it above the kernel"
                raise KernelError((function.__code__.co_filename, line), construct, advice)
        for label, (function, variable, digest) in then.values.items():
            place = kernel.made_at
            owner = function.__globals__ if variable.owner is None else variable.owner
            if id(owner) in modules:
                around = function if variable.owner is None else None
                place = modules[id(owner)].binding(variable.name, around) or place
            phrase = reading(kernel, function, variable)
            if isinstance(variable.value, ModuleType) and not is_installed(variable.value):
                raise KernelError(place, f"{phrase} is a module", "read its names as module.name")
            if label not in now or now[label][2] != digest:
                advice = "make the kernel after that, or pass it as an argument"
                raise KernelError(place, f"{phrase} is changed after the kernel was made", advice)
            labels[f"{name} {label}"] = digest, place, phrase
    return labels


def reading(kernel: Kernel, function: FunctionType, variable: CapturedVariable) -> str:
    comma = "" if function is kernel.function else ","
    return f"{variable.shown}, which {kernel.shown(function)}{comma} reads and keeps,"


def check_playing(kernels: dict[str, Kernel]) -> None:
    """Raise KernelError for code that changes a capture, or passes it on, while the bot plays."""
    captured: dict[Variable, tuple[str, int]] = {}  # the phrase for a variable, its `depth`
    compiled = set[tuple[int, str, int]]()  # (id of a namespace, name, first line) of a function
    for kernel in kernels.values():
        for function, variable, _ in kernel.captures.values.values():
            compiled.add(identity(function.__globals__, function.__code__))
            key = id(variable.owner), variable.name
            levels = max(depth(variable.value), captured.get(key, ("", 0))[1])
            captured[key] = reading(kernel, function, variable), levels
    functions = {id(kernel.function): kernel for kernel in kernels.values()}
    for module, code, steps in playing_codes([*bundle_modules()]):
        if identity(module.names, code) in compiled:
            continue
        for variable in variables(steps, module.names):
            where = start(variable.step)
            node, place = module.nodes.get(where), (module.file, where[0])
            for _ in range(variable.shown.count(".")):
                node = getattr(node, "parent", None)
            kernel_there = functions.get(id(python_function(variable.value)))
            if kernel_there and getattr(getattr(node, "parent", None), "keywords", None):
                construct = f"{kernel_there.shown(kernel_there.function)}: called with the names of"
                advice = "pass every argument by its position"
                raise KernelError(place, f"{construct} parameters", advice)
            phrase, levels = captured.get((id(variable.owner), variable.name), ("", 0))
            step: Any = variable.step
            if phrase and not (
                is_read(node, levels, module.names_slices)
                if node
                else not levels and "LOAD" in step.opname
            ):
                change = "changed or passed on" if levels else "changed"
                raise KernelError(place, f"{phrase} is {change} here", "pass it as an argument")


def bundle_modules() -> Iterator[BundleModule]:
    """Yields the modules of the bundle that has run: its own text, and the carried modules that
    were imported.
    """
    names = vars(sys.modules[ENTRY])
    yield BundleModule(names, names["__file__"], Path(names["__file__"]).read_text("utf-8"))
    for finder in sys.meta_path:
        for name, (path, text, *_) in getattr(finder, "texts", {}).items():
            if name in sys.modules:
                yield BundleModule(vars(sys.modules[name]), path or name, text)


def identity(names: dict[str, Any], code: CodeType) -> tuple[int, str, int]:
    return id(names), code.co_name, code.co_firstlineno


def depth(value: object) -> int:
    """Returns the number of subscripts from a value down to a number of an array, including the
    subscripts of tuples around the array; 0 for a value without arrays, which cannot be changed.
    """
    if isinstance(value, np.ndarray):
        return value.ndim or 1
    if isinstance(value, tuple):
        deepest = max(map(depth, value), default=0)
        return deepest and deepest + 1
    return 0


def is_read(node: Any, levels: int, names_slices: bool) -> bool:
    """Returns True if an expression for a value is only read where it stands. levels: the value's
    `depth`. names_slices: True if the module binds slices to names.
    """
    if not is_load(node):
        return False
    if not levels:
        return True
    parent = node.parent
    match parent:
        case ast.Subscript(value=value, slice=index) if value is node:
            indices = index.elts if isinstance(index, ast.Tuple) else [index]
            taken = sum(is_place(index, names_slices) for index in indices)
            return is_read(parent, max(levels - taken, 0), names_slices)
        case ast.Attribute(attr=name):
            return name in ATTRIBUTES
        case ast.Call(func=function):
            name = getattr(function, "attr", getattr(function, "id", ""))
            is_reader = name in READERS if levels == 1 else name in ("len", "array")
            return node in parent.args and is_reader
        case ast.For(iter=value) | ast.comprehension(iter=value) if value is node:
            return levels == 1
        case ast.Starred():
            return levels == 1
    return isinstance(parent, READING)


def is_place(index: ast.expr, names_slices: bool) -> bool:
    """Returns True for an index that is a number, False for a slice, `...` or None."""
    match index:
        case ast.Constant(value=value):
            return isinstance(value, int)
        case ast.Name() | ast.Attribute() | ast.Subscript() | ast.Call():
            return not names_slices and getattr(index, "attr", "") != "newaxis"
    return not isinstance(index, ast.Slice | ast.Starred)


def is_load(node: Any) -> bool:
    return isinstance(node.ctx, ast.Load)


def playing_codes(
    modules: Iterable[BundleModule],
) -> Iterator[tuple[BundleModule, CodeType, list[dis.Instruction]]]:
    """Yields (module, code, its instructions) of all code that runs when the bot plays: functions,
    and what stands under `if __name__ == ...`. Functions that are called during the import are left
    out, because they may fill a table.
    """
    importing = set[str]()  # names that are called
    playing: list[tuple[BundleModule, Any]] = []  # functions
    for module in modules:
        conditions = [node for node in module.body if isinstance(node, ast.If)]
        guards = [node for node in conditions if "__name__" in ast.unparse(node.test)]
        lines = {line for node in guards for line in range(node.lineno, (node.end_lineno or 0) + 1)}
        steps = dis.get_instructions(module.codes[0])
        yield module, module.codes[0], [step for step in steps if start(step)[0] in lines]
        for node in module.body:
            inner = outermost_functions(node)
            importing |= called(node, inner) if node not in guards else set()
            playing += [(module, function) for function in inner]
    calls = [(getattr(node, "name", ""), called(node)) for _, node in playing]
    further = importing
    while further:
        importing |= further
        further = set[str]().union(*(names for name, names in calls if name in importing))
        further -= importing
    for module, tree in playing:
        name, decorators = getattr(tree, "name", "<lambda>"), getattr(tree, "decorator_list", ())
        line = min(node.lineno for node in (tree, *decorators))
        outermost = module.starts[name, line] if name not in importing else []
        for code in chain.from_iterable(map(codes_in, outermost)):
            yield module, code, [*dis.get_instructions(code)]


def outermost_functions(tree: ast.AST) -> list[ast.AST]:
    """Returns the functions and lambdas of a syntax tree that are inside no other function."""
    if isinstance(tree, FUNCTIONS):
        return [tree]
    return [
        function for node in ast.iter_child_nodes(tree) for function in outermost_functions(node)
    ]


def called(tree: ast.AST, without: Sequence[ast.AST] = ()) -> set[str]:
    """Returns the names in called expressions, as `a` and `b` of `a.b()`. without: subtrees to
    skip.
    """
    names = set[str]()
    waiting = [tree]
    while waiting:
        part = waiting.pop()
        for node in ast.walk(part.func) if isinstance(part, ast.Call) else ():
            if isinstance(node, ast.Name | ast.Attribute):
                names.add(node.id if isinstance(node, ast.Name) else node.attr)
        waiting += [node for node in ast.iter_child_nodes(part) if node not in without]
    return names


def start(step: Any) -> tuple[Any, Any]:
    """Returns (line, column) of the start of an instruction's expression: `x` in `x[i].y = 3`."""
    place = step.positions or dis.Positions()
    return place.lineno, place.col_offset
