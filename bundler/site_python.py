"""The Python that a bundle is checked with: the site's own environment where it is made, else this
Python in a fresh environment with the packages that the bundle needs.

Python's installed packages can load modules at every start by files in `.pth`. A bundle that needs
such a module works at home alone.
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
    """An interpreter for a check. shown: its versions; missing: modules that the bot needs and it
    lacks.
    """

    path: str
    shown: str
    missing: list[str]


def check_python(folder: Path, site: Site, needed: Collection[str]) -> CheckPython:
    """Returns the Python to check with; needed: the packages that a bundle imports. An environment
    of this Python is made in `folder`.
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
    """Returns the modules that an interpreter does not find. Raises SiteError."""
    return ask(python, _ASK, *sorted(names)).split() if set(names) - SITE_PACKAGES else []


def make_site_python(folder: Path, needed: Collection[str]) -> str:
    """Make an environment of this Python in a folder. Returns the path of its Python.

    needed: packages. If they include others than numpy, all installed packages are visible there,
    numba included.
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
