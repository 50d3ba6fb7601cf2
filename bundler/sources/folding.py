"""Constant folding: what is known of a module before it runs, as stages that move no line.

write_mode         the mode of the bundle, into BUNDLE_MODE; False into AT_HOME beside it.
fold               `if BUNDLE_MODE == ...` becomes the imports of the mode; nothing stays of
                   `if TYPE_CHECKING:`, of `if AT_HOME:` with the name of `shared.core.jit`, and of
                   `if __name__ == "__main__":` where it cannot be.
"""

import ast
from collections import Counter

from bundler.sources.source import IMPORTS, Edit, Source, dotted, source_of

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
    return source_of(source.edited(0, len(source.text), edits), source.shown) if edits else source


def _assigned_mode(node: ast.stmt) -> str | None:
    """The mode that a statement assigns to BUNDLE_MODE alone, None for any other statement."""
    assignments = {f"{MODE_NAME} = '{mode}'": mode for mode in MODES}
    return assignments.get(ast.unparse(node)) if isinstance(node, ast.Assign) else None


def _chosen(node: ast.If, facts: dict[str, bool]) -> list[ast.stmt] | None:
    """The imports that a statement comes to, by the `facts` on conditions; None if it may come to
    anything else.
    """
    is_true = facts.get(ast.unparse(node.test))
    if is_true is None:
        return None
    chosen = node.body if is_true else node.orelse
    if len(chosen) == 1 and isinstance(chosen[0], ast.If):
        return _chosen(chosen[0], facts)
    return chosen if all(isinstance(statement, IMPORTS) for statement in chosen) else None


def _facts(source: Source, is_entry: bool) -> dict[str, bool]:
    """{condition: its truth} of those known beforehand, whose names the module never rebinds."""
    truths = {} if is_entry else {"__name__ == '__main__'": False, "'__main__' == __name__": False}
    stored: Counter[str] = Counter()
    for node in source.nodes:
        if isinstance(node, (ast.Name, ast.Attribute)) and not isinstance(node.ctx, ast.Load):
            stored[dotted(node).partition(".")[0]] += 1
        elif isinstance(node, IMPORTS):
            for alias in node.names:
                bound = alias.asname or alias.name
                if isinstance(node, ast.Import) and alias.name == "typing":
                    truths[f"{bound}.TYPE_CHECKING"] = False
                elif (getattr(node, "module", None), alias.name) in FALSE:
                    truths[bound] = False
                else:
                    stored[bound.partition(".")[0]] += 1
    truths = {name: truth for name, truth in truths.items() if name.partition(".")[0] not in stored}
    mode = next(filter(None, map(_assigned_mode, source.tree.body)), None)
    if stored[MODE_NAME] == 1 and mode:
        truths |= {f"{MODE_NAME} == '{name}'": name == mode for name in MODES}
    return truths
