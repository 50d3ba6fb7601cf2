"""The modules that a bot may run, found by following its imports, and what each import means."""

import ast
import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from importlib.util import resolve_name
from pathlib import Path
from typing import NamedTuple

from bundler.errors import BundleError
from bundler.modules.folding import fold, write_mode
from bundler.modules.library import names_distribution, with_full_names
from bundler.modules.names import Binding, Names, names_of
from bundler.modules.project import Project
from bundler.modules.source import (
    IMPORTS,
    Import,
    Source,
    Unit,
    bound_name,
    dotted,
    imported_names,
    read,
    source_of,
    walk,
    words,
)
from bundler.modules.tunables import Tunable, tunables_of, write_values

_DOTTED = re.compile(r"\.*\w[\w-]*(\.\w[\w-]*)*")  # a module's name, as a text
_FINDERS = {"import_module", "__import__", "find_spec", "find_loader", "run_module", "load_module"}


@dataclass(eq=False)
class ImportSite:
    """An import statement, or a text that may be imported by `import_module`.

    base: the local Module that a `from` names. runs: the local modules that the import may run,
    packages first. targets: {alias: local Module}. checked: True for an import in a block, which
    may never run. guarded: True for an import in a `try` or `with`, which may catch its failure.
    """

    module: "Module"
    node: Import | ast.Constant
    checked: bool = True
    guarded: bool = False
    base: "Module | None" = None
    runs: "list[Module]" = field(default_factory=list)
    targets: "dict[ast.alias, Module]" = field(default_factory=dict)

    @property
    def line(self) -> int:
        return self.node.lineno

    @property
    def unit(self) -> Unit:
        """The unit that contains the import."""
        return self.module.source.units[self.module.source.unit_at(self.line)]


class Reason(NamedTuple):
    """A place in a module that speaks against flattening."""

    module: "Module"
    line: int
    construct: str

    def __str__(self) -> str:
        return f"{self.construct}, {self.module.shown}:{self.line}"


class Variable(NamedTuple):
    """A name at the top level of a module. A name imported from outside the bot has a `full` name,
    and no `module`.
    """

    module: "Module | None"
    name: str
    full: str | None = None


