"""The names that a module binds and reads at its top level, and its local names (Python reference,
"Execution model", 4.2).

Python's own `symtable` gives the scope of each name that is read. Names are compared as texts: a
name that is local anywhere in a module counts as hidden everywhere in it.
"""

import ast
import symtable
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from bundler.modules.source import FUNCTIONS, IMPORTS, Import, Source, Unit, bound_name, walk

_DEFINITIONS = (*FUNCTIONS, ast.ClassDef)

DEFINITE = ("def", "import", "assign")
Alias = tuple[Import, ast.alias]


@dataclass(frozen=True)
class Binding:
    """A unit that binds a name of the top level.

    kind: "def" for functions and classes; "import" or "assign" for such a statement in no block;
    "store" for a variable that any other statement binds; "block" for all other bindings. alias:
    the import that binds the name, in any place, else None.
    """

    unit: Unit
    kind: str
    alias: Alias | None


class Names:
    """The names of a Source. bindings: {name: its Bindings}. read: the names of the top level that
    any code reads. hidden: the local names of functions, comprehensions and classes. definite: the
    names that a statement in no block binds, and that no statement deletes. shared: the names that
    functions declare `global`.
    """

    def __init__(self, source: Source) -> None:
        self.bindings: dict[str, list[Binding]] = {}
        self.bound = self.bindings.keys()
        self.read: set[str] = set()
        self.hidden: set[str] = set()
        self.shared = {
            name for node in source.nodes if isinstance(node, ast.Global) for name in node.names
        }
        deleted = {
            node.id if isinstance(node, ast.Name) else getattr(node, "name", None)
            for node in source.nodes
            if isinstance(node, (ast.Name, ast.ExceptHandler))
            and isinstance(getattr(node, "ctx", ast.Del()), ast.Del)
        }
        for unit in source.units:
            for node in unit.statements:
                for name, binder in _bound(node):
                    alias = binder if isinstance(binder, tuple) else None
                    binding = Binding(unit, _kind(node, binder), alias)
                    self.bindings.setdefault(name, []).append(binding)
                for inner in walk(node):
                    for name in inner.names if isinstance(inner, ast.Global) else ():
                        self.bindings.setdefault(name, []).append(Binding(unit, "block", None))
        self.definite = {
            name
            for name, bindings in self.bindings.items()
            if any(binding.kind in DEFINITE for binding in bindings) and name not in deleted
        }
        for inner in source.nodes:  # since Python 3.12 they have no table of their own
            if isinstance(inner, ast.comprehension):
                self.hidden.update(name for name, _ in _bound(inner.target))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # an earlier compilation has shown them
            top = symtable.symtable(source.text, source.shown, "exec")
        self.read |= {symbol.get_name() for symbol in top.get_symbols() if symbol.is_referenced()}
        tables = list(top.get_children())
        while tables:
            table = tables.pop()
            tables += table.get_children()
            for symbol in table.get_symbols():
                if not symbol.is_global():
                    self.hidden.add(symbol.get_name())
                # A class body reads the top level's name until it has bound its own.
                if symbol.is_global() or (table.get_type() == "class" and symbol.is_referenced()):
                    self.read.add(symbol.get_name())


names_of = lru_cache(maxsize=256)(Names)  # of a Source


def imported(source: Source) -> dict[str, tuple[str | None, str]]:
    """Returns {name: (module, name in the module)} for imports by `from`, and {name: (None,
    module)} for other imports, of the names that one import binds, and that no other statement
    binds or hides.
    """
    names = names_of(source)
    origins: dict[str, tuple[str | None, str]] = {}
    for name, (binding, *others) in names.bindings.items():
        if binding.alias and not others and name not in names.hidden:
            node, alias = binding.alias
            if isinstance(node, ast.ImportFrom):
                origins[name] = "." * node.level + (node.module or ""), alias.name
            else:
                origins[name] = None, alias.name if alias.asname else name
    return origins


def _kind(node: ast.stmt, binder: ast.AST | Alias) -> str:
    if isinstance(node, (ast.Assign, ast.AnnAssign)) and node.value:
        return "assign"
    if isinstance(node, (*_DEFINITIONS, *IMPORTS)):
        return "import" if isinstance(node, IMPORTS) else "def"
    return "store" if isinstance(binder, ast.Name) else "block"


def _bound(node: ast.AST) -> Iterator[tuple[str, ast.AST | Alias]]:
    """Yields (name, binder) of each name that a node binds in its own scope. The binder is the node
    that binds the name, for an import (statement, alias).
    """
    match node:
        case ast.FunctionDef(name) | ast.AsyncFunctionDef(name) | ast.ClassDef(name):
            yield name, node
            return
        case ast.Import(names) | ast.ImportFrom(_, names):
            yield from ((bound_name(alias), (node, alias)) for alias in names)
        case ast.Name(name, ast.Store() | ast.Del()):
            yield name, node
        case ast.ExceptHandler(_, str(name)) | ast.MatchAs(_, str(name)) | ast.MatchStar(str(name)):
            yield name, node
        case ast.MatchMapping(_, _, str(name)):
            yield name, node
        case ast.Lambda():
            return
        case ast.comprehension():
            return  # its names are local
    for inner in ast.iter_child_nodes(node):
        yield from _bound(inner)
