"""Which modules are plain, and may be flattened into the one namespace of a bundle.

A module is plain if no condition below speaks against it; every other one is carried whole, as
Python's own import runs it. When in doubt it is not plain: carried is always right. So nothing here
asks what code does, only what it is made of:

- It is imported by `from m import names` and `import m [as n]` alone, at the top level of plain
  modules, outside of blocks, alone in its line, before anything there names it, with no star and in
  no circle. It imports relatively at its top alone, and it is no package that has code.
- Nobody uses it as a value: with `import m` only `m.name` is read, of names that it surely has.
- Nobody, itself included, uses what tells a flattened module from a real one (REVEALING).
- It does not rebind, in functions, or delete what others import from it by name.
- All flattened modules have the same imports from `__future__`, or no annotations.
- What it binds has a name in the bundle that nobody else uses (`bundler/naming.py`).
- What a carried module imports is carried, and with a package that has code all of its modules.

What stays different in a bundle is what a traceback shows (lines of the bundle, `name` where the
source says `m.name`), and `__name__` when another library asks for it from a frame of a flattened
module's function: it is "__main__" by then.
"""

import ast
import sys
from dataclasses import dataclass
from typing import TypeGuard

from bundler.bindings import FUNCTIONS
from bundler.program import Module
from bundler.source import IMPORTS, words

# Names, attributes and texts that show which module something is in; they end the plainness of the
# module that has them.
REVEALING = set("""
    __builtins__ __file__ __spec__ __loader__ __package__ __path__ __cached__ tb_frame
    """.split())
# The same, of any module: with one of these no other module but the entry is plain.
REVEALING_ALL = set("""
    __globals__ __code__ f_globals f_locals f_back f_builtins gi_frame cr_frame ag_frame __module__
    __annotations__ __import__ import_module get_type_hints global_enum _getframe _getframemodulename
    _current_frames meta_path path_hooks path_importer_cache ProcessPoolExecutor allow_pickle
    singledispatch singledispatchmethod catch_warnings filterwarnings
    """.split())
REVEALING_MODULES = set("""
    __main__ bdb builtins cProfile code codeop copyreg dis doctest gc imp importlib inspect
    linecache marshal modulefinder multiprocessing pdb pickle pickletools pkgutil profile pydoc
    runpy shelve site symtable timeit trace tracemalloc unittest zipimport
    """.split())
# Builtins that show names, unless they are called with something, and builtins that run texts or
# show what a module is.
NAMES_SHOWN = {"globals", "locals", "breakpoint", "vars", "dir"}
TEXTS_RUN = {"exec", "eval", "help"}
METACLASSES = {"type", "ABCMeta", "EnumMeta", "EnumType"}
# They take the module's name, or the number of a line, from the frame that calls them.
FRAME_READERS = {"logging", "traceback", "warnings"}
CLASS_MAKERS = set("""
    namedtuple NamedTuple TypedDict make_dataclass new_class TypeVar NewType ParamSpec TypeVarTuple
    Enum IntEnum Flag IntFlag StrEnum
    """.split())
# What a module may say of itself, if nobody reads it.
HARMLESS_DUNDERS = set("""
    __all__ __author__ __copyright__ __credits__ __date__ __email__ __license__ __maintainer__
    __status__ __version__
    """.split())


@dataclass(frozen=True)
class Reason:
    """Why a module is carried: the place that speaks against flattening it, and what to write
    instead.
    """

    shown: str
    line: int
    construct: str
    advice: str

    def __str__(self):
        return f"{self.construct}, {self.shown}:{self.line}"


def reason(
    module: Module, place: ast.AST | int, construct: str, advice: str = "do without it"
) -> Reason:
    """The Reason against a module, at a line or a node of it."""
    line = place if isinstance(place, int) else getattr(place, "lineno", 1)
    return Reason(module.shown, line, construct, advice)


def own_reason(module: Module) -> Reason | None:
    """The Reason why a module is not plain, whatever the others are; None for none."""
    if module.name.split(".")[0] in sys.stdlib_module_names:
        return reason(module, 1, "has the name of a standard module", "give it another name")
    if module.is_package and not module.is_empty:
        return reason(module, 1, "a package with code", "leave __init__.py empty")
    for node, in_function in _walk(module.source.tree, False):
        found = _shows_names(module, node)
        # The entry's own name and docstring are those of the bundle.
        if not found and not module.is_entry:
            found = _asks_for_module(module, node, in_function)
        if found:
            return reason(module, node, *found)
    for name, bindings in module.names.bindings.items():
        if name.startswith("__") and name.endswith("__"):
            if name not in HARMLESS_DUNDERS or name in module.names.read:
                line = module.source.units[bindings[0].unit].first_line
                return reason(module, line, f"binds {name}", "give it another name")
    return None


