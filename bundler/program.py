"""What a bot's program is made of: modules, their statements and imports, and what these bind.

`bundler/graph.py` finds them and the order in which Python runs them.
"""

import ast
from dataclasses import dataclass, field

from bundler.scopes import Scopes
from bundler.source import Source


@dataclass(frozen=True)
class Target:
    """What an import binds: a local module (`name` None), a name of one, or something `external`.

    external: (module, name or None): `("numpy", None)`, `("math", "sqrt")`.
    """

    module: "Module | None" = None
    name: str | None = None
    external: tuple | None = None


@dataclass(eq=False)
class Binding:
    """One place that gives a module's name a value.

    `target` for imports; `unit` for code at the top level.
    """

    occurrence: object = None
    target: Target | None = None
    unit: "Unit | None" = None
    in_function: bool = False
    star_at: int | None = None  # offset of the star import that binds the name
    bound_at: int | None = None  # when, on the graph's clock


@dataclass(eq=False)
class Unit:
    """A top-level statement of a module, the smallest thing that is kept or removed.

    column: of its first character. ran_at: when Python has executed it, on the graph's clock.
    """

    module: "Module"
    node: ast.stmt
    start: int
    end: int
    column: int
    index: int
    imports: list = field(default_factory=list)
    ran_at: int | None = None


@dataclass(eq=False)
class Loader:
    """A module that runs at its first import: its units, in order."""

    module: "Module"
    program: list = field(default_factory=list)


@dataclass(frozen=True)
class Load:
    """The place at the top level where a module with a Loader is imported."""

    module: "Module"


@dataclass(frozen=True)
class Attach:
    """The place where a module that has run becomes an attribute of its package."""

    module: "Module"
    package: "Module"

    @property
    def name(self):
        return self.module.location.name.rpartition(".")[2]


@dataclass(eq=False)
class ImportSite:
    """An import statement: which modules it runs and what each alias binds.

    loads: the modules with a Loader that a nested import runs. targets: alias -> Target.
    star_names: name -> Target for a star import. dead: in a branch that never runs.
    star_whole: the source of the star import has run for certain, whenever this one does.
    """

    node: ast.stmt
    module: "Module"
    guarded: bool
    nested: bool
    dead: bool = False
    loads: list = field(default_factory=list)
    targets: dict = field(default_factory=dict)
    star_names: dict = field(default_factory=dict)
    star_source: "Module | None" = None
    star_whole: bool = False


class Module:
    """A local module. `name` is what `__name__` holds; `state` is "new", "running" or "done"."""

    def __init__(self, location, name, shown, chain, guarded):
        self.location = location
        self.name = name
        self.shown = shown
        self.chain = chain  # the imports that reach it: (file, line) each
        self.guarded = guarded
        self.state = "new"
        self.lazy = False  # runs by a Loader
        self.loaded = False  # its Loader has run for certain, whatever comes after in the program
        self.source = Source(location.path, shown) if location.path else None
        self.scopes = Scopes(self.source) if self.source else None
        self.units = []
        self.sites = {}  # import statement -> ImportSite
        self.bindings = {}
        self.dead = []  # (start, end) of branches that never run
        self.done_at = None
        self.imported = set()  # modules that it imports, at any depth
        self.required = set()  # modules that have run when it has, because of imports at its top
        self.stored_attributes = set()
        self.may_have = set()  # names of a star import whose module may not have run by then
        self.sets_attributes = False  # by setattr or delattr, on names known only when it runs
        if self.scopes:
            self._find_stores()
            self.occurrence_at = {id(o.node): o for o in self.scopes.occurrences}
            for name, occurrences in self.scopes.module.bindings.items():
                self.bindings[name] = [Binding(o) for o in occurrences]
            for occurrence in self.scopes.occurrences:
                if occurrence.scope.kind != "module" and occurrence.home.kind == "module":
                    if occurrence.action != "load":
                        binding = Binding(occurrence, in_function=True)
                        self.bindings.setdefault(occurrence.name, []).append(binding)

    def _find_stores(self):
        for node in ast.walk(self.source.tree):
            if isinstance(node, ast.Attribute) and not isinstance(node.ctx, ast.Load):
                if getattr(node.value, "id", None) != "self":
                    self.stored_attributes.add(node.attr)
            elif isinstance(node, ast.Name) and node.id in ("setattr", "delattr"):
                self.sets_attributes = True

    @property
    def package(self):
        """The package that relative imports start from."""
        if self.location.is_package:
            return self.location.name
        return self.location.name.rpartition(".")[0]

    @property
    def features(self):
        """What the module imports from `__future__`."""
        return {
            alias.name
            for node in self.source.tree.body
            if isinstance(node, ast.ImportFrom) and node.module == "__future__"
            for alias in node.names
        }

    @property
    def docstring(self):
        return ast.get_docstring(self.source.tree, clean=False) if self.source else None

    def is_dead(self, place):
        return any(start <= place < end for start, end in self.dead)
