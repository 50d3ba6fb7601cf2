"""The text of the flattened modules: what is kept of them, in the order in which Python runs it."""

import ast
import re

from bundler.edits import name_edits, same_code
from bundler.layout import further_mark, looks_like_mark, piece_mark
from bundler.naming import Variable
from bundler.plain import reason
from bundler.source import IMPORTS, Edit, bound_name

LINE_LENGTH = 100
_RELATIVE = re.compile(r"from[\s\\]*\.[.\s\\]*[\w.]*[\s\\]*import")


class Emitter:
    """Writes the pieces of the flattened modules. What cannot be written goes into `failed`: Module
    -> Reason to carry it.
    """

    def __init__(self, program, plan, liveness):
        self.program = program
        self.plan = plan
        self.naming = plan.naming
        self.live = liveness
        self.effects = liveness.effects
        self.failed = {}
        self.done = set()  # modules that run above
        self.imported = set()  # imports from outside that stand above
        self.name_edits = {}  # by module
        self.parts = []

    def pieces(self):
        """The text of each piece."""
        for module in [*self.program.first, self.plan.entry]:
            if module in self.plan.carried:
                self.parts.append(f'__import__("{module.name}")\n')
            self._run(module)
        return self.parts

    def _run(self, module):
        if module in self.done or not self.plan.is_flat(module):
            return
        self.done.add(module)
        ready = []
        for unit in module.source.units:
            sites = filter(None, map(module.site_of, unit.statements))
            for other in (other for site in sites if site.is_plain for other in site.runs):
                if other in self.done or not self.plan.is_flat(other):
                    continue
                # What has no effect may wait, so that a module stands in one piece.
                if not all(self._may_wait(module, before) for before in ready):
                    self._write(module, ready)
                    ready = []
                self._run(other)
            ready.append(unit)
        self._write(module, ready)

    def _may_wait(self, module, unit):
        """Whether it does not count if a unit runs before or after other modules."""
        for node in unit.statements:
            site = module.site_of(node)
            for alias in node.names if site is not None and site.is_plain else ():
                if self._is_flattened(site, alias) and self._copies(module, site, alias):
                    return False
        return self.effects.is_free(module, unit)

    # Units

    def _write(self, module, units):
        """Append a piece; a comment tells the line where something is left out."""
        lines, position = [], None
        for unit in units:
            line, text = self._unit(module, unit)
            text = text.rstrip()
            if not text.strip():
                continue
            above = len(text) - len(text.lstrip("\n"))
            end = line + text.count("\n") + 1
            if not lines:
                lines.append(piece_mark(module.name, module.shown, line + above))
                text = text[above:]
            elif line != position and unit.is_import:
                end = position + text.count("\n") + 1  # no comment for it: lines are counted on
            elif line != position:
                text = (
                    f"{above * chr(10)}{further_mark(module.shown, line + above)}\n{text[above:]}"
                )
            position = end
            lines.append(text)
        if lines:
            self.parts.append("\n".join(lines) + "\n")

    def _unit(self, module, unit):
        """(line of the source, text) of what is kept of a unit."""
        source = module.source
        line = source.line_of(unit.start)
        if any(isinstance(node, IMPORTS) for node in unit.statements):
            texts = [self._statement(module, unit, node) for node in unit.statements]
            if None not in texts:
                return unit.first_line, "\n".join(text for text in texts if text)
        elif unit not in self.live.units and not self._is_kept_docstring(module, unit):
            return line, ""
        return line, self._edited(module, unit, unit.start, unit.end, unit.statements)

    def _is_kept_docstring(self, module, unit):
        """Whether a unit is a docstring above something that is kept."""
        if unit is not module.source.units[0] or ast.get_docstring(module.source.tree) is None:
            return False
        if module is self.plan.entry:
            return False  # it stands at the bundle's head
        others = [other for other in module.source.units if other in self.live.units]
        return not all(other.is_import for other in others)

    def _statement(self, module, unit, node):
        """The text of one of several statements, or of an import; None to leave all as it was."""
        source = module.source
        if isinstance(node, IMPORTS):
            text = self._import(module, unit, node)
            if text is not None or len(unit.statements) == 1:
                return text
            return source.segment(node)
        return self._edited(module, unit, source.start(node), source.end(node), [node])

    def _edited(self, module, unit, start, end, statements):
        source = module.source
        names, attributes, renamed = self._name_edits(module)
        absolute = {
            node: self.program.absolute(module, node)
            for statement in statements
            for node in ast.walk(statement)
            if isinstance(node, ast.ImportFrom) and node.level
        }
        absolute = {node: name for node, name in absolute.items() if name is not None}
        edits = [*renamed, *(self._absolute_edit(source, *pair) for pair in absolute.items())]
        edits = [edit for edit in edits if start <= edit.start < end]
        text = source.edited(start, end, edits)
        if edits and not same_code(text, statements, names, attributes, absolute):
            why = reason(module, unit.first_line, "its text could not be rewritten")
            self.failed[module] = why
        comments = [
            Edit(place, place, "#")
            for place, comment in source.comments
            if start <= place < end and looks_like_mark(comment)
        ]
        return source.edited(start, end, edits + comments) if comments else text

    def _name_edits(self, module):
        """(new names, new names of attributes, Edits) of a module."""
        if module not in self.name_edits:
            new = self.plan.new_names(module), self.plan.new_attributes(module)
            self.name_edits[module] = *new, name_edits(module.source, *new)
        return self.name_edits[module]

    def _absolute_edit(self, source, node, name):
        start = source.start(node)
        found = _RELATIVE.match(source.text, start)
        return Edit(start, found.end() if found else start, f"from {name} import")

    # Imports

    def _import(self, module, unit, node):
        """What stays of an import; None to leave it as it is."""
        if isinstance(node, ast.ImportFrom) and node.module == "__future__":
            return ""
        site = module.site_of(node)
        kept, copies = [], []
        for alias in node.names:
            if self._is_flattened(site, alias):
                copies += self._copies(module, site, alias)
            elif self._is_needed(module, unit, node, alias):
                kept.append(self._alias(module, node, alias))
        if isinstance(node, ast.Import):
            before = "import "
        else:
            absolute = self.program.absolute(module, node)
            before = f"from {absolute} import "
        whole = [self._written(alias) for alias in node.names]
        if kept == whole and not copies and (not getattr(node, "level", 0) or absolute is None):
            return None
        lines = [_wrapped(before, kept)] if kept else []
        return "\n".join(lines + copies)

    def _is_flattened(self, site, alias):
        """Whether what an alias imports is in the bundle's own namespace."""
        if site is None or alias.name == "*":
            return False
        target = site.targets.get(alias)
        if target is not None:
            last = self.naming.last_of(site, alias) or target
            return last not in self.plan.carried and target not in self.plan.carried
        return site.base is not None and site.base not in self.plan.carried

    def _copies(self, module, site, alias):
        """The assignments by which a variable of a flattened module gets another name here."""
        lines = []
        for name, variable in self.plan.copies.get((site, alias), ()):
            if variable in self.live.variables:
                lines.append(f"{name} = {self.naming.flat[variable]}")
        if alias not in site.targets:
            own = self.naming.variable(module, alias.asname or alias.name)
            meant = self.naming.variable(site.base, alias.name)
            if own != meant and own in self.live.variables:
                lines.append(f"{self.naming.flat[own]} = {self.naming.flat[meant]}")
        return lines

    def _is_needed(self, module, unit, node, alias):
        variable = self._bound(module, alias)
        if not isinstance(variable, Variable) or variable.import_text is None:
            return True
        if unit not in self.live.units or variable not in self.live.variables:
            if self.effects.is_free(module, unit) and not self.live.keep_all:
                return False
        key = variable, alias.name
        if key in self.imported:
            return False
        self.imported.add(key)
        return True

    def _bound(self, module, alias):
        return self.naming.variable(module, bound_name(alias))

    def _alias(self, module, node, alias):
        """An alias under the name that it has in the bundle."""
        variable = self._bound(module, alias)
        bound = bound_name(alias)
        if isinstance(variable, Variable) and self.naming.flat.get(variable, bound) != bound:
            return f"{alias.name} as {self.naming.flat[variable]}"
        return self._written(alias)

    @staticmethod
    def _written(alias):
        return f"{alias.name} as {alias.asname}" if alias.asname else alias.name


def _wrapped(before, names):
    """An import as black writes it."""
    line = before + ", ".join(names)
    if len(line) <= LINE_LENGTH or before == "import ":
        return line
    return "\n".join([f"{before}(", *(f"    {name}," for name in names), ")"])
