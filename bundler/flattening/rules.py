"""Eligibility rules: which modules may be flattened into the one namespace of a bundle.

A module is flattenable if all that it is made of is known to be safe (`known.py`: syntax, builtins,
names of standard modules, special names), no rule below speaks against it, and nothing in
`bundler/layout.py`. Every other one is embedded whole, and Python's own import runs it. When in
doubt a module is embedded, which is always right. A rule looks at syntax alone, never at the effect
of code.

Each rule is registered for some kinds of syntax nodes. The layout adds the conditions that need
more than one module; docs/explanation/flattening.md has them all.
"""

import ast
import builtins
import re
import sys
from collections.abc import Callable
from enum import Enum
from typing import Any, NamedTuple

from bundler.flattening.known import (
    DUNDERS,
    FRAME_READERS,
    HARMLESS_DUNDERS,
    MODULES,
    RUNS_LOADER,
    UNKNOWN_BUILTINS,
    UNKNOWN_SYNTAX,
    UNSAFE_WORDS,
    is_known,
    is_module,
)
from bundler.modules.project import SITE_PACKAGES
from bundler.modules.source import FUNCTIONS, IMPORTS, Import, dotted, imported_names, words
from bundler.program import Module, Reason

# Builtins that show names, unless they are called with something
NAMES_SHOWN = {"globals", "locals", "breakpoint", "vars", "dir"}
DUNDER = re.compile(r"__\w+?__")
UNDERSCORES = re.compile(r"\w*__\w*")
LOG_PLACE = re.compile(
    r"%\((module|filename|pathname|lineno)\)|[{$](module|filename|pathname|lineno)\b"
)
STANDARD = {"__main__", *sys.stdlib_module_names, *SITE_PACKAGES}
ENUMS = {"Enum", "Flag", "IntEnum", "IntFlag", "StrEnum"}
METACLASSES = {"type", "ABCMeta", "EnumMeta", "EnumType"}
CLASS_MAKERS = ENUMS | set("""
    namedtuple NamedTuple TypedDict make_dataclass new_class TypeVar NewType ParamSpec TypeVarTuple
    """.split())


class Scope(Enum):
    """The modules that are embedded because of a node of one module."""

    MODULE = "the module itself; all others because of the entry"
    IMPORTED = "the module itself, if it is not the entry"
    PROGRAM = "all modules but the entry"


class Place(NamedTuple):
    """A node of a module."""

    module: Module
    node: ast.AST

    @property
    def word(self) -> str:
        """The name, attribute or text of the node; "" for none."""
        return next(iter(words(self.node)), "")

    @property
    def around(self) -> Any:
        """The node that it is part of."""
        return self.module.source.parents[self.node]

    @property
    def is_called(self) -> bool:
        return isinstance(self.around, ast.Call) and self.around.func is self.node

    @property
    def n_given(self) -> int | None:
        """The number of arguments of a call of the node; None without a call, or with a `*`."""
        call = self.around
        if not self.is_called or any(isinstance(argument, ast.Starred) for argument in call.args):
            return None
        return len(call.args) + len(call.keywords)

    def reads_builtin(self, names: set[str]) -> bool:
        """Returns True for a node that reads one of some builtins."""
        known, node = self.module.names, self.node
        if not isinstance(node, ast.Name) or node.id not in names:
            return False
        is_read = isinstance(node.ctx, ast.Load) and node.id in known.read
        return is_read and node.id not in known.bound


Find = Callable[[Place, Any], str | None]  # with the node, of one of the rule's kinds


class Rule(NamedTuple):
    """A condition against flattening; find: the construct at a Place."""

    find: Find
    scope: Scope
    advice: str


RULES: dict[type, list[Rule]] = {}  # by the kinds of nodes


def rule(*kinds: type, scope: Scope, advice: str = "do without it") -> Callable[[Find], Find]:
    """Register a function as the Rule for some kinds of nodes."""

    def register(find: Find) -> Find:
        for kind in kinds:
            RULES.setdefault(kind, []).append(Rule(find, scope, advice))
        return find

    return register


def reasons_against(module: Module) -> dict[Scope, Reason]:
    """Returns the first Reason of each Scope that a rule finds in a module."""
    reasons: dict[Scope, Reason] = {}
    for node in module.source.nodes:
        for rule in RULES.get(type(node), ()):
            if rule.scope not in reasons and (construct := rule.find(Place(module, node), node)):
                reasons[rule.scope] = module.reason(node, construct, rule.advice)
    return reasons


# The rules: the first that finds something in a node gives the reason.

WORDS = (ast.Name, ast.Attribute, ast.alias, ast.keyword, ast.Constant)


@rule(ast.Module, scope=Scope.MODULE, advice="leave __init__.py empty")
def package_with_code(place: Place, node: ast.Module) -> str | None:
    has_code = place.module.is_package and not place.module.is_empty
    return "a package with code" if has_code else None


