"""Which statements do nothing but give names their values, and may go when nobody uses those names.

Whatever is not known to be harmless counts as an effect. Two notions: a *pure* expression has no
effect when evaluated; a *plain* one is pure and its value is of a built-in or numpy type all
through, so that operators on it run no code of the bot's. A call is pure when the callee is on the
lists of `harmless.py`, a local function whose body is pure, or a local class without a constructor
of its own.
"""

import ast
import builtins
from collections import Counter

from bundler.harmless import (
    HARMLESS,
    HARMLESS_BASES,
    HARMLESS_BUILTINS,
    PLAIN_BUILTINS,
    PLAIN_MODULES,
    PLAIN_NUMPY,
)
from bundler.link import Entity

_DISPLAYS = (ast.List, ast.Dict, ast.Set, ast.ListComp, ast.DictComp, ast.SetComp)
SPECIAL_CLASS_METHODS = {"__init_subclass__", "__set_name__", "__class_getitem__"}
CONSTRUCTORS = {"__init__", "__new__", "__post_init__", "__call__"}


class Purity:
    """Answers for the modules of a linked graph."""

    def __init__(self, linker):
        self.linker = linker
        self.functions = {}
        self.plain_names = {}
        self.numbers = {}
        self.values = {}

    def is_pure(self, unit):
        """Whether a unit only binds names."""
        return self._statement(unit.module, unit.node, None)

    # Statements; `local` is the set of names that a function has made itself, or None at the top
    # level

    def _statement(self, module, node, local):
        check = getattr(self, f"_{type(node).__name__}", None)
        return check is not None and check(module, node, local)

    def _block(self, module, statements, local):
        return all(self._statement(module, statement, local) for statement in statements)

    def _Pass(self, module, node, local):
        return True

    _Global = _Nonlocal = _Break = _Continue = _Pass

    def _Import(self, module, node, local):
        """A local module that runs here runs no earlier and no later, even if all it does is to
        give names values.
        """
        return not module.sites[node].loads

    _ImportFrom = _Import

    def _FunctionDef(self, module, node, local):
        defaults = [*node.args.defaults, *[d for d in node.args.kw_defaults if d is not None]]
        return all(self.pure(module, d) for d in defaults) and all(
            self._decorator(module, decorator) for decorator in node.decorator_list
        )

    _AsyncFunctionDef = _FunctionDef

    def _ClassDef(self, module, node, local):
        return (
            not node.keywords
            and all(self._base(module, base) for base in node.bases)
            and all(self._decorator(module, decorator) for decorator in node.decorator_list)
            and self._block(module, node.body, local)
        )

    def _Assign(self, module, node, local):
        if not all(self._target(target, local) for target in node.targets):
            return False
        if any(not isinstance(target, ast.Name) for target in node.targets):
            return self.plain(module, node.value)
        return self.pure(module, node.value)

    def _AnnAssign(self, module, node, local):
        value = node.value is None or self.pure(module, node.value)
        return value and self._target(node.target, local)

    def _AugAssign(self, module, node, local):
        if not isinstance(node.target, ast.Name):
            return self._target(node.target, local) and self.plain(module, node.value)
        if local is None and node.target.id != "__all__":
            # In place on a list it would change whoever shares the list.
            return self._number(module, node.target) and self._number(module, node.value)
        return self.plain(module, node.value)

    def _Expr(self, module, node, local):
        if local is not None and isinstance(node.value, ast.Call):
            method = node.value.func
            if isinstance(method, ast.Attribute) and getattr(method.value, "id", None) in local:
                return all(self.pure(module, argument) for argument in node.value.args)
        return self.pure(module, node.value)

    def _If(self, module, node, local):
        return (
            self.plain(module, node.test)
            and self._block(module, node.body, local)
            and self._block(module, node.orelse, local)
        )

    def _Try(self, module, node, local):
        blocks = [node.body, node.orelse, node.finalbody, *[h.body for h in node.handlers]]
        return all(self._block(module, block, local) for block in blocks)

    def _Return(self, module, node, local):
        return node.value is None or self.pure(module, node.value)

    def _For(self, module, node, local):
        return (
            local is not None
            and self._target(node.target, local)
            and self.plain(module, node.iter)
            and self._block(module, node.body, local)
            and self._block(module, node.orelse, local)
        )

    def _While(self, module, node, local):
        return (
            local is not None
            and self.plain(module, node.test)
            and self._block(module, node.body, local)
            and not node.orelse
        )

    def _target(self, node, local):
        if isinstance(node, ast.Name):
            return True
        if isinstance(node, (ast.Tuple, ast.List)):
            return all(self._target(part, local) for part in node.elts)
        if isinstance(node, ast.Starred):
            return self._target(node.value, local)
        if isinstance(node, ast.Subscript) and local is not None:
            base = node.value
            while isinstance(base, ast.Subscript):
                base = base.value
            return getattr(base, "id", None) in local
        return False

    # Expressions

    def pure(self, module, node):
        """Whether evaluating the expression has no effect."""
        if isinstance(node, (ast.Constant, ast.Name, ast.Lambda)):
            return not isinstance(node, ast.Lambda) or all(
                self.pure(module, d) for d in [*node.args.defaults, *node.args.kw_defaults] if d
            )
        if isinstance(node, (ast.Tuple, ast.List, ast.Set)):
            return all(self.pure(module, part) for part in node.elts)
        if isinstance(node, ast.Dict):
            return all(k is not None and self.plain(module, k) for k in node.keys) and all(
                self.pure(module, value) for value in node.values
            )
        if isinstance(node, ast.IfExp):
            return self.plain(module, node.test) and all(
                self.pure(module, part) for part in (node.body, node.orelse)
            )
        if isinstance(node, ast.Attribute):
            return self.linker.full_name(module, node) is not None or self.plain(module, node.value)
        if isinstance(node, ast.Subscript) and self._is_type(module, node.value):
            return True
        if isinstance(node, ast.Call) and self._pure_call(module, node):
            return True
        return self.plain(module, node)

    def plain(self, module, node):
        """Whether the expression is pure and gives a value of built-in or numpy types."""
        if isinstance(node, ast.Constant):
            return True
        if isinstance(node, ast.Name):
            return self._plain_name(module, node)
        if isinstance(node, ast.Attribute):
            entity = self.linker.full_name(module, node)
            if isinstance(entity, Entity):
                return entity.kind == "own" and self._plain_entity(entity)
            return bool(entity) and entity.split(".")[0] in ("math", "numpy", "sys", "string")
        if isinstance(node, ast.Call):
            return self._plain_call(module, node)
        if isinstance(node, (ast.ListComp, ast.SetComp, ast.GeneratorExp)):
            return self.plain(module, node.elt) and self._plain_generators(module, node)
        if isinstance(node, ast.DictComp):
            return (
                self.plain(module, node.key)
                and self.plain(module, node.value)
                and self._plain_generators(module, node)
            )
        if isinstance(node, ast.JoinedStr):
            return all(self.plain(module, part) for part in module.scopes.fields[node])
        if isinstance(node, ast.BoolOp):
            return all(self.plain(module, part) for part in node.values)
        if isinstance(node, ast.Compare):
            if all(isinstance(op, (ast.Is, ast.IsNot)) for op in node.ops):
                return all(self.pure(module, part) for part in [node.left, *node.comparators])
            return all(self.plain(module, part) for part in [node.left, *node.comparators])
        if isinstance(
            node,
            (
                ast.BinOp,
                ast.UnaryOp,
                ast.IfExp,
                ast.Tuple,
                ast.List,
                ast.Set,
                ast.Dict,
                ast.Subscript,
            )
            + (ast.Slice, ast.Starred),
        ):
            return all(
                self.plain(module, part)
                for part in ast.iter_child_nodes(node)
                if isinstance(part, ast.expr)
            )
        return False

    def _plain_generators(self, module, node):
        return all(
            self.plain(module, part)
            for generator in node.generators
            for part in [generator.iter, *generator.ifs]
        )

    def _number(self, module, node):
        """Whether the expression is a number or a string by its literals alone."""
        if isinstance(node, ast.Constant):
            return isinstance(node.value, (int, float, str))
        if isinstance(node, ast.BinOp):
            return self._number(module, node.left) and self._number(module, node.right)
        if not isinstance(node, ast.Name):
            return False
        entity = self.linker.full_name(module, node)
        if not isinstance(entity, Entity) or entity.kind != "own":
            return False
        if entity not in self.numbers:
            self.numbers[entity] = True  # `x += x` says nothing about x
            values = self._values(entity)
            self.numbers[entity] = bool(values) and all(
                self._number(entity.module, value) for value in values
            )
        return self.numbers[entity]

    def _values(self, entity):
        """The expressions that a module's name is assigned, or nothing where some cannot be told."""
        if (entity.module, entity.name) in self.linker.stored:
            return []
        if entity not in self.values:
            values = []
            for binding in self.linker.bindings(entity.module, entity.name):
                node = binding.unit.node if binding.unit else None
                if isinstance(node, ast.Assign) and all(
                    self._target(t, None) for t in node.targets
                ):
                    values.append(node.value)
                elif isinstance(node, (ast.AnnAssign, ast.AugAssign)) and node.value is not None:
                    values.append(node.value)
                else:
                    values = []
                    break
            self.values[entity] = values
        return self.values[entity]

    def _plain_name(self, module, node):
        occurrence = module.occurrence_at.get(id(node))
        if occurrence is None:
            return False
        if occurrence.home.kind == "function":
            return True  # arguments are checked where a function is called
        if occurrence.home.kind == "class":
            return False
        if occurrence.name == "__name__":
            return True
        entity = self.linker.resolve(module, occurrence.name)
        if entity is None or not isinstance(entity, Entity):
            return occurrence.name in PLAIN_BUILTINS
        return entity.kind == "own" and self._plain_entity(entity)

    def _plain_entity(self, entity):
        if entity not in self.plain_names:
            self.plain_names[entity] = True  # a name that only depends on itself
            values = self._values(entity)
            functions = any(b.in_function for b in self.linker.bindings(entity.module, entity.name))
            self.plain_names[entity] = (
                bool(values) and not functions and all(self.plain(entity.module, v) for v in values)
            )
        return self.plain_names[entity]

    # Callees

    def _pure_call(self, module, node):
        """Whether a call has no effect, whatever its result is."""
        if isinstance(node.func, ast.Call):  # `njit(cache=True)(function)`
            inner = self.linker.full_name(module, node.func.func)
            return inner in HARMLESS and self._pure_arguments(module, node)
        callee = self.linker.full_name(module, node.func)
        if isinstance(callee, str):
            short = callee.removeprefix("builtins.")
            if callee in HARMLESS or short in HARMLESS_BUILTINS:
                return self._pure_arguments(module, node)
            return False
        if isinstance(callee, Entity):
            return self._pure_arguments(module, node) and self._harmless_own(callee)
        return False

    def _pure_arguments(self, module, node):
        return all(self.pure(module, argument) for argument in node.args) and all(
            self.pure(module, keyword.value) for keyword in node.keywords
        )

    def _plain_call(self, module, node):
        plain = all(self.plain(module, argument) for argument in node.args) and all(
            self.plain(module, keyword.value) for keyword in node.keywords
        )
        if not plain:
            return False
        callee = self.linker.full_name(module, node.func)
        if isinstance(callee, str):
            top, _, rest = callee.partition(".")
            return (
                (top == "builtins" and rest in PLAIN_BUILTINS)
                or top in PLAIN_MODULES
                or (top == "numpy" and rest in PLAIN_NUMPY)
            )
        if (
            isinstance(node.func, ast.Attribute)
            and self.linker.full_name(module, node.func) is None
        ):
            return node.func.attr in (
                "copy",
                "split",
                "join",
                "items",
                "keys",
                "values",
                "astype",
                "reshape",
            ) and (self.plain(module, node.func.value))
        return False

    def _decorator(self, module, node):
        if isinstance(node, ast.Call):
            callee = self.linker.full_name(module, node.func)
            if isinstance(callee, Entity):
                return self._pure_arguments(module, node) and self._harmless_own(
                    callee, nested=True
                )
            return self._pure_call(module, node)
        callee = self.linker.full_name(module, node)
        if isinstance(callee, Entity):
            return self._harmless_own(callee)
        if isinstance(callee, str):
            return callee in HARMLESS or callee.removeprefix("builtins.") in HARMLESS_BUILTINS
        return isinstance(node, ast.Attribute) and node.attr in ("setter", "getter", "deleter")

    def _definition(self, entity):
        bindings = self.linker.bindings(entity.module, entity.name)
        if (entity.module, entity.name) in self.linker.stored:
            return None
        if len(bindings) != 1 or bindings[0].unit is None or bindings[0].in_function:
            return None
        node = bindings[0].unit.node
        return node if getattr(node, "name", None) == entity.name else None

    def _harmless_own(self, entity, nested=False):
        """Whether calling a local function or class has no effect; `nested`: also calling the
        function it returns.
        """
        key = entity, nested
        if key not in self.functions:
            self.functions[key] = True  # a function that calls itself
            node = self._definition(entity)
            if isinstance(node, ast.FunctionDef):
                self.functions[key] = not node.decorator_list and self._function(
                    entity.module, node, nested
                )
            elif isinstance(node, ast.ClassDef):
                self.functions[key] = not nested and self._constructs(entity.module, node)
            else:
                self.functions[key] = False
        return self.functions[key]

    def _function(self, module, node, nested):
        local = _own_containers(node)
        if any(isinstance(part, (ast.Global, ast.Nonlocal)) for part in ast.walk(node)):
            return False
        inner = [part for part in node.body if isinstance(part, ast.FunctionDef)]
        return self._block(module, node.body, local) and (
            not nested or all(self._function(module, part, False) for part in inner)
        )

    def _base(self, module, node):
        if isinstance(node, ast.Subscript):
            node = node.value
        base = self.linker.full_name(module, node)
        if isinstance(base, Entity):
            definition = self._definition(base)
            return (
                isinstance(definition, ast.ClassDef)
                and not definition.keywords
                and not _methods(definition) & SPECIAL_CLASS_METHODS
                and all(self._base(base.module, inner) for inner in definition.bases)
            )
        if isinstance(base, str) and base.startswith("builtins."):
            return isinstance(getattr(builtins, base.removeprefix("builtins.")), type)
        return base in HARMLESS_BASES

    def _constructs(self, module, node):
        return (
            not _methods(node) & CONSTRUCTORS
            and not node.keywords
            and all(self._constructing_base(module, base) for base in node.bases)
            and all(self._decorator(module, decorator) for decorator in node.decorator_list)
        )

    def _constructing_base(self, module, node):
        base = self.linker.full_name(module, node)
        if isinstance(base, Entity):
            definition = self._definition(base)
            return isinstance(definition, ast.ClassDef) and self._constructs(
                base.module, definition
            )
        return base in HARMLESS_BASES or base == "builtins.object"

    def _is_type(self, module, node):
        """Whether `node[...]` only makes a type: `list[int]`, `Callable[...]`."""
        named = self.linker.full_name(module, node)
        return isinstance(named, str) and named.split(".")[0] in (
            "typing",
            "builtins",
            "collections",
        )


def _methods(node):
    return {
        part.name for part in node.body if isinstance(part, (ast.FunctionDef, ast.AsyncFunctionDef))
    }


def _own_containers(function):
    """The local names of a function that only ever hold containers it has made itself."""
    made, stored = Counter(), Counter()
    for node in ast.walk(function):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            stored[node.id] += 1
        elif isinstance(node, ast.arg):
            stored[node.arg] += 1
        elif isinstance(node, ast.Assign) and isinstance(node.value, _DISPLAYS):
            made.update(target.id for target in node.targets if isinstance(target, ast.Name))
    return {name for name, count in made.items() if count == stored[name]}
