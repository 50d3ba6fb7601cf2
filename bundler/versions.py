"""Refuses syntax and names of the standard library that are newer than the site's Python.

The syntax tree shows the version of the syntax; Vermin knows that of names. A name is refused where
it is sure to be missing: a name of a module that is imported, or a builtin that nothing else is
called by, unless the bot tests for it (a `try` that catches its absence, a function or a statement
of the top level with `version_info`, `hasattr` and the like). All else is left to the check, which
runs the bundle with the site's Python. A line with the comment `# novm` is not looked at.
"""

import ast
import builtins
import re
import sys
import sysconfig
from collections.abc import Collection, Iterable, Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any

from bundler.errors import BundleError
from bundler.modules.source import (
    DEPTH,
    FUNCTIONS,
    Source,
    dotted,
    imported_names,
    recursion_limit,
    source_of,
)

_LIBRARY = Path(sysconfig.get_path("stdlib"))

Finding = tuple[int, str, str]  # line, construct, version of Python that it needs

# Nodes of the syntax that came after Python 3.9
SYNTAX = {
    "Match": ((3, 10), "pattern matching"),
    "TryStar": ((3, 11), "`except*`"),
    "TypeAlias": ((3, 12), "a type alias"),
    "TemplateStr": ((3, 14), "a template string"),
}
UNIONS = (3, 10)  # evaluates `int | None`, which Vermin only guesses at
LAZY_ANNOTATIONS = (3, 14)  # evaluates annotations when they are read
TYPES = set("bool bytes dict float frozenset int list object set str tuple type".split())
# Those that no absence of a name raises
EXCEPTIONS = {
    name
    for name, kind in vars(builtins).items()
    if isinstance(kind, type) and issubclass(kind, BaseException)
} - set(
    """
    AttributeError BaseException Exception ImportError ModuleNotFoundError NameError TypeError
    """.split()
)
# Words of a test for a version or a name
TESTS = set("""
    version_info hexversion version hasattr find_spec dir vars python_version python_version_tuple
    TYPE_CHECKING
    """.split())
IGNORED = re.compile(r"#.*\bnovm\b")
# As Vermin writes it: path, line, column, version of Python 2, version of Python 3, feature
FINDING = re.compile(r"[^:]*:(\d+):\d*:[^:]*:(3\.\d+):(.+)")
# A name of Vermin's, with an argument or not: 'zip(strict)', 'math.cbrt' member
NAME = re.compile(r"'([\w.]+)(\(\w+\))?'.*")
# Vermin has later versions of them than those that brought them.
WRONG = {"sys.get_int_max_str_digits", "sys.set_int_max_str_digits"}
WRONG |= {f"calendar.{day}DAY" for day in "MON TUES WEDNES THURS FRI SATUR SUN".split()}


@recursion_limit(DEPTH)
def check_version(texts: dict[str, str], python: tuple[int, int]) -> list[str]:
    """Raise BundleError for the first construct that a site's Python lacks. Returns the modules on
    whose names Vermin erred, which nothing has checked.

    texts: of the modules in a bundle by their shown paths, without what is pruned.
    """
    site = "{}.{}".format(*python)
    unchecked: list[str] = []
    own_modules = {word.removesuffix(".py") for shown in texts for word in shown.split("/")}
    for shown, text in texts.items():
        source = source_of(text, shown)
        findings = [*_syntax(source, python)]
        if not findings:
            tree = _Unguarded(source, python).visit(deepcopy(source.tree))
            findings = [*_unions(source, tree, python)]
            try:
                findings += _names(source, tree, python, own_modules)
            except Exception:  # Vermin's own, on code that it does not expect
                unchecked.append(shown)
        for line, construct, version in sorted(findings):
            if not IGNORED.search(source.lines[line - 1]):
                raise BundleError(
                    shown,
                    line,
                    f"{construct} needs Python {version}, the site has {site}",
                    "do without it, or guard a name by `try: ... except ImportError:` (or"
                    " AttributeError); if the site has it, end the line with the comment # novm",
                )
    return unchecked


