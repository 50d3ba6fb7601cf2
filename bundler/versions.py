"""Refuses syntax and names of the standard library that are newer than the site's Python.

Vermin knows the version that brought each of them. Names are not refused where a bot does without
them by itself: in a `try` that catches their absence, and under a test of the version or by
`hasattr`. A line with the comment `# novm` is not looked at, where Vermin errs.
"""

import ast
import re
from collections.abc import Collection, Iterator

import vermin
from vermin.formats import ParsableFormat

from bundler.errors import BundleError
from bundler.sources.source import FUNCTIONS, Edit, Source, imported_names, source_of

UNIONS = (3, 10)  # evaluates `int | None`, which Vermin only guesses at
POSTPONED = "from __future__ import annotations"
LAZY_ANNOTATIONS = (3, 14)  # evaluates annotations when they are read
CAUGHT = set(
    "AttributeError BaseException Exception ImportError ModuleNotFoundError NameError".split()
)
TESTS = ("version_info", "hexversion", "hasattr(")
IGNORED = re.compile(r"#.*\bnovm\b")
# As Vermin writes it: path, line, column, version of Python 2, version of Python 3, feature
FINDING = re.compile(r"[^:]*:(\d+):\d*:[^:]*:3\.(\d+):(.+)")


def check_version(texts: dict[str, str], python: tuple[int, int]) -> None:
    """Raise BundleError for the first construct that a site's Python lacks.

    texts: of the modules in a bundle by their shown paths, without what is pruned.
    """
    for shown, text in texts.items():
        source = source_of(text, shown)
        findings = [
            *((line, minor, what) for line, minor, what in _newer(text, python) if what[0] != "'"),
            *_newer(_evaluated(_unguarded(source)), python),
            *_unions(source, python),
        ]
        for line, minor, what in sorted(findings):
            if IGNORED.search(source.lines[line - 1]):
                continue
            raise BundleError(
                shown,
                line,
                f"{what.replace(chr(39), '')} needs Python 3.{minor}, the site has"
                f" {python[0]}.{python[1]}",
                "do without it, or guard a name by `try: ... except ImportError:` (or"
                " AttributeError); if the site has it, end the line with the comment # novm",
            )


def needed_packages(
    texts: dict[str, str], packages: Collection[str], allowed: Collection[str] = ()
) -> set[str]:
    """Returns those of `packages` that a bundle cannot do without, and those of `allowed` that it
    imports anywhere; texts: see `check_version`.
    """
    needed: set[str] = set()
    for source in (source_of(text, shown) for shown, text in texts.items()):
        needed |= _imported(_unguarded(source)) & {*packages}
        needed |= _imported(source) & {*allowed}
    return needed


def _imported(source: Source) -> set[str]:
    """The names before the first dot of all that a source imports."""
    return {name.partition(".")[0] for node in source.nodes for name in imported_names(node)}


def _newer(text: str, python: tuple[int, int]) -> Iterator[tuple[int, int, str]]:
    """Yields (line, minor version, construct) of all that a text needs beyond a version; a name is
    in quotation marks.
    """
    config = vermin.Config()
    config.set_format(ParsableFormat())
    config.set_only_show_violations(True)
    config.set_parse_comments(False)
    config.set_eval_annotations(python < LAZY_ANNOTATIONS and POSTPONED not in text)
    config.add_target(python, exact=False)
    visitor = vermin.visit(text, config)
    for row in visitor.output_text().splitlines():
        if match := FINDING.fullmatch(row):
            yield int(match[1]), int(match[2]), match[3]


def _unguarded(source: Source) -> Source:
    """Returns a source with `pass` for the statements that a bot can do without."""
    edits: list[Edit] = []

    def visit(node: ast.AST) -> None:
        bodies: list[list[ast.stmt]] = []
        if isinstance(node, ast.Try) and any(map(_catches, node.handlers)):
            bodies = [node.body]
        elif isinstance(node, ast.If) and any(test in ast.unparse(node.test) for test in TESTS):
            bodies = [node.body]
            if node.orelse and not source.text.startswith("elif", source.start(node.orelse[0])):
                bodies.append(node.orelse)
        for body in filter(None, bodies):
            start, end = source.start(body[0]), source.end(body[-1])
            edits.append(Edit(start, end, "pass" + "\n" * source.text[start:end].count("\n")))
        hidden = {id(statement) for body in bodies for statement in body}
        for part in ast.iter_child_nodes(node):
            if id(part) not in hidden:
                visit(part)

    visit(source.tree)
    return source_of(source.edited(0, len(source.text), edits), source.shown) if edits else source


def _catches(handler: ast.ExceptHandler) -> bool:
    names = {node.id for node in ast.walk(handler.type or handler) if isinstance(node, ast.Name)}
    return handler.type is None or bool(names & CAUGHT)


def _unions(source: Source, python: tuple[int, int]) -> Iterator[tuple[int, int, str]]:
    """Yields the union types in evaluated annotations, as `_newer` does."""
    if python >= UNIONS or POSTPONED in source.text:
        return
    local = {id(node) for node in _local_annotations(source)}
    for node in source.nodes:
        for part in (getattr(node, "annotation", None), getattr(node, "returns", None)):
            for inner in ast.walk(part) if part and id(node) not in local else ():
                if isinstance(inner, ast.BinOp) and isinstance(inner.op, ast.BitOr):
                    yield inner.lineno, UNIONS[1], f"the union type {ast.unparse(inner)}"


def _evaluated(source: Source) -> str:
    """Returns a text without the annotations that Python never evaluates: of local variables."""
    edits = []
    for node in _local_annotations(source):
        start, end = source.start(node.annotation), source.end(node.annotation)
        edits.append(Edit(start, end, "(0" + "\n" * source.text[start:end].count("\n") + ")"))
    return source.edited(0, len(source.text), edits)


def _local_annotations(source: Source) -> Iterator[ast.AnnAssign]:
    """Yields the annotated assignments to local variables."""
    for node in source.nodes:
        around = source.parents.get(node)
        while around and not isinstance(around, (*FUNCTIONS, ast.ClassDef)):
            around = source.parents.get(around)
        if isinstance(node, ast.AnnAssign) and isinstance(around, FUNCTIONS):
            yield node
