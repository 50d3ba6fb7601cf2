"""The text of the bundle: the statements that are kept, edited where a name or an import has to change."""

import ast
import builtins
import keyword
import re
import sys

from bundler.constants import UNKNOWN
from bundler.fstrings import fields_of_fstrings
from bundler.graph import Attach, Load, Loader, Unit
from bundler.link import Entity
from bundler.names import assign_names
from bundler.prune import Liveness, is_import
from bundler.source import INDENT, Edit

IMPORTS_MARK = "# imports of all modules"
HELPERS_MARK = "# made by the bundler"

MODULE_VIEW = '''class {name}(types.ModuleType):
    """A module as a value: its attributes are names of this file, read when they are asked for."""

    def __init__(self, name, names):
        super().__init__(name)
        self.__dict__["__flat__"] = names

    def __getattr__(self, attribute):
        try:
            return globals()[self.__flat__[attribute]]
        except KeyError:
            message = f"module {{self.__name__!r}} has no attribute {{attribute!r}}"
            raise AttributeError(message) from None

    def __setattr__(self, attribute, value):
        globals()[self.__flat__[attribute]] = value

    def __delattr__(self, attribute):
        del globals()[self.__flat__[attribute]]

    def __dir__(self):
        return [name for name, flat in self.__flat__.items() if flat in globals()]
'''

LOAD_ONCE = '''def {name}(body):
    """A module that runs at its first import; one that raised runs again at the next, as in Python."""
    started = False

    def load():
        nonlocal started
        if not started:
            started = True
            try:
                body()
            except BaseException:
                started = False
                raise

    return load
'''

NAMED = '''def {name}(name):
    """Decorator: the name that a function or class has in its own module, where this file calls it otherwise."""

    def rename(thing):
        thing.__name__ = thing.__qualname__ = name
        return thing

    return rename
'''


