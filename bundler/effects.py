"""Which statements of the top level have no effect but to bind names.

Only what stands here has none; what code does when it is called is never asked. A definition has
none if its decorators, bases, defaults and annotations have none, an import if it is of the
standard library or numpy, an assignment if its value is made of literals, of names, and of calls of
a few constructors.
"""

import ast
import importlib.util
import sys

from bundler.bindings import FUNCTIONS
from bundler.site import SITE_PACKAGES
from bundler.values import Unknown, Values, arguments_of

# Constructors that do nothing with what they are given but keep it
KEEPERS = {"dataclasses.field", "enum.auto", "typing.NewType", "typing.TypeVar"}
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
# What does nothing when it is imported; of what --allow names nobody knows.
QUIET = (sys.stdlib_module_names | SITE_PACKAGES) - NOISY


class Effects:
    """Tells what has none.

    makers: Variable -> [(module, unit)] that bind it.
    """

    def __init__(self, plan, makers):
        self.plan = plan
        self.naming = plan.naming
        self.values = Values(plan.naming, makers)
        self.known = {}

    def is_free(self, module, unit):
        """Whether a unit has no effect but to bind names."""
        if unit not in self.known:
            self.known[unit] = all(self._is_free(module, node) for node in unit.statements)
        return self.known[unit]

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
        if name.split(".")[0] not in QUIET:
            return False
        try:
            if attribute is None:
                return importlib.util.find_spec(name) is not None
            return hasattr(importlib.import_module(name), attribute)
        except Exception:  # whatever it is, it happens when the bot runs
            return False

    def _flat(self, module, node):
        """Whether nothing of an import stays, as all its modules are flattened."""
        site = module.site_of(node)
        return site is not None and not any(other in self.plan.carried for other in site.runs)

    def _is_free_assignment(self, module, node):
        if isinstance(node, ast.Assign):
            return all(map(_is_name, node.targets)) and self._is_value(module, node.value)
        if isinstance(node, ast.AnnAssign):
            known = node.value is None or self._is_value(module, node.value)
            return _is_name(node.target) and known and self._is_type(module, node.annotation)
        return False

    def _is_property(self, module, node):
        names = [self.values.full_name(module, part) for part in node.decorator_list]
        return names == ["property"]

    def _is_free_function(self, module, node, properties=()):
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
            all(self._is_decorator(module, part, properties) for part in node.decorator_list)
            and all(self._is_value(module, part) for part in defaults)
            and all(self._is_type(module, part) for part in annotations)
        )

    def _is_free_class(self, module, node):
        bases = [part.value if isinstance(part, ast.Subscript) else part for part in node.bases]
        names = [self.values.full_name(module, part) for part in bases]
        if node.keywords or not set(names) <= BASES:
            return False
        if not self._is_free_record(module, node, names):
            return False
        properties = set()  # of the class, above where it stands
        makes_members = any(name.startswith("enum.") for name in names)
        if not all(self._is_decorator(module, part) for part in node.decorator_list):
            return False
        for part in node.body:
            if isinstance(part, FUNCTIONS):
                if not self._is_free_function(module, part, properties):
                    return False
                properties |= {part.name} if self._is_property(module, part) else set()
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
        is_dataclass = "dataclasses.dataclass" in [
            self.values.full_name(module, part) for part in marked
        ]
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
                    hash(self.values.value(module, value))
            except (Unknown, TypeError):
                return not is_dataclass
        return True

    def _is_decorator(self, module, node, properties=()):
        if isinstance(node, ast.Attribute) and node.attr in ("setter", "deleter", "getter"):
            return getattr(node.value, "id", None) in properties
        if isinstance(node, ast.Call):
            if not all(self._is_value(module, value) for value in arguments_of(node)):
                return False
            node = node.func
        return self.values.full_name(module, node) in DECORATORS or self._is_declared(module, node)

    def _is_type(self, module, node):
        """Whether an annotation is made of names and literals alone."""
        if isinstance(node, ast.Name):
            return self.values.is_known(module, node)
        if isinstance(node, ast.Constant):
            return True
        if isinstance(node, (ast.Tuple, ast.List)):
            return all(self._is_type(module, part) for part in node.elts)
        if isinstance(node, ast.Attribute):
            own = node in self.plan.attributes.get(module, ())
            return own or self.values.full_name(module, node) is not None
        if isinstance(node, ast.Subscript):
            known = self.values.full_name(module, node.value) is not None
            return known and self._is_type(module, node.slice)
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
            texts = [isinstance(getattr(p, "value", None), str) for p in (node.left, node.right)]
            return not any(texts) and all(
                self._is_type(module, part) for part in (node.left, node.right)
            )
        return False

    def _is_value(self, module, node):
        """Whether an expression only makes a value, or reads a name that is bound."""
        if isinstance(node, ast.Name):
            return self.values.is_known(module, node)
        if isinstance(node, (ast.Tuple, ast.List)):
            return all(self._is_value(module, part) for part in node.elts)
        if isinstance(node, ast.Dict):
            return all(isinstance(key, ast.Constant) for key in node.keys) and all(
                self._is_value(module, value) for value in node.values
            )
        if isinstance(node, ast.Call) and (
            self.values.full_name(module, node.func) in KEEPERS
            or self._is_declared(module, node.func)
        ):
            return all(self._is_value(module, value) for value in arguments_of(node))
        if isinstance(node, ast.Call) and self.values.is_array(module, node):
            return True
        try:
            self.values.value(module, node)
        except Unknown:
            return False
        return True

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
            site = module.site_of(bindings[0].alias[0])
            if site is None or site.base is None or not site.is_plain:
                return False
            module, name = site.base, bindings[0].alias[1].name


def declared(module):
    """The names in a module's EFFECT_FREE."""
    for node in module.source.tree.body:
        if isinstance(node, ast.Assign) and _is_name(node.targets[0]):
            if node.targets[0].id == DECLARED and isinstance(node.value, (ast.Tuple, ast.List)):
                return {part.value for part in node.value.elts if isinstance(part, ast.Constant)}
    return set()


def _targets(node):
    targets = getattr(node, "targets", None) or [getattr(node, "target", None)]
    return [target.id for target in targets if isinstance(target, ast.Name)]


def _is_name(node):
    return isinstance(node, ast.Name)
