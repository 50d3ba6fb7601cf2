"""Purity: the statements of the top level that have no effect but to bind names.

Only the forms that stand here are pure. Calls of the bot's own functions never are, unless their
module declares it. A definition is pure if its decorators, base, defaults and annotations are; an
import if a module of KNOWN has the name; an assignment if its value is made of literals, names, and
calls of a few constructors.

A constructor or a type may still raise, and then the statement stays. These alone are evaluated:
they are made of literals and of names in KNOWN, nothing of a bot.
"""

import ast
import builtins
import contextlib
import operator
import re
import warnings
from importlib import import_module
from types import ModuleType
from typing import Any

from bundler.flattening.naming import Naming, Variable
from bundler.modules.source import FUNCTIONS
from bundler.program import Module

# Modules whose import does nothing but bind names: no other module can need it, as `import xml` can
# need `import xml.dom`.
KNOWN = {name: import_module(name) for name in """
    abc bisect collections collections.abc contextlib copy dataclasses enum functools heapq
    itertools json math numpy operator os pathlib random re string sys time types typing
    """.split()}
DECORATORS = set("""
    classmethod property staticmethod abc.abstractmethod contextlib.contextmanager functools.cache
    functools.cached_property functools.lru_cache typing.final typing.overload
    """.split())
BASES = set("""
    object Exception ArithmeticError AttributeError IndexError KeyError LookupError OSError
    RuntimeError TypeError ValueError abc.ABC typing.NamedTuple
    """.split())
# Prefixes of types that may be subscripted
TYPES = "typing.", "collections.abc."
GENERICS = {"dict", "frozenset", "list", "set", "tuple", "type"}
# Constants, and constructors that do nothing but make a value
CONSTRUCTORS = set("""
    dict float frozenset int list set tuple math.inf math.pi math.sqrt math.tau re.ASCII re.I
    re.IGNORECASE re.M re.S re.X re.compile collections.deque typing.TypeVar
    """.split())
DATACLASS = "dataclasses.dataclass"  # the decorator of classes that surely stay classes
# Of whole numbers, the second one at most MOST; and | of types
OPERATORS = {ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul}
OPERATORS |= {ast.LShift: operator.lshift, ast.BitOr: operator.or_}
MOST = 64
# The variable of a module that names its functions without side effects at import
DECLARED = "EFFECT_FREE"
# The errors of a value that is none of the known forms, or raises
_UNKNOWN = (
    *(ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError),
    *(Warning, re.error),
)


class Unknown:
    """The value of a bound name: all that asks for more than its being there is an error."""

    __hash__ = None  # type: ignore[assignment]


