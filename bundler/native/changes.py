"""Whether Python reads what kernels read, who keep their variables as they were when they were
made: not where another import gives others, nor where they are changed later.

Of changes in functions those are seen that can be: `global x`, `x[i] = ...`, `module.x = ...`.
"""

import ast
import linecache
import sys
from collections import defaultdict
from importlib.util import resolve_name
from types import ModuleType

from bundler.native.frozen import Frozen, python_function
from bundler.native.recording import KernelError, is_foreign, shown

ANEW = "is not the same in another import"
LATER = "is changed after the kernel was made"
IN_PYTHON = "is changed here"
ADVICE = {
    ANEW: "let it depend on no clock, seed, environment or order of a set, or pass it as an argument",
    LATER: "make the kernel after that, or pass it as an argument",
    IN_PYTHON: "pass it as an argument",
}


def check_frozen(kernels, again):
    """Raise KernelError where a kernel does not read what Python reads.

    kernels: of a Recording. again: {kernel: {label: digest}} of another import.
    """
    for name, kernel in kernels.items():
        if name not in again:
            construct = f"kernel {shown(kernel.function)} is not made in another import"
            raise KernelError(kernel.made_at, construct, ADVICE[ANEW])
        now = Frozen(kernel.function).digests()
        for label, (read, digest) in kernel.frozen.values.items():
            if again[name].get(label) != digest:
                raise changed(kernel, read, binding(read), ANEW)
            if now.get(label) != digest:
                raise changed(kernel, read, binding(read), LATER)
    places = changes()
    for kernel in kernels.values():
        for read, _ in kernel.frozen.values.values():
            if (id(read.owner), read.name) in places:
                place = places[id(read.owner), read.name]
                raise changed(kernel, read, place, IN_PYTHON)


def changed(kernel, read, place, how):
    """The KernelError of a variable that a Kernel reads; `place`: None if it is not known."""
    reader = f"kernel {shown(kernel.function)}"
    if read.function is not kernel.function:
        reader += f", in {shown(read.function)},"
    construct = f"{read.shown}, which {reader} reads and keeps, {how}"
    return KernelError(place or kernel.made_at, construct, ADVICE[how])


class Bindings(ast.NodeVisitor):
    """Where the names of a block of statements are bound; functions and classes within are blocks
    of their own.

    found: {name: (line, the statement and the alias of an import or None) of its last binding}.
    declared: the names that are the module's though they are bound in a function.
    """

    def __init__(self, block):
        self.found, self.declared = {}, set()
        for statement in block:
            self.visit(statement)

    def visit_Global(self, node):
        self.declared.update(node.names)

    def visit_Name(self, node):
        if isinstance(node.ctx, ast.Store):
            self.found[node.id] = node.lineno, None

    def visit_FunctionDef(self, node):
        self.found[node.name] = node.lineno, None

    visit_ClassDef = visit_AsyncFunctionDef = visit_FunctionDef

    def visit_ImportFrom(self, node):
        for alias in node.names:
            self.found[alias.asname or alias.name] = node.lineno, (node, alias)

    def visit_Lambda(self, node):
        """What is bound in it is its own, as in a comprehension."""

    visit_ListComp = visit_SetComp = visit_DictComp = visit_GeneratorExp = visit_Lambda


