"""The style that flattens: what modules may be made of to become one namespace.

A program is flattened if each of its modules, the bot's own file included, keeps to this style;
else all modules are carried whole, and Python's own import runs them, which is always right. The
style is what behaves the same in one namespace as in several. It is a whitelist: syntax, builtins,
modules from outside. What looks into frames, modules or sources, asks for a name that is made at
run time, or makes a class in a function stands in no list.

`bundler/layout.py` adds what concerns more than one module. docs/explanation/flattening.md says all
of it for the writer of a bot.
"""

import ast
import builtins
import re
import sys
from collections.abc import Iterator
from importlib import import_module
from types import ModuleType
from typing import Any

from bundler.modules.source import FUNCTIONS, Import, dotted, imported_names
from bundler.program import Module, Reason

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

BUILTINS = set("""
    Ellipsis NotImplemented __debug__ abs all any ascii bin bool bytearray bytes callable chr
    classmethod complex dict divmod enumerate exit filter float format frozenset getattr hasattr
    hash hex input int isinstance issubclass iter len list map max memoryview min next object oct
    open ord pow print property quit range repr reversed round set setattr slice sorted staticmethod
    str sum super tuple type zip
    """.split())
BUILTINS |= {
    name
    for name, value in vars(builtins).items()
    if isinstance(value, type) and issubclass(value, BaseException)
}

# Modules from outside: all their public names but modules and those of UNSAFE, or only some names
MODULES: dict[str, set[str]] = {name: set() for name in """
    __future__ abc argparse array base64 bisect cmath collections collections.abc contextlib copy
    csv datetime decimal fractions functools gzip hashlib heapq io itertools json lzma math numbers
    numpy numpy.linalg numpy.random operator os os.path pathlib queue random re secrets statistics
    string struct textwrap time typing uuid zlib
    """.split()}
MODULES |= {
    "ast": {"literal_eval"},
    "dataclasses": set("InitVar asdict astuple dataclass field fields replace".split()),
    "enum": set("Enum Flag IntEnum IntFlag auto unique".split()),
    "sys": set("""
        argv byteorder exit float_info getrecursionlimit getsizeof intern maxsize path platform
        setrecursionlimit stderr stdin stdout version version_info
        """.split()),
    "threading": set("Condition Event Lock RLock Semaphore Thread Timer".split()),
    "types": set("""
        FunctionType GenericAlias MappingProxyType NoneType SimpleNamespace
        """.split()),
}
STANDARD = {*sys.stdlib_module_names, "numpy"}
# They compare identities, find modules by name, evaluate texts, or ask for attributes of any name.
UNSAFE = set("""
    Formatter NewType allow_pickle attrgetter format_map get_type_hints is_ is_not memmap
    methodcaller singledispatch singledispatchmethod
    """.split())
# Attributes of tracebacks, frames and generators, from which code and namespaces are reached
FRAMES = re.compile(
    r"""\b(?:
    tb_(?:frame|lasti|lineno|next)
    | f_(?:back|builtins|code|globals|lasti|lineno|locals|trace)
    | (?:ag|cr|gi)_(?:code|frame)
    )\b""",
    re.VERBOSE,
)

# Special names that show nothing of a module: in `super().__init__()` and `type(x).__name__`
DUNDERS = set("""
    __class__ __class_getitem__ __constraints__ __doc__ __init__ __len__ __name__ __new__
    __post_init__ __qualname__
    """.split())
DUNDER = re.compile(r"__\w*[a-z]__")
# A module may bind these, if nobody reads them.
HARMLESS_DUNDERS = set("""
    __all__ __author__ __copyright__ __credits__ __date__ __email__ __license__ __maintainer__
    __status__ __version__
    """.split())
KNOWN_NAMES = HARMLESS_DUNDERS | BUILTINS | {"__name__"}

# They make classes, which get the name of the module that is running.
ENUMS = {"Enum", "Flag", "IntEnum", "IntFlag"}
CLASS_MAKERS = ENUMS | {"NamedTuple", "ParamSpec", "TypeVar", "TypedDict", "namedtuple"}
# The statement by which a native bundle runs its loader: the bundler wrote that text, and it looks
# into no module of the bot. Before Python 3.10 only `exec` gives a new namespace its builtins.
RUNS_LOADER = "exec(compile(loader, 'loader.py', 'exec'), names)"


def violations(module: Module) -> Iterator[Reason]:
    """Yields what speaks against flattening a module."""
    if module.is_package and not module.is_empty:
        yield module.reason(1, "a package with code", "leave __init__.py empty")
    if module.name.split(".")[0] in STANDARD:
        yield module.reason(1, "has the name of a standard module", "give it another name")
    for name in sorted(module.names.bound):
        if name.startswith("__") and (name not in HARMLESS_DUNDERS or name in module.names.read):
            yield module.reason(1, f"binds {name}", "give it another name")
    for node in module.source.nodes:
        for construct, advice in _found(module, node):
            yield module.reason(node, construct, advice)