class Emitter:
    """Writes the program of a linked graph as one text, not yet formatted."""

    def __init__(self, graph, linker, liveness, strip=False):
        self.graph = graph
        self.linker = linker
        self.live = liveness
        self.strip = strip
        self.view_helper = linker.helper("ModuleView")
        self.once_helper = linker.helper("load_once")
        self.named_helper = linker.helper("named")
        self.shows_names = self._shows_names()
        self.globals_needed = {}  # unit -> scope -> entities set through an attribute
        self.folds = {}
        self._fold_choices()
        self._collect_sites()
        self.named_used = False
        liveness.entities[self.named_helper] = True
        assign_names(graph, linker, liveness)
        self.future = self._futures()
        self._find_fallbacks()

    def _shows_names(self):
        """Whether the bot reads names of functions, so that they have to stay what they were."""
        return any(
            isinstance(node, ast.Attribute)
            and node.attr in ("__name__", "__qualname__")
            or isinstance(node, ast.Constant)
            and node.value in ("__name__", "__qualname__")
            for module in self.linker.modules()
            for node in ast.walk(module.source.tree)
        )

    # What each entity is mentioned in

    def _collect_sites(self):
        live = self.live
        for unit in self._live_units():
            for occurrence, meaning in live.meanings_of[unit]:
                entity = meaning.entity
                if entity is None:
                    continue
                entity.sites.append((occurrence.scope, occurrence))
                if occurrence.unsure and not occurrence.chain:
                    entity.pinned = occurrence.name
                    entity.pinned_at = unit.module, unit.module.source.line_of(occurrence.start)
                if meaning.action != "load" and occurrence.chain:
                    if occurrence.scope.kind != "module":
                        needed = self.globals_needed.setdefault(unit, {})
                        needed.setdefault(occurrence.scope, []).append(entity)
            for site in unit.imports:
                for name, scope, target in live.bound_names(site):
                    if live.copied(site, name, scope):
                        entity = live.target_entity(target)
                        if entity is not None:
                            entity.sites.append((scope, None))
                    if target.external and not (site.nested or scope.kind != "module"):
                        self._external_style(site, name, target)
                for module in site.loads:
                    self.linker.loader(module).sites.append((self._scope_of(site), None))
        kinds = {entity.kind for entity in live.entities}
        if "view" in kinds:
            live.entities[self.view_helper] = True
            live.entities[self.linker.external(("types", None))] = True
        if "loader" in kinds:
            live.entities[self.once_helper] = True

    def _live_units(self):
        for module in self.linker.modules():
            for unit in module.units:
                if unit in self.live.units or is_import(unit):
                    yield unit

    def _scope_of(self, site):
        for occurrence in site.module.scopes.occurrences:
            if occurrence.alias is not None and occurrence.alias[0] is site.node:
                return occurrence.scope
        return site.module.scopes.module

    def _external_style(self, site, name, target):
        """Reconcile `import numpy` here and `import numpy as np` there; `import a.b` leaves no choice."""
        entity = self.linker.resolve(site.module, name)
        if not isinstance(entity, Entity) or entity.kind != "external":
            return
        entity.spellings = getattr(entity, "spellings", {})
        entity.spellings[name] = entity.spellings.get(name, 0) + 1
        short = {spelled: spelled != entity.external[0] for spelled in entity.spellings}
        entity.name = max(entity.spellings, key=lambda n: (entity.spellings[n], short[n]))
        if isinstance(site.node, ast.Import):
            for alias in site.node.names:
                if alias.asname is None and "." in alias.name and alias.name.split(".")[0] == name:
                    if alias.name not in entity.dotted:
                        entity.dotted.append(alias.name)
                    entity.pinned = name
                    entity.pinned_at = site.module, site.node.lineno

    # Constant choices

    def _fold_choices(self):
        """`A if TEST else B` on a constant test becomes the operand that counts."""
        for module in self.linker.modules():
            folds = []
            for node in ast.walk(module.source.tree):
                if isinstance(node, ast.IfExp):
                    truth = self.graph.constants.value(module, node.test)
                    if truth is not UNKNOWN:
                        folds.append((node, node.body if truth else node.orelse))
            self.folds[module] = folds

    # Text

    def text(self):
        """The whole bundle."""
        blocks = []
        body = self._program(self.graph.program, blocks_of_imports := [])
        head = self._docstring()
        if self.future:
            head.append(f"from __future__ import {', '.join(self.future)}\n")
        if blocks_of_imports:
            head.append("\n".join([IMPORTS_MARK, *blocks_of_imports]) + "\n")
        helpers = self._helpers()
        if helpers:
            head.append(HELPERS_MARK + "\n" + "\n\n".join(helpers) + "\n")
        return "\n".join([*head, *blocks, *body])

    def _docstring(self):
        entry = self.graph.entry
        if self.strip or not entry.docstring or entry.units[0] not in self.live.units:
            return []
        unit = entry.units[0]
        start = self._lead(unit)
        return [self._mark(entry, start) + entry.source.text[start : self._tail(unit)] + "\n"]

    def _helpers(self):
        texts = []
        for entity, template in (
            (self.view_helper, MODULE_VIEW),
            (self.once_helper, LOAD_ONCE),
            (self.named_helper, NAMED),
        ):
            if entity in self.live.entities and (
                entity is not self.named_helper or self.named_used
            ):
                texts.append(template.format(name=entity.flat))
        views = []
        for entity in self.live.entities:
            if entity.kind == "view":
                members = {
                    name: member.flat for name, member in self.live.members(entity.module).items()
                }
                views.append(
                    f"{entity.flat} = {self.view_helper.flat}({entity.module.name!r}, {members!r})"
                )
        return [*texts, *(["\n".join(views)] if views else [])]

    def _program(self, program, imports):
        """The texts of all units in order; imports from outside that may stand at the top go to `imports`."""
        self.placed = set()
        stdlib, others, late = [], [], {}
        effects = False
        for item in program:
            if isinstance(item, Load):
                effects = True
                continue
            if isinstance(item, Attach):
                continue
            if isinstance(item, Loader):
                for unit in filter(_is_unit, item.program):
                    for line, _ in self._external_imports(unit):
                        stdlib.append(line)
                continue
            for line, is_stdlib in self._external_imports(item):
                if is_stdlib:
                    stdlib.append(line)
                elif not effects:
                    others.append(line)
                else:
                    late.setdefault(item, []).append(line)
            effects = effects or item in self.live.impure
        if self.view_helper in self.live.entities:
            stdlib += self._import_lines(self.linker.external(("types", None)))
        imports += _merged(stdlib) + _merged(others)
        texts = []
        self.previous = None
        for item in program:
            if isinstance(item, Loader):
                if self.linker.loader(item.module) in self.live.entities:
                    texts.append(self._loader(item))
                    self.previous = None
                continue
            if isinstance(item, Load):
                texts.append(self._load(item))
                continue
            if isinstance(item, Attach):
                texts += self._attach(item)
                continue
            if item in late:
                texts.append("\n".join(late[item]) + "\n")
                self.previous = None
            if item in self.live.units or is_import(item):
                text = self._unit(item)
                if text:
                    texts.append(text)
        return texts

    def _loader(self, loader):
        module = loader.module
        outer, self.previous = self.previous, None
        body = []
        for item in loader.program:
            if isinstance(item, Load):
                body.append(self._load(item, len(INDENT)))
            elif isinstance(item, Attach):
                body += self._attach(item, len(INDENT))
            elif item in self.live.units or is_import(item):
                text = self._unit(item, len(INDENT))
                body += [text] if text else []
        self.previous = outer
        bound = {}
        for item in loader.program:
            if isinstance(item, Unit):
                bound.update((entity.flat, True) for entity in self._bound_at_top(item))
            elif isinstance(item, Attach) and self._attached(item):
                bound[self._attached(item).flat] = True
        name = self.linker.loader(module).flat
        lines = [f"@{self.once_helper.flat}", f"def {name}():"]
        lines.append(f'{INDENT}"""Runs {module.shown}."""')
        if bound:
            lines.append(f"{INDENT}global {', '.join(bound)}")
        return "\n".join([*lines, *body]) + "\n"

    def _load(self, load, indent=0):
        self.previous = None
        return f"{' ' * indent}{self.linker.loader(load.module).flat}()"

    def _attached(self, item):
        """The entity that a submodule is assigned to when it has run, or None where nothing else has its name."""
        if (item.package, item.name) not in self.linker.attached:
            return None
        entity = self.linker.own(item.package, item.name)
        return entity if entity in self.live.entities else None

    def _attach(self, item, indent=0):
        entity = self._attached(item)
        if entity is None:
            return []
        self.previous = None
        return [f"{' ' * indent}{entity.flat} = {self.linker.view(item.module).flat}\n"]

    def _bound_at_top(self, unit):
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

    # Imports

    def _external_imports(self, unit):
        """(line, whether of the standard library) for imports that this unit is the first to make."""
        if not is_import(unit):
            return
        for site in unit.imports:
            for name, _, target in self.live.bound_names(site):
                entity = target.external and self.linker.resolve(unit.module, name)
                if not isinstance(entity, Entity) or entity.kind != "external":
                    continue
                if entity in self.live.entities and entity not in self.placed:
                    self.placed.add(entity)
                    is_stdlib = entity.external[0].split(".")[0] in sys.stdlib_module_names
                    for line in self._import_lines(entity):
                        yield line, is_stdlib

    def _import_lines(self, entity):
        if entity in self.placed and entity.external == ("types", None):
            return []
        module, name = entity.external
        if name is not None:
            renamed = "" if entity.flat == name else f" as {entity.flat}"
            return [f"from {module} import {name}{renamed}"]
        renamed = "" if entity.flat == module else f" as {entity.flat}"
        lines = [] if entity.dotted else [f"import {module}{renamed}"]
        return lines + [f"import {dotted}" for dotted in entity.dotted]

    def _import_text(self, site, separator):
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
            module, name = target.external
            if name is None:
                return f"import {module}" + ("" if bound == module else f" as {bound}")
            return f"from {module} import {name}" + ("" if bound == name else f" as {bound}")
        entity = self.live.target_entity(target)
        if entity is not None:
            return f"{bound} = {entity.flat}"
        if target.name in ("__name__", "__doc__"):
            value = target.module.name if target.name == "__name__" else target.module.docstring
            return f"{bound} = {value!r}"
        text = f"cannot import name {target.name!r} from {target.module.name!r}"
        return f"raise ImportError({text!r})"

    # Units

    def _lead(self, unit):
        """Where the text of a unit starts: at the comments above it."""
        source = unit.module.source
        start = unit.start
        for comment in reversed(self._comments_between(unit)):
            if comment.alone and comment.column <= unit.column:
                start = comment.start
            else:
                break
        return start

    def _comments_between(self, unit):
        source = unit.module.source
        after = self._previous_end(unit)
        return [c for c in source.comments if after <= c.start < unit.start]

    def _previous_end(self, unit):
        if unit.index:
            before = unit.module.units[unit.index - 1]
            if before.end <= unit.start:
                return before.end
        return 0

    def _tail(self, unit):
        """Where the text of a unit ends: after a comment on its last line, and indented ones below."""
        source = unit.module.source
        following = unit.module.units[unit.index + 1 : unit.index + 2]
        limit = following[0].start if following else len(source.text)
        end = unit.end
        last_line = source.line_of(unit.end)
        for comment in source.comments:
            if unit.end <= comment.start < limit:
                if comment.line == last_line or (comment.alone and comment.column > unit.column):
                    end = comment.end
                elif following:
                    break
                else:
                    end = comment.end
        return end

    def _mark(self, module, start):
        line = module.source.line_of(start)
        return f"# {module.shown}:{line}\n"

    def _unit(self, unit, indent=0):
        module, source = unit.module, unit.module.source
        if module is self.graph.entry and unit.index == 0 and module.docstring:
            self.previous = unit
            return ""
        if is_import(unit):
            text = self._import_text(unit.imports[0], "\n" + " " * indent)
            if not text:
                return ""
            start, end = unit.start, unit.end
            text = " " * indent + text
        else:
            start, end = (
                (unit.start, unit.end) if self.strip else (self._lead(unit), self._tail(unit))
            )
            edits = self._edits(unit, indent)
            text = source.edited(start, end, edits, unit.column, indent)
            if self.strip and not text.strip():
                return ""
        before = self.previous
        self.previous = unit
        text = self._fallback(unit, indent) + text
        if before is not None and before.module is module and self._adjacent(before, unit):
            gap = source.text[before.end : start].count("\n") - 1
            return "\n" * max(0, min(gap, 2)) + text
        return "\n" + " " * indent + self._mark(module, start) + text

    def _adjacent(self, before, unit):
        return before.index + 1 == unit.index and not is_import(before) and not is_import(unit)

    def _fallback(self, unit, indent):
        """`shadow_print = print` ahead of code that may read the builtin before the module has its own."""
        lines = [f"{entity.flat} = {entity.name}" for entity in self.fallbacks.get(unit, ())]
        return "".join(f"{' ' * indent}{line}\n" for line in lines)

    def _find_fallbacks(self):
        """unit -> renamed entities with the name of a builtin that the unit is the first to mention."""
        self.fallbacks = {}
        for entity in self.live.entities:
            renamed = entity.kind == "own" and entity.flat != entity.name
            if renamed and hasattr(builtins, entity.name):
                module = entity.module
                first = self.linker.first_mention(
                    module,
                    entity.name,
                    lambda place: self._unit_at(module, place.start) in self.live.units,
                )
                if first is not None:
                    unit = self._unit_at(module, first.start)
                    self.fallbacks.setdefault(unit, []).append(entity)

    def _unit_at(self, module, place):
        for unit in module.units:
            if unit.start <= place < unit.end:
                return unit
        return None

    def _edits(self, unit, indent):
        module, source = unit.module, unit.module.source
        edits = []
        for occurrence, meaning in self.live.meanings_of[unit]:
            if occurrence.alias is not None:
                continue
            text = meaning.text if meaning.entity is None else meaning.entity.flat
            if text == source.text[meaning.start : meaning.end]:
                continue
            if occurrence.debug is not None:
                edits.append(self._debug_field(unit, occurrence.debug))
            edits.append(Edit(meaning.start, meaning.end, text))
            if meaning.action == "store" and hasattr(occurrence.node, "name"):
                edits += self._kept_name(unit, occurrence)
        for site in unit.imports:
            edits += self._import_edits(site, unit)
        for site in module.sites.values():
            if site.dead and unit.start <= source.start(site.node) < unit.end:
                edits.append(Edit(source.start(site.node), source.end(site.node), "pass"))
        for node, operand in self.folds[module]:
            if unit.start <= source.start(node) < unit.end:
                edits += self._fold_edits(source, node, operand)
        for scope, entities in self.globals_needed.get(unit, {}).items():
            edits.append(self._global_edit(unit, scope, entities))
        edits += self._written(unit)
        if source.text.startswith("elif", unit.start):
            edits.append(Edit(unit.start, unit.start + 4, "if"))
        if indent and isinstance(unit.node, ast.AnnAssign):
            edits.append(self._without_annotation(unit))
        if module in self.quoting:
            self._quoted(unit, edits)
        if self.strip:
            edits += self._stripped(unit)
        return edits

    def _kept_name(self, unit, occurrence):
        """A decorator for what is called otherwise here but shows its name, as every class does in its `repr`."""
        node, source = occurrence.node, unit.module.source
        function = isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
        if not isinstance(node, ast.ClassDef) and not (function and self.shows_names):
            return []
        self.named_used = True
        start = source.offset(node.lineno, node.col_offset)
        margin = source.text[source.line_starts[node.lineno - 1] : start]
        return [Edit(start, start, f'@{self.named_helper.flat}("{occurrence.name}")\n{margin}')]

    def _debug_field(self, unit, field):
        """`{LIMIT=}` shows the name as it was written."""
        source = unit.module.source
        inner = [
            Edit(m.start, m.end, m.text if m.entity is None else m.entity.flat)
            for _, m in self.live.meanings_of[unit]
        ]
        tail_start = field.outer_end - 1 - len(field.tail)
        shown = source.text[field.start : tail_start].replace("{", "{{").replace("}", "}}")
        expression = source.edited(field.start, field.end, inner).strip()
        tail = source.edited(tail_start, field.outer_end - 1, inner) or "!r"
        return Edit(field.outer_start, field.outer_end, f"{shown}{{{expression}{tail}}}")

    def _import_edits(self, site, unit):
        source = unit.module.source
        start, end = source.start(site.node), source.end(site.node)
        if not site.loads and all(target.external for target in site.targets.values()):
            renamed = any(
                isinstance(copied, Entity) and copied.flat != name
                for name, scope, _ in self.live.bound_names(site)
                for copied in [self.live.copied(site, name, scope)]
            )
            if not renamed:
                return []
        if not site.targets and not site.loads:
            return []
        line = source.line_of(start)
        own_line = not source.text[source.line_starts[line - 1] : start].strip()
        column = start - source.line_starts[line - 1]
        after = source.text[end : source.line_starts[source.line_of(end)] - 1].strip()
        alone = own_line and not after.startswith(";")
        text = self._import_text(site, "\n" + " " * column if alone else "; ")
        return [Edit(start, end, text or "pass")]

    def _fold_edits(self, source, node, operand):
        start, end = source.start(operand), source.end(operand)
        simple = isinstance(
            operand, (ast.Name, ast.Constant, ast.Call, ast.Attribute, ast.Subscript)
        )
        whole_start, whole_end = source.start(node), source.end(node)
        return [
            Edit(whole_start, start, "" if simple else "("),
            Edit(end, whole_end, "" if simple else ")"),
        ]

    def _global_edit(self, unit, scope, entities):
        source = unit.module.source
        if scope.node is None:
            raise source.error(
                unit.node, "an attribute of a module set in an expression", "set it by a statement"
            )
        first, *rest = scope.node.body
        if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) and rest:
            first = rest[0]
        start = source.start(first)
        line_start = source.line_starts[source.line_of(start) - 1]
        own_line = not source.text[line_start:start].strip()
        names = ", ".join(dict.fromkeys(entity.flat for entity in entities))
        separator = "\n" + source.text[line_start:start] if own_line else "; "
        return Edit(start, start, f"global {names}{separator}")

    def _written(self, unit):
        """Values that the bundler writes, such as the mode of the bundle."""
        node = unit.node
        if isinstance(node, ast.Assign) and len(node.targets) == 1:
            name = getattr(node.targets[0], "id", None)
            if name in self.graph.written:
                value, source = node.value, unit.module.source
                text = f'"{self.graph.written[name]}"'
                return [Edit(source.start(value), source.end(value), text)]
        return []

    def _without_annotation(self, unit):
        node, source = unit.node, unit.module.source
        if node.value is None:
            return Edit(unit.start, unit.end, "pass")
        return Edit(source.end(node.target), source.start(node.value), " = ")

    # Stripping

    def _stripped(self, unit):
        source = unit.module.source
        edits = [
            Edit(comment.start, comment.end, "")
            for comment in source.comments
            if unit.start <= comment.start < unit.end
        ]
        for node in ast.walk(unit.node):
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
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

    # from __future__

    def _futures(self):
        """The features to import. `annotations` holds for all or none: see `_quoted`."""
        features = set()
        self.quoting = set()
        for module in self.linker.modules():
            own = module.features
            features |= own
            if "annotations" in own:
                self.quoting.add(module)
        bare = [module for module in self.linker.modules() if module not in self.quoting]
        if any(self._annotations(unit) for module in bare for unit in module.units):
            features.discard("annotations")
        else:
            self.quoting.clear()
        return sorted(features)

    def _annotations(self, unit):
        """The annotations of a live unit that Python evaluates."""
        if unit not in self.live.units:
            return []
        found = []
        in_function = {
            statement
            for function in ast.walk(unit.node)
            if isinstance(function, (ast.FunctionDef, ast.AsyncFunctionDef))
            for part in function.body
            for statement in _same_scope(part)
        }
        for node in ast.walk(unit.node):
            if isinstance(node, ast.arg) and node.annotation:
                found.append(node.annotation)
            elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and node.returns:
                found.append(node.returns)
            elif isinstance(node, ast.AnnAssign) and node not in in_function:
                found.append(node.annotation)
        return found

    def _quoted(self, unit, edits):
        """Annotations as the strings that `from __future__ import annotations` makes of them.

        Another module lacks that import and evaluates its annotations, so the bundle cannot have it.
        """
        source = unit.module.source
        for node in self._annotations(unit):
            start, end = source.start(node), source.end(node)
            text = ast.unparse(ast.parse(source.edited(start, end, edits), mode="eval"))
            edits.append(Edit(start, end, repr(text)))


def _same_scope(node):
    """A statement and those within it that belong to the same scope."""
    yield node
    if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        for part in ast.iter_child_nodes(node):
            if isinstance(part, (ast.stmt, ast.ExceptHandler, ast.match_case)):
                yield from _same_scope(part)


def _is_unit(item):
    return isinstance(item, Unit)


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