class Purity:
    """units: those of flattened modules that have no effect but to bind names."""

    def __init__(self, naming: Naming) -> None:
        self.naming = naming
        self.declared = self._declared()
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            self.units = {
                unit
                for module in naming.modules
                for unit in module.source.units
                if all(self._is_pure(module, node) for node in unit.statements)
            }

    def _is_pure(self, module: Module, node: ast.stmt) -> bool:
        site = module.site_of(node)
        if site is not None:  # pure if nothing of it stays
            return not self.naming.is_carried
        if isinstance(node, ast.Import):
            return all(alias.name in KNOWN for alias in node.names)
        if isinstance(node, ast.ImportFrom):
            source = KNOWN.get(node.module or "")
            imported = [getattr(source, alias.name, source) for alias in node.names]
            return not node.level and not any(
                isinstance(value, ModuleType | None) for value in imported
            )
        if isinstance(node, FUNCTIONS):
            return self._is_pure_function(module, node)
        if isinstance(node, ast.ClassDef):
            return self._is_pure_class(module, node)
        if isinstance(node, ast.Assign):
            is_plain = all(isinstance(target, ast.Name) for target in node.targets)
            return is_plain and self._is_value(module, node.value)
        if isinstance(node, ast.AnnAssign):
            is_pure = node.value is None or self._is_value(module, node.value)
            is_plain = isinstance(node.target, ast.Name)
            return is_plain and is_pure and self._is_value(module, node.annotation, True)
        if isinstance(node, ast.Expr):
            return self._is_value(module, node.value)
        return isinstance(node, ast.Pass)

    def _is_pure_function(
        self, module: Module, node: ast.FunctionDef | ast.AsyncFunctionDef
    ) -> bool:
        arguments = [inner for inner in ast.walk(node.args) if isinstance(inner, ast.arg)]
        types = filter(None, [node.returns, *(argument.annotation for argument in arguments)])
        values = filter(None, node.args.defaults + node.args.kw_defaults)
        return (
            len(node.decorator_list) < 2
            and all(self._is_decorator(module, decorator) for decorator in node.decorator_list)
            and all(self._is_value(module, value) for value in values)
            and all(self._is_value(module, annotation, True) for annotation in types)
        )

    def _is_decorator(self, module: Module, node: ast.expr) -> bool:
        if isinstance(node, ast.Call):
            return self._is_declared(module, node.func) and self._is_value(module, node)
        return self.full_name(module, node) in DECORATORS or self._is_declared(module, node)

    def _is_pure_class(self, module: Module, node: ast.ClassDef) -> bool:
        """Returns True for a class of functions and constants, with at most one base of BASES."""
        base = self.full_name(module, node.bases[0]) if node.bases else "object"
        if base not in BASES or node.keywords or node.bases[1:] or node.decorator_list:
            return False
        is_record = base == "typing.NamedTuple"
        names, has_default = [], []
        for statement in node.body:
            value = getattr(statement, "value", None)
            if isinstance(statement, FUNCTIONS):
                names += [statement.name] if is_record else []
            elif isinstance(statement, (ast.Assign, ast.AnnAssign, ast.Expr, ast.Pass)):
                read = ast.walk(value) if value is not None else ()
                if not all(self.full_name(module, p) for p in read if isinstance(p, ast.Name)):
                    return False
                nodes = (p for p in ast.walk(statement) if isinstance(p, ast.Name))
                names += [p.id for p in nodes if isinstance(p.ctx, ast.Store)]
            else:
                return False
            if isinstance(statement, ast.AnnAssign):
                has_default.append(value is not None)
            if not self._is_pure(module, statement):
                return False
        # Fields with a default come last.
        in_order = has_default == sorted(has_default)
        is_sound = not is_record or (in_order and len(names) == len(set(names)))
        return is_sound and not any(n.startswith("_" if is_record else "__") for n in names)

    def _declared(self) -> set[Variable]:
        variables = set()
        for module in self.naming.modules:
            for node in module.source.tree.body:
                if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == DECLARED:
                    for inner in ast.walk(node.value):
                        if isinstance(inner, ast.Constant) and isinstance(inner.value, str):
                            variables.add(self.naming.variable(module, inner.value))
        return {variable for variable in variables if variable is not None}

    def _is_declared(self, module: Module, node: ast.expr) -> bool:
        if not isinstance(node, ast.Name):
            return False
        variable = self.naming.variable(module, node.id)
        return variable is not None and variable in self.declared

    def _is_value(self, module: Module, node: ast.expr, is_type: bool = False) -> bool:
        """Returns True for an expression that does nothing but make a value."""
        with contextlib.suppress(*_UNKNOWN):
            self._value(module, node, is_type)
            return True
        return False

    def _value(self, module: Module, node: ast.expr, is_type: bool) -> Any:
        """Returns the value of an expression. Raises one of _UNKNOWN for an unknown form.

        is_type: accept any name of KNOWN as well, and look at the classes of the bot's own.
        """
        if isinstance(node, (ast.Tuple, ast.List)):
            values = [self._value(module, element, is_type) for element in node.elts]
            return values if isinstance(node, ast.List) else tuple(values)
        if isinstance(node, ast.Dict) and all(isinstance(key, ast.Constant) for key in node.keys):
            pairs = zip(map(ast.literal_eval, filter(None, node.keys)), node.values)
            return {key: self._value(module, value, is_type) for key, value in pairs}
        if isinstance(node, ast.Call) and self._is_declared(module, node.func):
            for argument in (*node.args, *(keyword.value for keyword in node.keywords)):
                self._value(module, argument, is_type)
            return Unknown()
        full = self.full_name(module, getattr(node, "value", getattr(node, "func", node))) or ""
        if isinstance(node, ast.Subscript) and (full in GENERICS or full.startswith(TYPES)):
            whole, index = (
                self._value(module, operand, True) for operand in (node.value, node.slice)
            )
            return whole[index]
        if isinstance(node, ast.Call) and not node.keywords and full in CONSTRUCTORS:
            is_type = full == "typing.TypeVar"
            return find(full)(*(self._value(module, argument, is_type) for argument in node.args))
        if isinstance(node, ast.BinOp) and type(node.op) in OPERATORS:
            sides = [self._value(module, operand, True) for operand in (node.left, node.right)]
            is_union = is_type and isinstance(node.op, ast.BitOr)
            if is_union or ({*map(type, sides)} == {int} and 0 <= sides[1] <= MOST):
                return OPERATORS[type(node.op)](*sides)
        if not isinstance(node, (ast.Name, ast.Attribute)):
            return ast.literal_eval(node)
        full = self.full_name(module, node) or ""
        if full in CONSTRUCTORS or (is_type and full):
            return find(full)
        variable = self.naming.attributes.get(node) if is_type else None
        if isinstance(node, ast.Name) and self._is_known(module, node):
            variable = self.naming.variable(module, node.id)
        elif variable is None:
            raise LookupError
        if is_type and variable and variable.module:
            (binding,) = variable.module.names.bindings[variable.name]
            made = binding.unit.node
            if isinstance(made, ast.ClassDef):
                decorators = (
                    getattr(decorator, "func", decorator) for decorator in made.decorator_list
                )
                full_names = {self.full_name(variable.module, name) for name in decorators}
                if full_names <= {DATACLASS}:
                    return object  # a stand-in for any class
            if isinstance(made, ast.Assign) and not made.targets[1:]:
                return self._value(variable.module, made.value, True)
        return Unknown()

    def _is_known(self, module: Module, node: ast.Name) -> bool:
        """Returns True for a name that can be read: it is bound above, for good, or a builtin."""
        bindings = module.names.bindings.get(node.id)
        if bindings is None:
            return hasattr(builtins, node.id)
        is_above = any(
            binding.direct and binding.unit.first_line < node.lineno for binding in bindings
        )
        return is_above and node.id in module.names.definite

    def full_name(self, module: Module, node: ast.expr) -> str | None:
        """`numpy.zeros` for `np.zeros`, `int` for a builtin; None for names of the bot's own."""
        if isinstance(node, ast.Attribute):
            base = self.full_name(module, node.value)
            return base and f"{base}.{node.attr}"
        if not isinstance(node, ast.Name):
            return None
        if node.id not in module.names.bound:
            return node.id if hasattr(builtins, node.id) else None
        variable = self.naming.variable(module, node.id)
        return variable.full if variable else None


def find(name: str) -> Any:
    """Returns the attribute of a module of KNOWN, or the builtin, of a full name. Raises KeyError
    and AttributeError.
    """
    top, _, attribute = name.partition(".")
    return operator.attrgetter(attribute)(KNOWN[top]) if attribute else getattr(builtins, top)