@recursion_limit(DEPTH)
def needed_packages(
    texts: dict[str, str], packages: Collection[str], allowed: Collection[str] = ()
) -> set[str]:
    """Returns those of `packages` that a bundle cannot do without, and those of `allowed` that it
    imports anywhere; texts: see `check_version`.
    """
    needed: set[str] = set()
    for source in (source_of(text, shown) for shown, text in texts.items()):
        imported = _imported(source.nodes)
        needed |= imported & {*allowed}
        if not imported & {*packages} <= needed:
            tree = _Unguarded(source, sys.version_info[:2]).visit(deepcopy(source.tree))
            needed |= _imported(ast.walk(tree)) & {*packages}
    return needed


def _imported(nodes: Iterable[ast.AST]) -> set[str]:
    """The names before the first dot of all that nodes import from outside of their package."""
    return {name.partition(".")[0] for node in nodes for name in imported_names(node)}


def _syntax(source: Source, python: tuple[int, int]) -> Iterator[Finding]:
    """Yields the syntax that is newer."""
    for node in source.nodes:
        version, what = SYNTAX.get(type(node).__name__, ((3, 0), ""))
        if getattr(node, "type_params", None):
            version, what = (3, 12), "a list of type parameters"
        unpacked = [getattr(node, "annotation", None)]
        index = getattr(node, "slice", None)
        if isinstance(index, ast.Tuple) and source.text[source.start(index)] != "(":
            unpacked += index.elts
        if any(isinstance(element, ast.Starred) for element in unpacked):
            version, what = (3, 11), "a star in an index or an annotation"
        if version > python:
            yield node.lineno, what, "{}.{}".format(*version)  # type: ignore[attr-defined]


def _names(
    source: Source, tree: ast.AST, python: tuple[int, int], own_modules: Collection[str]
) -> Iterator[Finding]:
    """Yields the names that are certainly newer; own: modules of the project."""
    import vermin  # not at the top: it takes 60 ms, and most commands check nothing
    from vermin.formats import ParsableFormat

    config = vermin.Config()
    config.set_format(ParsableFormat())
    config.set_only_show_violations(True)
    config.set_parse_comments(False)
    config.set_eval_annotations(True)
    config.add_target(python, exact=False)
    visitor = vermin.SourceVisitor(config=config, source=source.text)
    visitor.set_no_lines(set())
    visitor.tour(tree)
    visitor.minimum_versions()
    imported, bound = _imported(ast.walk(tree)) - {*own_modules}, _bound(source)
    for row in visitor.output_text().splitlines():
        if match := FINDING.fullmatch(row):
            line, version, what = int(match[1]), match[2], match[3]
            name = NAME.fullmatch(what)
            if name is None:
                yield line, what.replace("`", ""), version
                continue
            *modules, last = name[1].split(".")
            top = modules[0] if modules else last
            is_kept = top not in bound and (
                _is_module(".".join(modules)) and top in imported
                if modules
                else top in imported or hasattr(builtins, top)
            )
            if is_kept and name[1] not in WRONG | bound:
                yield line, name[1] + (name[2] or ""), version


def _unions(source: Source, tree: ast.AST, python: tuple[int, int]) -> Iterator[Finding]:
    """Yields the unions of builtin types, as `int | None`."""
    types = TYPES - _bound(source)
    for node in ast.walk(tree) if python < UNIONS else ():
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
            sides = (node.left, node.right)
            named = [getattr(side, "id", None) in types for side in sides]
            is_none = [isinstance(side, ast.Constant) and side.value is None for side in sides]
            if all(is_type or other for is_type, other in zip(named, is_none)):
                yield node.lineno, f"the union type {ast.unparse(node)}", "3.10"


