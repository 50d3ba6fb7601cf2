"""Imports of the library's modules by the names that they have in a bundle: below `shared`.

Modules of the library import each other relatively, so that the same files run as `shared.core.jit`
in a workspace and as `onefile_bots.shared.core.jit` anywhere. A bundle has only the first of these
names. Two kinds of imports are rewritten to it before any other stage reads a module: `from
..core.jit import njit` in a module of `shared`, and `from onefile_bots.shared.core.jit import njit`
in any module.
"""

import ast
import re
from importlib.util import resolve_name

from bundler.errors import BundleError
from bundler.modules.source import IMPORTS, Edit, Source

LIBRARY, DISTRIBUTION = "shared", "onefile_bots"
ADVICE = f"write it in one line like `from {DISTRIBUTION}.shared.search.mcts import make_search`"
_FROM = re.compile(r"from[ \t]+([.\w]+)[ \t]+import\b")
_INSIDE = f"{DISTRIBUTION}.{LIBRARY}"


def names_distribution(source: Source) -> bool:
    """Returns True for a module that imports the library by the name of its distribution."""
    return DISTRIBUTION in source.text and any(
        _is_inside(name)
        for node in source.nodes
        if isinstance(node, IMPORTS)
        for name in (getattr(node, "module", None), *(alias.name for alias in node.names))
    )


def with_full_names(source: Source, package: str) -> str:
    """Returns a module's text in which imports name the library's modules as a bundle does.
    package: the package of the module's relative imports. Raises BundleError for an import of the
    distribution that cannot be rewritten without binding another name.
    """
    is_library = package.split(".")[0] == LIBRARY
    edits = []
    for node in source.nodes:
        if isinstance(node, ast.ImportFrom) and (is_library if node.level else node.module):
            written = _FROM.match(source.text, source.start(node))
            if _is_inside(node.module) and not node.level:
                if written is None:
                    raise BundleError(source.shown, node.lineno, ast.unparse(node), ADVICE)
                edits.append(Edit(*written.span(1), written[1].removeprefix(f"{DISTRIBUTION}.")))
            elif node.level and written and node.level <= package.count(".") + 1:
                edits.append(Edit(*written.span(1), resolve_name(written[1], package)))
        elif isinstance(node, ast.Import):
            for alias in node.names:
                if _is_inside(alias.name):
                    if alias.asname is None:
                        raise BundleError(source.shown, node.lineno, ast.unparse(node), ADVICE)
                    start = source.offset(alias.lineno, alias.col_offset)
                    edits.append(Edit(start, start + len(DISTRIBUTION) + 1, ""))
    return source.edited(0, len(source.text), edits) if edits else source.text


def _is_inside(name: str | None) -> bool:
    return name is not None and f"{name}.".startswith(f"{_INSIDE}.")
