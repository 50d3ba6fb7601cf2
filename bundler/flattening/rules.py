"""Eligibility rules: which modules may be flattened into the one namespace of a bundle.

A module is flattenable if all that it is made of is known to be safe (`known.py`: syntax, builtins,
names of standard modules, special names), no rule below speaks against it, and nothing in
`bundler/plan.py`. Every other one is embedded whole, and Python's own import runs it. When in doubt
a module is embedded, which is always right. A rule looks at syntax alone, never at the effect of
code.

Each rule is registered for some kinds of syntax nodes. The plan adds the conditions that need more
than one module:

- A module is imported by `from m import names` and `import m [as n]` alone, at the top level of
  flattenable modules, outside of blocks, alone in its line, before anything there names it, with no
  star and in no circle.
- Nobody uses it as a value: with `import m` only `m.name` is read, of names that it surely has.
- It does not rebind, in functions, or delete what others import from it by name.
- All flattened modules with annotations import `annotations` from `__future__`, or none does.
- Each name that it binds has a name in the bundle that nobody else uses (`naming.py`).
- A module is embedded if an embedded module imports it, or if its package has code.

Three differences stay visible in a bundle. A traceback shows lines of the bundle, and `name` where
the source says `m.name`. `__name__` is "__main__" when another library asks for it from a frame of
a flattened module's function. For that reason Python prints deprecation warnings of flattened
modules to stderr, as it does those of a main program.
"""

import ast
import builtins
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from enum import Enum
from typing import Any, NamedTuple

from bundler.flattening.bindings import FUNCTIONS, Binding
from bundler.flattening.known import (
    DUNDERS,
    FRAME_READERS,
    HARMLESS_DUNDERS,
    MODULES,
    UNKNOWN_BUILTINS,
    UNKNOWN_SYNTAX,
    UNSAFE_WORDS,
    is_known,
)
from bundler.program import Module
from bundler.sources.project import SITE_PACKAGES, may_be_module
from bundler.sources.source import IMPORTS, Import, bound_name, dotted, words

# Builtins that show names, unless they are called with something
NAMES_SHOWN = {"globals", "locals", "breakpoint", "vars", "dir"}
TEXTS_RUN = {"exec", "eval", "help"}
DUNDER = re.compile(r"__\w+?__")
UNDERSCORES = re.compile(r"\w*__\w*")
LOG_PLACE = re.compile(
    r"%\((module|filename|pathname|lineno)\)|[{$](module|filename|pathname|lineno)\b"
)
STANDARD = {"__main__", *sys.stdlib_module_names, *SITE_PACKAGES}
# Bases that read no annotations of a class
PLAIN_BASES = {"ABC", "Enum", "Exception", "IntEnum", "NamedTuple", "TypedDict", "object"}
ENUMS = {"Enum", "Flag", "IntEnum", "IntFlag", "StrEnum"}
METACLASSES = {"type", "ABCMeta", "EnumMeta", "EnumType"}
CLASS_MAKERS = set("""
    namedtuple NamedTuple TypedDict make_dataclass new_class TypeVar NewType ParamSpec TypeVarTuple
    Enum IntEnum Flag IntFlag StrEnum
    """.split())
# Methods of `object` that go by identity
OBJECTS = {"__eq__", "__ne__", "__hash__"}


class Scope(Enum):
    """The modules that are embedded because of a node of one module."""

    MODULE = "the module itself; all others because of the entry"
    IMPORTED = "the module itself, if it is not the entry"
    PROGRAM = "all modules but the entry"


@dataclass(frozen=True)
class Reason:
    """A place that speaks against flattening a module, and advice."""

    shown: str
    line: int
    construct: str
    advice: str

    def __str__(self) -> str:
        return f"{self.construct}, {self.shown}:{self.line}"


def reason(
    module: Module, place: ast.AST | int, construct: str, advice: str = "do without it"
) -> Reason:
    """Returns the Reason against a module, at a line or a node of it."""
    line = place if isinstance(place, int) else getattr(place, "lineno", 1)
    return Reason(module.shown, line, construct, advice)


