"""Which statements of the top level have no effect but to bind names.

Only what stands here has none; what code does when it is called is never asked. A definition has
none if its decorators, base, defaults and annotations have none, an import if it is of the standard
library or numpy, an assignment if its value is made of literals, of names, and of calls of a few
constructors.
"""

import ast
import builtins
import collections
import importlib.util
import math
import re
import sys
import typing
from functools import cached_property

from bundler.flattening.bindings import FUNCTIONS
from bundler.plan import Plan
from bundler.program import Module
from bundler.sources.project import SITE_PACKAGES
from bundler.sources.source import Unit

DECORATORS = set("""
    classmethod property staticmethod abc.abstractmethod contextlib.contextmanager functools.cache
    functools.cached_property functools.lru_cache typing.final typing.overload
    """.split())
BASES = set("""
    object Exception ArithmeticError AttributeError IndexError KeyError LookupError OSError
    RuntimeError TypeError ValueError abc.ABC typing.NamedTuple
    """.split())
# What may be asked for a type by [...]
TYPES = "typing.", "collections.abc."
GENERICS = {"dict", "frozenset", "list", "set", "tuple", "type"}
# Constants, and constructors that do nothing but make a value: what they are called with is tried
CONSTRUCTORS = {
    **{name: getattr(builtins, name) for name in "dict float frozenset int list set tuple".split()},
    **{f"math.{name}": getattr(math, name) for name in ("inf", "pi", "sqrt", "tau")},
    **{f"re.{name}": getattr(re, name) for name in "ASCII I IGNORECASE M S X compile".split()},
    "collections.deque": collections.deque,
    "typing.TypeVar": typing.TypeVar,
}
# The name by which a module says which of its functions have no effect when called at its top.
DECLARED = "EFFECT_FREE"
# Standard modules that do something when they are imported
IMPURE_MODULES = {
    "this",
    "antigravity",
    "__hello__",
    "__phello__",
    "idlelib",
    "turtle",
    "tkinter",
    "site",
}
# What does nothing when it is imported; of what --allow names nobody knows.
PURE_MODULES = (sys.stdlib_module_names | SITE_PACKAGES) - IMPURE_MODULES
_MOST = 1 << 20  # what a constructor may be called with here, which must not fill the memory


class AnyClass:
    """Stands for a class of the bot's own."""


