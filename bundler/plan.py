"""How each module of a program gets into the bundle: flattened or carried, and in which order.

What speaks against flattening one module may make others carried; so the conditions of
`bundler/plain.py` are asked again until no more are.
"""

import ast

from bundler.edits import CannotEdit, name_edits
from bundler.naming import ModuleAlias, Naming, Variable, line_of_binding
from bundler.plain import futures, has_annotations, own_reason, reason, reason_for_all
from bundler.source import bound_name


class Plan:
    """carried: Module -> Reason, in the order of its discovery. flat: the flattened modules as Python
    runs them, the entry last. naming: the Naming of their variables. attributes: Module -> {node
    `m.name`: Variable}. copies: (Site, ast.alias) -> [(name, Variable)] that are assigned there.
    """

    def __init__(self, program, carried=()):
        self.program = program
        self.entry = program.entry
        self.carried = dict(carried)
        self.packages = {module for module in program.modules.values() if module.is_empty}
        self._carry_for_themselves()
        changed = True
        while changed:
            self._close()
            before = len(self.carried)
            self.flat = self._in_order()
            self.attributes, self.copies = {}, {}
            for module in self.flat:
                self._check_sites(module)
            if len(self.carried) == before:
                self._check_names()
            changed = len(self.carried) > before

    def _carry(self, module, why):
        if module is not self.entry:
            self.carried.setdefault(module, why)

    def _carry_for_themselves(self):
        everyone = [*self.program.modules.values(), self.entry]
        whys = [reason_for_all(module) for module in everyone] + [own_reason(self.entry)]
        self.entry_stays = any(whys)
        if self.entry_stays:
            why = next(filter(None, whys))
            for module in self.program.modules.values():
                self._carry(module, why)
            return
        for module in self.program.modules.values():
            why = own_reason(module)
            if why is None and futures(module) != futures(self.entry):
                if has_annotations(module):
                    advice = "write it in all modules or in none"
                    why = reason(module, 1, "other imports from __future__ than the bot", advice)
            why = why or self._submodule_reason(module) or self._relative_reason(module)
            if why is not None:
                self._carry(module, why)

    def _relative_reason(self, module):
        """The Reason against a relative import that cannot be made."""
        for node in module.source.nodes:
            if isinstance(node, ast.ImportFrom) and self.program.absolute(module, node) is None:
                return reason(module, node, "a relative import beyond the top")
        return None

    def _submodule_reason(self, package):
        """The Reason against a package that binds the name of a module in it."""
        for name, bindings in package.names.bindings.items():
            inner = self.program.modules.get(f"{package.name}.{name}")
            for binding in bindings if inner else ():
                if not binding.alias or _target(package, *binding.alias) is not inner:
                    line = line_of_binding(package, name)
                    return reason(package, line, f"{name} is a name and a module", "rename one")
        for name in package.names.read - package.names.bound:
            if f"{package.name}.{name}" in self.program.modules:
                advice = f"from . import {name}"
                return reason(package, 1, f"{name} is a module that only others import", advice)
        return None

    def _close(self):
        """Carry what carried modules import, and all of a package with code."""
        waiting = list(self.carried)
        while waiting:
            module = waiting.pop()
            why = self.carried[module]
            needed = []
            for site in module.sites:
                needed += [other for other in site.runs if other not in self.packages]
                needed += site.targets.values()
            for name, other in self.program.modules.items():
                if name.startswith(module.name + "."):
                    needed.append(other)
                elif module.name.startswith(name + ".") and other not in self.packages:
                    needed.append(other)
            for other in needed:
                if other not in self.carried and other is not self.entry:
                    self._carry(other, self._because(module, why, other))
                    waiting.append(other)

    def _because(self, module, why, other):
        for site in module.sites:
            if other in site.runs or other in site.targets.values():
                advice = f"let {module.name} be flattened: {why.construct}, {why.shown}:{why.line}"
                return reason(module, site.line, f"imported by {module.name}", advice)
        return reason(module, 1, f"in one package with {module.name}", why.advice)

    def is_flat(self, module):
        return module not in self.carried and module not in self.packages

    def _in_order(self):
        """The flattened modules in the order in which Python runs them."""
        order, seen, running = [], set(), []

        def run(module, is_needed=True):
            if module in running and is_needed:
                advice = "import one of them in a function"
                for other in running[running.index(module) :]:
                    self._carry(other, reason(module, 1, "a circle of imports", advice))
            if module in seen or module in self.carried:
                return
            seen.add(module)
            running.append(module)
            for site in module.sites:
                if site.is_plain:
                    for other in site.runs:
                        run(other, other in site.needed)
            running.pop()
            if not module.is_empty or module is self.entry:
                order.append(module)

        for module in [*self.program.first, self.entry]:
            run(module)
        return order

    # Imports

    def _check_sites(self, module):
        for unit in module.source.units:
            self._check_together(module, unit)
        for site in module.sites:
            if site.is_plain:
                self._check_plain(module, site)
            else:
                for other in site.runs:
                    if self.is_flat(other):
                        how = "by a star" if site.direct else "in a block or a function"
                        advice = "import it at the top, by name"
                        self._carry(other, reason(module, site.line, f"imported {how}", advice))
                for target in site.targets.values():
                    if target in self.packages:
                        self._carry(target, reason(module, site.line, "used as a value"))

    def _check_together(self, module, unit):
        """Carry all that statements in one line import, or nothing of it: the order counts."""
        sites = [site for site in module.sites if site.node in unit.statements and site.is_plain]
        runs = [other for site in sites for other in site.runs]
        if any(other in self.carried for other in runs) or not unit.is_import:
            for other in runs:
                if self.is_flat(other):
                    construct = "imported in one line with other things"
                    self._carry(other, reason(module, unit.first_line, construct, "split the line"))

    def _check_plain(self, module, site):
        unit = module.source.unit_at(site.line)
        for alias in site.node.names:
            name = bound_name(alias)
            target = site.targets.get(alias)
            if target is not None:
                base = site.base
                if base is not None and alias.name in base.names.bound:
                    why = reason(module, site.line, f"{alias.name} may be a name or a module")
                    self._carry(target, why)
                    if base not in self.packages:
                        self._carry(base, why)
                if target not in self.carried:
                    self._check_module_alias(module, site, alias, name, unit, target)
            elif site.base is not None and site.base not in self.carried:
                self._check_name(module, site, alias, name, unit)

    def _check_name(self, module, site, alias, name, unit):
        base = site.base
        advice = "bind it once, at the top of its module"
        if alias.name not in base.names.surely:
            self._carry(base, reason(module, site.line, f"{alias.name} may be unbound", advice))
            return
        kinds = {binding.kind for binding in base.names.bindings[alias.name]}
        if "delete" in kinds or ("global" in kinds and name == alias.name):
            line = line_of_binding(base, alias.name)
            self._carry(base, reason(base, line, f"{alias.name} is bound again", advice))
        if len(module.names.bindings[name]) > 1 and name == alias.name:
            self._carry(base, reason(module, site.line, f"{name} is bound again", advice))
        if any(name in earlier.words for earlier in module.source.units[:unit]):
            self._carry(
                base, reason(module, site.line, f"{name} is used before its import", advice)
            )

    def _check_module_alias(self, module, site, alias, name, unit, target):
        """Carry a module that is used otherwise than by `m.name`, of a name that it surely has."""
        names = module.names
        same = all(
            binding.kind == "import"
            and binding.direct
            and _target(module, *binding.alias) is target
            for binding in names.bindings[name]
        )
        earlier = any(name in unit.words for unit in module.source.units[:unit])
        if not same or name in names.hidden or earlier:
            why = reason(module, site.line, f"{name} has other meanings", "give it another name")
            self._carry(target, why)
            return
        for node in module.source.nodes:
            if isinstance(node, ast.Name) and node.id == name:
                self._check_use(module, site, alias, node, target)

    def _check_use(self, module, site, alias, node, target):
        """`node` means the module `target`: carry that unless the node is part of `m.name`."""
        parents = module.source.parents
        node = parents[node] if isinstance(parents[node], ast.Attribute) else node
        reached = {other for one in module.sites if one.is_plain for other in one.runs}
        while isinstance(node, ast.Attribute):
            inner = self.program.modules.get(f"{target.name}.{node.attr}")
            if inner is None or inner not in reached or node.attr in target.names.bound:
                break
            target = inner
            if not isinstance(parents[node], ast.Attribute):
                node = None
                break
            node = parents[node]
        if target in self.carried:
            for other in (site.targets[alias], target):
                if other not in self.carried and Naming.last_of(site, alias) not in self.carried:
                    self._carry(other, reason(module, site.line, f"leads to {target.name}"))
            return
        if not isinstance(node, ast.Attribute) or not isinstance(node.ctx, ast.Load):
            stored = isinstance(node, ast.Attribute)
            construct = "its names are stored from outside" if stored else "used as a value"
            line = getattr(node, "lineno", site.line)
            self._carry(target, reason(module, line, construct, "write m.name"))
            return
        variable = None
        is_private = node.attr.startswith("__") and not node.attr.endswith("__")
        if not is_private and node.attr in target.names.surely and target not in self.packages:
            variable = target, node.attr
        if variable is None or any(
            binding.kind == "delete" for binding in target.names.bindings[node.attr]
        ):
            why = reason(module, node, f"{target.name} may have no {node.attr}")
            self._carry(target, why)
            return
        self.attributes.setdefault(module, {})[node] = (*variable, site, alias)

    # Names

    def _check_names(self):
        self.naming = Naming(self.flat, self.entry, self.carried)
        for module, uses in self.attributes.items():
            for node, (target, name, site, alias) in uses.items():
                variable = self.naming.variable(target, name)
                if not isinstance(variable, Variable):
                    why = reason(module, node, f"{name} is a module or unbound", "import it itself")
                    self._carry(target, why)
                    if isinstance(variable, ModuleAlias):
                        self._carry(variable.module, why)
                uses[node] = variable, site, alias
        for module in self.flat:
            for site in module.sites:
                if site.is_plain and site.base is not None and self.is_flat(site.base):
                    for alias in site.node.names:
                        meant = self.naming.variable(site.base, alias.name)
                        if alias not in site.targets and isinstance(meant, ModuleAlias):
                            self._carry(meant.module, reason(module, site.line, "used as a value"))
        if not all(map(self.is_flat, self.flat)):
            return
        self.naming.assign()
        for module, why in self.naming.conflicts.items():
            self._carry(module, why)
        self._name_attributes()

    def _name_attributes(self):
        """Give each `m.name` the variable's name, or a copy of the variable where that is taken."""
        copies = {}
        for module, uses in self.attributes.items():
            for node, (variable, site, alias) in uses.items():
                flat = self.naming.flat[variable]
                names = module.names
                other = flat in names.bound | names.read
                if flat in names.hidden or (
                    other and self.naming.variable(module, flat) != variable
                ):
                    key = module, site, alias, variable
                    if key not in copies:
                        copies[key] = self._copy(key, node)
                    flat = copies[key]
                uses[node] = variable, flat
        for (_, site, alias, variable), name in copies.items():
            self.copies.setdefault((site, alias), []).append((name, variable))
        for module in self.flat:
            try:
                name_edits(module.source, self.new_names(module), self.new_attributes(module))
            except CannotEdit as error:
                for target, name in self._renamed_in(module):
                    why = reason(module, 1, f"{name} cannot be replaced in {error}")
                    self._carry(target, why)

    def _copy(self, key, node):
        module, _, _, variable = key
        owner = variable.module
        bindings = owner.names.bindings[variable.name] if owner else []
        if len(bindings) > 1 or any(b.kind == "global" or not b.direct for b in bindings):
            why = reason(module, node, f"{variable.name} is another name here and changes")
            self._carry(owner, why)
        stem = ast.unparse(node).replace(".", "_")
        number = 1
        while not self.naming.claim(name := stem + f"_{number}" * (number > 1)):
            number += 1
        return name

    def new_names(self, module):
        """Name -> new name of the variables that are called otherwise in the bundle."""
        found = {}
        for name in module.names.read | module.names.bound:
            variable = self.naming.variable(module, name)
            if isinstance(variable, Variable) and self.naming.flat[variable] != name:
                found[name] = self.naming.flat[variable]
        return found

    def new_attributes(self, module):
        """Node `m.name` -> the name in the bundle."""
        return {node: use[1] for node, use in self.attributes.get(module, {}).items()}

    def _renamed_in(self, module):
        """(module to carry, name) for all that is called otherwise in a module."""
        for name in self.new_names(module):
            variable = self.naming.variable(module, name)
            yield variable.module or module, name
        for variable, _ in self.attributes.get(module, {}).values():
            yield variable.module or module, variable.name


def _target(module, node, alias):
    """The local module that an alias of an import statement is, None for none."""
    site = module.site_of(node)
    return site and site.targets.get(alias)
