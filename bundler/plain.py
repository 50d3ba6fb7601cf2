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

from bundler.bindings import FUNCTIONS
from bundler.source import IMPORTS

# Names, attributes and texts that show which module something is in; they end the plainness of the
# module that has them.
REVEALING = set("""
    __builtins__ __file__ __spec__ __loader__ __package__ __path__ __cached__ __annotations__
    tb_frame
    """.split())
# The same, of any module: with one of these no other module but the entry is plain.
REVEALING_ALL = set("""
    __globals__ __code__ f_globals f_locals f_back f_builtins gi_frame cr_frame ag_frame __module__
    __import__ import_module get_type_hints global_enum _getframe _getframemodulename
    _current_frames meta_path path_hooks path_importer_cache ProcessPoolExecutor allow_pickle
    singledispatch singledispatchmethod catch_warnings
    """.split())
REVEALING_MODULES = set("""
    __main__ bdb builtins cProfile code codeop copyreg dis doctest gc imp importlib inspect
    linecache marshal modulefinder multiprocessing pdb pickle pickletools pkgutil profile pydoc
    runpy shelve site symtable timeit trace tracemalloc unittest zipimport
    """.split())
# Builtins that show names, and builtins that run texts or show what a module is.
NAMES_SHOWN = {"globals", "locals", "breakpoint"}
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


def reason(module, place, construct: str, advice: str = "do without it") -> Reason:
    """The Reason against a module, at a line or a node of it."""
    line = place if isinstance(place, int) else getattr(place, "lineno", 1)
    return Reason(module.shown, line, construct, advice)


def own_reason(module):
    """The Reason why a module is not plain, whatever the others are; None for none."""
    if module.name.split(".")[0] in sys.stdlib_module_names:
        return reason(module, 1, "has the name of a standard module", "give it another name")
    if module.is_package and not module.is_empty:
        return reason(module, 1, "a package with code", "leave __init__.py empty")
    for node in [] if module.is_entry else relative_within(module):
        return reason(module, node, "a relative import in a block", "import it at the top")
    with_argument = _calls_with_argument(module.source.tree)
    called = {n.func for n in module.source.nodes if isinstance(n, ast.Call)}
    for node, in_function in _walk(module.source.tree, False):
        if words(node) & REVEALING:
            return reason(module, node, f"uses {min(words(node) & REVEALING)}")
        if _is_builtin(module, node, NAMES_SHOWN):
            return reason(module, node, f"uses {node.id}()", "name what you need")
        if _is_builtin(module, node, {"vars", "dir"}) and node not in with_argument:
            return reason(module, node, f"uses {node.id}()", "name what you need")
        if isinstance(node, ast.ClassDef) and _has_private_name(node):
            advice = "begin it with one underscore"
            return reason(module, node, "a private name in a class", advice)
        if isinstance(node, IMPORTS):
            if any(alias.name == "*" for alias in node.names):
                return reason(module, node, "a star import", "name what you import")
        # The entry's own name and docstring are those of the bundle.
        if not module.is_entry:
            found = _reason_of_name(module, node, in_function, called)
            if found is not None:
                return found
    for name, bindings in module.names.bindings.items():
        if name.startswith("__") and name.endswith("__"):
            if name not in HARMLESS_DUNDERS or name in module.names.read:
                line = module.source.units[bindings[0].unit].first_line
                return reason(module, line, f"binds {name}", "give it another name")
    return None if module.is_entry else _dataclass_reason(module)


def _reason_of_name(module, node, in_function, called):
    """The Reason against a node that asks for the name of its module when the module has run."""
    if isinstance(node, ast.Name) and node.id == "__doc__":
        return reason(module, node, "uses __doc__", "write a text of its own")
    if isinstance(node, ast.Name) and node.id == "__name__" and in_function:
        advice = "read it at the top of the module, into a variable"
        return reason(module, node, "uses __name__ in a function", advice)
    if isinstance(node, ast.alias) and node.name in CLASS_MAKERS and node.asname:
        return reason(module, node, f"{node.name} by another name", "import it by its own")
    if isinstance(node, ast.Name) and node.id == "type" and node not in called:
        return reason(module, node, "type as a value", "call it")
    if in_function and _makes_class(node):
        return reason(module, node, "makes a class in a function", "make it at the top")
    if isinstance(node, IMPORTS):
        readers = {name.split(".")[0] for name in _imported(node)} & FRAME_READERS
        if readers:
            return reason(module, node, f"uses {min(readers)}")
    return None


def _dataclass_reason(module):
    """The Reason against a dataclass that looks for texts in annotations in the class's module."""
    if not any("dataclass" in words(node) for node in module.source.nodes):
        return None
    for node in module.source.nodes:
        if isinstance(node, ast.AnnAssign) and (futures(module) or _has_text(node.annotation)):
            advice = "write the annotation without quotes"
            return reason(module, node, "a text as annotation beside dataclasses", advice)
    return None


