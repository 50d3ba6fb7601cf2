"""Pruning: leaves out the definitions that have no effect but to bind names (`purity.py`), and
whose names no kept statement uses.

In flattened modules each module's names count by themselves, because modules are used by the names
that they give to others. In carried modules any word counts for all modules: a name, an attribute,
an import, or an identifier in a text. A carried program keeps everything if it may look up names
otherwise.
"""

import ast
from collections.abc import Iterator, Sequence

from bundler.modules.source import Unit, bound_name, walk, words
from bundler.program import Module, Program
from bundler.purity import Purity
from bundler.reflection import reflections

# They may ask for an attribute of any name.
ASKED_BY_NAME = set("""
    attrgetter delattr format format_map getattr hasattr methodcaller setattr
    """.split())


class Kept:
    """The kept statements and names of some modules. units: the kept units, without the imports
    that `can_trim`. names: (module, name) of the names that kept units bind or use.
    """

    def __init__(self, program: Program, modules: Sequence[Module], is_carried: bool) -> None:
        self.modules, self.is_carried = modules, is_carried
        self.units: set[Unit] = set()
        self.names: set[tuple[Module, str]] = set()
        self.has_all = is_carried and any(map(looks_up_names, program.everyone))
        self.pure = set() if self.has_all else Purity(modules).units
        self._used: set[tuple[Module, str]] = set()
        self._waiting: list[tuple[Module, Unit]] = []
        for module in modules:
            for unit in module.source.units:
                if self.can_trim(module, unit):
                    # An import whose names are unused still runs the imported module.
                    for alias in unit.aliases[:1] if is_carried else ():
                        self._use(module, bound_name(alias))
                elif self._is_root(program, module, unit):
                    self._waiting.append((module, unit))
        bound: dict[Unit, list[str]] = {}
        for module in modules:
            for name, bindings in module.names.bindings.items():
                for binding in bindings:
                    bound.setdefault(binding.unit, []).append(name)
        while self._waiting:
            module, unit = self._waiting.pop()
            if unit in self.units:
                continue
            self.units.add(unit)
            self.names.update((module, name) for name in bound.get(unit, ()))
            for name in unit.words | (unit.texts if is_carried else set()):
                self._use(module, name)
            for statement in unit.statements if module.targets and not is_carried else ():
                for used in filter(None, map(module.used, walk(statement))):
                    self._use(*used)
        self.names |= self._used

    def can_trim(self, module: Module, unit: Unit) -> bool:
        """Returns True for an import by `from` whose unused names can be left out: from a module of
        the bot, which has to have all the names if the modules are carried.
        """
        site = module.site_of(unit.node)
        if site is None or self.has_all or not isinstance(unit.node, ast.ImportFrom):
            return False
        return not self.is_carried or (
            not module.is_entry
            and site.base is not None
            and not site.base.may_run(module)  # a module still running may lack the name
            and all(
                alias not in site.targets and alias.name in site.base.names.definite
                for alias in unit.aliases
            )
        )

    def _is_root(self, program: Program, module: Module, unit: Unit) -> bool:
        """Returns True for a unit that is kept in any case."""
        if unit not in self.pure or (self.is_carried and unit.is_import):
            return True
        is_docstring = unit is module.source.units[0] and _is_text(unit)
        names = [name for name in module.names.bound if name.startswith("__")]
        is_special = any(unit is b.unit for name in names for b in module.names.bindings[name])
        return self.is_carried and (module.is_entry or is_docstring or is_special)

    def _use(self, module: Module, name: str) -> None:
        """Keep the statements that bind a name used in a module; in carried modules, the statements
        of all modules that bind the name.
        """
        for user in self.modules if self.is_carried else (module,):
            if (user, name) in self._used:
                continue
            self._used.add((user, name))
            for binding in user.names.bindings.get(name, ()):
                origin = user.origin(*binding.alias) if binding.alias else None
                if isinstance(origin, tuple):
                    self._use(*origin)
                if not binding.unit.is_import:
                    self._waiting.append((user, binding.unit))

    def keeps(self, module: Module, unit: Unit) -> bool:
        """Returns True for a unit of which anything is kept."""
        return unit in self.units or bool(self.aliases(module, unit))

    def aliases(self, module: Module, unit: Unit) -> list[ast.alias]:
        """Returns the aliases of an import that are kept."""
        if unit in self.units:
            return unit.aliases
        return [alias for alias in unit.aliases if (module, bound_name(alias)) in self.names]


def _is_text(unit: Unit) -> bool:
    value = getattr(unit.node, "value", None)
    return isinstance(unit.node, ast.Expr) and isinstance(getattr(value, "value", None), str)


def looks_up_names(module: Module) -> bool:
    """Returns True for a module that may find names by texts made at run time."""
    return any(reflections(module)) or any(asked_by_name(module))


def asked_by_name(module: Module) -> Iterator[tuple[int, str]]:
    """Yields (line, word) of what may ask for an attribute by a text made at run time."""
    for node in module.source.nodes:
        for word in words(node) & ASKED_BY_NAME:
            if not _asks_for_text(module, node, word):
                yield getattr(node, "lineno", 1), word


def _asks_for_text(module: Module, node: ast.AST, word: str) -> bool:
    """Returns True for a use whose names are literals, like `getattr(x, "name")` or
    `"{x.name}".format`.
    """
    if isinstance(node, ast.alias):
        return node.asname is None
    if word in ("format", "format_map"):
        return not isinstance(node, ast.Attribute) or isinstance(node.value, ast.Constant)
    match module.source.parents[node]:
        case ast.Call(func, arguments) if func is node:
            is_maker = word in ("attrgetter", "methodcaller")
            names = arguments if word == "attrgetter" else arguments[not is_maker :][:1]
            return all(isinstance(name, ast.Constant) for name in names) and bool(names)
    return False
