"""The modules of a bot and the order in which Python runs their statements.

`Graph(project)` follows the imports from the entry as the interpreter would: an import at the top
of a module runs the other module there and then, so its statements come between the importer's. A
module first imported within a function or under a condition runs when the import does: it becomes a
`Loader`. `Graph.program` lists units and loaders in order.
"""

import ast
import builtins
import importlib
import sys

from bundler.constants import UNKNOWN, Constants
from bundler.errors import BundleError
from bundler.program import Attach, Binding, ImportSite, Load, Loader, Module, Target, Unit
from bundler.project import SITE_PACKAGES, Location

MISSING_MODULE_ERRORS = {"ImportError", "ModuleNotFoundError", "Exception", "BaseException"}


class Graph:
    """All modules of a bot. Raises BundleError where an import cannot be followed."""

    def __init__(self, project, written=None):
        self.project = project
        self.written = written or {}  # top-level names whose value the bundler writes
        self.modules = {}
        self.program = []
        self.clock = 0
        self.constants = Constants(self)
        entry = Location(project.entry_name, project.entry_path, False)
        self.entry = Module(entry, "__main__", project.shown(project.entry_path), [], False)
        if project.entry_path.name == "__init__.py":
            raise self.entry.source.error(1, "a package as the bot", "give its __main__.py")
        self.modules["__main__"] = self.entry
        relative = any(
            isinstance(node, ast.ImportFrom) and node.level
            for node in ast.walk(self.entry.source.tree)
        )
        self.as_module = relative or project.as_module
        project.look_beside_entry(first=not self.as_module)
        if self.as_module and self.entry.package:
            for module in self._chain_of(self.entry.package, self.entry, 1, False):
                self._ensure(module, self.program, False)
        self._run(self.entry, self.program, False)
        self._settle_late_imports()

    # Running

    def _tick(self):
        self.clock += 1
        return self.clock

    def _run(self, module, program, lazy):
        module.state = "running"
        if module.source:
            for node in module.source.tree.body:
                self._run_statement(module, node, program, lazy)
        module.state = "done"
        module.done_at = self._tick()
        package = self.modules.get(module.location.name.rpartition(".")[0])
        if package is not None and module is not self.entry:
            program.append(Attach(module, package))

    def _run_statement(self, module, node, program, lazy):
        if isinstance(node, ast.If):
            truth = self.constants.value(module, node.test)
            if truth is not UNKNOWN and self._spliced(node, truth, module):
                dropped, kept = (node.orelse, node.body) if truth else (node.body, node.orelse)
                if dropped:
                    self._bury(module, dropped)
                for statement in kept:
                    self._run_statement(module, statement, program, lazy)
                return
        source = module.source
        start = source.start(node)
        column = start - source.line_starts[source.line_of(start) - 1]
        unit = Unit(module, node, start, source.end(node), column, len(module.units))
        module.units.append(unit)
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            self._import(module, unit, node, program, lazy, module.guarded, False)
        else:
            for site, guarded, dead in self._nested_imports(module, node, module.guarded, False):
                if dead:
                    module.sites[site] = ImportSite(site, module, guarded, True, dead=True)
                    module.dead.append((source.start(site), source.end(site)))
                else:
                    self._import(module, unit, site, self.program, True, guarded, True)
        program.append(unit)
        unit.ran_at = self._tick()
        for bindings in module.bindings.values():
            for binding in bindings:
                place = binding.occurrence and binding.occurrence.start
                if place is not None and unit.start <= place < unit.end:
                    binding.unit = unit
                    binding.bound_at = unit.ran_at

    def _spliced(self, node, truth, module):
        """Whether an `if` on a constant is replaced by the branch that runs.

        The entry's `if __name__ == "__main__":` stays unless it imports: it is how a bot is read.
        """
        if not truth or node.orelse:
            return True
        return any(isinstance(part, (ast.Import, ast.ImportFrom)) for part in node.body)

    def _bury(self, module, statements):
        start, end = module.source.start(statements[0]), module.source.end(statements[-1])
        module.dead.append((start, end))

    def _nested_imports(self, module, node, guarded, dead):
        """(statement, guarded by `except ImportError`, dead) for the imports within a statement, in
        source order.
        """
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            yield node, guarded, dead
            return
        if isinstance(node, ast.If):
            truth = self.constants.value(module, node.test)
            for part in node.body:
                yield from self._nested_imports(
                    module, part, guarded, dead or (truth is not UNKNOWN and not truth)
                )
            for part in node.orelse:
                yield from self._nested_imports(
                    module, part, guarded, dead or (truth is not UNKNOWN and bool(truth))
                )
            return
        if isinstance(node, ast.Try):
            catches = any(_catches_import_error(handler) for handler in node.handlers)
            for part in node.body:
                yield from self._nested_imports(module, part, guarded or catches, dead)
            for part in [*node.handlers, *node.orelse, *node.finalbody]:
                yield from self._nested_imports(module, part, guarded, dead)
            return
        for part in ast.iter_child_nodes(node):
            if isinstance(part, (ast.stmt, ast.ExceptHandler, ast.match_case)):
                yield from self._nested_imports(module, part, guarded, dead)

    # Imports

    def _import(self, module, unit, node, program, lazy, guarded, nested):
        site = ImportSite(node, module, guarded, nested)
        module.sites[node] = site
        unit.imports.append(site)
        if isinstance(node, ast.Import):
            for alias in node.names:
                self._import_module(site, alias, program, lazy)
        elif node.module == "__future__" and not node.level:
            pass
        else:
            self._import_from(site, program, lazy)

    def _import_module(self, site, alias, program, lazy):
        module, line = site.module, site.node.lineno
        if self.project.locate(alias.name.split(".")[0]) is None:
            self._check_external(site, alias.name)
            bound = alias.name if alias.asname else alias.name.split(".")[0]
            site.targets[alias] = Target(external=(bound, None))
        else:
            chain = self._chain_of(alias.name, module, line, site.guarded)
            if chain is None:
                return
            self._load(site, chain, program, lazy)
            site.targets[alias] = (
                self._last_of(site, alias, chain, lazy) if alias.asname else Target(chain[0])
            )
        self._bind(module, alias, site.targets[alias])

    def _import_from(self, site, program, lazy):
        module, node = site.module, site.node
        name = self._absolute(module, node)
        if self.project.locate(name.split(".")[0]) is None:
            self._check_external(site, name)
            for alias in node.names:
                if alias.name == "*":
                    self._external_star(site, name)
                else:
                    site.targets[alias] = Target(external=(name, alias.name))
                    self._bind(module, alias, site.targets[alias])
            return
        chain = self._chain_of(name, module, node.lineno, site.guarded)
        if chain is None:
            return
        source = chain[-1]
        self._load(site, chain, program, lazy)
        for alias in node.names:
            if alias.name == "*":
                self._star(site, alias, source, program, lazy)
                continue
            site.targets[alias] = self._member(site, alias, source, alias.name, program, lazy)
            self._bind(module, alias, site.targets[alias])

    def _last_of(self, site, alias, chain, lazy):
        """What `import a.b as m` binds: the attribute `b` of `a`, which may be another thing of
        that name.
        """
        module, name = chain[-1], alias.name.rpartition(".")[2]
        if len(chain) == 1 or not self._binds(chain[-2], name, site, alias):
            return Target(module)
        if not self._has_own(chain[-2], name):
            if module.state == "running":
                self._refuse_unsure(site, chain[-2], name, lazy)
            if not (site.nested or lazy):
                return Target(module)
        return Target(chain[-2], name)

    def _settle_late_imports(self):
        """An `import a.b as m` or `from a import b` that runs at any time may find what a star
        import bound after it was read here.
        """
        sites = [site for module in self.modules.values() for site in module.sites.values()]
        for site in sites:
            if not (site.nested or site.module.lazy):
                continue
            whole = isinstance(site.node, ast.Import)
            for alias, target in site.targets.items():
                if target.module is None or target.name is not None or whole and not alias.asname:
                    continue
                parent, _, name = target.module.location.name.rpartition(".")
                package = self.modules.get(parent)
                if package and self._binds(package, name, site, alias):
                    if not whole:
                        self._refuse_unsure(site, package, name, lazy=True)
                    site.targets[alias] = Target(package, name)
                    self._bind(site.module, alias, site.targets[alias])

    def _member(self, site, alias, source, name, program, lazy):
        """What `from source import name` binds: an attribute if there is one, else a submodule."""
        full = f"{source.location.name}.{name}"
        is_module = source.location.is_package and self.project.locate(full) is not None
        binds = self._binds(source, name, site, alias)
        if is_module and name in source.may_have:
            self._refuse_unsure(site, source, name, lazy=True)
        if binds and (not is_module or self._has_own(source, name)):
            if is_module and not self._surely_has(source, name):
                self._refuse_unsure(site, source, name, lazy=True)
            return Target(source, name)
        if is_module:
            if binds:
                self._refuse_unsure(site, source, name, lazy)
            chain = self._chain_of(full, site.module, site.node.lineno, site.guarded)
            self._load(site, chain[-1:], program, lazy)
            return Target(chain[-1])
        if not site.guarded and source.state == "done" and not self._may_get(source, name):
            raise site.module.source.error(
                site.node, f"{source.shown} has no {name}", "import a name that it defines"
            )
        return Target(source, name)

    def _refuse_unsure(self, site, package, name, lazy):
        """An import that runs at any time finds the name or the submodule, whichever is there by
        then.
        """
        if site.nested or lazy:
            raise site.module.source.error(
                site.node,
                f"{name} is both a name and a submodule of {package.location.name}",
                "rename one of them: which one this imports depends on when it runs",
            )

    def _may_get(self, module, name):
        """Whether a module may have a name that none of its own statements is known to bind."""
        partial = any(site.star_source and not site.star_whole for site in module.sites.values())
        return partial or any(name in m.stored_attributes for m in self.modules.values())

    def _binds(self, module, name, site, alias):
        if name in ("__name__", "__doc__"):
            return True
        for binding in module.bindings.get(name, ()):
            occurrence = binding.occurrence
            if occurrence is not None and occurrence.alias == (site.node, alias):
                continue
            if occurrence is not None and self._imports_submodule(module, occurrence, name):
                continue
            if occurrence is None or not module.is_dead(occurrence.start):
                return True
        return False

    def _imports_submodule(self, package, occurrence, name):
        """Whether a package binds a name by importing its own submodule of that name."""
        if occurrence.alias is None or not package.location.is_package:
            return False
        node, alias = occurrence.alias
        full = f"{package.location.name}.{name}"
        if isinstance(node, ast.Import):
            return alias.name == full
        own = self._absolute(package, node) == package.location.name and alias.name == name
        return own and self.project.locate(full) is not None

    def _star(self, site, alias, source, program, lazy):
        module = site.module
        if site.nested:
            raise module.source.error(site.node, "star import in a block", "name what you import")
        site.star_source = source
        site.star_whole = source.state == "done" and (not source.lazy or source.loaded)
        for name in self._public_names(site, alias, source):
            target = self._member(site, alias, source, name, program, lazy)
            site.star_names[name] = target
            binding = Binding(
                target=target, star_at=module.source.start(site.node), bound_at=self._tick()
            )
            module.bindings.setdefault(name, []).append(binding)

    def _public_names(self, site, alias, source):
        """The names that a star import takes. Raises BundleError where they cannot be told.

        Only `__all__` makes it run the submodules that it names.
        """
        if "__all__" in source.bindings:
            return self.constants.all_names(source)
        names = [
            name
            for name in source.bindings
            if self._has_own(source, name)
            and self._binds(source, name, site, alias)
            and not self._is_feature(source, name)
        ]
        for name, submodule in self._submodules(source).items():
            if name in names:
                continue
            if self._surely_ran(submodule, [source, site.module]):
                names.append(name)
            elif self._mentions(site.module, name):
                raise site.module.source.error(
                    site.node,
                    f"star import from {source.name}, whose module {name} may not have run by then",
                    "name what you import",
                )
            else:
                site.module.may_have.add(name)
        site.module.may_have |= source.may_have
        return [name for name in names if not name.startswith("_")]

    def _is_feature(self, source, name):
        """Whether a name is what `from __future__ import` leaves behind, which a bundle has not."""
        aliases = [
            binding.occurrence and binding.occurrence.alias for binding in source.bindings[name]
        ]
        return all(
            alias and isinstance(alias[0], ast.ImportFrom) and alias[0].module == "__future__"
            for alias in aliases
        )

    def _submodules(self, package):
        """name -> module for the modules that have become attributes of a package, or may have, by
        now.
        """
        found = {}
        for module in self.modules.values():
            parent, _, name = module.location.name.rpartition(".")
            if parent == package.location.name and module is not self.entry and module.done_at:
                found[name] = module
        return found

    def _surely_ran(self, module, importers):
        """Whether a module has run by the time that some others have made the imports at their top."""
        return (
            not module.lazy
            or module.loaded
            or any(module in importer.required for importer in importers)
        )

    def _mentions(self, module, name):
        """Whether code of a module uses a name of its top level."""
        return any(o.name == name and o.home.kind == "module" for o in module.scopes.occurrences)

    def _has_own(self, module, name):
        """Whether a statement of the module itself has bound the name by now."""
        return any(
            binding.bound_at is not None or (module.state == "done" and binding.in_function)
            for binding in module.bindings.get(name, ())
        )

    def _surely_has(self, package, name, asked=()):
        """Whether a package has an attribute by now: a name bound outside of blocks, or a submodule
        that has run. asked: what the answer is for, where star imports go in a circle.
        """
        submodule = self._submodules(package).get(name)
        if submodule is not None and (not submodule.lazy or submodule.loaded):
            return True
        asked = (*asked, (package, name))
        return any(self._is_sure(binding, asked) for binding in package.bindings.get(name, ()))

    def _is_sure(self, binding, asked):
        """Whether a name is certainly bound by now: a star import brings what its module has."""
        if binding.bound_at is None:
            return False
        if binding.occurrence is not None:
            return not binding.occurrence.conditional
        source = binding.target.module, binding.target.name
        return None in source or source not in asked and self._surely_has(*source, asked)

    def _external_star(self, site, name):
        """A star import from outside binds the names that the module uses; the standard library's
        are known.
        """
        module = site.module
        if name.split(".")[0] not in sys.stdlib_module_names:
            raise module.source.error(
                site.node,
                f"star import from {name}",
                f"write `import {name}` or name what you import",
            )
        library = importlib.import_module(name)
        public = getattr(library, "__all__", [n for n in vars(library) if not n.startswith("_")])
        used = {o.name for o in module.scopes.occurrences if o.home.kind == "module"}
        for public_name in sorted(set(public) & used):
            if public_name in module.bindings or hasattr(builtins, public_name):
                raise module.source.error(
                    site.node,
                    f"star import from {name} may shadow {public_name}",
                    f"write `import {name}` or name what you import",
                )
            target = Target(external=(name, public_name))
            site.star_names[public_name] = target
            place = module.source.start(site.node)
            module.bindings[public_name] = [
                Binding(target=target, star_at=place, bound_at=self._tick())
            ]

    def _bind(self, module, alias, target):
        for bindings in module.bindings.values():
            for binding in bindings:
                if binding.occurrence and binding.occurrence.alias:
                    if binding.occurrence.alias[1] is alias:
                        binding.target = target

    def _absolute(self, module, node):
        if not node.level:
            return node.module
        package = module.package
        parts = package.split(".") if package else []
        if node.level > len(parts):
            raise module.source.error(
                node, "relative import beyond the top", "import from the project's root"
            )
        base = parts[: len(parts) - node.level + 1]
        return ".".join([*base, *([node.module] if node.module else [])])

    def _chain_of(self, name, importer, line, guarded):
        """The modules that importing `name` runs: its packages, then itself.

        None where one is missing but guarded.
        """
        parts = name.split(".")
        chain = []
        for count in range(1, len(parts) + 1):
            full = ".".join(parts[:count])
            if full in self.modules:
                chain.append(self.modules[full])
                continue
            location = self.project.locate(full)
            if location is None:
                if guarded:
                    return None
                raise BundleError(
                    importer.shown,
                    line,
                    f"no module named {full}",
                    "correct the import, or name the project's folder with --root",
                )
            shown = self.project.shown(location.path) if location.path else full
            path = [*importer.chain, (importer.shown, line)]
            module = Module(location, full, shown, path, guarded)
            self.modules[full] = module
            chain.append(module)
        return chain

    def _load(self, site, chain, program, lazy):
        site.module.imported.update(chain)
        for module in chain:
            self._ensure(module, program, lazy)
            if not site.nested:
                site.module.required |= {module} | module.required
            if not module.lazy or module.loaded or module is site.module:
                continue
            if site.nested:
                site.loads.append(module)
            else:
                program.append(Load(module))
                module.loaded = program is self.program

    def _ensure(self, module, program, lazy):
        if module.state != "new":
            return
        if not lazy or module.source is None or not module.source.tree.body:
            self._run(module, program, lazy)
            return
        module.lazy = True
        loader = Loader(module)
        self._run(module, loader.program, True)
        self.program.append(loader)

    def _check_external(self, site, name):
        top = name.split(".")[0]
        known = top in sys.stdlib_module_names or top in SITE_PACKAGES
        if known or site.guarded or (top == "__future__"):
            return
        module = site.module
        steps = [*module.chain, (module.shown, site.node.lineno)]
        path = " -> ".join(f"{shown}:{line}" for shown, line in steps)
        raise module.source.error(
            site.node,
            f"import {name}",
            f"the site lacks it (imported by {path}); do without it, guard it by "
            "`try: ... except ImportError:`, or is it yours and not below the root, "
            f"{self.project.root}? Then give the folder that has it and the bot with --root",
        )


def _catches_import_error(handler):
    if handler.type is None:
        return True
    kinds = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
    return any(getattr(kind, "id", None) in MISSING_MODULE_ERRORS for kind in kinds)
