"""Which names a module binds at its top level, which of the top level's names it reads, and which
names are locals somewhere in it (Python reference, "Execution model", 4.2).

Where a name stands is told by Python's own `symtable`, and nothing is asked of it but by name: what
is a local anywhere in a module counts as hidden everywhere in it.
"""

import ast
import re
import symtable
from dataclasses import dataclass

from bundler.source import IMPORTS, bound_name

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
DEFINITIONS = (*FUNCTIONS, ast.ClassDef)
COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_WORD = re.compile(r"\w+")
TYPE_ALIAS = getattr(ast, "TypeAlias", ())  # `type X = int`, since Python 3.12


@dataclass(frozen=True)
class Binding:
    """One place that binds a name of the top level.

    kind: "def" for functions, classes and type aliases, "import", "assign" for a plain assignment
    that stands by itself, "store" for what else stores, "delete", "global" for what a function does.
    unit: index. direct: a statement of the top level, in no block. alias: (node, ast.alias).
    """

    kind: str
    unit: int
    direct: bool
    alias: tuple | None = None


class Names(ast.NodeVisitor):
    """The names of a Source.

    bindings: name -> its Bindings. read: the names of the top level that anything in the module
    reads or, with `global`, stores. hidden: the names that are local to some function,
    comprehension or class. surely: the names that are bound when the module has run to its end.
    """

    def __init__(self, source):
        self.bindings = {}
        self.read, self.hidden = _scopes(source)
        self.unit, self.direct, self.in_comprehension = 0, True, False
        for index, unit in enumerate(source.units):
            for node in unit.statements:
                self.unit, self.direct = index, True
                self.visit(node)
        self.surely = _surely_bound(source.tree.body)

    @property
    def bound(self):
        return self.bindings.keys()

    def _bind(self, name, kind, alias=None):
        binding = Binding(kind, self.unit, self.direct, alias)
        self.bindings.setdefault(name, []).append(binding)

    def generic_visit(self, node):
        if isinstance(node, ast.stmt):
            self.direct = False
        super().generic_visit(node)

    # Statements that stand by themselves

    def _visit_import(self, node):
        for alias in node.names:
            if alias.name != "*":
                name = bound_name(alias)
                self._bind(name, "import", (node, alias))

    visit_Import = visit_ImportFrom = _visit_import

    def visit_Assign(self, node):
        direct = self.direct
        self.visit(node.value)
        for target in node.targets:
            self._visit_target(target, direct)

    def visit_AnnAssign(self, node):
        direct = self.direct
        self.visit(node.annotation)
        if node.value is not None:
            self.visit(node.value)
            self._visit_target(node.target, direct)

    def _visit_target(self, target, direct):
        self.direct = direct
        if isinstance(target, ast.Name):
            self._bind(target.id, "assign")
        elif isinstance(target, (ast.Tuple, ast.List)):
            for part in target.elts:
                self._visit_target(part, direct)
        else:
            self.direct = False
            self.visit(target)

    def _visit_definition(self, node):
        self._bind(node.name, "def")
        outer, self.direct = self.direct, False
        for part in node.decorator_list:
            self.visit(part)
        if isinstance(node, ast.ClassDef):
            for part in [*node.bases, *node.keywords]:
                self.visit(part)
        else:
            self._visit_arguments(node.args)
            if node.returns is not None:
                self.visit(node.returns)
        for part in node.body:
            self._visit_globals(part)
        self.direct = outer

    visit_FunctionDef = visit_AsyncFunctionDef = visit_ClassDef = _visit_definition

    def _visit_arguments(self, arguments):
        annotations = [argument.annotation for argument in ast.walk(arguments) if _is_arg(argument)]
        for part in [*arguments.defaults, *arguments.kw_defaults, *annotations]:
            if part is not None:
                self.visit(part)

    def visit_Lambda(self, node):
        self._visit_arguments(node.args)

    def _visit_globals(self, node):
        """What a function or class stores, or may, when it declares names global."""
        for part in ast.walk(node):
            if isinstance(part, ast.Global):
                for name in part.names:
                    self._bind(name, "global")

    visit_Global = _visit_globals

    def visit_TypeAlias(self, node):
        self._bind(node.name.id, "def")

    # Names

    def _visit_comprehension(self, node):
        outer, self.in_comprehension = self.in_comprehension, True
        self.generic_visit(node)
        self.in_comprehension = outer

    visit_ListComp = visit_SetComp = visit_DictComp = visit_GeneratorExp = _visit_comprehension

    def visit_Name(self, node):
        if isinstance(node.ctx, ast.Del):
            self._bind(node.id, "delete")
        elif isinstance(node.ctx, ast.Store) and not self.in_comprehension:
            self._bind(node.id, "store")

    def visit_NamedExpr(self, node):
        self._bind(node.target.id, "store")
        self.visit(node.value)

    def visit_ExceptHandler(self, node):
        if node.name is not None:
            self._bind(node.name, "delete")  # Python deletes it at the handler's end
        self.generic_visit(node)

    def _visit_capture(self, node):
        name = getattr(node, "name", None) or getattr(node, "rest", None)
        if name is not None:
            self._bind(name, "store")
        self.generic_visit(node)

    visit_MatchAs = visit_MatchStar = visit_MatchMapping = _visit_capture