def _shows_names(module, node):
    """(construct, advice) where a node may show the names of its module; None for others."""
    if words(node) & REVEALING:
        return f"uses {min(words(node) & REVEALING)}", "do without it"
    if _is_builtin(node, module, NAMES_SHOWN) and _n_given(module, node) != 1:
        return f"uses {node.id}()", "name what you need"
    if isinstance(node, ast.Name) and node.id.startswith("__") and not node.id.endswith("__"):
        return f"the private name {node.id}", "begin it with one underscore"
    if isinstance(node, IMPORTS) and any(alias.name == "*" for alias in node.names):
        return "a star import", "name what you import"
    return None


def _asks_for_module(module, node, in_function):
    """(construct, advice) where a node asks for its module when that has run; None for others."""
    name = min(words(node), default="")
    if isinstance(node, ast.Name) and name == "__doc__":
        return "uses __doc__", "write a text of its own"
    if isinstance(node, ast.Name) and name == "__name__" and in_function:
        return "uses __name__ in a function", "read it at the top of the module, into a variable"
    if isinstance(node, ast.alias) and name in CLASS_MAKERS and node.asname:
        return f"{name} by another name", "import it by its own"
    if isinstance(node, ast.Name) and name == "type" and _n_given(module, node) != 1:
        return "type as a value", "call it with one argument"
    is_maker = name in CLASS_MAKERS or name == "__class__" and (_n_given(module, node) or 0) > 1
    if in_function and (is_maker or isinstance(node, ast.ClassDef)):
        return "makes a class in a function", "make it at the top"
    if isinstance(node, IMPORTS):
        if {full.split(".")[0] for full in imported_names(node)} & FRAME_READERS:
            return f"uses {ast.unparse(node)}", "do without it"
        is_special = getattr(node, "level", 0) or getattr(node, "module", "") == "__future__"
        if is_special and all(unit.node is not node for unit in module.source.units):
            return "a relative import in a block or a line with others", "import it at the top"
    # A dataclass looks for texts in annotations in its module.
    if isinstance(node, ast.AnnAssign) and (futures(module) or _has_text(node.annotation)):
        if any("dataclass" in words(other) for other in module.source.nodes):
            return "a text as annotation beside dataclasses", "write it without quotes"
    return None


def reason_for_all(module: Module) -> Reason | None:
    """The Reason for which all modules but the entry are carried, because of one; None for none."""
    for node in module.source.nodes:
        full_names = set(imported_names(node))
        tops = {name.split(".")[0] for name in full_names}
        found = words(node) & REVEALING_ALL or tops & REVEALING_MODULES
        if found or full_names & {"sys.modules"}:
            return reason(module, node, f"uses {min(found or full_names)}")
        if _is_builtin(node, module, TEXTS_RUN):
            return reason(module, node, f"uses {node.id}()")
        if isinstance(node, ast.alias) and node.name == "sys" and node.asname:
            return reason(module, node, "sys by another name", "write import sys")
        if isinstance(node, ast.Name) and node.id == "sys":
            around = module.source.parents[node]
            if getattr(around, "attr", "modules") == "modules" and isinstance(node.ctx, ast.Load):
                return reason(module, node, "uses sys.modules, or sys as a value", "write sys.name")
        if isinstance(node, ast.ClassDef):
            if {ast.unparse(base).rpartition(".")[2] for base in node.bases} & METACLASSES:
                return reason(module, node, "a metaclass")
    return None


def _is_builtin(node: ast.AST, module: Module, names: set[str]) -> TypeGuard[ast.Name]:
    """Whether a node is one of some builtins."""
    if not isinstance(node, ast.Name) or not isinstance(node.ctx, ast.Load):
        return False
    known = module.names
    return node.id in names and node.id in known.read and node.id not in known.bound


def _n_given(module, node):
    """How many arguments a name is called with; None where it is not called, or with a `*`."""
    call = module.source.parents[node]
    if not isinstance(call, ast.Call) or call.func is not node:
        return None
    if any(isinstance(part, ast.Starred) for part in call.args):
        return None
    return len(call.args) + len(call.keywords)


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


def _walk(node, in_function):
    """(node, whether it may run later than its module) for all nodes of a tree."""
    yield node, in_function
    body: list[ast.AST] = []
    if isinstance(node, (*FUNCTIONS, ast.Lambda)):
        body = [*node.body] if isinstance(node.body, list) else [node.body]
    elif isinstance(node, ast.GeneratorExp):
        in_function = True
    for part in ast.iter_child_nodes(node):
        yield from _walk(part, in_function or part in body)


def imported_names(node: ast.AST) -> list[str]:
    """The full names of what an import is of, or may be; none for other nodes."""
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    if isinstance(node, ast.ImportFrom) and node.module and not node.level:
        return [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
    return []


def _has_text(annotation):
    return any(isinstance(getattr(part, "value", None), str) for part in ast.walk(annotation))
