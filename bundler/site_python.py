"""A Python as the site has it: a fresh environment with numpy, and no other installed package.

Python's installed packages can load modules at every start by files in `.pth`. A bundle that needs
such a module works at home alone.
"""

import venv
from collections.abc import Collection
from importlib.util import find_spec
from pathlib import Path

from bundler.sources.project import SITE_PACKAGES


def make_site_python(folder: Path, allowed: Collection[str]) -> str:
    """Make an environment in a folder. Returns the path of its Python.

    allowed: further modules of the site; with any of them it has all installed packages, and numba
    if that is one.
    """
    venv.create(folder, symlinks=True)
    (packages,) = folder.glob("lib/python*/site-packages")
    specs = [find_spec(name) for name in (*SITE_PACKAGES, *allowed)]
    for origin in {Path(spec.origin) for spec in specs if spec and spec.origin}:
        installed = origin.parents[origin.name == "__init__.py"]
        for part in installed.iterdir():
            is_wanted = allowed or part.name.startswith(tuple(SITE_PACKAGES))
            is_hidden = part.name.startswith("numba") and "numba" not in allowed
            place = packages / part.name
            if is_wanted and not is_hidden and part.suffix != ".pth" and not place.is_symlink():
                place.symlink_to(part)
    return str(folder / "bin/python")
