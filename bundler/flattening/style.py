"""The style of programs that can be flattened: what their modules may be made of to share one
namespace.

A program is flattened if each of its modules, the bot's own file included, keeps to this style.
Otherwise all modules are carried whole, and Python's own import runs them, which is always right.
The style is a whitelist of syntax and of modules from outside: all that behaves the same in one
namespace as in several. Code that inspects namespaces or sources (`bundler/reflection.py`) is
outside of the style.

docs/explanation/flattening.md explains the style to the writer of a bot.
"""

import ast
import builtins
import sys
from collections.abc import Iterator
from importlib import import_module
from types import ModuleType

from bundler.modules.source import FUNCTIONS, IMPORTS, bound_name, imported_names, walk, words
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
    copy csv dataclasses datetime decimal fractions functools gzip hashlib heapq io itertools
    json lzma math numbers numpy numpy.fft numpy.linalg numpy.random operator os os.path pathlib
    queue random re secrets statistics string struct sys textwrap threading time types typing uuid
    zlib
    """.split())
STANDARD = {*sys.stdlib_module_names, "numpy"}
# Names that compare identities, make classes, or look up classes by their modules' names.
UNSAFE = {"ABCMeta", "__class__", "__eq__", "__hash__", "__ne__", "allow_pickle", "is_", "is_not"}
# A module may bind these special names, if no module reads them.
HARMLESS_DUNDERS = set("""
    __all__ __author__ __copyright__ __credits__ __date__ __email__ __license__ __maintainer__
    __status__ __version__
    """.split())
# They make classes, which get the name of the module that is running.
CLASS_MAKERS = set("""
    NamedTuple NewType ParamSpec TypeVar TypedDict make_dataclass namedtuple new_class
    """.split())


def reasons_against(program: Program) -> dict[Module, Reason]:
    """Returns {module: the first Reason against flattening it} of the modules that are outside of
    the style.
    """
    found = ((module, next(_reasons(module, program.entry), None)) for module in program.everyone)
    return {module: reason for module, reason in found if reason}


def _reasons(module: Module, entry: Module) -> Iterator[Reason]:
    """Yields the Reasons against flattening a module. entry: the module of the bot's own file."""
    if module.is_package and not module.is_empty:
        yield module.reason(1, "a package with code")
    if module.name.split(".")[0] in STANDARD:
        yield module.reason(1, "has the name of a standard module")
    if module.postpones_annotations != entry.postpones_annotations:
        yield module.reason(1, "imports annotations from __future__ otherwise than the bot")
    for name in sorted(module.names.bound):
        if name.startswith("__") and (name not in HARMLESS_DUNDERS or name in module.names.read):
            yield module.reason(1, f"binds {name}")
    for line, word in reflections(module):
        yield module.reason(line, f"uses {word}")
    for site in module.sites:
        for construct in _own_import(module, site):
            yield module.reason(site.line, construct)
    for node in module.source.nodes:
        for construct in _outside(module, node):
            yield module.reason(node, construct)


def _own_import(module: Module, site: ImportSite) -> Iterator[str]:
    """Yields the objections to an import of the bot's modules: it has to stand above all other
    statements, alone in its line, and nothing else may bind its names.
    """
    node, body = site.node, module.source.tree.body
    above = body[: body.index(node)] if node in body else body
    is_first = all(isinstance(other, IMPORTS) or _is_literal(other) for other in above)
    if site.unit.node is not node or not isinstance(node, IMPORTS) or not is_first:
        yield "an import below other statements"
        return
    for alias in node.names:
        name = bound_name(alias)
        if alias in site.targets:
            if module.targets.get(name) is not site.targets[alias]:
                yield f"{name} has other meanings"
        elif site.base:
            yield from _surely_has(site.base, alias.name)
            if len(module.names.bindings[name]) > 1:
                yield f"{name} is bound again"


def _surely_has(target: Module, name: str) -> Iterator[str]:
    """Yields an objection unless `target` surely defines `name`, once, and not as a module."""
    if name not in target.names.definite - target.names.shared:
        yield f"{target.name} may have no {name}, or another one later"
    elif name in target.targets or getattr(target.variable(name), "full", "") in MODULES:
        yield f"a module, {name}, as a value"


def _is_literal(node: ast.stmt) -> bool:
    """Returns True for a docstring, and for the assignment of a value without names to one name."""
    literals = (ast.Constant, ast.List, ast.Tuple, ast.Load)
    match node:
        case ast.Expr(value) | ast.Assign([ast.Name()], value):
            return all(isinstance(inner, literals) for inner in walk(value))
    return False


