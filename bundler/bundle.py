"""Makes the text of a bundle from a bot's source."""

import ast
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal, get_args

from bundler.carrying import carried_text, kept_texts
from bundler.dependencies import check_dependencies
from bundler.errors import NoKernelError
from bundler.flattening.emit import Emitter
from bundler.layout import Layout
from bundler.modules.project import Project
from bundler.modules.source import DEPTH, recursion_limit
from bundler.modules.tunables import Tunable, check_values
from bundler.program import Module, Program
from bundler.source_map import BUNDLER_MARK, head_mark, looks_like_mark
from bundler.stages.pack import pack
from bundler.stages.strip import AS_IT_IS, Stage, compact, stripping
from bundler.stages.trace import trace_text
from bundler.stages.weights import insert_weights

Cpu = Literal["x86-64-v2", "x86-64-v3", "both"]  # see machine_code.py
CPUS: tuple[str, ...] = get_args(Cpu)
CONSTANT_LINE = '\nMACHINE_CODE = ""\n'  # takes the machine code
_COOKIE = re.compile(r"[ \t\f]*#.*?coding[:=]")
# numpy's import starts a thread for each core, for products of matrices. This takes nearly half of
# the import's CPU time, and kernels do not use the threads.
_ONE_THREAD = f"""\
{BUNDLER_MARK}
__import__("os").environ.setdefault("OPENBLAS_NUM_THREADS", "1")
"""


@dataclass(frozen=True)
class Bundle:
    """A bot in one text. mode: see `make_bundle`. files: {source file: time (ns) of its last
    change}. carried, flattened: the names of the carried modules, and of the flattened ones.
    reasons: the texts of the Reasons against flattening. warnings: notes for people, as on imports
    that the site may lack. cpu: the processor for the machine code, by the bot's own choice. kept:
    {path: text of the module}, with the lines of the source but without what is pruned.
    """

    project: Project
    text: str
    mode: str
    files: dict[Path, int]
    carried: list[str]
    reasons: list[str]
    flattened: list[str]
    warnings: list[str]
    tunables: dict[str, Tunable]
    parameters: Mapping[str, float]
    cpu: str
    kept: dict[str, str]


@recursion_limit(DEPTH)
def make_bundle(
    entry: str | Path,
    mode: str = "numba",
    *,
    root: Path | None = None,
    strip: bool = False,
    carry: bool = False,
    allow: Iterable[str] = (),
    trace: bool = False,
    packing: str | None = None,
    parameters: Mapping[str, float] | None = MappingProxyType({}),
    site: str | None = None,
) -> Bundle:
    """Returns the Bundle of a bot, given by path or module name. Raises BundleError.

    mode: written into every top-level assignment to `BUNDLE_MODE`. strip: leave comments and
    docstrings out. carry: carry the modules whole even if they could be flattened. allow: modules
    that the site has besides Python's and its packages. trace: let the bot echo its input and
    output. packing: pack the imported modules in this encoding (a key of ENCODINGS). parameters:
    other values of tunable numbers, by name; None leaves all open until the bundle starts. site:
    see bundler/sites.py; raises SiteError.
    """
    project = Project(entry, root, site)
    program = Program(project, mode, allow, parameters)
    stage, note = stripping(program) if strip else (AS_IT_IS, "")
    check_values(program.entry.shown, program.tunables, parameters or {})
    doubtful = check_dependencies(program)
    layout = Layout(program, carry)
    pieces = Emitter(layout, stage).pieces()
    parts = [_head(program.entry, stage), trace_text() if trace else ""]
    parts += [_ONE_THREAD] if mode == "native" else []
    carried = kept_texts(program, layout.kept) if layout.is_carried else {}
    left_out = _left_out(program) if layout.is_carried else []
    if carried or left_out:
        parts.append(carried_text(carried, layout.reasons, left_out, stage))
    text = "\n\n".join(
        text_piece.rstrip("\n") + "\n" for text_piece in [*parts, *pieces] if text_piece
    )
    text = compact(text) if stage is not AS_IT_IS else text
    text = insert_weights(text, project, [*carried, *layout.flat])
    if packing:
        text = pack(text, program, packing)
    warnings = [
        f"{site.module.shown}:{site.line}: import {name}: the site may lack it"
        for site, name in doubtful
        if layout.is_carried or layout.kept.keeps(site.module, site.unit)
    ]
    kept = carried | {module: _kept_text(module, layout) for module in layout.flat}
    return Bundle(
        project,
        text,
        mode,
        program.files,
        [module.name for module in carried],
        [str(reason) for reason in layout.reasons.values()],
        [module.name for module in layout.flat],
        [note, *warnings] if note else warnings,
        program.tunables,
        parameters or {},
        chosen_cpu(program.entry),
        {module.shown: text for module, text in kept.items()},
    )