@rule(ast.Module, scope=Scope.MODULE, advice="give it another name")
def takes_special_name(place: Place, node: ast.Module) -> str | None:
    names = place.module.names
    if place.module.name.split(".")[0] in sys.stdlib_module_names:
        return "has the name of a standard module"
    bound = {name for name in names.bound if name.startswith("__")}
    bound -= HARMLESS_DUNDERS - names.read
    return f"binds {min(bound)}" if bound else None


@rule(*UNKNOWN_SYNTAX, scope=Scope.MODULE)
def unknown_syntax(place: Place, node: ast.AST) -> str | None:
    return f"{type(node).__name__} is not known to be safe"


@rule(ast.Name, scope=Scope.MODULE, advice="use a name without underscores")
def uses_special_name(place: Place, node: ast.Name) -> str | None:
    """It may show the module; in classes Python changes a private one, as `__size`."""
    dunders = DUNDERS | HARMLESS_DUNDERS | place.module.names.hidden
    is_known = node.id.endswith("__") and node.id in dunders
    return f"uses {node.id}" if node.id.startswith("__") and not is_known else None


@rule(ast.Name, scope=Scope.MODULE, advice="name what you need")
def lists_names(place: Place, node: ast.Name) -> str | None:
    lists = place.reads_builtin(NAMES_SHOWN) and place.n_given != 1
    return f"uses {node.id}()" if lists else None


@rule(*IMPORTS, scope=Scope.MODULE, advice="name what you import")
def imports_star(place: Place, node: Import) -> str | None:
    return "a star import" if any(alias.name == "*" for alias in node.names) else None


@rule(ast.Name, scope=Scope.IMPORTED, advice="write the text itself, or read it outside functions")
def reads_own_name(place: Place, node: ast.Name) -> str | None:
    if node.id == "__doc__":
        return "uses __doc__"
    is_late = node.id == "__name__" and place.module.source.is_deferred(node)
    return "uses __name__ in a function" if is_late else None


@rule(*WORDS, ast.ClassDef, scope=Scope.IMPORTED, advice="make it at the top, where it is named")
def makes_class(place: Place, node: ast.AST) -> str | None:
    """Made later, or by another function, it would take the name of the wrong module."""
    is_maker = place.word in CLASS_MAKERS
    by_class = place.word == "__class__" and (place.n_given or 0) > 1
    makes = is_maker or by_class or isinstance(node, ast.ClassDef)
    if makes and place.module.source.is_deferred(node):
        return "makes a class in a function"
    if is_maker and isinstance(node, ast.alias) and node.asname:
        return f"{node.name} by another name"
    is_read = is_maker and isinstance(getattr(node, "ctx", None), ast.Load)
    plain = (ast.Attribute, ast.ClassDef, ast.Subscript, ast.arg, *FUNCTIONS)
    is_plain = place.is_called or isinstance(place.around, plain)
    return f"{place.word} as a value" if is_read and not is_plain else None


@rule(ast.Name, scope=Scope.IMPORTED, advice="call it with one argument")
def uses_type_as_value(place: Place, node: ast.Name) -> str | None:
    """With three arguments it makes a class, as does the type of a class."""
    if node.id != "type":
        return None
    if place.n_given == 1 and place.around.args:
        call = Place(place.module, place.around)
        is_kept = isinstance(call.around, (ast.Assign, ast.NamedExpr, ast.Call, ast.keyword))
        makes = is_kept and _may_be_class(place.module, place.around.args[0])
        if not (len(call.around.args) == 3 if call.is_called else makes):
            return None
    return "type as a value"


@rule(*IMPORTS, scope=Scope.IMPORTED)
def imports_frame_reader(place: Place, node: Import) -> str | None:
    tops = {full.split(".")[0] for full in imported_names(node)}
    return f"uses {ast.unparse(node)}" if tops & FRAME_READERS else None


@rule(ast.ImportFrom, scope=Scope.IMPORTED, advice="import it at the top")
def imports_relatively_in_block(place: Place, node: ast.ImportFrom) -> str | None:
    is_special = node.level or node.module == "__future__"
    is_alone = any(unit.node is node for unit in place.module.source.units)
    in_block = "a relative import in a block or a line with others"
    return in_block if is_special and not is_alone else None


@rule(ast.AnnAssign, scope=Scope.IMPORTED, advice="write it without quotes, or use --carry")
def annotates_field_by_text(place: Place, node: ast.AnnAssign) -> str | None:
    """`dataclass` evaluates such texts in the module of the class."""
    inner_nodes = ast.walk(node.annotation)
    has_text = any(isinstance(getattr(inner, "value", None), str) for inner in inner_nodes)
    is_text = has_text or place.module.postpones_annotations
    is_field = isinstance(place.around, ast.ClassDef)
    if not is_text or not is_field or _names_of_bases(place.around) == ["NamedTuple"]:
        return None
    return f"a text as annotation in the class {place.around.name}"