class Place(NamedTuple):
    """A node of a module, or a Binding of its top level. deferred: it may run later."""

    module: Module
    node: ast.AST | Binding
    deferred: bool

    @property
    def word(self) -> str:
        """The name, attribute or text of the node; "" for none."""
        return next(iter(words(self.node)), "") if isinstance(self.node, ast.AST) else ""

    def reads_builtin(self, names: set[str]) -> bool:
        """Returns True for a node that reads one of some builtins."""
        known, node = self.module.names, self.node
        if not isinstance(node, ast.Name) or node.id not in names:
            return False
        is_read = isinstance(node.ctx, ast.Load) and node.id in known.read
        return is_read and node.id not in known.bound

    @property
    def n_given(self) -> int | None:
        """The number of arguments of a call of the node; None without a call, or with a `*`."""
        call = self.module.source.parents[self.node] if isinstance(self.node, ast.AST) else None
        if not isinstance(call, ast.Call) or call.func is not self.node:
            return None
        if any(isinstance(part, ast.Starred) for part in call.args):
            return None
        return len(call.args) + len(call.keywords)


Find = Callable[[Place, Any], str | None]  # with the node, of one of the rule's kinds


@dataclass(frozen=True)
class Rule:
    """A condition against flattening, for nodes of some kinds; find: the construct at a Place."""

    name: str
    kinds: tuple[type, ...]
    scope: Scope
    advice: str
    find: Find

    def violation(self, place: Place) -> Reason | None:
        """Returns the Reason that a Place gives, None for none."""
        module, node, _ = place
        construct = self.find(place, node) if type(node) in self.kinds else None
        at = module.source.units[node.unit].first_line if isinstance(node, Binding) else node
        return reason(module, at, construct, self.advice) if construct else None


RULES: list[Rule] = []
_OF_KIND: dict[tuple[Scope, type], list[Rule]] = {}


def rule(*kinds: type, scope: Scope, advice: str = "do without it") -> Callable[[Find], Find]:
    """Register a function as the Rule for some kinds of nodes."""

    def register(find: Find) -> Find:
        RULES.append(Rule(find.__name__, kinds, scope, advice, find))
        for kind in kinds:
            _OF_KIND.setdefault((scope, kind), []).append(RULES[-1])
        return find

    return register


def places(module: Module) -> Iterator[Place]:
    """All Places of a module: the nodes in the order of the text, then the bindings."""
    yield from (Place(module, *found) for found in _walk(module.source.tree))
    for bindings in module.names.bindings.values():
        yield from (Place(module, binding, False) for binding in bindings)


def module_reason(module: Module) -> Reason | None:
    """The Reason why a module is not flattenable, whatever the others are; None for none."""
    # The entry keeps its name and docstring in the bundle: rules for imported modules do not apply.
    scopes = (Scope.MODULE,) if module.is_entry else (Scope.MODULE, Scope.IMPORTED)
    return _first(places(module), scopes)


def program_reason(module: Module) -> Reason | None:
    """The Reason in a module for which all modules but the entry are embedded; None for none."""
    nodes = (node for node in module.source.nodes if (Scope.PROGRAM, type(node)) in _OF_KIND)
    return _first((Place(module, node, False) for node in nodes), (Scope.PROGRAM,))


def _first(places: Iterable[Place], scopes: tuple[Scope, ...]) -> Reason | None:
    for place in places:
        for scope in scopes:
            for one in _OF_KIND.get((scope, type(place.node)), ()):
                if found := one.violation(place):
                    return found
    return None


def _walk(tree: ast.AST) -> Iterator[tuple[ast.AST, bool]]:
    """Yields (node, True if it may run later than its module) for all nodes of a tree."""
    waiting = [(tree, False)]
    while waiting:
        node, deferred = waiting.pop()
        yield node, deferred
        body: list[ast.AST] = []
        if isinstance(node, (*FUNCTIONS, ast.Lambda)):
            body = [*node.body] if isinstance(node.body, list) else [node.body]
        deferred |= isinstance(node, ast.GeneratorExp)
        parts = [(part, deferred or part in body) for part in ast.iter_child_nodes(node)]
        waiting += reversed(parts)


def postpones_annotations(module: Module) -> bool:
    """Returns True for a module that keeps its annotations as texts."""
    return any(
        isinstance(node, ast.ImportFrom)
        and node.module == "__future__"
        and any(alias.name == "annotations" for alias in node.names)
        for node in module.source.tree.body
    )


def has_annotations(module: Module) -> bool:
    found = (
        getattr(node, "annotation", getattr(node, "returns", None)) for node in module.source.nodes
    )
    return any(found)


