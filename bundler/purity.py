"""Purity: the statements of the top level that have no effect but to bind names.

Only the forms that are listed here are pure. A call of a function of the bot's own is not pure,
unless its module declares the function in EFFECT_FREE. A definition is pure if its decorators,
base, defaults and annotations are pure; an import if KNOWN has the module; an assignment if its
value is made of literals, names, and calls of a few constructors. All names have to be bound above,
or to be Python's own.

Statements that Python refuses at each start, such as `x: int[3] = 1`, are not looked for: such a
bot does not run at home.
"""

import ast
import builtins
from collections.abc import Iterable

from bundler.modules.names import DEFINITE
from bundler.modules.source import FUNCTIONS, walk
from bundler.program import Module, Variable

# Modules whose import does nothing but bind names: no other module can need it, as `import xml` can
# need `import xml.dom`.
KNOWN = set("""
    abc bisect collections collections.abc contextlib copy dataclasses enum functools heapq
    itertools json math numpy operator os pathlib random re string sys time types typing
    """.split())
SUBMODULES = {"os.path", "collections.abc", "numpy.linalg", "numpy.random", "numpy.fft"}
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
OPERATORS = (ast.Add, ast.Sub, ast.Mult, ast.LShift, ast.BitOr)
# The variable of a module that names its functions without side effects at import
DECLARED = "EFFECT_FREE"


