"""How each module of a program gets into the bundle: flattened or embedded, and in which order.

Embedding one module may embed others. So a Layout checks imports and names again until a round
embeds no further module.
"""

import ast
import sys
from collections.abc import Iterable

from bundler.errors import BundleError
from bundler.flattening.naming import Naming, name_edits
from bundler.flattening.pruning import Liveness
from bundler.flattening.rules import CLASS_MAKERS, Scope, reasons_against
from bundler.modules.source import Edit, Unit, bound_name, dotted, words
from bundler.program import ImportSite, Module, Program, Reason

NAME_TAKERS = CLASS_MAKERS | {"__name__"}  # as class statements do


class Layout:
    """A program's modules in the bundle: the fixpoint of all conditions against flattening one.

    embedded: in the order of discovery. flat: the flattened modules as Python runs them, the entry
    last. live: what is kept of them. edits: from the names of a module to those of the bundle.
    uses: the module and name that a node `m.name` means.
    """

    def __init__(self, program: Program, carry: Iterable[str] = (), keep_all: bool = False) -> None:
        """carry: names of modules to embed. keep_all: keep unused definitions. Raises BundleError
        for an unknown module.
        """
        self.program, self.entry = program, program.entry
        self.embedded: dict[Module, Reason] = {}
        for name in carry:
            if name not in program.modules:
                advice = "name one of those that --report lists"
                raise BundleError(self.entry.shown, 1, f"--carry {name}: no such module", advice)
            module = program.modules[name]
            self.embedded[module] = module.reason(1, "named by --carry", "leave --carry out")
        keep_all |= self._embed_ineligible()
        for module in program.everyone:
            self._embed_attributes(module)
        takers = filter(self._takes_name_later, self.entry.source.units)
        self.first_taker = next((unit.first_line for unit in takers), sys.maxsize)  # its line
        is_fit = False
        while not is_fit:
            self._embed_dependencies()
            n_embedded = len(self.embedded)
            self.flat = self._ordered()
            self.uses: dict[ast.AST, tuple[Module, str]] = {}
            for site in (site for module in self.flat for site in module.sites):
                self._check_import(site)
            if len(self.embedded) == n_embedded:
                self._name_variables(keep_all)
                is_fit = len(self.embedded) == n_embedded

    def is_flat(self, module: Module) -> bool:
        return module is self.entry or not (module.is_empty or module in self.embedded)

    def _embed(self, module: Module, why: Reason) -> None:
        if module is not self.entry:
            self.embedded.setdefault(module, why)

    def _embed_ineligible(self) -> bool:
        """Embed the modules against which a rule speaks. Returns whether one is against all."""
        entry = reasons_against(self.entry)
        reasons = {module: reasons_against(module) for module in self.program.modules.values()}
        whys = [whys_module.get(Scope.PROGRAM) for whys_module in (*reasons.values(), entry)]
        why_all = next(filter(None, [*whys, entry.get(Scope.MODULE)]), None)
        for module, whys_module in reasons.items():
            why = why_all or whys_module.get(Scope.MODULE) or whys_module.get(Scope.IMPORTED)
            is_other = module.postpones_annotations != self.entry.postpones_annotations
            if not why and is_other and module.has_annotations:
                advice = "write it in all modules or in none"
                construct = "imports annotations from __future__ otherwise than the bot"
                why = module.reason(1, construct, advice)
            if why:
                self._embed(module, why)
        return why_all is not None

    def _embed_attributes(self, module: Module) -> None:
        """Embed the modules that one names as `a.b`: by an import of `a.c` it has `a`, and any
        import of `a.b` makes that an attribute.
        """
        tops = {name for name, origin in module.origins if isinstance(origin, Module)}
        for node in module.source.nodes:
            full = dotted(node)
            other = self.program.modules.get(full)
            if other and not other.is_empty and "." in full and full.partition(".")[0] in tops:
                why = module.reason(node, f"used as {full}", "import it by a name without a dot")
                self._embed(other, why)

    def _embed_dependencies(self) -> None:
        """Embed all modules that embedded ones import, and all of an embedded package."""
        waiting = list(self.embedded)
        while waiting:
            module = waiting.pop()
            why = self.embedded[module]
            advice = f"let {module.name} be flattened: {why.construct}, {why.shown}:{why.line}"
            needed = {
                other: module.reason(site.line, f"imported by {module.name}", advice)
                for site in module.sites
                for other in self._used(site)
            } | {
                other: module.reason(1, f"in one package with {module.name}", why.advice)
                for name, other in self.program.modules.items()
                if name.startswith(module.name + ".")
            }
            waiting += [module for module in needed if module not in (*self.embedded, self.entry)]
            for other, why in needed.items():
                self._embed(other, why)

    def _used(self, site: ImportSite) -> list[Module]:
        """The modules with code that an import runs, and those that it names."""
        return [m for m in site.runs if not m.is_empty or m in site.targets.values()]

    def _ordered(self) -> tuple[Module, ...]:
        """The flattened modules as Python runs them; embeds those that import in a circle."""
        order: list[Module] = []
        running: list[Module] = []

        def run(module: Module) -> None:
            if module in running:
                advice = "import one of them in a function"
                for other in running[running.index(module) :]:
                    self._embed(other, module.reason(1, "a circle of imports", advice))
            elif module not in order and self.is_flat(module):
                running.append(module)
                for site in module.sites:
                    for other in site.runs if site.is_flattenable else ():
                        run(other)
                order.append(running.pop())

        run(self.entry)
        return tuple(order)

    def _check_import(self, site: ImportSite) -> None:
        why_not = site.obstacle
        if any(other in self.embedded for other in site.runs):  # the order counts
            why_not = "imported together with what is carried", "split the import"
        if site.module is self.entry and site.line > self.first_taker:
            why_not = "imported below a function that takes its module's name", "import it above"
        if why_not:
            why = site.module.reason(site.line, *why_not)
            for other in self._used(site):
                self._embed(other, why)
            return
        module = site.module
        earlier = module.source.units[: module.source.unit_at(site.line)]
        for alias in getattr(site.node, "names", ()):
            name, target = bound_name(alias), site.targets.get(alias, site.base)
            if target is None or target in self.embedded:
                continue
            if any(name in unit.words for unit in earlier):
                why = module.reason(site.line, f"{name} is used before its import")
                self._embed(target, why)
            elif alias in site.targets:
                self._check_module_alias(module, site, name, target)
            else:
                self._check_export(module, site.node, target, alias.name)
                if "global" in {b.kind for b in target.names.bindings.get(alias.name, ())}:
                    self._embed(target, module.reason(site.line, f"{alias.name} is bound again"))
                if len(module.names.bindings[name]) > 1 and name == alias.name:
                    self._embed(target, module.reason(site.line, f"{name} is bound again"))

    def _takes_name_later(self, unit: Unit) -> bool:
        """Returns True for a unit of the entry with a function that takes its module's name when it
        is called, which an import below may do.
        """
        nodes = (node for statement in unit.statements for node in ast.walk(statement))
        takers = [n for n in nodes if isinstance(n, ast.ClassDef) or words(n) & NAME_TAKERS]
        return any(map(self.entry.source.is_deferred, takers))

    def _check_export(self, module: Module, place: ast.AST, target: Module, name: str) -> None:
        """Embed a module, of which another one uses a name, unless it has it for good."""
        if name not in target.names.definite:
            advice = "bind it once, at the top of its module"
            why = module.reason(place, f"{target.name} may have no {name}", advice)
            self._embed(target, why)
        for binding in target.names.bindings.get(name, ()):
            if inner := target.target(binding):
                self._embed(inner, module.reason(place, "used as a value"))

    def _check_module_alias(
        self, module: Module, site: ImportSite, name: str, target: Module
    ) -> None:
        """Embed a module that is used otherwise than by `m.name`, of a name that it surely has."""
        bindings = module.names.bindings[name]
        meant = {
            module.target(binding) if binding.is_whole_import else None for binding in bindings
        }
        if meant != {target} or name in module.names.hidden:
            why = module.reason(site.line, f"{name} has other meanings", "give it another name")
            self._embed(target, why)
            return
        for place in module.source.nodes:
            if isinstance(place, ast.Name) and place.id == name:
                use = module.source.parents[place]
                if isinstance(use, ast.Attribute) and isinstance(use.ctx, ast.Load):
                    self._check_export(module, use, target, use.attr)
                    self.uses[use] = target, use.attr
                else:
                    self._embed(target, module.reason(place, "used as a value", "write m.name"))

    def _name_variables(self, keep_all: bool) -> None:
        """Give each variable a name; embed the modules whose names collide."""
        naming = Naming(self.flat, self.entry, self.embedded, self.uses)
        self.live = Liveness(naming, keep_all)
        conflicts = naming.assign(self.live.names)
        self.edits: dict[Module, list[Edit]] = {}
        for module in self.flat:
            names = module.names
            news: dict[ast.Name | ast.Attribute, str] = {}
            renamed: dict[Module, str] = {}
            for node in module.source.nodes:
                if isinstance(node, ast.Attribute) and node in self.uses:
                    base, name = self.uses[node]
                    variable = naming.attributes[node]
                    flat = naming.flat.get(variable, name)
                    is_other = naming.variable(module, flat) != variable
                    if flat in names.hidden or (is_other and flat in names.bound | names.read):
                        why = f"{name} is another name here"
                        conflicts.setdefault(base, module.reason(node, why))
                    news[node], renamed[base] = flat, name
                elif isinstance(node, ast.Name):
                    variable = naming.variable(module, node.id)
                    flat = naming.flat.get(variable, node.id)
                    if variable and variable.module and flat != node.id:
                        news[node], renamed[variable.module] = flat, node.id
            try:
                self.edits[module] = name_edits(module.source, news)
            except ValueError:
                for other, name in renamed.items():
                    why = f"{name} cannot be replaced everywhere"
                    conflicts.setdefault(other, module.reason(1, why))
        for module, conflict in conflicts.items():
            self._embed(module, conflict)