def imported_names(node: ast.AST) -> list[str]:
    """The full names that an import may mean; none for other nodes."""
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    if isinstance(node, ast.ImportFrom) and node.module and not node.level:
        return [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
    return []


# The rules: the first that finds something in a node gives the reason.

WORDS = (ast.Name, ast.Attribute, ast.alias, ast.keyword, ast.Constant)


@rule(ast.Module, scope=Scope.MODULE, advice="give it another name")
def named_like_standard_module(place: Place, node: ast.Module) -> str | None:
    is_taken = place.module.name.split(".")[0] in sys.stdlib_module_names
    return "has the name of a standard module" if is_taken else None


@rule(ast.Module, scope=Scope.MODULE, advice="leave __init__.py empty")
def package_with_code(place: Place, node: ast.Module) -> str | None:
    has_code = place.module.is_package and not place.module.is_empty
    return "a package with code" if has_code else None


@rule(*UNKNOWN_SYNTAX, scope=Scope.MODULE)
def unknown_syntax(place: Place, node: ast.AST) -> str | None:
    return f"{type(node).__name__} is not known to be safe"


@rule(ast.Name, scope=Scope.MODULE)
def reveals_its_module(place: Place, node: ast.Name) -> str | None:
    own = DUNDERS | HARMLESS_DUNDERS | place.module.names.hidden
    return f"uses {node.id}" if DUNDER.fullmatch(node.id) and node.id not in own else None


@rule(ast.Name, scope=Scope.MODULE, advice="name what you need")
def lists_names(place: Place, node: ast.Name) -> str | None:
    lists = place.reads_builtin(NAMES_SHOWN) and place.n_given != 1
    return f"uses {node.id}()" if lists else None


@rule(ast.Name, scope=Scope.MODULE, advice="begin it with one underscore")
def mangled_in_classes(place: Place, node: ast.Name) -> str | None:
    is_private = node.id.startswith("__") and not node.id.endswith("__")
    return f"the private name {node.id}" if is_private else None


@rule(*IMPORTS, scope=Scope.MODULE, advice="name what you import")
def imports_star(place: Place, node: Import) -> str | None:
    return "a star import" if any(alias.name == "*" for alias in node.names) else None


@rule(ast.Name, scope=Scope.IMPORTED, advice="write a text of its own")
def reads_docstring(place: Place, node: ast.Name) -> str | None:
    return "uses __doc__" if node.id == "__doc__" else None


@rule(ast.Name, scope=Scope.IMPORTED, advice="read it at the top of the module, into a variable")
def reads_name_later(place: Place, node: ast.Name) -> str | None:
    return "uses __name__ in a function" if node.id == "__name__" and place.deferred else None


@rule(ast.alias, scope=Scope.IMPORTED, advice="import it by its own")
def renames_class_maker(place: Place, node: ast.alias) -> str | None:
    return f"{node.name} by another name" if node.name in CLASS_MAKERS and node.asname else None


@rule(ast.Name, ast.Attribute, scope=Scope.IMPORTED, advice="call it where it is named")
def passes_class_maker(place: Place, node: ast.Name | ast.Attribute) -> str | None:
    """Called later, or by another function, it would take the name of the wrong module."""
    around = place.module.source.parents[node]
    is_called = isinstance(around, ast.Call) and around.func is node
    is_plain = is_called or isinstance(
        around, (ast.Attribute, ast.ClassDef, ast.Subscript, ast.arg, *FUNCTIONS)
    )
    is_maker = place.word in CLASS_MAKERS and node.ctx.__class__ is ast.Load
    return f"{place.word} as a value" if is_maker and not is_plain else None


@rule(ast.Name, scope=Scope.IMPORTED, advice="call it with one argument")
def uses_type_as_value(place: Place, node: ast.Name) -> str | None:
    """With three arguments it makes a class, as does the type of a class."""
    if node.id != "type":
        return None
    parents = place.module.source.parents
    call = parents[node]
    around = parents.get(call)
    if place.n_given == 1 and isinstance(call, ast.Call) and call.args:
        makes = isinstance(around, ast.Call) and around.func is call and len(around.args) == 3
        is_kept = isinstance(around, (ast.Assign, ast.NamedExpr, ast.Call, ast.keyword))
        if not makes and not (is_kept and _is_class(place.module, call.args[0])):
            return None
    return "type as a value"


@rule(*WORDS, ast.ClassDef, scope=Scope.IMPORTED, advice="make it at the top")
def makes_class_later(place: Place, node: ast.AST) -> str | None:
    by_class = place.word == "__class__" and (place.n_given or 0) > 1
    makes = isinstance(node, ast.ClassDef) or by_class or place.word in CLASS_MAKERS
    return "makes a class in a function" if makes and place.deferred else None


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
    around = place.module.source.parents[node]
    parts = ast.walk(node.annotation)
    has_text = any(isinstance(getattr(part, "value", None), str) for part in parts)
    if not isinstance(around, ast.ClassDef) or not (
        has_text or postpones_annotations(place.module)
    ):
        return None
    bases = {ast.unparse(base).rpartition(".")[2] for base in around.bases}
    is_plain = bases <= PLAIN_BASES and not around.decorator_list and not around.keywords
    return None if is_plain else f"a text as annotation in the class {around.name}"


@rule(*FUNCTIONS, scope=Scope.PROGRAM)
def runs_at_exit(place: Place, node: ast.FunctionDef | ast.AsyncFunctionDef) -> str | None:
    """At the end Python clears one module after the other."""
    return "defines __del__" if node.name == "__del__" else None


@rule(Binding, scope=Scope.MODULE, advice="give it another name")
def binds_dunder(place: Place, node: Binding) -> str | None:
    is_special = node.name.startswith("__") and node.name.endswith("__")
    is_harmless = node.name in HARMLESS_DUNDERS - place.module.names.read
    return f"binds {node.name}" if is_special and not is_harmless else None


@rule(*WORDS, ast.MatchClass, scope=Scope.PROGRAM)
def reveals_any_module(place: Place, node: ast.AST) -> str | None:
    text = getattr(node, "value", None)
    named = set(node.kwd_attrs) if isinstance(node, ast.MatchClass) else {place.word}
    found = named & UNSAFE_WORDS
    if isinstance(text, str) and "{" in text and "__" in text:  # "{0.__globals__}"
        found |= set(UNDERSCORES.findall(text))
    elif not isinstance(node, ast.Name):
        found |= {*filter(DUNDER.fullmatch, named)}
    found |= {place.word} & {"__builtins__", "__import__"}
    unknown = found - DUNDERS - HARMLESS_DUNDERS
    return f"uses {min(unknown)}" if unknown else None


@rule(ast.Constant, scope=Scope.PROGRAM, advice="leave places out of it")
def shows_places_in_log(place: Place, node: ast.Constant) -> str | None:
    found = LOG_PLACE.search(node.value) if isinstance(node.value, str) else None
    return f"a log with {found[0]}" if found else None


@rule(*IMPORTS, scope=Scope.PROGRAM)
def imports_unknown(place: Place, node: Import) -> str | None:
    unknown = {name for name in imported_names(node) if not is_known(name)}
    if isinstance(node, ast.Import):  # bare `urllib` gives nothing: its user needs another import
        unknown |= {alias.name for alias in node.names if alias.name not in MODULES}
    standard = {name for name in unknown if name.split(".")[0] in STANDARD}
    return f"{min(standard)} is not known to be safe" if standard else None


@rule(ast.Name, ast.Attribute, scope=Scope.PROGRAM)
def uses_unknown(place: Place, node: ast.Name | ast.Attribute) -> str | None:
    full = place.module.full_names(node)
    unknown = {name for name in full if not is_known(name) and name.split(".")[0] in STANDARD}
    if place.reads_builtin(UNKNOWN_BUILTINS):
        unknown.add(place.word)
    return f"{min(unknown)} is not known to be safe" if unknown else None


@rule(ast.Name, scope=Scope.PROGRAM)
def runs_text(place: Place, node: ast.Name) -> str | None:
    return f"uses {node.id}()" if place.reads_builtin(TEXTS_RUN) else None


@rule(ast.Name, ast.Attribute, scope=Scope.PROGRAM, advice="name the attribute")
def computes_attribute(place: Place, node: ast.Name | ast.Attribute) -> str | None:
    """It may be a special name, put together at run time."""
    call = place.module.source.parents[node]
    word = place.word
    is_call = isinstance(call, ast.Call) and call.func is node
    asked: list[ast.expr] = []
    if place.reads_builtin({"getattr"}):
        asked = call.args[1:2] if is_call and isinstance(call, ast.Call) else [node]
    elif word in ("attrgetter", "methodcaller"):
        asked = call.args if is_call and isinstance(call, ast.Call) else [node]
    elif isinstance(node, ast.Attribute) and word in ("format", "format_map"):
        asked = [node.value]
    elif word == "__getattribute__":
        asked = [node]
    is_open = any(not _is_plain_text(place.module, one) for one in asked)
    return f"{word} with a computed text" if is_open else None


@rule(ast.Attribute, scope=Scope.PROGRAM, advice="keep it in a variable of your own")
def stores_into_import(place: Place, node: ast.Attribute) -> str | None:
    is_read = isinstance(node.ctx, ast.Load)
    by_dunder = DUNDER.fullmatch(node.attr) and node.attr not in HARMLESS_DUNDERS | {"__name__"}
    if not place.module.full_names(node) or (
        is_read and not (by_dunder and _may_be_module(place.module, node.value))
    ):
        return None
    return f"changes {dotted(node)}"


@rule(ast.Name, ast.Attribute, scope=Scope.PROGRAM, advice="name what you need of it")
def hands_module_on(place: Place, node: ast.Name | ast.Attribute) -> str | None:
    """A function may change the module that it gets."""
    around = place.module.source.parents[node]
    is_part = isinstance(around, (ast.Attribute, ast.Compare))
    if is_part or not isinstance(node.ctx, ast.Load) or not _may_be_module(place.module, node):
        return None
    is_called = isinstance(around, ast.Call) and around.func is node
    return None if is_called else f"uses {dotted(node)} as a value"


@rule(ast.Name, ast.Attribute, ast.alias, scope=Scope.PROGRAM, advice="use it as a decorator alone")
def applies_dataclass(place: Place, node: ast.AST) -> str | None:
    """It may meet a class whose annotations are texts, which it evaluates in the class's module."""
    if place.word != "dataclass":
        return None
    if isinstance(node, ast.alias):
        return "dataclass by another name" if node.asname else None
    parents = place.module.source.parents
    around = parents[node]
    if isinstance(around, ast.Call) and around.func is node:
        node, around = around, parents[around]
    is_decorator = node in getattr(around, "decorator_list", ())
    return None if is_decorator else "dataclass as a function"


@rule(ast.ClassDef, scope=Scope.PROGRAM)
def derives_metaclass(place: Place, node: ast.ClassDef) -> str | None:
    """Known bases are names, generics, and records that are made in place."""
    metaclasses = [one.value for one in node.keywords if one.arg in ("metaclass", None)]
    is_known = all(ast.unparse(one).rpartition(".")[2] == "ABCMeta" for one in metaclasses)
    for base in node.bases:
        is_record = isinstance(base, ast.Call) and bool(words(base.func) & CLASS_MAKERS)
        whole = base.value if isinstance(base, ast.Subscript) else base
        name = dotted(whole).rpartition(".")[2]
        is_known &= is_record or (bool(name) and name not in METACLASSES)
    return None if is_known else "a metaclass"


@rule(ast.Name, ast.Attribute, scope=Scope.PROGRAM, advice="give it members")
def passes_empty_enum(place: Place, node: ast.Name | ast.Attribute) -> str | None:
    """Called in a function, it makes a class with the name of the wrong module."""
    around = place.module.source.parents[node]
    if isinstance(around, (ast.Attribute, ast.ClassDef, ast.arg)):
        return None
    first, _, last = dotted(node).rpartition(".")
    names = place.module.names.bindings
    targets = [place.module.target(*one.alias) for one in names.get(first, ()) if one.alias]
    home = next(filter(None, targets), None) if first else place.module
    for _, made in _makers(home, last) if home else ():
        bases = {ast.unparse(base).rpartition(".")[2] for base in getattr(made, "bases", ())}
        has_members = any(isinstance(part, ast.Assign) for part in getattr(made, "body", ()))
        if bases & ENUMS and not has_members:
            return f"{last}, an Enum without members, as a value"
    return None


@rule(ast.Compare, scope=Scope.PROGRAM, advice="write ==, or compare with an object()")
def compares_identity(place: Place, node: ast.Compare) -> str | None:
    """Python keeps one object for equal constants that it compiles together, as in a bundle."""
    sides = [node.left, *node.comparators]
    for operator, *pair in zip(node.ops, sides, sides[1:]):
        is_identity = isinstance(operator, (ast.Is, ast.IsNot))
        if is_identity and not any(_is_no_constant(place.module, side) for side in pair):
            return f"compares {ast.unparse(node)}"
    return None


@rule(ast.Name, ast.Attribute, ast.alias, scope=Scope.PROGRAM, advice="write ==")
def asks_identity(place: Place, node: ast.AST) -> str | None:
    word = place.word
    is_asked = place.reads_builtin({"id"}) or word in ("is_", "is_not")
    is_asked |= word in OBJECTS and dotted(node) == f"object.{word}"
    return f"uses {place.word}" if is_asked else None


def _may_be_module(module: Module, node: ast.AST) -> bool:
    """Returns True for `name` or `m.name` that may be a module from outside."""
    full = module.full_names(node)
    return any("." not in name or name in MODULES or may_be_module(name) for name in full)


def _is_class(module: Module, node: ast.AST) -> bool:
    """Returns True for a name that surely means a class."""
    name = getattr(node, "id", "")
    makers = [made for _, made in _makers(module, name)] if name else []
    is_own = any(isinstance(made, ast.ClassDef) for made in makers)
    is_type = isinstance(node, ast.Call) and "type" in words(node.func)
    return is_own or is_type or name == "cls" or isinstance(getattr(builtins, name, None), type)


def _is_plain_text(module: Module, node: ast.expr) -> bool:
    """Returns True for a text that stands in the module, or begins with a letter that does."""
    match node:
        case ast.Constant():
            return True
        case ast.JoinedStr([ast.Constant(str(text)), *_]) | ast.BinOp(ast.Constant(str(text))):
            return text[:1].isalpha()
        case ast.Name(name) if name in module.names.hidden or name in module.names.bound:
            made = [one for one in module.source.nodes if name in _stored(one)]
            return bool(made) and all(_is_text_maker(one) for one in made)
    return False


def _stored(node: ast.AST) -> set[str]:
    """The names that a node binds."""
    targets = [node.target] if hasattr(node, "target") else getattr(node, "targets", [])
    parts = [part for target in targets for part in ast.walk(target)]
    found = {part.id for part in parts if isinstance(part, ast.Name)}
    if isinstance(node, ast.alias):
        found.add(bound_name(node))
    name = getattr(node, "arg" if isinstance(node, ast.arg) else "name", None)
    return found | {name} if isinstance(name, str) else found


def _is_text_maker(node: ast.AST) -> bool:
    """Returns True for `name = "text"` and for a loop over a row of texts."""
    if isinstance(node, (ast.For, ast.comprehension)) and isinstance(node.target, ast.Name):
        return isinstance(node.iter, (ast.List, ast.Tuple)) and all(
            isinstance(part, ast.Constant) for part in node.iter.elts
        )
    return isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant)


