"""What each name of the bundle stands for.

A name imported from another local module stands for that module's own name wherever this cannot be
told apart from Python's copy: when the name is bound by that import alone, and nobody binds the
original again later. Where it could, the copy is kept as an assignment. Attributes of a module's
alias (`sim.move`) stand for the module's name; a module used as a value becomes a `ModuleView` that
reads the names of the bundle as they are then.
"""

import ast
import builtins
import sys
from collections import Counter
from dataclasses import dataclass, field

from bundler.program import Target


@dataclass(eq=False)
class Entity:
    """Something with one name at the top level of the bundle.

    kind: "own" (a module's name), "external" (an import from outside), "view" (a module as a
    value), "loader" (of a module that runs when it is first imported) or "helper". sites: where it
    is mentioned, as (scope, occurrence or None). pinned: a name it has to have, because of the code
    at `pinned_at`, a module and a line. spellings: how often modules import something external
    under each name. dotted: its `import a.b` statements.
    """

    kind: str
    module: object
    name: str
    external: tuple | None = None
    sites: list = field(default_factory=list)
    pinned: str | None = None
    pinned_at: object = None
    flat: str = ""
    dotted: list = field(default_factory=list)
    spellings: Counter = field(default_factory=Counter)

    @property
    def identity(self):
        """What tells it apart from the others, and is the same in every bundle of a bot."""
        return self.kind, self.module and self.module.name, self.name, self.external


@dataclass(frozen=True)
class Meaning:
    """What an occurrence stands for, and the text it covers: an entity, or `text` that says it
    directly.
    """

    start: int
    end: int
    entity: Entity | None = None
    text: str | None = None
    action: str = "load"


