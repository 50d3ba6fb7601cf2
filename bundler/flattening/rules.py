"""Eligibility rules: which modules may be flattened into the one namespace of a bundle.

A module is flattenable if no rule below speaks against it, and nothing in `bundler/plan.py`. Every
other one is embedded whole, and Python's own import runs it. When in doubt a module is embedded,
which is always right. So a rule looks at syntax alone, never at the effect of code.

Each rule is registered for some kinds of syntax nodes. The plan adds the conditions that need more
than one module:

- A module is imported by `from m import names` and `import m [as n]` alone, at the top level of
  flattenable modules, outside of blocks, alone in its line, before anything there names it, with no
  star and in no circle.
- Nobody uses it as a value: with `import m` only `m.name` is read, of names that it surely has.
- It does not rebind, in functions, or delete what others import from it by name.
- All flattened modules have the same imports from `__future__`, or no annotations.
- Each name that it binds has a name in the bundle that nobody else uses (`naming.py`).
- A module is embedded if an embedded module imports it, or if its package has code.

Two differences stay visible in a bundle. A traceback shows lines of the bundle, and `name` where
the source says `m.name`. `__name__` is "__main__" when another library asks for it from a frame of
a flattened module's function.
"""

import ast
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from enum import Enum
from typing import Any, NamedTuple

from bundler.flattening.bindings import FUNCTIONS, Binding
from bundler.program import Module
from bundler.sources.source import IMPORTS, Import, words

# Names, attributes and texts that show the module in which something is defined
REVEALING = set("""
    __builtins__ __file__ __spec__ __loader__ __package__ __path__ __cached__ tb_frame
    """.split())
# The same, of any module
REVEALING_ALL = set("""
    __globals__ __code__ f_globals f_locals f_back f_builtins gi_frame cr_frame ag_frame __module__
    __annotations__ __import__ import_module get_type_hints global_enum _getframe
    _getframemodulename _current_frames meta_path path_hooks path_importer_cache
    ProcessPoolExecutor allow_pickle singledispatch singledispatchmethod catch_warnings
    filterwarnings
    """.split())
REVEALING_MODULES = set("""
    __main__ bdb builtins cProfile code codeop copyreg dis doctest gc imp importlib inspect
    linecache marshal modulefinder multiprocessing pdb pickle pickletools pkgutil profile pydoc
    runpy shelve site symtable timeit trace tracemalloc unittest zipimport
    """.split())
# Builtins that show names, unless they are called with something
NAMES_SHOWN = {"globals", "locals", "breakpoint", "vars", "dir"}
TEXTS_RUN = {"exec", "eval", "help"}
METACLASSES = {"type", "ABCMeta", "EnumMeta", "EnumType"}
# They take the module's name, or the number of a line, from the frame that calls them.
FRAME_READERS = {"logging", "traceback", "warnings"}
CLASS_MAKERS = set("""
    namedtuple NamedTuple TypedDict make_dataclass new_class TypeVar NewType ParamSpec TypeVarTuple
    Enum IntEnum Flag IntFlag StrEnum
    """.split())
# A module may bind these, if nobody reads them.
HARMLESS_DUNDERS = set("""
    __all__ __author__ __copyright__ __credits__ __date__ __email__ __license__ __maintainer__
    __status__ __version__
    """.split())


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
        return min(words(self.node), default="") if isinstance(self.node, ast.AST) else ""

    def reads_builtin(self, names: set[str]) -> bool:
        """Returns True for a node that reads one of some builtins."""
        known, node = self.module.names, self.node
        is_read = isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)
        return is_read and self.word in (names & known.read) - known.bound

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
_OF_KIND: dict[type, list[Rule]] = {}


def rule(*kinds: type, scope: Scope, advice: str = "do without it") -> Callable[[Find], Find]:
    """Register a function as the Rule for some kinds of nodes."""

    def register(find: Find) -> Find:
        RULES.append(Rule(find.__name__, kinds, scope, advice, find))
        for kind in kinds:
            _OF_KIND.setdefault(kind, []).append(RULES[-1])
        return find

    return register


def places(module: Module) -> Iterator[Place]:
    """All Places of a module: the nodes in the order of the text, then the bindings."""
    yield from (Place(module, *found) for found in _walk(module.source.tree, False))
    for bindings in module.names.bindings.values():
        yield from (Place(module, binding, False) for binding in bindings)


def module_reason(module: Module) -> Reason | None:
    """The Reason why a module is not flattenable, whatever the others are; None for none."""
    # The entry's own name and docstring are those of the bundle.
    scopes = (Scope.MODULE,) if module.is_entry else (Scope.MODULE, Scope.IMPORTED)
    return _first(places(module), scopes)


