"""Mutations of captured variables, after which kernels and Python would read different values.

Of changes in functions those are seen that the syntax shows: `global x`, `x[i] = ...`, `x.sort()`,
`np.copyto(x, y)`, `module.x = ...`, these by another name, and in functions that x is passed to.
"""

import ast
import dis
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from types import CodeType, FunctionType, MappingProxyType, ModuleType
from typing import Any

from bundler.native.captures import Captures, codes_in, python_function
from bundler.native.recording import ENTRY, Kernel, KernelError, Place

Variable = tuple[int, str]  # (id of a module's namespace, or 0 for a parameter; name)
NOTHING: Variable = (0, "")
BY_KEYWORD = "="  # the name of what changes in a function that is called by keyword

BINDINGS = ("STORE_NAME", "STORE_GLOBAL", "STORE_DEREF")
FUNCTIONS = ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda

# Methods of arrays and lists that change these, and that return views
METHODS = set("""
    append byteswap clear extend fill insert itemset partition pop put remove resize reverse
    setfield setflags sort
    """.split())
VIEWS = set("diagonal ravel reshape squeeze swapaxes transpose view".split())

# Functions that change their first argument
WRITERS = set("copyto fill_diagonal place put put_along_axis putmask shuffle".split())


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
        if place := places.get((id(kernel.function), BY_KEYWORD)):
            construct = f"{kernel.shown(kernel.function)}: called with the names of parameters"
            raise KernelError(place, construct, "pass every argument by its position")
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


def find_mutations(modules: Iterable[BundleModule]) -> dict[Variable, Place]:
    """Returns {variable: (file, line)} of changes when the bot plays: in
    functions and under `if __name__ == ...`. A function that an import calls may fill a table.
    """
    importing = set[str]()  # names that are called
    playing: list[tuple[BundleModule, ast.AST]] = []  # functions, or statements
    definitions = {}
    for module in modules:
        conditions = [node for node in module.body if isinstance(node, ast.If)]
        guards = [node for node in conditions if "__name__" in ast.unparse(node.test)]
        playing.append((module, ast.Module([*guards], [])))
        for node in module.body:
            if node not in guards:
                inner = outermost_functions(node)
                importing |= called(node, inner)
                playing += [(module, function) for function in inner]
        for tree in ast.walk(ast.Module(module.body, [])):
            if isinstance(tree, FUNCTIONS):
                first = [*getattr(tree, "decorator_list", []), tree][0]
                definitions[module.file, first.lineno] = tree
    further = importing
    while further:
        importing |= further
        calling = [called(node) for _, node in playing if getattr(node, "name", "") in importing]
        further = set[str]().union(*calling) - importing
    places: dict[Variable, Place] = {}
    for module, tree in playing:
        if getattr(tree, "name", "") not in importing:
            for variable, line in Changes(module.names, definitions).of(tree).items():
                places[variable] = module.file, line
    return places


def outermost_functions(tree: ast.AST) -> list[ast.AST]:
    """The functions in a statement of a module that are in no other one."""
    if isinstance(tree, FUNCTIONS):
        return [tree]
    return [
        function for node in ast.iter_child_nodes(tree) for function in outermost_functions(node)
    ]


def called(tree: ast.AST, without: Sequence[ast.AST] = ()) -> set[str]:
    """Returns the names in called expressions, `a` and `b` of `a.b()`; without: trees within."""
    names = set[str]()
    if isinstance(tree, ast.Call):
        names = {
            node.id if isinstance(node, ast.Name) else node.attr
            for node in ast.walk(tree.func)
            if isinstance(node, ast.Name | ast.Attribute)
        }
    parts = [node for node in ast.iter_child_nodes(tree) if node not in without]
    return names.union(*(called(node, without) for node in parts))


IMMUTABLE = (int, float, str, type(None))


