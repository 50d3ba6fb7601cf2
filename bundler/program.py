"""The modules that a bot may run, found by following its imports, and what each import means."""

import ast
import re
import sys
from dataclasses import dataclass, field
from functools import cached_property

from bundler.bindings import FUNCTIONS, Names
from bundler.errors import BundleError
from bundler.plain import words
from bundler.settle import settled, write_mode
from bundler.site import SITE_PACKAGES, check_files, check_missing
from bundler.source import IMPORTS, Source, read

_DOTTED = re.compile(r"\.*\w[\w-]*(\.\w[\w-]*)*")  # a module's name, as a text
MISSING_MODULE_ERRORS = {"ImportError", "ModuleNotFoundError", "Exception", "BaseException"}


@dataclass(eq=False)
class Site:
    """An import statement, or a text that may be imported by `import_module`.

    base: the local Module that a `from` names, None where it is from outside. runs: the local
    modules that it may run, in Python's order, packages first. targets: for each alias that is or
    may be a local module, that Module. direct: it stands at the top level, in no block. checked: it
    may never run, or is guarded. guarded: a failure of it is caught, or it is made after one.
    """

    module: "Module"
    node: ast.AST
    direct: bool
    checked: bool
    guarded: bool = False
    base: "Module | None" = None
    runs: list = field(default_factory=list)
    targets: dict = field(default_factory=dict)

    @property
    def line(self):
        return self.node.lineno

    @property
    def needed(self):
        """The modules that it needs complete: not the packages above them, which may be running."""
        modules = set(self.targets.values())
        if self.base is None:
            modules = set(self.runs[-1:])
        elif any(alias not in self.targets for alias in self.node.names):
            modules.add(self.base)
        return modules

    @property
    def is_plain(self):
        """Whether it is of a form that needs no module when the sources are flattened."""
        return self.direct and all(alias.name != "*" for alias in self.node.names)


class Module:
    """A local module.

    name: by which Python knows it; the entry's is "__main__" and `import_name` what it would be.
    """

    def __init__(self, import_name, path, source, is_package, is_entry, typed):
        self.import_name = import_name
        self.name = "__main__" if is_entry else import_name
        self.path = path
        self.shown = source.shown
        self.is_package = is_package
        self.is_entry = is_entry
        self.original = source
        self.source = settled(self.original, is_entry, typed)
        self.sites = []

    @cached_property
    def names(self):
        return Names(self.source)

    def site_of(self, node):
        """The Site that an import statement is, None for one of what is outside."""
        return next((site for site in self.sites if site.node is node), None)

    @property
    def package(self):
        return self.import_name if self.is_package else self.import_name.rpartition(".")[0]

    @property
    def is_empty(self):
        """Whether it has no code: a package's that is only there to hold its modules."""
        return all(
            isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
            for node in self.source.tree.body
        )

    def error(self, node, construct, advice):
        return BundleError(self.shown, getattr(node, "lineno", node), construct, advice)