def _is_no_constant(module: Module, node: ast.expr) -> bool:
    """Returns True for an object that no equal constant of another module can be: None, a class, a
    function, `object()`, a member of an Enum, and all that an import from outside has.
    """
    root = node
    while isinstance(root, (ast.Attribute, ast.Subscript)):
        root = root.value
    name = root.id if isinstance(root, ast.Name) else ""
    makers = [] if name in module.names.hidden else list(_makers(module, name))
    if makers and all(made is None for _, made in makers):
        return True
    match node:
        case ast.Constant(value):
            return isinstance(value, (bool, type(None), type(...)))
        case ast.Name("self" | "cls" | "NotImplemented") | ast.Call(ast.Name("type" | "object")):
            return True
        case ast.Name() if name in module.names.hidden:
            return _is_mutable(module, node)
        case ast.Name() if not makers:
            return isinstance(getattr(builtins, name, None), type)
        case ast.Name():
            return all(_is_object(home, made) for home, made in makers)
        case ast.Attribute(ast.Name(), attribute):
            bindings = module.names.bindings.get(name, ())
            targets = [module.target(*binding.alias) for binding in bindings if binding.alias]
            if targets and targets[0]:
                return _is_no_constant(targets[0], ast.Name(attribute))
            bases = [getattr(made, "bases", []) for _, made in makers]
            names = [{ast.unparse(base).rpartition(".")[2] for base in one} for one in bases]
            return bool(names) and all(ENUMS & one for one in names)
    return False


def _is_object(home: Module, made: ast.AST | None) -> bool:
    """Returns True for a definition, a module, and an assignment of what is no constant."""
    if isinstance(made, ast.Assign) and isinstance(made.value, (ast.Call, ast.Subscript)):
        return _is_no_constant(home, made.value)
    return made is None or isinstance(made, (*FUNCTIONS, ast.ClassDef, ast.Import))


def _makers(module: Module, name: str) -> Iterator[tuple[Module, ast.AST | None]]:
    """Yields (module, statement) of all that binds a name of the top level; no statement for an
    import from outside.
    """
    for binding in module.names.bindings.get(name, ()):
        home, others, site = module, [binding], None
        if binding.alias and (site := module.site_of(binding.alias[0])) and site.base:
            home = site.base
            others = home.names.bindings.get(binding.alias[1].name, [])
        for other in others:
            is_outside = other.alias and home.site_of(other.alias[0]) is None
            yield home, None if is_outside else home.source.units[other.unit].statements[-1]


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
