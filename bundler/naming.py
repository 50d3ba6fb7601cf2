"""One name in the bundle for each variable of the flattened modules.

A variable keeps its name unless another one has it or a module reads a builtin of that name. Then
it gets its module's name in front, `LIMIT` of `core/clock.py` becomes `clock_LIMIT`, if it is a
plain variable and nobody can tell; functions and classes are never renamed, so then one of the
modules is carried.
"""

import ast
import builtins
from dataclasses import dataclass
from functools import cached_property

from bundler.bindings import annotation_words
from bundler.edits import CannotEdit, name_edits
from bundler.plain import HARMLESS_DUNDERS, futures, reason
from bundler.source import IMPORTS, bound_name


@dataclass(frozen=True)
class Variable:
    """A name of the top level: of a module, or what an import from outside binds, in whichever
    modules (`module` None).

    name: as it is called there. import_text: for imports from outside, what is imported.
    """

    module: object
    name: str
    import_text: str | None = None


@dataclass(frozen=True)
class ModuleAlias:
    """A name that means a flattened module, which a bundle does not have."""

    module: object


class Naming:
    """The variables of flattened modules and their names.

    modules: the flattened modules, as Python runs them, the entry included. carried: the others.
    """

    def __init__(self, modules, entry, carried):
        self.modules = modules
        self.entry = entry
        self.carried = carried
        self.known = {}
        self.flat = {}  # Variable -> name in the bundle
        self.conflicts = {}  # module -> Reason to carry it

    # What names mean

    def variable(self, module, name):
        """The Variable or ModuleAlias that a name of a module's top level is; None for a builtin."""
        if (module, name) not in self.known:
            self.known[module, name] = self._variable(module, name)
        return self.known[module, name]

    def _variable(self, module, name):
        bindings = module.names.bindings.get(name)
        if not bindings:
            return None
        own = Variable(module, name)
        if any(binding.kind != "import" or not binding.direct for binding in bindings):
            return own
        meanings = {self._imported(module, name, *binding.alias) for binding in bindings}
        return meanings.pop() if len(meanings) == 1 else own

    def _imported(self, module, name, node, alias):
        site = module.site_of(node)
        own = Variable(module, name)
        if site is None:
            if isinstance(node, ast.ImportFrom) and self._stores_outside:
                return own  # of what it is, another import may find another
            return Variable(None, name, _import_text(node, alias))
        target = site.targets.get(alias)
        if target is not None:
            stays = target in self.carried or self.last_of(site, alias) in self.carried
            return own if stays else ModuleAlias(target)
        if isinstance(node, ast.Import):
            return Variable(None, name, _import_text(node, alias))
        if site.base is None or site.base in self.carried or name != alias.name:
            return own
        return self.variable(site.base, name)

    @cached_property
    def _stores_outside(self):
        """Whether the bot changes a module from outside, as in `math.pi = 3`."""
        return any(_changes_imports(module) for module in [*self.modules, *self.carried])

    @staticmethod
    def last_of(site, alias):
        """The module that `import a.b.c` runs last, where the alias binds `a`."""
        last = [module for module in site.runs if module.name == alias.name]
        return last[0] if last and isinstance(site.node, ast.Import) else None

    @cached_property
    def uses(self):
        """Variable -> [(module, name)]: how the modules call it."""
        uses = {}
        for module in self.modules:
            for name in sorted(module.names.read | module.names.bound):
                variable = self.variable(module, name)
                if isinstance(variable, Variable):
                    uses.setdefault(variable, []).append((module, name))
        return uses

    @cached_property
    def _free(self):
        """Name -> modules that read it without binding it: builtins, and what is missing."""
        free = {}
        for module in self.modules:
            for name in module.names.read - module.names.bound:
                if name not in ("__name__", "__doc__"):
                    free.setdefault(name, []).append(module)
        return free

    @cached_property
    def _annotation_words(self):
        return {
            module: annotation_words(module.source.tree, names_too=bool(futures(module)))
            for module in self.modules
        }

    @cached_property
    def _all_words(self):
        words = set(dir(builtins))
        for module in self.modules:
            words |= module.names.read | module.names.hidden | module.names.bound
        return words

    # Names in the bundle

    def assign(self):
        """Name all variables; what cannot be named goes into `conflicts`."""
        takers = {}
        for variable in self.uses:
            self.flat[variable] = variable.name
            takers.setdefault(variable.name, []).append(variable)
        place = {module: index for index, module in enumerate(self.modules)}

        def rank(variable):
            return variable.module is not self.entry, place.get(variable.module, -1)

        for name, variables in takers.items():
            readers = self._free.get(name, [])
            if len(variables) + bool(readers) < 2:
                continue
            variables = sorted(variables, key=rank)
            if not readers:
                fixed = [v for v in variables if not self._can_rename(v)] or variables[:1]
                keeps = fixed[0]
                variables.remove(keeps)
            for variable in variables:
                if self._can_rename(variable):
                    self.flat[variable] = self._new_name(variable)
                else:
                    self._give_up(variable, readers)

    def _give_up(self, variable, readers):
        owner = variable.module
        others = readers
        if owner is None:
            others = [module for module, _ in self.uses[variable]]
        if owner is None or owner is self.entry:
            for module in others:
                if module is not self.entry:
                    why = f"{variable.name} is another name elsewhere"
                    self.conflicts[module] = reason(module, 1, why, "rename one of them")
            return
        line = line_of_binding(owner, variable.name)
        self.conflicts[owner] = reason(
            owner, line, f"another module uses the name {variable.name}", "rename one of them"
        )

    def _can_rename(self, variable):
        name = variable.name
        if name.startswith("__") and name not in HARMLESS_DUNDERS:
            return False
        if variable.import_text and variable.import_text == f"import {name}":
            return False  # it may have been written `import name.part`
        if hasattr(builtins, name):
            return False
        for module, local in self.uses[variable]:
            bindings = module.names.bindings[local]
            if any(b.kind not in ("assign", "import") or not b.direct for b in bindings):
                return False
            if any(b.alias and "." in b.alias[1].name and not b.alias[1].asname for b in bindings):
                return False  # `import a.b` binds `a`, `import a.b as c` would bind the other
            if local in module.names.hidden or local in self._annotation_words[module]:
                return False
            first = min(binding.unit for binding in bindings)
            if any(local in unit.words for unit in module.source.units[:first]):
                return False
            try:
                name_edits(module.source, {local: "x" + local}, {})
            except CannotEdit:
                return False
        return True

    def _new_name(self, variable):
        module = variable.module or self.uses[variable][0][0]
        parts = module.import_name.split(".")
        private = "_" if variable.name.startswith("_") else ""
        stem = variable.name.lstrip("_")
        number = 1
        while True:
            prefix = "_".join(parts[-number:])
            name = f"{private}{prefix}_{stem}" + f"_{number}" * (number > len(parts))
            if self.claim(name):
                return name
            number += 1

    def claim(self, name):
        """Take a new name for the bundle; whether it was free."""
        if name in self._all_words:
            return False
        self._all_words.add(name)
        return True