@rule(*FUNCTIONS, scope=Scope.PROGRAM)
def runs_at_exit(place: Place, node: ast.FunctionDef | ast.AsyncFunctionDef) -> str | None:
    """At the end Python clears one module after the other."""
    return "defines __del__" if node.name == "__del__" else None


@rule(*WORDS, ast.MatchClass, scope=Scope.PROGRAM)
def reveals_any_module(place: Place, node: ast.AST) -> str | None:
    text = getattr(node, "value", None)
    named = {*getattr(node, "kwd_attrs", words(node))}
    unsafe = {*named, dotted(node)} & UNSAFE_WORDS
    if isinstance(text, str) and "{" in text and "__" in text:  # "{0.__globals__}"
        unsafe |= set(UNDERSCORES.findall(text))
    elif not isinstance(node, ast.Name):
        unsafe |= {*filter(DUNDER.fullmatch, named)}
    unknown = unsafe - DUNDERS - HARMLESS_DUNDERS
    return f"uses {min(unknown)}" if unknown else None


@rule(ast.Constant, scope=Scope.PROGRAM, advice="leave places out of it")
def shows_places_in_log(place: Place, node: ast.Constant) -> str | None:
    match = LOG_PLACE.search(node.value) if isinstance(node.value, str) else None
    return f"a log with {match[0]}" if match else None


@rule(*IMPORTS, ast.Name, ast.Attribute, scope=Scope.PROGRAM)
def uses_unknown(place: Place, node: ast.AST) -> str | None:
    names = {*imported_names(node), *place.module.full_names(node)}
    if isinstance(node, ast.Attribute):  # of a class or a module, whoever has imported it
        inner = getattr(node.value, "attr", "")
        fulls = place.module.outside.get(inner, {inner} & {"sys"})
        names |= {f"{full}.{node.attr}" for full in fulls}
    unknown = {name for name in names if not is_known(name)}
    if isinstance(node, ast.Import):  # bare `urllib` gives nothing: its user needs another import
        unknown |= names - MODULES.keys()
    unknown = {name for name in unknown if name.split(".")[0] in STANDARD}
    is_loader = (
        "MACHINE_CODE" in place.module.names.bound and ast.unparse(place.around) == RUNS_LOADER
    )
    if place.reads_builtin(UNKNOWN_BUILTINS) and not is_loader:
        unknown.add(place.word)
    return f"{min(unknown)} is not known to be safe" if unknown else None


@rule(ast.Name, ast.Attribute, scope=Scope.PROGRAM, advice="name the attribute")
def computes_attribute(place: Place, node: ast.Name | ast.Attribute) -> str | None:
    """It may be a special name, put together at run time."""
    word = place.word
    asked: list[ast.expr] = place.around.args if place.is_called else [node]
    if place.reads_builtin({"getattr"}):
        asked = asked[1:2] or [node]
    elif isinstance(node, ast.Attribute) and word in ("format", "format_map"):
        asked = [node.value]
    elif word not in ("attrgetter", "methodcaller"):
        return None
    return None if all(map(_is_plain_text, asked)) else f"{word} with a computed text"


@rule(ast.Name, ast.Attribute, scope=Scope.PROGRAM, advice="name, or copy, what you need of it")
def may_change_library(place: Place, node: ast.Name | ast.Attribute) -> str | None:
    """A function may change the module that it gets."""
    full = place.module.full_names(node)
    if not isinstance(node.ctx, ast.Load):
        return f"changes {dotted(node)}" if isinstance(node, ast.Attribute) and full else None
    if isinstance(place.around, (ast.Attribute, ast.Compare)) or place.is_called:
        return None
    return f"uses {dotted(node)} as a value" if any(map(is_module, full)) else None


@rule(ast.ClassDef, scope=Scope.PROGRAM)
def derives_metaclass(place: Place, node: ast.ClassDef) -> str | None:
    """Known bases are names, generics, and records that are made in place."""
    metaclasses = [keyword.value for keyword in node.keywords if keyword.arg in ("metaclass", None)]
    is_known = all(
        ast.unparse(metaclass).rpartition(".")[2] == "ABCMeta" for metaclass in metaclasses
    )
    for base in node.bases:
        is_record = isinstance(base, ast.Call) and bool(words(base.func) & CLASS_MAKERS)
        whole = base.value if isinstance(base, ast.Subscript) else base
        name = dotted(whole).rpartition(".")[2]
        is_known &= is_record or (bool(name) and name not in METACLASSES)
    return None if is_known else "a metaclass"


