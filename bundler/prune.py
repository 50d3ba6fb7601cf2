"""What of flattened modules is left out: statements without any effect that nothing kept names.

Only what stands here has no effect; what code does when it is called is never asked. A definition
has none if its decorators, bases, defaults and annotations have none, an import if it is of the
standard library or numpy, an assignment if its value is made of literals, names and PURE calls.
"""

import ast
import builtins
import math
import operator
import re
import sys

from bundler.bindings import FUNCTIONS
from bundler.naming import ModuleAlias, Variable, mentions

# Constructors that, called with literals and numbers, do nothing but make a value
PURE = set("""
    bytearray bytes dict frozenset list object range set slice tuple collections.Counter
    collections.OrderedDict collections.deque collections.namedtuple numpy.arange numpy.array
    numpy.dtype numpy.empty numpy.eye numpy.full numpy.ones numpy.zeros
    """.split())
# The same, with any values
PURE_OF_ANY = {"dataclasses.field", "enum.auto", "typing.NewType", "typing.TypeVar"}
NUMPY_TYPES = {f"numpy.{name}" for name in (
    *("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float32"),
    *("float64", "bool_"),
)}
# What is computed here and now, of numbers
COMPUTED = {
    **{name: getattr(builtins, name) for name in ("abs", "float", "int", "max", "min", "round")},
    **{f"math.{name}": getattr(math, name) for name in ("cos", "log", "radians", "sin", "sqrt")},
}
CONSTANTS = {f"math.{name}": getattr(math, name) for name in ("e", "inf", "pi", "tau")}
DECORATORS = set("""
    classmethod property staticmethod abc.abstractmethod contextlib.contextmanager
    dataclasses.dataclass enum.unique functools.cache functools.cached_property
    functools.lru_cache functools.total_ordering functools.wraps typing.final typing.overload
    typing.runtime_checkable
    """.split())
BASES = set("""
    object Exception ArithmeticError AttributeError IndexError KeyError LookupError OSError
    RuntimeError TypeError ValueError abc.ABC enum.Enum enum.Flag enum.IntEnum enum.IntFlag
    enum.StrEnum typing.Generic typing.NamedTuple typing.Protocol typing.TypedDict
    """.split())
# The name by which a module says which of its functions have no effect when called at its top.
DECLARED = "EFFECT_FREE"
# Standard modules that do something when they are imported
NOISY = {"this", "antigravity", "__hello__", "__phello__", "idlelib", "turtle", "tkinter", "site"}

_OPERATORS = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.LShift: operator.lshift,
    ast.RShift: operator.rshift,
    ast.BitOr: operator.or_,
    ast.BitAnd: operator.and_,
    ast.BitXor: operator.xor,
}
_LARGEST = 1 << 64  # what numbers are computed with


