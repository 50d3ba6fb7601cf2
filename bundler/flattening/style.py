"""The style that flattens: what modules may be made of to become one namespace.

A program is flattened if each of its modules, the bot's own file included, keeps to this style;
else all modules are carried whole, and Python's own import runs them, which is always right. The
style is what behaves the same in one namespace as in several. It is a whitelist: syntax, and
modules from outside. What looks into namespaces or sources (`bundler/reflection.py`) is outside.

docs/explanation/flattening.md says all of it for the writer of a bot.
"""

import ast
import builtins
import sys
from collections.abc import Iterator
from importlib import import_module
from types import ModuleType

from bundler.modules.source import FUNCTIONS, IMPORTS, bound_name, imported_names, words
from bundler.program import ImportSite, Module, Program, Reason
from bundler.reflection import reflections

# Statements and expressions; all operators besides. Missing are `async`, `try ... except*`,
# `type X = ...`, and templates.
SYNTAX = set("""
    Module FunctionDef ClassDef Return Delete Assign AugAssign AnnAssign For While If With Match
    Raise Try Assert Import ImportFrom Global Nonlocal Expr Pass Break Continue BoolOp NamedExpr
    BinOp UnaryOp Lambda IfExp Dict Set ListComp SetComp DictComp GeneratorExp Yield YieldFrom
    Compare Call FormattedValue JoinedStr Constant Attribute Subscript Starred Name List Tuple Slice
    Load Store Del comprehension ExceptHandler arguments arg keyword alias withitem match_case
    MatchValue MatchSingleton MatchSequence MatchMapping MatchClass MatchStar MatchAs MatchOr
    """.split())
OPERATORS = (ast.boolop, ast.operator, ast.unaryop, ast.cmpop)
# Modules of the standard library, and numpy; other packages are trusted, where the site has them.
MODULES = set("""
    __future__ abc argparse array ast base64 bisect cmath collections collections.abc contextlib
    copy csv dataclasses datetime decimal enum fractions functools gzip hashlib heapq io itertools
    json lzma math numbers numpy numpy.fft numpy.linalg numpy.random operator os os.path pathlib
    queue random re secrets statistics string struct sys textwrap threading time types typing uuid
    zlib
    """.split())
STANDARD = {*sys.stdlib_module_names, "numpy"}
# They compare identities, or look up classes by the names of their modules.
UNSAFE = {"__eq__", "__hash__", "__ne__", "allow_pickle", "is_", "is_not"}
# A module may bind these, if nobody reads them.
HARMLESS_DUNDERS = set("""
    __all__ __author__ __copyright__ __credits__ __date__ __email__ __license__ __maintainer__
    __status__ __version__
    """.split())
ENUMS = {"Enum", "Flag", "IntEnum", "IntFlag", "StrEnum"}
METACLASSES = {"type", "ABCMeta", "EnumMeta", "abc.ABCMeta", "enum.EnumMeta"}
# They make classes, which get the name of the module that is running.
CLASS_MAKERS = ENUMS | set("""
    NamedTuple NewType ParamSpec TypeVar TypedDict make_dataclass namedtuple new_class
    """.split())


def reasons_against(program: Program) -> dict[Module, Reason]:
    """Returns the first Reason against flattening each module that is outside of the style."""
    style = _Style(program)
    found = ((module, next(style.reasons(module), None)) for module in program.everyone)
    return {module: reason for module, reason in found if reason}