def _bound(source: Source) -> set[str]:
    """The names, and names of modules, that a module binds anywhere but by an import."""
    names: set[str] = set()
    for node in source.nodes:
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            names.add(node.id)
        elif isinstance(node, ast.Attribute) and not isinstance(node.ctx, ast.Load):
            names.add(dotted(node))
        elif isinstance(node, ast.arg):
            names.add(node.arg)
        elif isinstance(node, (*FUNCTIONS, ast.ClassDef)):
            names.add(getattr(node, "name", ""))
    return names


class _Unguarded(ast.NodeTransformer):
    """Takes from a tree what a bot can do without, and annotations that are never evaluated."""

    def __init__(self, source: Source, python: tuple[int, int]) -> None:
        self.lacks_annotations = python >= LAZY_ANNOTATIONS or any(
            "__future__.annotations" in imported_names(node) for node in source.tree.body
        )
        self.is_local = False
        self.tests = TESTS | {
            alias.asname or alias.name
            for node in source.tree.body
            if isinstance(node, ast.ImportFrom)
            for alias in node.names
            if alias.name in TESTS
        }
        self.tests |= {
            name.id
            for node in source.tree.body
            if _words(node) & self.tests and not isinstance(node, (*FUNCTIONS, ast.ClassDef))
            for name in ast.walk(node)
            if isinstance(name, ast.Name) and isinstance(name.ctx, ast.Store)
        }

    def visit_Module(self, module: ast.Module) -> ast.AST:
        definitions = (*FUNCTIONS, ast.ClassDef, ast.Import, ast.ImportFrom)
        for at, node in enumerate(module.body):
            if not isinstance(node, definitions) and _words(node) & self.tests:
                module.body[at] = ast.copy_location(ast.Pass(), node)
        return self.generic_visit(module)

    def visit_FunctionDef(self, function: Any) -> ast.AST:
        if self.lacks_annotations:
            function.returns = None
        if any(_words(node) & self.tests for node in function.body):
            function.body = [ast.copy_location(ast.Pass(), function.body[0])]
        was_local, self.is_local = self.is_local, True
        self.generic_visit(function)
        self.is_local = was_local
        return function  # type: ignore[no-any-return]

    visit_AsyncFunctionDef = visit_FunctionDef  # type: ignore[assignment]

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        was_local, self.is_local = self.is_local, False
        self.generic_visit(node)
        self.is_local = was_local
        return node

    def visit_arg(self, node: ast.arg) -> ast.AST:
        if self.lacks_annotations:
            node.annotation = None
        return self.generic_visit(node)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        if self.lacks_annotations or self.is_local:
            node.annotation = ast.copy_location(ast.Constant(0), node.annotation)
        return self.generic_visit(node)

    def visit_Try(self, node: ast.Try) -> ast.AST:
        names = [_words(handler.type) for handler in node.handlers if handler.type]
        others = [caught - EXCEPTIONS for caught in names]  # they may be any
        if len(names) < len(node.handlers) or any(others):
            node.body = [ast.copy_location(ast.Pass(), node.body[0])]
        return self.generic_visit(node)

    def visit_If(self, node: ast.If) -> ast.AST:
        if isinstance(node.test, ast.Constant) and not node.test.value:
            node.body = [ast.copy_location(ast.Pass(), node.body[0])]
        return self.generic_visit(node)

    def visit_With(self, node: ast.With) -> ast.AST:
        if any("suppress" in _words(item.context_expr) for item in node.items):
            node.body = [ast.copy_location(ast.Pass(), node.body[0])]
        return self.generic_visit(node)


def _words(node: ast.AST) -> set[str]:
    """The names and attributes in a node."""
    inner_nodes = [*ast.walk(node)]
    words = {inner.id for inner in inner_nodes if isinstance(inner, ast.Name)}
    return words | {inner.attr for inner in inner_nodes if isinstance(inner, ast.Attribute)}


def _is_module(full: str) -> bool:
    """Returns True for the name of a standard module, and for any top."""
    place = _LIBRARY.joinpath(*full.split("."))
    is_found = place.is_dir() or place.with_name(f"{place.name}.py").is_file()
    return "." not in full or is_found