class Linker:
    """Resolves every occurrence of the graph's modules."""

    def __init__(self, graph):
        self.graph = graph
        self._check_stars()
        self.attached = self._find_attached()
        self.optional = self._find_optional()
        # (module, name) set from outside: through an attribute, or by the import of a submodule
        self.stored = set(self.attached)
        while True:
            self._reset()
            self._resolve_everything()
            stored = self._stores()
            if stored <= self.stored:
                break
            self.stored |= stored
        self._find_free_names()

    def _check_stars(self):
        """Of a module that is still running a star import takes what there is by then: refused
        where that may vary.
        """
        for module in self.modules():
            for site in module.sites.values():
                source = site.star_source
                unsure = source and module.lazy and not site.star_whole
                if unsure and self._starts(source, module):
                    raise module.source.error(
                        site.node,
                        f"star import from {source.name}, which may import {module.name} while that runs",
                        "name what you import",
                    )

    def _starts(self, source, goal):
        """Whether a module that runs can make another run; its packages have run before it."""
        name = source.location.name + "."
        packages = {
            m for m in self.graph.modules.values() if name.startswith(m.location.name + ".")
        }
        return goal not in packages and self._reaches(source, goal, packages - {source})

    def _reset(self):
        self.entities = {}
        self.resolved = {}
        self.meanings = {}
        self.local_stores = {}
        self.removed = set()  # (scope, name) of imports in functions that became what they import
        self.escaped = set()

    def modules(self):
        return [module for module in self.graph.modules.values() if module.source]

    def entity(self, kind, module, name, external=None):
        key = (kind, external or module, name if external is None else None)
        if key not in self.entities:
            self.entities[key] = Entity(kind, module, name, external)
        return self.entities[key]

    def helper(self, name):
        return self.entity("helper", None, name)

    def view(self, module):
        self.escaped.add(module)
        return self.entity("view", module, module.location.name.rpartition(".")[2])

    def loader(self, module):
        return self.entity("loader", module, "load_" + module.location.name.rpartition(".")[2])

    # Names of modules

    def bindings(self, module, name):
        """The bindings of a module's name in code that can run."""
        return [
            binding
            for binding in module.bindings.get(name, ())
            if binding.occurrence is None or not module.is_dead(binding.occurrence.start)
        ]

    def resolve(self, module, name):
        """What a module's name stands for: an Entity, a Module, or None where the module does not
        bind it.
        """
        key = module, name
        if key not in self.resolved:
            self.resolved[key] = None  # for imports in a circle that never reach a name
            self.resolved[key] = self._resolve(module, name)
        return self.resolved[key]

    def _resolve(self, module, name):
        bindings = self.bindings(module, name)
        if not bindings:
            if (module, name) in self.stored:
                return self.own(module, name)
            # Of a submodule with a builtin's name, the builtin is what is meant before it runs.
            return None if hasattr(builtins, name) else self.submodule(module, name)
        target = self._import_only(module, name, bindings)
        if target is None:
            return self.own(module, name)
        if target.external:
            if all(self._mergeable(module, binding) for binding in bindings):
                return self.external(target.external)
            return self.own(module, name)
        if target.name is None:
            return target.module
        if not self.stable(target.module, target.name, module):
            return self.own(module, name)
        return self.resolve(target.module, target.name) or self.own(module, name)

    def _import_only(self, module, name, bindings):
        """The target that all bindings of a name import, or None."""
        target = bindings[0].target
        unsure = any(
            o.unsure
            for o in module.scopes.occurrences
            if o.name == name and o.home.kind == "module"
        )
        if (
            target is None
            or (module, name) in self.stored
            or (module, name) in self.optional
            or unsure
            or any(b.target != target or b.in_function for b in bindings)
            or any(b.occurrence and b.occurrence.action == "delete" for b in bindings)
            or any(
                self.may_lack(module.sites[b.occurrence.alias[0]], target)
                for b in bindings
                if b.occurrence
            )
        ):
            return None
        if hasattr(builtins, name):
            stars = all(binding.star_at is not None for binding in bindings)
            if self.may_read_builtin(module, name):
                return None
            if stars and not any(self._binds_surely(binding) for binding in bindings):
                return None
        return target

    def _find_optional(self):
        """(module, name) that a star import or a guarded one takes only if the module has bound the
        name by then.
        """
        taken = [
            target
            for module in self.modules()
            for site in module.sites.values()
            for target in (
                *site.star_names.values(),
                *(site.targets.values() if site.guarded else ()),
            )
            if target.module and target.name
        ]
        return {
            (target.module, target.name)
            for target in taken
            if not self.surely_bound(target.module, target.name)
        }

    def may_lack(self, site, target):
        """Whether a `from` import guarded by `except ImportError` may not find the name."""
        guarded = site.guarded and isinstance(site.node, ast.ImportFrom)
        if not guarded or target.module is None or target.name is None:
            return False
        missing = (target.module, target.name) in self.optional
        return missing or self._reaches(target.module, site.module)

    def surely_bound(self, module, name):
        """Whether a module has a name when it has run, whatever branches it took."""
        bindings = self.bindings(module, name)
        if any(b.occurrence and b.occurrence.action == "delete" for b in bindings):
            return False
        return any(
            self._binds_surely(binding) for binding in bindings if binding.bound_at is not None
        )

    def _binds_surely(self, binding):
        if binding.in_function:
            return False
        if binding.occurrence is not None:
            return binding.occurrence.action == "store" and not binding.occurrence.conditional
        target = binding.target
        return target.name is None or bool(
            target.external or self.surely_bound(target.module, target.name)
        )

    def _mergeable(self, module, binding):
        """Whether an import from outside may be made once for the whole bundle."""
        if binding.star_at is not None:
            return True
        node, _ = binding.occurrence.alias
        if module.sites[node].nested:
            return False
        return (
            not module.lazy or binding.target.external[0].split(".")[0] in sys.stdlib_module_names
        )

    def stable(self, module, name, importer):
        """Whether a name of a module has its last value by the time that `importer` can import it."""
        bindings = self.bindings(module, name)
        if (module, name) in self.stored or not bindings:
            return False
        if any(
            b.in_function or (b.occurrence and b.occurrence.action == "delete") for b in bindings
        ):
            return False
        return len(bindings) == 1 or not self._reaches(module, importer)

    def _reaches(self, module, goal, without=()):
        """Whether a module imports another, at any depth, by modules other than those `without`."""
        seen, todo = set(without), [module]
        while todo:
            here = todo.pop()
            if here is goal:
                return True
            if here not in seen:
                seen.add(here)
                todo.extend(here.imported)
        return False

    def own(self, module, name):
        return self.entity("own", module, name)

    def external(self, key):
        module, name = key
        return self.entity("external", None, name or module.rpartition(".")[2], key)

    def member(self, module, name):
        """What `module.name` stands for: an Entity, a Module, or None where it can only be told
        when it runs.
        """
        bindings = self.bindings(module, name)
        if not bindings and (module, name) not in self.stored:
            return self.submodule(module, name)
        return self.resolve(module, name)

    def submodule(self, module, name):
        """The module that an import has made the attribute `name` of a package, or None."""
        submodule = self.graph.modules.get(f"{module.location.name}.{name}")
        ran = submodule and submodule is not self.graph.entry and submodule.state != "new"
        return submodule if ran else None

    # Submodules of the name of something else

    def _find_attached(self):
        """(package, name) -> submodule, for names that a package binds as well and that may be read
        as either.
        """
        found = {}
        for module in self.graph.modules.values():
            parent, _, name = module.location.name.rpartition(".")
            package = self.graph.modules.get(parent)
            if package is None or self.submodule(package, name) is not module:
                continue
            others = [
                binding
                for binding in self.bindings(package, name)
                if binding.target is None or binding.target != Target(module)
            ]
            if others and self._may_be_either(package, name, module, others):
                if hasattr(builtins, name):
                    place = others[0].occurrence.start if others[0].occurrence else 0
                    raise package.source.error(
                        package.source.line_of(place),
                        f"{name} is a name and a submodule of {package.name}, and a builtin",
                        "rename the submodule",
                    )
                found[package, name] = module
        return found

    def _may_be_either(self, package, name, submodule, bindings):
        """Whether the name can mean the submodule: not where the package certainly binds it right
        after the submodule has run.
        """
        if submodule.lazy or any(binding.in_function for binding in bindings):
            return True
        times = [binding.bound_at for binding in bindings if binding.bound_at is not None]
        if not times or min(times) < submodule.done_at:
            return True
        sure = [b.bound_at for b in bindings if b.bound_at is not None and self._binds_surely(b)]
        return not sure or any(
            self._mentions(unit, package, name)
            for module in self.modules()
            for unit in module.units
            if unit.ran_at < min(sure)
        )

    def _mentions(self, unit, package, name):
        """Whether a unit may read the attribute `name` of a package."""
        module = unit.module
        for site in unit.imports:
            targets = [*site.targets.values(), *site.star_names.values()]
            if Target(package, name) in targets:
                return True
        return any(
            (
                module is package
                and occurrence.name == name
                and occurrence.home.kind == "module"
                and occurrence.alias is None
            )
            or any(link.name == name for link in occurrence.chain)
            or (occurrence.getattr_call and occurrence.getattr_call.name == name)
            for occurrence in module.scopes.occurrences
            if unit.start <= occurrence.start < unit.end
        )

    # Occurrences

    def _resolve_everything(self):
        for module in self.modules():
            for occurrence in module.scopes.occurrences:
                if occurrence.action != "load":
                    key = occurrence.home, occurrence.name
                    self.local_stores.setdefault(key, []).append(occurrence)
        for module in self.modules():
            for occurrence in module.scopes.occurrences:
                if not module.is_dead(occurrence.start):
                    meaning = self._meaning(module, occurrence)
                    if meaning is not None:
                        self.meanings[occurrence] = meaning
        for module in self.attached.values():
            self.view(module)
        for module in self.modules():
            for occurrence in module.scopes.occurrences:
                if occurrence.alias is not None and occurrence.alias[0] in module.sites:
                    self._view_of_copy(module, occurrence)

    def _view_of_copy(self, module, occurrence):
        """An import that stays an assignment makes the module a value."""
        node, alias = occurrence.alias
        target = module.sites[node].targets.get(alias)
        if target is None or target.external:
            return
        value = target.module
        if target.name is not None:
            value = self.resolve(target.module, target.name)
        if occurrence.home.kind == "module":
            kept = isinstance(self.resolve(module, occurrence.name), Entity)
        else:
            kept = (occurrence.scope, occurrence.name) not in self.removed
        if kept and value is not None and not isinstance(value, Entity):
            self.view(value)

    def _meaning(self, module, occurrence):
        here = self._base(module, occurrence)
        if here is None:
            return self._dunder(module, occurrence)
        if occurrence.action != "load":
            if isinstance(here, Entity) and here.kind == "own" and here.module is module:
                return Meaning(occurrence.start, occurrence.end, here, action=occurrence.action)
            return None
        end = occurrence.end
        action = "load"
        links = list(occurrence.chain)
        while not isinstance(here, Entity) and len(links) > occurrence.in_pattern:
            link = links[0]
            text = self._module_text(module, here, link)
            if text is not None:
                return Meaning(occurrence.start, link.end, text=text)
            inner = self.member(here, link.name)
            if inner is None:
                if link.action == "load":
                    break
                inner = self.own(here, link.name)
            here, end, action = inner, link.end, link.action
            links.pop(0)
        start = occurrence.start
        if not isinstance(here, Entity):
            call = occurrence.getattr_call
            if call and not links:
                inner = self.member(here, call.name)
                if isinstance(inner, Entity):
                    return Meaning(call.start, call.end, inner)
            here = self.view(here)
        return Meaning(start, end, here, action=action)

    def _base(self, module, occurrence):
        """What the first name of a chain stands for; None for builtins and plain locals."""
        if occurrence.home.kind == "module":
            return self.resolve(module, occurrence.name)
        return self.local_import(module, occurrence.home, occurrence.name)

    def local_import(self, module, scope, name):
        """What an import in a function stands for where it may be replaced by what it imports."""
        if scope.kind != "function":
            return None
        targets = []
        for store in self.local_stores.get((scope, name), ()):
            if store.alias is None or store.scope is not scope:
                return None
            node, alias = store.alias
            site = module.sites.get(node)
            if site is None or site.dead or alias not in site.targets:
                return None
            if self.may_lack(site, site.targets[alias]):
                return None
            targets.append(site.targets[alias])
        if not targets or any(target != targets[0] for target in targets):
            return None
        target = targets[0]
        if target.module is None:
            return None
        if target.name is not None and not self.stable(target.module, target.name, module):
            return None
        self.removed.add((scope, name))
        return target.module if target.name is None else self.resolve(target.module, target.name)

    def _dunder(self, module, occurrence):
        if occurrence.home.kind != "module" or occurrence.action != "load":
            return None
        span = occurrence.start, occurrence.end
        if occurrence.name == "__name__" and module is not self.graph.entry:
            return Meaning(*span, text=repr(module.name))
        if occurrence.name == "__package__" and module is not self.graph.entry:
            return Meaning(*span, text=repr(module.package))
        if occurrence.name == "__doc__":
            return Meaning(*span, text=repr(module.docstring))
        return None

    def _module_text(self, user, module, link):
        if link.name == "__name__":
            return repr(module.name)
        if link.name == "__doc__":
            return repr(module.docstring)
        if link.name in ("__file__", "__dict__", "__path__", "__spec__", "__loader__"):
            raise user.source.error(
                user.source.line_of(link.end),
                f"{module.name}.{link.name}",
                "a bundle has no modules; name what you need",
            )
        return None

    def full_name(self, module, node):
        """What a dotted name stands for: an own Entity, or the full name of something from outside,
        or None.

        Builtins are named `builtins.max`.
        """
        names = []
        while isinstance(node, ast.Attribute):
            names.insert(0, node.attr)
            node = node.value
        occurrence = module.occurrence_at.get(id(node))
        if occurrence is None:
            return None
        if occurrence.home.kind != "module":
            external = self._imported_outside(module, occurrence)
            return external and ".".join([external, *names])
        here = self.resolve(module, occurrence.name)
        if here is None:
            builtin = not names and hasattr(builtins, occurrence.name)
            return f"builtins.{occurrence.name}" if builtin else None
        while not isinstance(here, Entity):
            if not names or here is None:
                return None
            here = self.member(here, names.pop(0))
        if here.kind != "own":
            return ".".join([part for part in here.external if part] + names)
        for binding in self.bindings(here.module, here.name):
            if binding.target and binding.target.external:  # an import that stays where it is
                return ".".join([part for part in binding.target.external if part] + names)
        return None if names else here

    def _imported_outside(self, module, occurrence):
        for store in self.local_stores.get((occurrence.home, occurrence.name), ()):
            if store.alias is not None and store.alias[0] in module.sites:
                target = module.sites[store.alias[0]].targets.get(store.alias[1])
                if target is not None and target.external:
                    return ".".join(part for part in target.external if part)
        return None

    def names_module(self, module, node):
        """Whether an expression is the name of a local module."""
        for occurrence, meaning in self.meanings.items():
            if occurrence.node is node:
                return meaning.entity is not None and meaning.entity.kind == "view"
        return False

    # Stores from outside

    def _stores(self):
        """(module, name) that some attribute assignment may set from outside."""
        found = set()
        names = set()
        for module in self.modules():
            for occurrence in module.scopes.occurrences:
                for place, link in enumerate(occurrence.chain):
                    if link.action == "load":
                        continue
                    names.add(link.name)
                    owner = self._owner(module, occurrence, occurrence.chain[:place])
                    if owner is not None:
                        found.add((owner, link.name))
        for module in self.escaped:
            for name in module.bindings:
                if name in names or any(other.sets_attributes for other in self.modules()):
                    found.add((module, name))
        return found

    def _owner(self, module, occurrence, links):
        here = self._base(module, occurrence)
        for link in links:
            if here is None or isinstance(here, Entity):
                return None
            here = self.member(here, link.name)
        return None if here is None or isinstance(here, Entity) else here

    def _find_free_names(self):
        """Names that no module binds: builtins, and those that only exist when the program runs.

        A builtin counts as well when several modules bind its name and one may read the builtin
        before it does.
        """
        self.free = set()
        owners = {}
        for module in self.modules():
            for name in module.bindings:
                if hasattr(builtins, name):
                    owners.setdefault(name, []).append(module)
            for occurrence in module.scopes.occurrences:
                if (
                    occurrence.home.kind == "module"
                    and self.resolve(module, occurrence.name) is None
                ):
                    self.free.add(occurrence.name)
        for name, modules in owners.items():
            if len(modules) > 1 and any(self.may_read_builtin(m, name) for m in modules):
                self.free.add(name)

    def may_read_builtin(self, module, name, alive=lambda occurrence: True):
        """Whether code of a module may read a builtin of this name while the module has none."""
        bindings = self.bindings(module, name)
        if any(b.occurrence and b.occurrence.action == "delete" for b in bindings):
            return True
        stars = [b.star_at for b in bindings if b.star_at is not None and self._binds_surely(b)]
        for occurrence in module.scopes.occurrences:
            if occurrence.name == name and occurrence.home.kind == "module" and alive(occurrence):
                if any(place < occurrence.start for place in stars):
                    return False
                at_top = occurrence.scope.kind == "module" and not occurrence.conditional
                return occurrence.action != "store" or not at_top
        return False