def reason_for_all(module):
    """The Reason for which all modules but the entry are carried, because of one; None for none."""
    aliases = {"sys"} | {
        alias.asname
        for node in module.source.nodes
        if isinstance(node, ast.Import)
        for alias in node.names
        if alias.name == "sys" and alias.asname
    }
    for node in module.source.nodes:
        if words(node) & REVEALING_ALL:
            return reason(module, node, f"uses {min(words(node) & REVEALING_ALL)}")
        if _is_builtin(module, node, TEXTS_RUN):
            return reason(module, node, f"uses {node.id}()")
        if isinstance(node, ast.Attribute) and node.attr == "modules":
            if getattr(node.value, "id", None) in aliases:
                return reason(module, node, "uses sys.modules", "import what you need")
        if isinstance(node, ast.Call) and getattr(node.func, "id", None) == "getattr":
            if node.args and getattr(node.args[0], "id", None) in aliases:
                return reason(module, node, "uses getattr() of sys", "write sys.name")
        if (
            isinstance(node, ast.ClassDef)
            and {getattr(b, "id", "") for b in node.bases} & METACLASSES
        ):
            return reason(module, node, "a metaclass")
        if isinstance(node, ast.Call) and _filters_by_module(node):
            return reason(module, node, "filters warnings by their modules")
        if isinstance(node, IMPORTS):
            for name in _imported(node):
                if name.split(".")[0] in REVEALING_MODULES or name == "sys.modules":
                    return reason(module, node, f"uses {name}")
    return None


def _is_builtin(module, node, names):
    """Whether a node is one of some builtins."""
    if not isinstance(node, ast.Name) or not isinstance(node.ctx, ast.Load):
        return False
    known = module.names
    return node.id in names and node.id in known.read and node.id not in known.bound


def _has_private_name(node):
    """Whether a name in a class is one that Python changes, as `__x` to `_Class__x`."""
    for part in ast.walk(node):
        if isinstance(part, ast.Name) and part.id.startswith("__") and not part.id.endswith("__"):
            return True
    return False


def relative_within(module) -> list[ast.ImportFrom]:
    """The relative imports that are no statements of the top level, alone in their lines."""
    alone = {unit.node for unit in module.source.units}
    return [n for n in module.source.nodes if getattr(n, "level", 0) and n not in alone]


def futures(module):
    """The names that a module imports from `__future__`, but for those that are always on."""
    return {
        alias.name
        for node in module.source.tree.body
        if isinstance(node, ast.ImportFrom) and node.module == "__future__" and not node.level
        for alias in node.names
        if alias.name in ("annotations", "barry_as_FLUFL")
    }


def has_annotations(module):
    return any(
        getattr(node, "annotation", None) is not None or getattr(node, "returns", None) is not None
        for node in module.source.nodes
    )


def _walk(node, in_function):
    """(node, whether it may run later than its module) for all nodes of a tree."""
    yield node, in_function
    body = []
    if isinstance(node, (*FUNCTIONS, ast.Lambda)):
        body = node.body if isinstance(node.body, list) else [node.body]
    elif isinstance(node, ast.GeneratorExp):
        in_function = True
    for part in ast.iter_child_nodes(node):
        yield from _walk(part, in_function or part in body)


def words(node):
    """The name, attribute or text that a node is; no text but those of Python's own names."""
    if isinstance(node, ast.Name):
        return {node.id}
    if isinstance(node, ast.Attribute):
        return {node.attr}
    if isinstance(node, ast.alias):
        return {node.name}
    if isinstance(node, ast.keyword):
        return {node.arg}
    if isinstance(node, ast.Constant) and isinstance(node.value, str) and "_" in node.value:
        return {node.value}
    return set()


def _calls_with_argument(tree):
    """The names in calls like `vars(x)` and `dir(x)`: they look into no module."""
    return {
        node.func
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and node.args and not isinstance(node.args[0], ast.Starred)
    }


def _makes_class(node):
    if isinstance(node, ast.ClassDef):
        return True
    if not isinstance(node, ast.Call):
        return False
    name = getattr(node.func, "attr", None) or getattr(node.func, "id", None)
    is_type = name in ("type", "__class__")
    return name in CLASS_MAKERS or (is_type and len(node.args) + len(node.keywords) > 1)


def _filters_by_module(node):
    name = getattr(node.func, "attr", None) or getattr(node.func, "id", None)
    named = any(keyword.arg == "module" for keyword in node.keywords)
    return name == "filterwarnings" and (named or len(node.args) > 3)


def _imported(node):
    """The full names that an import may be of."""
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    if node.level:
        return []
    return [f"{node.module}.{alias.name}" for alias in node.names]


def _has_text(annotation):
    return any(
        isinstance(part, ast.Constant) and isinstance(part.value, str)
        for part in ast.walk(annotation)
    )