@rule(ast.ClassDef, scope=Scope.PROGRAM, advice="give it members")
def derives_empty_enum(place: Place, node: ast.ClassDef) -> str | None:
    """Called in a function, it makes a class with the name of the wrong module."""
    has_members = any(isinstance(statement, ast.Assign) for statement in node.body)
    is_empty = not has_members and not ENUMS.isdisjoint(_names_of_bases(node))
    return f"{node.name}, an Enum without members" if is_empty else None


@rule(ast.Compare, scope=Scope.PROGRAM, advice="write ==, or compare with an object()")
def compares_identity(place: Place, node: ast.Compare) -> str | None:
    """Python keeps one object for equal constants that it compiles together, as in a bundle."""
    sides = [node.left, *node.comparators]
    for operator, *pair in zip(node.ops, sides, sides[1:]):
        is_identity = isinstance(operator, (ast.Is, ast.IsNot))
        if is_identity and not any(_is_no_constant(place.module, side) for side in pair):
            return f"compares {ast.unparse(node)}"
    return None


def _names_of_bases(node: ast.AST | None) -> list[str]:
    """The last names of the bases of a class."""
    return [ast.unparse(base).rpartition(".")[2] for base in getattr(node, "bases", ())]


def _may_be_class(module: Module, node: ast.AST) -> bool:
    """Returns True for a name of the top level, which may mean a class, and for `cls`."""
    is_type = isinstance(node, ast.Call) and "type" in words(node.func)
    is_top = isinstance(node, ast.Name) and node.id not in module.names.hidden - {"cls"}
    return is_type or is_top


def _is_plain_text(node: ast.expr) -> bool:
    """Returns True for a text that stands in the module, or begins with a letter that does."""
    match node:
        case ast.Constant():
            return True
        case ast.JoinedStr([ast.Constant(str(text)), *_]) | ast.BinOp(ast.Constant(str(text))):
            return text[:1].isalpha()
    return False


def _is_no_constant(module: Module, node: ast.expr) -> bool:
    """Returns True for an object that no equal constant of another module can be: None, a class, a
    function, `object()`, a member of an Enum, and all that an import from outside has.
    """
    match node:
        case ast.Constant(value):
            return isinstance(value, (bool, type(None), type(...)))
        case ast.Name("self" | "cls" | "NotImplemented") | ast.Call(ast.Name("type" | "object")):
            return True
        case ast.Name(name) if name in module.names.hidden:
            return _is_mutable(module, node)
        case ast.Name(name) if name not in module.names.bound:
            return isinstance(getattr(builtins, name, None), type)
        case ast.Subscript(value):
            makers = _makers(module, value)
            return bool(makers) and all(made is None for _, made in makers)
        case ast.Name() | ast.Attribute():
            makers = _makers(module, node)
            if not makers and isinstance(node, ast.Attribute):  # of an Enum
                kinds = [_names_of_bases(made) for _, made in _makers(module, node.value)]
                return bool(kinds) and not any(ENUMS.isdisjoint(kind) for kind in kinds)
            return bool(makers) and all(_is_object(home, made) for home, made in makers)
    return False


def _is_mutable(module: Module, name: ast.Name) -> bool:
    """Returns True for a local name with a store into its object, as in `name[0] = 1`."""
    around: ast.AST = name
    while not isinstance(around, (*FUNCTIONS, ast.Module)):
        around = module.source.parents[around]
    return any(
        isinstance(node, (ast.Attribute, ast.Subscript))
        and isinstance(node.ctx, ast.Store)
        and ast.unparse(node.value) == name.id
        for node in ast.walk(around)
    )


def _is_object(home: Module, made: ast.AST | None) -> bool:
    """Returns True for a definition, a module, and an assignment of what is no constant."""
    if isinstance(made, ast.Assign) and isinstance(made.value, (ast.Call, ast.Subscript)):
        return _is_no_constant(home, made.value)
    return made is None or isinstance(made, (*FUNCTIONS, ast.ClassDef, ast.Import))


def _makers(module: Module, node: ast.AST) -> list[tuple[Module, ast.AST | None]]:
    """[(module, statement)] of all that binds `name` or `m.name` at a top level; no statement for
    an import from outside.
    """
    name, *attributes = dotted(node).split(".")
    places: list[tuple[Module, ast.AST | None]] = []
    for binding in () if name in module.names.hidden else module.names.bindings.get(name, ()):
        home, others = module, [] if attributes else [binding]
        match module.origin(*binding.alias) if binding.alias else None:
            case str():
                places.append((module, None))
                continue
            case Module() as target if attributes:
                home = target
                others = [] if attributes[1:] else home.names.bindings.get(attributes[0], [])
            case (base, inner) if not attributes:
                home, others = base, base.names.bindings.get(inner, [])
        for other in others:
            is_outside = other.alias and isinstance(home.origin(*other.alias), str)
            places.append((home, None if is_outside else other.unit.statements[-1]))
    return places