def line_of_binding(module, name):
    return module.source.units[module.names.bindings[name][0].unit].first_line


def _import_text(node, alias):
    """What an import from outside binds, the same text for the same thing."""
    bound = f" as {alias.asname}" if alias.asname else ""
    if isinstance(node, ast.Import):
        return f"import {alias.name}{bound}" if bound else f"import {alias.name.split('.')[0]}"
    return f"from {node.module} import {alias.name}{bound}"


def _changes_imports(module):
    """Whether a module may change what it imports from outside: it stores its attributes, or hands
    it to something.
    """
    imports = [n for n in module.source.nodes if isinstance(n, IMPORTS)]
    names = {bound_name(a) for node in imports for a in node.names}
    modules = {
        bound_name(alias)
        for node in imports
        if isinstance(node, ast.Import)
        for alias in node.names
    }
    read = set()  # the names of which an attribute is read
    for node in module.source.nodes:
        if not isinstance(node, ast.Attribute):
            continue
        base = node.value
        while isinstance(base, ast.Attribute):
            base = base.value
        if isinstance(base, ast.Name):
            read.add(base)
            if base.id in names and not isinstance(node.ctx, ast.Load):
                return True
    return any(
        isinstance(node, ast.Name)
        and isinstance(node.ctx, ast.Load)
        and node.id in modules
        and node not in read
        and not _is_identity_test(module.source.parents[node])
        for node in module.source.nodes
    )


def _is_identity_test(node):
    """Whether a node is like `numba is not None`, which hands nothing on."""
    return isinstance(node, ast.Compare) and all(
        isinstance(operator, (ast.Is, ast.IsNot)) for operator in node.ops
    )