class Module:
    """A local module. name: its `__name__`, "__main__" for the entry. import_name: the name by
    which modules import it.
    """

    def __init__(
        self, import_name: str, path: Path | None, source: Source, is_package: bool, is_entry: bool
    ) -> None:
        self.import_name = import_name
        self.name = "__main__" if is_entry else import_name
        self.path = path
        self.shown = source.shown
        self.is_package = is_package
        self.is_entry = is_entry
        self.original = source
        self.source = fold(source, is_entry)
        self.sites: list[ImportSite] = []
        self._variables: dict[str, Variable] = {}

    @cached_property
    def names(self) -> Names:
        return names_of(self.source)

    def site_of(self, node: ast.AST | None) -> ImportSite | None:
        """Returns the ImportSite of a statement, None for an import from outside."""
        return next((site for site in self.sites if site.node is node), None)

    def origin(self, node: Import, alias: ast.alias) -> "str | Module | tuple[Module, str] | None":
        """Returns the meaning of a name that an import binds: a full name from outside, a local
        module, or (local module, name in the module); None where the module is missing.
        """
        site = self.site_of(node)
        if site and alias in site.targets:
            return site.targets[alias]
        if isinstance(node, ast.Import):
            return alias.name if alias.asname else bound_name(alias)
        if site:
            return (site.base, alias.name) if site.base else None
        return f"{node.module}.{alias.name}"

    def variable(self, name: str) -> Variable | None:
        """Returns the Variable of a name, None for a name that the module does not bind."""
        if name in self.names.bound and name not in self._variables:
            self._variables[name] = Variable(self, name)  # for modules that import each other
            meanings = {self._meaning(name, binding) for binding in self.names.bindings[name]}
            if len(meanings) == 1:
                self._variables[name] = meanings.pop()
        return self._variables.get(name)

    def used(self, node: ast.AST) -> "tuple[Module, str] | None":
        """Returns (m, name) for `m.name` of a module m of the bot, if m has no other meaning."""
        match node:
            case ast.Attribute(ast.Name(name), word):
                target = self.targets.get(name)
                return (target, word) if target else None
        return None

    @cached_property
    def targets(self) -> "dict[str, Module]":
        """{name: module of the bot} of the names that are bound only once, to a whole module, by an
        import in no block.
        """
        targets = {}
        for name, bindings in self.names.bindings.items():
            binding = bindings[0]
            if len(bindings) == 1 and binding.kind == "import" and binding.alias:
                origin, alias = self.origin(*binding.alias), binding.alias[1]
                is_whole = bool(alias.asname) or "." not in alias.name  # not the top of `a.b`
                if isinstance(origin, Module) and is_whole and name not in self.names.hidden:
                    targets[name] = origin
        return targets

    def _meaning(self, name: str, binding: Binding) -> Variable:
        if binding.kind == "import" and binding.alias:
            match self.origin(*binding.alias):
                case str(full):
                    return Variable(None, name, full)
                case (Module() as base, inner) if inner == name and name in base.names.bound:
                    return base.variable(name) or Variable(self, name)
        return Variable(self, name)

    @cached_property
    def origins(self) -> "list[tuple[str, str | Module | tuple[Module, str] | None]]":
        """[(name, meaning)] of all imports of the module, nested ones too; see `origin`."""
        imports = [node for node in self.source.nodes if isinstance(node, IMPORTS)]
        aliases = [(node, alias) for node in imports for alias in node.names]
        return [(bound_name(alias), self.origin(node, alias)) for node, alias in aliases]

    @cached_property
    def outside(self) -> dict[str, set[str]]:
        """{name: full names that it may mean} of the names imported from outside, directly or
        through other modules.
        """
        outside: dict[str, set[str]] = {}
        self.__dict__["outside"] = outside  # for modules that import each other
        for bound, origin in self.origins:
            match origin:
                case str(full):
                    outside.setdefault(bound, set()).add(full)
                case (module, name) if name in module.outside:
                    outside.setdefault(bound, set()).update(module.outside[name])
        return outside

    def full_names(self, node: ast.AST) -> set[str]:
        """Returns the full names from outside that `name` or `name.x` may mean."""
        first, *others = dotted(node).split(".")
        return {".".join([full, *others]) for full in self.outside.get(first, ())}

    def may_run(self, other: "Module") -> bool:
        """Returns True if `other` is the module itself, or is imported by it, directly or through
        others.
        """
        waiting, seen = [self], set()
        while waiting:
            module = waiting.pop()
            if module not in seen:
                seen.add(module)
                waiting += [run for site in module.sites for run in site.runs]
        return other in seen

    @property
    def package(self) -> str:
        return self.import_name if self.is_package else self.import_name.rpartition(".")[0]

    @cached_property
    def is_empty(self) -> bool:
        """True for a module without code: a package that only holds its modules."""
        return all(
            isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
            for node in self.source.tree.body
        )

    @cached_property
    def postpones_annotations(self) -> bool:
        """True for a module that keeps its annotations as texts."""
        fulls = [full for node in self.source.tree.body for full in imported_names(node)]
        return "__future__.annotations" in fulls

    def reason(self, place: ast.AST | int, construct: str) -> Reason:
        """Returns the Reason against flattening at a line or a node."""
        return Reason(self, place if isinstance(place, int) else line_of(place), construct)

    def error(self, node: ast.AST, construct: str, advice: str) -> BundleError:
        return BundleError(self.shown, line_of(node), construct, advice)


