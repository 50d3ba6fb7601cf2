"""The text of the bundle: the statements that are kept, in the order in which Python runs them."""

from bundler.annotations import Annotations
from bundler.edits import Editor, stripped
from bundler.helpers import LOAD_ONCE, Helpers
from bundler.imports import Imports
from bundler.layout import HELPERS_MARK, IMPORTS_MARK, Marks, extent, told_apart
from bundler.mentions import Mentions
from bundler.names import assign_names
from bundler.program import Attach, Load, Loader, Unit
from bundler.prune import is_import
from bundler.source import INDENT


class Emitter:
    """Writes the program of a linked graph as one text, not yet formatted."""

    def __init__(self, graph, linker, liveness, names, strip=False):
        self.graph = graph
        self.linker = linker
        self.live = liveness
        self.strip = strip
        self.marks = Marks(graph.modules.values())
        mentions = Mentions(linker, liveness)
        self.helpers = Helpers(linker, liveness)
        assign_names(graph, linker, liveness, names)
        self.imports = Imports(linker, liveness, self.helpers)
        self.annotations = Annotations(linker, liveness)
        self.editor = Editor(
            graph,
            linker,
            liveness,
            self.imports,
            self.annotations,
            self.helpers,
            mentions.globals_needed,
        )
        self.previous = (
            None  # the unit written last, where the next one may follow without a comment
        )

    def text(self):
        """The whole bundle."""
        imports, late = self.imports.place(self.graph.program, self.helpers.imports())
        head = self._docstring()
        body = [text for item in self.graph.program for text in self._top(item, late)]
        if self.annotations.features:
            head.append(f"from __future__ import {', '.join(self.annotations.features)}\n")
        if imports:
            head.append("\n".join([IMPORTS_MARK, *imports]) + "\n")
        helpers = self.helpers.texts()
        if helpers:
            head.append(HELPERS_MARK + "\n" + "\n\n".join(helpers) + "\n")
        return "\n".join([*head, *body])

    def _docstring(self):
        entry = self.graph.entry
        if self.strip or not entry.docstring or entry.units[0] not in self.live.units:
            return []
        start, end = extent(entry.units[0])
        text = entry.source.edited(start, end, told_apart(entry.source, start, end))
        return [f"{self.marks.mark(entry, start)}{text}\n"]

    # The items of the program

    def _top(self, item, late):
        """The texts of an item at the top level; `late`: the imports that come right before a unit."""
        if isinstance(item, Loader):
            return self._loader(item)
        texts = []
        if item in late:
            texts.append(self._own("\n".join(late[item])))
        return texts + self._item(item, 0)

    def _item(self, item, indent):
        """The texts of a unit, or of what a module's run or end makes happen, with an indentation."""
        if isinstance(item, Load):
            return [self._own(f"{self.linker.loader(item.module).flat}()", indent)]
        if isinstance(item, Attach):
            entity = self._attached(item)
            if entity is None:
                return []
            return [self._own(f"{entity.flat} = {self.linker.view(item.module).flat}", indent)]
        if item in self.live.units or is_import(item):
            text = self._unit(item, indent)
            return [text] if text else []
        return []

    def _own(self, text, indent=0):
        """A line that no module has."""
        self.previous = None
        margin = " " * indent
        return f"{margin}{HELPERS_MARK}\n{margin}{text}\n"

    def _attached(self, item):
        """The entity that a submodule is assigned to when it has run, or None where nothing else
        has its name.
        """
        if (item.package, item.name) not in self.linker.attached:
            return None
        entity = self.linker.own(item.package, item.name)
        return entity if entity in self.live.entities else None

    def _loader(self, loader):
        entity = self.linker.loader(loader.module)
        if entity not in self.live.entities:
            return []
        self.previous = None
        body = [text for item in loader.program for text in self._item(item, len(INDENT))]
        self.previous = None
        bound = {}
        for item in loader.program:
            if isinstance(item, Unit):
                bound.update((entity.flat, True) for entity in self._bound_at_top(item))
            elif isinstance(item, Attach) and self._attached(item):
                bound[self._attached(item).flat] = True
        lines = [HELPERS_MARK, f"@{self.helpers.name(LOAD_ONCE)}", f"def {entity.flat}():"]
        lines.append(f'{INDENT}"""Runs {loader.module.shown}."""')
        if bound:
            lines.append(f"{INDENT}global {', '.join(bound)}")
        return ["\n".join([*lines, *body]) + "\n"]

    def _bound_at_top(self, unit):
        """The entities that a unit binds at the top level of its module."""
        for occurrence, meaning in self.live.meanings_of[unit]:
            if meaning.action != "load" and meaning.entity in self.live.entities:
                if occurrence.scope.kind == "module":
                    yield meaning.entity
        for site in unit.imports:
            for name, scope, _ in self.live.bound_names(site):
                if scope.kind == "module":
                    entity = self.live.copied(site, name, scope)
                    if entity in self.live.entities:
                        yield entity

    # Units

    def _unit(self, unit, indent):
        module = unit.module
        if module is self.graph.entry and unit.index == 0 and module.docstring:
            self.previous = unit
            return ""
        if is_import(unit):
            start = unit.start
            text = self.imports.text(unit.imports[0], "\n" + " " * indent)
            text = " " * indent + text if text else ""
        else:
            start, end = (unit.start, unit.end) if self.strip else extent(unit)
            edits = self.editor.edits(unit, indent)
            edits += stripped(unit) if self.strip else told_apart(module.source, start, end)
            text = module.source.edited(start, end, edits, unit.column, indent)
        if not text.strip():
            return ""
        before, self.previous = self.previous, unit
        if before is not None and _adjacent(before, unit):
            gap = module.source.text[before.end : start].count("\n") - 1
            return "\n" * max(0, min(gap, 2)) + text
        return "\n" + " " * indent + self.marks.mark(module, start) + text


def _adjacent(before, unit):
    """Whether a unit follows another as it does in its source."""
    follows = before.module is unit.module and before.index + 1 == unit.index
    return follows and not is_import(before) and not is_import(unit)
