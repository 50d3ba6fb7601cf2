"""The edits within a kept statement: names, imports, constant choices, and what one file needs to
mean the same.
"""

import ast

from bundler.constants import UNKNOWN
from bundler.helpers import NAMED
from bundler.source import Edit

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
# Expressions that need no parentheses wherever a conditional expression stood.
ATOMS = (ast.Name, ast.Constant, ast.Call, ast.Attribute, ast.Subscript)


class Editor:
    """Edits for the statements of a linked graph whose entities have their names."""

    def __init__(self, graph, linker, liveness, imports, annotations, helpers, globals_needed):
        self.graph = graph
        self.live = liveness
        self.imports = imports
        self.annotations = annotations
        self.helpers = helpers
        self.globals_needed = globals_needed
        self.shows_names = any(map(_reads_names, linker.modules()))
        self.folds = {module: self._constant_choices(module) for module in linker.modules()}

    def edits(self, unit, indent=0):
        """All edits of a unit that is written with an indentation; not those of `--strip`."""
        module, source = unit.module, unit.module.source
        edits = []
        for occurrence, meaning in self.live.meanings_of[unit]:
            if (
                occurrence.alias is None
                and _text(meaning) != source.text[meaning.start : meaning.end]
            ):
                if occurrence.debug is not None:
                    edits.append(self._debug_field(unit, occurrence.debug))
                edits.append(Edit(meaning.start, meaning.end, _text(meaning)))
                if meaning.action == "store" and hasattr(occurrence.node, "name"):
                    edits += self._kept_name(unit, occurrence)
        for site in module.sites.values():
            if unit.start <= source.start(site.node) < unit.end:
                edits += self.imports.edits(site)
        for node, operand in self.folds[module]:
            if unit.start <= source.start(node) < unit.end:
                edits += _folded(source, node, operand)
        for scope, entities in self.globals_needed.get(unit, {}).items():
            edits.append(_global_statement(unit, scope, entities))
        edits += self._written(unit)
        if source.text.startswith("elif", unit.start):
            edits.append(Edit(unit.start, unit.start + len("elif"), "if"))
        edits += [_without_annotation(source, node) for node in self._unannotated(unit, indent)]
        return edits + self.annotations.edits(unit, edits)

    def _unannotated(self, unit, indent):
        """The annotated assignments of names that are global where they stand in a function, which
        Python refuses: to an attribute of a module, or in a module that runs in a function.
        """
        if indent and isinstance(unit.node, ast.AnnAssign):
            yield unit.node
        stored = {m.start for _, m in self.live.meanings_of[unit] if m.action == "store"}
        for node in ast.walk(unit.node):
            if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Attribute):
                if unit.module.source.start(node.target) in stored:
                    yield node

    def _constant_choices(self, module):
        """(node, operand) for each `A if TEST else B` on a constant test, with the operand that
        counts.
        """
        folds = []
        for node in ast.walk(module.source.tree):
            if isinstance(node, ast.IfExp):
                truth = self.graph.constants.value(module, node.test)
                if truth is not UNKNOWN:
                    folds.append((node, node.body if truth else node.orelse))
        return folds

    def _kept_name(self, unit, occurrence):
        """A decorator for what is called otherwise here but shows its name, as every class does in
        its `repr`.
        """
        node, source = occurrence.node, unit.module.source
        function = isinstance(node, FUNCTIONS)
        if not isinstance(node, ast.ClassDef) and not (function and self.shows_names):
            return []
        start = source.offset(node.lineno, node.col_offset)
        margin = source.text[source.line_starts[node.lineno - 1] : start]
        decorator = f'@{self.helpers.name(NAMED)}("{occurrence.name}")'
        return [Edit(start, start, f"{decorator}\n{margin}")]

    def _debug_field(self, unit, field):
        """`{LIMIT=}` shows the name as it was written."""
        source = unit.module.source
        inner = [Edit(m.start, m.end, _text(m)) for _, m in self.live.meanings_of[unit]]
        tail_start = field.outer_end - 1 - len(field.tail)
        shown = source.text[field.start : tail_start].replace("{", "{{").replace("}", "}}")
        expression = source.edited(field.start, field.end, inner).strip()
        tail = source.edited(tail_start, field.outer_end - 1, inner) or "!r"
        return Edit(field.outer_start, field.outer_end, f"{shown}{{{expression}{tail}}}")

    def _written(self, unit):
        """Values that the bundler writes, such as the mode of the bundle."""
        node, source = unit.node, unit.module.source
        if isinstance(node, ast.Assign) and len(node.targets) == 1:
            name = getattr(node.targets[0], "id", None)
            if name in self.graph.written:
                start, end = source.start(node.value), source.end(node.value)
                return [Edit(start, end, f'"{self.graph.written[name]}"')]
        return []


def _text(meaning):
    return meaning.text if meaning.entity is None else meaning.entity.flat


def _reads_names(module):
    """Whether a module reads names of functions, so that they have to stay what they were."""
    names = ("__name__", "__qualname__")
    return any(
        getattr(node, "attr", None) in names
        or (isinstance(node, ast.Constant) and node.value in names)
        for node in ast.walk(module.source.tree)
    )


def _folded(source, node, operand):
    """The edits that leave one operand of a conditional expression."""
    opening, closing = ("", "") if isinstance(operand, ATOMS) else ("(", ")")
    return [
        Edit(source.start(node), source.start(operand), opening),
        Edit(source.end(operand), source.end(node), closing),
    ]


def _global_statement(unit, scope, entities):
    """A `global` for what a function sets through an attribute of a module."""
    source = unit.module.source
    if scope.node is None:
        raise source.error(
            unit.node, "an attribute of a module set in an expression", "set it by a statement"
        )
    first, *rest = scope.node.body
    if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) and rest:
        first = rest[0]
    start = source.start(first)
    names = ", ".join(dict.fromkeys(entity.flat for entity in entities))
    margin = source.text[source.line_starts[source.line_of(start) - 1] : start]
    separator = "\n" + margin if source.opens_line(start) else "; "
    return Edit(start, start, f"global {names}{separator}")


def _without_annotation(source, node):
    """The edit that leaves a plain assignment of an annotated one."""
    if node.value is None:
        return Edit(source.start(node), source.end(node), "pass")
    colon = source.text.index(":", source.end(node.target))
    return Edit(colon, source.text.index("=", source.end(node.annotation)), " ")


def stripped(unit):
    """The edits that take comments and docstrings out of a unit."""
    source = unit.module.source
    edits = [
        Edit(comment.start, comment.end, "")
        for comment in source.comments
        if unit.start <= comment.start < unit.end
    ]
    for node in ast.walk(unit.node):
        if isinstance(node, (*FUNCTIONS, ast.ClassDef)):
            if ast.get_docstring(node, clean=False) is not None:
                first = node.body[0]
                end = source.end(first)
                if len(node.body) > 1 and source.text[end:].lstrip().startswith(";"):
                    end = source.text.index(";", end) + 1
                    end += len(source.text[end:]) - len(source.text[end:].lstrip(" "))
                text = "pass" if len(node.body) == 1 else ""
                edits.append(Edit(source.start(first), end, text))
    if isinstance(unit.node, ast.Expr) and isinstance(unit.node.value, ast.Constant):
        edits.append(Edit(unit.start, unit.end, ""))
    return edits
