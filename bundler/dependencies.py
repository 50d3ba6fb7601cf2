"""Refuses dependencies that the site lacks: other packages, and files beside the bundle."""

import ast
from pathlib import Path

from bundler.modules.library import DISTRIBUTION
from bundler.modules.source import bound_name, dotted, imported_names, words
from bundler.program import ImportSite, Module, Program
from bundler.pruning import looks_up_names
from bundler.sites import OWN

# They look for files beside modules, and list a package's modules.
RESOURCES = "as_file contents files open_binary open_text path read_binary read_text".split()
RESOURCE_FUNCTIONS = {f"importlib.resources.{name}" for name in RESOURCES}
LISTINGS = {"pkgutil.iter_modules", "pkgutil.walk_packages"}
FILE_FINDERS = RESOURCE_FUNCTIONS | LISTINGS | {"__file__", "pkg_resources", "pkgutil.get_data"}
# By another way than "fork" a child process runs the whole bundle again, and so has its children.
START_METHODS = {"get_context", "set_start_method"}


def check_dependencies(program: Program) -> list[tuple[ImportSite, str]]:
    """Returns [(import, name)] of the imports that the site lacks, that may never run, and that are
    not guarded. Raises BundleError for an import that the site lacks and that surely runs, and for
    a module that needs files beside it.
    """
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
        if any(map(looks_up_names, around)):
            continue  # the package may make the module when it runs, as some do
        advice = (
            f"the site {program.project.site.name} lacks it, and it is not below"
            f" {program.project.root}; do without it, guard it by `try: ... except ImportError:`,"
            f" mark the project's folder by a pyproject.toml, or --allow {top} if the site has it"
        )
        if top in ("bots", "shared") and not program.project.root.joinpath(top).exists():
            advice = (
                "a module of onefile, which bots find in a workspace: `onefile init DIR` makes one,"
                " and bots lie in its folder bots/CONTEST"
            )
        if top == DISTRIBUTION:
            advice = "of onefile_bots a bundle has only the modules of onefile_bots.shared"
        if place := _elsewhere(program.project.root, name):
            advice = f"it lies in {place}: import it from there, as {_module_of(place)}"
        elif program.project.site.name == OWN:
            advice += ", as in packages of [site] in onefile.toml"
        if local:
            advice = "no such module in the project; correct the import"
        raise site.module.error(site.node, f"import {name}", advice)
    for module in program.everyone:
        _check_files(module)
    return doubtful


def _elsewhere(root: Path, name: str) -> str | None:
    """Returns the path of a module in a folder below `root` that is not searched, as by a changed
    sys.path; None if there is none.
    """
    path = name.replace(".", "/")
    for place in sorted([*root.rglob(f"{path}.py"), *root.rglob(f"{path}/__init__.py")]):
        shown = place.relative_to(root).as_posix()
        if all(word.isidentifier() for word in _module_of(shown).split(".")):
            return shown
    return None


def _module_of(path: str) -> str:
    return path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def _check_files(module: Module) -> None:
    """Raise BundleError for a module that looks for files beside it, lists modules, or starts child
    processes by "spawn" or "forkserver".
    """
    local = {bound_name(alias) for site in module.sites for alias in site.targets}
    for node in module.source.nodes:
        names = set(imported_names(node)) | {getattr(node, "id", None)}
        if isinstance(node, ast.Attribute):
            full = dotted(node)
            names |= {full, *module.full_names(node)}
            names |= {node.attr} if full.split(".")[0] in local else set()
        if isinstance(node, ast.Call) and words(node.func) & START_METHODS:
            methods = {getattr(argument, "value", None) for argument in node.args}
            if methods & {"spawn", "forkserver"}:
                advice = 'a child process runs the whole bundle again: write "fork" there'
                raise module.error(node, ast.unparse(node), advice)
        for name in FILE_FINDERS & names:
            if name in RESOURCE_FUNCTIONS and module.source.is_deferred(node):
                continue  # raises in the bundle if it is called: the check tells
            advice = "a bundle has no files beside it; put the data into a module"
            if name in LISTINGS:
                advice = "a bundle has no folders; import the modules by their names"
            raise module.error(node, name, advice)
