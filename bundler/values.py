"""The values of expressions that are known before the bot runs: literals, numbers, and calls of a few
constructors, which are tried here.
"""

import ast
import builtins
import collections
import math
import operator
import re

from bundler.naming import ModuleAlias

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
NUMPY_TYPES = {
    f"numpy.{name}"
    for name in (
        *("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float32"),
        *("float64", "bool_"),
    )
}
CONSTANTS = {
    **{f"math.{name}": getattr(math, name) for name in ("e", "inf", "pi", "tau")},
    **{
        f"re.{flag}": getattr(re, flag) for flag in ("A", "ASCII", "I", "IGNORECASE", "M", "S", "X")
    },
}
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


class Unknown(Exception):
    """An expression whose value is not known before the bot runs."""


def _small(number):
    if type(number) not in (int, float) or abs(number) > _LARGEST:
        raise Unknown
    return number


def _small_or_text(value):
    return value if isinstance(value, str) else _small(value)


def _plain(value):
    """A value that a constructor may be called with here: none that would fill the memory."""
    if type(value) is int and abs(value) > _MOST and value != 1 << 64:
        raise Unknown
    return value


def arguments_of(call):
    return [*call.args, *(keyword.value for keyword in call.keywords)]


class Values:
    """Finds them. makers: Variable -> [(module, unit)] that bind it."""

    def __init__(self, naming, makers):
        self.naming = naming
        self.makers = makers

    def is_array(self, module, node):
        """Whether a call makes an array of numpy, of a shape or of numbers that it can have."""
        name = self.full_name(module, node.func)
        if name not in NUMPY_SHAPES | NUMPY_VALUES or not node.args:
            return False
        first, *others = arguments_of(node)
        for part in others:
            full = self.full_name(module, part) if isinstance(part, ast.Attribute) else None
            if full not in NUMPY_TYPES and not isinstance(part, ast.Constant):
                return False
        try:
            value = self.value(module, first)
        except Unknown:
            return False
        numbers = value if isinstance(value, (tuple, list, range)) else [value]
        least = 0 if name in NUMPY_SHAPES else -_LARGEST
        return all(type(number) in (int, float) and least <= number for number in numbers)

    def value(self, module, node, depth=0):
        """The value of an expression of literals, numbers and TRIED calls; raises Unknown for all
        other ones, and for those that raise.
        """
        if depth > _DEEPEST:
            raise Unknown
        parts = [
            self.value(module, part, depth + 1)
            for part in ast.iter_child_nodes(node)
            if isinstance(part, ast.expr) and not isinstance(node, (ast.Attribute, ast.Call))
        ]
        try:
            if isinstance(node, ast.Constant):
                return node.value
            if isinstance(node, ast.JoinedStr):
                return "".join(map(str, parts))
            if isinstance(node, ast.FormattedValue) and node.conversion == -1 and len(parts) == 1:
                return format(_small_or_text(parts[0]))
            if isinstance(node, (ast.Tuple, ast.List, ast.Set)):
                return {ast.Tuple: tuple, ast.List: list, ast.Set: set}[type(node)](parts)
            if isinstance(node, ast.Dict) and None not in node.keys:
                return dict(zip(parts[: len(node.keys)], parts[len(node.keys) :]))
            if isinstance(node, ast.UnaryOp) and type(node.op) in _SIGNS:
                return _SIGNS[type(node.op)](*parts)
            if isinstance(node, ast.BinOp) and type(node.op) in _OPERATORS:
                if isinstance(node.op, ast.LShift) and parts[1] > _MOST_BITS:
                    raise Unknown
                return _OPERATORS[type(node.op)](*map(_small, parts))
            if isinstance(node, ast.Attribute):
                return CONSTANTS[self.full_name(module, node)]
            if isinstance(node, ast.Call):
                call = TRIED[self.full_name(module, node.func)]
                values = [_plain(self.value(module, part, depth + 1)) for part in node.args]
                named = {
                    part.arg: _plain(self.value(module, part.value, depth + 1))
                    for part in node.keywords
                }
                return call(*values, **named)
            if isinstance(node, ast.Name):
                made = self._made_once(module, node) if self.is_known(module, node) else None
                if made is not None and not isinstance(made[1], ast.Call):
                    value = self.value(*made, depth + 1)
                    hash(value)  # what can be changed may have been
                    return value
        except Unknown:
            raise
        except Exception as error:  # whatever it is, it happens when the bot runs
            raise Unknown from error
        raise Unknown

    def _made_once(self, module, node):
        """(module, value) of the one assignment that binds a name, None where there is no such."""
        variable = self.naming.variable(module, node.id)
        made = [pair for pair in self.makers.get(variable, ()) if not pair[1].is_import]
        if len(made) == 1 and isinstance(made[0][1].node, ast.Assign):
            statement = made[0][1].node
            if len(statement.targets) == 1 and isinstance(statement.targets[0], ast.Name):
                return made[0][0], statement.value
        return None

    def is_known(self, module, node):
        """Whether reading a name cannot fail: it is bound above, for good, or a builtin."""
        bindings = module.names.bindings.get(node.id)
        if bindings is None:
            return hasattr(builtins, node.id)
        if node.id not in module.names.surely or any(b.kind == "delete" for b in bindings):
            return False
        units = [module.source.units[binding.unit] for binding in bindings if binding.direct]
        return any(unit.first_line < node.lineno for unit in units)

    def full_name(self, module, node):
        """`numpy.zeros` for what a name or `np.zeros` is, `int` for a builtin; None for others."""
        if isinstance(node, ast.Attribute):
            base = self.full_name(module, node.value)
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
