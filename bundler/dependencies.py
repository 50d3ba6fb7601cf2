"""Refuses dependencies that the site lacks: other packages, and files beside the bundle."""

import ast

from bundler.flattening.rules import imported_names, program_reason
from bundler.program import ImportSite, Module, Program
from bundler.sources.source import bound_name

# They look for files beside modules.
RESOURCES = "as_file contents open_binary open_text path read_binary read_text".split()
FILE_FINDERS = {f"importlib.resources.{name}" for name in RESOURCES} | set("""
    __file__ pkg_resources pkgutil.get_data pkgutil.iter_modules pkgutil.walk_packages
    """.split())


def check_dependencies(program: Program) -> list[tuple[ImportSite, str]]:
    """Raise BundleError for an import that the site lacks. Returns [(dispensable import, name)]."""
    doubtful = []
    certain = {program.entry, *program.first}
    waiting = list(certain)
    while waiting:
        for site in waiting.pop().sites:
            new = set() if site.checked else set(site.runs) - certain
            certain |= new
            waiting += new
    for site, name, local in program.missing:
        if site.checked or site.module not in certain:
            if not site.guarded:
                doubtful.append((site, name))
            continue
        top = name.split(".")[0]
        around = [m for m in program.modules.values() if m.name.split(".")[0] == top]
        if any(map(program_reason, around)):
            continue  # it may make the module when it runs, as some packages do
        advice = (
            f"the site lacks it, and it is not below {program.project.root}; do without it, "
            "guard it by `try: ... except ImportError:`, give --root, "
            f"or --allow {top} if the site has it"
        )
        if local:
            advice = "no such module in the project; correct the import, or give --root"
        raise site.module.error(site.node, f"import {name}", advice)
    for module in program.everyone:
        _check_files(module)
    return doubtful


def _check_files(module: Module) -> None:
    """Refuse a module that looks for files beside it, or sets `typing.TYPE_CHECKING`."""
    local = {bound_name(alias) for site in module.sites for alias in site.targets}
    for node in module.source.nodes:
        names = set(imported_names(node)) | {getattr(node, "id", None)}
        if isinstance(node, ast.Attribute):
            full = ast.unparse(node)
            names |= {full, f"importlib.{full}"}
            names |= {node.attr} if full.split(".")[0] in local else set()
        for name in FILE_FINDERS & names:
            advice = "a bundle has no files beside it; put the data into a module"
            raise module.error(node, name, advice)
        around = module.source.parents.get(node)
        is_text = isinstance(node, ast.Constant) and not isinstance(around, (ast.List, ast.Tuple))
        is_stored = isinstance(getattr(node, "ctx", None), ast.Store)
        what = getattr(node, "value" if is_text else "attr", None)
        if what == "TYPE_CHECKING" and (is_text or is_stored):
            advice = "do without it: what is under `if TYPE_CHECKING:` is left out"
            raise module.error(node, "sets TYPE_CHECKING", advice)
