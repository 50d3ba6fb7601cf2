"""Writes the text of the flattened modules: their kept statements, in the order in which Python
runs them.
"""

import ast
from collections.abc import Iterator

from bundler.layout import Layout
from bundler.modules.source import IMPORTS, Edit, Import, Unit, bound_name
from bundler.program import Module, Variable
from bundler.source_map import BUNDLER_MARK, line_mark, looks_like_mark, piece_mark
from bundler.stages.strip import AS_IT_IS, Stage

LINE_LENGTH = 100
BLANK_LINES = 2  # at most, between statements


class Emitter:
    def __init__(self, layout: Layout, stage: Stage) -> None:
        """stage: applied to the text of each unit."""
        self.layout = layout
        self.stage = stage
        self.imported: set[tuple[Variable | None, str]] = (
            set()
        )  # imports from outside that stand above

    def pieces(self) -> Iterator[str]:
        """Yields the texts of the flattened modules. In front of them stand the imports of carried
        packages that run before the entry, and the entry's `__package__` if it imports relatively.
        """
        program, entry = self.layout.program, self.layout.entry
        for module in program.first if self.layout.is_carried else ():
            yield f'__import__("{module.name}")\n'
        if program.project.as_module and any(getattr(n, "level", 0) for n in entry.source.nodes):
            yield f'{BUNDLER_MARK}\n__package__ = "{entry.package}"\n'
        for module in self.layout.flat:
            if lines := [*self._lines(module)]:
                yield "\n".join(lines) + "\n"

    def _lines(self, module: Module) -> Iterator[str]:
        """Yields the texts of a module's kept units; where something is left out above a unit, a
        mark gives the unit's line in the source.
        """
        position = 0
        for unit in module.source.units:
            line, text = self._unit(module, unit)
            text = self.stage(f"{text}\n").rstrip()  # behind a backslash at its end
            if not text.strip():
                continue
            above = len(text) - len(text.lstrip("\n"))
            text, blank = text[above:], "\n" * min(above, BLANK_LINES)
            end = line + above + text.count("\n") + 1
            if not position:
                yield piece_mark(module.name, module.shown, line + above)
            elif unit.is_import and line != position:
                text = blank + text
                end = position + text.count("\n") + 1  # no mark needed: line numbers continue
            elif line == position and (above <= BLANK_LINES or self.stage is not AS_IT_IS):
                text = blank + text
            else:
                text = f"{blank}{line_mark(line + above)}\n{text}"
            position = end
            yield text

    def _unit(self, module: Module, unit: Unit) -> tuple[int, str]:
        """Returns (line of the source, text) of the kept part of a unit. The text is "" if nothing
        is kept, or if it stands in the head of the bundle.
        """
        source, kept = module.source, self.layout.kept
        line = source.line_of(unit.start)
        is_future = isinstance(unit.node, ast.ImportFrom) and unit.node.module == "__future__"
        is_first = unit is source.units[0] and ast.get_docstring(source.tree) is not None
        if is_future or (is_first and module.is_entry):
            return line, ""  # in the head of the bundle
        if isinstance(unit.node, IMPORTS) and not self.layout.is_carried:
            written = self._import(module, unit, unit.node)
            if written is not None:
                return unit.first_line, written
        elif unit not in kept.units:
            return line, ""
        marks = [
            Edit(place, place, "#")
            for place, comment in source.comments
            if unit.start <= place < unit.end and looks_like_mark(comment)
        ]
        return line, source.edited(unit.start, unit.end, self.layout.edits.get(module, []) + marks)

    def _import(self, module: Module, unit: Unit, node: Import) -> str | None:
        """Returns the text that replaces a flattened module's import: the imports from outside that
        are still needed, and copies of renamed variables. Returns None to leave the import as it
        is.
        """
        flat = self.layout.naming.flat
        names, copies = [], []
        for alias in self.layout.kept.aliases(module, unit):
            variable = module.variable(bound_name(alias))
            match module.origin(node, alias):
                case (base, inner):
                    if variable != base.variable(inner):
                        copies.append(f"{flat[variable]} = {flat[base.variable(inner)]}")
                case str() if (variable, alias.name) not in self.imported:
                    self.imported.add((variable, alias.name))
                    new = flat.get(variable, bound_name(alias))
                    is_same = new == bound_name(alias) and alias.asname is None
                    names.append(alias.name if is_same else f"{alias.name} as {new}")
        if len(names) == len(node.names):
            return None
        before = f"from {node.module} import " if isinstance(node, ast.ImportFrom) else "import "
        return "\n".join(([_wrapped(before, names)] if names else []) + copies)


def _wrapped(before: str, names: list[str]) -> str:
    line = before + ", ".join(names)
    if len(line) <= LINE_LENGTH or before == "import ":
        return line
    return "\n".join([f"{before}(", *(f"    {name}," for name in names), ")"])