def _found(module: Module, node: ast.AST) -> Iterator[tuple[str, str]]:
    """Yields (construct, advice) of what is outside of the style in a node."""
    kind = type(node).__name__
    if kind not in SYNTAX and not isinstance(node, OPERATORS):
        yield f"{kind} is no part of the style", "do without it"
    match node:
        case ast.Import() | ast.ImportFrom():
            yield from _import(module, node)
        case ast.Name():
            yield from _name(module, node)
            yield from _class_maker(module, node)
        case ast.Attribute():
            yield from _attribute(module, node)
            yield from _class_maker(module, node)
        case ast.Call(args=[_, ast.Tuple(), ast.Dict()]):
            yield "a call with a tuple and a dict", "it may make a class: give them names"
        case ast.keyword(str(word)) if word in UNSAFE:
            yield f"uses {word}", "do without it"
        case ast.MatchClass(kwd_attrs=words):
            yield from ((f"uses {word}", "do without it") for word in words if _is_special(word))
        case ast.Constant(str(text)) if _names_special(text):
            yield f"a text with {_names_special(text)}", "do without it"
        case ast.ClassDef():
            yield from _class(module, node)
        case ast.FunctionDef(name="__del__"):
            yield "defines __del__", "close what it has in a method that you call"
        case ast.Compare():
            yield from _identity(module, node)
        case ast.AnnAssign() if not module.is_entry:
            yield from _field(module, node)


def _field(module: Module, node: ast.AnnAssign) -> Iterator[tuple[str, str]]:
    """`dataclass` evaluates annotations that are texts in the module of the class."""
    around = module.source.parents[node]
    parts = ast.walk(node.annotation)
    is_text = any(isinstance(getattr(part, "value", None), str) for part in parts)
    bases = [ast.unparse(base).rpartition(".")[2] for base in getattr(around, "bases", ())]
    is_text = is_text or module.postpones_annotations
    if is_text and isinstance(around, ast.ClassDef) and bases != ["NamedTuple"]:
        yield "a text as annotation of a field", "write it without quotes"


def _import(module: Module, node: Import) -> Iterator[tuple[str, str]]:
    if any(alias.name == "*" for alias in node.names):
        yield "a star import", "name what you import"
    if module.site_of(node) is not None or getattr(node, "level", False):
        return  # of the bot's own modules: see layout.py
    for full in imported_names(node):
        # Other packages are trusted, where the site has them.
        if full.split(".")[0] in STANDARD and not is_known(full):
            yield f"{full} is no part of the style", "do without it"


def _name(module: Module, node: ast.Name) -> Iterator[tuple[str, str]]:
    name, names, source = node.id, module.names, module.source
    around: Any = source.parents[node]
    if name == "__name__" and source.is_deferred(node):
        yield "uses __name__ in a function", "use it at the top"
    elif name.startswith("__") and name not in KNOWN_NAMES | names.hidden:
        yield f"uses {name}", "use a name without underscores"
    elif name in names.read - names.bound - KNOWN_NAMES and hasattr(builtins, name):
        is_loader = "MACHINE_CODE" in names.bound and _statement(module, node) == RUNS_LOADER
        if not is_loader:
            yield f"uses {name}()", "do without it"
    is_call = isinstance(around, ast.Call) and around.func is node
    if name in ("getattr", "setattr", "hasattr") and name not in names.bound:
        text = around.args[1] if is_call and len(around.args) > 1 else None
        if not isinstance(text, ast.Constant):
            yield f"{name} of a computed name", "name the attribute"
    is_type = name == "type" and name in names.read - names.bound
    if is_type and not (is_call and len(around.args) == 1):
        yield "type as a value", "call it with one argument"
    elif is_type and len(getattr(source.parents[around], "args", ())) == 3:
        yield "a class made by type()", "write it as a class statement"
    if any(map(_is_module, module.full_names(node))):
        if not isinstance(around, ast.Attribute):
            yield f"uses {name} as a value", f"write {name}.NAME"
        elif not isinstance(around.ctx, ast.Load):
            yield f"changes {dotted(around)}", "copy what you need of it"


def _attribute(module: Module, node: ast.Attribute) -> Iterator[tuple[str, str]]:
    word = node.attr
    fulls = module.full_names(node)
    if _is_special(word):
        yield f"uses {word}", "do without it"
    around = module.source.parents[node]
    given = around.args if isinstance(around, ast.Call) and around.func is node else []
    has_several = len(given) > 1 or any(isinstance(value, ast.Starred) for value in given)
    if word == "__class__" and has_several:
        yield "__class__ with several arguments", "it may make a class: name the class"
    if word == "format" and not isinstance(node.value, ast.Constant) and not fulls:
        yield "format of a computed text", "write an f-string"
    for full in fulls:
        if full.split(".")[0] in STANDARD and not is_known(full):
            yield f"{full} is no part of the style", "do without it"
    if any(map(_is_module, fulls)) and not isinstance(around, ast.Attribute):
        yield f"uses {dotted(node)} as a value", "name what you need of it"