class Changes(ast.NodeVisitor):
    """The changes of the variables of modules that are made when the bot plays: in functions and
    under `if __name__ == ...`.

    names, attributes: [(what, line, function)] of the module's own variables, and of `x.y = ...`,
    where what is (x, y). function: the outermost one around, "" under such an `if`. called: the
    names that each function calls; those of the module itself at None.
    """

    def __init__(self, tree):
        self.names, self.attributes, self.called = [], [], defaultdict(set)
        self.function = None
        self.own = []  # of the functions around: the names that are theirs
        self.stored = set()  # the names that are the module's if they are bound here
        self.visit(tree)

    def visit_FunctionDef(self, node):
        bindings = Bindings(node.body)
        parameters = {part.arg for part in ast.walk(node.args) if isinstance(part, ast.arg)}
        before = self.function, self.stored
        self.function, self.stored = self.function or node.name, bindings.declared
        self.own.append((parameters | set(bindings.found)) - bindings.declared)
        self.generic_visit(node)
        self.own.pop()
        self.function, self.stored = before

    visit_AsyncFunctionDef = visit_FunctionDef

    def visit_If(self, node):
        before = self.function, self.stored
        parts = ast.walk(node.test)
        if any(isinstance(part, ast.Name) and part.id == "__name__" for part in parts):
            if self.function is None:
                self.function, self.stored = "", set(Bindings(node.body).found)
        self.generic_visit(node)
        self.function, self.stored = before

    def visit_Call(self, node):
        match node.func:
            case ast.Name(id=name) | ast.Attribute(attr=name):
                self.called[self.function].add(name)
        self.generic_visit(node)

    def visit_Name(self, node):
        if isinstance(node.ctx, ast.Store) and node.id in self.stored:
            self.names.append((node.id, node.lineno, self.function))

    def visit_Subscript(self, node):
        match node:
            case ast.Subscript(value=ast.Name(id=name), ctx=ast.Store()):
                if self.function is not None and not any(name in names for names in self.own):
                    self.names.append((name, node.lineno, self.function))
        self.generic_visit(node)

    def visit_Attribute(self, node):
        match node:
            case ast.Attribute(value=ast.Name(id=name), attr=attribute, ctx=ast.Store()):
                if self.function is not None:
                    self.attributes.append(((name, attribute), node.lineno, self.function))
        self.generic_visit(node)


def binding(read):
    """(file, line) where a variable that a kernel reads is bound; None if that cannot be told."""
    if read.owner is not None:
        return binding_in_module(read.owner, read.name)
    code = read.function.__code__
    around = [
        node
        for node in ast.walk(tree_of(code.co_filename, read.function.__globals__))
        if isinstance(node, ast.FunctionDef)
        and first_line(node) < code.co_firstlineno <= node.end_lineno
    ]
    for node in sorted(around, key=first_line, reverse=True):
        found = Bindings(node.body).found
        if read.name in found:
            return code.co_filename, found[read.name][0]
    return None


def binding_in_module(owner, name):
    """The same of a variable in the namespace `owner` of a module, or where it was imported from."""
    file = file_of(owner)
    found = Bindings(tree_of(file, owner).body).found
    if name not in found:
        return None
    line, imported = found[name]
    if imported:
        statement, alias = imported
        module = "." * statement.level + (statement.module or "")
        module = resolve_name(module, owner.get("__package__") or None)
        if module in sys.modules:
            place = binding_in_module(vars(sys.modules[module]), alias.name)
            return place or (file, line)
    return file, line


def first_line(node):
    """The first line of a function, its decorators included."""
    return min(part.lineno for part in (node, *node.decorator_list))


def changes():
    """{(id of the namespace of a module, name): (file, line)} of what changes its variables when
    the bot plays. What a function changes that is called by an import is left out: it fills a
    table, say.
    """
    modules = [
        (vars(module), file_of(vars(module)))
        for module in set(sys.modules.values())
        if not is_foreign(getattr(module, "__file__", None) or "")
    ]
    found = [Changes(tree_of(file, names)) for names, file in modules]
    called, calling = set(), [None]
    for function in calling:
        names = set().union(*(part.called[function] for part in found)) - called
        called |= names
        calling += names
    places = {}
    for (names, file), part in zip(modules, found):
        for name, line, function in part.names:
            if function not in called:
                places[id(names), name] = file, line
        for (other, name), line, function in part.attributes:
            if function not in called and isinstance(names.get(other), ModuleType):
                places[id(vars(names[other])), name] = file, line
    return places


def file_of(owner):
    """What tracebacks call the file of the module with this namespace."""
    for value in owner.values():
        function = python_function(value)
        if function and function.__globals__ is owner:
            return function.__code__.co_filename
    return owner.get("__file__") or ""


def tree_of(file, owner):
    """The syntax tree of a module; an empty one where its source is not at hand."""
    return ast.parse("".join(linecache.getlines(file, owner)))