class _Style:
    def __init__(self, program: Program) -> None:
        self.entry = program.entry
        # Their members are no constants.
        self.enums = {
            module.variable(node.name)
            for module in program.everyone
            for node in module.source.tree.body
            if isinstance(node, ast.ClassDef) and _is_enum(node)
            if len(module.names.bindings[node.name]) == 1
        }

    def reasons(self, module: Module) -> Iterator[Reason]:
        """Yields what speaks against flattening a module."""
        if module.is_package and not module.is_empty:
            yield module.reason(1, "a package with code", "leave __init__.py empty")
        if module.name.split(".")[0] in STANDARD:
            yield module.reason(1, "has the name of a standard module", "give it another name")
        if module.postpones_annotations != self.entry.postpones_annotations:
            construct = "imports annotations from __future__ otherwise than the bot"
            yield module.reason(1, construct, "write it in all modules or in none")
        for name in sorted(module.names.bound):
            if name.startswith("__") and (
                name not in HARMLESS_DUNDERS or name in module.names.read
            ):
                yield module.reason(1, f"binds {name}", "give it another name")
        for line, word in reflections(module):
            yield module.reason(line, f"uses {word}")
        for site in module.sites:
            yield from _own_import(module, site)
        for node in module.source.nodes:
            if isinstance(node, ast.Name) and node.id in module.targets:
                use = module.source.parents[node]
                if not isinstance(use, ast.Attribute) or not isinstance(use.ctx, ast.Load):
                    yield module.reason(node, f"uses {node.id} as a value", "write m.name")
                else:
                    yield from _surely_has(module, node, module.targets[node.id], use.attr)
            for construct, advice in self._outside(module, node):
                yield module.reason(node, construct, advice)

    def _outside(self, module: Module, node: ast.AST) -> Iterator[tuple[str, str]]:
        """Yields (construct, advice) of what is outside of the style in a node."""
        kind = type(node).__name__
        if kind not in SYNTAX and not isinstance(node, OPERATORS):
            yield f"{kind} is no part of the style", "do without it"
        for word in words(node) & UNSAFE:
            yield f"uses {word}", "do without it"
        match node:
            case ast.Import() | ast.ImportFrom() if module.site_of(node) is None:
                if any(alias.name == "*" for alias in node.names):
                    yield "a star import", "name what you import"
                fulls = imported_names(node)[: len(node.names) if kind == "Import" else 1]
                for full in fulls:
                    if full.split(".")[0] in STANDARD and full not in MODULES:
                        yield f"{full} is no part of the style", "do without it"
            case ast.Name():
                yield from _name(module, node)
                yield from _meaning(module, node)
            case ast.Attribute():
                yield from _meaning(module, node)
            case ast.Call(ast.Attribute(_, "__class__"), [_, _, *_] | [ast.Starred()]) | ast.Call(
                _, [_, ast.Tuple(), ast.Dict()]
            ):
                yield "a call that may make a class", "make it at the top"
            case ast.FunctionDef(name="__del__"):
                yield "defines __del__", "close what it has in a method that you call"
            case ast.ClassDef():
                if module.source.parents[node] is not module.source.tree:
                    yield "a class in a block, a function or a class", "make it at the top"
                if _is_enum(node) and not any(isinstance(n, ast.Assign) for n in node.body):
                    yield f"{node.name}, an Enum without members", "give it members"
                if node.keywords or {*map(ast.unparse, node.bases)} & METACLASSES:
                    yield "a metaclass, or an argument of a class", "do without it"
            case ast.AnnAssign() if not module.is_entry:
                yield from _field(module, node)
            case ast.NamedExpr() if not module.source.is_deferred(node):
                yield "an assignment expression at the top", "write a statement"
            case ast.Compare():
                sides = [node.left, *node.comparators]
                for operator, *pair in zip(node.ops, sides, sides[1:]):
                    is_identity = isinstance(operator, (ast.Is, ast.IsNot))
                    if is_identity and not any(self._is_alone(module, side) for side in pair):
                        yield f"compares {ast.unparse(node)}", "write =="

    def _is_alone(self, module: Module, node: ast.expr) -> bool:
        """Returns True for an object that is no constant, or the only one of its value: Python
        keeps one object for equal constants that it compiles together, as in a bundle.
        """
        match node:
            case ast.Constant(value):
                return isinstance(value, bool | None)
            case ast.Call(ast.Name("type" | "object")) | ast.Name("self" | "cls"):
                return True
            case ast.Attribute(ast.Name(name)) if name not in module.names.hidden:
                variable = module.variable(name)
                return variable in self.enums or bool(module.full_names(node))
            case ast.Name(name) if name in module.names.hidden:
                return _is_written(module, node)
            case ast.Name(name) if name in module.names.bound:
                return all(binding.kind == "def" for binding in module.names.bindings[name])
            case ast.Name(name):
                return isinstance(getattr(builtins, name, None), type)
        return bool(module.full_names(node))  # of a module from outside


def _own_import(module: Module, site: ImportSite) -> Iterator[Reason]:
    """Imports of the bot's modules are `from m import names`, above all other statements."""
    node = site.node
    body = module.source.tree.body
    above = body[: body.index(node)] if node in body else body
    is_first = all(isinstance(other, IMPORTS) or _is_literal(other) for other in above)
    if site.unit.node is not node or not isinstance(node, IMPORTS) or not is_first:
        advice = "import it above all else, in a line of its own"
        yield module.reason(site.line, "an import below other statements", advice)
        return
    for alias in node.names:
        name = bound_name(alias)
        if alias in site.targets:
            if module.targets.get(name) is not site.targets[alias]:
                advice = "import it by a name without a dot, of one meaning"
                yield module.reason(site.line, f"{name} has other meanings", advice)
        elif site.base:
            yield from _surely_has(module, site.line, site.base, alias.name)
            if len(module.names.bindings[name]) > 1:
                yield module.reason(site.line, f"{name} is bound again", "bind it once")


