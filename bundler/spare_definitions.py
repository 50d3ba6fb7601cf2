"""Spare definitions of carried modules: those that nothing in the program names.

A definition is left out if it has no effect but to bind names (`flattening/purity.py`) and no word
of what is kept is one of them: no name, attribute, import, or identifier in a text. Where names may
be looked up otherwise, everything stays.
"""

import ast
import re

from bundler.flattening.naming import Naming
from bundler.flattening.purity import Purity
from bundler.modules.source import FUNCTIONS, Edit, Unit, bound_name
from bundler.program import Module, Program

# Words of programs that may list names, or look them up by a text made at run time
LOOKUPS = set("""
    Formatter _getframe attrgetter copyreg ctypes currentframe dill dir doctest eval exec
    format_map gc getmembers globals import_module importlib inspect locals marshal methodcaller
    modules pickle pkgutil runpy shelve unittest vars __annotations__ __builtins__ __dict__
    __getattr__ __getattribute__ __globals__ __import__ __subclasses__
    """.split())
# Modules that evaluate texts, or import by them
EVALUATORS = set("bdb cProfile code codeop pdb profile pydoc timeit trace".split())
ASKED_BY_NAME = {"getattr", "setattr", "hasattr", "delattr"}


def kept_of_carried(program: Program) -> dict[Module, str]:
    """{module: its text, with empty lines in place of what is left out}"""
    modules = [*program.modules.values()]
    if any(map(looks_up_names, program.everyone)):
        return {module: module.original.text for module in modules}
    kept, words = _kept(program)
    texts = {}
    for module in modules:
        source, edits = module.source, []
        for unit in source.units:
            node, aliases = unit.node, _aliases(module, unit)
            names = [alias for alias in aliases if bound_name(alias) in words]
            if len(names) < len(aliases) and isinstance(node, ast.ImportFrom):
                start, end = source.start(node), source.end(node)
                text = ast.unparse(ast.ImportFrom(node.module, names, node.level))
                edits.append(Edit(start, end, text + "\n" * source.text[start:end].count("\n")))
        dropped = [unit for unit in source.units if unit not in kept]
        text = source.without(dropped, edits) if dropped or edits else module.original.text
        text = text.rstrip()
        closing = "\n\n" if text.endswith("\\") else "\n"  # a backslash joins an empty line
        texts[module] = text + closing if text else ""
    return texts


def _kept(program: Program) -> tuple[set[Unit], set[str]]:
    """Returns (the units that stay, all their words)."""
    pure = Purity(Naming((*program.everyone,), program.entry, True, {})).units
    binders: dict[str, list[Unit]] = {}
    imported: dict[str, set[str]] = {}  # by the names that it is given
    imports, trimmed, waiting = [], set(), []
    for module in program.everyone:
        plain: set[Unit] = set()  # they bind names that only words can mean
        for name, bindings in module.names.bindings.items():
            units = [binding.unit for binding in bindings]
            binders.setdefault(name, []).extend(units)
            plain |= {*units} if not name.startswith("__") else set()
        # A text of its own behind them would become the docstring.
        texts = [n for n, unit in enumerate(module.source.units) if _is_text(unit.node)]
        for number, unit in enumerate(module.source.units):
            is_root = module is program.entry or number < max(texts, default=0)
            if is_root or unit.is_import or unit not in pure & plain:
                waiting.append(unit)
            if aliases := _aliases(module, unit) if module is not program.entry else []:
                imports.append(aliases)
                trimmed.add(unit)
                for alias in aliases:
                    imported.setdefault(bound_name(alias), set()).add(alias.name)
            elif unit.is_import and module.site_of(unit.node) is None:
                trimmed.add(unit)  # of things from outside: nothing of the bot's
    kept: set[Unit] = set()
    words: set[str] = set()

    def add(new: set[str]) -> None:
        while new := new - words:
            words.update(new)
            waiting.extend(unit for word in new for unit in binders.get(word, ()))
            new = set().union(*(imported.get(word, ()) for word in new))

    is_over = False
    while not is_over:
        while waiting:
            unit = waiting.pop()
            if unit not in kept:
                kept.add(unit)
                add(set() if unit in trimmed else _words(unit))
        # An import whose names nobody uses still runs its module.
        unused = [aliases for aliases in imports if words.isdisjoint(map(bound_name, aliases))]
        for aliases in unused:
            add({bound_name(aliases[0])})
        is_over = not unused
    return kept, words


def _aliases(module: Module, unit: Unit) -> list[ast.alias]:
    """The names that a unit imports from a module of the bot which surely binds them, and of which
    none is a module, that runs; [] for none.
    """
    node, site = unit.node, module.site_of(unit.node)
    if not isinstance(node, ast.ImportFrom) or site is None or site.base is None:
        return []
    if _may_run(site.base, module):
        return []  # it may lack a name when the import runs
    has_all = all(
        alias not in site.targets and alias.name in site.base.names.definite for alias in node.names
    )
    return node.names if has_all else []


def _may_run(module: Module, other: Module) -> bool:
    """Returns True if a module imports another one, itself or by way of others."""
    waiting, seen = [module], set()
    while waiting:
        importer = waiting.pop()
        if importer not in seen:
            seen.add(importer)
            waiting += [run for site in importer.sites for run in site.runs]
    return other in seen


def _is_text(node: ast.stmt | None) -> bool:
    value = getattr(node, "value", None)
    return isinstance(node, ast.Expr) and isinstance(getattr(value, "value", None), str)


def _words(unit: Unit) -> set[str]:
    """All identifiers in the text of a unit but in its comments and docstrings."""
    words: set[str] = set()
    for statement in unit.statements:
        nodes = [*ast.walk(statement)]
        docstrings = {
            node.body[0].value
            for node in nodes
            if isinstance(node, (*FUNCTIONS, ast.ClassDef)) and isinstance(node.body[0], ast.Expr)
        }
        for node in nodes:
            if node in docstrings:
                continue
            match node:
                case ast.Name(word) | ast.Attribute(_, word) | ast.keyword(str(word)):
                    words.add(word)
                case ast.Global(names) | ast.Nonlocal(names):
                    words.update(names)
                case ast.MatchClass(_, _, names):
                    words.update(names)
                case ast.alias(name, other):
                    words.update([*name.split("."), *([other] if other else [])])
                case ast.Constant(str(text)):
                    words.update(re.findall(r"\w+", text))
    return words


def looks_up_names(module: Module) -> bool:
    """Returns True for a module that may find names by texts made at run time."""
    for node in module.source.nodes:
        match node:
            case ast.Name("compile"):
                return True
            case ast.Attribute(value, "format") if not isinstance(value, ast.Constant):
                return True
            case ast.Name(word) | ast.Attribute(_, word) | ast.Constant(str(word)):
                if word in LOOKUPS or (word in ASKED_BY_NAME and not _asks_for_text(module, node)):
                    return True
            case ast.alias(name) if (LOOKUPS | EVALUATORS | ASKED_BY_NAME) & {*name.split(".")}:
                return True
            case ast.ImportFrom(name) if (LOOKUPS | EVALUATORS) & {*(name or "").split(".")}:
                return True
    return False


def _asks_for_text(module: Module, node: ast.AST) -> bool:
    """Returns True for `getattr` in a call with a text that stands there."""
    match module.source.parents[node]:
        case ast.Call(func, [_, ast.Constant(), *_]):
            return func is node
    return False