def _class_maker(module: Module, node: ast.Name | ast.Attribute) -> Iterator[tuple[str, str]]:
    """Makers of classes are called at the top, or are bases of class statements there."""
    word = dotted(node).rpartition(".")[2]
    names = {full.rpartition(".")[2] for full in module.full_names(node)}
    if not isinstance(node.ctx, ast.Load) or not ({word} | names) & CLASS_MAKERS:
        return
    around = module.source.parents[node]
    if module.source.is_deferred(node):
        yield f"uses {word} in a function", "use it at the top"
    is_called = isinstance(around, ast.Call) and around.func is node
    if not is_called and not isinstance(around, (ast.ClassDef, ast.Subscript, ast.arg)):
        yield f"{word} as a value", "call it at the top"


def _class(module: Module, node: ast.ClassDef) -> Iterator[tuple[str, str]]:
    if module.source.is_deferred(node) or isinstance(module.source.parents[node], ast.ClassDef):
        yield "a class in a function or a class", "make it at the top"
    bases = [ast.unparse(base).rpartition(".")[2] for base in node.bases]
    if node.keywords or {"type", "ABCMeta", "EnumMeta"} & {*bases}:
        yield "a metaclass, or an argument of a class", "do without it"
    has_members = any(isinstance(statement, ast.Assign) for statement in node.body)
    if ENUMS & {*bases} and not has_members:
        yield f"{node.name}, an Enum without members", "give it members"


def _identity(module: Module, node: ast.Compare) -> Iterator[tuple[str, str]]:
    """Python keeps one object for equal constants that it compiles together, as in a bundle."""
    sides = [node.left, *node.comparators]
    for operator, *pair in zip(node.ops, sides, sides[1:]):
        is_identity = isinstance(operator, (ast.Is, ast.IsNot))
        if is_identity and not any(_is_no_constant(module, side) for side in pair):
            yield f"compares {ast.unparse(node)}", "write =="


def _is_no_constant(module: Module, node: ast.expr) -> bool:
    """Returns True for None, a bool, a class, a function, and an object that is written to."""
    names = module.names
    match node:
        case ast.Constant(value):
            return isinstance(value, bool | None)
        case ast.Call(ast.Name("type" | "object")):
            return True
        case ast.Name(name) if name in names.hidden:
            # As in `if after is not state: after[0] = 1`
            around: ast.AST = module.source.parents[node]
            while not isinstance(around, (*FUNCTIONS, ast.Module)):
                around = module.source.parents[around]
            return any(
                isinstance(inner, ast.Subscript)
                and isinstance(inner.ctx, ast.Store)
                and ast.unparse(inner.value) == name
                for inner in ast.walk(around)
            )
        case ast.Name(name) if name in names.bound:
            return all(binding.kind == "def" for binding in names.bindings[name])
        case ast.Name(name):
            return isinstance(getattr(builtins, name, None), type)
    # Of a module from outside
    return bool(module.full_names(node))


def _statement(module: Module, node: ast.AST) -> str:
    """The text of the statement around an expression."""
    while not isinstance(node, ast.stmt):
        node = module.source.parents[node]
    return ast.unparse(node)


def _is_special(word: str) -> bool:
    """Returns True for an attribute that leads to a namespace or a module."""
    is_dunder = bool(DUNDER.fullmatch(word)) and word not in DUNDERS
    return is_dunder or word in UNSAFE or bool(FRAMES.fullmatch(word))


def _names_special(text: str) -> str:
    """The part of a text that names a special attribute, as in "{0.__globals__}"; "" for none."""
    found = {word for word in DUNDER.findall(text) if word not in DUNDERS | {"__main__"}}
    found |= {*FRAMES.findall(text), *({text} & UNSAFE)}
    found |= {*re.findall(r"%\((?:module|filename|pathname|lineno)\)", text)}
    return min(found, default="")


def is_known(full: str) -> bool:
    """Returns True for a module of MODULES, and for its names that are part of the style."""
    if full in MODULES:
        return True
    home, _, name = full.rpartition(".")
    if home not in MODULES:
        # An attribute of a thing, such as `sys.stdin.readline`
        return bool(home) and is_known(home)
    if MODULES[home]:
        return name in MODULES[home]
    is_public = not name.startswith("_") and name not in UNSAFE
    return is_public and not isinstance(getattr(import_module(home), name, None), ModuleType)


def _is_module(full: str) -> bool:
    return full in MODULES