def _is_arg(node):
    return isinstance(node, ast.arg)


def _scopes(source):
    """(names of the top level that are read or declared global anywhere, names that are local in
    some other scope).
    """
    top = symtable.symtable(source.text, source.shown, "exec")
    read = {symbol.get_name() for symbol in top.get_symbols() if symbol.is_referenced()}
    hidden = set()
    tables = list(top.get_children())
    while tables:
        table = tables.pop()
        tables += table.get_children()
        for symbol in table.get_symbols():
            if not symbol.is_global():
                hidden.add(symbol.get_name())
            # A class body reads the top level's name until it has bound its own.
            if symbol.is_global() or (table.get_type() == "class" and symbol.is_referenced()):
                read.add(symbol.get_name())
    return read, hidden


def _surely_bound(statements):
    """The names that statements bind in any case, if they run to their end."""
    names = set()
    for node in statements:
        if isinstance(node, DEFINITIONS):
            names.add(node.name)
        elif isinstance(node, IMPORTS):
            names |= {bound_name(alias) for alias in node.names}
        elif isinstance(node, ast.Assign):
            names |= {name for target in node.targets for name in _targets(target)}
        elif isinstance(node, ast.AnnAssign) and node.value is not None:
            names |= _targets(node.target)
        elif isinstance(node, TYPE_ALIAS):
            names.add(node.name.id)
        elif isinstance(node, ast.If):
            names |= _surely_bound(node.body) & _surely_bound(node.orelse)
        elif isinstance(node, (ast.Try, ast.TryStar)):
            ways = [node.body + node.orelse, *(handler.body for handler in node.handlers)]
            names |= set.intersection(*map(_surely_bound, ways)) | _surely_bound(node.finalbody)
    return names


def _targets(target):
    if isinstance(target, ast.Name):
        return {target.id}
    if isinstance(target, (ast.Tuple, ast.List)):
        return set().union(*map(_targets, target.elts))
    return set()


def annotation_words(tree, names_too=False):
    """The words in texts of annotations, which may be names that are looked up later; with
    `names_too` the names in annotations as well.
    """
    words = set()
    for node in ast.walk(tree):
        for part in (getattr(node, "annotation", None), getattr(node, "returns", None)):
            for inner in ast.walk(part) if isinstance(part, ast.AST) else ():
                if isinstance(inner, ast.Constant) and isinstance(inner.value, str):
                    words.update(_WORD.findall(inner.value))
                elif names_too and isinstance(inner, ast.Name):
                    words.add(inner.id)
    return words
