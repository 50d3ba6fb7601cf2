"""The way of a program into its bundle: all modules flattened, or all carried whole.

A program is flattened if each module keeps to the style (`flattening/style.py`), and if imports and
names of the modules fit together, as they are checked here.
"""

import ast

from bundler.flattening.naming import Naming, name_edits
from bundler.flattening.pruning import Liveness
from bundler.flattening.style import violations
from bundler.modules.source import Edit, bound_name, dotted
from bundler.program import ImportSite, Module, NotFlattenable, Program, Reason


class Layout:
    """A program's modules in the bundle.

    reasons: Module -> what speaks against flattening it; if there is any, all modules are carried.
    flat: the flattened modules as Python runs them, the entry last; it alone where the others are
    carried. live: what is kept of them. edits: from the names of a module to those of the bundle.
    uses: the module and name that a node `m.name` means.
    """

    def __init__(self, program: Program, carry: bool = False) -> None:
        """carry: carry all modules, whatever their style."""
        self.program, self.entry = program, program.entry
        self.reasons = {} if carry else self._outside_of_style()
        self.is_carried = carry or bool(self.reasons)
        self.flat: tuple[Module, ...] = (self.entry,)
        self.uses: dict[ast.AST, tuple[Module, str]] = {}
        self.edits: dict[Module, list[Edit]] = {}
        if not self.is_carried:
            try:
                self._flatten()
            except NotFlattenable as error:
                self.is_carried, self.reasons = True, {error.reason.module: error.reason}
        if self.is_carried:
            self.flat, self.edits = (self.entry,), {self.entry: []}
            self.live = Liveness(Naming(self.flat, self.entry, True, {}), keep_all=True)

    def is_flat(self, module: Module) -> bool:
        return module is self.entry or not (module.is_empty or self.is_carried)

    def _outside_of_style(self) -> dict[Module, Reason]:
        """The first Reason against each module."""
        modules = self.program.everyone
        found = ((module, violations(module)) for module in modules)
        reasons = {module: next(reasons, None) for module, reasons in found}
        for module in modules:
            is_other = module.postpones_annotations != self.entry.postpones_annotations
            if is_other and module.has_annotations and not reasons[module]:
                construct = "imports annotations from __future__ otherwise than the bot"
                reasons[module] = module.reason(1, construct, "write it in all modules or in none")
        return {module: reason for module, reason in reasons.items() if reason}

    def _flatten(self) -> None:
        """Raise NotFlattenable where imports or names do not fit together."""
        for module in self.program.everyone:
            self._check_dotted(module)
        self.flat = self._ordered()
        for module in self.flat:
            for site in module.sites:
                self._check_import(site)
        self._name_variables()

    def _check_dotted(self, module: Module) -> None:
        """By an import of `a.c` a module has `a`; any import of `a.b` makes that an attribute."""
        tops = {name for name, origin in module.origins if isinstance(origin, Module)}
        for node in module.source.nodes:
            full = dotted(node)
            other = self.program.modules.get(full)
            if other and not other.is_empty and "." in full and full.partition(".")[0] in tops:
                advice = "import it by a name without a dot"
                raise NotFlattenable(module.reason(node, f"uses {full}", advice))

    def _ordered(self) -> tuple[Module, ...]:
        """The flattened modules as Python runs them."""
        order: list[Module] = []
        running: list[Module] = []

        def run(module: Module) -> None:
            if module in running:
                advice = "import one of them in a function"
                raise NotFlattenable(module.reason(1, "a circle of imports", advice))
            if module not in order and self.is_flat(module):
                running.append(module)
                for site in module.sites:
                    if site.obstacle:
                        raise NotFlattenable(module.reason(site.line, *site.obstacle))
                    for other in site.runs:
                        run(other)
                order.append(running.pop())

        run(self.entry)
        return tuple(order)

    def _check_import(self, site: ImportSite) -> None:
        module = site.module
        earlier = module.source.units[: module.source.unit_at(site.line)]
        for alias in getattr(site.node, "names", ()):
            name, target = bound_name(alias), site.targets.get(alias, site.base)
            if target is None:
                continue
            if any(name in unit.words for unit in earlier):
                construct = f"{name} is used before its import"
                raise NotFlattenable(module.reason(site.line, construct, "import it at the top"))
            if alias in site.targets:
                self._check_module_alias(module, site, name, target)
                continue
            self._check_export(module, site.node, target, alias.name)
            kinds = {binding.kind for binding in target.names.bindings.get(alias.name, ())}
            is_bound_again = len(module.names.bindings[name]) > 1 and name == alias.name
            if "global" in kinds or is_bound_again:
                construct = f"{alias.name} is bound again"
                raise NotFlattenable(module.reason(site.line, construct, "bind it once"))

    def _check_export(self, module: Module, place: ast.AST, target: Module, name: str) -> None:
        """A module has a name that another one uses for good, and it is no module."""
        if name not in target.names.definite:
            construct = f"{target.name} may have no {name}"
            advice = "bind it once, at the top of its module"
            raise NotFlattenable(module.reason(place, construct, advice))
        for binding in target.names.bindings.get(name, ()):
            if target.target(binding):
                construct = f"a module, {name}, as a value"
                raise NotFlattenable(module.reason(place, construct, "import it from its package"))

    def _check_module_alias(
        self, module: Module, site: ImportSite, name: str, target: Module
    ) -> None:
        """A module is used by `m.name` alone, of a name that it surely has."""
        bindings = module.names.bindings[name]
        meant = {
            module.target(binding) if binding.is_whole_import else None for binding in bindings
        }
        if meant != {target} or name in module.names.hidden:
            construct, advice = f"{name} has other meanings", "give it another name"
            raise NotFlattenable(module.reason(site.line, construct, advice))
        for place in module.source.nodes:
            if isinstance(place, ast.Name) and place.id == name:
                use = module.source.parents[place]
                if not (isinstance(use, ast.Attribute) and isinstance(use.ctx, ast.Load)):
                    construct = f"uses {name} as a value"
                    raise NotFlattenable(module.reason(place, construct, "write m.name"))
                self._check_export(module, use, target, use.attr)
                self.uses[use] = target, use.attr

    def _name_variables(self) -> None:
        """Give each variable a name. Raises NotFlattenable where names collide."""
        naming = Naming(self.flat, self.entry, False, self.uses)
        self.live = Liveness(naming)
        naming.assign(self.live.names)
        for module in self.flat:
            names = module.names
            news: dict[ast.Name | ast.Attribute, str] = {}
            for node in module.source.nodes:
                if isinstance(node, ast.Attribute) and node in self.uses:
                    variable = naming.attributes[node]
                    flat = naming.flat.get(variable, node.attr)
                    is_other = naming.variable(module, flat) != variable
                    if flat in names.hidden or (is_other and flat in names.bound | names.read):
                        construct = f"{flat} is another name here"
                        raise NotFlattenable(module.reason(node, construct, "rename it"))
                    news[node] = flat
                elif isinstance(node, ast.Name):
                    variable = naming.variable(module, node.id)
                    flat = naming.flat.get(variable, node.id)
                    if variable and variable.module and flat != node.id:
                        news[node] = flat
            try:
                self.edits[module] = name_edits(module.source, news)
            except ValueError:
                construct = f"{', '.join(map(ast.unparse, news))} cannot be replaced everywhere"
                raise NotFlattenable(module.reason(1, construct, "rename it")) from None
