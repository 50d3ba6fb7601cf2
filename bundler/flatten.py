"""From a bot's source to the text of its bundle."""

import ast
import re
from dataclasses import dataclass
from pathlib import Path

from bundler.carry import carried_text
from bundler.emit import Emitter
from bundler.errors import BundleError
from bundler.layout import BUNDLER_MARK, opening_mark
from bundler.plan import Plan
from bundler.program import Program
from bundler.project import Project
from bundler.prune import Liveness
from bundler.strip import stripped
from bundler.trace import trace_text

_COOKIE = re.compile(r"^[ \t\f]*#.*?coding[:=]")


@dataclass(frozen=True)
class Bundle:
    """A bot in one text. files: those it is made of, with the times (ns) of their last change.
    carried: name of each module that is carried whole -> why. warnings: what to mind.
    """

    text: str
    files: dict[Path, int]
    carried: dict[str, str]
    flattened: list[str]
    warnings: list[str]


def flatten(
    entry,
    *,
    root=None,
    mode="numba",
    strip=False,
    keep_all=False,
    plain=False,
    allow=(),
    written=None,
    trace=False,
):
    """The Bundle of a bot, given by path or module name. Raises BundleError.

    mode: written into every top-level assignment to `BUNDLE_MODE`; what it makes unreachable is
    left out. strip: leave comments and docstrings out. keep_all: keep what is unused. plain: refuse
    a bot of which modules have to be carried. allow: modules that the site has besides the standard
    library and numpy. written: further constants, name -> literal. trace: let the bot echo its input.
    """
    project = Project(entry, root)
    written = {"BUNDLE_MODE": f'"{mode}"', **(written or {})}
    program = Program(project, written, allow)
    typed = program.sets_type_checking
    if typed or strip:
        stage = [stripped(program)] if strip else []
        program = Program(project, written, allow, *stage, typed=typed)
    plan, liveness, pieces = _written(program, keep_all)
    carried = _carried(program, plan, liveness)
    if plain and carried:
        why = next(plan.carried[module] for module in carried if module in plan.carried)
        raise BundleError(why.shown, why.line, why.construct, why.advice)
    parts = [_head(program.entry), trace_text() if trace else ""]
    left_out = _left_out(program, carried)
    if carried or left_out:
        parts.append(carried_text(carried, plan.carried, left_out))
    text = "\n\n".join(part.rstrip("\n") + "\n" for part in [*parts, *pieces] if part)
    if any(_COOKIE.match(line) for line in text.split("\n")[:2]):
        text = f"{BUNDLER_MARK}\n#\n{text}"
    reasons = {m.name: str(plan.carried[m]) for m in carried if m in plan.carried}
    flattened = [module.name for module in plan.flat]
    return Bundle(text, program.files, reasons, flattened, program.warnings)


def _written(program, keep_all):
    """(plan, liveness, pieces): planned again where a module could not be written."""
    failed = {}
    while True:
        plan = Plan(program, failed)
        liveness = Liveness(plan, program.allowed, keep_all or plan.entry_stays)
        emitter = Emitter(program, plan, liveness)
        pieces = emitter.pieces()
        if not emitter.failed:
            return plan, liveness, pieces
        failed |= emitter.failed


def _carried(program, plan, liveness):
    """The modules that stand in the bundle whole: what is kept imports them."""
    needed = {}
    waiting = [module for module in program.first if module in plan.carried]
    for module in plan.flat:
        for site in module.sites:
            if not site.is_plain or any(other in plan.carried for other in site.runs):
                if site.is_plain or any(_holds(unit, site.node) for unit in liveness.units):
                    waiting += [other for other in site.runs if not plan.is_flat(other)]
    while waiting:
        module = waiting.pop()
        if module not in needed:
            needed[module] = True
            waiting += [other for site in module.sites for other in site.runs]
            parent = program.modules.get(module.name.rpartition(".")[0])
            waiting += [parent] if parent else []
    return [module for module in program.modules.values() if module in needed]


def _holds(unit, node):
    last = unit.statements[-1].end_lineno
    return unit.statements[0].lineno <= node.lineno <= last and any(
        part is node for statement in unit.statements for part in ast.walk(statement)
    )


def _left_out(program, carried):
    """The names of local modules that an import by a computed name may ask for in vain."""
    if not any(module in carried or module is program.entry for module in program.dynamic):
        return []
    tops = {module.name.split(".")[0] for module in program.modules.values()}
    names = program.project.module_names(tops) - program.modules.keys()
    return sorted(names - {program.entry.import_name})


def _head(entry):
    """The docstring of the entry and its imports from `__future__`."""
    text = ""
    for unit in entry.source.units:
        node = unit.node
        if isinstance(node, ast.ImportFrom) and node.module == "__future__":
            text += entry.source.segment(node) + "\n"
        elif unit is entry.source.units[0] and ast.get_docstring(entry.source.tree) is not None:
            text += entry.source.text[unit.start : unit.end].strip("\n") + "\n\n"
        else:
            break
    return f"{opening_mark(entry.shown, 1)}\n{text}" if text else ""
