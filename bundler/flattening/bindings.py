"""Name binding: the names that a module binds and reads at its top level, and its local names
(Python reference, "Execution model", 4.2).

Python's own `symtable` gives the scope of each name. Names are compared as texts alone: a name that
is local anywhere in a module counts as hidden everywhere in it.
"""

import ast
import symtable
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from bundler.sources.source import FUNCTIONS, IMPORTS, Import, Source, bound_name

DEFINITIONS = (*FUNCTIONS, ast.ClassDef)
TYPE_ALIAS = getattr(ast, "TypeAlias", ())  # `type X = int`, since Python 3.12
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_ALONE = (*IMPORTS, *DEFINITIONS, ast.Assign, ast.AnnAssign, TYPE_ALIAS)

_SURE = ("def", "import", "store")  # kinds of bindings, in such statements

Alias = tuple[Import, ast.alias]
Bound = tuple[str, str, Alias | None]  # (kind, name, alias), see Binding


@dataclass(frozen=True)
class Binding:
    """One place that binds a name of the top level; unit: its index; direct: it is in no block.

    kind: "def" for functions, classes and type aliases, "import", "assign" for a plain assignment
    that stands by itself, "named" by `:=`, "store" for other stores, "delete", "global" for stores
    in functions.
    """

    name: str
    kind: str
    unit: int
    direct: bool
    alias: Alias | None = None

    @property
    def is_whole_import(self) -> bool:
        """True for an import in no block that binds what it names, not the top of `import a.b`."""
        alias = self.alias and self.alias[1]
        return self.direct and bool(alias and (alias.asname or "." not in alias.name))


class Names:
    """The names of a Source. bindings: name -> its Bindings. read: the names of the top level that
    are read or declared global anywhere. hidden: the local names of any function, comprehension or
    class. definite: the names that are bound when the module has run to its end.
    """

    def __init__(self, source: Source) -> None:
        self.bindings: dict[str, list[Binding]] = {}
        self.bound = self.bindings.keys()
        self.read, self.hidden = _scopes(source)
        self.definite = _definitely_bound(source.tree.body)
        for index, unit in enumerate(source.units):
            for node in unit.statements:
                for kind, name, alias in _bound(node):
                    direct = isinstance(node, _ALONE) and kind in _SURE
                    kind = "assign" if direct and kind == "store" else kind
                    binding = Binding(name, kind, index, direct, alias)
                    self.bindings.setdefault(name, []).append(binding)


@lru_cache(maxsize=256)
def names_of(source: Source) -> Names:
    """The Names of a Source."""
    return Names(source)


def _bound(node: ast.AST, in_comprehension: bool = False) -> Iterator[Bound]:
    """Yields the bindings of the top level in a statement of it, or in a part of one."""
    inside = list(ast.iter_child_nodes(node))
    if isinstance(node, IMPORTS):
        yield from (("import", bound_name(a), (node, a)) for a in node.names if a.name != "*")
    elif isinstance(node, TYPE_ALIAS):
        yield "def", node.name.id, None
        return
    elif isinstance(node, (*DEFINITIONS, ast.Lambda)):
        if not isinstance(node, ast.Lambda):
            yield "def", node.name, None
            for part in ast.walk(node):
                if isinstance(part, ast.Global):
                    yield from (("global", name, None) for name in part.names)
        body = node.body if isinstance(node.body, list) else [node.body]
        inside = [part for part in inside if part not in body]
    elif isinstance(node, ast.Global):
        yield from (("global", name, None) for name in node.names)
    elif isinstance(node, ast.Name):
        if isinstance(node.ctx, ast.Del):
            yield "delete", node.id, None
        elif isinstance(node.ctx, ast.Store) and not in_comprehension:
            yield "store", node.id, None
    elif isinstance(node, ast.NamedExpr):
        yield "named", node.target.id, None
        inside = [node.value]
    elif isinstance(node, ast.ExceptHandler) and node.name:
        yield "delete", node.name, None  # at the handler's end
    elif isinstance(node, (ast.MatchAs, ast.MatchStar, ast.MatchMapping)):
        name = node.rest if isinstance(node, ast.MatchMapping) else node.name
        if name:
            yield "store", name, None
    elif isinstance(node, ast.AnnAssign) and node.value is None:
        inside = [node.annotation]
    in_comprehension |= isinstance(node, _COMPREHENSIONS)
    for part in inside:
        yield from _bound(part, in_comprehension)


def _scopes(source: Source) -> tuple[set[str], set[str]]:
    """Returns (read, hidden), see Names."""
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


def _definitely_bound(statements: list[ast.stmt]) -> set[str]:
    """The names that statements bind in any case, if they run to their end."""
    names: set[str] = set()
    for node in statements:
        if isinstance(node, (ast.If, ast.Try)):
            ways = [node.body, *(handler.body for handler in getattr(node, "handlers", ()))]
            ways += [node.orelse] if isinstance(node, ast.If) else []
            names |= set.intersection(*map(_definitely_bound, ways))
        elif isinstance(node, _ALONE):
            names |= {name for kind, name, _ in _bound(node) if kind in _SURE}
    return names
