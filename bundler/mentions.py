"""Where the kept code mentions each entity: what decides the names that the entity may have in the
bundle.
"""

import ast

from bundler.link import Entity
from bundler.prune import is_import


class Mentions:
    """Fills in `sites`, `pinned`, `spellings` and `dotted` of the entities.

    globals_needed: unit -> scope -> entities that a function sets through an attribute of a module.
    """

    def __init__(self, linker, liveness):
        self.linker = linker
        self.live = liveness
        self.globals_needed = {}
        for module in linker.modules():
            for unit in module.units:
                if unit in liveness.units or is_import(unit):
                    self._read_names(unit)
                    for site in unit.imports:
                        self._read_import(site)

    def _read_names(self, unit):
        for occurrence, meaning in self.live.meanings_of[unit]:
            entity = meaning.entity
            if entity is None:
                continue
            entity.sites.append((occurrence.scope, occurrence))
            if occurrence.unsure and not occurrence.chain:
                entity.pinned = occurrence.name
                entity.pinned_at = unit.module, unit.module.source.line_of(occurrence.start)
            if meaning.action != "load" and occurrence.chain:
                if occurrence.scope.kind != "module":
                    needed = self.globals_needed.setdefault(unit, {})
                    needed.setdefault(occurrence.scope, []).append(entity)

    def _read_import(self, site):
        for name, scope, target in self.live.bound_names(site):
            if self.live.copied(site, name, scope):
                entity = self.live.target_entity(target)
                if entity is not None:
                    entity.sites.append((scope, None))
            if target.external and not site.nested and scope.kind == "module":
                self._read_spelling(site, name)
        for module in site.loads:
            self.linker.loader(module).sites.append((_scope_of(site), None))

    def _read_spelling(self, site, name):
        """Reconcile `import numpy` here and `import numpy as np` there; `import a.b` leaves no
        choice.
        """
        entity = self.linker.resolve(site.module, name)
        if not isinstance(entity, Entity) or entity.kind != "external":
            return
        entity.spellings[name] += 1
        renamed = {spelled: spelled != entity.external[0] for spelled in entity.spellings}
        entity.name = max(entity.spellings, key=lambda n: (entity.spellings[n], renamed[n]))
        if isinstance(site.node, ast.Import):
            for alias in site.node.names:
                if alias.asname is None and "." in alias.name and alias.name.split(".")[0] == name:
                    if alias.name not in entity.dotted:
                        entity.dotted.append(alias.name)
                    entity.pinned = name
                    entity.pinned_at = site.module, site.node.lineno


def _scope_of(site):
    for occurrence in site.module.scopes.occurrences:
        if occurrence.alias is not None and occurrence.alias[0] is site.node:
            return occurrence.scope
    return site.module.scopes.module