class Changes:
    """The changes of a module's variables, and of a function's parameters, in a function.

    names: the module's namespace; definitions: {(file, line): the functions of all modules};
    aliases: {local name: the variable that it stands for}; depth: of functions to follow.
    """

    def __init__(
        self,
        names: dict[str, Any],
        definitions: dict[Place, Any],
        aliases: Mapping[str, Variable] = MappingProxyType({}),
        depth: int = 3,
    ) -> None:
        self.names, self.definitions, self.depth = names, definitions, depth
        self.aliases = dict(aliases)
        self.places: dict[Variable, int] = {}

    def of(self, tree: Any) -> dict[Variable, int]:
        """Returns {variable: line} of the changes in a function or in statements."""
        nodes = [*within(tree)]
        shared = {name for node in nodes if isinstance(node, ast.Global) for name in node.names}
        bound = {node.id for node in nodes if isinstance(node, ast.Name) and is_bound(node)}
        if isinstance(tree, FUNCTIONS):
            self.aliases |= dict.fromkeys(bound - shared, NOTHING)
            arguments = [node.arg for node in ast.walk(tree.args) if isinstance(node, ast.arg)]
            self.aliases |= {name: (0, name) for name in arguments}
        else:
            shared = bound
        for node in nodes * 2:  # an alias may be bound behind its use, in a loop
            match node:
                case ast.Assign(targets=targets, value=value):
                    pass
                case ast.AnnAssign(target=target, value=ast.AST() as value):
                    targets = [target]
                case ast.For(target=target, iter=value) | ast.NamedExpr(target=target, value=value):
                    targets = [target]
                case _:
                    continue
            root = self.root(value)
            if root and root != NOTHING:
                names = [target.id for target in targets if isinstance(target, ast.Name)]
                self.aliases |= {name: root for name in names if name not in shared}
        for node in nodes:
            self.visit(node, shared)
            if isinstance(node, FUNCTIONS):
                inner = Changes(self.names, self.definitions, self.aliases, self.depth)
                self.places = inner.of(node) | self.places
        return self.places

    def visit(self, node: Any, shared: set[str]) -> None:
        match node:
            case ast.Name(id=name) if name in shared and is_bound(node):
                self.places.setdefault((id(self.names), name), node.lineno)
            case ast.Attribute() if is_bound(node):
                self.change(node, node)
            case ast.Subscript() if is_bound(node):
                self.change(node.value, node)
            case ast.AugAssign(target=ast.Name()):
                self.change(node.target, node)
            case ast.Call(func=function):
                name = getattr(function, "attr", getattr(function, "id", ""))
                if isinstance(function, ast.Attribute) and name in METHODS:
                    self.change(function.value, node)
                if node.keywords and (callee := python_function(self.value(function))):
                    self.places.setdefault((id(callee), BY_KEYWORD), node.lineno)
                for keyword in node.keywords:
                    if keyword.arg == "out":
                        self.change(keyword.value, node)
                if name in WRITERS and node.args:
                    self.change(node.args[0], node)
                self.pass_on(node)

    def pass_on(self, call: ast.Call) -> None:
        """Note the arguments that a function of the bundle changes."""
        roots = [self.root(argument) for argument in call.args]
        function = python_function(self.value(call.func)) if any(roots) and self.depth else None
        if function is None:
            return
        code = function.__code__
        tree = self.definitions.get((code.co_filename, code.co_firstlineno))
        if tree is None:
            return
        names, definitions = function.__globals__, self.definitions
        changes = Changes(names, definitions, depth=self.depth - 1).of(tree)
        for root, parameter in zip(roots, tree.args.args):
            if (0, parameter.arg) in changes:
                self.note(root, call)

    def change(self, expression: ast.AST, node: Any) -> None:
        self.note(self.root(expression), node)

    def note(self, root: Variable | None, node: Any) -> None:
        """Note the change of a variable; `n += 1` gives a number another name's value alone."""
        is_here = root and root[0] == id(self.names)
        if root and not (is_here and isinstance(self.names.get(root[1]), IMMUTABLE)):
            self.places.setdefault(root, node.lineno)

    def value(self, node: ast.AST) -> Any:
        """Returns the value of a name, or of an attribute of a module; None for others."""
        if isinstance(node, ast.Name) and node.id not in self.aliases:
            return self.names.get(node.id)
        if isinstance(node, ast.Attribute) and isinstance(self.value(node.value), ModuleType):
            return getattr(self.value(node.value), node.attr, None)
        return None

    def root(self, node: ast.AST) -> Variable | None:
        """Returns the variable that an expression is a part or a view of: `x` of `x[i].flat`."""
        match node:
            case ast.Name(id=name):
                if name in self.aliases:
                    return self.aliases[name]
                return (id(self.names), name) if name in self.names else None
            case ast.Attribute(value=value, attr=name):
                module = self.value(value)
                if isinstance(module, ModuleType):
                    return id(vars(module)), name
                return self.root(value)
            case ast.Subscript(value=value):
                return self.root(value)
            case ast.Call(func=ast.Attribute(value=value, attr=name)) if name in VIEWS:
                return self.root(value)
        return None


def within(tree: ast.AST) -> Iterator[ast.AST]:
    """The nodes of a function; of the functions in it, only the function itself."""
    for node in ast.iter_child_nodes(tree):
        yield node
        if not isinstance(node, FUNCTIONS):
            yield from within(node)


def is_bound(node: Any) -> bool:
    return isinstance(node.ctx, ast.Store | ast.Del)


def start(step: dis.Instruction) -> tuple[Any, Any]:
    """Returns (line, column) of the start of an instruction's expression: `x` in `x[i].y = 3`."""
    place = step.positions or dis.Positions()
    return place.lineno, place.col_offset