def _outside(module: Module, node: ast.AST) -> Iterator[str]:
    """Yields a phrase for each feature of a node that is outside of the style."""
    kind = type(node).__name__
    if kind not in SYNTAX and not isinstance(node, OPERATORS):
        yield f"{kind} is no part of the style"
    for word in words(node) & UNSAFE:
        yield f"uses {word}"
    match node:
        case ast.Import() | ast.ImportFrom() if module.site_of(node) is None:
            if any(alias.name == "*" for alias in node.names):
                yield "a star import"
            for full in imported_names(node)[: len(node.names) if kind == "Import" else 1]:
                if full.split(".")[0] in STANDARD and full not in MODULES:
                    yield f"{full} is no part of the style"
        case ast.Name():
            yield from _name(module, node)
            yield from _meaning(module, node)
        case ast.Attribute():
            yield from _meaning(module, node)
        case ast.FunctionDef(name="__del__"):
            yield "defines __del__"
        case ast.ClassDef():
            if module.source.parents[node] is not module.source.tree:
                yield "a class in a block, a function or a class"
            if node.keywords:
                yield "a metaclass, or an argument of a class"
        case ast.AnnAssign() if not module.is_entry:
            yield from _field(module, node)
        case ast.NamedExpr() if not module.source.is_deferred(node):
            yield "an assignment expression at the top"
        case ast.Compare():
            sides = [node.left, *node.comparators]
            for operator, *pair in zip(node.ops, sides, sides[1:]):
                is_identity = isinstance(operator, ast.Is | ast.IsNot)
                if is_identity and not any(_is_alone(module, side) for side in pair):
                    yield f"compares {ast.unparse(node)}"


def _is_alone(module: Module, node: ast.expr) -> bool:
    """Returns True for an operand of `is` that gives the same result in a bundle: a bool, None, a
    class, a function, a call of `type` or `object`, or a local variable that is written to. Equal
    constants that Python compiles together, as in a bundle, become one object.
    """
    match node:
        case ast.Constant(value):
            return isinstance(value, bool | None)
        case ast.Call(ast.Name("type" | "object")):
            return True
        case ast.Name(name) if name in module.names.hidden:
            return _is_written(module, node)
        case ast.Name(name) if name in module.names.bound:
            return all(binding.kind == "def" for binding in module.names.bindings[name])
        case ast.Name(name):
            return isinstance(getattr(builtins, name, None), type)
    return False


def _is_written(module: Module, node: ast.Name) -> bool:
    """Returns True for a local variable whose items its function assigns, as in `if a is not b:
    a[0] = 1`.
    """
    around: ast.AST = module.source.parents[node]
    while not isinstance(around, (*FUNCTIONS, ast.Module)):
        around = module.source.parents[around]
    return any(
        isinstance(inner, ast.Subscript)
        and isinstance(inner.ctx, ast.Store)
        and ast.unparse(inner.value) == node.id
        for inner in walk(around)
    )


def _name(module: Module, node: ast.Name) -> Iterator[str]:
    name, names = node.id, module.names
    use = module.source.parents[node]
    if name in module.targets:
        if isinstance(use, ast.Attribute) and isinstance(use.ctx, ast.Load):
            yield from _surely_has(module.targets[name], use.attr)
        else:
            yield f"uses {name} as a value"
    is_main = name == "__name__" and not module.source.is_deferred(node)
    if name.startswith("__") and not (is_main or name in HARMLESS_DUNDERS | {"__debug__"}):
        if name not in names.hidden:
            yield f"uses {name}"
    elif name in ("id", "type") and name in names.read - names.bound:
        is_asked = isinstance(use, ast.Call) and use.func is node and len(use.args) == 1
        is_plain = isinstance(module.source.parents[use], ast.Attribute | ast.Compare)
        if name == "id" or not is_asked or not is_plain:
            yield f"uses {name}()"


def _meaning(module: Module, node: ast.Name | ast.Attribute) -> Iterator[str]:
    """Yields the objections to a use of a name from outside: of a module as a value, of a module
    that is no part of the style, and of a maker of classes in a function or as a value.
    """
    fulls, around = module.full_names(node), module.source.parents[node]
    is_used = isinstance(around, ast.Attribute) and isinstance(around.ctx, ast.Load)
    for full in fulls:
        if full in MODULES and not is_used:
            yield f"uses {full} as a value"
        elif full not in MODULES and _is_module(full):
            yield f"{full} is no part of the style"
    maker = CLASS_MAKERS & {full.rpartition(".")[2] for full in fulls}
    is_called = isinstance(around, ast.Call) and around.func is node
    if maker and isinstance(node.ctx, ast.Load):
        is_plain = is_called or isinstance(around, (ast.ClassDef, ast.Subscript, ast.arg))
        if module.source.is_deferred(node) or not is_plain:
            yield f"uses {min(maker)} in a function, or as a value"


def _is_module(full: str) -> bool:
    """Returns True for a module that a standard module of MODULES has, as `os.sys`. The modules
    that numpy has are not looked up, as its import takes a tenth of a second.
    """
    home, _, name = full.rpartition(".")
    return home in MODULES - {"numpy"} and isinstance(
        getattr(import_module(home), name, None), ModuleType
    )


def _field(module: Module, node: ast.AnnAssign) -> Iterator[str]:
    """Yields an objection to a field whose annotation is a text: `dataclass` evaluates the text in
    the module of the class. The fields of a NamedTuple are allowed.
    """
    around = module.source.parents[node]
    parts = walk(node.annotation)
    is_text = any(isinstance(getattr(part, "value", None), str) for part in parts)
    is_text = is_text or module.postpones_annotations
    bases = [ast.unparse(base).rpartition(".")[2] for base in getattr(around, "bases", ())]
    if is_text and isinstance(around, ast.ClassDef) and bases != ["NamedTuple"]:
        yield "a text as annotation of a field"
