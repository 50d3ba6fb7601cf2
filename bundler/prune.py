"""What of flattened modules is left out: statements without any effect that nothing kept names.

Only what stands here has no effect; what code does when it is called is never asked. A definition
has none if its decorators, bases, defaults and annotations have none, an import if it is of the
standard library or numpy, an assignment if its value is made of literals, names and PURE calls.
"""

import ast
import builtins
import collections
import importlib.util
import math
import operator
import re
import sys

from bundler.bindings import FUNCTIONS
from bundler.naming import ModuleAlias, Variable, mentions

# Constructors that do nothing but make a value: what they are called with here is tried
TRIED = {
    **{
        name: getattr(builtins, name)
        for name in (
            *("abs", "bytearray", "bytes", "dict", "float", "frozenset", "int", "list", "max"),
            *("min", "object", "range", "round", "set", "slice", "tuple"),
        )
    },
    **{f"math.{name}": getattr(math, name) for name in ("cos", "log", "radians", "sin", "sqrt")},
    **{
        f"collections.{name}": getattr(collections, name)
        for name in ("Counter", "OrderedDict", "deque", "namedtuple")
    },
    "re.compile": re.compile,
}
# Those of numpy, which take a shape, and those that take numbers
NUMPY_SHAPES = {f"numpy.{name}" for name in ("empty", "full", "ones", "zeros")}
NUMPY_VALUES = {"numpy.arange", "numpy.array", "numpy.dtype"}
# The same, with any values
PURE_OF_ANY = {"dataclasses.field", "enum.auto", "typing.NewType", "typing.TypeVar"}
NUMPY_TYPES = {f"numpy.{name}" for name in (
    *("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float32"),
    *("float64", "bool_"),
)}
CONSTANTS = {
    **{f"math.{name}": getattr(math, name) for name in ("e", "inf", "pi", "tau")},
    **{f"re.{flag}": getattr(re, flag) for flag in ("A", "ASCII", "I", "IGNORECASE", "M", "S", "X")},
}
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
_SIGNS = {ast.USub: operator.neg, ast.UAdd: operator.pos, ast.Invert: operator.inv}
_LARGEST = 1 << 64  # what numbers are computed with
_MOST, _MOST_BITS = 1 << 20, 256
_DEEPEST = 50  # names after names


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
        self.copied = {}  # Variable -> those that it is a copy of
        self.free = {}
        for module in plan.flat:
            for name, bindings in module.names.bindings.items():
                variable = self.naming.variable(module, name)
                for binding in bindings:
                    self._note_copy(module, variable, binding)
                    unit = module.source.units[binding.unit]
                    self.makers.setdefault(variable, []).append((module, unit))
        for module in plan.flat:
            for unit in module.source.units:
                if keep_all or not self.is_free(module, unit):
                    self._keep(module, unit)

    def _note_copy(self, module, variable, binding):
        """Remember of what `from m import name as other` is a copy."""
        site = binding.alias and self.naming.sites.get((module, binding.alias[0]))
        if site and site.base is not None and self.plan.is_flat(site.base):
            if binding.alias[1] not in site.targets:
                meant = self.naming.variable(site.base, binding.alias[1].name)
                if meant != variable:
                    self.copied.setdefault(variable, []).append(meant)

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
                self._need(variable, waiting)

    def _need(self, variable, waiting):
        if variable not in self.variables:
            self.variables.add(variable)
            waiting += self.makers.get(variable, ())
            for other in self.copied.get(variable, ()):
                self._need(other, waiting)

    def _named(self, module, unit):
        """The variables that a unit names; an import by itself needs none."""
        if self.is_import(unit):
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
            found = all(self._is_outside(alias.name) for alias in node.names)
            return found or self._flat(module, node)
        if isinstance(node, ast.ImportFrom):
            if self._flat(module, node) or node.module == "__future__":
                return True
            return node.level == 0 and all(
                self._is_outside(node.module, alias.name) for alias in node.names
            )
        if isinstance(node, FUNCTIONS):
            return self._is_free_function(module, node)
        if isinstance(node, ast.ClassDef):
            return self._is_free_class(module, node)
        if isinstance(node, ast.Pass):
            return True
        return self._is_free_assignment(module, node)

    def _is_outside(self, name, attribute=None):
        """Whether an import is of the standard library or numpy, and can be made here."""
        if name.split(".")[0] not in self.outside:
            return False
        try:
            if attribute is None:
                return importlib.util.find_spec(name) is not None
            return hasattr(importlib.import_module(name), attribute)
        except Exception:  # whatever it is, it happens when the bot runs
            return False

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
        if not self._is_free_record(module, node, names):
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

    def _is_free_record(self, module, node, bases):
        """Whether Python can make the fields of a dataclass, a NamedTuple or __slots__."""
        marked = [part.func if isinstance(part, ast.Call) else part for part in node.decorator_list]
        is_dataclass = "dataclasses.dataclass" in [self._full_name(module, part) for part in marked]
        if not is_dataclass and "typing.NamedTuple" not in bases:
            slots = [part for part in node.body if "__slots__" in _targets(part)]
            stored = [part for part in node.body if _targets(part)]
            return not slots or len(stored) == 1
        fields = [part for part in node.body if isinstance(part, ast.AnnAssign)]
        values = [part.value for part in fields]
        while values and values[0] is None:
            del values[0]
        if None in values or node.decorator_list and not is_dataclass:
            return False
        for value in values:
            try:
                if not (isinstance(value, ast.Call) and self._is_value(module, value)):
                    hash(self._value(module, value))
            except (_Unknown, TypeError):
                return not is_dataclass
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
        if isinstance(node, ast.Call) and self._is_array(module, node):
            return True
        try:
            self._value(module, node)
        except _Unknown:
            return False
        return True

    def _is_array(self, module, node):
        """Whether a call makes an array of numpy, of a shape or of numbers that it can have."""
        name = self._full_name(module, node.func)
        if name not in NUMPY_SHAPES | NUMPY_VALUES or not node.args:
            return False
        first, *others = _arguments(node)
        for part in others:
            full = self._full_name(module, part) if isinstance(part, ast.Attribute) else None
            if full not in NUMPY_TYPES and not isinstance(part, ast.Constant):
                return False
        try:
            value = self._value(module, first)
        except _Unknown:
            return False
        numbers = value if isinstance(value, (tuple, list, range)) else [value]
        least = 0 if name in NUMPY_SHAPES else -_LARGEST
        return all(type(number) in (int, float) and least <= number for number in numbers)

    def _value(self, module, node, depth=0):
        """The value of an expression of literals, numbers and TRIED calls; raises _Unknown for all
        other ones, and for those that raise.
        """
        if depth > _DEEPEST:
            raise _Unknown
        parts = [
            self._value(module, part, depth + 1)
            for part in ast.iter_child_nodes(node)
            if isinstance(part, ast.expr) and not isinstance(node, (ast.Attribute, ast.Call))
        ]
        try:
            if isinstance(node, ast.Constant):
                return node.value
            if isinstance(node, (ast.Tuple, ast.List, ast.Set)):
                return {ast.Tuple: tuple, ast.List: list, ast.Set: set}[type(node)](parts)
            if isinstance(node, ast.Dict) and None not in node.keys:
                return dict(zip(parts[: len(node.keys)], parts[len(node.keys) :]))
            if isinstance(node, ast.UnaryOp) and type(node.op) in _SIGNS:
                return _SIGNS[type(node.op)](*parts)
            if isinstance(node, ast.BinOp) and type(node.op) in _OPERATORS:
                if isinstance(node.op, ast.LShift) and parts[1] > _MOST_BITS:
                    raise _Unknown
                return _OPERATORS[type(node.op)](*map(_small, parts))
            if isinstance(node, ast.Attribute):
                return CONSTANTS[self._full_name(module, node)]
            if isinstance(node, ast.Call):
                call = TRIED[self._full_name(module, node.func)]
                values = [_plain(self._value(module, part, depth + 1)) for part in node.args]
                named = {
                    part.arg: _plain(self._value(module, part.value, depth + 1))
                    for part in node.keywords
                }
                return call(*values, **named)
            if isinstance(node, ast.Name):
                made = self._made_once(module, node) if self._is_known(module, node) else None
                if made is not None and not isinstance(made[1], ast.Call):
                    return self._value(*made, depth + 1)
        except _Unknown:
            raise
        except Exception as error:  # whatever it is, it happens when the bot runs
            raise _Unknown from error
        raise _Unknown

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


def _targets(node):
    targets = getattr(node, "targets", None) or [getattr(node, "target", None)]
    return [target.id for target in targets if isinstance(target, ast.Name)]


class _Unknown(Exception):
    """An expression whose value is not known before the bot runs."""


def _small(number):
    if type(number) not in (int, float) or abs(number) > _LARGEST:
        raise _Unknown
    return number


def _plain(value):
    """A value that a constructor may be called with here: none that would fill the memory."""
    if type(value) is int and abs(value) > _MOST and value != 1 << 64:
        raise _Unknown
    return value


def _is_name(node):
    return isinstance(node, ast.Name)