class Program:
    """All modules that a bot may run: `modules` by name, the `entry` apart.

    mode: of the bundle. typed: somebody sets `typing.TYPE_CHECKING`. allowed: names of modules that
    the site has besides the standard library and numpy. files: path -> time (ns) of its last change.
    """

    def __init__(self, project, mode, allowed, stage=lambda text, shown: text, typed=False):
        self.project = project
        self.mode = mode
        self.typed = typed
        self.allowed = SITE_PACKAGES | {"__main__"} | set(allowed)
        self.stage = stage
        self.modules = {}
        self.files = {}
        self.dynamic = []  # modules that import by names that are computed
        self.missing = []  # (site, name, whether the project has its top)
        self.doubtful = []  # (site, name) of those that the bot may do without
        self.unread = []  # modules whose imports have not been followed yet
        self.entry = self._read(project.entry_name, project.entry_path, False, is_entry=True)
        statements = _statements(self.entry.source.tree)
        if any(getattr(node, "level", 0) and not checked for node, _, checked, _ in statements):
            project.as_module = True
        project.look_beside_entry(not project.as_module)
        self.first = []  # packages that run before the entry
        if project.as_module:
            self.first = self._chain(project.entry_name.rpartition(".")[0]) or []
        self.unread.append(self.entry)
        while self.unread:
            self._follow(self.unread.pop())
        check_missing(self)
        for module in [*self.modules.values(), self.entry]:
            check_files(module)

    def _read(self, name, path, is_package, is_entry=False):
        shown = self.project.shown(path) if path else name
        source = Source("", shown)
        if path:
            self.files[path] = path.stat().st_mtime_ns  # before it is read
            source = Source(read(path, shown), shown)
            text = self.stage(write_mode(source, self.mode), shown)
            if text != source.text:
                source = Source(text, shown)
        return Module(name, path, source, is_package, is_entry, self.typed)

    @property
    def sets_type_checking(self):
        """Whether a module may set `typing.TYPE_CHECKING`."""
        return any(
            "TYPE_CHECKING" in words(node)
            and (
                isinstance(node, ast.Constant) or isinstance(getattr(node, "ctx", None), ast.Store)
            )
            for module in [*self.modules.values(), self.entry]
            for node in module.original.nodes
        )

    def _chain(self, name):
        """The modules that importing `name` runs: its packages, then itself; None for none."""
        chain = []
        parts = name.split(".") if name else []
        for count in range(1, len(parts) + 1):
            full = ".".join(parts[:count])
            if full not in self.modules:
                location = self.project.locate(full)
                if location is None:
                    return None
                module = self._read(full, location.path, location.is_package)
                self.modules[full] = module
                self.unread.append(module)
            chain.append(self.modules[full])
        return chain

    # Imports

    def _follow(self, module):
        for node, *kind in _statements(module.source.tree):
            site = Site(module, node, *kind)
            if isinstance(node, ast.Import):
                self._find_import(site)
            else:
                self._find_from(site)
            if site.runs:
                module.sites.append(site)
        self._find_named(module)

    def _find_import(self, site):
        for alias in site.node.names:
            chain = self._chain(alias.name)
            if chain is None:
                self._note_missing(site, alias.name)
                chain = self._chain_as_far(alias.name)
            else:
                site.targets[alias] = chain[-1] if alias.asname else chain[0]
            site.runs += chain

    def _find_from(self, site):
        name = self.absolute(site.module, site.node)
        if name is None:
            if not site.checked:
                advice = "import from the project's root"
                raise site.module.error(site.node, "relative import beyond the top", advice)
            return
        chain = self._chain(name)
        if chain is None:
            self._note_missing(site, name)
            site.runs += self._chain_as_far(name)
            return
        site.base = chain[-1]
        site.runs += chain
        for alias in site.node.names:
            if site.base.is_package and alias.name != "*":
                self._find_submodule(site, name, alias)
        if site.node.names[0].name == "*" and site.base.is_package:
            for text in _texts_of_all(site.base.source.tree):
                site.runs += (self._chain(f"{name}.{text}") or [None])[-1:]
            site.runs = [module for module in site.runs if module]

    def _find_submodule(self, site, package, alias):
        chain = self._chain(f"{package}.{alias.name}")
        if chain is not None:
            site.targets[alias] = chain[-1]
            site.runs.append(chain[-1])

    def _named(self, module, arguments):
        """The modules that `import_module("a.b")` runs, also relative to a package."""
        texts = [getattr(part, "value", None) for part in arguments]
        if not texts or not isinstance(texts[0], str):
            return []
        name, package = texts[0], module.package
        if not _DOTTED.fullmatch(name):
            return []
        level = len(name) - len(name.lstrip("."))
        if level:
            named = texts[1] if len(texts) > 1 else None
            parts = (named if isinstance(named, str) else package).split(".")
            name = ".".join([*parts[: len(parts) - level + 1], name[level:]])
        return self._chain_as_far(name)

    def _find_named(self, module):
        """What a module may import by names that are known when it runs: where it imports so, the
        modules whose names stand in it as texts.
        """
        importers = {"import_module", "__import__"}
        for node in module.source.nodes:
            if isinstance(node, ast.alias) and node.name in importers and node.asname:
                importers.add(node.asname)
        if not any(importers & words(node) for node in module.source.nodes):
            return
        self.dynamic.append(module)
        for node in module.source.nodes:
            if isinstance(node, ast.Call):
                name = getattr(node.func, "attr", None) or getattr(node.func, "id", None)
                if name in importers:
                    self._add_call(module, node, node.args)
            elif isinstance(node, ast.Constant) and isinstance(node.value, str):
                if _DOTTED.fullmatch(node.value):
                    self._add_call(module, node, [node])

    def _add_call(self, module, node, arguments):
        runs = self._named(module, arguments)
        if runs:
            module.sites.append(Site(module, node, False, True, runs=runs))

    def _chain_as_far(self, name):
        while name:
            chain = self._chain(name)
            if chain is not None:
                return chain
            name = name.rpartition(".")[0]
        return []

    def absolute(self, module, node):
        """The full name of the module that a `from` names; None where Python finds none."""
        if not node.level:
            return node.module
        parts = module.package.split(".") if module.package else []
        if module.is_entry and not self.project.as_module:
            parts = []
        if node.level > len(parts):
            return None
        base = parts[: len(parts) - node.level + 1]
        return ".".join([*base, *([node.module] if node.module else [])])

    def _note_missing(self, site, name):
        """Remember an import of what the site may not have."""
        top = name.split(".")[0]
        local = self.project.locate(top) is not None
        if local or not (top in sys.stdlib_module_names or top in self.allowed):
            self.missing.append((site, name, local))


def _statements(tree):
    """(node, direct, checked, guarded) of each import in a tree, in the order of the text."""

    def visit(node, direct, checked, guarded):
        if isinstance(node, IMPORTS):
            yield node, direct, checked or guarded, guarded
        checked = checked or isinstance(node, (*FUNCTIONS, ast.Lambda, ast.If))
        is_guard = isinstance(node, ast.Try) and _catches(node)
        for part in ast.iter_child_nodes(node):
            is_guarded = is_guard and (part in node.body or part in node.handlers)
            yield from visit(part, False, checked, guarded or is_guarded)

    for statement in tree.body:
        yield from visit(statement, True, False, False)


def _catches(node):
    for handler in node.handlers:
        kinds = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
        if any(kind is None or getattr(kind, "id", "") in MISSING_MODULE_ERRORS for kind in kinds):
            return True
    return False


def _texts_of_all(tree):
    """The texts in assignments to `__all__`, which may be submodules."""
    for node in tree.body:
        targets = getattr(node, "targets", None) or [getattr(node, "target", None)]
        if any(getattr(target, "id", None) == "__all__" for target in targets):
            for part in ast.walk(node):
                if isinstance(part, ast.Constant) and isinstance(part.value, str):
                    yield part.value
