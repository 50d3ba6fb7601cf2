"""What of the program is needed: every statement with an effect, and whatever those use."""

import ast
import sys
from bisect import bisect_left

from bundler.link import Entity
from bundler.program import Attach, Load, Loader, Module
from bundler.project import SITE_PACKAGES
from bundler.purity import Purity


def is_import(unit):
    return isinstance(unit.node, (ast.Import, ast.ImportFrom))


class Liveness:
    """The units, entities and import bindings that the bundle needs; all of them with `keep_all`."""

    def __init__(self, graph, linker, keep_all=False):
        self.graph = graph
        self.linker = linker
        self.keep_all = keep_all
        self.purity = Purity(linker)
        self.units = set()
        self.entities = {}  # a dict for its order
        self.copies = set()  # (site, bound name) of imports that are kept as assignments
        self.definers = {}
        self.loaders = {}
        self._index()
        self.impure = set()
        self._mark_effects(graph.program)
        self._mark_docstrings()

    def _index(self):
        self.meanings_of = {}
        for module in self.linker.modules():
            found = [
                (occurrence, self.linker.meanings[occurrence])
                for occurrence in module.scopes.occurrences
                if occurrence in self.linker.meanings
            ]
            found.sort(key=lambda pair: pair[0].start)
            starts = [occurrence.start for occurrence, _ in found]
            for unit in module.units:
                part = found[bisect_left(starts, unit.start) : bisect_left(starts, unit.end)]
                self.meanings_of[unit] = part
                if is_import(unit):
                    continue
                for occurrence, meaning in part:
                    if meaning.action != "load":
                        self.definers.setdefault(meaning.entity, []).append(unit)
        for item in self.graph.program:
            if isinstance(item, Loader):
                self.loaders[item.module] = item

    # Imports

    def bound_names(self, site):
        """(name bound, scope, target) for every name that an import statement binds."""
        for alias, target in site.targets.items():
            name = alias.asname or alias.name.split(".")[0]
            yield name, self._scope(site, alias), target
        for name, target in site.star_names.items():
            yield name, site.module.scopes.module, target

    def _scope(self, site, alias):
        for occurrence in site.module.scopes.occurrences:
            if occurrence.alias is not None and occurrence.alias[1] is alias:
                return (
                    occurrence.scope
                    if occurrence.name not in occurrence.scope.globals
                    else occurrence.home
                )
        raise LookupError(alias.name)

    def copied(self, site, name, scope):
        """Whether an import keeps a binding of its own: the entity bound at the top level, True in
        other scopes.
        """
        if scope.kind == "module":
            entity = self.linker.resolve(site.module, name)
            own = (
                isinstance(entity, Entity) and entity.kind == "own" and entity.module is site.module
            )
            return entity if own and entity.name == name else None
        return None if (scope, name) in self.linker.removed else True

    def target_entity(self, target):
        """The entity whose value an import of a local name copies; None for what is outside or does
        not exist.
        """
        if target.external:
            return None
        if target.name is None:
            return self.linker.view(target.module)
        found = self.linker.resolve(target.module, target.name)
        return self.linker.view(found) if isinstance(found, Module) else found

    # Marking

    def _mark_effects(self, program):
        for item in program:
            if isinstance(item, Load):
                self._mark(self.linker.loader(item.module))
            elif isinstance(item, (Loader, Attach)):
                continue
            elif is_import(item):
                for site in item.imports:
                    if self.keep_all or self._may_fail(site):
                        self._mark_import(item, None)
            elif self.keep_all or not self.purity.is_pure(item):
                self.impure.add(item)
                self._mark_unit(item)

    def _may_fail(self, site):
        """Whether an import reaches for something that the site may lack: failing is its effect."""
        tops = [t.external[0].split(".")[0] for t in site.targets.values() if t.external]
        return any(top not in sys.stdlib_module_names and top not in SITE_PACKAGES for top in tops)

    def _mark_unit(self, unit):
        if unit in self.units:
            return
        self.units.add(unit)
        for _, meaning in self.meanings_of[unit]:
            if meaning.entity is not None:
                self._mark(meaning.entity)
        for site in unit.imports:
            for module in site.loads:
                self._mark(self.linker.loader(module))
            for name, scope, target in self.bound_names(site):
                if self.copied(site, name, scope):
                    self._mark_target(target)

    def _mark_target(self, target):
        entity = self.target_entity(target)
        if entity is not None:
            self._mark(entity)

    def _mark(self, entity):
        todo = [entity]
        while todo:
            entity = todo.pop()
            if entity in self.entities:
                continue
            self.entities[entity] = True
            if entity.kind == "view":
                todo.extend(self.members(entity.module).values())
            elif entity.kind == "loader":
                self._mark_effects(self.loaders[entity.module].program)
            elif entity.kind == "own":
                for unit in self.definers.get(entity, ()):
                    self._mark_unit(unit)
                submodule = self.linker.attached.get((entity.module, entity.name))
                if submodule is not None:
                    todo.append(self.linker.view(submodule))
                for unit in entity.module.units:
                    if is_import(unit):
                        self._mark_import(unit, entity)

    def _mark_import(self, unit, wanted):
        """Keep the bindings of `wanted` (None: all) that a top-level import makes."""
        for site in unit.imports:
            for name, scope, target in self.bound_names(site):
                entity = self.copied(site, name, scope)
                if wanted is None and entity is None:
                    found = self.linker.resolve(site.module, name)
                    if isinstance(found, Entity):
                        self._mark(found)
                elif entity is not None and wanted in (None, entity):
                    self.copies.add((site, name))
                    self.units.add(unit)
                    self._mark(entity)
                    self._mark_target(target)

    def members(self, module):
        """name -> entity for everything that a module as a value can be asked for."""
        found = {}
        names = list(module.bindings)
        for other in self.graph.modules.values():
            package, _, last = other.location.name.rpartition(".")
            if package == module.location.name and other is not self.graph.entry and package:
                names.append(last)
        for name in names:
            if module.source and name in module.features:
                continue
            member = self.linker.member(module, name)
            if member is not None:
                found[name] = member if isinstance(member, Entity) else self.linker.view(member)
        return found

    def _mark_docstrings(self):
        """A module's docstring stays with anything of the module; a string below a name stays with
        the name.
        """
        for module in self.linker.modules():
            before = None
            alive = any(unit in self.units for unit in module.units)
            for unit in module.units:
                text = isinstance(unit.node, ast.Expr) and isinstance(unit.node.value, ast.Constant)
                if text and (alive if before is None else before in self.units):
                    self.units.add(unit)
                before = unit
