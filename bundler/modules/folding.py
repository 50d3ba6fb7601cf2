"""Constant folding: conditions that are known before a module runs, in stages that move no line.

write_mode         writes the mode of the bundle into BUNDLE_MODE, and False into AT_HOME beside it.
fold               reduces `if BUNDLE_MODE == ...` to the imports of the mode. Drops
                   `if TYPE_CHECKING:`, `if AT_HOME:` with the name of `shared.core.jit`, and
                   `if __name__ == "__main__":` outside of the entry. Drops the annotations of
                   functions decorated by `njit` or `inline` of `shared.core.jit`, except in the
                   entry: neither decorator reads annotations, and a program that reads them is not
                   flattened.
"""

import ast
import re
from collections.abc import Iterator

from bundler.modules.names import imported, names_of
from bundler.modules.source import IMPORTS, Edit, Source, source_of

MODE_NAME = "BUNDLE_MODE"
MODES = ("numba", "native", "python")
# The names that are False in a bundle, with their modules.
FALSE = {("typing", "TYPE_CHECKING"), ("shared.core.jit", "AT_HOME")}
DECORATORS = {"njit", "inline"}
FROM = re.compile(r"shared\.core\.(jit|backends\.\w+)")  # the modules that define them
# Annotations made of these nodes have no effect.
TYPES = (ast.Name, ast.Attribute, ast.Subscript, ast.Constant, ast.Tuple, ast.List, ast.Load)


def write_mode(source: Source, mode: str) -> str:
    """Returns the text with the bundle's mode in `BUNDLE_MODE = "..."`, and with `AT_HOME = False`
    in a module that has such a mode.
    """
    edits, modes = [], [*filter(_assigned_mode, source.tree.body)]
    for node in source.tree.body:
        is_at_home = modes and ast.unparse(node) == "AT_HOME = True"
        if isinstance(node, ast.Assign) and (node in modes or is_at_home):
            value = f'"{mode}"' if node in modes else "False"
            edits.append(Edit(source.start(node.value), source.end(node.value), value))
    return source.edited(0, len(source.text), edits)


def fold(source: Source, is_entry: bool) -> Source:
    """Returns a Source in which dead code is blanked and choices by mode are reduced to the chosen
    imports; except in the entry, annotations that nothing reads are dropped.
    """
    facts = _facts(source, is_entry)
    edits = []
    for unit in source.units:
        kept = _chosen(unit.node, facts) if isinstance(unit.node, ast.If) else None
        if kept is not None:
            text = "".join(f"{source.segment(statement)}\n" for statement in kept)
            above = unit.first_line - source.line_of(unit.start)
            lines = source.text[unit.start : unit.end].count("\n")
            below = lines - above - text.count("\n")
            edits.append(Edit(unit.start, unit.end, "\n" * above + text + "\n" * below))
    folded = _edited(source, edits)
    return folded if is_entry else _edited(folded, [*_unread_annotations(folded)])


def _edited(source: Source, edits: list[Edit]) -> Source:
    return source_of(source.edited(0, len(source.text), edits), source.shown) if edits else source


def _assigned_mode(node: ast.stmt) -> str | None:
    """Returns the mode that a statement assigns to BUNDLE_MODE alone, None for any other
    statement.
    """
    assignments = {f"{MODE_NAME} = '{mode}'": mode for mode in MODES}
    return assignments.get(ast.unparse(node)) if isinstance(node, ast.Assign) else None


def _chosen(node: ast.If, facts: dict[str, bool]) -> list[ast.stmt] | None:
    """Returns the imports that an `if` reduces to. facts: {condition: its truth}. Returns None if
    the condition is unknown, or if a statement other than an import would remain.
    """
    is_true = facts.get(ast.unparse(node.test))
    if is_true is None:
        return None
    chosen = node.body if is_true else node.orelse
    if len(chosen) == 1 and isinstance(chosen[0], ast.If):
        return _chosen(chosen[0], facts)
    return chosen if all(isinstance(statement, IMPORTS) for statement in chosen) else None


def _unread_annotations(source: Source) -> Iterator[Edit]:
    """Yields the Edits that remove annotations that nothing can read, where this moves no line."""
    decorators = {
        name
        for name, (module, meant) in imported(source).items()
        if name == meant and name in DECORATORS and FROM.fullmatch(module or "")
    }
    for node in source.nodes if decorators else ():
        if not isinstance(node, ast.FunctionDef) or len(node.decorator_list) != 1:
            continue
        if getattr(node.decorator_list[0], "id", None) not in decorators:
            continue
        parts = [part for part in ast.walk(node.args) if isinstance(part, ast.arg)]
        marked = [(":", part.annotation) for part in parts] + [("->", node.returns)]
        for mark, annotation in marked:
            if annotation and all(isinstance(part, TYPES) for part in ast.walk(annotation)):
                before, end = source.text[: source.start(annotation)], source.end(annotation)
                start = len(before[: before.rindex(mark)].rstrip())
                is_bare = before[start:].strip() == mark  # without parentheses around
                if is_bare and "\n" not in source.text[start:end]:
                    yield Edit(start, end, "")


def _facts(source: Source, is_entry: bool) -> dict[str, bool]:
    """Returns {condition: its truth} of the conditions that are known before the module runs, and
    whose names the module never rebinds.
    """
    names = names_of(source)
    truths = {name: False for name, origin in imported(source).items() if origin in FALSE}
    truths |= {
        f"{name}.TYPE_CHECKING": False
        for name, origin in imported(source).items()
        if origin == (None, "typing")
    }
    if not is_entry and "__name__" not in names.bound:
        truths |= {"__name__ == '__main__'": False, "'__main__' == __name__": False}
    mode = next(filter(None, map(_assigned_mode, source.tree.body)), None)
    if mode and len(names.bindings[MODE_NAME]) == 1:
        truths |= {f"{MODE_NAME} == '{name}'": name == mode for name in MODES}
        if any(ast.unparse(node) == "AT_HOME = False" for node in source.tree.body):
            truths["AT_HOME"] = False
    return truths
