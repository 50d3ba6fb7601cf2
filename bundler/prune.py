"""What of flattened modules is left out: units without any effect that nothing kept names."""

import ast

from bundler.bindings import annotation_words
from bundler.effects import Effects
from bundler.naming import Variable


class Liveness:
    """units: those of the flattened modules that are kept. variables: those that are named by them.

    With `keep_all` every unit is kept.
    """

    def __init__(self, plan, keep_all=False):
        self.plan = plan
        self.naming = plan.naming
        self.keep_all = keep_all
        self.units = set()
        self.variables = set()
        self.makers = {}  # Variable -> [(module, unit)]
        self.copied = {}  # Variable -> those that it is a copy of
        for module in plan.flat:
            for name, bindings in module.names.bindings.items():
                variable = self.naming.variable(module, name)
                for binding in bindings:
                    self._note_copy(module, variable, binding)
                    unit = module.source.units[binding.unit]
                    self.makers.setdefault(variable, []).append((module, unit))
        self.effects = Effects(plan, self.makers)
        for module in plan.flat:
            for unit in module.source.units:
                if keep_all or not self.effects.is_free(module, unit):
                    self._keep(module, unit)

    def keeps(self, module, line):
        """Whether the statement of a flattened module that a line is in is kept."""
        return module.source.units[module.source.unit_at(line)] in self.units

    def _note_copy(self, module, variable, binding):
        """Remember of what `from m import name as other` is a copy."""
        site = binding.alias and module.site_of(binding.alias[0])
        if site and site.base is not None and self.plan.is_flat(site.base):
            if binding.alias[1] not in site.targets:
                meant = self.naming.variable(site.base, binding.alias[1].name)
                if meant != variable:
                    self.copied.setdefault(variable, []).append(meant)

    def _keep(self, module, unit):
        waiting = [(module, unit)]
        while waiting:
            module, unit = waiting.pop()
            if unit in self.units:
                continue
            self.units.add(unit)
            for variable in self._named(module, unit):
                self._need(variable, waiting)

    def _need(self, variable, waiting):
        if variable not in self.variables:
            self.variables.add(variable)
            waiting += self.makers.get(variable, ())
            for other in self.copied.get(variable, ()):
                self._need(other, waiting)

    def _named(self, module, unit):
        """The variables that a unit names; an import by itself needs none."""
        if unit.is_import:
            return
        texts = [annotation_words(statement) for statement in unit.statements]
        for name in unit.words.union(*texts):
            variable = self.naming.variable(module, name)
            if isinstance(variable, Variable):
                yield variable
        attributes = self.plan.attributes.get(module, {})
        for statement in unit.statements:
            for node in ast.walk(statement):
                if node in attributes:
                    yield attributes[node][0]
