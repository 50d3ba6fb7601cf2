"""The text of the flattened modules: what is kept of them, in the order in which Python runs it."""

import ast

from bundler.flattening.naming import Variable
from bundler.layout import Layout
from bundler.modules.source import IMPORTS, Edit, Import, Unit, bound_name
from bundler.program import Module
from bundler.source_map import BUNDLER_MARK, line_mark, looks_like_mark, piece_mark
from bundler.strip import AS_IT_IS, Stage

LINE_LENGTH = 100
BLANK_LINES = 2  # at most, between statements


class Emitter:
    def __init__(self, layout: Layout, stage: Stage) -> None:
        """stage: applied to the text of each unit."""
        self.layout = layout
        self.stage = stage
        self.program = layout.program
        self.naming = layout.live.naming
        self.live = layout.live
        self.done: set[Module] = set()  # they run above
        self.imported: set[tuple[Variable, str]] = set()  # imports from outside that stand above
        self.parts: list[str] = []

    def pieces(self) -> list[str]:
        """Returns the texts of the flattened modules, piece by piece."""
        for module in self.program.first if self.layout.is_carried else ():
            self.parts.append(f'__import__("{module.name}")\n')
        entry = self.layout.program.entry
        if self.program.project.as_module and _needs_package(entry):
            self.parts.append(f'{BUNDLER_MARK}\n__package__ = "{entry.package}"\n')
        self._run(entry)
        return self.parts

    def _run(self, module: Module) -> None:
        self.done.add(module)
        ready: list[Unit] = []
        for unit in module.source.units:
            site = module.site_of(unit.node)
            for other in site.runs if site is not None and site.is_flattenable else ():
                if other in self.done or not self.layout.is_flat(other):
                    continue
                # Pure units may wait, so that a module stands in one piece.
                if not self.live.pure.issuperset(ready):
                    self._write(module, ready)
                    ready = []
                self._run(other)
            ready.append(unit)
        self._write(module, ready)

    def _write(self, module: Module, units: list[Unit]) -> None:
        """Append a piece; a comment tells the line where something is left out."""
        lines: list[str] = []
        position = 0
        for unit in units:
            line, text = self._unit(module, unit)
            text = self.stage(f"{text}\n").rstrip()  # behind a backslash at its end
            if not text.strip():
                continue
            above = len(text) - len(text.lstrip("\n"))
            text, blank = text[above:], "\n" * min(above, BLANK_LINES)
            end = line + above + text.count("\n") + 1
            if not lines:
                lines.append(piece_mark(module.name, module.shown, line + above))
            elif line == position and (above <= BLANK_LINES or self.stage is not AS_IT_IS):
                text = blank + text
            elif unit.is_import:
                text = blank + text
                end = position + text.count("\n") + 1  # no comment for it: lines are counted on
            else:
                text = f"{blank}{line_mark(line + above)}\n{text}"
            position = end
            lines.append(text)
        if lines:
            self.parts.append("\n".join(lines) + "\n")

    def _unit(self, module: Module, unit: Unit) -> tuple[int, str]:
        """(line of the source, text) of what is kept of a unit."""
        source = module.source
        line = source.line_of(unit.start)
        if isinstance(unit.node, IMPORTS):
            text = self._import(module, unit.node, unit)
            if text is not None:
                return unit.first_line, text
        elif unit not in self.live.units:
            return line, ""
        marks = [
            Edit(place, place, "#")
            for place, comment in source.comments
            if unit.start <= place < unit.end and looks_like_mark(comment)
        ]
        return line, source.edited(unit.start, unit.end, self.layout.edits[module] + marks)

    def _import(self, module: Module, node: Import, unit: Unit) -> str | None:
        """Returns the rest of an import; None to leave it as it is."""
        if isinstance(node, ast.ImportFrom) and node.module == "__future__":
            return ""
        site = module.site_of(node)
        names, lines = [], []
        for alias in node.names:
            variable = self.naming.variable(module, bound_name(alias))
            if site is None or self.layout.is_carried or site.targets.get(alias, site.base) is None:
                if self._is_needed(unit, alias, variable):
                    names.append(_written(alias, self.naming.flat.get(variable, bound_name(alias))))
            elif site.base and alias not in site.targets and variable in self.live.variables:
                meant = self.naming.variable(site.base, alias.name)
                if variable != meant:
                    lines.append(f"{self.naming.flat[variable]} = {self.naming.flat[meant]}")
        whole = [_written(alias, bound_name(alias)) for alias in node.names]
        if names == whole and not getattr(node, "level", 0):
            return None
        before = "import "
        if isinstance(node, ast.ImportFrom):
            before = f"from {self.program.absolute(module, node)} import "
        return "\n".join(([_wrapped(before, names)] if names else []) + lines)

    def _is_needed(self, unit: Unit, alias: ast.alias, variable: Variable | None) -> bool:
        """Returns True for an import from outside, or of a carried module, that is needed."""
        if variable is None or variable.full is None:
            return True
        is_live = unit in self.live.units and variable in self.live.variables
        if not is_live and unit in self.live.pure and not self.live.keep_all:
            return False
        key = variable, alias.name
        is_new = key not in self.imported
        self.imported.add(key)
        return is_new


def _needs_package(module: Module) -> bool:
    """Returns True for a module that reads its package, or has a relative import that is not
    written anew.
    """
    alone = {unit.node for unit in module.source.units}
    return "__package__" in module.names.read or any(
        getattr(node, "level", 0) and node not in alone for node in module.source.nodes
    )


def _written(alias: ast.alias, name: str) -> str:
    is_same = name == bound_name(alias) and alias.asname is None
    return alias.name if is_same else f"{alias.name} as {name}"


def _wrapped(before: str, names: list[str]) -> str:
    line = before + ", ".join(names)
    if len(line) <= LINE_LENGTH or before == "import ":
        return line
    return "\n".join([f"{before}(", *(f"    {name}," for name in names), ")"])
