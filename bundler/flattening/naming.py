"""One name in the bundle for each variable of the flattened modules.

A variable keeps its name unless another variable has the same name. Then a plain variable gets its
module's name in front: `LIMIT` of `core/clock.py` becomes `CLOCK_LIMIT`. Functions, classes and the
variables of the bot's own file are never renamed. Where they would have to be, or where one module
binds a name that another module reads as a builtin, the program is carried.
"""

import ast
import builtins
import copy
from collections.abc import Sequence
from itertools import chain, count

from bundler.modules.source import Edit, walk
from bundler.program import Module, Reason, Variable
from bundler.pruning import Kept


class Naming:
    """The names of the variables in the bundle. flat: {variable: its name in the bundle}. users:
    {variable: modules that use it}. reason: the Reason against these names, None if there is none.
    """

    def __init__(self, modules: Sequence[Module], entry: Module, kept: Kept) -> None:
        self.entry, self.kept = entry, kept
        self.flat: dict[Variable | None, str] = {}
        self.users: dict[Variable, list[Module]] = {}
        self.reason: Reason | None = None
        takers: dict[str, list[Variable]] = {}
        free: dict[str, list[Module]] = {}  # name -> modules that read it without binding it
        for module in modules:
            for name in sorted(name for user, name in kept.names if user is module):
                if variable := module.variable(name):
                    self.users.setdefault(variable, []).append(module)
                elif name in module.names.read:
                    free.setdefault(name, []).append(module)
        for variable in self.users:
            self.flat[variable] = variable.name
            takers.setdefault(variable.name, []).append(variable)
        names = [module.names for module in modules]
        self.words = set(dir(builtins)).union(*(n.read | n.hidden | n.bound for n in names))
        for name, variables in takers.items():
            readers = free.get(name, [])
            if not readers:  # the bot's variable keeps its name, as does one that cannot be renamed
                variables.sort(key=lambda v: (not self._is_of_entry(v), self._can_rename(v)))
                del variables[0]
            for variable in variables:
                if self._can_rename(variable) and not readers:
                    self._rename(variable)
                    continue
                owner = variable.module or self.users[variable][0]
                owner = readers[0] if readers and self._is_of_entry(variable) else owner
                bindings = owner.names.bindings.get(name)
                line = bindings[0].unit.first_line if bindings else 1
                construct = f"{name} is another name elsewhere"
                self.reason = owner.reason(line, construct)

    def _rename(self, variable: Variable) -> None:
        assert variable.module is not None
        stem = f"{variable.module.name.rpartition('.')[2]}_{variable.name}"
        stem = stem.upper() if variable.name.isupper() else stem
        numbered = chain([stem], (f"{stem}_{number}" for number in count(2)))
        self.flat[variable] = next(new for new in numbered if new not in self.words)
        self.words.add(self.flat[variable])

    def _is_of_entry(self, variable: Variable) -> bool:
        owners = [variable.module] if variable.module else self.users[variable]
        return self.entry in owners

    def _can_rename(self, variable: Variable) -> bool:
        owner, name = variable.module, variable.name
        is_text = self.entry.postpones_annotations  # names in annotations are no nodes then
        if (
            owner in (None, self.entry)
            or is_text
            or name.startswith("__")
            or hasattr(builtins, name)
        ):
            return False
        bindings = owner.names.bindings[name]
        is_plain = all(binding.kind in ("assign", "import", "store") for binding in bindings)
        return is_plain and not any(name in user.names.hidden for user in self.users[variable])

    def edits(self, module: Module) -> list[Edit]:
        """Returns the Edits that replace a module's names by those of the bundle. Sets `reason` if
        a name cannot be replaced, as in some f-strings.
        """
        source = module.source
        variables = {name: module.variable(name) for name in module.names.bound}
        renamed = {
            name: self.flat[variable]
            for name, variable in variables.items()
            if variable and variable.module and self.flat.get(variable, name) != name
        }
        news: dict[ast.Name | ast.Attribute, str] = {}
        units = source.units if renamed or module.targets else []
        kept = [unit for unit in units if unit in self.kept.units]
        for node in (n for unit in kept for part in unit.statements for n in walk(part)):
            if isinstance(node, ast.Name) and node.id in renamed:
                news[node] = renamed[node.id]
            elif isinstance(node, ast.Attribute) and (used := module.used(node)):
                variable = used[0].variable(used[1])
                news[node] = flat = self.flat.get(variable, node.attr)
                is_named = (module, flat) in self.kept.names
                is_other = is_named and module.variable(flat) not in (None, variable)
                if is_other or flat in module.names.hidden:
                    self.reason = module.reason(node, f"{flat} is another name here")
        edits = [Edit(source.start(node), source.end(node), new) for node, new in news.items()]
        if edits:
            # A copy in which other nodes stand for these
            names = {id(node): ast.Name(new, node.ctx) for node, new in news.items()}
            wanted = copy.deepcopy(source.tree, names)
            text = source.edited(0, len(source.text), edits)
            try:
                is_right = ast.dump(ast.parse(text)) == ast.dump(wanted)
            except SyntaxError:
                is_right = False
            if not is_right:
                construct = f"{', '.join(map(ast.unparse, news))} cannot be replaced everywhere"
                self.reason = module.reason(1, construct)
        return edits
