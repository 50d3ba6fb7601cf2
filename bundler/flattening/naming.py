"""One name in the bundle for each variable of the flattened modules.

A variable keeps its name unless another one has it or a module reads a builtin of that name. Then
it gets its module's name in front, `LIMIT` of `core/clock.py` becomes `CLOCK_LIMIT`, if it is a
plain variable and nobody can tell; functions, classes and what the bot itself binds are never
renamed, so then the program is carried.
"""

import ast
import builtins
import copy
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import chain, count

from bundler.flattening.style import HARMLESS_DUNDERS
from bundler.modules.source import Edit, Import, Source
from bundler.program import Module, NotFlattenable


@dataclass(frozen=True)
class Variable:
    """A name of a module's top level, or of an import of a thing from outside: that has a `full`
    name, and no `module`.
    """

    module: Module | None
    name: str
    full: str | None = None


class Naming:
    """The variables of flattened modules (`modules`) and their names in the bundle (`flat`).

    attributes: the variable that a node `m.name` means.
    """

    def __init__(
        self,
        modules: tuple[Module, ...],
        entry: Module,
        is_carried: bool,
        uses: Mapping[ast.AST, tuple[Module, str]],
    ) -> None:
        self.modules = modules
        self.entry = entry
        self.is_carried = is_carried
        self.variable = cache(self._variable)
        self.flat: dict[Variable | None, str] = {}
        self.users: dict[Variable, list[Module]] = {}
        self.attributes = {node: self.variable(*meant) for node, meant in uses.items()}

    def _variable(self, module: Module, name: str) -> Variable | None:
        """The Variable of a name, None for a builtin and for a flattened module."""
        bindings = module.names.bindings.get(name)
        if not bindings:
            return None
        variable = Variable(module, name)
        if any(binding.kind != "import" or not binding.direct for binding in bindings):
            return variable
        aliases = [binding.alias for binding in bindings if binding.alias]
        meanings = {self._imported(module, name, *alias) for alias in aliases}
        return meanings.pop() if len(meanings) == 1 else variable

    def _imported(
        self, module: Module, name: str, node: Import, alias: ast.alias
    ) -> Variable | None:
        match module.origin(node, alias):
            case str(full):
                return Variable(None, name, full)
            case Module() if not self.is_carried:
                return None
            case (base, inner) if not self.is_carried and inner == name:
                return self.variable(base, name)
        return Variable(module, name)

    def assign(self, names_of: Callable[[Module], set[str]]) -> None:
        """Name the variables of some names of each module. Raises NotFlattenable where two names
        collide that cannot be changed.
        """
        takers: dict[str, list[Variable]] = {}
        words = set(dir(builtins))
        free: dict[str, list[Module]] = {}  # name -> modules that read it without binding it
        for module in self.modules:
            words |= module.names.read | module.names.hidden | module.names.bound
            for name in sorted(names_of(module)):
                variable = self.variable(module, name)
                if variable is not None:
                    self.users.setdefault(variable, []).append(module)
                elif name not in module.names.bound | {"__name__", "__doc__"}:
                    free.setdefault(name, []).append(module)
        for variable in self.users:
            self.flat[variable] = variable.name
            takers.setdefault(variable.name, []).append(variable)
        for name, variables in takers.items():
            readers = free.get(name, [])
            if not readers:  # one keeps its name: the bot's, or another that cannot be renamed
                variables.sort(key=lambda v: (self.entry not in self._at(v), self._can_rename(v)))
                del variables[0]
            for variable in variables:
                at = self._at(variable)
                if not readers and self._can_rename(variable):
                    stem = f"{at[0].name.rpartition('.')[2]}_{name}"
                    stem = stem.upper() if name.isupper() else stem
                    numbered = chain([stem], (f"{stem}_{number}" for number in count(2)))
                    self.flat[variable] = next(new for new in numbered if new not in words)
                    words.add(self.flat[variable])
                    continue
                module = next(iter(readers if self.entry in at else at))
                bindings = module.names.bindings.get(name)
                line = bindings[0].unit.first_line if bindings else 1
                construct = f"{name} is another name elsewhere"
                raise NotFlattenable(module.reason(line, construct, "rename one of them"))

    def _at(self, variable: Variable) -> list[Module]:
        """The modules that a variable belongs to."""
        return [variable.module] if variable.module else self.users[variable]

    def _can_rename(self, variable: Variable) -> bool:
        owner, name = variable.module, variable.name
        is_special = name.startswith("__") and name not in HARMLESS_DUNDERS
        if owner in (None, self.entry) or is_special or hasattr(builtins, name):
            return False
        bindings = owner.names.bindings[name]
        for binding in bindings:
            is_import = binding.is_whole_import and binding.unit.node
            if binding.kind != "assign" and not is_import:
                return False
        # A function above may read it before it is bound: the NameError names the variable.
        first = bindings[0].unit.start
        if any(name in unit.words for unit in owner.source.units if unit.start < first):
            return False
        users = self.users[variable]
        return not any(name in m.names.hidden or m.postpones_annotations for m in users)


def name_edits(source: Source, news: Mapping[ast.Name | ast.Attribute, str]) -> list[Edit]:
    """Returns the Edits that replace nodes `name` or `m.name` by other names. Raises ValueError
    where that is impossible, as in a pattern or in some f-strings.
    """
    edits = [Edit(source.start(node), source.end(node), new) for node, new in news.items()]
    if edits:
        text = source.edited(0, len(source.text), edits)
        # A copy in which other nodes stand for these
        names = {id(node): ast.Name(new, node.ctx) for node, new in news.items()}
        wanted = copy.deepcopy(source.tree, names)
        same_lines = text.count("\n") == source.text.count("\n")
        try:
            is_right = same_lines and ast.dump(ast.parse(text)) == ast.dump(wanted)
        except SyntaxError:
            is_right = False
        if not is_right:
            raise ValueError
    return edits