def program_reason(module: Module) -> Reason | None:
    """The Reason in a module for which all modules but the entry are embedded; None for none."""
    nodes = (Place(module, node, False) for node in module.source.nodes)
    return _first(nodes, (Scope.PROGRAM,))


def _first(places: Iterable[Place], scopes: tuple[Scope, ...]) -> Reason | None:
    for place in places:
        for one in _OF_KIND.get(type(place.node), ()):
            if one.scope in scopes and (found := one.violation(place)):
                return found
    return None


def _walk(node: ast.AST, deferred: bool) -> Iterator[tuple[ast.AST, bool]]:
    """Yields (node, True if it may run later than its module) for all nodes of a tree."""
    yield node, deferred
    body: list[ast.AST] = []
    if isinstance(node, (*FUNCTIONS, ast.Lambda)):
        body = [*node.body] if isinstance(node.body, list) else [node.body]
    elif isinstance(node, ast.GeneratorExp):
        deferred = True
    for part in ast.iter_child_nodes(node):
        yield from _walk(part, deferred or part in body)


def futures(module: Module) -> set[str]:
    """The names that a module imports from `__future__`, but for those that are always on."""
    return {
        alias.name
        for node in module.source.tree.body
        if isinstance(node, ast.ImportFrom) and node.module == "__future__" and not node.level
        for alias in node.names
        if alias.name in ("annotations", "barry_as_FLUFL")
    }


def has_annotations(module: Module) -> bool:
    return any(
        getattr(node, "annotation", None) is not None or getattr(node, "returns", None) is not None
        for node in module.source.nodes
    )


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


@rule(*WORDS, scope=Scope.MODULE)
def reveals_its_module(place: Place, node: ast.AST) -> str | None:
    return f"uses {place.word}" if place.word in REVEALING else None


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


@rule(ast.Name, scope=Scope.IMPORTED, advice="call it with one argument")
def uses_type_as_value(place: Place, node: ast.Name) -> str | None:
    return "type as a value" if node.id == "type" and place.n_given != 1 else None


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


@rule(ast.AnnAssign, scope=Scope.IMPORTED, advice="write it without quotes")
def annotates_dataclass_by_text(place: Place, node: ast.AnnAssign) -> str | None:
    """A dataclass looks for texts in annotations in its module."""
    parts = ast.walk(node.annotation)
    has_text = any(isinstance(getattr(part, "value", None), str) for part in parts)
    if not has_text and not futures(place.module):
        return None
    has_dataclass = any("dataclass" in words(other) for other in place.module.source.nodes)
    return "a text as annotation beside dataclasses" if has_dataclass else None


@rule(Binding, scope=Scope.MODULE, advice="give it another name")
def binds_dunder(place: Place, node: Binding) -> str | None:
    is_special = node.name.startswith("__") and node.name.endswith("__")
    is_harmless = node.name in HARMLESS_DUNDERS - place.module.names.read
    return f"binds {node.name}" if is_special and not is_harmless else None


@rule(*WORDS, scope=Scope.PROGRAM)
def reveals_any_module(place: Place, node: ast.AST) -> str | None:
    return f"uses {place.word}" if place.word in REVEALING_ALL else None


@rule(*IMPORTS, scope=Scope.PROGRAM)
def imports_revealing_module(place: Place, node: Import) -> str | None:
    names = set(imported_names(node))
    found = {name.split(".")[0] for name in names} & REVEALING_MODULES
    return f"uses {min(found or names)}" if found or "sys.modules" in names else None


@rule(ast.Name, scope=Scope.PROGRAM)
def runs_text(place: Place, node: ast.Name) -> str | None:
    return f"uses {node.id}()" if place.reads_builtin(TEXTS_RUN) else None


@rule(ast.alias, scope=Scope.PROGRAM, advice="write import sys")
def renames_sys(place: Place, node: ast.alias) -> str | None:
    return "sys by another name" if node.name == "sys" and node.asname else None


@rule(ast.Name, scope=Scope.PROGRAM, advice="write sys.name")
def uses_sys_as_value(place: Place, node: ast.Name) -> str | None:
    attribute = getattr(place.module.source.parents[node], "attr", "modules")
    is_read = node.id == "sys" and isinstance(node.ctx, ast.Load)
    return "uses sys.modules, or sys as a value" if is_read and attribute == "modules" else None


@rule(ast.ClassDef, scope=Scope.PROGRAM)
def derives_metaclass(place: Place, node: ast.ClassDef) -> str | None:
    bases = {ast.unparse(base).rpartition(".")[2] for base in node.bases}
    return "a metaclass" if bases & METACLASSES else None
