"""Refuses syntax and names of the standard library that the site's Python lacks.

The site's Python itself is asked, where its environment is made (`sites.py`), or this Python if it
has the same version. Otherwise only the syntax is checked. A name is refused if it is sure to be
missing: a name of a module that is imported at the top, or a builtin whose name the module does not
bind. A name is not refused if its statement of the top level contains a `try`, or tests for names
(`version_info`, `hasattr` and the like). All else is left to the check, which runs the bundle with
the site's Python.
"""

import ast
import builtins
import json
import sys
from collections.abc import Collection, Iterable, Iterator

from bundler.errors import BundleError
from bundler.modules.names import imported, names_of
from bundler.modules.source import (
    DEPTH,
    FUNCTIONS,
    IMPORTS,
    Source,
    imported_names,
    recursion_limit,
    source_of,
    walk,
    words,
)
from bundler.sites import Site, ask, environment

# Words of a test for a version or a name
TESTS = set("""
    TYPE_CHECKING dir find_spec hasattr hexversion python_version python_version_tuple suppress vars
    version version_info
    """.split())
# Reads {file: [text, [full name]]}; prints {file: (line, error) or the names that are missing}.
_ASK = """\
import builtins, importlib.util, json, sys
def has(full):
    module, _, name = full.rpartition(".")
    try:
        if hasattr(importlib.import_module(module or "builtins"), name):
            return True
        return importlib.util.find_spec(full) is not None
    except ImportError:
        return False
answers = {}
for file, (text, names) in json.load(sys.stdin).items():
    try:
        compile(text, file, "exec")
        answers[file] = [name for name in names if not has(name)]
    except SyntaxError as error:
        answers[file] = [error.lineno, error.msg]
    except (MemoryError, RecursionError, ValueError):
        answers[file] = []  # too deep for it, as the check will tell
print(json.dumps(answers))
"""


@recursion_limit(DEPTH)
def check_version(texts: dict[str, str], site: Site) -> bool:
    """Raise BundleError for the first construct that a site's Python lacks. Returns False if names
    are not checked, as there is no such Python here.

    texts: the modules of a bundle after pruning, by their shown paths.
    """
    own_modules = {word.removesuffix(".py") for shown in texts for word in shown.split("/")}
    used = {shown: _used(source_of(text, shown), own_modules) for shown, text in texts.items()}
    python = environment(site)
    if python is None and sys.version_info[:2] == site.python:
        python = sys.executable
    answers: dict[str, list[int | str]] = {}
    if python:
        asked = json.dumps({shown: [text, [*used[shown]]] for shown, text in texts.items()})
        answers = json.loads(ask(python, _ASK, given=asked))
    for shown, text in texts.items():
        match answers.get(shown, [0, ""]):
            case [int(line), str(construct)]:
                advice = "do without it"
                try:
                    ast.parse(text, feature_version=site.python)
                except SyntaxError as error:  # its text says more, but its line may be the next one
                    line, construct = line or error.lineno or 1, error.msg
            case [str(construct), *_]:
                line = used[shown][construct]
                advice = "do without it, or guard it by `try: ... except ImportError:` (or another)"
            case _:
                continue
        if line:
            lacks = f"the site's Python {site.version} lacks it: {construct}"
            raise BundleError(shown, line, lacks, advice)
    return python is not None


def needed_packages(
    texts: dict[str, str], packages: Collection[str], allowed: Collection[str] = ()
) -> set[str]:
    """Returns the members of `packages` that a bundle cannot run without, and the members of
    `allowed` that it imports anywhere; texts: see `check_version`.
    """
    needed: set[str] = set()
    for source in (source_of(text, shown) for shown, text in texts.items()):
        needed |= _tops(source.nodes) & {*allowed}
        if not _tops(source.nodes) & {*packages} <= needed:
            needed |= _tops(_unguarded(source)) & {*packages}
    return needed


def _tops(nodes: Iterable[ast.AST]) -> set[str]:
    """Returns the names before the first dot of all modules that the nodes import absolutely."""
    return {name.partition(".")[0] for node in nodes for name in imported_names(node)}


def _used(source: Source, own_modules: Collection[str]) -> dict[str, int]:
    """Returns {full name: line} of the names of the standard library and the builtins that a module
    needs.
    """
    used: dict[str, int] = {}
    names, modules = names_of(source), imported(source)
    standard, free = sys.stdlib_module_names - {*own_modules}, names.read - names.bound
    for node in _unguarded(source):
        fulls = [full for full in imported_names(node) if not full.endswith("*")]
        match node:
            case ast.Attribute(ast.Name(name), word) if modules.get(name, ("",))[0] is None:
                fulls = [f"{modules[name][1]}.{word}"]
            case ast.Name(word) if word in free and hasattr(builtins, word):
                fulls = [word]
        for full in fulls:
            if full in free or full.partition(".")[0] in standard:
                used.setdefault(full, getattr(node, "lineno", 1))
    return used


def _unguarded(source: Source) -> Iterator[ast.AST]:
    """Yields the nodes of the statements at the top level that contain no `try` and no test for
    names, without the nodes of annotations.
    """
    tests = set(TESTS)
    for statement in source.tree.body:
        nodes = [*walk(statement)]
        if isinstance(statement, IMPORTS):
            names = statement.names
            tests |= {alias.asname or alias.name for alias in names if alias.name in TESTS}
        elif any(isinstance(node, ast.Try) or words(node) & tests for node in nodes):
            if not isinstance(statement, (*FUNCTIONS, ast.ClassDef)):
                tests |= {
                    node.id
                    for node in nodes
                    if isinstance(getattr(node, "ctx", None), ast.Store)
                    and isinstance(node, ast.Name)
                }
            continue
        types = [
            getattr(node, field, None) for node in nodes for field in ("annotation", "returns")
        ]
        skipped = {part for type_ in filter(None, types) for part in walk(type_)}
        yield from (node for node in nodes if node not in skipped)