def _surely_has(
    module: Module, place: ast.AST | int, target: Module, name: str
) -> Iterator[Reason]:
    """A module has a name for good that another one uses, and it is no module."""
    if name not in target.names.definite - target.names.shared:
        construct = f"{target.name} may have no {name}, or another one later"
        yield module.reason(place, construct, "bind it once, at the top of its module")
    elif name in target.targets or getattr(target.variable(name), "full", "") in MODULES:
        yield module.reason(place, f"a module, {name}, as a value", "import it from its package")


def _is_literal(node: ast.stmt) -> bool:
    """Returns True for a constant without names in its value, and for a docstring."""
    literals = (ast.Constant, ast.List, ast.Tuple, ast.Load)
    match node:
        case ast.Expr(value) | ast.Assign([ast.Name()], value):
            return all(isinstance(inner, literals) for inner in ast.walk(value))
    return False


def _name(module: Module, node: ast.Name) -> Iterator[tuple[str, str]]:
    name, names = node.id, module.names
    around = module.source.parents[node]
    is_main = name == "__name__" and not module.source.is_deferred(node)
    if name.startswith("__") and not (is_main or name in HARMLESS_DUNDERS | {"__debug__"}):
        if name not in names.hidden:
            yield f"uses {name}", "use a name without underscores"
    elif name == "id" and name in names.read - names.bound:
        yield "uses id()", "do without it"
    elif name == "type" and name in names.read - names.bound:
        is_asked = isinstance(around, ast.Call) and around.func is node and len(around.args) == 1
        if not is_asked or len(getattr(module.source.parents[around], "args", ())) == 3:
            yield "a class made by type()", "call type with an object, and not its result"


def _meaning(module: Module, node: ast.Name | ast.Attribute) -> Iterator[tuple[str, str]]:
    """Things from outside: modules are used by their names alone, and makers of classes at the top,
    by a call or as a base.
    """
    fulls, around = module.full_names(node), module.source.parents[node]
    is_used = isinstance(around, ast.Attribute) and isinstance(around.ctx, ast.Load)
    for full in fulls:
        if full in MODULES and not is_used:
            yield f"uses {full} as a value", f"write {ast.unparse(node)}.NAME"
        elif full not in MODULES and _is_module(full):
            yield f"{full} is no part of the style", "do without it"
    maker = CLASS_MAKERS & {full.rpartition(".")[2] for full in fulls}
    is_called = isinstance(around, ast.Call) and around.func is node
    if maker and isinstance(node.ctx, ast.Load):
        is_plain = is_called or isinstance(around, (ast.ClassDef, ast.Subscript, ast.arg))
        if module.source.is_deferred(node) or not is_plain:
            yield f"uses {min(maker)} in a function, or as a value", "call it at the top"


def _is_module(full: str) -> bool:
    """Returns True for a module that a module of MODULES has, as `os.sys`."""
    home, _, name = full.rpartition(".")
    return home in MODULES and isinstance(getattr(import_module(home), name, None), ModuleType)


def _field(module: Module, node: ast.AnnAssign) -> Iterator[tuple[str, str]]:
    """`dataclass` evaluates annotations that are texts in the module of the class."""
    around = module.source.parents[node]
    parts = ast.walk(node.annotation)
    is_text = any(isinstance(getattr(part, "value", None), str) for part in parts)
    is_text = is_text or module.postpones_annotations
    bases = [ast.unparse(base).rpartition(".")[2] for base in getattr(around, "bases", ())]
    if is_text and isinstance(around, ast.ClassDef) and bases != ["NamedTuple"]:
        yield "a text as annotation of a field", "write it without quotes"


def _is_written(module: Module, node: ast.Name) -> bool:
    """Returns True for a local variable that is written to, as in `if a is not b: a[0] = 1`."""
    around: ast.AST = module.source.parents[node]
    while not isinstance(around, (*FUNCTIONS, ast.Module)):
        around = module.source.parents[around]
    return any(
        isinstance(inner, ast.Subscript)
        and isinstance(inner.ctx, ast.Store)
        and ast.unparse(inner.value) == node.id
        for inner in ast.walk(around)
    )


def _is_enum(node: ast.ClassDef) -> bool:
    return any(ast.unparse(base).rpartition(".")[2] in ENUMS for base in node.bases)
