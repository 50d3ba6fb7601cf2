"""The Python that a bundle is checked with: the site's own environment where it is made, else this
Python in a fresh environment with the packages that the bundle needs.

Installed packages can load modules at every start of Python through `.pth` files. A bundle that
needs such a module would run at home alone, so the fresh environment has no `.pth` file.
"""

import platform
import venv
from collections.abc import Collection
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

from bundler.modules.project import SITE_PACKAGES
from bundler.sites import Site, ask, described, environment

# Prints the modules that cannot be found.
_ASK = """\
import sys
from importlib.util import find_spec
print(*[name for name in sys.argv[1:] if find_spec(name) is None])
"""


def site_advice(site: Site) -> str:
    """Returns the command that makes a site's environment."""
    return f"`onefile doctor --site {site.name}` makes the site's Python"


class CheckPython(NamedTuple):
    """An interpreter to check a bundle with. shown: a text of the versions of Python and its
    packages. missing: the modules that the bundle needs and the interpreter lacks.
    """

    path: str
    shown: str
    missing: list[str]


def check_python(folder: Path, site: Site, needed: Collection[str]) -> CheckPython:
    """Returns the interpreter to check a bundle with: the site's if its environment is made and has
    all packages that the bundle imports (`needed`), else one of this Python in a new environment in
    `folder`. Raises SiteError.
    """
    if (made := environment(site)) and not missing_modules(made, needed):
        return CheckPython(made, described(site, made), [])
    python = make_site_python(folder, needed)
    here = platform.python_version_tuple()[:2]
    shown = f"Python {platform.python_version()}"
    for name in sorted({*SITE_PACKAGES, *({"numba"} & {*needed})}):
        shown += f", {name} {version(name)}" * bool(find_spec(name))
    if here != (str(site.python[0]), str(site.python[1])):
        shown += f" (the site has Python {site.version}: {site_advice(site)})"
    return CheckPython(python, shown, missing_modules(python, needed))


def missing_modules(python: str, names: Collection[str]) -> list[str]:
    """Returns the modules of `names` that an interpreter does not find, [] without asking it if all
    are of SITE_PACKAGES. Raises SiteError.
    """
    return ask(python, _ASK, *sorted(names)).split() if set(names) - SITE_PACKAGES else []


def make_site_python(folder: Path, needed: Collection[str]) -> str:
    """Make an environment of this Python in a folder. Returns the path of its interpreter.

    needed: the packages that the bundle imports. The environment has numpy; if `needed` has any
    other package, it has all installed packages, but numba only if `needed` has numba.
    """
    venv.create(folder, symlinks=True)
    (packages,) = folder.glob("lib/python*/site-packages")
    specs = [find_spec(name) for name in {*SITE_PACKAGES, *needed}]
    has_all = bool(set(needed) - SITE_PACKAGES)
    for origin in {Path(spec.origin) for spec in specs if spec and spec.origin}:
        installed = origin.parents[origin.name == "__init__.py"]
        for entry in installed.iterdir():
            is_wanted = has_all or entry.name.startswith(tuple(SITE_PACKAGES))
            is_hidden = entry.name.startswith("numba") and "numba" not in needed
            place = packages / entry.name
            if is_wanted and not is_hidden and entry.suffix != ".pth" and not place.is_symlink():
                place.symlink_to(entry)
    return str(folder / "bin/python")