class Purity:
    """Tells what has none."""

    def __init__(self, plan: Plan):
        self.plan = plan
        self.known: dict[Unit, bool] = {}

    def is_pure(self, module: Module, unit: Unit) -> bool:
        """Whether a unit has no effect but to bind names."""
        if unit not in self.known:
            self.known[unit] = all(self._is_pure(module, node) for node in unit.statements)
        return self.known[unit]

    def _is_pure(self, module, node):
        """Whether a statement of the top level has no effect but to bind a name."""
        site = module.site_of(node)
        if site is not None:  # whether nothing of it stays
            return site.is_flattenable and not any(
                other in self.plan.embedded for other in site.runs
            )
        if isinstance(node, ast.Import):
            return all(_is_pure_import(alias.name) for alias in node.names)
        if isinstance(node, ast.ImportFrom):
            names = [alias.name for alias in node.names]
            return node.level == 0 and all(_is_pure_import(node.module, name) for name in names)
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
            return is_plain and is_pure and self._is_type(module, node.annotation)
        if isinstance(node, ast.Expr):
            return self._is_constant(module, node.value)
        return isinstance(node, ast.Pass)

    def _is_pure_function(self, module, node):
        parts = [part for part in ast.walk(node.args) if isinstance(part, ast.arg)]
        types = filter(None, [node.returns, *(part.annotation for part in parts)])
        values = filter(None, node.args.defaults + node.args.kw_defaults)
        return (
            len(node.decorator_list) < 2
            and all(self._is_decorator(module, part) for part in node.decorator_list)
            and all(self._is_value(module, part) for part in values)
            and all(self._is_type(module, part) for part in types)
        )

    def _is_decorator(self, module, node):
        if isinstance(node, ast.Call) and self._is_declared(module, node.func):
            return all(self._is_value(module, value) for value in arguments_of(node))
        return self.full_name(module, node) in DECORATORS or self._is_declared(module, node)

    def _is_pure_class(self, module, node):
        """Whether a class has at most one base, of a few, and a body of functions and constants that
        Python can make a class of.
        """
        base = self.full_name(module, node.bases[0]) if node.bases else "object"
        if base not in BASES or node.keywords or node.bases[1:] or node.decorator_list:
            return False
        is_record = base == "typing.NamedTuple"
        names, has_default = [], []
        for part in node.body:
            value = getattr(part, "value", None)
            if isinstance(part, FUNCTIONS):
                names += [part.name] if is_record else []
            elif not isinstance(part, (ast.Assign, ast.AnnAssign, ast.Expr, ast.Pass)):
                return False
            # What may learn of the class that it is in has an effect.
            elif value is not None and not self._is_constant(module, value):
                return False
            else:
                nodes = (p for p in ast.walk(part) if isinstance(p, ast.Name))
                names += [p.id for p in nodes if isinstance(p.ctx, ast.Store)]
            if isinstance(part, ast.AnnAssign):
                has_default.append(value is not None)
            if not self._is_pure(module, part):
                return False
        # Fields with a default come last.
        in_order = has_default == sorted(has_default)
        is_sound = not is_record or in_order and len(names) == len(set(names))
        return is_sound and not any(n.startswith("_" if is_record else "__") for n in names)

    def _is_value(self, module, node):
        """Whether an expression only makes a value, or reads a name that is bound."""
        if isinstance(node, ast.Name):
            return self._is_known(module, node)
        parts = getattr(node, "elts", None)
        if isinstance(node, ast.Dict) and all(isinstance(key, ast.Constant) for key in node.keys):
            parts = node.values
        if parts is not None and not isinstance(node, ast.Set):
            return all(self._is_value(module, part) for part in parts)
        if isinstance(node, ast.Call) and self._is_declared(module, node.func):
            return all(self._is_value(module, value) for value in arguments_of(node))
        return self._is_constant(module, node)

    @cached_property
    def _declared(self):
        """The variables of the functions that their modules declare free of effects."""
        found = set()
        for module in self.plan.flat:
            for node in module.source.tree.body:
                if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == DECLARED:
                    for part in ast.walk(node.value):
                        if isinstance(part, ast.Constant) and isinstance(part.value, str):
                            found.add(self.plan.naming.variable(module, part.value))
        return found - {None}

    def _is_declared(self, module, node):
        is_name = isinstance(node, ast.Name)
        return is_name and self.plan.naming.variable(module, node.id) in self._declared

    # Values

    def _is_type(self, module, node):
        """Whether an annotation can be made, and only is."""
        is_name = isinstance(node, ast.Name)
        return self._is_known(module, node) if is_name else self._is_constant(module, node, True)

    def _is_constant(self, module, node, is_type=False):
        """Whether an expression makes a value of literals, of types and of calls of constructors,
        and does not raise. is_type: it may be what any library has, or a class of the bot's own.
        """
        try:
            self._value(module, node, is_type)
        except Exception:  # whatever it is, it happens when the bot runs
            return False
        return True

    def _value(self, module, node, is_type):
        """What such an expression is, made here. Raises whatever there is to raise."""
        if isinstance(node, (ast.Tuple, ast.List)):
            values = [self._value(module, part, is_type) for part in node.elts]
            return values if isinstance(node, ast.List) else tuple(values)
        full = self.full_name(module, getattr(node, "value", getattr(node, "func", node))) or ""
        if isinstance(node, ast.Subscript) and (full in GENERICS or full.startswith(TYPES)):
            return self._value(module, node.value, True)[self._value(module, node.slice, True)]
        if isinstance(node, ast.Call) and not node.keywords:
            is_type = full == "typing.TypeVar"
            values = [self._value(module, part, is_type) for part in node.args]
            if any(type(value) is int and abs(value) > _MOST for value in values):
                raise OverflowError
            return CONSTRUCTORS[full](*values)
        if not isinstance(node, (ast.Name, ast.Attribute)):
            return ast.literal_eval(node)
        full = self.full_name(module, node) or ""
        if not is_type or full in CONSTRUCTORS:
            return CONSTRUCTORS[full]
        if full:
            top, _, name = full.rpartition(".")
            return getattr(importlib.import_module(top or "builtins"), name)
        variable = self.plan.attributes.get(node)
        if isinstance(node, ast.Name) and self._is_known(module, node):
            variable = self.plan.naming.variable(module, node.id)
        assert variable is not None and variable.module is not None
        (binding,) = variable.module.names.bindings[variable.name]
        made = variable.module.source.units[binding.unit].node
        if isinstance(made, ast.ClassDef):
            return AnyClass
        (_,) = made.targets
        return self._value(variable.module, made.value, True)

    def _is_known(self, module, node):
        """Whether reading a name cannot fail: it is bound above, for good, or a builtin."""
        bindings = module.names.bindings.get(node.id)
        if bindings is None:
            return hasattr(builtins, node.id)
        if node.id not in module.names.definite or any(b.kind == "delete" for b in bindings):
            return False
        units = [module.source.units[binding.unit] for binding in bindings if binding.direct]
        return any(unit.first_line < node.lineno for unit in units)

    def full_name(self, module: Module, node: ast.expr) -> str | None:
        """`numpy.zeros` for what a name or `np.zeros` is, `int` for a builtin; None for others."""
        if isinstance(node, ast.Attribute):
            base = self.full_name(module, node.value)
            return base and f"{base}.{node.attr}"
        if not isinstance(node, ast.Name):
            return None
        if node.id not in module.names.bound:
            return node.id if hasattr(builtins, node.id) else None
        variable = self.plan.naming.variable(module, node.id)
        if variable is None or variable.import_text is None:
            return None
        words = variable.import_text.split()
        return words[1] if words[0] == "import" else f"{words[1]}.{words[3]}"


def _is_pure_import(name, attribute=None):
    """Whether an import is of the standard library or numpy, and can be made here."""
    if name.split(".")[0] not in PURE_MODULES:
        return False
    try:
        if attribute is None:
            return importlib.util.find_spec(name) is not None
        return hasattr(importlib.import_module(name), attribute)
    except Exception:  # whatever it is, it happens when the bot runs
        return False


def arguments_of(call: ast.Call) -> list[ast.expr]:
    return [*call.args, *(keyword.value for keyword in call.keywords)]
