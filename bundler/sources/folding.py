"""Constant folding: what is known of a module before it runs, as stages that move no line.

write_mode         the mode of the bundle, into BUNDLE_MODE; False into AT_HOME beside it.
choose_branches    `if BUNDLE_MODE == ...` over imports alone becomes the imports of the mode.
blank_dead_code    `if TYPE_CHECKING:`, `if AT_HOME:` with the name of `shared.core.jit`, and
                   `if __name__ == "__main__":` where it cannot be.
"""

import ast

from bundler.sources.source import IMPORTS, Edit, Import, Source, dotted, source_of

MODE_NAME = "BUNDLE_MODE"
MODES = ("numba", "native", "python")
# The names that are False in a bundle, with their modules.
FALSE = {("typing", "TYPE_CHECKING"), ("shared.core.jit", "AT_HOME")}


def write_mode(source: Source, mode: str) -> str:
    """The text with the mode of the bundle in place of another in `BUNDLE_MODE = "..."`, and with
    False in `AT_HOME = True` of such a module.
    """
    edits, modes = [], [*filter(_assigned_mode, source.tree.body)]
    for node in source.tree.body:
        is_at_home = modes and ast.unparse(node) == "AT_HOME = True"
        if isinstance(node, ast.Assign) and (node in modes or is_at_home):
            value = f'"{mode}"' if node in modes else "False"
            edits.append(Edit(source.start(node.value), source.end(node.value), value))
    return source.edited(0, len(source.text), edits)


def fold(source: Source, is_entry: bool) -> Source:
    """Blank dead code, and reduce choices by mode to the chosen imports."""
    edits = []
    mode = next(filter(None, map(_assigned_mode, source.tree.body)), None)
    dead = _false_names(source)
    if not is_entry:
        dead |= {"__name__ == '__main__'", "'__main__' == __name__"}
    for unit in source.units:
        node = unit.node
        if not isinstance(node, ast.If):
            continue
        is_dead = not node.orelse and ast.unparse(node.test) in dead
        kept = [] if is_dead else _chosen(node, mode)
        if kept is not None:
            text = "".join(f"{source.segment(part)}\n" for part in kept)
            above = unit.first_line - source.line_of(unit.start)
            lines = source.text[unit.start : unit.end].count("\n")
            below = lines - above - text.count("\n")
            edits.append(Edit(unit.start, unit.end, "\n" * above + text + "\n" * below))
    return source_of(source.edited(0, len(source.text), edits), source.shown) if edits else source


def _assigned_mode(node: ast.stmt) -> str | None:
    """The mode that a statement assigns to BUNDLE_MODE alone, None for any other statement."""
    assignments = {f"{MODE_NAME} = '{mode}'": mode for mode in MODES}
    return assignments.get(ast.unparse(node)) if isinstance(node, ast.Assign) else None


def _chosen(node: ast.If, mode: str | None) -> list[Import] | None:
    """The imports that a statement makes in a mode; None if it is not just a choice of imports."""
    comparisons = {f"{MODE_NAME} == '{one}'": one for one in MODES}
    compared, others = comparisons.get(ast.unparse(node.test)), _imports(node.orelse)
    if len(node.orelse) == 1 and isinstance(node.orelse[0], ast.If):
        others = _chosen(node.orelse[0], mode)
    imports = _imports(node.body)
    if None in (mode, compared, imports, others):
        return None
    return imports if compared == mode else others


def _imports(statements: list[ast.stmt]) -> list[Import] | None:
    found = [node for node in statements if isinstance(node, IMPORTS)]
    return found if len(found) == len(statements) else None


def _false_names(source: Source) -> set[str]:
    """Returns the spellings of the names in FALSE in a module that never rebinds them."""
    found, stored = set(), set()
    for node in source.nodes:
        if isinstance(node, (ast.Name, ast.Attribute)) and not isinstance(node.ctx, ast.Load):
            stored.add(dotted(node).partition(".")[0])
        elif isinstance(node, IMPORTS):
            for alias in node.names:
                bound = alias.asname or alias.name
                if isinstance(node, ast.Import) and alias.name == "typing":
                    found.add(f"{bound}.TYPE_CHECKING")
                elif (getattr(node, "module", None), alias.name) in FALSE:
                    found.add(bound)
    return {name for name in found if name.partition(".")[0] not in stored}
