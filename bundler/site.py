"""What the site has, and what it lacks: other packages, and files beside the bundle."""

import ast

from bundler.plain import reason_for_all
from bundler.source import bound_name

SITE_PACKAGES = {"numpy"}  # what the site has besides the standard library
# They look for files beside modules.
FILE_FINDERS = {
    "pkg_resources",
    *(f"pkgutil.{name}" for name in ("get_data", "iter_modules", "walk_packages")),
    *(
        f"importlib.resources.{name}"
        for name in ("as_file", "contents", "open_binary", "open_text", "path", "read_binary")
    ),
    "importlib.resources.read_text",
}


def check_missing(program):
    """Refuse what is missing and imported in any case; the rest is doubtful. Raises BundleError."""
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
                program.doubtful.append((site, name))
            continue
        top = name.split(".")[0]
        around = [m for m in program.modules.values() if m.name.split(".")[0] == top]
        if any(map(reason_for_all, around)):
            continue  # it may make the module when it runs, as some packages do
        advice = (
            f"the site lacks it, and it is not below {program.project.root}; do without it, guard it "
            f"by `try: ... except ImportError:`, give --root, or --allow {top} if the site has it"
        )
        if local:
            advice = "no such module in the project; correct the import, or give --root"
        raise site.module.error(site.node, f"import {name}", advice)


def check_files(module):
    """Refuse a module that looks for files beside it. Raises BundleError."""
    local = {bound_name(alias) for site in module.sites for alias in site.targets}
    for node in module.source.nodes:
        names = set()
        if isinstance(node, ast.ImportFrom):
            names = {f"{node.module}.{alias.name}" for alias in node.names} | {node.module}
        elif isinstance(node, ast.Import):
            names = {alias.name for alias in node.names}
        elif isinstance(node, ast.Attribute):
            names = {ast.unparse(node), f"importlib.{ast.unparse(node)}"}
            if node.attr == "__file__" and ast.unparse(node).split(".")[0] in local:
                names = {node.attr}
        elif isinstance(node, ast.Name) and node.id == "__file__":
            names = {node.id}
        for name in names & {*FILE_FINDERS, "__file__"}:
            advice = "a bundle has no files beside it; put the data into a module"
            raise module.error(node, name, advice)
