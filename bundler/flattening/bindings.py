"""Name binding: the names that a module binds and reads at its top level, and its local names
(Python reference, "Execution model", 4.2).

Python's own `symtable` gives the scope of each name. Names are compared as texts alone: a name that
is local anywhere in a module counts as hidden everywhere in it.
"""

import ast
import dis
import symtable
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from bundler.modules.source import FUNCTIONS, IMPORTS, Import, Source, Unit, bound_name, words

TYPE_ALIAS = getattr(ast, "TypeAlias", ())  # `type X = int`, since Python 3.12
_DEFINITIONS = (*FUNCTIONS, ast.ClassDef, TYPE_ALIAS)
_ALONE = (*IMPORTS, *_DEFINITIONS, ast.Assign, ast.AnnAssign)

Alias = tuple[Import, ast.alias]


@dataclass(frozen=True)
class Binding:
    """One place that binds a name of the top level, in a unit; direct: it is in no block.

    kind: "def" for functions, classes and type aliases, "import", "assign" for a plain assignment
    that stands by itself, "store" for other stores, "delete", "global" for stores in functions.
    """

    name: str
    kind: str
    unit: Unit
    direct: bool
    alias: Alias | None = None

    @property
    def is_whole_import(self) -> bool:
        """True for an import in no block that binds what it names, not the top of `import a.b`."""
        alias = self.alias and self.alias[1]
        return self.direct and bool(alias and (alias.asname or "." not in alias.name))


class Names:
    """The names of a Source. bindings: name -> its Bindings. read: the names of the top level that
    are read anywhere. hidden: the local names of any function, comprehension or class. definite:
    the names that a statement in no block binds, and none deletes.
    """

    def __init__(self, source: Source) -> None:
        self.bindings: dict[str, list[Binding]] = {}
        self.bound = self.bindings.keys()
        self.read: set[str] = set()
        self.hidden: set[str] = set()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # it was compiled before
            for unit in source.units:
                for node in unit.statements:
                    text = source.text[unit.start : unit.end] if unit.node else source.segment(node)
                    top = symtable.symtable(f"{text}\n", source.shown, "exec")
                    place = top, node, unit, _deleted(node)
                    for binding in [*_bound(*place), *self._scopes(*place)]:
                        self.bindings.setdefault(binding.name, []).append(binding)
        self.definite = {
            name
            for name, bindings in self.bindings.items()
            if any(binding.direct for binding in bindings)
            and not any(binding.kind == "delete" for binding in bindings)
        }

    def _scopes(
        self, top: symtable.SymbolTable, node: ast.stmt, unit: Unit, deleted: set[str]
    ) -> Iterator[Binding]:
        """Add the names of a statement to those read and hidden; yields bindings in functions."""
        for inner in ast.walk(node):  # since Python 3.12 they have no table of their own
            if isinstance(inner, ast.comprehension):
                self.hidden.update(*map(words, ast.walk(inner.target)))
        self.read |= {symbol.get_name() for symbol in top.get_symbols() if symbol.is_referenced()}
        tables = list(top.get_children())
        while tables:
            table = tables.pop()
            tables += table.get_children()
            for symbol in table.get_symbols():
                name = symbol.get_name()
                if not symbol.is_global():
                    self.hidden.add(name)
                elif symbol.is_declared_global() and symbol.is_assigned():
                    yield Binding(name, "delete" if name in deleted else "global", unit, False)
                # A class body reads the top level's name until it has bound its own.
                if symbol.is_global() or (table.get_type() == "class" and symbol.is_referenced()):
                    self.read.add(name)


names_of = lru_cache(maxsize=256)(Names)  # of a Source


def _bound(
    top: symtable.SymbolTable, node: ast.stmt, unit: Unit, deleted: set[str]
) -> Iterator[Binding]:
    """Yields the bindings of the top level in a statement of it, whose symbols are in `top`."""
    inner_nodes = list(ast.walk(node))
    imports = [inner for inner in inner_nodes if isinstance(inner, IMPORTS)]
    aliases = [(statement, alias) for statement in imports for alias in statement.names]
    kinds = {inner.target.id: "store" for inner in inner_nodes if isinstance(inner, ast.NamedExpr)}
    kinds |= dict.fromkeys(deleted, "delete")
    code = compile(ast.Module([node], []), "", "exec", dont_inherit=True)
    # Without the names of comprehensions, which `top` may have
    stored = {
        step.argval
        for step in dis.get_instructions(code)
        if step.opname in ("STORE_NAME", "DELETE_NAME")
    }
    is_alone = isinstance(node, _ALONE)
    kind = "def" if isinstance(node, _DEFINITIONS) else "assign" if is_alone else "store"
    for symbol in top.get_symbols():
        name = symbol.get_name()
        for alias in aliases if symbol.is_imported() else ():
            if bound_name(alias[1]) == name:
                yield Binding(name, "import", unit, is_alone, alias)
        if symbol.is_declared_global():
            yield Binding(name, "global", unit, False)  # by `:=` in a comprehension
        elif name in stored and (name in kinds or not symbol.is_imported()):
            is_direct = is_alone and name not in kinds  # `:=` may not run
            yield Binding(name, kinds.get(name, kind), unit, is_direct)


def _deleted(node: ast.stmt) -> set[str]:
    """The names that `del` takes away in a statement, or the end of `except ... as`."""
    kinds = ast.Del, ast.ExceptHandler
    deleters = [
        inner for inner in ast.walk(node) if isinstance(getattr(inner, "ctx", inner), kinds)
    ]
    return {
        getattr(deleter, "id", None) or getattr(deleter, "name", None) or "" for deleter in deleters
    }