class Purity:
    """The pure statements of some modules. units: the units whose only effect is to bind names.
    declared: the variables that EFFECT_FREE of their modules names.
    """

    def __init__(self, modules: Iterable[Module]) -> None:
        modules = [*modules]
        self.declared = self._declared(modules)
        self.units = {
            unit
            for module in modules
            for unit in module.source.units
            if all(self._is_pure(module, node) for node in unit.statements)
        }

    def _is_pure(self, module: Module, node: ast.stmt) -> bool:
        if module.site_of(node) is not None:
            return False
        match node:
            case ast.Import(names):
                return all(alias.name in KNOWN for alias in names)
            case ast.ImportFrom(source, names, level):
                modules = {f"{source}.{alias.name}" for alias in names} & SUBMODULES
                return not level and source in KNOWN and not modules
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                return self._is_pure_function(module, node)
            case ast.ClassDef():
                return self._is_pure_class(module, node)
            case ast.Assign(targets, value):
                is_plain = all(isinstance(target, ast.Name) for target in targets)
                return is_plain and self._is_plain(module, value)
            case ast.AnnAssign(ast.Name(), annotation, value):
                has_value = value is None or self._is_plain(module, value)
                return has_value and self._is_plain(module, annotation, True)
            case ast.Expr(value):
                return self._is_plain(module, value)
        return isinstance(node, ast.Pass)

    def _is_pure_function(
        self, module: Module, node: ast.FunctionDef | ast.AsyncFunctionDef
    ) -> bool:
        arguments = [inner for inner in walk(node.args) if isinstance(inner, ast.arg)]
        types = filter(None, [node.returns, *(argument.annotation for argument in arguments)])
        values = filter(None, node.args.defaults + node.args.kw_defaults)
        return (
            len(node.decorator_list) < 2
            and all(self._is_decorator(module, decorator) for decorator in node.decorator_list)
            and all(self._is_plain(module, value) for value in values)
            and all(self._is_plain(module, annotation, True) for annotation in types)
        )

    def _is_decorator(self, module: Module, node: ast.expr) -> bool:
        if isinstance(node, ast.Call):
            return self._is_declared(module, node.func) and self._is_plain(module, node)
        return self.full_name(module, node) in DECORATORS or self._is_declared(module, node)

    def _is_pure_class(self, module: Module, node: ast.ClassDef) -> bool:
        """Returns True for a class of functions and constants, with at most one base of BASES."""
        base = self.full_name(module, node.bases[0]) if node.bases else "object"
        if base not in BASES or node.keywords or node.bases[1:] or node.decorator_list:
            return False
        if any(part.id.startswith("__") for part in walk(node) if isinstance(part, ast.Name)):
            return False
        for statement in node.body:
            if not isinstance(
                statement, (*FUNCTIONS, ast.Assign, ast.AnnAssign, ast.Expr, ast.Pass)
            ):
                return False
            # A thing of the bot's may have a `__set_name__`, unless EFFECT_FREE names the class.
            value = None if isinstance(statement, FUNCTIONS) else getattr(statement, "value", None)
            read = [part for part in walk(value) if isinstance(part, ast.Name)] if value else []
            is_declared = module.variable(node.name) in self.declared
            if not is_declared and not all(self.full_name(module, name) for name in read):
                return False
        return all(self._is_pure(module, statement) for statement in node.body)

    def _declared(self, modules: Iterable[Module]) -> set[Variable | None]:
        variables = set()
        for module in modules:
            for node in module.source.tree.body:
                if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == DECLARED:
                    for inner in walk(node.value):
                        if isinstance(inner, ast.Constant) and isinstance(inner.value, str):
                            variables.add(module.variable(inner.value))
        return variables - {None}

    def _is_declared(self, module: Module, node: ast.expr) -> bool:
        return isinstance(node, ast.Name) and module.variable(node.id) in self.declared

    def _is_plain(self, module: Module, node: ast.expr, is_type: bool = False) -> bool:
        """Returns True for an expression that does nothing but make a value, or name a type."""
        match node:
            case ast.Constant() | ast.UnaryOp(ast.USub(), ast.Constant(int() | float())):
                return True
            case ast.Tuple(elements) | ast.List(elements):
                return all(self._is_plain(module, element, is_type) for element in elements)
            case ast.Dict(keys, values):
                is_known = all(isinstance(key, ast.Constant) for key in keys)
                return is_known and all(self._is_plain(module, value) for value in values)
            case ast.BinOp(left, ast.BitOr(), right) if is_type:
                return self._is_plain(module, left, True) and self._is_plain(module, right, True)
            case ast.BinOp():
                return _is_number(node)
            case ast.Subscript(whole, index):
                full = self.full_name(module, whole) or ""
                is_generic = full in GENERICS or full.startswith(TYPES)
                return is_generic and self._is_plain(module, index, True)
            case ast.Call():
                return self._is_plain_call(module, node)
            case ast.Name():
                return self._is_known(module, node)
        full_name = self.full_name(module, node)
        return full_name is not None and (is_type or full_name in CONSTRUCTORS)

    def _is_plain_call(self, module: Module, node: ast.Call) -> bool:
        values = [*node.args, *(keyword.value for keyword in node.keywords)]
        full = self.full_name(module, node.func)
        if not self._is_declared(module, node.func):
            # A name defined by the bot may be bound to another value by the time of the call.
            names = [part for value in values for part in walk(value) if isinstance(part, ast.Name)]
            if full != "typing.TypeVar" and not all(self.full_name(module, name) for name in names):
                return False
            if full not in CONSTRUCTORS or node.keywords:
                return False
        return all(self._is_plain(module, value, full == "typing.TypeVar") for value in values)

    def _is_known(self, module: Module, node: ast.Name) -> bool:
        """Returns True for a name that can be read here: a builtin, or bound once, further up."""
        bindings = module.names.bindings.get(node.id)
        if bindings is None:
            return hasattr(builtins, node.id)
        is_above = any(
            binding.kind in DEFINITE and binding.unit.first_line < node.lineno
            for binding in bindings
        )
        return is_above and node.id in module.names.definite

    def full_name(self, module: Module, node: ast.expr) -> str | None:
        """Returns `numpy.zeros` for `np.zeros`, `int` for a builtin, None for names of the bot's
        own.
        """
        if isinstance(node, ast.Attribute):
            base = self.full_name(module, node.value)
            return base and f"{base}.{node.attr}"
        if not isinstance(node, ast.Name):
            return None
        if node.id not in module.names.bound:
            return node.id if hasattr(builtins, node.id) else None
        variable = module.variable(node.id)
        return variable.full if variable else None


def _is_number(node: ast.expr) -> bool:
    """Returns True for an integer literal, and for sums and products of them."""
    match node:
        case ast.Constant(value):
            return type(value) is int
        case ast.BinOp(left, operator, right):
            return isinstance(operator, OPERATORS) and _is_number(left) and _is_number(right)
    return False
