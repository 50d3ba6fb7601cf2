"""Annotations where only some modules have `from __future__ import annotations`.

That import holds for a whole file. Where another module evaluates its annotations the bundle cannot
have it, and the annotations of the modules that have it become the strings that it makes of them.
"""

import ast

from bundler.source import Edit

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


class Annotations:
    """`features`: what the bundle imports from `__future__`, sorted; `edits` quotes the annotations
    of a unit.
    """

    def __init__(self, linker, liveness):
        self.live = liveness
        modules = linker.modules()
        quoting = {module for module in modules if "annotations" in module.features}
        features = {feature for module in modules for feature in module.features}
        bare = [module for module in modules if module not in quoting]
        mixed = any(self._evaluated(unit) for module in bare for unit in module.units)
        self.quoting = quoting if mixed else set()
        self.features = sorted(features - {"annotations"} if mixed else features)

    def edits(self, unit, edits):
        """The edits that make strings of a unit's annotations, in which other `edits` are made
        already.
        """
        if unit.module not in self.quoting:
            return []
        source = unit.module.source
        found = []
        for node in self._evaluated(unit):
            start, end = source.start(node), source.end(node)
            text = ast.unparse(ast.parse(source.edited(start, end, edits), mode="eval"))
            found.append(Edit(start, end, repr(text)))
        return found

    def _evaluated(self, unit):
        """The annotations of a live unit that Python evaluates: not those of a function's
        variables.
        """
        if unit not in self.live.units:
            return []
        found = []
        in_function = {
            statement
            for function in ast.walk(unit.node)
            if isinstance(function, FUNCTIONS)
            for part in function.body
            for statement in _same_scope(part)
        }
        for node in ast.walk(unit.node):
            if isinstance(node, ast.arg) and node.annotation:
                found.append(node.annotation)
            elif isinstance(node, FUNCTIONS) and node.returns:
                found.append(node.returns)
            elif isinstance(node, ast.AnnAssign) and node not in in_function:
                found.append(node.annotation)
        return found


def _same_scope(node):
    """A statement and those within it that belong to the same scope."""
    yield node
    if not isinstance(node, (*FUNCTIONS, ast.ClassDef)):
        for part in ast.iter_child_nodes(node):
            if isinstance(part, (ast.stmt, ast.ExceptHandler, ast.match_case)):
                yield from _same_scope(part)
