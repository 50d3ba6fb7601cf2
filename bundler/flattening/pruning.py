"""Pruning of flattened modules: pure units that no kept unit names are left out."""

import ast

from bundler.flattening.naming import Naming, Variable
from bundler.flattening.purity import Purity
from bundler.modules.source import IMPORTS, Unit, bound_name
from bundler.program import Module


class Liveness:
    """units: the kept ones of the flattened modules. variables: those that kept units name."""

    def __init__(self, naming: Naming, keep_all: bool = False) -> None:
        self.naming = naming
        self.keep_all = keep_all
        self.units: set[Unit] = set()
        self.variables: set[Variable] = set()
        self.makers: dict[Variable | None, list[tuple[Module, Unit]]] = {}
        for module in naming.modules:
            for name, bindings in module.names.bindings.items():
                makers = self.makers.setdefault(naming.variable(module, name), [])
                makers += [(module, binding.unit) for binding in bindings]
        self.pure = Purity(naming).units
        waiting = [
            (module, unit)
            for module in naming.modules
            for unit in module.source.units
            if keep_all or unit not in self.pure
        ]
        while waiting:
            module, unit = waiting.pop()
            if unit not in self.units:
                self.units.add(unit)
                for variable in self._named(module, unit) - self.variables:
                    self.variables.add(variable)
                    waiting += self.makers.get(variable, ())

    def keeps(self, module: Module, line: int) -> bool:
        """Returns True if the statement at a line of a flattened module is kept."""
        return module.source.units[module.source.unit_at(line)] in self.units

    def names(self, module: Module) -> set[str]:
        """The names of the top level that kept units of a module bind or read."""
        kept = [unit for unit in module.source.units if unit in self.units]
        words = set().union(*(unit.words for unit in kept))
        bound = {
            name
            for name, bindings in module.names.bindings.items()
            if any(binding.unit in self.units for binding in bindings)
        }
        return bound | (words & module.names.read)

    def _named(self, module: Module, unit: Unit) -> set[Variable]:
        """The variables that a unit names; an import those of which it makes copies."""
        if isinstance(unit.node, IMPORTS):
            site, used = module.site_of(unit.node), set()
            if site is not None and site.base in self.naming.modules:
                for alias in unit.node.names:
                    bound = self.naming.variable(module, bound_name(alias))
                    used |= {self.naming.variable(site.base, alias.name)} - {bound}
        else:
            used = {self.naming.variable(module, name) for name in unit.words}
            attributes = self.naming.attributes
            nodes = (node for statement in unit.statements for node in ast.walk(statement))
            used |= {attributes[node] for node in nodes if node in attributes}
        return {variable for variable in used if variable is not None}