def make_native(
    entry: str | Path,
    *,
    strip: bool = False,
    trace: bool = False,
    packing: str | None = None,
    carry: bool = False,
    **options: Any,
) -> tuple[Bundle, str]:
    """Returns (the Bundle of a bot in native mode, the text in numba mode to compile its kernels
    from); the options are those of `make_bundle`. Raises BundleError.

    A kernel is identified by the module that makes it, "__main__" for a flattened module. So both
    texts carry the modules if either has to. Raises NoKernelError for a bot without kernels.
    """
    written: dict[str, Any] = {"strip": strip, "trace": trace, "packing": packing}
    native = make_bundle(entry, "native", carry=carry, **written, **options)
    if CONSTANT_LINE not in native.text:
        raise NoKernelError(entry)
    kernels = make_bundle(entry, "numba", carry=carry, **options)
    if bool(native.carried) != bool(kernels.carried):
        return make_native(entry, carry=True, **written, **options)
    return native, kernels.text


def _kept_text(module: Module, layout: Layout) -> str:
    """Returns the text of a flattened module, with empty lines in place of pruned statements."""
    gone = [unit for unit in module.source.units if not layout.kept.keeps(module, unit)]
    return module.source.without(gone, [])


def _left_out(program: Program) -> list[str]:
    """Returns the names of the local modules outside of the bundle that an import by a computed
    name may ask for.
    """
    if not program.dynamic:
        return []
    tops = {module.name.split(".")[0] for module in program.modules.values()}
    names = program.project.module_names(tops) - program.modules.keys()
    return sorted(names - {program.entry.import_name})


def chosen_cpu(entry: Module) -> str:
    """Returns the processor that a bot's `BUNDLE_CPU = "..."` names, CPUS[0] without one. Raises
    BundleError.
    """
    for node in entry.original.tree.body:
        if not isinstance(node, (ast.Assign, ast.AnnAssign)) or not node.value:
            continue
        if ast.unparse(node).startswith(("BUNDLE_CPU = ", "BUNDLE_CPU: ")):
            cpu = getattr(node.value, "value", None)
            if cpu not in CPUS:
                advice = f"write one of {', '.join(CPUS)} as a text"
                raise entry.error(node, f"BUNDLE_CPU is {ast.unparse(node.value)}", advice)
            return str(cpu)
    return CPUS[0]


def _head(entry: Module, stage: Stage) -> str:
    """Returns the head of a bundle: a mark, the docstring of the entry with the comments above it,
    and the entry's imports from `__future__`; "" if it has none. Raises BundleError.
    """
    source, text, first_line = entry.source, "", 1
    for unit in source.units:
        node = unit.node
        if node is None and any(getattr(n, "module", "") == "__future__" for n in unit.statements):
            construct = "an import from __future__ in a line with others"
            raise entry.error(unit.statements[0], construct, "write it in a line of its own")
        if isinstance(node, ast.ImportFrom) and node.module == "__future__":
            text += source.segment(node) + "\n"
        elif unit is source.units[0] and ast.get_docstring(source.tree) is not None:
            comments = source.lines[: unit.first_line - 1]
            # A bundle is in UTF-8, whatever its sources are in.
            while any(map(_COOKIE.match, comments[:2])):
                del comments[0]
                first_line += 1
            above = "".join(f"{'#' * looks_like_mark(line)}{line}\n" for line in comments)
            below = source.text[source.line_starts[unit.first_line - 1] : unit.end]
            text += (above + below).rstrip("\n") + "\n\n"
        else:
            break
    text = stage(text)
    return f"{head_mark(entry.shown, first_line)}\n{text}" if text.strip() else ""