class Program:
    """All modules that a bot may run. modules: {name: Module} without the entry. entry: the bot's
    own file.

    missing: (import, name, True if the project has the name's top package). dynamic: modules that
    import by computed names. first: packages that run before the entry. files: {path: time (ns) of
    its last change}. For further attributes see `make_bundle`.
    """

    def __init__(
        self,
        project: Project,
        mode: str,
        allowed: Iterable[str],
        parameters: Mapping[str, float] | None = None,
    ) -> None:
        self.project = project
        self.mode = mode
        self.allowed = project.site.packages | {"__main__"} | set(allowed)
        self.parameters = parameters
        self.tunables: dict[str, Tunable] = {}
        self.modules: dict[str, Module] = {}
        self.files: dict[Path, int] = {}
        self.dynamic: list[Module] = []
        self.missing: list[tuple[ImportSite, str, bool]] = []
        self.unread: list[Module] = []
        self.entry = self._read(project.entry_name, project.entry_path, False, is_entry=True)
        sites = _import_sites(self.entry)
        if any(getattr(site.node, "level", 0) and not site.checked for site in sites):
            project.as_module = True
        project.look_beside_entry(not project.as_module)
        package = project.entry_name.rpartition(".")[0] if project.as_module else None
        self.first = self._chain(package)
        self.unread.append(self.entry)
        while self.unread:
            self._follow(self.unread.pop())

    def _read(
        self, name: str, path: Path | None, is_package: bool, is_entry: bool = False
    ) -> Module:
        shown = self.project.shown(path) if path else name
        source = source_of("", shown)
        if path:
            self.files[path] = path.stat().st_mtime_ns  # before it is read
            source = source_of(read(path, shown), shown)
            if names_distribution(source):
                self.project.look_in_installation(shown)
            package = name if is_package else name.rpartition(".")[0]
            package = "" if is_entry else package  # the entry may run as a file, without a package
            source = source_of(with_full_names(source, package), shown)
            source = source_of(self._with_numbers(source, write_mode(source, self.mode)), shown)
        return Module(name, path, source, is_package, is_entry)

    def _with_numbers(self, source: Source, text: str) -> str:
        for node, tunable in tunables_of(source):
            if self.tunables.setdefault(tunable.name, tunable) != tunable:
                construct = f"two tunable numbers of the name {tunable.name!r}"
                raise BundleError(source.shown, node.lineno, construct, "give each its own name")
        if self.parameters is None or not any(tunables_of(source)):
            return text
        return write_values(source_of(text, source.shown), self.parameters)

    @property
    def everyone(self) -> list[Module]:
        return [*self.modules.values(), self.entry]

    def _chain(self, name: str | None) -> list[Module]:
        """Returns the local modules that importing `name` runs, packages first, up to the first one
        that is missing.
        """
        chain = []
        parts = name.split(".") if name else []
        for count in range(1, len(parts) + 1):
            full = ".".join(parts[:count])
            if full not in self.modules:
                spec = self.project.locate(full)
                if spec is None:
                    break
                path = Path(spec.origin) if spec.origin else None
                module = self._read(full, path, spec.submodule_search_locations is not None)
                self.modules[full] = module
                self.unread.append(module)
            chain.append(self.modules[full])
        return chain

    def _follow(self, module: Module) -> None:
        for site in _import_sites(module):
            if isinstance(site.node, ast.Import):
                for alias in site.node.names:
                    targets = self._find(site, alias.name)
                    site.targets |= {alias: targets} if targets else {}
            elif isinstance(site.node, ast.ImportFrom):
                self._find_from(site, site.node)
            if site.runs:
                module.sites.append(site)
        self._find_named(module)

    def _find(self, site: ImportSite, name: str) -> Module | None:
        """Returns the module of an import, None if it is missing or from outside. Adds the modules
        that the import runs to the site's `runs`.
        """
        chain = self._chain(name)
        site.runs += chain
        if chain and chain[-1].name == name:
            return chain[-1]
        top = name.split(".")[0]
        if chain or not (top in sys.stdlib_module_names or top in self.allowed):
            self.missing.append((site, name, bool(chain)))
        return None

    def _find_from(self, site: ImportSite, node: ast.ImportFrom) -> None:
        name = self.absolute(site.module, node)
        if name is None:
            if not site.checked:
                advice = "import from the project's root"
                raise site.module.error(node, "relative import beyond the top", advice)
            return
        site.base = self._find(site, name)
        if site.base is None or not site.base.is_package:
            return
        inner: dict[ast.alias | str, str] = {alias: alias.name for alias in node.names}
        if node.names[0].name == "*":  # the module may be a name in `__all__`
            texts = [getattr(node, "value", None) for node in site.base.source.nodes]
            inner = {text: text for text in texts if isinstance(text, str) and text.isidentifier()}
        for alias, text in inner.items():
            module = (self._chain(f"{name}.{text}") or [site.base])[-1]
            if module.name == f"{name}.{text}":
                site.runs.append(module)
                site.targets |= {alias: module} if isinstance(alias, ast.alias) else {}

    def _find_named(self, module: Module) -> None:
        """Follow imports by computed names: each local module whose name is a text in the module
        may be imported.
        """
        if not any(_FINDERS & words(node) for node in module.source.nodes):
            return
        self.dynamic.append(module)
        for node in module.source.nodes:
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                # `__main__` is the program that runs, not a file of this name
                is_name = _DOTTED.fullmatch(node.value) and node.value != "__main__"
                runs = self._chain(_resolved(node.value, module.package)) if is_name else []
                if runs:
                    module.sites.append(ImportSite(module, node, runs=runs))

    def absolute(self, module: Module, node: ast.ImportFrom) -> str | None:
        """Returns the full name of the module that a `from` names, None for one beyond the top
        package.
        """
        package = module.package if self.project.as_module or not module.is_entry else ""
        return _resolved("." * node.level + (node.module or ""), package)


def line_of(node: ast.AST) -> int:
    return getattr(node, "lineno", 1)


def _resolved(name: str, package: str) -> str | None:
    try:
        return resolve_name(name, package)
    except ImportError:
        return None


def _import_sites(module: Module) -> Iterator[ImportSite]:
    """Yields the sites of a module's import statements, in the order of the text."""
    guarded: set[ast.AST] = set()
    for node in module.source.nodes:
        if isinstance(node, (ast.Try, ast.With)):
            for part in (*node.body, *getattr(node, "handlers", ())):
                guarded.update(walk(part))
    body = set(module.source.tree.body)
    imports = [node for node in module.source.nodes if isinstance(node, IMPORTS)]
    for statement in sorted(imports, key=lambda node: (node.lineno, node.col_offset)):
        yield ImportSite(module, statement, statement not in body, statement in guarded)
