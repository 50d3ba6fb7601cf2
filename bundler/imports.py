"""What becomes of import statements: imports from outside at the top of the bundle, and assignments
for the others.
"""

import ast
import sys

from bundler.helpers import IMPORT_NAME
from bundler.link import Entity
from bundler.program import Load, Loader, Unit
from bundler.prune import is_import
from bundler.source import Edit


class Imports:
    """Writes the imports of a bundle; every module from outside is imported once."""

    def __init__(self, linker, liveness, helpers):
        self.linker = linker
        self.live = liveness
        self.helpers = helpers
        self.placed = set()

    # Imports from outside

    def place(self, program, first):
        """(lines, late): the imports that may stand at the top, and unit -> lines for those that
        have to wait.

        first: entities that the bundle needs for itself. What is not of the standard library waits
        for the effects that come before it, such as environment variables that it reads.
        """
        stdlib = [line for entity in first for line in self._lines_once(entity)]
        others, late = [], {}
        effects = False
        for item in program:
            if isinstance(item, Load):
                effects = True
            elif isinstance(item, Loader):
                for unit in item.program:
                    if isinstance(unit, Unit):
                        stdlib += [line for line, _ in self._made_by(unit)]
            elif isinstance(item, Unit):
                for line, is_stdlib in self._made_by(item):
                    if is_stdlib:
                        stdlib.append(line)
                    elif effects:
                        late.setdefault(item, []).append(line)
                    else:
                        others.append(line)
                effects = effects or item in self.live.impure
        return _merged(stdlib) + _merged(others), late

    def _made_by(self, unit):
        """(line, whether of the standard library) for imports that this unit is the first to make."""
        if not is_import(unit):
            return
        for site in unit.imports:
            for name, _, target in self.live.bound_names(site):
                entity = target.external and self.linker.resolve(unit.module, name)
                if not isinstance(entity, Entity) or entity.kind != "external":
                    continue
                if entity in self.live.entities:
                    is_stdlib = entity.external[0].split(".")[0] in sys.stdlib_module_names
                    for line in self._lines_once(entity):
                        yield line, is_stdlib

    def _lines_once(self, entity):
        if entity in self.placed:
            return []
        self.placed.add(entity)
        if not entity.dotted:
            return [_external_text(entity.external, entity.flat)]
        return [f"import {dotted}" for dotted in entity.dotted]

    # Import statements

    def text(self, site, separator):
        """What takes the place of an import statement: the modules it runs, the names it binds."""
        lines = [f"{self.linker.loader(module).flat}()" for module in site.loads]
        for name, scope, target in self.live.bound_names(site):
            copied = self.live.copied(site, name, scope)
            if not copied or (isinstance(copied, Entity) and copied not in self.live.entities):
                continue
            bound = copied.flat if isinstance(copied, Entity) else name
            text = self._binding_text(site, bound, target)
            if name in site.star_names and (target.module, target.name) in self.linker.optional:
                # A star takes the names that there are.
                text = f'if "{self.live.target_entity(target).flat}" in globals(): {text}'
            lines.append(text)
        return separator.join(lines)

    def _binding_text(self, site, bound, target):
        if target.external:
            return _external_text(target.external, bound)
        entity = self.live.target_entity(target)
        if entity is not None and self.linker.may_lack(site, target):
            arguments = f"{entity.flat!r}, {target.name!r}, {target.module.name!r}"
            return f"{bound} = {self.helpers.name(IMPORT_NAME)}({arguments})"
        if entity is not None and isinstance(site.node, ast.Import):
            return f"{bound} = {self._last_of_dotted(entity)}"
        if entity is not None:
            return f"{bound} = {entity.flat}"
        if target.name in ("__name__", "__doc__"):
            value = target.module.name if target.name == "__name__" else target.module.docstring
            return f"{bound} = {value!r}"
        text = f"cannot import name {target.name!r} from {target.module.name!r}"
        return f"raise ImportError({text!r})"

    def _last_of_dotted(self, entity):
        """What `import a.b as m` binds at any time: the attribute `b` of `a`, or the module that
        runs and has not become it yet.
        """
        submodule = self.linker.attached.get((entity.module, entity.name))
        if entity.kind != "own" or submodule is None:
            return entity.flat
        module = self.linker.view(submodule).flat
        return f'{entity.flat} if "{entity.flat}" in globals() else {module}'

    def edits(self, site):
        """The edits that put this text in the place of an import within a statement."""
        source = site.module.source
        start, end = source.start(site.node), source.end(site.node)
        if site.dead:
            return [Edit(start, end, "pass")]
        if not site.loads and not self._changes(site):
            return []
        line = source.line_of(start)
        column = start - source.line_starts[line - 1]
        after = source.text[end : source.line_starts[source.line_of(end)] - 1].strip()
        alone = source.opens_line(start) and not after.startswith(";")
        text = self.text(site, "\n" + " " * column if alone else "; ")
        return [Edit(start, end, text or "pass")]

    def _changes(self, site):
        """Whether a nested import that runs no Loader becomes something else."""
        if any(not target.external for target in site.targets.values()):
            return True
        copies = [
            (name, self.live.copied(site, name, s)) for name, s, _ in self.live.bound_names(site)
        ]
        return any(isinstance(copied, Entity) and copied.flat != name for name, copied in copies)


def _external_text(external, bound):
    """The statement that imports something from outside under a name."""
    module, name = external
    if name is None:
        return f"import {module}" + ("" if bound == module else f" as {bound}")
    return f"from {module} import {name}" + ("" if bound == name else f" as {bound}")


def _merged(lines):
    """Import lines in order, one line a module for `from` imports."""
    plain, names = [], {}
    for line in lines:
        if line.startswith("from "):
            module, _, name = line.removeprefix("from ").partition(" import ")
            names.setdefault(module, []).append(name)
        else:
            plain.append(line)
    return sorted(plain) + [
        f"from {module} import {', '.join(sorted(names[module]))}" for module in sorted(names)
    ]