class Liveness:
    """units: those of the flattened modules that are kept. variables: those that are named by them.

    With `keep_all` every unit is kept.
    """

    def __init__(self, plan, allowed, keep_all=False):
        self.plan = plan
        self.naming = plan.naming
        self.keep_all = keep_all
        self.outside = (sys.stdlib_module_names | allowed) - NOISY
        self.units = set()
        self.variables = set()
        self.makers = {}  # Variable -> [(module, unit)]
        self.free = {}
        for module in plan.flat:
            for name, bindings in module.names.bindings.items():
                variable = self.naming.variable(module, name)
                for binding in bindings:
                    unit = module.source.units[binding.unit]
                    self.makers.setdefault(variable, []).append((module, unit))
        for module in plan.flat:
            for unit in module.source.units:
                if keep_all or not self.is_free(module, unit):
                    self._keep(module, unit)

    def is_free(self, module, unit):
        """Whether a unit has no effect but to bind names."""
        if unit not in self.free:
            self.free[unit] = all(self._is_free(module, node) for node in unit.statements)
        return self.free[unit]

    def is_import(self, unit):
        return all(isinstance(node, (ast.Import, ast.ImportFrom)) for node in unit.statements)

    def _keep(self, module, unit):
        waiting = [(module, unit)]
        while waiting:
            module, unit = waiting.pop()
            if unit in self.units:
                continue
            self.units.add(unit)
            for variable in self._named(module, unit):
                if variable not in self.variables:
                    self.variables.add(variable)
                    waiting += self.makers.get(variable, ())

    def _named(self, module, unit):
        """The variables that a unit names; an import names none but what it copies."""
        if self.is_import(unit):
            for site in module.sites:
                if site.node in unit.statements and site.is_plain and site.base is not None:
                    for alias in site.node.names:
                        own = self.naming.variable(module, alias.asname or alias.name)
                        if own in self.variables:
                            yield self.naming.variable(site.base, alias.name)
            return
        for name in mentions(unit) | unit_words(unit):
            variable = self.naming.variable(module, name)
            if isinstance(variable, Variable):
                yield variable
        attributes = self.plan.attributes.get(module, {})
        for statement in unit.statements:
            for node in ast.walk(statement):
                if node in attributes:
                    yield attributes[node][0]

    # What has no effect

    def _is_free(self, module, node):
        """Whether a statement of the top level has no effect but to bind a name."""
        if isinstance(node, ast.Expr):
            return isinstance(node.value, ast.Constant)
        if isinstance(node, ast.Import):
            return all(self._is_outside(alias.name) for alias in node.names) or self._flat(
                module, node
            )
        if isinstance(node, ast.ImportFrom):
            return node.level == 0 and self._is_outside(node.module) or self._flat(module, node)
        if isinstance(node, FUNCTIONS):
            return self._is_free_function(module, node)
        if isinstance(node, ast.ClassDef):
            return self._is_free_class(module, node)
        if isinstance(node, ast.Pass):
            return True
        return self._is_free_assignment(module, node)

    def _is_outside(self, name):
        return name.split(".")[0] in self.outside

    def _flat(self, module, node):
        """Whether nothing of an import stays, as all its modules are flattened."""
        site = self.naming.sites.get((module, node))
        return site is not None and not any(other in self.plan.carried for other in site.runs)

    def _is_free_assignment(self, module, node):
        if isinstance(node, ast.Assign):
            return all(map(_is_name, node.targets)) and self._is_value(module, node.value)
        if isinstance(node, ast.AnnAssign):
            known = node.value is None or self._is_value(module, node.value)
            return _is_name(node.target) and known and self._is_type(module, node.annotation)
        return False

    def _is_free_function(self, module, node):
        arguments = node.args
        annotations = [
            part.annotation
            for part in ast.walk(arguments)
            if isinstance(part, ast.arg) and part.annotation is not None
        ]
        if node.returns is not None:
            annotations.append(node.returns)
        defaults = [part for part in (*arguments.defaults, *arguments.kw_defaults) if part]
        return (
            all(self._is_decorator(module, part) for part in node.decorator_list)
            and all(self._is_value(module, part) for part in defaults)
            and all(self._is_type(module, part) for part in annotations)
        )

    def _is_free_class(self, module, node):
        bases = [part.value if isinstance(part, ast.Subscript) else part for part in node.bases]
        names = [self._full_name(module, part) for part in bases]
        if node.keywords or not set(names) <= BASES:
            return False
        makes_members = any(name.startswith("enum.") for name in names)
        if not all(self._is_decorator(module, part) for part in node.decorator_list):
            return False
        for part in node.body:
            if isinstance(part, FUNCTIONS):
                if not self._is_free_function(module, part):
                    return False
                if makes_members and part.name.startswith("_"):
                    return False  # Python calls it for each member
            elif not (
                isinstance(part, ast.Pass)
                or isinstance(part, ast.Expr)
                and isinstance(part.value, ast.Constant)
                or self._is_free_assignment(module, part)
            ):
                return False
        return True

    def _is_decorator(self, module, node):
        if isinstance(node, ast.Call):
            if not all(self._is_value(module, value) for value in _arguments(node)):
                return False
            node = node.func
        if isinstance(node, ast.Attribute) and node.attr in ("setter", "deleter", "getter"):
            return isinstance(node.value, ast.Name)
        return self._full_name(module, node) in DECORATORS or self._is_declared(module, node)

    def _is_type(self, module, node):
        """Whether an annotation is made of names and literals alone."""
        allowed = (
            *(ast.Name, ast.Attribute, ast.Constant, ast.Tuple, ast.List, ast.Load),
            *(ast.Subscript, ast.BinOp, ast.BitOr, ast.Slice),
        )
        return all(
            isinstance(part, allowed)
            and not (isinstance(part, ast.Name) and not self._is_known(module, part))
            for part in ast.walk(node)
        )

    def _is_value(self, module, node):
        """Whether an expression only makes a value, or reads a name that is bound."""
        if isinstance(node, ast.Name):
            return self._is_known(module, node)
        if isinstance(node, (ast.Tuple, ast.List)):
            return all(self._is_value(module, part) for part in node.elts)
        if isinstance(node, ast.Dict):
            return all(isinstance(key, ast.Constant) for key in node.keys) and all(
                self._is_value(module, value) for value in node.values
            )
        if isinstance(node, ast.Call) and (
            self._full_name(module, node.func) in PURE_OF_ANY
            or self._is_declared(module, node.func)
        ):
            return all(self._is_value(module, value) for value in _arguments(node))
        return self._is_data(module, node)

    def _is_data(self, module, node):
        """Whether an expression only makes a value of literals, numbers and such values."""
        if isinstance(node, ast.Constant):
            return True
        if isinstance(node, (ast.Tuple, ast.List)):
            return all(self._is_data(module, part) for part in node.elts)
        if isinstance(node, ast.Set):
            return all(isinstance(part, ast.Constant) for part in node.elts)
        if isinstance(node, ast.Dict):
            return all(isinstance(key, ast.Constant) for key in node.keys) and all(
                self._is_data(module, value) for value in node.values
            )
        if isinstance(node, ast.Name):
            made = self._made_once(module, node)
            if made is None or not self._is_known(module, node):
                return False
            return self._is_data(made[0], made[1]) and not isinstance(made[1], ast.Call)
        if isinstance(node, ast.Call):
            name = self._full_name(module, node.func)
            if name in PURE:
                return all(self._is_data(module, value) for value in _arguments(node))
            if name == "re.compile":
                return self._is_pattern(module, node)
        if isinstance(node, ast.Attribute) and self._full_name(module, node) in NUMPY_TYPES:
            return True
        return self._number(module, node) is not None

    def _is_pattern(self, module, node):
        """Whether a call of `re.compile` makes a pattern, and no error."""
        text, *flags = [*node.args, *(keyword.value for keyword in node.keywords)]
        try:
            re.compile(getattr(text, "value", None))
        except (re.error, TypeError):
            return False
        return all((self._full_name(module, flag) or "").startswith("re.") for flag in flags)

    def _is_known(self, module, node):
        """Whether reading a name cannot fail: it is bound above, for good, or a builtin."""
        bindings = module.names.bindings.get(node.id)
        if bindings is None:
            return hasattr(builtins, node.id)
        line = module.source.units[bindings[0].unit].first_line
        deleted = any(binding.kind == "delete" for binding in bindings)
        return node.id in module.names.surely and not deleted and line < node.lineno

    def _made_once(self, module, node):
        """(module, value) of the one assignment that binds a name, None where there is no such."""
        variable = self.naming.variable(module, node.id)
        made = [pair for pair in self.makers.get(variable, ()) if not self.is_import(pair[1])]
        if len(made) == 1 and isinstance(made[0][1].node, ast.Assign):
            statement = made[0][1].node
            if len(statement.targets) == 1 and _is_name(statement.targets[0]):
                return made[0][0], statement.value
        return None

    def _number(self, module, node, depth=0):
        """The value of arithmetic on literals and on names bound once to such; None for others."""
        if isinstance(node, ast.Constant):
            return node.value if type(node.value) in (int, float) else None
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, (ast.USub, ast.UAdd)):
            value = self._number(module, node.operand, depth)
            return None if value is None else -value
        if isinstance(node, ast.BinOp) and type(node.op) in _OPERATORS:
            left = self._number(module, node.left, depth)
            right = self._number(module, node.right, depth)
            if left is None or right is None or abs(left) > _LARGEST or abs(right) > _LARGEST:
                return None
            if isinstance(node.op, ast.LShift) and right > 64:
                return None
            return _computed(_OPERATORS[type(node.op)], (left, right))
        if isinstance(node, ast.Attribute):
            return CONSTANTS.get(self._full_name(module, node))
        if isinstance(node, ast.Call):
            values = [self._number(module, value, depth) for value in _arguments(node)]
            compute = COMPUTED.get(self._full_name(module, node.func))
            return None if compute is None or None in values else _computed(compute, values)
        if isinstance(node, ast.Name) and depth < 20 and self._is_known(module, node):
            made = self._made_once(module, node)
            return made and self._number(*made, depth + 1)
        return None

    # What a name is

    def _full_name(self, module, node):
        """`numpy.zeros` for what a name or `np.zeros` is, `int` for a builtin; None for others."""
        if isinstance(node, ast.Attribute):
            base = self._full_name(module, node.value)
            return base and f"{base}.{node.attr}"
        if not isinstance(node, ast.Name):
            return None
        variable = self.naming.variable(module, node.id)
        if variable is None:
            return node.id if hasattr(builtins, node.id) else None
        if isinstance(variable, ModuleAlias) or variable.import_text is None:
            return None
        words = variable.import_text.split()
        return words[1] if words[0] == "import" else f"{words[1]}.{words[3]}"

    def _is_declared(self, module, node):
        """Whether a function is one that its module declares free of effects."""
        if not isinstance(node, ast.Name):
            return False
        name = node.id
        while True:
            if name in declared(module):
                return True
            bindings = module.names.bindings.get(name, ())
            if len(bindings) != 1 or bindings[0].alias is None:
                return False
            site = self._site_of(module, bindings[0].alias[0])
            if site is None or site.base is None or not site.is_plain:
                return False
            module, name = site.base, bindings[0].alias[1].name

    def _site_of(self, module, node):
        return next((site for site in module.sites if site.node is node), None)


def declared(module):
    """The names in a module's EFFECT_FREE."""
    for node in module.source.tree.body:
        if isinstance(node, ast.Assign) and _is_name(node.targets[0]):
            if node.targets[0].id == DECLARED and isinstance(node.value, (ast.Tuple, ast.List)):
                return {part.value for part in node.value.elts if isinstance(part, ast.Constant)}
    return set()


def unit_words(unit):
    """The words in the texts of annotations of a unit: they name what may be looked up."""
    words = set()
    for statement in unit.statements:
        for node in ast.walk(statement):
            for part in (getattr(node, "annotation", None), getattr(node, "returns", None)):
                for inner in ast.walk(part) if isinstance(part, ast.AST) else ():
                    if isinstance(inner, ast.Constant) and isinstance(inner.value, str):
                        words.update("".join(c if c.isalnum() or c == "_" else " " for c in inner.value).split())
    return words


def _arguments(call):
    return [*call.args, *(keyword.value for keyword in call.keywords)]


def _computed(compute, values):
    try:
        return compute(*values)
    except (ArithmeticError, TypeError, ValueError):
        return None


def _is_name(node):
    return isinstance(node, ast.Name)
